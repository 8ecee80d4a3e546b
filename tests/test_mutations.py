"""A few of the mutations of `mutations.py`, and the same bytes whether or not Python runs its own checks."""

import subprocess
import sys
from pathlib import Path

import pytest

from mutations import SECONDS, Subject, desk_of_files, tried

ROOT = Path(__file__).parents[1]
SEEDS = range(8)
RAID, PUSH = "trench-raid/examples/night.yaml", "pike-and-card/examples/even-push.yaml"
COMMANDS = (
    ["check", "trench-raid", "pike-and-card", "rear-guard", "war-band"],
    ["test", "trench-raid", "pike-and-card", "rear-guard"],
    ["resolve", RAID, "--dice", "4,1,2,5,5"],
    ["resolve", RAID, "--dice", "4,1,2,5"],
    ["chances", RAID, "--by", "sides", "--until", "resolved"],
    ["chances", PUSH, "-f", "json"],
    ["compare", RAID, "-r", "trench-raid"],
)


def small(subjects: list[Subject]) -> list[Subject]:
    return [one for one in subjects if one.seconds == SECONDS and not one.file.startswith("our-")]


@pytest.fixture(scope="module")
def desk():
    with desk_of_files() as (folder, subjects):
        yield folder, small(subjects)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutation_is_told_in_words_and_contradicts_nothing(desk, seed):
    case = tried(*desk, seed)
    assert case.wrong == [], f"{case.file}: {case.change}"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_bytes_without_the_checks_of_python(desk, command):
    usual, optimised = (
        subprocess.run(
            [sys.executable, *flags, "-m", "closecombat", *command],
            cwd=desk[0],
            env={"PYTHONPATH": str(ROOT / "interpreter"), "PATH": ""},
            capture_output=True,
            check=False,
        )
        for flags in ([], ["-O"])
    )
    assert (optimised.returncode, optimised.stdout) == (usual.returncode, usual.stdout)
    said = [[line for line in each.stderr.splitlines() if b"still at work" not in line] for each in (optimised, usual)]
    assert said[0] == said[1]  # but for how far a slow machine was
