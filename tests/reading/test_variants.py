"""Variants: what each verb does, where rows stand afterwards, and what each error points at."""

import re
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

import pytest

from closecombat.asking.examples.examples import read_examples, run_example
from closecombat.asking.printed.shows import Line, effective, locked, removed
from closecombat.binding.load import load, loaded
from closecombat.reading.stack import load_stack, shipped
from closecombat.telling.findings import diagnostics_text
from closecombat.text.document import parse
from closecombat.text.faults import Diagnostic, Faults, Faulty
from closecombat.text.nodes import Mapping, flow
from closecombat.text.source import Source

HERE = Path(__file__).parents[1] / "variants"
BASE = HERE / "base.yaml"
GUIDE = Path(__file__).parents[2] / "rulesets" / "variants" / "README.md"


def write(folder: Path, changes: str, name: str = "mine", extends: object = BASE, top: str = "") -> Path:
    """A variant's file. Each line of `changes` is one change, and gets a `why` if it has none."""
    said = [
        line if ", why:" in line or not line.endswith("}") else line[:-1] + ", why: to see}"
        for line in dedent(changes).strip().splitlines()
    ]
    text = f"variant: {name}\nextends: {extends}\n{top}changes:\n" + indent("\n".join(said), "  ") + "\n"
    file = folder / f"{name}.yaml"
    file.write_text(text, "utf-8")
    return file


@cache
def base_lines() -> dict[str, Line]:
    return lines(BASE)


def lines(stack: object) -> dict[str, Line]:
    found = load_stack(str(stack))
    faults = Faults()
    loaded(found).bind_all(faults)
    faults.raise_if_any()
    return {line.path: line for line in effective(found)}


def faults(stack: object) -> tuple[Diagnostic, ...]:
    with pytest.raises(Faulty) as caught:
        load(str(stack))
    return caught.value.diagnostics


def fault(stack: object) -> Diagnostic:
    (only,) = faults(stack)
    return only


# ---- what a change does ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "path", "text"),
    [
        ("{at: tables.bonus.tired, set: {add: -3}}", "tables.bonus.tired", "{tired: yes, add: -3, cites: B-2}"),
        ("{at: tables.bonus.adds-up.tired, set: {add: -3}}", "tables.bonus.tired", "{tired: yes, add: -3, cites: B-2}"),
        ("{at: tables.bonus.angry, set: {class: heavy}}", "tables.bonus.angry", "{temper: angry, add: +1, class: heavy}"),
        ("{at: tables.falls, set: {otherwise: yes}}", "tables.falls", "{about: unit, otherwise: yes}"),
        ("{at: tables.score, set: {is: throw}}", "tables.score", "{about: unit, is: throw}"),
        ("{at: tables.reach.heavy, set: {at least 6: 9}}", "tables.reach.heavy", "[1, 2, 9]"),
        ("{at: tables.luck.cells, set: {at most 3: -1}}", "tables.luck", "{about: unit, across: throw, columns: [at most 3, at least 4], cells: [-1, 1]}"),
        ("{at: counters.unit.cat, set: {force: 3}}", "counters.unit.cat", "[light, 3]"),
        ("{at: kinds.unit.tired, set: {default: yes}}", "kinds.unit.tired", "{is: flag, default: yes}"),
        ("{at: kinds.unit.fallen, set: {note: flat}}", "kinds.unit.fallen", "{is: flag, cites: B-4, note: flat}"),
        ("{at: kinds.unit, set: {note: of flesh}}", "kinds.unit", "{note: of flesh}"),
        ("{at: dice.one-die, set: {number: 2}}", "dice.one-die", "{die: d6, number: 2}"),
        ("{at: groups.standing, set: {are: units of side}}", "groups.standing", "{about: side, each: stander, are: units of side}"),
        ("{at: sequences.bout.fall, set: {do: leave}}", "sequences.bout.fall", "{each: unit, falls: yes, do: leave, cites: B-4}"),
        ("{at: options.ties, set: {why: Said elsewhere.}}", "options.ties", "{readings: [stand, fall], default: stand, why: Said elsewhere., cites: B-9}"),
        ("{at: tables.bonus.tired, replace: {add: -1}}", "tables.bonus.tired", "{add: -1}"),
        ("{at: tables.bonus, replace: {about: unit, is: 0}}", "tables.bonus", "{about: unit, is: 0}"),
        ("{at: outcomes.beaten, set: {is: driven-off}}", "outcomes.beaten", "{number of standing of side: 0, is: driven-off}"),
        ("{at: strength-lost, set: {unit: weight}}", None, ""),
        ("{at: words.mood, replace: [calm, cross, angry]}", "words.mood", "[calm, cross, angry]"),
        ("{at: dice.one-die, replace: d8}", "dice.one-die", "d8"),
        ("{at: start, replace: bout}", "start", "bout"),
        ("{at: obligations, replace: [rest, sleep], was: rest}", "obligations", "[rest, sleep]"),
        ("{at: tables.bonus.calm, add: {temper: calm, add: +2}}", "tables.bonus.calm", "{temper: calm, add: +2}"),
        ("{at: tables.spare, add: {about: unit, is: 1}}", "tables.spare", "{about: unit, is: 1}"),
        ("{at: kinds.unit.given.wet, add: flag}", "kinds.unit.wet", "flag"),
        ("{at: kinds.unit.chosen.wet, add: flag}", "kinds.unit.wet", "flag"),
        ("{at: counters.unit.dog, add: [light, 4]}", "counters.unit.dog", "[light, 4]"),
        ("{at: decks.pack, add: {low: 2, high: 1}}", "decks.pack", "{low: 2, high: 1}"),
        ("{at: options.order, add: {readings: [a-first, b-first], default: a-first}}", "options.order", "{readings: [a-first, b-first], default: a-first}"),
        ("{at: clauses.B.1-a, add: {rule: Throw.}}", None, ""),
        ("{at: assumptions.B-G1, replace: a tie is a win}", None, ""),
        ("{at: options.ties, option: fall, was: stand}", "options.ties", "{readings: [stand, fall], default: fall, why: Not said., cites: B-9}"),
    ],
)  # fmt: skip
def test_a_change(tmp_path: Path, change: str, path: str | None, text: str) -> None:
    file = write(tmp_path, f"it: {change}")
    (made,) = load_stack(str(file)).changes
    after = lines(file)
    if path:
        assert after[path].text == text
        if made.ids != ("tables", "luck", "cells"):
            assert after[path].variant == "mine"
            assert after[path].span.source.name == str(file)
    others = set(after) - {path, made.path}
    assert others >= set(base_lines()) - {path, made.path} or made.verb == "replace"
    before = base_lines()
    assert all(after[each] == before[each] for each in others if each in before)


