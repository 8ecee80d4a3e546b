"""Sentences are bound as people hear them, or refused with each way of hearing them written out."""

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from closecombat.reading.sentences import parse
from closecombat.reading.syntax import Bracketed
from closecombat.text.document import parse as read
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Text
from closecombat.text.source import Source


def cell(said: str) -> Text:
    document = read(Source("a.yaml", f"k: {said}\n"))
    assert isinstance(document, Mapping)
    text = document.entries[0][1]
    assert isinstance(text, Text)
    return text


def plain(node: Any) -> Any:
    """A tree without places, and without the brackets of what stands in brackets."""
    if isinstance(node, Bracketed):
        return plain(node.value)
    if is_dataclass(node):
        return (type(node).__name__, *(plain(getattr(node, f.name)) for f in fields(node) if f.name != "at"))
    return tuple(plain(one) for one in node) if isinstance(node, tuple) else node


def heard(said: str, start: str = "value") -> Any:
    return plain(parse(cell(said), start).node)


# said, and the same with nothing left to hear
SAME = [
    ("arm is horse and order is attack or charge", "(arm is horse) and (order is attack or charge)"),
    ("order is attack or charge and arm is horse", "(order is attack or charge) and (arm is horse)"),
    ("tired and order is attack or charge or hold", "tired and (order is attack or charge or hold)"),
    ("tired or order is attack or charge", "tired or (order is attack or charge)"),
    ("order is attack or arm is horse or foot", "(order is attack) or (arm is horse or foot)"),
    ("men is 0 or at least 5", "men is (0 or at least 5)"),
    ("men is 2 to 5 or 8", "men is (2 to 5 or 8)"),
    ("men is 2 or 3 + 1", "men is (2 or (3 + 1))"),
    ("men is at least 2 and at most 5", "(men is at least 2) and (men is at most 5)"),
    ("tired and men is at least 2 and less than kills + 1", "tired and (men is at least 2) and (men is less than (kills + 1))"),
    ("arm is not horse or foot", "arm is not (horse or foot)"),
    ("men is not at least 3", "men is not (at least 3)"),
    ("men is not 2 to 5 or 8", "men is not (2 to 5 or 8)"),
    ("leader is not nobody or broken", "leader is not (nobody or broken)"),
    ("unit is in targets or in attackers", "unit is (in targets or in attackers)"),
    ("no unit is broken or pinned", "no unit is (broken or pinned)"),
    ("not broken and pinned", "(not broken) and pinned"),
    ("pinned or not broken", "pinned or (not broken)"),
    ("not broken or not pinned", "(not broken) or (not pinned)"),
    ("not broken or arm is horse", "(not broken) or (arm is horse)"),
    ("not broken or no unit", "(not broken) or (no unit)"),
    ("a - b + c", "(a - b) + c"),
    ("a * b / 2 rounded down", "(a * b / 2) rounded down"),
    ("a / 2 rounded up + 1", "(a / 2 rounded up) + 1"),
    ("total men of units / 2 rounded to nearest", "((total men of units) / 2) rounded to nearest"),
    ("number of units where (tired) + 1", "(number of units where (tired)) + 1"),
    ("-kills + 1", "(-kills) + 1"),
    ("men is the lower of a and b and tired", "(men is (the lower of a and b)) and tired"),
    ("the lower of a and the higher of b and c", "the lower of a and (the higher of b and c)"),
    ("the lower of a / 2 rounded down and b", "the lower of (a / 2 rounded down) and b"),
    ("down - up", "(down) - (up)"),
    ("toughness is orphan and isle is forest", "(toughness is orphan) and (isle is forest)"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "meant"), SAME)
def test_a_sentence_is_bound_as_it_is_heard(said: str, meant: str) -> None:
    assert heard(said) == heard(meant)


def test_nothing_goes_on_with_what_stands_in_brackets() -> None:
    kind, (claim, flag) = heard("(arm is horse) or broken")
    assert (kind, claim[0], flag[0]) == ("Either", "Claim", "Reading")


@pytest.mark.parametrize("said", ["men is not (0 or at least 5)", "men is not (0 or at least (kills + 1) * 2)"])
def test_not_is_said_of_all_that_stands_in_its_brackets(said: str) -> None:
    kind, _, (_, how, tests, negated) = heard(said)
    assert (kind, how, len(tests), negated) == ("Claim", "either", 2, True)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("not woods or building", "not (woods or building)"),
        ("(woods or building)", "woods or building"),
        ("not 2 to 5 or 8", "not (2 to 5 or 8)"),
        ("0 or at least 5", "(0 or at least 5)"),
    ],
)
def test_a_cell_is_heard_as_what_stands_after_is(said: str, meant: str) -> None:
    assert heard(said, "test") == heard(meant, "test")


