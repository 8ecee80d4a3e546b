"""What is written of somebody when what it is taken from is nobody's: by hand, played and as chances."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.asking.exact.questions import ask_about
from closecombat.asking.played.resolution import resolve
from closecombat.binding.load import load
from closecombat.playing.fight import Fight, fight
from closecombat.proving.throws.dice import ScriptedDice
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: nobodies
start: go
kinds:
  fight: {one: yes, given: {night: flag}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, blows: {are: blows, each: blow}}
    rolled: {die: d6}
  unit:
    given: {side: a side, men: 0 to 9, tired: flag, ally: a unit or nobody, foe: a unit, trade: [foot, horse]}
    noted: {hurt: 0 to 9, drowsy: flag, kind: [foot, horse]}
    chosen: {weary: flag}
  blow:
    given: {side: a side, target: a unit}
    chosen: {other: a unit or nobody}
groups: {low: {each: low-one, about: {us: side}, are: units of enemy of us where (men is at least die of us)}}
sequences:
  go:
    in-order:
      roll:   {each: side, roll: die}
      strike: {each: side, declare: blows, otherwise: {one: {target: whoever of low of side has lowest men, other: whoever of low of side has lowest men}}}
      hit:    {each: blow, do: add 1 to hurt of target}
      drowse: {each: unit, do: set drowsy to tired of ally of unit}
      weary:  {each: unit, choose: weary, otherwise: tired of ally of unit}
      kind:   {each: unit, do: set kind to trade of ally of unit}
      trade:  {each: unit, when: night, do: EFFECT}
"""
SITUATION = """situation:
  fight: {night: NIGHT}
  sides:
    red:  {units: {a: {men: 2, trade: foot, foe: b, ally: ALLY}}}
    blue: {units: {b: {men: 4, trade: horse, foe: a, tired: yes}}}
"""


def game(place: Path, effect: str = "gain drowsy", night: str = "no", ally: str = "nobody") -> Fight:
    (place / "rules.yaml").write_text(RULES.replace("EFFECT", effect), "utf-8")
    text = SITUATION.replace("NIGHT", night).replace("ALLY", ally)
    return fight(load(str(place / "rules.yaml")), as_mapping(parse(Source("fight.yaml", text))))


def chances_of(game: Fight, questions: list[str]) -> list[Fraction]:
    answers = ask_about(game, questions).answers
    return [dict(one.chances).get(True, Fraction(0)) for one in answers]


QUESTIONS = {  # without an ally, and with b: b strikes a where a die shows at most 2, a strikes b at most 4
    "number of blows is 2": (Fraction(2, 9), Fraction(2, 9)),
    "number of blows is 0": (Fraction(2, 9), Fraction(2, 9)),
    "hurt of a is 1": (Fraction(1, 3), Fraction(1, 3)),
    "hurt of b is 1": (Fraction(2, 3), Fraction(2, 3)),
    "drowsy of a": (Fraction(0), Fraction(1)),
    "drowsy of a is no": (Fraction(1), Fraction(0)),
    "weary of a is no": (Fraction(1), Fraction(0)),
    "kind of a is horse": (Fraction(0), Fraction(1)),
    "kind of a is nobody": (Fraction(1), Fraction(0)),
}


@pytest.mark.parametrize("ally", ["nobody", "b"])
def test_what_is_nobodys(ally: str, tmp_path: Path) -> None:
    found = chances_of(game(tmp_path, ally=ally), [*QUESTIONS])
    assert found == [both[ally == "b"] for both in QUESTIONS.values()]


@pytest.mark.parametrize(("dice", "blows"), [((1, 1), 2), ((3, 3), 1), ((6, 6), 0), ((1, 5), 1), ((5, 1), 1)])
def test_a_blow_at_nobody_is_not_struck(dice: tuple[int, int], blows: int, tmp_path: Path) -> None:
    played = resolve(game(tmp_path), ScriptedDice([(face, None) for face in dice]))
    assert sum("hurt" in facts for facts in played.units.values()) == blows


