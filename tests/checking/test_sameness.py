"""Tables whose rows are written otherwise, from seeds: what is said to be the same is so for everything that can be
asked, reckoned out in plain Python; and enough of what is the same is seen."""

import random
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.checking.sameness import say_the_same

RULES = """\
ruleset: small
language: 1
start: nothing
kinds:
  unit: {given: {men: 0 to 4, tired: flag, shaken: flag}}
tables:
  worth:
    about: unit
"""
REST = "sequences: {nothing: {in-order: {rest: {each: unit, do: lose tired}}}}\n"
World = Mapping[str, int]
CONDITIONS: Mapping[str, Callable[[World], bool]] = {
    "tired": lambda world: bool(world["tired"]),
    "not tired": lambda world: not world["tired"],
    "shaken": lambda world: bool(world["shaken"]),
    "tired or shaken": lambda world: bool(world["tired"] or world["shaken"]),
    "tired and not shaken": lambda world: bool(world["tired"] and not world["shaken"]),
    "shaken and not tired": lambda world: bool(world["shaken"] and not world["tired"]),
    "men is at least 2": lambda world: world["men"] >= 2,
    "men is at least 3": lambda world: world["men"] >= 3,
    "men is 2": lambda world: world["men"] == 2,
    "men is less than 2": lambda world: world["men"] < 2,
    "men is 2 or men is at least 3": lambda world: world["men"] >= 2,
}
WORLDS = [dict(zip(("men", "tired", "shaken"), values, strict=True)) for values in product(range(5), (0, 1), (0, 1))]
Row = tuple[str, int]


def worth(policy: str, rows: list[Row], world: World) -> int:
    said = [value for condition, value in rows if CONDITIONS[condition](world)]
    return sum(said) if policy == "adds-up" else said[0] if policy == "first-of" and said else int(bool(said))


def bound(folder: Path, policy: str, rows: list[Row]) -> Bound:
    verb = {"adds-up": "add: {}", "first-of": "is: {}", "forbidden-if": "says: so it is {}"}[policy]
    lines = [f"      r{at}: {{when: {when}, {verb.format(value)}}}" for at, (when, value) in enumerate(rows)]
    otherwise = "    otherwise: 0\n" if policy == "first-of" else ""
    file = folder / "small.yaml"
    file.write_text(f"{RULES}    {policy}:\n" + "\n".join(lines) + f"\n{otherwise}{REST}", "utf-8")
    return load(str(file))


@pytest.mark.parametrize("policy", ["adds-up", "first-of", "forbidden-if"])
def test_what_is_said_to_be_the_same_is_so(tmp_path: Path, policy: str) -> None:
    dice, proved, alike = random.Random(7), 0, 0
    for _ in range(60):
        one, two = (
            [(dice.choice(list(CONDITIONS)), dice.randint(1, 2)) for _ in range(dice.randint(1, 3))] for _ in "ab"
        )
        if dice.random() < 0.4:
            two = dice.sample(one, len(one))
        left, right = bound(tmp_path, policy, one), bound(tmp_path, policy, two)
        ids = {f"r{at}" for at in range(3)}
        is_same = all(worth(policy, one, world) == worth(policy, two, world) for world in WORLDS)
        said = say_the_same(left, right, "worth", ids)
        assert is_same or not said, (one, two)
        proved, alike = proved + said, alike + is_same
    assert alike > 10 and proved == alike
