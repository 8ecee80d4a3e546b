"""Rows worked out: against sums in the head, once for those that are the same, and whatever fails is a row."""

import json
from concurrent.futures import Executor
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.asking.crews.batches import Alone
from closecombat.asking.sweeps import sweep as sweeps_of
from closecombat.asking.sweeps.grid import Grid, read_grid
from closecombat.asking.sweeps.sweep import Answer, Going, answered, share_of, swept
from closecombat.cli.main import main
from closecombat.text.faults import Faulty
from sweeps import FIGHT, hits, written


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path)


def all_rows(grid: Grid, crew: Alone | None = None) -> dict[int, Answer]:
    return dict(swept(grid, range(1, grid.rows + 1), crew or Alone()))


def test_every_row_is_what_it_should_be(folder: Path) -> None:
    grid = read_grid("plan.yaml")
    rows = all_rows(grid)
    assert list(rows) == list(range(1, 37))
    number = 0
    for needs in (4, 5, 6):
        for men in (1, 2, 3):
            for wood in (False, True):
                for harder in (False, True):
                    number += 1
                    red, blue = hits(needs, 1, wood, harder), hits(6, men, wood, harder)
                    found = dict(zip((column.name for column in grid.columns), rows[number].values, strict=True))
                    assert found == {
                        "red came": 1,
                        "blue came": men,
                        "force ratio red to blue": Fraction(1, men),
                        "red holds it": red * (1 - blue),
                        "blue holds it": blue * (1 - red),
                        "contested": (1 - red) * (1 - blue),
                        "held by nobody": red * blue,
                        "red is whole": 1 - blue,
                        "red is struck": blue,
                        "blue is whole": 1 - red,
                        "blue is struck": red,
                        "red loses": blue,
                        "blue loses": men * red,
                        "hit of red": blue,
                        "seen": red + blue,
                    }, number


def test_until_it_is_resolved(folder: Path) -> None:
    (folder / "plan.yaml").write_text(
        "sweep: p\nfights: ./fight.yaml\nuntil: resolved\nvary: {needs of red: [4, 7]}\nask: [place, hit of red]\n",
        "utf-8",
    )
    rows = all_rows(read_grid("plan.yaml"))
    red, blue = hits(4), hits(6)
    over = 1 - (1 - red) * (1 - blue)
    assert rows[1].values[2:5] == (red * (1 - blue) / over, blue * (1 - red) / over, 0)
    assert (rows[1].values[6], rows[2].values[6]) == (blue / over, 1)


