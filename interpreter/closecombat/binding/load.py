"""From a name to a bound ruleset: what every command begins with. Finding and merging its files is `reading/stack`.

A ruleset that was found right once is not read again: it is recalled by the texts of its files (`text/cache`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from closecombat.binding.charts import Bound, WatchCell
from closecombat.binding.sentences import Watch
from closecombat.reading import model, syntax, types
from closecombat.reading.model import Ruleset
from closecombat.reading.sentences import keep_sentences
from closecombat.reading.stack import Lineup, Stack, line_up
from closecombat.text import nodes, source
from closecombat.text.cache import key_for
from closecombat.text.document import is_edited
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping
from closecombat.text.packed import keep_packed, makers_of, recalled_packed
from closecombat.text.source import Source, Span

if TYPE_CHECKING:
    from closecombat.reading.variants import Variant

_MAKERS = makers_of(model, syntax, types, nodes, source)
_HELD: ContextVar[dict[str, Bound] | None] = ContextVar("held", default=None)
MOST_HELD = 3  # rulesets: the one that is asked for, the one it is held against, and another


def load(stack: str, near: Path | None = None, at: Span | None = None) -> Bound:
    """The ruleset that a name, path or stack means; raises Faulty with everything wrong with it.

    Relative paths are looked up beside `near`, the file or folder that names the ruleset, else in the current
    directory. `at` is where it is named.
    """
    lineup = line_up(stack, near, at)
    try:
        sources = lineup.sources()
    except Faulty:
        return loaded(lineup.put_together())  # which says everything that is wrong
    key = key_for("ruleset", (text for each in sources for text in (each.name, each.text)))
    held = _HELD.get()
    if held is None:
        return _read(lineup, sources, key)
    bound = held.pop(key, None)
    while bound is None and len(held) >= MOST_HELD:
        del held[next(iter(held))]
    held[key] = bound or _read(lineup, sources, key)  # the last that was asked for comes last
    return held[key]


@contextmanager
def holding(held: dict[str, Bound]) -> Iterator[None]:
    """Meanwhile rulesets that were read last are taken from `held`, by their texts, with all that has been looked up in
    them; those that are read are put there."""
    before = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(before)


def _read(lineup: Lineup, sources: tuple[Source, ...], key: str) -> Bound:
    known = recalled_packed(key, sources, _MAKERS)
    if isinstance(known, Ruleset):
        return Bound(known)
    bound = loaded(lineup.put_together())
    keep_sentences(sources)
    if not is_edited(sources):  # to pack it takes longer than to read it once more
        keep_packed(key, bound.ruleset, sources, _MAKERS)
    return bound


def loaded(stack: Stack) -> Bound:
    """The ruleset of a stack that has been put together; raises Faulty with everything wrong with it."""
    from closecombat.binding.vocabulary import check_members, check_references, check_types
    from closecombat.reading.ruleset import read_ruleset

    faults = Faults()
    ruleset = read_ruleset(stack.document, faults, tuple(variant.name for variant in stack.variants))
    faults.raise_if_any()
    types, ruleset = check_types(ruleset)
    types.raise_if_any()
    check_members(ruleset).raise_if_any()
    check_references(ruleset, stack.document).raise_if_any()
    return Bound(replace(ruleset, title=_titled(ruleset.title, stack.variants), changes=stack.changes))


def loaded_whole(stack: Stack) -> Bound:
    """The same with every sentence looked up, for what is printed of rules and not played. Raises Faulty."""
    bound, faults = loaded(stack), Faults()
    bound.bind_all(faults)
    faults.raise_if_any()
    return bound


def _titled(title: str, variants: Sequence[Variant]) -> str:
    """What a stack is called for people: by the titles of its variants too."""
    named = " and ".join(" ".join(variant.title.split()) for variant in variants)
    return f"{title}, with {named}" if named else title


def watched(ruleset: Ruleset, watch: Watch, watch_cell: WatchCell | None = None) -> Bound:
    """A ruleset whose tests are told to somebody as they come out, and the cells of its grids as they are read; it is
    slower."""
    return Bound(ruleset, watch, watch_cell)


def altered(document: Mapping, ruleset: Ruleset) -> Bound:
    """A ruleset of which something has been changed in its document: read, and looked up only as it is asked. Raises
    Faulty with everything that cannot be read."""
    from closecombat.reading.ruleset import read_ruleset

    faults = Faults()
    read = read_ruleset(document, faults, ruleset.variants)
    faults.raise_if_any()
    return Bound(replace(read, changes=ruleset.changes))
