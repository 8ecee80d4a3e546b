"""What tells two rulesets apart though it is easily overlooked: what happens together, the order in which things stand,
a column that is called as something else is, a fight that neither can read. The chances by hand, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from closecombat.asking.changes.diff import Diff, Side, diff
from closecombat.asking.changes.differing import DIFFERS, NEITHER, ONE_SIDED, ONLY_TOGETHER, SAME
from closecombat.asking.changes.gate import MOVED, gate_file, not_passing, recorded, worked_out
from closecombat.asking.changes.rule_changes import ORDER
from closecombat.asking.crews.batches import Alone
from closecombat.asking.examples.examples import run_example
from closecombat.asking.fights.fight_files import read_scene
from closecombat.asking.systems.compare import compare_rulesets, differs
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.reading.stack import as_mapping
from closecombat.telling.diff import Shown, diff_csv, diff_json, diff_markdown
from closecombat.text.document import parse
from closecombat.text.source import Source

BAG = """\
ruleset: bag
title: Two captains draw a chit each out of one bag, and who draws black is dead
language: 1
start: draw
kinds:
  side:
    given: {enemy: the other side}
    drawn: {chit: cup}
    noted: {dead: flag}
decks: {cup: {cards: {white: CARDS, black: 1}}}
sequences:
  draw:
    in-order:
      draw: {each: side, deal: chit}
      die:  {each: side, chit: black, do: gain dead}
outcomes: {about: side, words: [alive, dead], first-of: {dead: {dead: yes, is: dead}}, otherwise: alive}
"""
CLASH = """\
ruleset: clash
title: A footnote with two cases, two parts and a deck
language: 1
start: clash
kinds:
  fight: {one: yes, given: {attacker: a side, night: flag, rain: flag}}
  side:
    given: {enemy: the other side, men: 0 to 9, big: flag, units: {are: units, each: unit}}
    rolled: {r: d6}
    drawn: {card: pack}
  unit: {given: {side: a side}, rolled: {aim: d6}, noted: {hit: flag}}
decks: {pack: {each: side, cards: {low: 3, high: 1}}}
tables:
  fire:
    about: side
    across: r
    columns: [1 to 3, 4 to 6]
    words: [none, one, two]
    cells: [none, "*"]
    footnotes: {"*": {night: one, rain: two, otherwise: none}}
  push:
    about: {us: side, them: side}
    adds-up:
      ours:   {us: big, add: +1}
      theirs: {them: big, add: -2}
sequences:
  clash:
    in-order:
      roll:  {each: side, roll: r}
      deal:  {each: side, deal: card}
      one:   {each: side, fire: one, do: take 1 from men of enemy}
      two:   {each: side, fire: two, do: take 2 from men of enemy}
      push:  {each: side, push of side for enemy: at least 1, do: take 1 from men of enemy}
      trick: {each: side, card: more than card of enemy, card of enemy: low, big: yes, do: take 4 from men of enemy}
      aim:   {each: unit, roll: aim}
      hit:   {each: unit, unit: in units of attacker, aim: at most 2, do: gain hit}
outcomes: {about: side, words: [whole, hurt], first-of: {hurt: {men: less than men-at-start, is: hurt}}, otherwise: whole}
"""
FIGHT = """\
situation:
  fight: {attacker: red, night: yes, rain: yes}
  sides: {red: {men: 9, big: yes, units: {a: {}}}, blue: {men: 9, units: {x: {}}}}
