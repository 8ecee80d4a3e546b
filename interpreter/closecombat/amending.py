"""Rows as a variant changes them: column by column, however short they are written."""

from __future__ import annotations

from closecombat.document import Listing, Mapping, Node, Text
from closecombat.source import Span
from closecombat.targets import Entry, Target


def opened(target: Target, node: Node, columns: tuple[Text, ...]) -> Node:
    """A row written short as the mapping that it stands for."""
    if columns and isinstance(node, Listing):
        return Mapping(tuple(zip(columns, node.items, strict=False)), node.span)
    short = {"kinds": "is" if target.row else "", "dice": "die"}.get(target.section, "")
    if short and not isinstance(node, Mapping):
        return Mapping(((Text(short, node.span, True, node.span), node),), node.span)
    return node


def with_columns(old: Mapping, wanted: Mapping, span: Span, listed: bool) -> Node:
    """The old columns with the wanted ones in their place."""
    entries = {key.value: (key, node) for key, node in old.entries}
    entries |= {key.value: (key, node) for key, node in wanted.entries}
    if listed:
        return Listing(tuple(node for _, node in entries.values()), span)
    return Mapping(tuple(entries.values()), span)


def span_of(entry: Entry) -> Span:
    """The key and its value, which stand in the same file."""
    return entry[0].span.to(entry[1].span)


def forms(target: Target, verb: str, node: Node, columns: tuple[Text, ...]) -> tuple[Node, ...]:
    """The ways in which `was` may write what stands there."""
    if verb == "option":
        default = node.get("default") if isinstance(node, Mapping) else None
        return (default or node,)
    if verb == "set":
        return (opened(target, node, columns),)
    return (opened(target, node, columns), node)
