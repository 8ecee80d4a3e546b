"""Files of examples in which nothing was found, and in which nothing can be found now.

What is wrong with the examples in the folder of a ruleset is decided by their text and by the texts of the ruleset. So
of a file in which nothing was wrong it is kept, under a key of all these (`text/cache`), that it was so, and what else
a check has of it: how its examples are called, since no two may be called the same, and what its sentences ask for,
since what somebody asks for is not left over. Whatever was found is found and told anew each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from closecombat.binding.names import Item, Uses
from closecombat.text.cache import is_kept, keep, key_for, recalled
from closecombat.text.nodes import Mapping, sources_of
from closecombat.text.packed import keep_packed, makers_of, recalled_packed
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

Place: TypeAlias = tuple[str, int, int]  # what stands there, and from where to where in the text
_MAKERS = makers_of()


@dataclass(frozen=True, slots=True)
class Sound:
    """What a check has of a file in which it finds nothing."""

    names: tuple[Place, ...]
    items: tuple[tuple[str, Place], ...]  # their sort, and what is asked for
    reads: tuple[str, ...]

    def called(self, source: Source) -> list[tuple[str, Span]]:
        """How its examples are called, and where that stands."""
        return [(name, Span(source, start, end)) for name, start, end in self.names]

    def is_asked(self, uses: Uses, source: Source) -> None:
        """Its sentences ask for what they asked for."""
        asked = {Item(sort, name): Span(source, start, end) for sort, (name, start, end) in self.items}
        uses.are_asked(asked, self.reads)


def key_of_rules(document: Mapping) -> str:
    """What stands for all texts of a ruleset."""
    sources = sorted(sources_of(document), key=lambda each: each.name)
    return key_for("rules of examples", (text for each in sources for text in (each.name, each.text)))


def once(rules: str, what: Iterable[str], work_out: Callable[[], str]) -> str:
    """Something that these rules decide, worked out if it was not before; without a key of rules it is each time.
    Raises what working out raises."""
    if not rules:
        return work_out()
    key = key_for("of rules", (rules, *what))
    known = recalled(key)
    if known is None:
        known = work_out()
        keep(key, known)
    return known


def was_sound(rules: str, source: Source) -> Sound | None:
    """What is known of a file of examples by these rules, if nothing was found in it."""
    found = recalled_packed(key_for("sound examples", (rules, source.text)), (), _MAKERS)
    with suppress(TypeError, ValueError):
        names, items, reads = found
        return Sound(names, items, reads)
    return None


def is_sound(
    rules: str,
    source: Source,
    names: Iterable[tuple[str, Span]],
    asked: Iterable[tuple[Item, Span]],
    reads: Iterable[str],
) -> None:
    """Keeps that nothing was found in a file."""
    if not is_kept():
        return
    called = tuple([(name, span.start, span.end) for name, span in names])
    items = tuple([(item.sort, (item.name, span.start, span.end)) for item, span in asked])
    keep_packed(key_for("sound examples", (rules, source.text)), (called, items, tuple(sorted(reads))), (), _MAKERS)