def test_a_word_brings_its_row_of_a_grid(tmp_path: Path) -> None:
    changes = """\
        word: {at: kinds.unit.class, replace: [heavy, middling, light]}
        row: {at: tables.reach.middling, add: [1, 1, 1]}"""
    assert lines(write(tmp_path, changes))["tables.reach.middling"].text == "[1, 1, 1]"


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ("{at: tables.bonus.tired, remove: yes, was: {tired: yes, add: -2}}", "tables.bonus.tired"),
        ("{at: outcomes.beaten, remove: yes}", "outcomes.beaten"),
        ("{at: strength-lost, remove: yes}", "strength-lost"),
        ("{at: counters.unit.cat, remove: yes, was: [light, 2]}", "counters.unit.cat"),
    ],
)
def test_remove(tmp_path: Path, change: str, gone: str) -> None:
    file = write(tmp_path, f"it: {change}")
    assert set(base_lines()) - set(lines(file)) == {gone}
    (change_made,) = removed(load_stack(str(file)))
    assert (change_made.path, change_made.why, change_made.new) == (gone, "to see", None)


@pytest.mark.parametrize(
    ("beside", "order"),
    [
        ("", ["tired", "angry", "new"]),
        (", after: tired", ["tired", "new", "angry"]),
        (", before: tired", ["new", "tired", "angry"]),
    ],
)
def test_where_a_new_row_goes(tmp_path: Path, beside: str, order: list[str]) -> None:
    file = write(tmp_path, f"it: {{at: tables.bonus.new, add: {{add: 1}}{beside}}}")
    assert [path.split(".")[2] for path in lines(file) if path.startswith("tables.bonus.")] == order


