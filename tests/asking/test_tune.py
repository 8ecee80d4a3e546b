"""`tune` as one types it: figures by hand, by counting faces, and by the brute force of `brawl`."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from brawl import FIGHTS, Rules, chances, laid_down
from closecombat.cli.main import main

SCHEMA = Path(__file__).parents[2] / "schemas" / "tune.schema.json"
DRUNK = """\
variant: probe   # of drink
extends: ..
changes:
  drunk:
    at: tables.blow.drunk
    set: {add: {from: -6, to: +2}}   # what is right?
    was: {add: -2}
    why: to be found
goals: {drunk: {down of b: 1/6 to 1/2}}
"""
BOTH = """\
variant: probe
extends: ..
changes:
  drunk: {at: tables.blow.drunk, set: {add: {from: -4, to: 1}}, was: {add: -2}, why: to be found}
  tired: {at: tables.blow.tired, set: {add: {from: -3, to: 0}}, was: {add: -1}, why: to be found}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path, {"v/probe.yaml": DRUNK}))
    return tmp_path


def run(line: str, *more: str) -> Result:
    return CliRunner().invoke(main, [*line.split(), *more])


def told(line: str, *more: str) -> dict[str, object]:
    found = json.loads(run(f"{line} -f json", *more).stdout)
    assert not list(Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(found))
    return dict(found)


def settings(found: dict[str, object], which: str = "reached") -> list[list[int]]:
    listed = found[which]
    assert isinstance(listed, list)
    return [one["values"] for one in listed]


def test_by_hand_one_modifier_and_the_nearest_first(game: Path) -> None:
    # who is struck for 5 or more falls: by a die and the modifier of the drunk, so by 0 faces up to -2, 1 at -1, 2 at 0
    found = told("tune v/probe.yaml")
    tried = found["tried"]
    assert isinstance(tried, list)
    assert [one["figures"][0]["exact"] for one in tried] == ["0", "0", "0", "0", "0", "1/6", "1/3", "1/2", "2/3"]
    assert settings(found) == [[-1], [0], [1]]