REFUSED = [
    ("the lower of a and b + 1", "(the lower of a and b) + 1", "the lower of a and (b + 1)"),
    ("c - the lower of a and b + 1", "c - (the lower of a and b) + 1", "c - the lower of a and (b + 1)"),
    ("the lower of a and b / 2 rounded up", "(the lower of a and b) / 2 rounded up", "the lower of a and (b / 2 rounded up)"),
    ("not broken or pinned", "not (broken or pinned)", "pinned or not broken"),
    ("tired or not broken or pinned or shaken", "not (broken or pinned or shaken)", "pinned or shaken or not broken"),
    ("any unit where (not broken or pinned)", "not (broken or pinned)", "pinned or not broken"),
    ("broken or pinned and tired", "broken or (pinned and tired)", "(broken or pinned) and tired"),
    ("tired and broken or pinned", "(tired and broken) or pinned", "tired and (broken or pinned)"),
    ("broken or arm is horse and men is 3", "broken or (arm is horse and men is 3)", "(broken or arm is horse) and men is 3"),
    ("not arm is horse", "not (arm is horse)", "arm is not horse"),
    ("not every unit is broken", "not (every unit is broken)", "any unit is not broken"),
    ("not any unit is broken", "no unit is broken", "any unit is not broken"),
    ("not no unit is broken", "any unit is broken", "no unit is not broken"),
    ("every unit is not broken", "no unit is broken", "any unit is not broken"),
    ("every unit is not broken or pinned", "no unit is broken or pinned", "any unit is not broken or pinned"),
    ("men is at least 3 or 1", "men is 1 or at least 3", "men is at least 3 or at least 1"),
    ("men is not less than 3 or 9", "men is not (9 or less than 3)", "men is not (less than 3 or less than 9)"),
    ("men is not 0 or at least 5", "men is not (0 or at least 5)", "men is not 0 or men is at least 5"),
    ("men is not more than 3 or at most 1", "men is not (more than 3 or at most 1)", "men is not more than 3 or men is at most 1"),
    ("tired and men is not 0 or 2 or at least 5", "men is not (0 or 2 or at least 5)", "men is not 0 or men is 2 or at least 5"),
    ("unit is in targets or attackers", "unit is attackers or in targets", "unit is in targets or in attackers"),
    ("men is at least 3 or 8 and at most 5", "men is 8 or at least 3", "men is at least 3 or at least 8"),
    ("a / 5 + 1 / 2 rounded down", "a / 5 + (1 / 2 rounded down)", "(a / 5 + 1 / 2) rounded down"),
    ("a - b / 2 rounded to nearest", "a - (b / 2 rounded to nearest)", "(a - b / 2) rounded to nearest"),
    ("a / b * c", "(a / b) * c", "a / (b * c)"),
    ("a / b / c", "(a / b) / c", "a / (b / c)"),
    ("-kills / 2 rounded down", "-(kills / 2 rounded down)", "(0 - kills / 2) rounded down"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "ways"),
    [
        ("men is at least 2 or fog", ("men is fog or at least 2", "men is at least 2 or at least fog", "fog or men is at least 2")),
        (
            "men is 1 or at least 3 or tired",
            ("men is 1 or tired or at least 3", "men is 1 or at least 3 or at least tired", "tired or men is 1 or at least 3"),
        ),
    ],
)
def test_a_name_behind_what_is_compared_may_be_said_by_itself_and_nothing_before_it_is_lost(said: str, ways: tuple[str, ...]) -> None:
    """Nobody can tell here whether `fog` is a number or a flag: of a flag both other ways are wrong."""
    with pytest.raises(Faulty) as refused:
        parse(cell(said), "value")
    (fault,) = refused.value.diagnostics
    assert fault.help == "write " + " or ".join(f"`{way}`" for way in ways)
    assert len({heard(way, "condition") for way in ways}) == 3


@pytest.mark.parametrize(("said", "one", "other"), REFUSED)
def test_two_readings_are_refused_and_written_out(said: str, one: str, other: str) -> None:
    with pytest.raises(Faulty) as refused:
        parse(cell(said), "value")
    (fault,) = refused.value.diagnostics
    assert fault.code == "two-readings"
    assert fault.help == f"write `{one}` or `{other}`"
    assert heard(one) != heard(other)  # each can be said, and they are two


@pytest.mark.parametrize(
    ("said", "start", "short"),
    [
        ("broken is not yes", "condition", "no"),
        ("not no", "test", "yes"),
        ("not (broken)", "condition", "not broken"),
        ("tired and not (broken of base)", "condition", "not broken of base"),
        ("not (any unit of side is broken)", "condition", "no unit of side is broken"),
        ("any side where (not (no unit of side))", "condition", "any unit of side"),
    ],
)
def test_what_a_shorter_form_says_is_refused(said: str, start: str, short: str) -> None:
    with pytest.raises(Faulty) as refused:
        parse(cell(said), start)
    (fault,) = refused.value.diagnostics
    assert (fault.code, fault.help) == ("two-spellings", f"write `{short}`")


@pytest.mark.parametrize(
    ("said", "start", "code"),
    [
        ("every unit where (fit)", "condition", "missing-claim"),
        ("tired and every unit", "condition", "missing-claim"),
        ("any side where (every unit of side)", "condition", "missing-claim"),
        ("at least 3", "condition", "sentence-syntax"),
        ("tired or at least 3", "condition", "sentence-syntax"),
        ("not any unit is broken or pinned", "condition", "two-readings"),
        ("not any unit", "condition", "sentence-syntax"),
        ("not not tired", "condition", "sentence-syntax"),
        ("at least 3 or 1", "test", "two-readings"),
        ("not 0 or at least 5", "test", "two-readings"),
        ("(woods and building)", "test", "two-readings"),
        ("woods or not building", "test", "sentence-syntax"),
        ("a / 2 rounded", "value", "sentence-syntax"),
        ("men is at least 2 or 3 to 4 and at most 8", "condition", "two-readings"),
        ("any unit is in targets and in attackers", "condition", "two-readings"),
    ],
)
def test_what_nobody_can_say_is_refused(said: str, start: str, code: str) -> None:
    with pytest.raises(Faulty) as refused:
        parse(cell(said), start)
    assert {fault.code for fault in refused.value.diagnostics} == {code}
    assert all(fault.help for fault in refused.value.diagnostics)