def test_of_a_blow_that_is_not_struck_no_rule_is_asked(tmp_path: Path) -> None:
    """Nobody is low on a 5 or 6, and by nobody nothing can be divided; else the rule forbids nothing."""
    legal = "tables: {may-strike: {about: blow, forbidden-if: {none: {when: 6 / number of low of side of blow is 0, says: none}}}}\n"
    rules = RULES.replace("declare: blows, ", "declare: blows, legal: may-strike, ").replace("EFFECT", "gain drowsy")
    (tmp_path / "rules.yaml").write_text(rules + legal, "utf-8")
    text = SITUATION.replace("NIGHT", "no").replace("ALLY", "nobody")
    one = fight(load(str(tmp_path / "rules.yaml")), as_mapping(parse(Source("fight.yaml", text))))
    assert chances_of(one, ["hurt of b is 1", "number of blows of red is 0"]) == [Fraction(4, 6), Fraction(2, 6)]


@pytest.mark.parametrize(
    "effect", ["set trade to trade of ally", "set foe to whoever of units where (men is 9) has lowest men"]
)
def test_what_is_always_somebodys_is_never_nobodys(effect: str, tmp_path: Path) -> None:
    for found in (
        lambda: resolve(game(tmp_path, effect, "yes"), ScriptedDice([(1, None), (1, None)])),
        lambda: chances_of(game(tmp_path, effect, "yes"), ["drowsy of a"]),
    ):
        with pytest.raises(Faulty) as caught:
            found()
        assert caught.value.codes == {"no-value"}


NEWCOMERS = """\
ruleset: newcomers
start: go
kinds:
  side: {given: {units: {are: units, each: unit}, blows: {are: blows, each: blow}}, rolled: {die: d6}}
  unit: {printed: {men: 1 to 3}, given: {side: a side, skill: 1 to 9}, noted: {hurt: flag}}
  blow: {given: {side: a side, sort: [high, low]}, chosen: {target: a unit}}
counters: {unit: {columns: [men], rows: {big: [3]}}}
sequences:
  go:
    in-order:
      roll:   {each: side, roll: die}
      blows:  {each: side, declare: blows}
      new:    {each: side, die: 6, create: big, into: units of side, as: newcomer, do: set skill of newcomer to 3}
      late:   {each: side, die: 5, create: big, into: units of side, as: latecomer}
      asked:  {ROW}
"""
COMING = """situation: {sides: {red: {units: {a: {counter: big, skill: 3}}}}}
choices: {blows: {red: {ANSWER}}}
"""
ASKED = {  # what is declared; the row that asks; with a 5, with a 6, in the chances
    "a sentence": ("", "each: unit, skill: 3, do: gain hurt", True, False, True),
    "an addition": ("", "each: unit, do: add 1 to skill", True, False, True),
    "what is written first": ("", "each: unit, do: set skill to 2", False, False, False),
    "only of those known": ("", "each: unit where (men is at most 2), skill: 3, do: gain hurt", False, False, False),
    "a declaration": ("b: {target: a}", "each: blow, sort: high, do: gain hurt of target", True, True, True),
    "a whole declaration": (
        "b: {target: a, sort: low}",
        "each: blow, sort: high, do: gain hurt of target",
        False,
        False,
        False,
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_what_nothing_has_said_of_a_newcomer(case: str, tmp_path: Path) -> None:
    answer, row, *faulty = ASKED[case]
    (tmp_path / "rules.yaml").write_text(NEWCOMERS.replace("ROW", row), "utf-8")
    game = fight(
        load(str(tmp_path / "rules.yaml")), as_mapping(parse(Source("f.yaml", COMING.replace("ANSWER", answer))))
    )
    found: list[Callable[[], object]] = [
        lambda: resolve(game, ScriptedDice([(5, None)])),
        lambda: resolve(game, ScriptedDice([(6, None)])),
        lambda: chances_of(game, ["hurt of a"]),
    ]
    for way, fails in zip(found, faulty, strict=True):
        if not fails:
            way()
            continue
        with pytest.raises(Faulty) as caught:
            way()
        assert caught.value.codes == {"missing-fact"}
