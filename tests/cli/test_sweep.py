"""The command `sweep` as it is run: killed and gone on with, by one process or several, by a cluster that loses a worker."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.cli.main import main
from sweeps import PLAN, written

ROOT = Path(__file__).parents[2]
LONG = """\
sweep: long
fights: ./fight.yaml
vary:
  needs of red: 1 to 9
  needs of blue: 1 to 9
  number of b: 1 to 3
ask: [place, hit of red]
"""
PATIENCE = 120  # seconds, for a machine that has much else to do


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    (tmp_path / "long.yaml").write_text(LONG, "utf-8")
    return tmp_path


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def begun(line: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    command = [sys.executable, *line.split()]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


def until(so: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Waits, however long a busy machine needs."""
    end = time.monotonic() + PATIENCE
    while not so() and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.02)


def lines(file: str) -> int:
    return Path(file).read_bytes().count(b"\n") if Path(file).exists() else 0


# ---- in one line ------------------------------------------------------------------------------------------

FINE = [
    ("sweep plan.yaml", "36 situations needs of red 4, 5, 6 force ratio red to blue", ""),
    ("sweep plan.yaml -o rows.csv --jobs 1", "", "36 rows in rows.csv"),
    ("sweep plan.yaml -o rows.jsonl --shard 2/3 --jobs 1", "", "12 rows"),
    ("sweep plan.yaml --row 6", "# row 6 of plans ruleset: duel.yaml+ friend: b-2 number of b: 2", ""),
    ("sweep how-many-squads", "24 situations", ""),
    ("list sweeps", "how-many-squads", ""),
    ("check plan.yaml", "", "no findings"),
]
REFUSED = [
    ("sweep nowhere", "file-not-found how-many-squads"),
    ("sweep how-many-squad", "did you mean `how-many-squads`?"),
    ("sweep fight.yaml", "missing-key `sweep:`"),
    ("sweep plan.yaml -o rows.txt", "wrong-shape .csv"),
    ("sweep plan.yaml -o rows.csv --shard 4/3", "--shard 3/16"),
    ("sweep plan.yaml -o rows.csv --shard 0/3", "--shard 3/16"),
    ("sweep plan.yaml -o rows.csv --shard third", "--shard 3/16"),
    ("sweep plan.yaml --row 37", "36 rows"),
    ("sweep huge.yaml -o rows.csv", "budget-exceeded this plan asks for 3,000,000 situations --yes --shard"),
    ("sweep plan.yaml -o fight.yaml", "cannot be written"),
    ("sweep plan.yaml -o rows.csv --jobs 2 --scheduler tcp://localhost:1", "--jobs --scheduler"),
]


@pytest.mark.parametrize(("line", "out", "err"), FINE, ids=[line for line, _, _ in FINE])
def test_a_command_does_its_job(folder: Path, line: str, out: str, err: str) -> None:
    result = run(line)
    assert result.exit_code == 0, result.stderr
    assert not [word for word in out.replace("plans", "duels").split() if word not in result.stdout], result.stdout
    assert not [word for word in err.split() if word not in result.stderr], result.stderr


@pytest.mark.parametrize(("line", "err"), REFUSED, ids=[line for line, _ in REFUSED])
def test_what_cannot_be_done_is_said(folder: Path, line: str, err: str) -> None:
    days, hours = (", ".join(f"v{n}: nothing" for n in range(number)) for number in (10_000, 50))
    huge = f"sweep: huge\nfights: ./fight.yaml\nvary:\n  day: {{{days}}}\n  needs of red: 1 to 6\n  hour: {{{hours}}}\n"
    if "huge" in line:
        (folder / "huge.yaml").write_text(huge, "utf-8")
    result = run(line)
    assert result.exit_code == 2 and not result.stdout
    assert not [word for word in err.split() if word not in result.stderr], result.stderr
    assert not Path("rows.csv").exists()


def test_what_has_no_result_is_said(folder: Path) -> None:
    text = (folder / "duel.yaml").read_text("utf-8")
    (folder / "duel.yaml").write_text(
        text.replace("{add: needs}", "{add: needs / (number of men - 2) rounded up}"), "utf-8"
    )
    result = run("sweep plan.yaml -o rows.csv --jobs 1")
    assert (result.exit_code, "36 rows in rows.csv, 6 of them without a result: no-value 6" in result.stderr) == (
        0,
        True,
    )


# ---- the same rows ----------------------------------------------------------------------------------------


