"""Rows in files: what a line holds, what a torn one loses, what is refused, and Parquet."""

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from closecombat.asking.crews.batches import Alone
from closecombat.asking.sweeps.grid import Grid, read_grid
from closecombat.asking.sweeps.sweep import Answer, swept
from closecombat.telling.row_files import RowFile, ending, header
from closecombat.text.faults import Faulty
from sweeps import PLAN, written


@pytest.fixture
def grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grid:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, PLAN.replace("needs of red: 4 to 6", "needs of red: [4]"))
    return read_grid("plan.yaml")


def put(grid: Grid, file: str, numbers: range | None = None, at_most: int = 10**6) -> int:
    """Goes on with a file for so many rows; how many were there."""
    numbers = range(1, grid.rows + 1) if numbers is None else numbers
    with RowFile(file, grid, numbers) as rows:
        before = rows.done
        for _, (number, answer) in zip(range(at_most), swept(grid, numbers[before:], Alone()), strict=False):
            rows.write(number, answer)
    return before


def read(file: str) -> list[dict[str, str]]:
    with open(file, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_row_holds_exact_numbers_and_rounded_ones(grid: Grid) -> None:
    put(grid, "rows.csv")
    put(grid, "rows.jsonl")
    rows = read("rows.csv")
    assert [row["row"] for row in rows] == [str(number) for number in range(1, 13)]
    assert {row["plan"] for row in rows} == {grid.digest}
    third = rows[2]
    assert (third["fight"], third["system"], third["ground"], third["with ./harder.yaml"]) == (
        "a-duel",
        "./duel.yaml",
        "wood",
        "no",
    )
    assert (third["red holds it"], third["red holds it %"]) == ("1/3", str(float(Fraction(100, 3))))
    assert (third["seen"], third["seen rounded"], third["code"], third["message"]) == ("1/3", str(1 / 3), "", "")
    lines = [json.loads(line) for line in Path("rows.jsonl").read_text("utf-8").splitlines()]
    assert [{name: "" if cell is None else str(cell) for name, cell in line.items()} for line in lines] == rows
    assert list(lines[0]) == header(grid)
    assert lines[2]["red holds it %"] == float(Fraction(100, 3)) and lines[2]["row"] == 3


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file_cut_anywhere_is_gone_on_with(grid: Grid, form: str) -> None:
    """Nothing is lost, nothing is there twice, wherever it was cut."""
    put(grid, f"whole.{form}")
    whole = Path(f"whole.{form}").read_bytes()
    ends = {place + 1 for place, byte in enumerate(whole) if byte == 10}
    lines = len(whole.split(b"\n")) - 1 - (form == "csv")
    for cut in sorted({*range(0, len(whole), 97), *ends, *(end - 1 for end in ends), *(end + 1 for end in ends)}):
        if cut > len(whole):
            continue
        part = Path(f"part.{form}")
        part.write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n") - (form == "csv" and b"\n" in whole[:cut])
        assert put(grid, str(part)) == kept
        assert part.read_bytes() == whole
    assert lines == 12


OTHERS = [
    ("csv", lambda text: text.replace("row,plan", "row,plans", 1), "other columns"),
    ("csv", lambda text: text.replace("\n2,", "\n3,", 1), "row 3 stands where 2 should"),
    ("csv", lambda text: text.replace("\n1,", "\nx", 1), "row"),
    ("csv", lambda text: text + "\n\n", "plan none"),
    ("csv", lambda text: text + text.splitlines()[-1] + "\n", "no more should"),
    ("csv", lambda text: text.replace("\n5,", "\n5,0", 1), "of plan 0"),
    ("jsonl", lambda text: text.replace('{"row": 2', '{"row": 1', 1), "row 1 stands where 2 should"),
    ("jsonl", lambda text: "[1]\n" + text, "plan none"),
    ("jsonl", lambda text: "hello\n" + text, "plan none"),
    ("jsonl", lambda text: "\x00" * 50 + "\n" + text, "plan none"),
]


@pytest.mark.parametrize(("form", "other", "why"), OTHERS, ids=[f"{form} {why}" for form, _, why in OTHERS])
def test_what_is_not_its_own_is_left_alone(grid: Grid, form: str, other: object, why: str) -> None:
    put(grid, f"rows.{form}")
    file = Path(f"rows.{form}")
    assert callable(other)
    file.write_text(other(file.read_text("utf-8")), "utf-8")
    before = file.read_bytes()
    with pytest.raises(Faulty) as refused:
        put(grid, str(file))
    assert refused.value.codes == {"other-plan"} and why in str(refused.value)
    assert file.read_bytes() == before


def test_another_plan_does_not_go_on(grid: Grid, tmp_path: Path) -> None:
    put(grid, "rows.csv", at_most=4)
    put(grid, "share.csv", range(5, 8))
    (tmp_path / "plan.yaml").write_text((tmp_path / "plan.yaml").read_text("utf-8") + "note: changed\n", "utf-8")
    with pytest.raises(Faulty) as refused:
        put(read_grid("plan.yaml"), "rows.csv")
    assert refused.value.codes == {"other-plan"}
    with pytest.raises(Faulty) as refused:
        put(grid, "share.csv")
    assert "row 5 stands where 1 should" in str(refused.value)
    assert put(grid, "rows.csv") == 4
    assert len(read("rows.csv")) == 12


def test_two_at_once_do_not_write_one_file(grid: Grid) -> None:
    with RowFile("rows.csv", grid, range(1, 13)), pytest.raises(Faulty) as refused:
        put(grid, "rows.csv")
    assert "another sweep" in str(refused.value)


def test_shares_together_are_the_whole(grid: Grid) -> None:
    put(grid, "whole.jsonl")
    for number, share in enumerate((range(1, 5), range(5, 6), range(6, 13))):
        put(grid, f"{number}.jsonl", share)
    assert b"".join(Path(f"{number}.jsonl").read_bytes() for number in range(3)) == Path("whole.jsonl").read_bytes()


def test_a_message_is_one_line(grid: Grid) -> None:
    with RowFile("rows.csv", grid, range(1, 2)) as rows:
        rows.write(1, Answer((None,) * len(grid.columns), "no-value", 'first\nthen, "so"\r\n'))
    assert Path("rows.csv").read_bytes().count(b"\n") == 2
    assert read("rows.csv")[0]["message"] == 'first then, "so"'


def test_a_number_too_long_to_be_read_again(grid: Grid) -> None:
    long, longest = Fraction(1, 10**3900 + 1), Fraction(10**4000, 10**4000 + 1)
    column = [column.name for column in grid.columns].index("seen")
    with RowFile("rows.csv", grid, range(1, 3)) as rows:
        for number, value in ((1, long), (2, longest)):
            rows.write(number, Answer(tuple(value if place == column else None for place in range(len(grid.columns)))))
    first, second = read("rows.csv")
    assert Fraction(first["seen"]) == long and not first["message"]
    assert (second["seen"], second["seen rounded"]) == ("", "1.0") and "4,000 digits" in second["message"]


def test_parquet_is_made_when_all_rows_are_there(grid: Grid) -> None:
    table = pytest.importorskip("pyarrow.parquet").read_table
    put(grid, "rows.csv")
    assert put(grid, "rows.parquet", at_most=5) == 0
    assert not Path("rows.parquet").exists()
    assert put(grid, "rows.parquet") == 5
    assert put(grid, "rows.parquet") == 12
    found = table("rows.parquet").to_pylist()
    assert not Path("rows.parquet.rows").exists()
    assert [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in found] == read(
        "rows.csv"
    )
    assert all(isinstance(row["red holds it %"], float) and isinstance(row["row"], int) for row in found)
    with pytest.raises(Faulty) as refused:
        put(grid, "rows.parquet", range(1, 3))
    assert refused.value.codes == {"other-plan"}
    Path("no.parquet").write_bytes(b"PAR1" * 10)
    with pytest.raises(Faulty) as refused:
        put(grid, "no.parquet")
    assert refused.value.codes == {"other-plan"}


def test_a_page_is_made_when_all_rows_are_there(grid: Grid) -> None:
    put(grid, "rows.csv")
    assert put(grid, "rows.html", at_most=5) == 0
    assert not Path("rows.html").exists()
    assert put(grid, "rows.html") == 5
    assert put(grid, "rows.html") == 12
    assert not Path("rows.html.rows").exists()
    text = Path("rows.html").read_text("utf-8")
    asked = [column.name for column in grid.columns]
    wanted = [row[name] for row in read("rows.csv") for name in asked if not row["code"]]
    assert re.findall(r'<td class="number[^>]* title="([^"]*)"', text)[-len(wanted) :] == wanted
    with pytest.raises(Faulty) as refused:
        put(grid, "rows.html", range(1, 3))
    assert refused.value.codes == {"other-plan"}
    Path("no.html").write_text("<p>mine</p>", "utf-8")
    with pytest.raises(Faulty) as refused:
        put(grid, "no.html")
    assert refused.value.codes == {"other-plan"} and Path("no.html").read_text("utf-8") == "<p>mine</p>"


ENDINGS = [("rows.txt", "rows.txt"), ("rows", "rows"), ("rows.cvs", "did you mean `.csv`?")]


@pytest.mark.parametrize(("file", "word"), ENDINGS)
def test_the_name_of_the_file_says_its_form(file: str, word: str) -> None:
    with pytest.raises(Faulty) as refused:
        ending(file)
    assert word in "".join(fault.message + fault.help for fault in refused.value.diagnostics)
