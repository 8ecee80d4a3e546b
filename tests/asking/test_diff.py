"""Two rulesets held against each other: a small game, six variants of it, and their chances in plain Python."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest

from brawl import EVEN, FIGHTS, VARIANTS, Rules, chances, laid_down
from closecombat.asking.changes.diff import Diff, Side, diff
from closecombat.asking.changes.differing import DIFFERS, LEFT_OUT, NEITHER, SAME, UNKNOWN, UNTOUCHED, Differing
from closecombat.asking.choices.aims import wanted
from closecombat.asking.crews.batches import Alone
from closecombat.asking.examples.examples import run_example
from closecombat.asking.keeping.came_to import MOST_WORK
from closecombat.reading.stack import as_mapping
from closecombat.telling.diff import summary
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faulty

HOW = {
    "order": ("reeled renamed", "reeled moved"),
    "numbers": ("tired changed",),
    "split": ("struck changed", "struck-5 added"),
    "option": ("reeling changed",),
    "gone": ("drunk removed",),
    "renamed": ("drunk renamed", "drunk moved"),
}
FACTS = ("tired", "drunk", "dug-in")
WORDS = {"order": "milder", "numbers": "milder", "option": "deadlier", "gone": "kinder to the attacker"}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path))
    return tmp_path


def differ(base: str, other: str, *paths: str, best_for: tuple[str, ...] = ()) -> Diff:
    aims = wanted(best_for) if best_for else ()
    return diff(Side(base), Side(other), paths, None, Alone(), lambda done, of: None, aims)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_chance_that_differs_is_told_and_no_other(game: Path, name: str) -> None:
    _, rules = VARIANTS[name]
    found = {one.name: one for one in differ(".", f"v/{name}.yaml").fights}
    assert set(found) == set(FIGHTS)
    for fight, (a, b) in FIGHTS.items():
        was, now = chances(Rules(), a, b), chances(rules, a, b)
        moved = {key: (was.get(key, 0), now.get(key, 0)) for key in was | now if was.get(key, 0) != now.get(key, 0)}
        assert {(one.whom, one.what): (one.old, one.new) for one in found[fight].shifts} == moved
        assert (found[fight].fate == DIFFERS) == bool(moved)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_smallest_fight_says_as_few_facts_as_any_that_differs(game: Path, name: str) -> None:
    _, rules = VARIANTS[name]
    men = [dict(zip(FACTS, said, strict=True)) for said in product((False, True), repeat=len(FACTS))]
    differ_there = [(a, b) for a, b in product(men, men) if chances(Rules(), a, b) != chances(rules, a, b)]
    fewest = min((sum(a.values()) + sum(b.values()) for a, b in differ_there), default=None)
    found = differ(".", f"v/{name}.yaml")
    if fewest is None:
        assert found.smallest is None and not found.example
        return
    assert found.smallest is not None and found.smallest.searched
    assert len(re.findall("(?:tired|drunk|dug-in): yes", found.example)) == fewest
    (game / "v/found.yaml").write_text(found.example, "utf-8")
    example = as_mapping(parse(read_source(game / "v/found.yaml")))
    assert not run_example(Side(f"v/{name}.yaml").bound(), example).faults
    assert run_example(Side(".").bound(), example).faults


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_are_told_by_id(game: Path, name: str) -> None:
    found = differ(".", f"v/{name}.yaml")
    assert tuple(f"{one.path.rpartition('.')[2]} {one.how}" for one in found.changes) == HOW[name]
    assert found.word == WORDS.get(name, "same")


def test_where_it_stands(game: Path) -> None:
    (change,) = differ(".", "v/numbers.yaml").changes
    assert [(cell.column, cell.old, cell.new) for cell in change.cells] == [("add", "-1", "-2")]
    assert change.was is not None and change.now is not None
    assert (change.was.source.name, change.now.source.name) == ("ruleset.yaml", "v/numbers.yaml")
    assert (change.variant, change.why) == ("numbers", "wearier")


def test_what_a_run_never_meets_is_not_worked_out(game: Path) -> None:
    fates = {one.name: one.fate for one in differ(".", "v/gone.yaml").fights}
    assert fates == {"even": UNTOUCHED, "drunk": DIFFERS, "tired-and-dug-in": UNTOUCHED, "both-tired": UNTOUCHED}
    assert {one.fate for one in differ(".", "v/renamed.yaml").fights} == {UNTOUCHED}
    split = differ(".", "v/split.yaml")
    assert {one.fate for one in split.fights} == {UNTOUCHED} and split.alike


def test_so_much_work_and_no_more(game: Path) -> None:
    """More work looks at more fights and tells the same of each, whatever is known by then of those left out."""

    def within(work: int) -> dict[str, Differing]:
        sides = Side("."), Side("v/numbers.yaml")
        found = diff(*sides, (), None, Alone(), lambda done, of: None, in_all=work)
        assert found.is_complete == all(one.fate != LEFT_OUT for one in found.fights)
        return {one.name: one for one in found.fights}

    bounds = (0, 8_000, 16_000, 32_000, 64_000, 10**9)
    first = [within(work) for work in bounds]
    looked = [[one for one in each.values() if one.fate != LEFT_OUT] for each in first]
    assert (
        all(one in more for less, more in pairwise(looked) for one in less)
        and [within(work) for work in bounds] == first
    )
    assert (len(looked[0]), len(looked[-1])) == (1, len(FIGHTS)) and len(set(map(len, looked))) > 2


def test_the_same_ruleset(game: Path) -> None:
    found = differ(".", ".")
    assert not found.differs and found.word == "same" and not found.changes


def test_a_row_that_is_shifted_is_not_moved(game: Path) -> None:
    text = (game / "ruleset.yaml").read_text("utf-8")
    other = game / "other"
    shutil.copytree(game / "examples", other / "examples")
    row = "      struck:"
    (other / "ruleset.yaml").write_text(text.replace(row, f"      first: {{side: drunk, is: dazed}}\n{row}"), "utf-8")
    assert [(one.path, one.how) for one in differ(".", "other").changes] == [("tables.result.first", "added")]


def test_only_the_fights_that_are_named(game: Path) -> None:
    (game / "fights").mkdir()
    (game / "fights/mine.yaml").write_text(EVEN, "utf-8")
    assert [one.name for one in differ(".", "v/option.yaml", "fights/mine.yaml").fights] == ["mine"]


def test_two_systems_have_no_rows_in_common() -> None:
    with pytest.raises(Faulty) as error:
        differ("squad-leader", "skirmish")
    assert error.value.codes == {"wrong-base"}
    assert "copy" not in error.value.diagnostics[0].help


def test_a_copy_under_another_name_is_told_how_it_is_compared(game: Path) -> None:
    copy = game / "copy"
    copy.mkdir()
    text = (game / "ruleset.yaml").read_text("utf-8")
    name = re.search(r"^ruleset: (.*)$", text, re.MULTILINE)
    assert name is not None
    (copy / "ruleset.yaml").write_text(text.replace(name[0], "ruleset: copied"), "utf-8")
    with pytest.raises(Faulty) as error:
        differ(".", "copy")
    (told,) = error.value.diagnostics
    assert told.code == "wrong-base" and f"write `ruleset: {name[1]}` in both" in told.help
    (copy / "ruleset.yaml").write_text(text, "utf-8")
    assert differ(".", "copy").changes == ()


CLASH = "variant: clash\nextends: ../ruleset.yaml\nchanges:\n  t: {at: tables.blow.tired, remove: yes, was: {side: tired, add: -1}, why: no}\n"


@pytest.mark.parametrize(
    ("stack", "change", "code", "help"),
    [
        (
            "v/numbers.yaml",
            lambda text: text.replace("blow.tired", "blow.tierd"),
            "missing-target",
            "tables.blow.tired",
        ),
        ("v/numbers.yaml", lambda text: text.replace("tables.", "tabels."), "missing-target", "tables"),
        ("v/option.yaml", lambda text: text.replace("reeling", "reelin"), "missing-target", "options.reeling"),
        ("v/option.yaml", lambda text: text.replace("falls", "fals"), "unknown-word", "falls"),
        ("v/split.yaml", lambda text: text.replace("after: struck", "after: struk"), "missing-target", "struck"),
        (
            "v/numbers.yaml",
            lambda text: text.replace("was: {add: -1}", "was: {add: -3}"),
            "base-changed",
            "was: {add: -1}",
        ),
        (".+v/numbers.yaml+v/clash.yaml", lambda text: text, "variants-clash", "over: numbers"),
    ],
)
def test_what_is_misspelt_changed_or_clashes_has_a_way_out(
    game: Path, stack: str, change: Callable[[str], str], code: str, help: str
) -> None:
    (game / "v/clash.yaml").write_text(CLASH, "utf-8")
    file = game / stack.split("+")[-1]
    file.write_text(change(file.read_text("utf-8")), "utf-8")
    with pytest.raises(Faulty) as error:
        differ(".", stack)
    assert error.value.codes == {code}
    assert any(help in one.help for one in error.value.diagnostics)


def test_faces_by_hand() -> None:
    """Of the reckoning itself: even men, 5 and 6 fell, 4 dazes."""
    found = chances(Rules(), {}, {})
    assert found["a", "destroyed"] == Fraction(2, 6) and found["a", "shaken"] == Fraction(1, 6)
    assert len(list(product(range(1, 7), repeat=2))) == 36


def test_another_default_is_seen_in_the_fights_that_do_not_say(game: Path) -> None:
    file = game / "v/brave.yaml"
    file.write_text(
        "variant: brave\nextends: ../ruleset.yaml\nchanges:\n"
        "  d: {at: kinds.side.given.tired, replace: {is: flag, default: yes}, was: flag, why: a long march}\n",
        "utf-8",
    )
    found = {one.name: one for one in differ(".", "v/brave.yaml").fights}
    for fight, (a, b) in FIGHTS.items():
        was, now = chances(Rules(), a, b), chances(Rules(), {"tired": True, **a}, {"tired": True, **b})
        moved = {key: (was.get(key, 0), now.get(key, 0)) for key in was | now if was.get(key, 0) != now.get(key, 0)}
        assert {(one.whom, one.what): (one.old, one.new) for one in found[fight].shifts} == moved


# ---- under best play --------------------------------------------------------------------------------------
# Who rushes fells the other on 3 and more, and falls himself on 5 and more; who waits fells him on a 6. By the ruleset
# one waits. The variant lets him fall on 3 and more: to rush is worth 1/3 by the base and nothing by the variant.

RUSH = """\
ruleset: rush
title: Rush
language: 1
start: bout
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side}
    noted: {down: flag}
    chosen: {rushes: flag}
    rolled: {luck: one-die, fate: one-die}
