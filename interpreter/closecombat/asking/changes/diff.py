"""Two rulesets held against each other: what they say otherwise, and what that does to every fight.

What they say is `rule_changes`, one fight is `differing`, which fights there are `fights_of`, the smallest one that
differs `smallest`. Here they are put together, and the fights shared out, but for those of which it is kept what they
come to (`kept`).

**So much work, and no more.** Nobody who has changed a row waits for hundreds of fights. They are looked at one after
the other until they have taken so much work, and those behind are left out, and named. So that these are few, the long
ones come last: an example gives the dice of one playing, and a fight with few throws is short for all of them. Work is
counted and not timed, each fight has its own, and what is kept is known with the work that it was: so the same fights
are looked at however many processes there are, and whatever has been looked at before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from closecombat.asking.changes.differing import (
    DIFFERS,
    LEFT_OUT,
    NEITHER,
    ONE_SIDED,
    SAME,
    UNKNOWN,
    UNTOUCHED,
    UNTRIED,
    Compared,
    Differing,
    Pair,
    asks_of_its_end,
    compared,
    is_same_by_sides,
    known_of,
    touch,
    whole_word,
)
from closecombat.asking.changes.rule_changes import ORDER, RENAMED, RuleChange, rule_changes
from closecombat.asking.changes.smallest import Smallest, Sought, as_example, smallest
from closecombat.asking.changes.turned import BREAKS, FURTHER, MOST_PAIRS, Claims, Turned, read, turned_claims, written
from closecombat.asking.claims.skeletons import size
from closecombat.asking.crews.batches import Crew, carried_out, stays
from closecombat.asking.examples.fights_of import Known, alone, fights_in, fights_of
from closecombat.asking.keeping.came_to import MOST_WORK, Aims, CameTo
from closecombat.asking.keeping.kept import Book, digest, read_book, write_book
from closecombat.asking.printed.shows import effective
from closecombat.binding.charts import Bound
from closecombat.binding.load import load, loaded
from closecombat.checking.sameness import say_the_same
from closecombat.proving.values.budget import SECOND
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.stack import Stack, line_up, load_stack
from closecombat.text.cache import keep, key_for, recalled
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

TABLES = ("tables", "outcomes", "strength-lost")
AT_ONCE = 2  # fights that are handed out together: the next are longer
OF_ONE = SECOND // 200  # to read a fight and to begin it


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: a stack, and the folder that its paths count from, if it is another version."""

    stack: str
    near: Path | None = None

    def read(self) -> Stack:
        return load_stack(self.stack, self.near)

    def bound(self) -> Bound:
        """Read anew where it lies in a folder that is soon gone: what is kept would be found by nobody."""
        return load(self.stack) if self.near is None else loaded(self.read())

    def book(self, most_work: int | None, aims: Aims, beside: Side | None = None) -> Book:
        """What its fights are known to come to, with so much work for each, and played best for the aims; or what they
        are known to come to `beside` another, both from one run."""
        asked = " ".join((f"{most_work}", *map(str, aims), *(("beside",) if beside else ())))
        return read_book([text for one in (self, beside) if one for text in one.sources()], asked)

    def sources(self) -> tuple[Source, ...]:
        return line_up(self.stack, self.near).sources()