"""
VARIANT = "variant: {0}\ntitle: T\nextends: ./base.yaml\nchanges: {{c: {{at: {1}, set: {2}, why: x}}}}\n"
Chances = dict[tuple[str, str], Fraction]


def clash(footnote: int = 1, of_red: bool = True, high: int = 1, hit: str = "a") -> Chances:
    """Whatever becomes of anybody: how many a footnote costs, whose push is that of red's, the rank of a high card among
    the two, and who is hit."""
    found: Counter[tuple[str, str]] = Counter()
    cards = ["low"] * 3 + ["high"]
    for red, blue, mine, theirs, aim in product((False, True), (False, True), cards, cards, range(1, 7)):
        men = {"red": 9 - blue * footnote, "blue": 9 - red * footnote}
        men["blue" if of_red else "red"] -= 1
        rank = {"low": 1 - high, "high": high}
        men["blue"] -= 4 * (rank[mine] > rank[theirs] and theirs == "low")
        for who, left in men.items():
            found[who, "hurt" if left < 9 else "whole"] += 1
            found[who, f"men {left}"] += left < 9
        found[hit, "hit"] += aim <= 2
    return {key: Fraction(number, 2 * 2 * 16 * 6) for key, number in found.items() if number}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Diff]:
    """A base, a change of it and a fight, held against each other."""
    monkeypatch.chdir(tmp_path)

    def held(rules: str, fight: str, at: str, what: str) -> Diff:
        Path("base.yaml").write_text(rules)
        Path("fight.yaml").write_text("ruleset: base.yaml\n" + fight)
        Path("other.yaml").write_text(VARIANT.format("other", at, what))
        return diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)

    return held


@pytest.mark.parametrize(
    ("at", "what", "now", "path"),
    [
        ("tables.fire", '{footnotes: {"*": {rain: two, night: one, otherwise: none}}}', clash(2), "tables.fire"),
        ("tables.push", "{about: {them: side, us: side}}", clash(of_red=False), "tables.push"),
        ("decks.pack", "{cards: {high: 1, low: 3}}", clash(high=0), "decks.pack"),
        ("sequences.clash.hit", "{unit: in units of enemy of attacker}", clash(hit="x"), "sequences.clash.hit"),
    ],
)
def test_what_stands_in_another_order_or_is_called_as_a_unit_of_strength(
    game: Callable[..., Diff], at: str, what: str, now: Chances, path: str
) -> None:
    found, was = game(CLASH, FIGHT, at, what), clash()
    (one,) = found.fights
    moved = {key: (was.get(key, 0), now.get(key, 0)) for key in was | now if was.get(key, 0) != now.get(key, 0)}
    assert moved and {(shift.whom, shift.what): (shift.old, shift.new) for shift in one.shifts} == moved
    assert [change.path for change in found.counting] == [path]
    said = [fault.message for fault in check_paths(["other.yaml"]) if fault.code == "unused"]
    assert not said  # it does not say what stands there already


def test_columns_in_another_order_are_told(game: Callable[..., Diff]) -> None:
    """What one column asks may take for granted what one before it has asked; here both may be asked."""
    rules = CLASH.replace("      trick: {each: side, card", "      trick: {each: side, cites: R-1, card")
    turned = "{each: side, big: yes, card: more than card of enemy, card of enemy: low, do: take 4 from men of enemy}"
    game(rules, FIGHT, "decks.pack", "{cards: {low: 3, high: 1}}")
    Path("other.yaml").write_text(VARIANT.format("other", "sequences.clash.trick", turned).replace("set:", "replace:"))
    found = diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)
    (change,) = found.counting
    assert [(cell.column, cell.old, cell.new) for cell in change.counting] == [
        (ORDER, "each, card, card of enemy, big", "each, big, card, card of enemy")
    ]
    assert [one.fate for one in found.fights] == [SAME]
    assert [one.code for one in check_paths(["other.yaml"]) if one.code == "unused"] == []


def test_what_each_comes_to_as_often_as_before_but_not_together(game: Callable[..., Diff]) -> None:
    found = game(BAG.replace("CARDS", "1"), "situation: {sides: {red: {}, blue: {}}}", "decks.cup", "{each: side}")
    (one,) = found.fights
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    shifts = {shift.together: (shift.old, shift.new) for shift in one.shifts}
    both = {
        (("blue", "alive"), ("red", "alive")): (Fraction(0), quarter),
        (("blue", "dead"), ("red", "dead")): (Fraction(0), quarter),
        (("blue", "alive"), ("red", "dead")): (half, quarter),
        (("blue", "dead"), ("red", "alive")): (half, quarter),
    }
    assert one.fate == DIFFERS and both.items() <= shifts.items()
    assert found.smallest is not None
    example = found.example
    assert "outcomes of blue is" in example and " and outcomes of red is" in example
    assert not run_example(load("other.yaml"), as_mapping(parse(Source("<example>", example)))).faults
    for told in (diff_markdown(found, Shown(str)), diff_json(found, Shown(str)), diff_csv(found)):
        assert "alive and red: alive" in told


def test_ends_that_are_too_many_to_be_told_one_by_one(game: Callable[..., Diff]) -> None:
    """Seven captains and one bag of nine white chits, which kill, and a black one; or such a bag each."""
    sides = ", ".join(f"s{i}: {{}}" for i in range(7))
    rules = BAG.replace("{enemy: the other side}", "{no: flag}").replace("CARDS", "9")
    rules = rules.replace("chit: black, do: gain dead", "chit: white, do: gain dead")
    found = game(rules, f"situation: {{sides: {{{sides}}}}}", "decks.cup", "{each: side}")
    (one,) = found.fights
    assert one.fate == DIFFERS and one.shifts == () and one.message == ONLY_TOGETHER
    assert ONLY_TOGETHER in diff_markdown(found, Shown(str))


def test_a_gate_does_not_let_it_pass(game: Callable[..., Diff], monkeypatch: pytest.MonkeyPatch) -> None:
    game(BAG.replace("CARDS", "1"), "situation: {sides: {red: {}, blue: {}}}", "decks.cup", "{each: side}")

    def now(stack: str) -> list:
        return worked_out(stack, ("fight.yaml",), None, Alone(), lambda done, of: None)

    gate = recorded("base.yaml", Fraction(1, 100), ("fight.yaml",), now("base.yaml"))
    assert not list(not_passing(gate, now("base.yaml")))
    moved = {(one.how, one.outcome, one.old, one.new) for one in not_passing(gate, now("other.yaml"))}
    assert (MOVED, "together: blue: dead, red: dead", Fraction(0), Fraction(1, 4)) in moved and len(moved) == 4
    assert gate_file("base.yaml").name == "base.gate.json"


def test_a_fight_that_neither_can_read_is_not_one_that_is_the_same(game: Callable[..., Diff]) -> None:
    found = game(
        CLASH, FIGHT.replace("big: yes", "brave: yes"), "sequences.clash.one", "{do: take 2 from men of enemy}"
    )
    (one,) = found.fights
    assert one.fate == NEITHER and "brave" in one.message and found.word == "untried"


def test_compare_sees_what_is_lost(game: Callable[..., Diff]) -> None:
    lost = "strength-lost: {about: side, unit: men, is: men-at-start - men}\n"
    for at, what, so in (
        ("sequences.clash.push", "{do: take 2 from men of enemy}", True),
        ("sequences.clash.push", "{title: Push}", False),
    ):
        game(CLASH + lost, FIGHT.replace("night: yes, rain: yes", "night: no"), at, what)
        found = compare_rulesets(read_scene("fight.yaml"), ("base.yaml", "other.yaml"))
        verdicts = [one.chances.verdicts for one in found.systems if one.chances is not None]
        assert verdicts[0] == verdicts[1] and differs(found) is so


SMALL = """\
ruleset: small
title: One row that costs red a man
language: 1
start: go
options: {{mercy: {{readings: [none, some, much], default: none, why: nobody says}}}}
kinds:
  fight: {{one: yes, given: {{night: flag}}}}
  side:
    given: {{enemy: the other side, men: 0 to 9, units: {{are: units, each: unit}}}}
    rolled: {{r: d6}}
    drawn: {{card: pack}}
    noted: {{lost: 0 to 9}}
  unit: {{given: {{side: a side, old: flag}}}}
