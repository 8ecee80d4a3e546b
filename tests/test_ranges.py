"""What cannot fail is not watched: conditions that exclude each other, whatever it is that they compare."""

from fractions import Fraction

import pytest

from closecombat import comparisons as c
from closecombat.ranges import is_sure
from closecombat.symbolic import Between, Workshop


def conditions(shop, text):
    """`less 0, same 0` of one value; `a < b` of two; `!` before one is that it does not hold."""
    x, a, b = (shop.variable() for _ in range(3))
    out = []
    for said in text.split(", "):
        word, other = said.removeprefix("!").split()
        fn = {"less": c.less_than, "more": c.more_than, "least": c.at_least, "most": c.at_most, "same": c.same}[word]
        against = {"b": b, "a": a}.get(other, Fraction(other) if "/" in other else other)
        against = int(against) if isinstance(against, str) and against.lstrip("-").isdigit() else against
        node = shop.node(fn, *((a, b) if other == "b" else (b, a) if other == "a" else (x, against)))
        out.append(shop.not_(node) if said.startswith("!") else node)
    return x, a, b, tuple(out)


NUMBER = Between()
CASES = [
    ("less 0, same 0", None, True),
    ("less 0, more 0", None, True),
    ("less 1, more 0", NUMBER, False),  # a half
    ("less 1, more 0", Between(whole=True), True),
    ("less 1/2, more 0", NUMBER, False),
    ("!less 0, !same 0, !more 0", NUMBER, True),
    ("!less 0, !same 0, !more 0", None, False),  # that of nobody
    ("!less 0, !same 0", NUMBER, False),
    ("!most 3, !least 5", Between(whole=True), False),
    ("!most 3, !least 4", Between(whole=True), True),
    ("least 7", Between(1, 6, True), True),
    ("same squad, same crew", None, True),
    ("!same squad, !same crew", None, False),
    ("!same squad, !same crew", ("squad", "crew"), True),
    ("same squad, !same crew", None, False),
    ("less b, same b", NUMBER, True),
    ("less b, less a", NUMBER, True),  # a below b, and b below a
    ("less b, more a", NUMBER, False),  # the same said twice
    ("!less b, !same b, !more b", NUMBER, True),
    ("!less b, !same b, !more b", None, False),
    ("!less b, !less a", NUMBER, False),
]


@pytest.mark.parametrize(("said", "found", "excluded"), CASES)
def test_conditions_that_exclude_each_other(said, found, excluded):
    shop = Workshop()
    *values, when = conditions(shop, said)
    for value in values:
        shop.ranges[value] = found
    fault = shop.fault(lambda: ValueError("looked at"))
    assert is_sure(shop, fault, when) is excluded
