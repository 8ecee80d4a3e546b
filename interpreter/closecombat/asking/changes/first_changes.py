"""The first changes of a new variant, each at a place that its author names: what stands there with `was:`, and
something else in its stead, so that there is a result to look at; and the base's examples that come to it.

A number is one further from nothing, a fraction smaller, a flag the other way round, an option its other reading. What
has no such neighbour is written as it stands. Whether a ruleset can still be read with a change is tried, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from textwrap import indent

from closecombat.asking.examples.collection import example_files
from closecombat.asking.examples.examples import read_examples, run_example
from closecombat.asking.printed.shows import effective
from closecombat.binding.load import altered, loaded
from closecombat.reading.fields import NAME, list_of
from closecombat.reading.stack import Stack, as_mapping
from closecombat.reading.targets import HEADINGS, columns_of, entry_at, find, read_target
from closecombat.reading.variants import REMARKS, apply_variant, opened, read_variant
from closecombat.text.document import parse
from closecombat.text.faults import Faulty, suggest
from closecombat.text.nodes import Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

FIRST = ("add", "is", "times", "at-most", "at-least", "number")  # columns that are looked for a number before others
MOST_LOOKED_AT = 400  # examples of the base
MOST_TRIED = 100  # where it is not known which of them come to it
REACHED = ("tables", "sequences", "outcomes", "strength-lost")  # of whose rows an example says whether it came to them
FEW = 3  # rows of one name that are told
MOST_EXAMPLES = 2  # of those that come out otherwise
NUMBER = re.compile(r"([+-]?)(\d{1,6})\Z")
PART = re.compile(r"(\d{1,6})/(\d{1,6})\Z")


@dataclass(frozen=True, slots=True)
class FirstChange:
    """A change as text of a variant, where that stands which it changes, its section, and the names on the way."""

    text: str
    place: Span
    of: str
    named: tuple[str, ...]


def first_changes(stack: Stack, paths: Sequence[str], head: str) -> list[FirstChange]:
    """A change for each path. `head` is the variant that they go into, as far as `changes:`; Faulty for a path that
    leads nowhere."""
    ruleset, ids, out = loaded(stack).ruleset, set[str](), list[FirstChange]()
    for path in dict.fromkeys(paths):
        of, *named = path.split(".")
        ways = [FirstChange(text, place, of, tuple(named)) for place, text in _ways(stack, path, ids)]
        for one in ways:
            with suppress(Faulty):
                altered(_changed(stack, head, (one,)), ruleset)
                out.append(one)
                break
        else:
            out.append(ways[-1])  # check says what is wrong with it
    return out


def with_changes(head: str, made: Iterable[FirstChange]) -> str:
    """The variant with its changes."""
    return head + "\n".join(indent(change.text, "  ") for change in made)


def _changed(stack: Stack, head: str, made: Iterable[FirstChange]) -> Mapping:
    return apply_variant(
        stack.document, read_variant(as_mapping(parse(Source("<variant>", with_changes(head, made)))))
    )[0]


def _ways(stack: Stack, path: str, ids: set[str]) -> Iterator[tuple[Span, str]]:
    """What stands at a path, and the changes of it that could be written, the last of them none at all."""
    (key, node), named, column, columns = _found(stack, path)
    section = path.partition(".")[0]
    id = _id(key.value, ids)
    if section == "options" and isinstance(node, Mapping):
        default = flow(node.get("default") or node)
        readings = [flow(each) for each in list_of(node.get("readings") or node)]
        for other in [each for each in readings if each != default] or [default]:
            yield key.span, _written(id, named, "option", other, default)
        return
    old = opened(read_target(_text(named)), node, columns)
    if not isinstance(old, Mapping):
        yield key.span, _written(id, named, "replace", flow(old), flow(old))
        return
    cells = [(name.value, cell) for name, cell in old.entries if name.value not in REMARKS]
    cells.sort(key=lambda one: (_rank(one[1]), FIRST.index(one[0]) if one[0] in FIRST else len(FIRST)))
    if column:
        cells = [one for one in cells if one[0] == column]
    for name, cell in cells:
        said = flow(cell)
        for other in _others(said):
            yield key.span, _written(id, named, "set", f"{{{name}: {other}}}", f"{{{name}: {said}}}")
    name, said = cells[0][0], flow(cells[0][1])
    yield key.span, _written(id, named, "set", f"{{{name}: {said}}}", f"{{{name}: {said}}}")


def _rank(cell: Node) -> int:
    """Numbers before flags before all that has no neighbour."""
    text = cell.value if isinstance(cell, Text) else ""
    return 0 if NUMBER.match(text) or PART.match(text) else 1 if text in ("yes", "no") else 2


def _others(text: str) -> Iterator[str]:
    """What could stand there instead: a number one further from nothing, or one nearer."""
    if text in ("yes", "no"):
        yield "no" if text == "yes" else "yes"
    if (found := PART.match(text)) is not None:
        yield f"{found[1]}/{int(found[2]) + 1}"
    if (found := NUMBER.match(text)) is not None:
        sign, number = found[1], int(found[2])
        yield f"{sign}{number + 1}"
        yield f"{sign}{number - 1}" if number > 1 else "0"


def _written(id: str, at: str, verb: str, value: str, was: str) -> str:
    gap = " " * max(len("set") - len(verb), 0)
    note = "   # as it is; write what it is to be" if value == was else ""
    return (
        f"{id}:\n  at:  {at}\n  {verb}:{gap} {value}{note}\n  was: {was}\n  why: Say in a sentence what this is for.\n"
    )


def _found(stack: Stack, path: str) -> tuple[tuple[Text, Node], str, str, tuple[Text, ...]]:
    """What a path leads to, the path without the cell, the cell if it names one, and the headings over it."""
    document = stack.document
    for named, column in ((path, ""), path.rpartition(".")[::2]):
        try:
            target = read_target(_text(named))
            keys = find(document, target)
        except Faulty:
            continue
        found = entry_at(document, keys) if keys else None
        if keys is None or found is None:
            continue
        columns = columns_of(document, keys) if not isinstance(found[1], Mapping) else ()
        old = opened(target, found[1], columns)
        names = old.keys() if isinstance(old, Mapping) else ()
        if not target.row and any(heading in names for heading in HEADINGS.get(target.section, ())):
            break  # a whole chart
        if not column or column in names:
            return found, named, column, columns
    raise _nowhere(stack, path)


def _nowhere(stack: Stack, path: str) -> Faulty:
    known = [line.path for line in effective(stack)]
    inside = [each for each in known if each.startswith(f"{path}.")]
    if inside:
        message, near = f"`{path}` has several rows", f"name one of them, such as `{inside[0]}`"
    else:
        at = path.rpartition(".")[0]
        message, near = f"there is nothing at `{path}`", suggest(path, known) or suggest(at, known)
        named = [f"`{each}`" for each in known if each.endswith(f".{path}")]
        if named:
            more = f" `closecombat show .. --find {path}` has {len(named) - FEW} more" if len(named) > FEW else ""
            near = f"did you mean {' or '.join(named[:FEW])}?{more}"
    help = near or "a path is what `closecombat show` says: `tables.chart.row`"
    return Faulty.one("missing-target", message, None, help=help)


def _text(path: str) -> Text:
    span = Span(Source("--change", path), 0, len(path))
    return Text(path, span, True, span)


def _id(name: str, ids: set[str]) -> str:
    """A name for a change, unlike those before it."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    id = plain if NAME.match(plain) else f"change-{plain}".strip("-")
    while id in ids:
        id = f"{id}-too"
    ids.add(id)
    return id