@dataclass(frozen=True, slots=True)
class Diff:
    """What two rulesets differ in. `fights` are all that were looked at, those that differ most first; `alike` says
    why no fight can tell them apart, where that is proved; `sought` is the search for the smallest situation that
    differs, and `example` that situation as an example of the other; `aims` is what all sides play best for, if they
    do; `claims` what becomes of those that both make."""

    base: str
    other: str
    title: str
    changes: tuple[RuleChange, ...]
    fights: tuple[Differing, ...]
    names: dict[str, tuple[str, ...]]
    alike: str
    sought: Sought | None = None
    example: str = ""
    aims: tuple[str, ...] = ()
    claims: Claims = Claims()
    rulesets: tuple[Ruleset, ...] = ()

    def ruleset_of(self, one: Turned) -> Ruleset:
        """By which a claim does not hold."""
        return self.rulesets[one.how == BREAKS]

    def of(self, fate: str) -> tuple[Differing, ...]:
        return tuple(one for one in self.fights if one.fate == fate)

    @property
    def smallest(self) -> Smallest | None:
        return self.sought.least if self.sought is not None else None

    @property
    def is_complete(self) -> bool:
        """Whether every fight was worked out."""
        return not self.of(UNKNOWN) and not self.of(LEFT_OUT)

    @property
    def looked_at(self) -> tuple[Differing, ...]:
        return tuple(one for one in self.fights if one.fate not in (UNKNOWN, LEFT_OUT, NEITHER))

    @property
    def same_by_sides(self) -> tuple[Differing, ...]:
        """Those in which each side ends alike, and more than that was not worked out."""
        return tuple(one for one in self.fights if is_same_by_sides(one))

    @property
    def word(self) -> str:
        """What those fights say, and the smallest that was found: it may differ where no other does."""
        found = self.looked_at if self.smallest is None else (*self.looked_at, self.smallest.found)
        return whole_word(found) if found else UNTRIED

    @property
    def counting(self) -> tuple[RuleChange, ...]:
        return tuple(change for change in self.changes if change.counts)

    @property
    def differs(self) -> bool:
        return bool(self.changes) or any(one.fate in (DIFFERS, ONE_SIDED) for one in self.fights)


def diff(
    base: Side,
    other: Side,
    paths: Sequence[str],
    most_work: int | None,
    crew: Crew,
    watch: Callable[[int, int], None],
    aims: Aims = (),
    in_all: int | None = None,
) -> Diff:
    """What two rulesets differ in, over the fights of the base or those of `paths`, as far as they take no more work
    than this `in_all`; under best play for the aims, where there are any."""
    _as_here.cache_clear()  # the files may be others by now
    sharing = _as_here(base, other, tuple(paths), most_work, aims)
    one, two, changes, known = *sharing.stacks, sharing.changes, sharing.known
    left, right = sharing.pair.base, sharing.pair.other
    names = (name_of_stack(left.ruleset), name_of_stack(right.ruleset))
    alike = _alike(left, right, changes)
    if alike:
        found = [Differing(fight.name, UNTOUCHED) for fight in known]
    else:
        found = _worked_out(base, other, paths, sharing, crew, watch, in_all)
    order = {DIFFERS: 0, ONE_SIDED: 1, UNKNOWN: 2, LEFT_OUT: 3, NEITHER: 4, SAME: 5, UNTOUCHED: 6}
    at = {fight.name: place for place, fight in enumerate(known)}
    found.sort(key=lambda each: at[each.name])
    found.sort(key=lambda each: each.weight, reverse=True)
    found.sort(key=lambda each: order[each.fate])
    merged = {fight.name: fight.names for fight in known}
    sought, example, claims = None, "", Claims()
    if not alike:
        pair = Pair(left, right, touch(changes), MOST_WORK, aims)
        differ = {one.name for one in found if one.fate == DIFFERS}
        those = [fight for fight in known if fight.name in differ]
        sought = smallest(pair, known, those, changes, (*effective(one), *effective(two)))
        least = sought.least
        example = as_example(least, pair, other.stack if other.near is None else names[1]) if least is not None else ""
        documents = [] if least is None else [least.scene.document]
        documents += sorted((alone(fight.scene.document) for fight in those), key=size)
        rest = [alone(fight.scene.document) for fight in known if fight.name not in differ]
        claims = _claims((base, other), (left, right), documents, sorted(rest, key=size), most_work is None)
    return Diff(
        names[0],
        names[1],
        _title(left.ruleset.title, right.ruleset.title),
        changes,
        tuple(found),
        merged,
        alike,
        sought,
        example,
        tuple(map(str, aims)),
        claims,
        (left.ruleset, right.ruleset),
    )


