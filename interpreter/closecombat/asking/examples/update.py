"""Expectations that were missed, written anew in the text of their file: only the values, with all that stands around.

An example that fails by a fault is left as it is: its expectations may be right. So is one that is run by another
ruleset than its own, one of which a value cannot be said in its place, and one that would still fail with what was got.
"""

from __future__ import annotations

from collections.abc import Sequence

from closecombat.asking.examples.collection import Bench, ExampleFile, Tested, examples_of, read
from closecombat.asking.examples.examples import Miss
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source


@dataclass(frozen=True, slots=True)
class Updated:
    """What a file would say: its `text`, the examples whose expectations are others, and those left as they are with
    the reason."""

    text: str
    examples: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


def updated(file: ExampleFile, tested: Sequence[Tested]) -> Updated:
    """A file of examples with what was got in the place of what was expected; `tested` are its examples."""
    source = read(file).span.source
    edits: dict[tuple[int, int], str] = {}
    done: list[str] = []
    left: list[tuple[str, str]] = []
    for one in tested:
        if one.passed:
            continue
        why = _why_not(one, source)
        if why:
            left.append((one.result.id, why))
            continue
        for miss in one.result.misses:
            if miss.wanted is not None:
                edits[miss.wanted.span.start, miss.wanted.span.end] = miss.instead
        done.append(one.result.id)
    text = source.text
    for (start, end), instead in sorted(edits.items(), reverse=True):
        text = text[:start] + instead + text[end:]
    still = _still_failing(file, Source(source.name, text), set(done)) if done else ()
    if still:
        left += [(id, "with what was got it would still fail" if id in still else "left with them") for id in done]
        return Updated(source.text, (), tuple(left))
    return Updated(text, tuple(done), tuple(left))


def _why_not(one: Tested, source: Source) -> str:
    missed = {miss.fault for miss in one.result.misses}
    if any(fault not in missed for fault in one.result.faults):
        return "it fails by a fault, and not by what came out"
    if one.by and "+" in one.ruleset:
        return f"it is not said to be an example of {one.ruleset}"
    if not all(_can_be_said(miss, source) for miss in one.result.misses):
        return "what was got cannot be said in that place: write it by hand"
    places = {(miss.wanted.span.start, miss.instead) for miss in one.result.misses if miss.wanted}
    if len({start for start, _ in places}) < len(places):
        return "what was got is not the same each time"
    return ""


def _can_be_said(miss: Miss, source: Source) -> bool:
    """A scalar in its line, or a list or mapping in brackets."""
    node = miss.wanted
    if node is None or not miss.instead or node.span.source.text != source.text:
        return False
    written = node.span.text
    return "\n" not in written and (isinstance(node, Text) or written[:1] in ("[", "{"))


def _still_failing(file: ExampleFile, source: Source, done: set[str]) -> list[str]:
    """Which of some examples would fail where the file has another text."""
    try:
        document = as_mapping(parse(source))
    except Faulty:
        return sorted(done)
    bench = Bench()
    named = ((id, example) for id, example in examples_of(file, document) if id in done)
    return [id for id, example in named if not bench.run_one(file, document, id, example).passed]
