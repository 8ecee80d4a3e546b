"""Plans met with their fights: which situation each row is, and what is told of a plan that does not hold together."""

import re
from pathlib import Path

import pytest

from closecombat.asking.sweeps.grid import Grid, Rules, read_grid
from closecombat.asking.sweeps.sweep import answered
from closecombat.text.faults import Faulty
from closecombat.text.nodes import flow
from sweeps import FIGHT, PLAN, written


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def grid(folder: Path, vary: str, fights: str = "./fight.yaml", more: str = "") -> Grid:
    (folder / "mine.yaml").write_text(f"sweep: mine\nfights: {fights}\nvary:\n{vary}\n{more}", "utf-8")
    return read_grid("mine.yaml")


def told(found: Grid, number: int) -> str:
    """The situation of a row on one line, with the answers of players and the readings of options."""
    cell = Rules(found.near).told(found.cell(number))
    assert cell is not None
    return ", ".join(flow(node) for key in ("situation", "choices", "options") if (node := cell[2].document.get(key)))


def test_rows_are_numbered_as_the_plan_is_read(folder: Path) -> None:
    found = read_grid("plan.yaml")
    assert found.rows == 3 * 3 * 2 * 2
    names = [tuple(setting.name for setting in found.cell(number).settings) for number in (1, 2, 3, 5, 13, 36)]
    assert names == [
        ("4", "1", "open", "no"),
        ("4", "1", "open", "yes"),
        ("4", "1", "wood", "no"),
        ("4", "2", "open", "no"),
        ("5", "1", "open", "no"),
        ("6", "3", "wood", "yes"),
    ]
    assert [column.name for column in found.columns] == [
        "red came", "blue came", "force ratio red to blue", "red holds it", "blue holds it", "contested", "held by nobody",
        "red is whole", "red is struck", "blue is whole", "blue is struck", "red loses", "blue loses", "hit of red", "seen",
    ]  # fmt: skip


PLACES = [
    ("  deaf of r: [yes]", "{r: {hats: {cap: {feathers: 1}}, deaf: yes}}"),
    ("  ground: [wood]", "{fight: {ground: wood},"),
    ("  shouts of fight: [{left: 2}]", "{ground: open, shouts: {left: 2}}"),
    ("  feathers of cap: [3]", "{feathers: 3}"),
    ("  counter of r: [none]", None),
    ("  number of r: [0]", "red: {needs: 5, men: {}}"),
    ("  number of r: [2]", "men: {r: {hats: {cap: {feathers: 1}}}, r-2: {hats: {cap-2: {feathers: 1}}}}"),
    ("  number of b: [2]", "men: {b: {friend: b}, b-2: {friend: b-2}}"),
    ("  number of cap: [2]", "{hats: {cap: {feathers: 1}, cap-2: {feathers: 1}}}"),
    ("  add to men of red: [{x: {deaf: yes}}]", "men: {r: {hats: {cap: {feathers: 1}}}, x: {deaf: yes}}"),
    ("  more: {two: {number of r: 2, deaf of r-2: yes}}", "r-2: {hats: {cap-2: {feathers: 1}}, deaf: yes}}"),
    ("  more: {two: {number of r: 2, deaf of r: yes}}", "r-2: {hats: {cap-2: {feathers: 1}}, deaf: yes}}"),
    ("  choice orders of red: [yes]", "{orders: {red: yes, blue: no}}"),
    ("  option trees: [ignored]", "{trees: ignored}"),
]


@pytest.mark.parametrize(("vary", "part"), PLACES, ids=[vary.strip() for vary, _ in PLACES])
def test_a_place_and_what_stands_there(folder: Path, vary: str, part: str | None) -> None:
    if part is None:
        with pytest.raises(Faulty) as refused:
            grid(folder, vary)
        assert refused.value.codes == {"unknown-counter"}
    else:
        assert part in told(grid(folder, vary), 1)


def test_who_is_copied_answers_alike(folder: Path) -> None:
    (folder / "asked.yaml").write_text(
        FIGHT.replace("choices: {orders: {red: no, blue: no}}", "choices: {bows: {r: no, b: [yes, no]}}"), "utf-8"
    )
    text = (folder / "duel.yaml").read_text("utf-8")
    text = text.replace(
        "      fire: {each: side,", "      bows: {each: man, choose: bowing, otherwise: no}\n      fire: {each: side,"
    )
    text = text.replace("      hats: {are: hats", "      bowing: flag\n      hats: {are: hats", 1)
    text = text.replace("      bowing: flag\n", "").replace(
        "  hat: {given", "    chosen: {bowing: flag}\n  hat: {given"
    )
    (folder / "duel.yaml").write_text(text, "utf-8")
    two = told(grid(folder, "  number of b: [2, 0]", "./asked.yaml"), 1)
    assert "{bows: {r: no, b: [yes, no], b-2: [yes, no]}}" in two
    assert "{bows: {r: no}}" in told(read_grid("mine.yaml"), 2)