def _claims(
    sides: tuple[Side, Side],
    both: tuple[Bound, Bound],
    differing: Sequence[Mapping],
    rest: Sequence[Mapping],
    may_take_long: bool,
) -> Claims:
    """What becomes of the claims of both, kept by all that it hangs on."""
    texts = (text for side in sides for one in side.sources() for text in (one.name, one.text))
    key = key_for("claims", (str(may_take_long), *map(flow, differing), "", *map(flow, rest), "", *texts))
    kept = recalled(key)
    known = read(json.loads(kept), *both) if kept else None
    if known is not None:
        return known
    found = turned_claims(*both, differing, rest, MOST_PAIRS * (FURTHER if may_take_long else 1))
    keep(key, json.dumps(written(found)))
    return found


def _changes(one: Stack, two: Stack, left: Bound, right: Bound) -> tuple[RuleChange, ...]:
    """What the two say otherwise; where every table is proved to say the same, no change counts.

    That is looked for only where nothing but rows of tables is otherwise. Else what can be asked may be more in the
    other ruleset, so that nothing would be proved. Nor is it of a row that asks in another order: what comes out is the
    same, but what stands first may have seen to it that there is an answer to what stands behind.
    """
    found = rule_changes(one, two)
    by_table: dict[str, set[str]] = {}
    for change in found:
        asks_otherwise = any(cell.column == ORDER for cell in change.counting)
        if change.counts and (change.section not in TABLES or not change.row or asks_otherwise):
            return found
        if change.counts:
            names = by_table.setdefault(change.chart or change.section, set())
            names |= {change.row, change.to} if change.how == RENAMED else {change.row}
    if not all(say_the_same(left, right, name, rows) for name, rows in by_table.items()):
        return found
    return tuple(replace(change, counts=False) for change in found)


def _alike(left: Bound, right: Bound, changes: Sequence[RuleChange]) -> str:
    """Why nothing can come of the changes, where that is certain; else nothing."""
    if not changes:
        return "they say the same"
    if not any(change.counts for change in changes):
        return "nothing that is asked can tell them apart, by the charts themselves"
    return ""


# ---- sharing out ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sharing:
    """What whoever works out some of the fights needs: the two rulesets, the fights, and what is known of them."""

    stacks: tuple[Stack, Stack]
    changes: tuple[RuleChange, ...]
    pair: Pair
    known: tuple[Known, ...]
    digests: tuple[str, ...]
    books: tuple[Book, Book]

    def told(self, place: int) -> Compared | None:
        """What can be said of a fight by what is kept."""
        base, other = (book.known.get(self.digests[place]) for book in self.books)
        found = known_of(self.pair, self.known[place].name, base, other) if base and other else None
        if found is None or (is_same_by_sides(found) and not _is_finest(base, other)):
            return None
        if asks_of_its_end(self.pair, self.known[place].scene, found):
            return None
        return Compared(found, base, other)

    def compared(self, place: int) -> Compared:
        base, other = (book.known.get(self.digests[place]) for book in self.books)
        return compared(self.pair, self.known[place].scene, base, other)


def _is_finest(*came: CameTo | None) -> bool:
    """Whether one of them is told no further, whoever asks."""
    return any(one is not None and one.told is not None and one.told.is_finest for one in came)


