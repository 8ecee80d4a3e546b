"""What is remembered of a chart is what it says if it is read again: over playings and chances of the shipped fights,
whose charts ask facts, sets, groups, moments, who is in play, and each other."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main
from closecombat.playing.memory import Memory
from closecombat.playing.run import Run
from closecombat.proving.values.symbolic import Sym


@pytest.mark.parametrize("system", ["asl", "squad-leader", "assault", "skirmish"])
@pytest.mark.parametrize(
    "ask",
    [("play", "--times", "6", "--seed", "5", "--jobs", "1"), ("chances", "--by", "sides")],
    ids=["played", "proved"],
)
def test_what_is_remembered_is_still_so(system: str, ask: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    again, read = [0], Run.table

    def checked(run: Run, name: str, args: tuple[Any, ...]) -> Any:
        known = run._recalled(name, args)
        if known is not None and run.recorder is None:
            again[0] += 1
            memory, run._memory = run._memory, Memory(run.bound)
            with run.aside():
                anew = run._by_closures(name, args)[0]
            run._memory = memory
            if type(known[0]) is Sym or type(anew) is Sym:
                assert type(known[0]) is type(anew), (name, args)
            else:
                assert known[0] == anew, (name, args)
        return read(run, name, args)

    monkeypatch.setattr(Run, "table", checked)
    command, *options = ask
    done = CliRunner().invoke(main, [command, "squads-and-leader", "-r", system, *options])
    assert done.exit_code == 0, done.output
    assert again[0] > 100
