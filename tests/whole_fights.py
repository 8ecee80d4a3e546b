"""What the chances of a fight come to: asked of a system of `systems/`, or of a ruleset anywhere."""

from fractions import Fraction
from pathlib import Path

from closecombat.asking.exact.questions import ask_about
from closecombat.binding.load import load
from closecombat.playing.fight import fight
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

SYSTEMS = Path(__file__).parent / "systems"


def answers(system: str, situation: str, *questions: str) -> list[dict[object, Fraction]]:
    """The answers to some questions, each by itself; `system` is a name, or a path."""
    text = f"situation: {situation}\n"
    found = ask_about(fight(load(str(SYSTEMS / system)), as_mapping(parse(Source("a fight", text)))), questions)
    return [dict(one.chances) for one in found.answers]
