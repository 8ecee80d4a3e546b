"""The tree of a small fight: its leaves are the chances, which are worked out another way; and its words."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from brawl import EVEN, Rules, chances, laid_down
from closecombat.asking.exact.tree import Leaf, Node, Throw, said_of, tree_of
from closecombat.asking.fights.fight_files import Scene, read_scene, ruleset_of, single, staged
from closecombat.playing.fight import Fight


def fight(name: str, stack: str) -> Fight:
    scene = single(read_scene(name), stack)
    assert isinstance(scene, Scene)
    return staged(scene, ruleset_of(scene, stack))


@pytest.fixture
def brawl(tmp_path: Path) -> Fight:
    """Two men and a die each."""
    laid_down(tmp_path, {"f/even.yaml": EVEN})
    return fight(str(tmp_path / "f" / "even.yaml"), str(tmp_path))


def chances_in(node: Node, chance: Fraction = Fraction(1)) -> Mapping[Leaf, Fraction]:
    """How likely each end is by the tree alone."""
    if isinstance(node, Leaf):
        return {node: chance}
    out: dict[Leaf, Fraction] = {}
    for _, part, after in node.branches:
        for leaf, each in chances_in(after, chance * part).items():
            out[leaf] = out.get(leaf, Fraction(0)) + each
    return out


def by_verdicts(found: Mapping[Leaf, Fraction]) -> dict[tuple[tuple[str, str], ...], Fraction]:
    out: dict[tuple[tuple[str, str], ...], Fraction] = {}
    for leaf, chance in found.items():
        out[leaf.sides] = out.get(leaf.sides, Fraction(0)) + chance
    return out


def test_the_leaves_are_the_chances_by_hand(brawl: Fight) -> None:
    tree = tree_of(brawl)
    assert isinstance(tree, Throw)
    found = by_verdicts(chances_in(tree))
    for (side, word), chance in chances(Rules(), {}, {}).items():
        if word not in ("down", "dazed"):
            assert sum(part for sides, part in found.items() if (side, word) in sides) == chance


def test_what_comes_to_the_same_is_one_branch(brawl: Fight) -> None:
    """A blow of 5 fells, and one of 4 dazes: three branches for each die."""
    tree = tree_of(brawl)
    assert isinstance(tree, Throw)
    shown = [said_of(falls, [(face,) for face in range(1, 7)]) for falls, _, _ in tree.branches]
    assert shown == ["1 to 3", "4", "5 to 6"]
    assert [chance for _, chance, _ in tree.branches] == [Fraction(1, 2), Fraction(1, 6), Fraction(1, 3)]
    assert all(isinstance(after, Throw) and len(after.branches) == 3 for _, _, after in tree.branches)


def test_a_fight_with_too_many_falls_has_none() -> None:
    assert tree_of(fight("farmhouse", "skirmish")) is None


TWO = [(one, two) for one in range(1, 7) for two in range(1, 7)]


@pytest.mark.parametrize(
    ("falls", "said"),
    [
        ([fall for fall in TWO if sum(fall) <= 5], "2 to 5"),
        ([fall for fall in TWO if sum(fall) in (2, 7, 8)], "2, 7 to 8"),
        ([(1, 2)], "1 2"),
        ([(1, 2), (2, 1)], "3"),
    ],
)
def test_falls_in_words(falls: list[tuple[int | str, ...]], said: str) -> None:
    assert said_of(falls, TWO) == said


def test_faces_that_are_no_numbers_are_told_one_by_one() -> None:
    hits = [("hit", "miss"), ("miss", "hit")]
    assert said_of(hits, [*hits, ("miss", "miss")]) == "hit miss, miss hit"
