"""How far a long piece of work is, where nobody sits at a terminal: one line, and only once it takes a while."""

import pytest

from closecombat.telling import progress


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