SYSTEMS = """\
engagement: told-twice
title: Told twice
systems:
  ./duel.yaml:
    situation: {fight: {ground: open}, sides: {red: {needs: 5, men: {r: {}}}, blue: {needs: 6, men: {b: {}}}}}
  squad-leader:
    situation:
      fight: {mover: red}
      sides: {red: {units: {r: {counter: german-4-6-7}}}, blue: {units: {b: {counter: russian-4-4-7}}}}
  assault: {no-such-fight: 12.0a, why: nobody duels}
"""


def test_systems_have_their_own_places(folder: Path) -> None:
    (folder / "twice.yaml").write_text(SYSTEMS.replace("./duel.yaml", "duel"), "utf-8")
    (folder / "plan.yaml").write_text(
        "sweep: p\nfights: ./twice.yaml\nsystems: [squad-leader, squad-leader+lower-kill-numbers, assault]\nvary:\n"
        "  state:\n    fresh: nothing\n"
        "    shaken: {squad-leader: {broken of r: yes}, duel: nothing, assault: nothing}\n"
        "    gone: {squad-leader: no-such-fight, duel: nothing, assault: nothing}\n".replace(", duel: nothing", ""),
        "utf-8",
    )
    found = read_grid("plan.yaml")
    assert found.rows == 9
    assert "r: {counter: german-4-6-7, broken: yes}" in told(found, 2)
    assert [found.cell(number).changes is None for number in range(1, 10)] == [False, False, True] * 2 + [True] * 3
    assert [group.distinct for group in found.groups()] == [3, 3, 1]
    assert [told_.called for told_ in found.told][1] == "squad-leader+lower-kill-numbers"


WRONG = [
    ("  deaf of x: [no, yes]", "", "unknown-thing", "deaf of x"),
    ("  daef of r: [no, yes]", "", "unknown-fact", "daef of r"),
    ("  deaf: [no, yes]", "", "unknown-fact", "deaf"),
    ("  deaf of r: [no, maybe]", "", "wrong-type", "maybe"),
    ("  ground: [open, mud]", "", "unknown-word", "mud"),
    ("  needs of red: 0 to 3", "", "wrong-type", "0 to 3"),
    ("  number of r: [1, many]", "", "wrong-type", "many"),
    ("  number of r: [1, 501]", "", "out-of-range", "501"),
    ("  number of r: 1 to 100000", "", "budget-exceeded", "1 to 100000"),
    ("  needs of red: 5 to 3", "", "out-of-range", "5 to 3"),
    ("  needs of red: [3, 4, 3]", "", "duplicate-id", "3"),
    ("  option tree: [no, yes]", "", "unknown-option", "option tree"),
    ("  option trees: [counts, perhaps]", "", "unknown-word", "perhaps"),
    ("  with ./softer.yaml: [no, yes]", "", "file-not-found", "with ./softer.yaml"),
    ("  with ./harder.yaml: [no, often]", "", "wrong-type", "often"),
    ("  choice ordres of red: [no, yes]", "", "unknown-name", "choice ordres of red"),
    ("  when it rains: [no, yes]", "", "sentence-syntax", "when it rains"),
    ("  rain: {dry: nothing, wet: {duell: {ground: wood}}}", "", "unknown-name", "duell"),
    ("  ground: [open]\n", "ask: [plcae]\n", "unknown-word", "plcae"),
    ("  ground: [open]\n", "ask: [needs of rde]\n", "unknown-name", "rde"),
    ("  ground: [open]\n", "ask: [{g: ground}]\n", "wrong-type", "ground"),
    ("  ground: [open]\n", "ask: [hit of]\n", "sentence-syntax", "]"),
    ("  ground: [open]\n", "ratio: red against blue\n", "wrong-shape", "red against blue"),
    ("  ground: [open]\n", "ratio: red to green\n", "unknown-thing", "red to green"),
    ("  ground: [open]\n", "until: dawn\n", "wrong-shape", "dawn"),
    ("  ground: [open]\n", "vray: {}\n", "unknown-key", "vray"),
    ("  number of fight: [2]", "", "wrong-shape", "number of fight"),
    ("  system: {old: nothing, new: nothing}\n", "", "duplicate-id", "system"),
    ("  ground: [open]\n", "ask: [{message: hit of red}]\n", "duplicate-id", "sweep"),
]


@pytest.mark.parametrize(
    ("vary", "more", "code", "at"), WRONG, ids=[f"{vary.strip()} {more.strip()}" for vary, more, _, _ in WRONG]
)
def test_what_is_wrong_is_told_at_its_place(folder: Path, vary: str, more: str, code: str, at: str) -> None:
    with pytest.raises(Faulty) as refused:
        grid(folder, vary, more=more)
    found = [(fault.code, fault.span.text if fault.span else "") for fault in refused.value.diagnostics]
    assert code in {one for one, _ in found}
    assert any((one == code and at.startswith(text.strip())) or text.startswith(at) for one, text in found), found
    assert {one for one, _ in found} == {code}