dice: {one-die: d6}
tables:
  fells: {about: side, one-of: {rush: {rushes: yes, is: 3}, wait: {rushes: no, is: 6}}}
  falls: {about: side, one-of: {rush: {rushes: yes, is: 5}, wait: {rushes: no, is: 7}}}
sequences:
  bout:
    in-order:
      rush:  {for: attacker, choose: rushes, by: side, otherwise: no}
      throw: {for: attacker, roll: luck}
      fate:  {for: attacker, roll: fate}
      fell:  {for: enemy of attacker, when: luck of attacker is at least fells of attacker, do: gain down}
      fall:  {for: attacker, when: fate of attacker is at least falls of attacker, do: gain down}
outcomes: {about: side, words: [unharmed, destroyed], first-of: {destroyed: {side: down, is: destroyed}}, otherwise: unharmed}
strength-lost: {about: side, unit: men, adds-up: {down: {side: down, add: 1}}}
"""
HASTE = """\
variant: haste
title: Haste
extends: ../ruleset.yaml
about: Who rushes is seen.
changes:
  seen: {at: tables.falls.rush, set: {is: 3}, was: {is: 5}, why: Who rushes is seen.}
"""
OPEN = "example: {name}\nsituation: {{fight: {{attacker: a}}, sides: {{a: {{}}, b: {{}}}}}}\n"


def test_best_play_finds_what_the_default_never_comes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "ruleset.yaml": RUSH,
        "v/haste.yaml": HASTE,
        "examples/open.yaml": OPEN.format(name="open"),
        "examples/told.yaml": OPEN.format(name="told") + "choices: {rush: {a: no}}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert {one.fate for one in differ(".", "v/haste.yaml").fights} == {UNTOUCHED}
    found = differ(".", "v/haste.yaml", best_for=("lost",))
    assert {one.name: one.fate for one in found.fights} == {"open": DIFFERS, "told": UNTOUCHED}
    shifts = {(shift.whom, shift.what): (shift.old, shift.new) for shift in found.fights[0].shifts}
    assert shifts["a", "destroyed"] == (Fraction(1, 3), 0)
    assert shifts["b", "destroyed"] == (Fraction(2, 3), Fraction(1, 6))
    greedy = differ(".", "v/haste.yaml", best_for=("down of b",))  # rushes all the same
    shifts = {(shift.whom, shift.what): (shift.old, shift.new) for shift in greedy.fights[0].shifts}
    assert shifts["a", "destroyed"] == (Fraction(1, 3), Fraction(2, 3))
    assert ("b", "destroyed") not in shifts


HAND = """\
ruleset: hand
language: 1
start: bout
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    drawn: {hand: cards of pack}
    noted: {down: flag}
  unit: {given: {side: a side, men: 1 to 4}}