@lru_cache(maxsize=1)
def _as_here(base: Side, other: Side, paths: tuple[str, ...], most_work: int | None, aims: Aims) -> _Sharing:
    """The same in each process that works some out: a copy of this one has it, one that was begun afresh reads it."""
    one, two = base.read(), other.read()
    left, right = base.bound(), other.bound()
    if left.ruleset.name != right.ruleset.name:
        said = f"`{left.ruleset.name}` and `{right.ruleset.name}` are two systems, and rows are compared within one"
        help = "`closecombat compare farmhouse`, or another engagement, sets systems side by side"
        if 2 * len(left.ruleset.tables.keys() & right.ruleset.tables.keys()) > len(left.ruleset.tables):
            help = f"where one began as a copy of the other, write `ruleset: {left.ruleset.name}` in both; else {help}"
        raise Faulty.one("wrong-base", said, None, help=help)
    changes = _changes(one, two, left, right)
    names = (name_of_stack(left.ruleset), name_of_stack(right.ruleset))
    known = fights_in(paths, left.ruleset.name) if paths else fights_of(one, left.ruleset.name, names)
    if paths and not known:
        raise Faulty.one("nothing-found", f"there is no fight in {', '.join(paths)}", None, help="name a situation")
    pair = Pair(left, right, touch(changes), most_work, aims)
    beside = (other, base) if pair.is_one_run else (None, None)
    books = base.book(most_work, aims, beside[0]), other.book(most_work, aims, beside[1])
    sharing = _Sharing((one, two), changes, pair, known, tuple(digest(each.scene) for each in known), books)
    stays()
    return sharing


def _title(one: str, other: str) -> str:
    """What two rulesets are called together: a variant's title begins with its base's."""
    for longer, shorter in ((other, one), (one, other)):
        if longer.startswith(shorter):
            return longer
    return f"{one}; {other}"


def _worked_out(
    base: Side,
    other: Side,
    paths: Sequence[str],
    sharing: _Sharing,
    crew: Crew,
    watch: Callable[[int, int], None],
    in_all: int | None,
) -> list[Differing]:
    known, pair = sharing.known, sharing.pair
    order = sorted(range(len(known)), key=lambda place: size(known[place].scene.dice))
    told = {place: one for place in order if (one := sharing.told(place)) is not None}
    work = partial(_some, base, other, tuple(paths), pair.most_work, pair.aims)
    done: dict[int, Compared] = {}
    spending = _Spending(in_all)
    try:
        for batch, found in carried_out(crew, work, _anew(order, told, spending), AT_ONCE):
            done |= zip(batch, found or map(partial(_lost, known), batch), strict=True)
            spending.on_those_done(done[place] for place in batch)
            watch(len(told) + len(done), len(known))
    finally:
        for at, book in enumerate(sharing.books):
            mine = ((sharing.digests[place], one.base if at == 0 else one.other) for place, one in done.items())
            write_book(book, ((name, one) for name, one in mine if one is not None))
    return [*_as_far(order, told | done, known, in_all)]


@dataclass(slots=True)
class _Spending:
    """What has been spent on fights, each with what was to be done for it, of so much."""

    most: int | None
    spent: int = 0

    @property
    def is_over(self) -> bool:
        return self.most is not None and self.spent > self.most

    def on(self, one: Compared) -> None:
        self.spent += OF_ONE + one.work

    def on_those_done(self, those: Iterable[Compared]) -> None:
        for one in those:
            self.on(one)


def _anew(order: Sequence[int], told: MappingOf[int, Compared], spending: _Spending) -> Iterator[int]:
    """The fights that are to be worked out, until what is known of those before them is all that may be spent."""
    for place in order:
        if spending.is_over:
            return
        if place in told:
            spending.on(told[place])
        else:
            yield place


def _as_far(
    order: Sequence[int], done: MappingOf[int, Compared], known: Sequence[Known], in_all: int | None
) -> Iterator[Differing]:
    """What is said of each fight. Some may have been worked out beyond what was to be spent, by whoever was free: that
    is kept, and not told, since it hangs on how many there are to do it."""
    spending = _Spending(in_all)
    for place in order:
        if spending.is_over:
            yield Differing(known[place].name, LEFT_OUT)
        else:
            yield done[place].found
            spending.on(done[place])


def _lost(known: Sequence[Known], place: int) -> Compared:
    lost = "the process that worked it out was ended, as a system does where memory runs out"
    return Compared(Differing(known[place].name, UNKNOWN, message=lost))


def _some(
    base: Side, other: Side, paths: tuple[str, ...], most_work: int | None, aims: Aims, batch: tuple[int, ...]
) -> list[Compared]:
    sharing = _as_here(base, other, paths, most_work, aims)
    return [sharing.compared(place) for place in batch]
