"""Changes of a variant that do not say what they replace: where the base is corrected at that place, nobody is told;
and those that set what stands there already.

What `was:` should say is known, and so is where it goes: beneath what the change sets, or beside it in braces.
"""

from __future__ import annotations

from closecombat.reading.model import Change
from closecombat.reading.stack import Stack
from closecombat.reading.targets import columns_of, find
from closecombat.reading.variants import REMARKS, Step, opened
from closecombat.text.faults import Faults, Mend
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow, in_one_order
from closecombat.text.source import Span

WIDEST = 140
GUARDED = ("set", "replace", "remove")


def check_guarded(stack: Stack, faults: Faults) -> None:
    """Adds a warning of each change of the last variant of a stack that leaves out `was`, or changes nothing."""
    variant = stack.variants[-1]
    made = {change.id: change for change in stack.changes if change.variant == variant.name}
    for step in variant.steps:
        change = made.get(step.id)
        if step.verb not in GUARDED or change is None or change.old is None:
            continue
        was = _was(step, change, stack.document)
        if step.verb != "remove" and _alike(was, step.value) and in_one_order(was, step.value):
            said = f"the change `{step.id}` says of `{step.target.path}` what stands there already"
            faults.add("unused", said, step.value.span, severity="warning", help="take it out, or say what it is to be")
        if step.was is not None:
            continue
        said = f"`was: {flow(was)}`"
        faults.add(
            "was-left-out",
            f"the change `{step.id}` does not say what `{step.target.path}` was",
            step.verb_key.span,
            severity="warning",
            help=f"write {said}" if len(said) <= WIDEST else "write `was:` and what stands there now",
            mend=_mend(step, was),
        )


def _was(step: Step, change: Change, document: Mapping) -> Node:
    """What stands there now: of a row that is set the columns that are, if it has any of them."""
    old = change.old
    if old is None or step.verb != "set" or not isinstance(step.value, Mapping):
        return _unremarked(old) if old is not None else step.value
    keys = find(document, step.target)
    row = opened(step.target, old, columns_of(document, keys) if keys and isinstance(old, Listing) else ())
    if not isinstance(row, Mapping):
        return row
    told = tuple(entry for entry in row.entries if entry[0].value in step.value)
    return Mapping(told, row.span) if told else _unremarked(row)


def _alike(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, but for the order in which their keys stand."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        both = zip(sorted(one.entries, key=_key), sorted(other.entries, key=_key), strict=False)
        return len(one.entries) == len(other.entries) and all(
            key.value == its.value and _alike(here, there) for (key, here), (its, there) in both
        )
    return flow(one) == flow(other)


def _key(entry: tuple[Text, Node]) -> str:
    return entry[0].value


def _unremarked(node: Node) -> Node:
    """Without what `was` may leave out."""
    match node:
        case Mapping(entries):
            kept = tuple((key, _unremarked(value)) for key, value in entries if key.value not in REMARKS)
            return Mapping(kept or entries, node.span)
        case Listing(items):
            return Listing(tuple(map(_unremarked, items)), node.span)
    return node


# ---- where it is written --------------------------------------------------------------------------------


def _mend(step: Step, was: Node) -> Mend:
    source, key, value = step.span.source, step.verb_key.span, step.value.span
    if source.text[step.span.start] == "{":
        indent = " " * (_column(step.span) + 5)
        whole = f", was: {flow(was)}"
        if _column(value) + len(value.text) + len(whole) > WIDEST:
            whole = f",\n{indent}was: {flow(was)}"
        if len(whole) > WIDEST and isinstance(was, Mapping):
            lines = (f"{flow(Text(k.value, k.span, True, k.span))}: {flow(v)}" for k, v in was.entries)
            whole = f",\n{indent}was: {{" + f",\n{indent}      ".join(lines) + "}"
        return ((Span(source, value.end, value.end), whole),)
    column = _column(key)
    written = "\n".join(_block("was", was, column, _values_column(step)))
    if "\n" not in source.text[key.start : value.end]:
        end = source.text.find("\n", value.end)
        end = len(source.text) if end < 0 else end
        return ((Span(source, end, end), f"\n{' ' * column}{written}"),)
    at = Span(source, key.start, key.start)  # what goes over several lines may end in a comment: above it
    return ((at, f"{written}\n{' ' * column}"),)


def _column(span: Span) -> int:
    """Counted from 0."""
    return span.source.position(span.start)[1] - 1


def _values_column(step: Step) -> int:
    """Where values stand, if those of the change stand under each other; else 0."""
    at, value = step.target.at.span, step.value.span
    return _column(at) if _column(at) == _column(value) else 0


def _block(key: str, node: Node, column: int, values: int = 0) -> list[str]:
    """An entry of a mapping in block style, in one line if there is room; `values` is where its value should stand."""
    short = f"{key}:".ljust(values - column) + flow(node)
    if not short[len(key) + 1].isspace():
        short = f"{key}: {flow(node)}"
    if column + len(short) <= WIDEST or not isinstance(node, Mapping):
        return [short]
    lines = [f"{key}:"]
    for name, value in node.entries:
        inner = _block(flow(Text(name.value, name.span, True, name.span)), value, column + 2)
        lines += [" " * (column + 2) + inner[0], *inner[1:]]
    return lines