class Counting(Alone):
    """Counts what is worked out."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[int] = []
        self.executor = _Noting(self.executor, self.pieces)


class _Noting(Executor):
    def __init__(self, inner: Executor, pieces: list[int]) -> None:
        self.inner, self.pieces = inner, pieces

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.pieces += args[-1]
        return self.inner.submit(fn, *args, **kwargs)


def test_rows_that_say_the_same_are_worked_out_once(folder: Path) -> None:
    (folder / "plan.yaml").write_text(
        "sweep: p\nfights: ./fight.yaml\nvary:\n  needs of red: [4, 5]\n  colour: {grey: nothing, green: nothing, blue: nothing}\n"
        "  ground: [open, wood]\n  rain: {dry: nothing, wet: {deaf of r: yes}}\n",
        "utf-8",
    )
    grid, crew = read_grid("plan.yaml"), Counting()
    rows = all_rows(grid, crew)
    assert (grid.rows, len(crew.pieces), grid.groups()[0].distinct) == (24, 8, 8)
    for number, answer in rows.items():
        assert answer.values == rows[(number - 1) // 12 * 12 + (number - 1) % 4 + 1].values  # whatever the colour


def test_what_is_unsaid_is_the_same_as_what_it_is_then(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "plan.yaml").write_text(
        "sweep: p\nfights: ./fight.yaml\nvary:\n  deaf of r: [no, yes]\n  how: {silent: nothing, said: {deaf of b: no, option trees: counts}}\n",
        "utf-8",
    )
    worked_out, before = [], sweeps_of.values
    monkeypatch.setattr(sweeps_of, "values", lambda *given: worked_out.append(given) or before(*given))
    rows = all_rows(read_grid("plan.yaml"))
    assert rows[1] == rows[2] and rows[3] == rows[4] and rows[1] != rows[3]
    assert len(worked_out) == 2


def test_a_place_varies_under_one_heading(folder: Path) -> None:
    """Else a row would be called by what another heading undoes."""
    (folder / "plan.yaml").write_text(
        "sweep: p\nfights: ./fight.yaml\nvary:\n  ground: [open, wood]\n  rain: {dry: {ground: open}, wet: {ground: wood}}\nask: [hit of blue]\n",
        "utf-8",
    )
    with pytest.raises(Faulty) as caught:
        read_grid("plan.yaml")
    assert caught.value.codes == {"duplicate-id"}


def test_a_situation_that_fails_is_a_row(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (folder / "duel.yaml").read_text("utf-8")
    (folder / "duel.yaml").write_text(
        text.replace("{add: needs}", "{add: needs / (number of men - 2) rounded up}"), "utf-8"
    )
    plan = "sweep: p\nfights: ./fight.yaml\nvary: {number of b: [1, 2], deaf of r: [no, yes]}\nask: [hit of blue]\n"
    (folder / "plan.yaml").write_text(plan, "utf-8")
    rows = all_rows(read_grid("plan.yaml"))
    assert [rows[number].code for number in (1, 2, 3, 4)] == ["", "", "no-value", "no-value"]
    assert rows[3].values == (None,) and rows[3].message

    def broken(*_: object) -> None:
        raise TypeError("something of ours")

    monkeypatch.setattr(sweeps_of, "values", broken)
    (folder / "fight.yaml").write_text(FIGHT + "# anew\n", "utf-8")
    rows = all_rows(read_grid("plan.yaml"))
    assert {(answer.code, answer.message) for answer in rows.values()} == {
        ("fault-of-the-program", "TypeError: something of ours")
    }


def test_how_far_it_is_and_how_long_the_rest_takes(folder: Path) -> None:
    axes = "".join(f"  needs of {side}: 1 to 9\n" for side in ("red", "blue"))
    (folder / "plan.yaml").write_text(
        f"sweep: p\nfights: ./fight.yaml\nvary:\n{axes}  number of b: 1 to 3\nask: [hit of red]\n", "utf-8"
    )
    said: list[Going] = []
    grid = read_grid("plan.yaml")
    rows = list(swept(grid, range(1, grid.rows + 1), Alone(), said.append))
    assert [number for number, _ in rows] == list(range(1, 244))
    assert all(one.rows == 243 and one.left_ns is not None for one in said)
    assert [one.done for one in said] == sorted(one.done for one in said)
    assert (said[-1].done, said[-1].worked_out, said[-1].left_ns) == (243, 243, 0)
    assert said[2].left_ns is not None and said[2].left_ns > 0


@pytest.mark.parametrize(("rows", "parts"), [(36, 16), (5, 7), (100, 1), (100_001, 3)])
def test_shares_are_all_of_it_once(rows: int, parts: int) -> None:
    shares = [share_of(rows, part, parts) for part in range(1, parts + 1)]
    assert [number for share in shares for number in share] == list(range(1, rows + 1))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


@pytest.mark.parametrize("row", [3, 12, 13, 19])
def test_a_row_of_the_shipped_plan_is_what_compare_says(folder: Path, row: int) -> None:
    """Its situation, printed as a file and asked anew by another command."""
    grid = read_grid("how-many-squads")
    runner = CliRunner()
    situation = runner.invoke(main, ["sweep", "how-many-squads", "--row", str(row)]).stdout
    system = grid.cell(row).told.called
    engagement = "engagement: x\nsystems:\n  " + system + ":\n"
    engagement += "".join(f"    {line}\n" for line in situation.splitlines() if not line.startswith("#"))
    ((answer, _),) = answered(grid, (row,))
    found = dict(zip((column.name for column in grid.columns), answer.values, strict=True))
    (folder / "x.yaml").write_text(engagement, "utf-8")
    (told,) = json.loads(runner.invoke(main, ["compare", "x.yaml", "-f", "json"]).stdout)["systems"]
    (folder / "y.yaml").write_text(situation, "utf-8")
    assert runner.invoke(main, ["check", "y.yaml"]).exit_code == 0
    place, sides = told["ends"]["place"], told["ends"]["sides"]
    assert found == {
        **{f"{side} came": Fraction(end["came"]) for side, end in sides.items()},
        "force ratio german to soviet": Fraction(sides["german"]["came"]) / Fraction(sides["soviet"]["came"]),
        **{f"{side} holds it": Fraction(held["probability"]) for side, held in place["held"].items()},
        "contested": Fraction(place["contested"]["probability"]),
        "held by nobody": Fraction(place["nobody"]["probability"]),
        **{f"{side} strength lost": Fraction(end["lost"]["share"]) for side, end in sides.items()},
    }


def test_a_situation_that_would_take_long_is_a_row_that_says_so(folder: Path) -> None:
    grid = read_grid("plan.yaml")
    rows = dict(swept(grid, range(1, 4), Alone(), most_work=1))
    assert {(answer.code, frozenset(answer.values)) for answer in rows.values()} == {("takes-long", frozenset([None]))}
    assert all("about 1 s" in answer.message for answer in rows.values())