decks: {pack: {low: 2, high: 1}}
tables:
  big: {about: side, adds-up: {a: {number of units: at least 1, when: highest men of units of side is 3, add: 1}}}
sequences:
  bout:
    in-order:
      deal: {for: attacker, deal: hand, number: 2}
      fall: {for: attacker, when: highest face of hand is high, do: gain down}
      more: {for: attacker, number of units: at least 1, unless: highest men of units of side is 3, do: gain down}
      sums: {for: attacker, big: at least 1, do: gain down}
outcomes: {about: side, words: [well, down], first-of: {down: {down: yes, is: down}}, otherwise: well}
strength-lost: {about: side, is: 0}
"""


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        ("at: decks.pack, replace: {high: 1, low: 2}, was: {low: 2, high: 1}", "low, high"),
        (
            "at: tables.big.a, was: {number of units: at least 1, when: highest men of units of side is 3, add: 1}, "
            "replace: {when: highest men of units of side is 3, number of units: at least 1, add: 1}",
            "number of units, when",
        ),
        (
            "at: sequences.bout.more, was: {for: attacker, number of units: at least 1, "
            "unless: highest men of units of side is 3, do: gain down}, replace: {for: attacker, "
            "unless: highest men of units of side is 3, number of units: at least 1, do: gain down}",
            "for, number of units, unless",
        ),
    ],
)
def test_what_stands_in_another_order_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, columns: str
) -> None:
    """Cards rank as they are listed: of two of three, the one high card is the highest two times of three, and never if
    it is listed below. And whoever has no units has no highest men: that must not be asked of him."""
    files = {
        "ruleset.yaml": HAND,
        "v/other.yaml": f"variant: other\ntitle: Other\nextends: ..\nchanges:\n  c: {{{change}, why: to see}}\n",
        "examples/open.yaml": OPEN.format(name="open"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    found = differ(".", "v/other.yaml")
    (rule,) = found.changes
    (cell,) = rule.cells
    assert (rule.how, rule.counts, cell.column, cell.old) == ("changed", True, "columns", columns)
    (fight,) = found.fights
    if rule.section == "decks":
        shifts = {(shift.whom, shift.what): (shift.old, shift.new) for shift in fight.shifts}
        assert shifts["a", "down"] == (Fraction(2, 3), 0)
    else:
        assert fight.fate == "one-sided"


def test_without_a_fight_that_was_worked_out_nothing_is_said(game: Path) -> None:
    found = diff(Side("."), Side("v/numbers.yaml"), (), 1, Alone(), lambda done, of: None)
    assert {one.fate for one in found.fights} == {UNKNOWN} and replace(found, sought=None).word == "untried"


MARKED = """\
ruleset: marked
language: 1
title: The best is marked, once
start: round
kinds:
  side: {{given: {{units: {{are: units, each: unit}}}}}}
  unit: {{given: {{side: a side, val: 0 to 3}}, noted: {{mark: flag, points: 0 to 6}}, rolled: {{dr: d6}}}}
