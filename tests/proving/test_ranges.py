"""What cannot fail is not watched: conditions that exclude each other, whatever it is that they compare."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from closecombat.proving.foreseeing.ranges import ends, is_excluded, is_sure, range_of
from closecombat.proving.values import symbolic as c
from closecombat.proving.values.arithmetic import higher, lower
from closecombat.proving.values.symbolic import Between, Workshop


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


# ---- made-up conditions, every fall of a few dice tried ----------------------------------------------------

DOMAINS = [(0, 1, 2, 3), (None, 2, 5), ("squad", "crew"), (False, True), (-1, 4)]
COMPARED = {0: (1, 2, 3), 1: (2, 4), 2: ("squad", "crew", "gun"), 4: (0, 4)}


def made_up(shop, random, variables, depth, pairs):
    """A condition over some values, and what it is for given ones, written apart; with `pairs` two of them are compared."""
    kind = random.choice(["and", "or", "not", "if"]) if depth else "claim"
    if kind == "claim":
        which = random.choice([0, 0, 0, 1, 2, 3, 4])
        if which == 3:
            return variables[3], lambda row: row[3]
        name = random.choice(
            ["same", "same"] if which == 2 else ["less_than", "more_than", "at_least", "at_most", "same"]
        )
        fn = getattr(c, name)
        if which == 0 and pairs and random.random() < 0.3:
            return shop.node(fn, variables[0], variables[4]), lambda row: fn(row[0], row[4])
        known = random.choice(COMPARED[which])
        return shop.node(fn, variables[which], known), lambda row: fn(row[which], known)
    (a, is_a), (b, is_b), (d, is_d) = (made_up(shop, random, variables, depth - 1, pairs) for _ in range(3))
    return {
        "and": lambda: (shop.and_(a, b), lambda row: is_a(row) and is_b(row)),
        "or": lambda: (shop.or_(a, b), lambda row: is_a(row) or is_b(row)),
        "not": lambda: (shop.not_(a), lambda row: not is_a(row)),
        "if": lambda: (shop.if_(a, b, d), lambda row: is_b(row) if is_a(row) else is_d(row)),
    }[kind]()


@pytest.mark.parametrize("pairs", [True, False])
def test_what_never_holds_together_never_does(pairs):
    """An order of two values and what each is compared with are not held against each other; all else is found."""
    for seed in range(1_000):
        random, shop = Random(seed), Workshop()
        variables = [shop.variable() for _ in DOMAINS]
        shop.ranges |= dict(zip(variables, DOMAINS, strict=True))
        depths = [random.choice([1, 2, 3]) for _ in range(random.choice([1, 2, 3]))]
        made = [made_up(shop, random, variables, depth, pairs) for depth in depths]
        never = not any(all(holds(row) for _, holds in made) for row in product(*DOMAINS))
        said = is_excluded(shop, tuple(condition for condition, _ in made))
        assert said <= never if pairs else said == never, seed


def test_whoever_comes_to_a_fault_comes_no_further_only_where_it_has_been_told():
    """The dice of an earlier pass are a fault that is told where somebody looks at them, and not before."""
    shop = Workshop()
    assert not is_excluded(shop, (shop.node(c.same, shop.fault(lambda: ValueError()), 1),))
    told = []
    shop.owed = told.append
    fault = shop.failed(lambda: ValueError())
    assert told == [fault]
    assert is_excluded(shop, (shop.node(c.same, fault, 1),))


@pytest.mark.parametrize("highest", [True, False], ids=["highest", "lowest"])
@pytest.mark.parametrize("seed", range(60))
def test_the_farther_of_two_lies_within_its_range(seed: int, highest: bool) -> None:
    """Whatever the two may be, nobody's among it; and where both are known to be somebody's it is nobody's never."""
    dice, shop = Random(seed), Workshop()
    sides, values = [], []
    for _ in range(2):
        low, high = sorted(dice.choices(range(-4, 9), k=2))
        nobody = dice.random() < 0.5
        var = shop.variable()
        shop.ranges[var] = Between(low, high, True, nobody)
        sides.append(var)
        values.append([*range(low, high + 1), *([None] if nobody else [])])
    found = range_of(shop, shop.node(higher if highest else lower, *sides))
    inside = ends(found)
    assert inside is not None
    best = max if highest else min
    for pair in product(*values):
        somebody = [one for one in pair if one is not None]
        if not somebody:
            assert inside.nobody
        else:
            assert inside.low is not None and inside.high is not None
            assert inside.low <= best(somebody) <= inside.high
    assert inside.nobody is all(None in some for some in values)


def test_what_is_printed_on_a_counter_stands_there_together() -> None:
    """A squad has a half and a half-squad none: a squad without a half excludes itself, each alone does not."""
    apart: tuple[tuple[str, str | None], ...] = ()
    for counters, so in [
        (apart, False),
        ((("squad", "half-2"), ("half-squad", None)), True),
        ((("squad", None), ("squad", "half-2")), False),
    ]:
        shop = Workshop()
        vars = kind, half = shop.variable(("squad", "half-squad")), shop.variable(("half-2", None))
        if counters:
            shop.printed |= dict.fromkeys(vars, (vars, counters))
        squad, none = shop.lift(c.same, kind, "squad"), shop.not_(shop.lift(c.same, half, "half-2"))
        many = shop.lift(c.at_least, shop.variable(), 3)
        assert is_excluded(shop, (squad, none)) is so
        assert is_excluded(shop, (many, shop.and_(squad, none))) is so
        assert not is_excluded(shop, (squad, many)) and not is_excluded(shop, (none, many))
