"""Mutation: whether some example would miss it if a row said something else.

Each mutant (`mutants`) is played through the examples that ask for the row that is changed, the quickest first, until
one fails. A mutant that cannot be read, or that no example can be played by, is caught as well; one whose charts are
those of the ruleset is none.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import sha256

from closecombat.asking.crews.batches import Crew, carried_out
from closecombat.asking.examples.examples import run_example
from closecombat.asking.examples.exercised import RowAt, Watching, examples_for, exercise
from closecombat.asking.examples.mutants import Mutant, changed, mutants
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered, loaded, watched
from closecombat.proving.values.budget import TAKES_LONG, UNASKED
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.stack import load_stack
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, flow
from closecombat.text.slotted import dataclass

PATIENCE = 20  # seconds for one example of a mutant: it may never come to an end
CAUGHT, REFUSED, SURVIVED, SAME, LOST, OURS = (
    *("caught", "refused", "survived", "same", "lost"),
    "fault-of-the-program",
)
Piece = tuple[int, tuple[int, ...]]  # a mutant and the examples that ask for its row, by their numbers


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: who noticed it, or how many examples that ask for its row did not."""

    number: int
    fate: str
    by: str
    asked: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The mutants of a stack that are to be tried, by number, and the examples each is played through. `digest` is
    another where the rules or the examples are."""

    stack: str
    name: str
    digest: str
    mutants: tuple[Mutant, ...]
    pieces: tuple[Piece, ...]
    most_work: int | None = UNASKED


def plan(
    stack: str,
    only: str,
    sample: int | None,
    seed: int,
    tell: Callable[[int, int], None],
    most_work: int | None = UNASKED,
) -> Plan:
    """What is to be tried: slips in the rows with `only` in their path; of a variant those that it changes, unless
    others are asked for. Plays every example once, for no more than `most_work`, to know which rows it asks for.

    Raises Faulty if the ruleset is faulty, or if an example of its own fails as things are.
    """
    found = load_stack(stack)
    ruleset = loaded(found).ruleset
    name = name_of_stack(ruleset)
    watching = Watching()
    bound = watched(ruleset, watching.watch)
    examples = list(examples_for(found, name))
    asked: list[frozenset[RowAt]] = []
    took: list[int] = []
    for number, (id, example, is_own) in enumerate(examples):
        tell(number, len(examples))
        one = exercise(bound, watching, example, most_work)
        if one.result.faults and is_own:
            long = tuple(fault for fault in one.result.faults if fault.code == TAKES_LONG)
            if long:
                raise Faulty(long)
            raise Faulty.one(
                "example-fails",
                f"the example `{id}` fails as things are",
                one.result.faults[0].span,
                help="`closecombat test` says why; mutants are tried where every example passes",
            )
        asked.append(frozenset() if one.result.faults else one.asked)
        took.append(one.took)
    all_mutants = tuple(mutants(found.document))
    changed = [change.path for change in ruleset.changes]
    numbers = [
        number
        for number, one in enumerate(all_mutants)
        if only in one.id and (only or not ruleset.variants or any(_is_within(one.id, path) for path in changed))
    ]
    if sample is not None and sample < len(numbers):
        drawn = sorted(numbers, key=lambda number: sha256(f"{seed} {number}".encode()).digest())
        numbers = sorted(drawn[:sample])
    quickest = sorted(range(len(examples)), key=took.__getitem__)
    pieces = tuple((n, tuple(i for i in quickest if not asked[i].isdisjoint(all_mutants[n].rows))) for n in numbers)
    texts = (flow(found.document), *(flow(example) for _, example, _ in examples))
    digest = sha256("\n".join(texts).encode()).hexdigest()[:16]
    return Plan(stack, name, digest, all_mutants, pieces, most_work)


def _is_within(one: str, other: str) -> bool:
    """Whether one path is the other, or one of them leads to the other."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def tried(plan: Plan, known: Sequence[int], crew: Crew) -> Iterator[Fate]:
    """What becomes of each mutant that is not known yet, in whatever order."""
    left = set(known)
    pieces = (piece for piece in plan.pieces if piece[0] not in left)
    for batch, fates in carried_out(crew, partial(_tried, plan.stack, plan.digest, plan.most_work), pieces):
        yield from fates or [Fate(number, LOST, "it ended the process", len(cases)) for number, cases in batch]


def _tried(stack: str, digest: str, most_work: int | None, batch: tuple[Piece, ...]) -> list[Fate]:
    bench = _bench(stack, digest, threading.get_ident())
    return [bench.fate(number, cases, most_work) for number, cases in batch]


@lru_cache(maxsize=1)
def _bench(stack: str, digest: str, thread: int) -> _Bench:
    """Of these texts: the same name may mean others in another folder, or once they were changed."""
    found = load_stack(stack)
    ruleset = loaded(found).ruleset
    examples = tuple((id, example) for id, example, _ in examples_for(found, name_of_stack(ruleset)))
    return _Bench(found.document, ruleset, examples, tuple(mutants(found.document)))


@dataclass(frozen=True, slots=True)
class _Bench:
    """A ruleset, its examples and its mutants, in the process that tries them."""

    document: Mapping
    ruleset: Ruleset
    examples: tuple[tuple[str, Mapping], ...]
    mutants: tuple[Mutant, ...]

    def fate(self, number: int, cases: tuple[int, ...], most_work: int | None) -> Fate:
        if not cases:
            return Fate(number, SURVIVED, "", 0)
        one = self.mutants[number]
        try:
            document = changed(self.document, one.path, one.instead)
            if not isinstance(document, Mapping):
                return Fate(number, REFUSED, "", len(cases))
            bound = altered(document, self.ruleset)
        except Faulty as error:
            return Fate(number, REFUSED, error.diagnostics[0].code if error.diagnostics else "", len(cases))
        read, now = bound.ruleset, self.ruleset
        if (read.tables, read.grids, read.sequences) == (now.tables, now.grids, now.sequences):
            return Fate(number, SAME, "", len(cases))
        for place in cases:
            id, example = self.examples[place]
            try:
                if _is_missed(bound, example, most_work):
                    return Fate(number, CAUGHT, id, len(cases))
            except Exception as bug:  # told as what it is, and the others go on
                return Fate(number, OURS, f"{id}: {type(bug).__name__}: {bug}", len(cases))
        return Fate(number, SURVIVED, "", len(cases))


def _is_missed(bound: Bound, example: Mapping, most_work: int | None) -> bool:
    """Whether an example fails, or cannot be played to its end."""
    try:
        with _at_most(PATIENCE):
            return bool(run_example(bound, example, most_work).faults)
    except (Faulty, RecursionError, MemoryError, TimeoutError):
        return True


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Ends what takes longer, where the system can."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