def test_a_path_in_goals_counts_from_the_file(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (game / "v" / "fights").mkdir()
    fight = "ruleset: ../..\nsituation: {fight: {attacker: a}, sides: {a: {drunk: yes}, b: {}}}\n"
    (game / "v" / "fights" / "drunk.yaml").write_text(fight, "utf-8")
    (game / "v" / "probe.yaml").write_text(DRUNK.replace("{drunk: {", "{fights/drunk.yaml: {"), "utf-8")
    for folder, file in ((game, "v/probe.yaml"), (game / "v" / "fights", "../probe.yaml")):
        monkeypatch.chdir(folder)
        assert settings(told(f"tune {file}")) == [[-1], [0], [1]]


@pytest.mark.parametrize(
    ("bound", "reached"),
    [
        ("at most 1/6", [-2, -3, -1, -4, -5, -6]),
        ("less than 1/6", [-2, -3, -4, -5, -6]),
        ("more than 1/6", [0, 1, 2]),
        ("at least 1/6", [-1, 0, 1, 2]),
        ("16.66% to 16.67%", [-1]),
        ("16.67% to 33.33%", []),  # 1/6 is less than 16.67 %, and 1/3 more than 33.33 %
        ("33 % to 34 %", [0]),
        ("16666666666/99999999999 to 16666666667/99999999999", [-1]),  # as the program prints fractions
    ],
)
def test_fractions_are_compared_with_fractions(game: Path, bound: str, reached: list[int]) -> None:
    (game / "v/probe.yaml").write_text(DRUNK.replace("goals: {drunk: {down of b: 1/6 to 1/2}}\n", ""))
    result = run("tune v/probe.yaml -f json", "--goal", f"drunk: down of b: {bound}")
    assert [one["values"][0] for one in json.loads(result.stdout)["reached"]] == reached
    assert result.exit_code == (not reached)


def test_two_ranges_and_all_other_fights_against_a_brute_force(game: Path) -> None:
    (game / "v/probe.yaml").write_text(
        BOTH + "goals: {drunk: {down of b: at most 1/3}, both-tired: {down of a: at least 1/6}}\n"
        "elsewhere: at most 17 points\n"
    )
    wanted = []
    for drunk, tired in product(range(-4, 2), range(-3, 1)):
        rules = Rules(tired=tired, drunk=drunk)
        if chances(rules, *FIGHTS["drunk"]).get(("b", "down"), 0) > Fraction(1, 3):
            continue
        if chances(rules, *FIGHTS["both-tired"]).get(("a", "down"), 0) < Fraction(1, 6):
            continue
        moves = []
        for name in ("even", "tired-and-dug-in"):
            old, new = chances(Rules(), *FIGHTS[name]), chances(rules, *FIGHTS[name])
            moves += [abs(new.get(key, Fraction(0)) - old.get(key, Fraction(0))) for key in {*old, *new}]
        if max(moves) <= Fraction(17, 100):
            wanted.append((abs(drunk + 2) + abs(tired + 1), [drunk, tired], max(moves)))
    found = told("tune v/probe.yaml")
    assert wanted and settings(found) == [values for _, values, _ in sorted(wanted)]
    reached = found["reached"]
    assert isinstance(reached, list)
    assert [Fraction(one["elsewhere"]["by"]) for one in reached] == [most for _, _, most in sorted(wanted)]


def test_the_fewest_goals_that_contradict_each_other_are_told(game: Path) -> None:
    (game / "v/probe.yaml").write_text(
        BOTH
        + "goals:\n  both-tired: {down of a: at least 1/6}\n  drunk: {down of b: at least 1/3, down of a: 1/3 to 1}\n"
        "elsewhere: at most 1 points\n"
    )
    assert told("tune v/probe.yaml", "--goal", "drunk: dazed of b: at least 1/3")["contradicting"] == [4]
    result = run("tune v/probe.yaml", "--goal", "drunk: down of b: at most 1/6")
    assert result.exit_code == 1 and "No setting reaches goal 2 and goal 4 together" in " ".join(result.stdout.split())


def test_elsewhere_may_contradict_a_goal(game: Path) -> None:
    (game / "v/probe.yaml").write_text(DRUNK.replace("goals:", "elsewhere: at most 10 points\ngoals:"))
    assert settings(told("tune v/probe.yaml")) == [[-1], [0], [1]]  # nobody else drinks
    line = DRUNK.replace("goals: {drunk: {down of b: 1/6 to 1/2}}", "goals: {even: {down of b: 1/3 to 1/3}}")
    (game / "v/probe.yaml").write_text(line + "elsewhere: at most 10 points\n")
    assert settings(told("tune v/probe.yaml")) == [[-2]]  # at -3 nobody is dazed any more, who was in 1/6
    (game / "v/probe.yaml").write_text(line.replace("from: -6", "from: 0") + "elsewhere: at most 10 points\n")
    assert told("tune v/probe.yaml")["contradicting"] == ["elsewhere"]


def test_a_range_is_refused_by_all_else(game: Path) -> None:
    for line in (
        "check v/probe.yaml",
        "chances examples/all.yaml#even -r v/probe.yaml",
        "diff . v/probe.yaml",
        "show v/probe.yaml",
        "test v/probe.yaml",
        "properties v/probe.yaml",
    ):
        result = run(line)
        said = " ".join((result.stdout + result.stderr).split())
        assert result.exit_code in (1, 2) and "names-a-range" in said and "closecombat tune v/probe.yaml" in said, line


def test_the_nearest_is_written_and_all_else_stays(game: Path) -> None:
    file = game / "v/probe.yaml"
    file.write_bytes(DRUNK.replace("\n", "\r\n").encode())
    result = run("tune v/probe.yaml --write")
    assert result.exit_code == 0
    assert file.read_bytes() == DRUNK.replace("{from: -6, to: +2}", "-1").replace("\n", "\r\n").encode()
    assert run("check v/probe.yaml").exit_code == 0
    assert run("tune v/probe.yaml").exit_code == 0  # the goals stay, and are reached
    assert run("tune v/probe.yaml", "--goal", "drunk: down of b: 0 to 0").exit_code == 1
    assert not list(game.glob("v/*.part"))


def test_nothing_is_written_where_nothing_is_reached(game: Path) -> None:
    before = (game / "v/probe.yaml").read_text("utf-8")
    assert run("tune v/probe.yaml --write", "--goal", "drunk: down of b: 5/6 to 1").exit_code == 1
    assert (game / "v/probe.yaml").read_text("utf-8") == before


def test_a_plus_that_was_written_is_kept(game: Path) -> None:
    run("tune v/probe.yaml --write", "--goal", "drunk: down of b: 1/2 to 1")
    assert "set: {add: +1}" in (game / "v/probe.yaml").read_text("utf-8")


def test_on_a_narrow_page_no_word_is_split(game: Path) -> None:
    result = run("tune v/probe.yaml --all")
    assert max(map(len, result.stdout.splitlines())) <= 80 and "nearest" in result.stdout
    told = run("tune v/probe.yaml -f md", "--goal", "drunk: down of b: 0% to 50%").stdout
    assert "| -1 | 1/6 | 16.67% | nearest |" in told


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("drunk: {down of b", "drunken: {down of b", "no fight is called `drunken`"),
        ("1/6 to 1/2", "1/2 to 1/6", "nothing lies between 1/2 and 1/6"),
        ("1/6 to 1/2", "about 1/2", "does not say what a figure may be"),
        ("1/6 to 1/2", "1/0 to 1/2", "`1/0` is no number"),
        ("from: -6, to: +2", "from: 2, to: -6", "`2` to `-6` is no range"),
        ("from: -6, to: +2", "from: some, to: -6", "`some` is not a whole number"),
        ("from: -6, to: +2", "from: 0, to: 900", "901 settings together"),
        ("from: -6, to: +2", "from: 0, to: 90000", "at most 1,000 values"),
        ("down of b", "outcomes of b", "neither a number nor something that is so or not"),
        ("down of b", "drowned of b", "drowned"),
        ("drunk: {down of b: 1/6 to 1/2}", "a: {fight: drunk, down of b: 1/6 to 1/2}", "stands under its fight"),
        ("goals: {drunk: {down of b: 1/6 to 1/2}}", "", "nothing says what is to be reached"),
        ("goals: {drunk:", "elsewhere: little\ngoals: {drunk:", "does not say how far a chance may move"),
        ("was: {add: -2}", "was: {add: -3}", "the variant expects"),
    ],
)
def test_what_cannot_be_tuned_is_said(game: Path, old: str, new: str, says: str) -> None:
    assert old in DRUNK
    (game / "v/probe.yaml").write_text(DRUNK.replace(old, new))
    result = run("tune v/probe.yaml")
    assert result.exit_code == 2 and says in " ".join(result.stderr.split()), result.stderr


