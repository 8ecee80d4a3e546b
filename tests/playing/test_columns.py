"""Long tables, whose rows stand in columns; and charts that are asked again and again of the same ones.

What each row asks is known here as a function of Python, so that what the table says is reckoned without it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing import fight as fights
from closecombat.playing.columns import LONG
from closecombat.playing.compiled import charts_of
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.slots import FactOf
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.source import Source

RULES = """\
ruleset: long
language: 1
start: go
words: {size: [small, middle, large]}
kinds:
  fight: {one: yes, given: {attacker: a side, night: flag}}
  side: {given: {enemy: the other side, men: 1 to 12, level: 0 to 5000, share: number, build: size, loud: flag,
                 bonus: 0 to 3 or nobody, rank: number or nobody}}
tables:
  listed:
    about: side
    POLICY:
ROWS
sequences: {go: {in-order: {nothing: {when: loud of attacker, do: lose loud of attacker}}}}
"""
Facts = dict[str, Any]
Test = tuple[str, Callable[[Facts], bool]]
FIRST: Facts = {
    "men": 3, "level": 700, "share": Fraction(3, 2), "build": "middle", "loud": True, "bonus": 2, "rank": Fraction(7, 3),
}  # fmt: skip
OTHERS = (
    FIRST,
    {**FIRST, "men": 1, "level": 0, "share": 1, "build": "small", "loud": False, "bonus": 0, "rank": 1},
    {**FIRST, "men": 12, "level": 5000, "share": 0, "build": "large", "bonus": None, "rank": None},
    {**FIRST, "men": 7, "level": 701, "share": -4, "bonus": 1, "rank": 0},
    {**FIRST, "share": Fraction(1, 3), "bonus": 3, "rank": 10**30, "loud": False},
)
SIZES = ("small", "middle", "large")


def some_test(dice: Random) -> Test:
    """Something that a row asks: as a column, and as a function."""
    match dice.choice(("men", "level", "share", "build", "loud", "bonus", "rank")):
        case "loud":
            so = dice.random() < 0.5
            return f"loud: {'yes' if so else 'no'}", lambda facts: facts["loud"] is so
        case "build":
            words = sorted(dice.sample(SIZES, dice.choice((1, 2))))
            if dice.random() < 0.4:
                least = dice.choice(SIZES)
                return f"build: at least {least}", lambda facts: SIZES.index(facts["build"]) >= SIZES.index(least)
            no = dice.random() < 0.3
            cell = ("not " if no else "") + " or ".join(words)
            if no and len(words) == 2:
                return f"build: {words[0]}", lambda facts: facts["build"] == words[0]
            return f"build: {cell}", lambda facts: (facts["build"] in words) is not no
        case name:
            low = dice.choice(
                {"men": (1, 3, 7, 12), "level": (0, 700, 701, 5000), "bonus": (0, 1, 2, 3)}.get(name, (0, 1, 2))
            )
            high = low + dice.choice((0, 1, 2))
            asked: dict[str, Callable[[Any], bool]] = {
                f"{low}": lambda value: value == low,
                f"at least {low}": lambda value: value >= low,
                f"at most {low}": lambda value: value <= low,
                f"more than {low}": lambda value: value > low,
                f"less than {low}": lambda value: value < low,
                f"{low} to {high}": lambda value: low <= value <= high,
            }
            cell = dice.choice(list(asked))
            holds = asked[cell]
            return f"{name}: {cell}", lambda facts: facts[name] is not None and holds(facts[name])


def loaded(policy: str, rows: list[str], folder: Path) -> Bound:
    text = RULES.replace("POLICY", policy).replace("ROWS", "\n".join(f"      {row}" for row in rows))
    (folder / "long.yaml").write_text(text, "utf-8")
    bound = load("./long.yaml", folder)
    charts_of(bound, proving=False).prepare("listed")
    return bound


def begun(bound: Bound, facts: Facts) -> Run:
    said = ", ".join(f"{name}: {told(value)}" for name, value in facts.items())
    sides = f"one: {{{said}}}, two: {{{said}}}"
    situation = f"situation: {{fight: {{attacker: one}}, sides: {{{sides}}}}}"
    return fights.begin(fights.fight(bound, as_mapping(parse(Source("a situation", situation)))), SeededDice(1))


def told(value: Any) -> str:
    return {None: "nobody", True: "yes", False: "no"}.get(value, str(value)) if type(value) is not int else str(value)


def met(run: Run) -> list[str]:
    return [row.id for row in run.ruleset.tables["listed"].rows if id(row.where) in run.met]


@pytest.mark.parametrize("policy", ["adds-up", "forbidden-if"])
@pytest.mark.parametrize("seed", range(4))
def test_a_long_table_says_what_its_rows_say(policy: str, seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    rows = [[some_test(dice) for _ in range(dice.choice((0, 1, 2, 3)))] for _ in range(LONG + seed)]
    amounts = [dice.choice((-3, 1, 2, 10**12)) for _ in rows]
    says = [f"add: {amount}" if policy == "adds-up" else "says: no" for amount in amounts]
    tests = ["".join(f"{text}, " for text, _ in {t.partition(":")[0]: (t, f) for t, f in row}.values()) for row in rows]
    asked = [[f for _, f in {t.partition(":")[0]: (t, f) for t, f in row}.values()] for row in rows]
    written = [f"r{at}: {{{test}{end}}}" for at, (test, end) in enumerate(zip(tests, says, strict=True))]
    bound = loaded(policy, written, tmp_path)
    for facts in OTHERS:
        run = begun(bound, facts)
        hold = [at for at, row in enumerate(asked) if all(holds(facts) for holds in row)]
        wanted: Any = sum(amounts[at] for at in hold) if policy == "adds-up" else bool(hold)
        one = (run.state.things["one"],)
        assert run._by_function("listed", one) == (wanted, sum(1 << at for at in hold), ())
        assert met(run) == [f"r{at}" for at in hold]
        assert run._by_closures("listed", one)[0] == wanted


def test_a_row_that_cannot_stand_in_a_column_is_asked_by_itself(tmp_path: Path) -> None:
    rows = [f"r{at}: {{men: at least {1 + at % 12}, add: 1}}" for at in range(LONG)]
    rows += ["two: {when: men is level of enemy, add: 1000}", "each: {each: side, loud: yes, add: 5000}"]
    run = begun(loaded("adds-up", rows, tmp_path), {**FIRST, "level": 3})
    one = (run.state.things["one"],)
    hold = [at for at in range(LONG) if 1 + at % 12 <= 3]
    assert run._by_function("listed", one)[0] == len(hold) + 1000 + 2 * 5000  # type: ignore[index]
    assert met(run) == [*(f"r{at}" for at in hold), "two", "each"]


def test_what_is_read_again_and_again_is_read_anew(tmp_path: Path) -> None:
    rows = ["p: {men: at least 3, loud of enemy: yes, add: 1}", "q: {bonus: 1, add: men of enemy}"]
    run = begun(loaded("adds-up", rows, tmp_path), FIRST)
    one, two = run.state.things["one"], run.state.things["two"]
    read = partial(run.table, "listed", (one,))
    assert (read(), met(run)) == (1, ["p"])
    run.write(FactOf(one, "men"), 2)
    assert read() == 0
    run.write(FactOf(one, "bonus"), 1)
    assert (read(), met(run)) == (3, ["p", "q"])
    run.write(FactOf(one, "enemy"), one)  # somebody else is meant now
    assert read() == 2
    run.write(FactOf(one, "enemy"), two)
    run.write(FactOf(two, "men"), None)
    with pytest.raises(Faulty, match="counts on a value of nobody"):
        read()