sequences:
  round:
    in-order:
      roll: {{each: unit, val: at least 1, roll: dr}}
      mark: {{each: unit, first: highest dr, ties: {ties}, when: no unit where (mark), do: gain mark}}
      even: {{each: unit, do: set points to dr + 0}}
outcomes:
  about: side
  words: [fine, gone]
  first-of: {{gone: {{number of units: 0, is: gone}}}}
  otherwise: fine
strength-lost: {{about: side, unit: units, is: number of units-at-start - number of units}}
"""
FIVE = """\
situation:
  sides:
    red: {units: {a: {val: 1}, b: {val: 1}, c: {val: 1}}}
    blue: {units: {x: {val: 1}, y: {val: %s}}}
"""


def test_where_each_side_ends_alike_what_becomes_of_each_unit_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, ties in (("base", "as-listed"), ("lots", "lots")):
        (tmp_path / f"{name}.yaml").write_text(MARKED.format(ties=ties))
    for name, val in (("five", 1), ("without-a-die", 0)):
        (tmp_path / f"{name}.yaml").write_text("ruleset: base.yaml\n" + FIVE % val)
    monkeypatch.chdir(tmp_path)
    firsts = Fraction(sum(dr**4 for dr in range(1, 7)), 6**5)  # nobody has more than the first
    (told,) = differ("base.yaml", "lots.yaml", "five.yaml").fights
    shifts = {(shift.whom, shift.what): (shift.old, shift.new) for shift in told.shifts}
    assert told.fate == DIFFERS and shifts["a", "mark"] == (firsts, Fraction(1, 5))
    for _ in range(2):  # where that is too much it is not the same as if it had been looked at, when it is kept either
        found = diff(Side("base.yaml"), Side("lots.yaml"), ("five.yaml",), MOST_WORK, Alone(), lambda done, of: None)
        assert [one.fate for one in found.same_by_sides] == [SAME] and "by how each side ends" in summary(found)
    (left,) = differ("base.yaml", "lots.yaml", "without-a-die.yaml").fights
    assert left.fate == NEITHER and "nobody" in left.message