# ---- an example of it -------------------------------------------------------------------------------------


def examples_of_changes(
    stack: Stack, base: str, made: Sequence[FirstChange], head: str
) -> tuple[list[Mapping], list[Mapping]]:
    """Examples of the base that come to what is changed, the best to begin with first: those that come out otherwise,
    and those that do not."""
    bound = loaded(stack)
    other = altered(_changed(stack, head, made), bound.ruleset)
    places = {(change.place.source.name, change.place.start) for change in made}
    try:
        known = [one for file in example_files([base]) for one in read_examples(file.file)]
    except Faulty:
        return [], []
    known = [one for one in known if "ruleset" not in one and isinstance(one.get("example"), Text)]
    otherwise, alike = list[Mapping](), list[Mapping]()
    by_rows = any(change.of in REACHED for change in made)
    names = {part for change in made for part in change.named}

    def rank(one: Mapping) -> tuple[int, int]:
        """Those first that name what is changed."""
        words = set(re.findall(r"[\w-]+", one.span.text))
        return -len(names & words), len(one.span.text)

    for example in sorted(known, key=rank)[: MOST_LOOKED_AT if by_rows else MOST_TRIED]:
        before = run_example(bound, example)
        is_reached = bool(places & {(span.source.name, span.start) for span in before.reached})
        if before.faults or (by_rows and not is_reached):
            continue
        after = run_example(other, example)
        missed = {miss.fault for miss in after.misses}
        if after.faults and all(fault in missed for fault in after.faults):
            otherwise.append(example)
        elif is_reached and not after.faults:
            alike.append(example)
        if len(otherwise) >= MOST_EXAMPLES:
            break
    return otherwise, alike[:MOST_EXAMPLES]
