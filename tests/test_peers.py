"""The benchmark `benchmarks/peers.py`: the engines agree, its JSON is as promised, and what is wrong is told."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parent / "benchmarks"
KEYS = {"workload", "regime", "engine", "seconds", "ratio_to_hand", "bytes"}


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    import peers

    return peers


def test_the_engines_agree_and_every_figure_is_told() -> None:
    asked = ["--quick", "--json", "--rounds", "1", "--engines", "closecombat", "--only", "w2,r3"]
    done = subprocess.run([sys.executable, BENCHMARKS / "peers.py", *asked], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert [(row["workload"], row["engine"], row["regime"]) for row in rows] == [
        (workload, engine, regime)
        for workload in ("w2", "r3")
        for engine in ("hand-written", "closecombat")
        for regime in ("whole", "first", "later")
    ]
    assert all(set(row) == KEYS and row["seconds"] > 0 and row["bytes"] > 1_000_000 for row in rows)
    assert all(row["ratio_to_hand"] == 1 for row in rows if row["engine"] == "hand-written")


def answers(**digests: str) -> Any:
    def ask(engine: str, workload: str, what: str, limit: float) -> dict[str, Any]:
        if what == "check":
            return {"digest": digests[engine.replace("-", "_")], "ready": False, "cost": 0.1}
        return {"seconds": {"whole": 2.0, "first": 2.0, "later": 1.0}, "bytes": 5_000_000}

    return ask


def run(peers: ModuleType, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["peers.py", "--rounds", "1", *arguments])
    found: int = peers.main()
    return found


def test_another_answer_is_not_timed_and_exits_1(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "ask", answers(hand_written="a", closecombat="b"))
    assert run(peers, monkeypatch, "--json", "--only", "w2", "--engines", "closecombat") == 1
    told = capsys.readouterr()
    assert told.err == "w2: closecombat has another answer\n"
    rows = [row for row in json.loads(told.out) if row["engine"] == "closecombat"]
    assert {(row["seconds"], row["why"]) for row in rows} == {(None, "another answer")}


def test_who_is_missing_and_who_is_faster_is_told(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "ask", answers(hand_written="a", closecombat="a", dyce="a"))
    monkeypatch.setattr(peers, "installed", lambda engine: "" if engine.name == "icepool" else "1.0")
    assert run(peers, monkeypatch, "--only", "w2", "--engines", "dyce,icepool") == 0
    told = capsys.readouterr().out
    assert "Not installed, so not measured: icepool." in told
    assert (
        "| w2       | 2,000 / 2,000 / 1,000 | 1 / 1 / 1   | 1 / 1 / 1 | 40 / 8 / 2 | nobody                  |" in told
    )


def test_a_distribution_is_the_same_whatever_its_weights_are_over(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contest import digest

    assert digest({(1,): 1, (2,): 2}) == digest({(2,): 4, (1,): 2, (3,): 0}) != digest({(1,): 2, (2,): 1})
    assert digest([1, 2]) != digest([2, 1])


@pytest.fixture
def growth(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    import growth

    return growth


def test_what_grows_begins(growth: ModuleType) -> None:
    """Every question of `benchmarks/growth.py` is one that is answered, where it is smallest."""
    begun = {name: growth.answered(series.question(series.sizes[0]), 60) for name, series in growth.SERIES.items()}
    assert {name: found["why"] for name, found in begun.items() if "why" in found} == {}


def test_how_a_series_grows(growth: ModuleType) -> None:
    found = [{"series": "row", "size": size, "seconds": size**2 / 10} for size in (1, 2, 4)]
    assert growth.power(found) == pytest.approx(2)
    assert growth.power(found[:1]) is None
    assert list(growth.table([*found, {"series": "row", "size": 8, "why": "more than 5 s"}]))[2:] == [
        "| dice a side, their difference asked | 1: 0.1, 2: 0.4, 4: 1.6, 8: more than 5 s | 0 MB | size^2.0 |"
    ]
