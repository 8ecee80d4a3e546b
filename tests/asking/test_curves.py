"""The curve that rows of a sweep make, read back from their file."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from closecombat.asking.sweeps.curves import read_curve
from closecombat.cli.main import main
from closecombat.text.faults import Faulty
from sweeps import hits, written

PLAN = """\
sweep: curve
fights: ./fight.yaml
vary:
  number of r: 1 to 2
  number of b: 1 to 3
  ground: [open, wood]
ask: [place]
ratio: red to blue
"""


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, PLAN)
    for form in ("csv", "jsonl"):
        assert run(f"sweep plan.yaml -o curve.{form} --jobs 1").exit_code == 0
    return tmp_path


def test_each_ratio_has_its_chance(folder: Path) -> None:
    curve = read_curve("curve.csv")
    assert (curve.name, curve.of, curve.against, curve.systems, curve.without) == (
        "curve",
        "red",
        "blue",
        ["./duel.yaml"],
        0,
    )
    of_ratio: dict[Fraction, list[Fraction]] = {}
    for red in (1, 2):
        for blue in (1, 2, 3):
            for wood in (False, True):
                chance = hits(5, red, wood) * (1 - hits(6, blue, wood))
                of_ratio.setdefault(Fraction(red, blue), []).append(chance)
    assert [one.ratio for one in curve.points] == sorted(of_ratio)
    for one in curve.points:
        chances = of_ratio[one.ratio]
        assert (one.situations, one.least, one.most) == (len(chances), min(chances), max(chances))
        assert one.mean == sum(chances) / len(chances)
    assert read_curve("curve.jsonl") == curve


def test_compare_shows_it(folder: Path) -> None:
    """By one to one: alone or two against two, in the open or in the wood: 5/18, 1/6; 1/3, 5/18."""
    shown = run("compare curve.csv")
    assert shown.exit_code == 0, shown.stderr
    line = next(line for line in shown.stdout.splitlines() if line.strip().startswith("1 to 1"))
    assert line.split() == ["1", "to", "1", "26.39%", "(17%", "to", "33%)"]
    assert "the chance that red holds the place" in shown.stdout and "up to 4 situations" in shown.stdout
    found = json.loads(run("compare curve.csv -f json").stdout)
    schema = json.loads((Path(__file__).parents[2] / "schemas" / "compare.schema.json").read_text("utf-8"))
    assert not list(Draft202012Validator(schema).iter_errors(found))
    assert [Fraction(one["ratio"]) for one in found["points"]] == [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), 1, 2]


def test_rows_without_a_result_are_counted(folder: Path) -> None:
    lines = Path("curve.csv").read_text("utf-8").splitlines()
    cells = lines[3].split(",")
    lines[3] = ",".join([*cells[:7], *[""] * (len(cells) - 9), "no-value", "so"])
    Path("curve.csv").write_text("\n".join(lines[:1] + lines[:0:-1]) + "\n", "utf-8")
    assert read_curve("curve.csv").without == 1
    assert "rows without a result: 1" in run("compare curve.csv").stdout


def test_the_curve_on_the_page_is_that_of_the_shipped_plan(tmp_path: Path) -> None:
    """Its second quarter, which is one system, since the others take their time."""
    page = (Path(__file__).parents[2] / "rulesets" / "sweeps" / "README.md").read_text("utf-8")
    lines = page.partition("```text\n")[2].partition("```")[0].splitlines()
    rows = tmp_path / "rows.csv"
    assert run(f"sweep how-many-squads -o {rows} --jobs 1 --shard 2/4").exit_code == 0
    shown = run(f"compare {rows} -r squad-leader").stdout.splitlines()[2:8]
    assert len(lines) == 6 and [line.split()[:1] for line in lines] == [line.split()[:1] for line in shown]
    for on_page, line in zip(lines[1:], shown[1:], strict=True):
        assert re.split(r"  +", on_page.strip())[2] == re.split(r"  +", line.strip())[1]


WRONG = [
    ("none.csv", None, "file-not-found", "none.csv"),
    ("plain.csv", "a,b\n1,2\n", "wrong-shape", "ratio: ONE to OTHER"),
    ("empty.csv", "", "wrong-shape", "no row has a result"),
    ("text.csv", "system,force ratio red to blue,red holds it\nasl,1,maybe\n", "wrong-shape", "maybe"),
    ("lines.jsonl", "{}\nx\n", "wrong-shape", "ratio: ONE to OTHER"),
    ("broken.jsonl", "x\n", "wrong-shape", "line 1"),
    ("binary.csv", b"\xff\xfe\x00\x01\n", "wrong-shape", "binary.csv"),
]


@pytest.mark.parametrize(("name", "text", "code", "word"), WRONG, ids=[name for name, *_ in WRONG])
def test_what_is_no_curve_is_said(folder: Path, name: str, text: str | bytes | None, code: str, word: str) -> None:
    if text is not None:
        Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Faulty) as refused:
        read_curve(name)
    assert refused.value.codes == {code}
    result = run(f"compare {name}")
    assert result.exit_code == 2 and word in result.stderr and "itself" not in result.stderr


def test_some_systems_only(folder: Path) -> None:
    assert run("compare curve.csv -r ./duel.yaml").exit_code == 0
    assert "did you mean `./duel.yaml`?" in run("compare curve.csv -r ./duels.yaml").stderr
    assert run("compare curve.csv --notes").exit_code == 2


def test_the_page_of_a_curve_has_every_mean_exactly(folder: Path) -> None:
    found = re.findall(r'title="([^"]+)"', run("compare curve.csv -f html").stdout)
    assert found == [str(one.mean) for one in read_curve("curve.csv").points]
