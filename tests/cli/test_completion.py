"""What a shell is offered where a name is typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def offered(line: str, folder: Path) -> list[str]:
    """What bash would offer for the last word of a line; `file` if it is left to look for files itself."""
    words = line.split(" ")
    asked = {"_CLOSECOMBAT_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    program = "import sys; from closecombat.cli.main import main; main(prog_name='closecombat')"
    told = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | asked, cwd=folder, capture_output=True, text=True, check=True
    )
    return [item.removeprefix("plain,").partition(",")[0] for item in told.stdout.split()]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("closecombat co", ["compare"]),
        ("closecombat check squ", ["squad-leader"]),
        ("closecombat compare farm", ["farmhouse"]),
        ("closecombat compare farmhouse -r sk", ["skirmish"]),
        ("closecombat sweep how", ["how-many-squads"]),
        ("closecombat explain rows-c", ["rows-clash"]),
        ("closecombat schema engage", ["engagement"]),
        ("closecombat list opt", ["options"]),
        ("closecombat chances duel -r asl+hand", ["asl+hand-to-hand"]),
        ("closecombat chances duel -r asl+hand-to-hand+hand", ["file"]),  # it is in the stack
        ("closecombat chances duel -r skirmish+hand", ["file"]),  # and none of skirmish's
        ("closecombat check nothing-of-that-name", ["file"]),
        ("closecombat diff my", ["my-game", "my-rule"]),
    ],
)
def test_what_a_shell_offers(line: str, names: list[str], tmp_path: Path) -> None:
    for file in ("my-game/ruleset.yaml", "my-rule/my-rule.yaml", "my-notes/notes.yaml"):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text("title: T\n")
    assert offered(line, tmp_path) == names