decks: {{pack: {{each: side, cards: {{blank: 1, title: 1}}}}}}
tables:
  chart: {{about: side, down: r, across: men, columns: [1 to 4, 5 to 9], cells: {{at most 3: [0, 0], at least 4: [1, 1]}}}}
  plain: {{about: side, across: r, columns: [at most 5, 6], cells: [0, 1]}}
sequences:
  go:
    in-order:
      roll: {{each: side, roll: r}}
      deal: {{each: side, deal: card}}
      {row}
outcomes: {{about: side, words: [whole, hurt], first-of: {{hurt: {{men: less than 9, is: hurt}}}}, otherwise: whole}}
"""
PLACE = "situation: {fight: {night: yes}, sides: {red: {men: 9, units: {a: {}}}, blue: {men: 9, units: {x: {}}}}}\n"


@pytest.mark.parametrize(
    ("row", "old", "new", "was", "now"),
    [
        ("x: {each: side, do: take chart of side from men}", "at most 3: [0, 0], at least 4", "at most 5: [0, 0], at least 6", "1/2", "1/6"),
        ("x: {each: side, card: title, do: take 1 from men}", "{blank: 1, title: 1}", "{blank: 1, title: 9}", "1/2", "9/10"),
        ("x: {each: side, mercy: at most some, r: 6, do: take 1 from men}", "[none, some, much]", "[some, much, none]", "1/6", "0"),
        (
            "x: {each: side, when: any unit of side where (night and not old), r: 6, do: take 1 from men}",
            "tables:\n", "tables:\n  night: {about: unit, is: old}\n", "1/6", "0",
        ),
        (
            "m: {each: side, r: at most 4, do: take 1 from men}\n      n: {each: side, r: at least 3, do: take 1 from men}\n"
            "      x: {each: side, men at m: 8, men: 8, do: take 1 from men}",
            "m: {each: side, r: at most", "k: {each: side, r: at most", "2/3", "1/3",
        ),
    ],
)  # fmt: skip
def test_what_is_called_otherwise_or_anew_is_not_proved_to_be_the_same(
    game: Callable[..., Diff], row: str, old: str, new: str, was: str, now: str
) -> None:
    """Headings of lines, cards with the name of a remark, readings in another order, a table with the name of a fact
    that members have not, a row that another names."""
    rules = SMALL.format(row=row)
    assert old in rules
    two = rules.replace(old, new)
    if "men at m" in row:
        two = two.replace("n: {each: side, r: at least", "m: {each: side, r: at least")
    game(rules, PLACE, "tables.plain", "{title: P}")
    Path("other.yaml").write_text(two)
    found = diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)
    shifts = {(one.whom, one.what): (one.old, one.new) for one in found.fights[0].shifts}
    assert shifts["red", "men 8"] == (Fraction(was), Fraction(now))


def test_what_an_example_itself_asks_is_compared(game: Callable[..., Diff]) -> None:
    """Of a throw, which is nothing that anybody comes to."""
    rules = SMALL.format(row="x: {each: side, lost: 1, do: take 1 from men}")
    asked = "chances: {plain of red is 1: 1/6, r of red is 6: 1/6}\n"
    game(rules, PLACE + asked, "tables.plain", "{title: P}")
    Path("other.yaml").write_text(rules.replace("cells: [0, 1]", "cells: [1, 0]"))
    for _ in range(2):  # also where the rest is kept
        found = diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)
        (one,) = found.fights
        assert one.fate == DIFFERS and [(shift.what, shift.old, shift.new) for shift in one.shifts] == [
            ("plain of red is 1", Fraction(1, 6), Fraction(5, 6))
        ]


def test_a_row_that_keeps_another_from_dividing_by_nothing_does_not_change_places(game: Callable[..., Diff]) -> None:
    table = "  share: {about: side, first-of: {FIRST, SECOND}, otherwise: 0}\n"
    none, half = "none: {men of enemy: 0, is: 1}", "half: {men / men of enemy: at least 2, is: 1}"
    rules = SMALL.format(row="x: {each: side, do: take share of side from men}")
    game(rules, PLACE, "tables.plain", "{title: P}")
    for name, pair in (("base", (none, half)), ("other", (half, none))):
        with_table = rules.replace(
            "tables:\n", "tables:\n" + table.replace("FIRST", pair[0]).replace("SECOND", pair[1])
        )
        Path(f"{name}.yaml").write_text(with_table)
    Path("fight.yaml").write_text("ruleset: base.yaml\n" + PLACE.replace("blue: {men: 9", "blue: {men: 0"))
    found = diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)
    assert [one.fate for one in found.fights] == [ONE_SIDED] and not found.alike


def test_a_row_that_asks_what_the_base_does_not_have(game: Callable[..., Diff]) -> None:
    rules = SMALL.format(row="x: {each: side, fee: 1, do: take 1 from men}")
    rules = rules.replace("tables:\n", "tables:\n  fee: {about: side, adds-up: {six: {r: 6, add: 1}}}\n")
    game(rules, PLACE, "tables.plain", "{title: P}")
    table = "add: {about: side, is: plain of enemy}"
    Path("other.yaml").write_text(
        "variant: other\nextends: ./base.yaml\nlanguage: 1\ntitle: O\nchanges:\n"
        f"  dear: {{at: tables.dear, why: w, {table}}}\n"
        "  of-it: {at: tables.fee.seven, why: w, add: {dear: 1, add: 1}}\n"
    )
    found = diff(Side("base.yaml"), Side("other.yaml"), ("fight.yaml",), None, Alone(), lambda done, of: None)
    assert [one.fate for one in found.fights] == [DIFFERS] and not found.alike
