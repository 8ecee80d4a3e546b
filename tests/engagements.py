"""The shipped engagements compared, each once for all the tests that look at what comes out."""

from functools import cache
from pathlib import Path

from closecombat.asking.exact.answers import SIDES, UNITS, Ends
from closecombat.asking.fights.fight_files import Engagement, read_scene
from closecombat.asking.systems.compare import Comparison, Looking, compare_systems

FOLDER = Path(__file__).parents[1] / "rulesets" / "engagements"
NAMES = sorted(file.stem for file in FOLDER.glob("*.yaml"))
SLOW = {"squads-and-leader", "tank-with-escort"}  # whose units are not looked at one by one here


@cache
def told(name: str) -> Engagement:
    found = read_scene(name)
    assert isinstance(found, Engagement)
    return found


@cache
def compared(name: str) -> Comparison:
    return compare_systems(told(name), look=Looking(common_end=SIDES if name in SLOW else UNITS))


def shares(ends: Ends) -> dict[str, str]:
    """Every number of a common end that is not nought."""
    found = {f"{side} holds it": chance for side, chance in ends.place.held.items()}
    found |= {"contested": ends.place.contested, "nobody": ends.place.nobody}
    for side, end in ends.sides.items():
        found |= {f"{side} {fate}": share for fate, share in end.fates.items()}
        found[f"{side} strength lost"] = end.loss
    return {what: str(share) for what, share in found.items() if share}