def test_processes_and_shares_make_the_same_file(folder: Path) -> None:
    assert run("sweep plan.yaml -o one.jsonl --jobs 1").exit_code == 0
    assert run("sweep plan.yaml -o two.jsonl --jobs 2").exit_code == 0
    for part in (1, 2, 3):
        assert run(f"sweep plan.yaml -o {part}.jsonl --jobs 1 --shard {part}/3").exit_code == 0
    one = Path("one.jsonl").read_bytes()
    assert Path("two.jsonl").read_bytes() == one
    assert b"".join(Path(f"{part}.jsonl").read_bytes() for part in (1, 2, 3)) == one


def test_an_example_and_a_fight_that_is_none_are_rows_too(folder: Path) -> None:
    (folder / "both.yaml").write_text(
        "sweep: both\nfights: [lone-leader, broken-squad-caught]\nsystems: [assault, squad-leader]\n", "utf-8"
    )
    assert run("sweep both.yaml -o both.jsonl --jobs 1").exit_code == 0
    rows = [json.loads(line) for line in Path("both.jsonl").read_text("utf-8").splitlines()]
    assert [(row["fight"], row["system"], row["code"]) for row in rows] == [
        ("lone-leader", "assault", "no-such-fight"),
        ("lone-leader", "squad-leader", None),
        ("broken-squad-caught", "assault", None),
        ("broken-squad-caught", "squad-leader", None),
    ]
    for row in rows[1:]:
        chances = json.loads(run(f"compare {row['fight']} -r {row['system']} -f json").stdout)["systems"][0]["ends"]
        assert row["contested"] == chances["place"]["contested"]["probability"]


# ---- killed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_and_gone_on_with(folder: Path, jobs: int) -> None:
    """Killed twice without warning, half a line behind the last: in the end every row is there once."""
    kills = 0
    for _ in range(2):
        before = lines("rows.csv")
        process = begun(f"-m closecombat sweep long.yaml -o rows.csv --jobs {jobs}")
        until(lambda before=before: lines("rows.csv") > max(before, 1), process)
        kills += process.poll() is None
        process.kill()
        process.communicate(timeout=PATIENCE)
        with open("rows.csv", "ab") as stream:
            stream.write(b"77,half a li")
    result = run("sweep long.yaml -o rows.csv --jobs 1")
    assert result.exit_code == 0 and "rows are there already" in result.stderr
    assert run("sweep long.yaml -o whole.csv --jobs 1").exit_code == 0
    assert Path("rows.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert lines("whole.csv") == 244 and kills


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is no signal")
def test_control_c(folder: Path) -> None:
    process = begun("-m closecombat sweep long.yaml -o rows.csv --jobs 2")
    until(lambda: lines("rows.csv") > 1, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    if process.returncode:
        assert process.returncode == 130
        assert f"interrupted after {lines('rows.csv') - 1:,} of 243 rows; the same command goes on" in err.decode()


# ---- a cluster --------------------------------------------------------------------------------------------


def test_a_cluster_that_loses_a_worker_and_its_scheduler(folder: Path) -> None:
    pytest.importorskip("distributed")
    processes = [begun("-m distributed.cli.dask_scheduler --port 0 --no-dashboard --scheduler-file s.json")]
    try:
        until(lambda: Path("s.json").exists() and bool(Path("s.json").read_text("utf-8")), processes[0])
        address = json.loads(Path("s.json").read_text("utf-8"))["address"]
        for _ in range(2):
            processes.append(begun(f"-m distributed.cli.dask_worker {address} --nthreads 1 --no-nanny --no-dashboard"))
        sweep = begun(f"-m closecombat sweep long.yaml -o rows.csv --scheduler {address}")
        processes.append(sweep)
        until(lambda: lines("rows.csv") > 1, sweep)
        processes[1].kill()
        _, err = sweep.communicate(timeout=PATIENCE)
        assert sweep.returncode == 0, err.decode()
        sweep = begun(f"-m closecombat sweep long.yaml -o left.csv --scheduler {address}")
        processes.append(sweep)
        until(lambda: lines("left.csv") > 1, sweep)
        processes[0].kill()
        _, err = sweep.communicate(timeout=PATIENCE)
        assert sweep.returncode == 0 or (sweep.returncode == 2 and "is gone" in err.decode()), err.decode()
    finally:
        for process in processes:
            process.kill()
            process.communicate(timeout=PATIENCE)
    assert run("sweep long.yaml -o left.csv --jobs 1").exit_code == 0
    assert run("sweep long.yaml -o whole.csv --jobs 1").exit_code == 0
    whole = Path("whole.csv").read_bytes()
    assert Path("rows.csv").read_bytes() == whole and Path("left.csv").read_bytes() == whole


def test_nobody_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("closecombat.asking.crews.cluster.PATIENCE", "1 s")
    (folder / "plan.yaml").write_text(PLAN, "utf-8")
    result = run("sweep plan.yaml -o rows.csv --scheduler tcp://127.0.0.1:1")
    assert result.exit_code == 2 and "no scheduler answers" in result.stderr