def test_what_needs_another_setting_is_not_wrong(folder: Path) -> None:
    """Somebody who is there only with the last value of something else, and one who is not wrong beside the first."""
    found = grid(folder, "  men:\n    one: nothing\n    two: {add to men of red: {x: {}}}\n  deaf of x: [no, yes]")
    assert found.rows == 4


def test_a_fight_that_does_not_hold_together_is_told_first(folder: Path) -> None:
    (folder / "fight.yaml").write_text(FIGHT.replace("needs: 5", "needs: 50"), "utf-8")
    with pytest.raises(Faulty) as refused:
        read_grid("plan.yaml")
    assert {(fault.code, fault.span and fault.span.source.name) for fault in refused.value.diagnostics} == {
        ("wrong-type", "fight.yaml")
    }


def test_a_plan_is_another_when_anything_it_rests_on_is(folder: Path) -> None:
    before = read_grid("plan.yaml").digest
    assert read_grid("plan.yaml").digest == before
    for name in ("plan.yaml", "fight.yaml", "duel.yaml", "harder.yaml"):
        text = (folder / name).read_text("utf-8")
        (folder / name).write_text(text + "# a remark\n", "utf-8")
        assert read_grid("plan.yaml").digest != before
        (folder / name).write_text(text, "utf-8")
    assert read_grid("plan.yaml").digest == before


def test_more_rows_than_any_machine_could(folder: Path) -> None:
    axes = "".join(f"  needs of {side}: 1 to 9\n" for side in ("red", "blue"))
    text = PLAN.partition("vary:")[0] + "vary:\n" + axes
    text += "".join(f"  heading {n}:\n" + "".join(f"    v{v}: nothing\n" for v in range(100)) for n in range(6))
    (folder / "plan.yaml").write_text(text, "utf-8")
    with pytest.raises(Faulty) as refused:
        read_grid("plan.yaml")
    assert refused.value.codes == {"budget-exceeded"}
    assert "81,000,000,000,000 situations" in str(refused.value)


def test_the_plan_of_the_page_holds_together(folder: Path) -> None:
    page = (Path(__file__).parents[2] / "rulesets" / "sweeps" / "README.md").read_text("utf-8")
    (folder / "page.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0], "utf-8")
    found = read_grid("page.yaml")
    assert (found.rows, found.told[1].called) == (72, "asl+hand-to-hand")
    assert "terrain: building, night: yes" in told(found, 26) and "g1-2: {counter: german-4-6-7" in told(found, 30)


def test_of_a_long_list_the_ends_are_tried(folder: Path) -> None:
    """And what is wrong in the middle is told in its row."""
    settings = "".join(f"    v{n}: {{needs of red: {50 if n == 200 else 5}}}\n" for n in range(400))
    found = grid(folder, f"  day:\n{settings}")
    assert found.rows == 400
    answers = [answer.code for answer, _ in answered(found, (200, 201))]
    assert answers == ["", "wrong-type"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("sweep: a\nfights: []\n", "wrong-shape"),
        ("sweep: a\n", "missing-key"),
        ("- sweep: a\n", "wrong-shape"),
        ("situation: {}\n", "missing-key"),
        ("sweep: a\nfights: ./plan.yaml\n", "wrong-shape"),
        ("sweep: a\nfights: ./duel.yaml\n", "missing-key"),
        ("sweep: a\nfights: nowhere\n", "file-not-found"),
        ("sweep: a\nfights: farmhouse\nsystems: [als]\n", "unknown-ruleset"),
        ("sweep: a\nfights: ./fight.yaml\nvary: {number of b: [500]}\n", "budget-exceeded"),
        ("sweep: a\nfights: farmhouse\nvary: {with hand-to-hand: [no, yes]}\n", "wrong-base"),
    ],
)
def test_what_is_no_plan_is_said_once(folder: Path, text: str, code: str) -> None:
    (folder / "mine.yaml").write_text(text, "utf-8")
    with pytest.raises(Faulty) as refused:
        read_grid("mine.yaml")
    assert [fault.code for fault in refused.value.diagnostics] == [code]


def test_nothing_asked_is_the_same_as_nothing_said(folder: Path) -> None:
    (folder / "mine.yaml").write_text("sweep: a\nfights: ./fight.yaml\nvary:\nask:\n", "utf-8")
    found = read_grid("mine.yaml")
    assert (found.rows, len(found.columns)) == (1, 8)


def test_what_only_ends_tell_is_not_asked_without_them(folder: Path) -> None:
    rules = (folder / "duel.yaml").read_text("utf-8")
    (folder / "duel.yaml").write_text(
        re.sub(r"^ends:.*?\n(?=\S|\Z)", "", rules, flags=re.DOTALL | re.MULTILINE), "utf-8"
    )
    with pytest.raises(Faulty, match="`place` and `ratio` are told by `ends:`"):
        grid(folder, "  ground: [open]", more="ask: [place, losses]\nratio: red to blue\n")
    assert grid(folder, "  ground: [open]", more="ask: [losses]\n").rows == 1
