"""Which roll of a small fight led where, as text and as JSON; as a page it is in `chances_page`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rich.console import RenderableType

from closecombat.asking.exact.tree import Leaf, Node, Throw, said_of
from closecombat.telling.page import amount, clean, heading, json_chance, json_value, percent


def node_object(node: Node) -> dict[str, object]:
    if isinstance(node, Leaf):
        return {"sides": dict(node.sides), "lost": {side: json_value(value) for side, value in node.lost}}
    return {
        "roll": node.what,
        "falls": [
            {"shows": shows, **json_chance(chance), "then": node_object(after)}
            for shows, chance, after in falls_of(node)
        ],
    }


def tree_parts(tree: Node | None) -> Iterable[RenderableType]:
    """Which roll led where, each throw further to the right."""
    yield ""
    yield heading("Which roll led where")
    if tree is None:
        yield "this fight has more falls than a tree can show"
        return
    yield from _branches(tree, 0)


def _branches(node: Node, depth: int) -> Iterable[RenderableType]:
    indent = "    " * depth
    if isinstance(node, Leaf):
        yield f"{indent}-> {leaf_text(node)}"
        return
    for shows, part, after in falls_of(node):
        yield f"{indent}{clean(node.what)} {shows}  {percent(part)}"
        yield from _branches(after, depth + 1)


def leaf_text(leaf: Leaf) -> str:
    lost = dict(leaf.lost)
    said = (f"{side} {word}" + (f", {amount(lost[side])} lost" if lost.get(side) else "") for side, word in leaf.sides)
    return clean("; ".join(said))


def falls_of(node: Throw) -> Iterable[tuple[str, Fraction, Node]]:
    """The branches of a throw: what it shows in words, how likely that is, and what follows."""
    among = [fall for falls, _, _ in node.branches for fall in falls]
    for falls, part, after in node.branches:
        yield said_of(falls, among), part, after