def test_a_shipped_case_by_counting_faces(tmp_path: Path) -> None:
    (tmp_path / "probe.yaml").write_text(
        "variant: probe\nextends: squad-leader\nchanges:\n  broken: {at: tables.drm.broken, "
        "set: {add: {from: -6, to: 2}}, was: {add: -2}, why: to be found}\n"
        "goals: {sl-broken-target: {eliminated of r1: 25% to 60%}}\n"
    )
    found = told(f"tune {tmp_path / 'probe.yaml'}")
    # 4 to 4 kills on 5 or less, and a double one column lower, on 4
    by_faces = {
        drm: Fraction(sum(a + b + drm <= (4 if a == b else 5) for a, b in product(range(1, 7), repeat=2)), 36)
        for drm in range(-6, 3)
    }
    tried = found["tried"]
    assert isinstance(tried, list)
    assert {one["values"][0]: Fraction(one["figures"][0]["exact"]) for one in tried} == by_faces
    assert settings(found) == [
        [drm]
        for drm in sorted(by_faces, key=lambda one: (abs(one + 2), one))
        if Fraction(1, 4) <= by_faces[drm] <= Fraction(3, 5)
    ]


def test_the_base_has_a_number_in_a_counter_and_in_a_cell_too(tmp_path: Path) -> None:
    (tmp_path / "probe.yaml").write_text(
        "variant: probe\nextends: squad-leader\nchanges:\n"
        "  counter: {at: counters.unit.german-4-6-7, set: {firepower: {from: 3, to: 6}}, why: x}\n"
        "  cell: {at: tables.kill-number.as-successor, why: x, "
        "replace: [0, 1, 2, 3, 4, {from: 4, to: 6}, 6, 7, 8, 9, 10, 11, 12, 13]}\n"
        "  new: {at: tables.drm.luck, add: {add: {from: -1, to: 1}}, why: x}\n"
        "goals: {sl-broken-target: {eliminated of r1: 0% to 100%}}\n"
    )
    found = told(f"tune {tmp_path / 'probe.yaml'}")
    ranges = found["ranges"]
    assert isinstance(ranges, list)
    assert [one["was"] for one in ranges] == [4, 5, None]
    assert settings(found)[0] == [4, 5, 0] and len(settings(found)) == 4 * 3 * 3
    tried = found["tried"]
    assert isinstance(tried, list)
    drm = {(one["values"][1], one["values"][2]): one["figures"][0]["exact"] for one in tried if one["values"][0] == 4}
    for (kill, luck), exact in drm.items():  # a double looks one column lower, which kills on 4
        faces = product(range(1, 7), repeat=2)
        assert Fraction(exact) == Fraction(sum(a + b - 2 + luck <= (4 if a == b else kill) for a, b in faces), 36)


SCORE = """\
ruleset: score
language: 1
start: bout
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side}, noted: {score: {is: 0 to 9, default: 0}}, rolled: {luck: d6}}
tables: {mod: {about: side, adds-up: {luck: {add: luck}, bonus: {side: attacker, add: 1}}}}
sequences: {bout: {in-order: {roll: {each: side, roll: luck}, count: {each: side, do: set score to mod}}}}
outcomes: {about: side, words: [well, hurt], first-of: {hurt: {when: score of enemy is more than score, is: hurt}}, otherwise: well}
strength-lost: {about: side, is: 0}
"""


def test_a_value_with_which_a_number_leaves_its_range_is_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "game/ruleset.yaml": SCORE,
        "game/examples/one.yaml": "example: one\nsituation: {fight: {attacker: x}, sides: {x: {}, y: {}}}\nchances: {outcomes of x is hurt: 5/18}\n",
        "v.yaml": "variant: v\ntitle: V\nextends: ./game\nchanges:\n  c: {at: tables.mod.bonus, set: {add: {from: -3, to: 6}}, was: {add: 1}, why: to see}\n"
        "goals: {one: {outcomes of x is hurt: at most 30%}}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    hurt = {
        bonus: Fraction(sum(y > x + bonus for x, y in product(range(1, 7), repeat=2)), 36)
        for bonus in range(-3, 7)
        if 1 + bonus >= 0 and 6 + bonus <= 9
    }
    assert {*map(tuple, settings(told("tune v.yaml")))} == {(bonus,) for bonus, by in hurt.items() if by <= Fraction(3, 10)}