def test_a_new_row_beside_another_new_one(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
        one: {at: tables.bonus.one, add: {add: 1}, before: angry}
        two: {at: tables.bonus.two, add: {add: 2}, after: one}""",
    )
    assert [line.row for line in lines(file).values() if line.chart == "bonus"][1:] == ["tired", "one", "two", "angry"]


def test_each_row_keeps_its_place(tmp_path: Path) -> None:
    file = write(tmp_path, "it: {at: tables.bonus.tired, set: {add: -3}}")
    rows = {row.id: row for row in load(str(file)).ruleset.tables["bonus"].rows}
    assert (rows["angry"].where.place.source.name, rows["tired"].where.place.source.name) == (
        load(str(BASE)).ruleset.tables["bonus"].rows[0].where.place.source.name,
        str(file),
    )
    ((heading, _),) = rows["tired"].tests  # a column that has stayed is still the base's
    assert heading.place.source.text == BASE.read_text("utf-8")
    assert rows["tired"].verdict is not None
    assert rows["tired"].verdict.place.source.name == str(file)
    assert lines(file)["tables.bonus.tired"].place == f"{file}:4"


def test_what_a_change_records(tmp_path: Path) -> None:
    file = write(tmp_path, "worse: {at: tables.bonus.tired, set: {add: -3}, was: {add: -2}, why: So said.}")
    (change,) = load(str(file)).ruleset.changes
    assert (change.variant, change.id, change.verb, change.why) == ("mine", "worse", "set", "So said.")
    assert change.old and change.new
    assert flow(change.old) == "{tired: yes, add: -2, cites: B-2}"
    assert flow(change.new) == "{tired: yes, add: -3, cites: B-2}"
    assert change.span.text[:6] == "worse:"


def test_a_fault_of_a_new_row_points_into_the_variant(tmp_path: Path) -> None:
    file = write(tmp_path, "it: {at: tables.bonus.tired, set: {add: 2 +}}")
    assert fault(file).span.source.name == str(file)
    file = write(tmp_path, "it: {at: tables.bonus.tired, replace: {tired: yes}}")
    assert (fault(file).code, fault(file).span.text) == ("missing-key", "{tired: yes}")


# ---- what `was` takes for the same ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "{at: tables.bonus.angry, set: {add: 2}, was: {add: 1}}",
        "{at: tables.bonus.angry, set: {add: 2}, was: {add: +1, temper: angry}}",
        "{at: tables.bonus.tired, replace: {add: 0}, was: {add: -2, tired: yes}}",
        "{at: tables.falls.weak, replace: {is: no}, was: {score: at  most 3, is: yes, cites: B-4}}",
        "{at: tables.reach.heavy, set: {3 to 5: 5}, was: {3 to 5: 2}}",
        "{at: tables.reach.heavy, replace: [4, 4, 4], was: [1, 2, 3]}",
        "{at: counters.unit.bear, set: {force: 7}, was: {force: 6, class: heavy}}",
        "{at: kinds.unit.tired, set: {default: yes}, was: {is: flag}}",
        "{at: kinds.unit.fallen, replace: flag, was: {is: flag}}",
        "{at: dice.one-die, replace: d8, was: d6}",
        "{at: groups.standing, remove: yes, was: {about: side, each: stander, are: units of side where (not fallen)}}",
    ],
)
def test_the_base_is_as_it_was(tmp_path: Path, change: str) -> None:
    load_stack(str(write(tmp_path, f"it: {change}")))


@pytest.mark.parametrize(
    ("change", "underlined", "message", "help"),
    [
        ("{at: tables.bonus.tired, set: {add: -4}, was: {add: -3}}", "{add: -3}",
         "`tables.bonus.tired` says `{add: -2}`; the variant expects `{add: -3}` and would make it `{add: -4}`", "was: {add: -2}"),
        ("{at: tables.bonus.angry, set: {add: 4}, was: {class: heavy, add: 1}}", "{class: heavy, add: 1}",
         "`tables.bonus.angry` says `{add: +1}`", "was: {add: +1}"),
        ("{at: tables.bonus.tired, replace: {add: 0}, was: {add: -2}}", "{add: -2}",
         "says `{tired: yes, add: -2, cites: B-2}`", "write `was:"),
        ("{at: tables.bonus.tired, remove: yes, was: {tired: no, add: -2}}", "{tired: no, add: -2}", "would remove it", ""),
        ("{at: tables.reach.heavy, set: {3 to 5: 5}, was: {3 to 5: 4}}", "{3 to 5: 4}", "says `{3 to 5: 2}`", ""),
        ("{at: dice.one-die, replace: d8, was: d10}", "d10", "`dice.one-die` says `d6`; the variant expects `d10` and would make it `d8`", ""),
        ("{at: kinds.unit.force, replace: 0 to 20, was: 0 to 12}", "0 to 12", "says `0 to 9`", ""),
        ("{at: obligations, replace: [sleep], was: [rest, sleep]}", "[rest, sleep]", "says `[rest]`", ""),
        ("{at: options.ties, option: fall, was: fall}", "fall", "says `stand`", "was: stand"),
    ],
)  # fmt: skip
def test_a_base_that_has_changed(tmp_path: Path, change: str, underlined: str, message: str, help: str) -> None:
    file = write(tmp_path, f"it: {change}")
    found = fault(file)
    assert (found.code, found.span.text) == ("base-changed", underlined)
    assert message in found.message and help in found.help
    expected, now, _ = found.labels
    assert expected[0] == found.span
    assert now[0].source.text == BASE.read_text("utf-8")


# ---- changes that cannot be made ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code", "underlined", "help"),
    [
        ("{at: tables.bonus.tird, set: {add: 1}}", "missing-target", "tables.bonus.tird", "did you mean `tables.bonus.tired`?"),
        ("{at: tables.bonsu.tired, set: {add: 1}}", "missing-target", "tables.bonsu.tired", "did you mean `tables.bonus.tired`?"),
        ("{at: tables.fall, remove: yes}", "missing-target", "tables.fall", "did you mean `tables.falls`?"),
        ("{at: tables.xyz, remove: yes}", "missing-target", "tables.xyz", "`tables` has bonus, reach, luck, score, falls"),
        ("{at: tables.bonus.weak, set: {add: 1}}", "missing-target", "tables.bonus.weak", "did you mean `tables.falls.weak`?"),
        ("{at: tables.bonus.xyz, remove: yes}", "missing-target", "tables.bonus.xyz", "`tables.bonus` has tired, angry"),
        ("{at: tables.score.xyz, remove: yes}", "missing-target", "tables.score.xyz", "`tables.score` has nothing yet"),
        ("{at: tables.bout.throw, set: {do: leave}}", "missing-target", "tables.bout.throw", "did you mean `kinds.unit.throw` or `sequences.bout.throw`?"),
        ("{at: kinds.unit.tyred, set: {default: yes}}", "missing-target", "kinds.unit.tyred", "did you mean `kinds.unit.tired`?"),
        ("{at: kinds.unit.given.fallen, set: {default: yes}}", "missing-target", "kinds.unit.given.fallen", "did you mean `kinds.unit.fallen`"),
        ("{at: counters.unit.beer, set: {force: 1}}", "missing-target", "counters.unit.beer", "did you mean `counters.unit.bear`?"),
        ("{at: options.tie, option: fall}", "missing-target", "options.tie", "did you mean `options.ties`?"),
        ("{at: rounds, remove: yes}", "missing-target", "rounds", "`add` it"),
        ("{at: table.bonus, remove: yes}", "missing-target", "table.bonus", "did you mean `tables`?"),
        ("{at: bonus.tired, set: {add: 1}}", "missing-target", "bonus.tired", "did you mean `tables.bonus.tired`?"),
        ("{at: attack.yaml, set: {add: 1}}", "missing-target", "attack.yaml", "one of options, words, kinds"),
        ("{at: tables.bonus.new, add: {add: 1}, after: tird}", "missing-target", "tird", "did you mean `tired`?"),
        ("{at: tables.bonus.new, add: {add: 1}, before: xyz}", "missing-target", "xyz", "there is tired, angry"),
        ("{at: tables.bonsu.new, add: {add: 1}}", "missing-target", "tables.bonsu.new", "did you mean `tables.bonus.new`?"),
        ("{at: tables.bonus.tired, add: {add: 1}}", "duplicate-id", "tables.bonus.tired", "`set` or `replace` it"),
        ("{at: kinds.unit.rolled.tired, add: one-die}", "duplicate-id", "kinds.unit.rolled.tired", "`set` or `replace` it"),
        ("{at: tables.bonus, add: {about: unit, is: 1}}", "duplicate-id", "tables.bonus", ""),
        ("{at: kinds.unit.wet, add: flag}", "wrong-shape", "kinds.unit.wet", "such as `kinds.unit.given.wet`"),
        ("{at: tables.score.new, add: {add: 1}}", "wrong-shape", "tables.score.new", "`replace` it"),
        ("{at: tables.bonus, set: {adds-up: {}}}", "wrong-shape", "adds-up", "`at: tables.bonus.tired`"),
        ("{at: words.mood, set: {calm: cool}}", "wrong-shape", "words.mood", "`replace` it"),
        ("{at: assumptions.B-G1, set: {calm: cool}}", "wrong-shape", "assumptions.B-G1", "`replace` it"),
        ("{at: tables.reach.heavy, set: {at least 7: 5}}", "unknown-key", "at least 7", "did you mean `at least 6`?"),
        ("{at: counters.unit.cat, set: {speed: 5}}", "unknown-key", "speed", "the columns are class, force"),
        ("{at: options.ties, option: fell}", "unknown-word", "fell", "did you mean `fall`?"),
        ("{at: options.ties, option: maybe}", "unknown-word", "maybe", "one of stand, fall"),
        ("{at: tables.bonus.tired, option: fall}", "wrong-shape", "tables.bonus.tired", "`options.name`"),
        ("{at: tables, remove: yes}", "wrong-shape", "tables", "`tables.name`"),
        ("{at: tables.bonus.adds-up.tired.add, replace: 1}", "wrong-shape", "tables.bonus.adds-up.tired.add", "`tables.bonus.tired`"),
        ("{at: tables.bonus.tired.add, replace: 1}", "wrong-shape", "tables.bonus.tired.add",
         "`tables.bonus.tired`; what stands in the row is changed with `set: {add: ..}`"),
        ("{at: kinds.unit.facts.luck, add: d6}", "wrong-shape", "kinds.unit.facts.luck", "`kinds.unit.given.luck`"),
        ("{at: groups.standing.are, replace: 1}", "wrong-shape", "groups.standing.are", "with `set`"),
        ("{at: tables.Bonus, remove: yes}", "wrong-shape", "tables.Bonus", "joined by dots"),
        ("{at: tables.bonus., remove: yes}", "wrong-shape", "tables.bonus.", "joined by dots"),
        ("{at: [tables, bonus], remove: yes}", "wrong-shape", "[tables, bonus]", ""),
        ("{at: tables.bonus.tired, set: {}}", "wrong-shape", "{}", "`set: {column: value}`"),
        ("{at: tables.bonus.tired, set: 3}", "wrong-shape", "3", "write `set: {add: 3}`, or whatever column it is"),
        ("{at: options.ties, set: fall}", "wrong-shape", "fall", "write `option: fall`"),
        ("{at: tables.bonus.tired, remove: no}", "wrong-shape", "no", ""),
        ("{at: tables.bonus.tired, remove: it}", "wrong-type", "it", ""),
        ("{at: tables.bonus.tired}", "missing-key", "it", "say `set:`, `replace:`, `add:`, `remove:`, `option:` or `lock:`"),
        ("{at: tables.bonus.tired, change: {add: 1}}", "unknown-key", "change", "write `set:`"),
        ("{at: tables.bonus.tired, delete: yes}", "unknown-key", "delete", "write `remove:`"),
        ("{at: tables.bonus.tired, set: {add: 1}, from: {add: -2}}", "unknown-key", "from", "write `was:`"),
        ("{at: tables.bonus.tired, set: {add: 1}, because: so, why: x}", "unknown-key", "because", "write `why:`"),
        ("{at: tables.bonus.tired, set: {add: 1}, remove: yes}", "wrong-shape", "it", "a change of each"),
        ("{at: tables.bonus.tired, set: {add: 1}, after: angry}", "wrong-shape", "angry", ""),
        ("{at: tables.bonus.x, add: {add: 1}, after: angry, before: angry}", "wrong-shape", "angry", ""),
        ("{at: tables.bonus.x, add: {add: 1}, was: {add: 1}}", "wrong-shape", "{add: 1}", "leave `was:` out"),
        ("{set: {add: 1}, why: x}", "missing-key", "{set: {add: 1}, why: x}", ""),
        ("{at: tables.bonus.tired, set: {add: 1}, why: ''}", "missing-key", "it", "what it is for"),
        ("{at: tables.bonus.tired, set: {add: 1}, wass: {add: 1}}", "unknown-key", "wass", "did you mean `was`?"),
        ("[tables.bonus.tired, set]", "wrong-shape", "[tables.bonus.tired, set]", ""),
        ("{at: tables.bonus.tired, set: add to 3, why: x}", "wrong-shape", "add to 3", "write `set: {add: 3}`"),
        ("{at: tables.bonus.tired, set: +1, why: x}", "wrong-shape", "+1", "write `set: {add: +1}`"),
    ],
)  # fmt: skip
def test_a_change_that_cannot_be_made(tmp_path: Path, change: str, code: str, underlined: str, help: str) -> None:
    found = fault(write(tmp_path, f"it: {change}"))
    assert (found.code, found.span.text) == (code, underlined)
    assert help in found.help


@pytest.mark.parametrize(
    ("text", "code", "underlined"),
    [
        ("variant: mine\nextends: BASE\n", "missing-key", ""),
        ("variant: mine\nextends: BASE\nchanges:\n", "missing-key", "changes"),
        ("variant: mine\nextends: BASE\nchanges: all\n", "wrong-shape", "all"),
        ("variant: Mine\nextends: BASE\nchanges: {a: {at: start, replace: bout, why: x}}\n", "wrong-shape", "Mine"),
        ("variant: mine\nchanges: {a: {at: start, replace: bout, why: x}}\n", "missing-key", ""),
        ("variant: mine\nextends: [BASE]\nchanges: {a: {at: start, replace: bout, why: x}}\n", "wrong-shape", ""),
        ("variant: mine\nextends: BASE\ntables: {}\nchanges: {a: {at: start, replace: bout, why: x}}\n", "unknown-key", "tables"),
        ("variant: mine\nextends: ./bsae.yaml\nchanges: {a: {at: start, replace: bout, why: x}}\n", "file-not-found", "./bsae.yaml"),
        ("variant: mine\nextends: aslx\nchanges: {a: {at: start, replace: bout, why: x}}\n", "unknown-ruleset", "aslx"),
        ("variant: mine\nextends: ./mine.yaml\nchanges: {a: {at: start, replace: bout, why: x}}\n", "circular", "./mine.yaml"),
        ("variant: mine\nextends: BASE+BASE\nchanges: {a: {at: start, replace: bout, why: x}}\n", "wrong-shape", "r"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_variant(tmp_path: Path, text: str, code: str, underlined: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace("BASE", str(BASE)), "utf-8")
    found = fault(file)
    assert found.code == code
    assert found.span is not None
    assert not underlined or found.span.text == underlined


def test_everything_at_once(tmp_path: Path) -> None:
    shapes = faults(
        write(
            tmp_path,
            """
        a: {at: tables.bonus.tired, sett: {add: 1}}
        b: {set: {add: 1}, why: ''}""",
        )
    )
    assert [each.code for each in shapes] == ["missing-key", "unknown-key", "missing-key", "missing-key"]
    places = faults(
        write(
            tmp_path,
            """
        a: {at: tables.bonus.tird, set: {add: 1}}
        b: {at: tables.falls.weak, set: {is: no}, was: {is: no}}
        c: {at: tables.bonus.angry, set: {add: 2}}
        d: {at: options.ties, option: fell}""",
        )
    )
    assert [each.code for each in places] == ["missing-target", "base-changed", "unknown-word"]


def test_too_many(tmp_path: Path) -> None:
    changes = "\n".join(f"a{each}: {{at: tables.bonus.b{each}, add: {{add: 1}}}}" for each in range(1001))
    found = fault(write(tmp_path, changes))
    assert (found.code, found.span.text) == ("too-many-nodes", "a1000")


@pytest.mark.parametrize(
    ("first", "second", "twice"),
    [
        ("{at: tables.bonus.tired, set: {add: 1}}", "{at: tables.bonus.tired, set: {tired: no}}", True),
        ("{at: tables.bonus.tired, set: {add: 1}}", "{at: tables.bonus.adds-up.tired, remove: yes}", True),
        ("{at: tables.bonus, replace: {about: unit, is: 1}}", "{at: tables.bonus.tired, set: {add: 1}}", True),
        ("{at: tables.bonus.tired, set: {add: 1}}", "{at: tables.bonus, remove: yes}", True),
        ("{at: tables.falls.weak, set: {score: 2}}", "{at: tables.falls, set: {otherwise: yes}}", False),
        ("{at: tables.bonus.tired, set: {add: 1}}", "{at: tables.bonus.angry, set: {add: 1}}", False),
        ("{at: clauses.1, add: {rule: A.}}", "{at: clauses.1.2, add: {rule: B.}}", False),
    ],
)
def test_two_changes_of_one_thing(tmp_path: Path, first: str, second: str, twice: bool) -> None:
    """Within one variant they are a mistake; in two of a stack a clash, unless the later one goes over."""
    together = write(tmp_path, f"a: {first}\nb: {second}")
    one = write(tmp_path, f"a: {first}", "one")
    two = write(tmp_path, f"b: {second}", "two")
    stack = f"{BASE}+{one}+{two}"
    if not twice:
        load_stack(str(together))
        load_stack(stack)
        return
    path = re.search(r"at: ([^,]*)", second)[1]  # type: ignore[index]
    found = fault(together)
    assert (found.code, found.span.text) == ("duplicate-id", path)
    found = fault(stack)
    assert (found.code, found.span.text, found.span.source.name) == ("variants-clash", path, str(two))
    assert "`one` and `two` both change" in found.message and "over: one" in found.help
    assert found.labels[0][0].source.name == str(one)


def test_a_new_row_is_named_where_it_is_added(tmp_path: Path) -> None:
    changes = "a: {at: tables.bonus.tired, set: {add: 1}, why: x}\nb: {at: tables.bonus, add: {tired: yes, add: 1}, why: x}"
    found = fault(write(tmp_path, changes))
    assert (found.span.text, found.help) == ("tables.bonus", "write `at: tables.bonus.b`")
    assert "has no name" in found.message


# ---- locks ----------------------------------------------------------------------------------------------

LOCK = "{at: tables.bonus, lock: yes}"
TOUCHING = [
    "{at: tables.bonus.tired, set: {add: -5}}",
    "{at: tables.bonus.calm, add: {temper: calm, add: +2}}",
    "{at: tables.bonus.tired, remove: yes}",
    "{at: tables.bonus, replace: {about: unit, is: 0}}",
    "{at: tables.bonus, set: {title: Boni}}",
]


@pytest.mark.parametrize("change", TOUCHING)
def test_what_is_locked_nobody_changes(tmp_path: Path, change: str) -> None:
    """Above the lock or below it, `over:` or not; only what the locking variant stands on is as it left it."""
    event = write(tmp_path, f"shut: {LOCK}", "event")
    house = write(tmp_path, f"b: {change}", "house", top="over: event\n")
    found = fault(f"{BASE}+{event}+{house}")
    path = re.search(r"at: ([^,]*)", change)[1]  # type: ignore[index]
    assert (found.code, found.span.text, found.span.source.name) == ("locked", path, str(house))
    assert found.message == f"`event` has locked `{path}`, and `house` changes it"
    assert found.labels[0][0].source.name == str(event)
    found = fault(f"{BASE}+{house}+{event}")
    assert (found.code, found.span.source.name, found.labels[0][0].text) == ("locked", str(house), "tables.bonus")
    assert found.message == f"`event` has locked `{path}`, and `house` changes it"
    on_top = write(tmp_path, f"b: {change}", "on-top", extends=event)
    assert fault(on_top).code == "locked"
    agreed = write(tmp_path, f"shut: {LOCK}", "agreed", extends=house)
    (lock,) = load_stack(str(agreed)).locks
    assert (lock.variant, lock.path) == ("agreed", "tables.bonus")


@pytest.mark.parametrize(
    ("lock", "change"),
    [
        ("{at: tables.bonus.tired, lock: yes}", "{at: tables.bonus.angry, set: {add: +2}}"),
        ("{at: tables.bonus.tired, lock: yes}", "{at: tables.bonus, set: {title: Boni}}"),
        ("{at: tables.bonus.tired, lock: yes}", "{at: tables.bonus.calm, add: {temper: calm, add: +2}}"),
        (LOCK, LOCK),
        (LOCK, "{at: options.ties, option: fall}"),
    ],
)
def test_a_lock_holds_nothing_else(tmp_path: Path, lock: str, change: str) -> None:
    event = write(tmp_path, f"shut: {lock}", "event")
    house = write(tmp_path, f"b: {change}", "house")
    for stack in (f"{BASE}+{event}+{house}", f"{BASE}+{house}+{event}"):
        lines(stack)
    assert event.name in load_stack(stack).locks[-1].span.source.name


def test_a_variant_locks_what_it_has_set(tmp_path: Path) -> None:
    file = write(tmp_path, f"set-it: {TOUCHING[0]}\nshut: {LOCK}")
    stack = load_stack(str(file))
    assert [change.id for change in stack.changes] == ["set-it"]
    assert [lock.id for lock in locked(stack)] == [lock.id for lock in locked(stack, "tables.bonus.tired")] == ["shut"]
    assert locked(stack, "tables.bon") == locked(stack, "tables.reach") == ()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("{at: tables.bonus.cross, lock: yes}", "missing-target"),
        ("{at: tables.bonus, lock: no}", "wrong-shape"),
        ("{at: tables.bonus.tired, lock: yes, was: {tired: yes, add: -3}}", "base-changed"),
        ("{at: tables.bonus.tired, lock: yes, set: {add: -5}}", "wrong-shape"),
    ],
)
def test_a_lock_that_is_none(tmp_path: Path, change: str, code: str) -> None:
    assert fault(write(tmp_path, f"shut: {change}")).code == code


# ---- stacks ---------------------------------------------------------------------------------------------

TIRED = "{at: tables.bonus.tired, set: {add: %d}, was: {add: -2}}"


@pytest.mark.parametrize(
    ("top", "change"),
    [("over: one\n", TIRED % -5), ("over: [other, one]\n", TIRED % -5), ("", TIRED[:-1] % -5 + ", over: one}")],
)
def test_the_later_goes_over_the_earlier(tmp_path: Path, top: str, change: str) -> None:
    one = write(tmp_path, f"a: {TIRED % -3}", "one")
    two = write(tmp_path, f"b: {change}", "two", top=top)
    line = lines(f"{BASE}+{one}+{two}")["tables.bonus.tired"]
    assert (line.text, line.variant) == ("{tired: yes, add: -5, cites: B-2}", "two")
    assert fault(f"{BASE}+{two}+{one}").code == "variants-clash"
    assert lines(two)["tables.bonus.tired"].variant == "two"


def test_a_name_nearly_gone_over(tmp_path: Path) -> None:
    one = write(tmp_path, f"a: {TIRED % -3}", "first-one")
    two = write(tmp_path, f"b: {TIRED % -5}", "two", top="over: firts-one\n")
    assert fault(f"{BASE}+{one}+{two}").help == "`over: firts-one` should be `over: first-one`"


def test_what_an_earlier_one_has_removed(tmp_path: Path) -> None:
    one = write(tmp_path, "a: {at: tables.bonus.tired, remove: yes}", "one")
    two = write(tmp_path, f"b: {TIRED % -5}", "two", top="over: one\n")
    found = fault(f"{BASE}+{one}+{two}")
    assert (found.code, found.message) == ("missing-target", "`one` has removed `tables.bonus.tired`")
    assert found.labels[0][0].source.name == str(one)


def test_a_variant_on_a_variant(tmp_path: Path) -> None:
    """It needs no `over`, what it expects is what the other says, and it brings the other along."""
    one = write(tmp_path, f"a: {TIRED % -3}", "one")
    two = write(tmp_path, "b: {at: tables.bonus.tired, set: {add: -4}, was: {add: -3}}", "two", "./one.yaml")
    for stack in (two, f"{BASE}+{two}", f"{BASE}+{one}+{two}", f"{one}+{two}", f"{two}+{two}+{one}"):
        loaded = load(str(stack))
        assert loaded.ruleset.variants == ("one", "two")
        assert lines(stack)["tables.bonus.tired"].text == "{tired: yes, add: -4, cites: B-2}"
        assert [change.id for change in loaded.ruleset.changes] == ["a", "b"]


def test_paths_count_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "rules" / "base.yaml").write_text(BASE.read_text("utf-8"), "utf-8")
    write(tmp_path / "rules", f"a: {TIRED % -3}", "one", "./base.yaml")
    write(tmp_path / "mine", "b: {at: dice.one-die, replace: d8}", "two", "../rules/base.yaml+../rules/one.yaml")
    (tmp_path / "mine" / "situation.yaml").touch()
    monkeypatch.chdir(tmp_path)
    assert load("mine/two.yaml").ruleset.variants == ("one", "two")
    assert load("./two.yaml", tmp_path / "mine").ruleset.variants == ("one", "two")
    assert load("./two.yaml", tmp_path / "mine" / "situation.yaml").ruleset.variants == ("one", "two")


def test_a_copy_of_the_base_will_do(tmp_path: Path) -> None:
    copy = tmp_path / "copy.yaml"
    copy.write_text(BASE.read_text("utf-8"), "utf-8")
    other = tmp_path / "other.yaml"
    other.write_text(BASE.read_text("utf-8").replace("ruleset: bout", "ruleset: brawl"), "utf-8")
    mine = write(tmp_path, f"a: {TIRED % -3}")
    assert lines(f"{copy}+{mine}")["tables.bonus.tired"].variant == "mine"
    found = fault(f"{other}+{mine}")
    assert (found.code, found.message) == ("wrong-base", "`mine` extends `bout`, and the stack begins with `brawl`")


def test_two_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    one = write(tmp_path, f"a: {TIRED % -3}")
    two = write(tmp_path / "deeper", "b: {at: dice.one-die, replace: d8}")
    found = fault(f"{BASE}+{one}+{two}")
    assert (found.code, found.span.text, found.span.source.name) == ("duplicate-id", "mine", str(two))


def test_a_circle(tmp_path: Path) -> None:
    write(tmp_path, f"a: {TIRED % -3}", "one", "./two.yaml")
    write(tmp_path, f"a: {TIRED % -3}", "two", "./one.yaml")
    found = fault(tmp_path / "one.yaml")
    assert (found.code, found.span.text, found.span.source.name) == (
        "circular",
        "./two.yaml",
        str(tmp_path / "one.yaml"),
    )


def test_a_long_chain_ends(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, f"a: {TIRED % -3}", f"v{number}", f"./v{number + 1}.yaml")
    assert fault(tmp_path / "v0.yaml").code == "circular"


@pytest.mark.parametrize(
    ("stack", "message", "help"),
    [
        ("asl+hand-to-hnd", "no variant is called `hand-to-hnd`", "did you mean `hand-to-hand`?"),
        ("hand-to-hnd", "no ruleset is called `hand-to-hnd`", "did you mean `hand-to-hand`?"),
        ("asl+skirmish", "`skirmish` is a ruleset, not a variant", "only the first of a stack is a ruleset"),
    ],
)
def test_a_name_that_is_none(stack: str, message: str, help: str) -> None:
    found = fault(stack)
    assert (found.code, found.message, found.help) == ("unknown-ruleset", message, help)


# ---- what is shipped ------------------------------------------------------------------------------------


SHIPPED = sorted((GUIDE.parent / "examples").iterdir())
EXAMPLES = [example for file in SHIPPED for example in read_examples(file)]


def test_each_shipped_variant_has_its_examples() -> None:
    """One that says in exact chances what comes out, and one of the base or of a stack with which to compare it."""
    assert [file.name.removesuffix(".yaml") for file in SHIPPED] == [*shipped("variants")]
    sure = [flow(each.get("ruleset")).split("+") for each in EXAMPLES if each.get("chances") is not None]
    assert all(any(name in stack for stack in sure) for name in shipped("variants"))
    assert any(len(stack) > 2 for stack in sure)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: flow(each.get("example")))
def test_a_shipped_variant_changes_what_it_says(example: Mapping) -> None:
    found = run_example(load(flow(example.get("ruleset"))), example)
    assert not found.faults, diagnostics_text(found.faults)


@pytest.mark.parametrize("name", shipped("variants"))
def test_a_shipped_variant_says_what_was(name: str) -> None:
    for variant in load_stack(name).variants:
        assert variant.about and all(step.was or step.verb in ("add", "lock") for step in variant.steps)
    lines(name)


def test_two_shipped_variants_clash() -> None:
    found = fault("squad-leader+leaders-capped+leaders-shift-columns")
    assert (found.code, found.span.text) == ("variants-clash", "tables.drm.leadership")


def blocks(page: Path, first_key: str) -> list[str]:
    return [
        text for text in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.S) if text.startswith(first_key)
    ]


def test_the_guide_is_true(tmp_path: Path) -> None:
    (variant,) = blocks(GUIDE, "variant: ruins\n")
    file = tmp_path / "ruins.yaml"
    file.write_text(variant, "utf-8")
    after = lines(f"asl+hand-to-hand+{file}")
    assert [line.path for line in after.values() if line.variant == "ruins"] == [
        "options.covering-units", "kinds.unit.blinded", "tables.kill-number.black", "tables.cc-drm.broken",
        "tables.cc-drm.vs-blinded"]  # fmt: skip
    (example,) = blocks(GUIDE, "example:")
    node = parse(Source("guide", example))
    assert isinstance(node, Mapping)
    found = run_example(load(flow(node.get("ruleset"))), node)
    assert not found.faults, diagnostics_text(found.faults)
    named = set(
        re.findall(r"^\| `([a-z-]+)`(?:, `([a-z-]+)`)? \|", GUIDE.read_text("utf-8").split("errors mean")[1], re.M)
    )
    assert {"missing-target", "base-changed", "variants-clash", "wrong-base"} <= {
        each for pair in named for each in pair
    }
