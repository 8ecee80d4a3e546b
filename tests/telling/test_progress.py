"""How far a long piece of work is: elsewhere than on a terminal one line, and only once it takes a while."""

import sys
from io import StringIO

import click
import pytest

from closecombat.cli.common import at_work, emit
from closecombat.telling import progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "said"), [(float("inf"), []), (-1, ["still at work: 1 of 3 files"])])
def test_elsewhere_than_on_a_terminal_it_is_said_once(
    monkeypatch: pytest.MonkeyPatch, patience: float, said: list[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setattr(progress, "BREATH", -1)
    heard: list[str] = []
    one = progress.Progress(lambda text, _: heard.append(text))
    one.at(1, 3, 0)
    one.at(2, 3, 0)
    one.done()
    assert heard == said


def test_on_a_terminal_a_result_does_not_go_on_behind_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1)
    monkeypatch.setattr(progress, "BREATH", -1)
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    with click.Context(click.Command("check")):
        one = at_work("")
        one.at(1, 3, 0)
        emit("no findings\n")
    line = "\r\033[K1 of 3 files "
    assert screen.getvalue() == f"{line}\r\033[Kno findings\n"


def test_two_that_come_to_it_at_once_say_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1)
    monkeypatch.setattr(progress, "BREATH", -1)
    heard: list[str] = []

    def say(text: str, _: bool) -> None:
        heard.append(text)
        if len(heard) < 3:
            one.at(2, 3, 0)  # as the clock would, meanwhile

    one = progress.Progress(say)
    one.at(1, 3, 0)
    assert heard == ["still at work: 1 of 3 files"]
