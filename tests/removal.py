"""Proof by removal: takes every row out of a ruleset, one at a time, and says whose removal no example notices.

    python tests/removal.py skirmish                      # or a path, or a stack such as asl+hand-to-hand
    python tests/removal.py asl --columns                 # conditions too: each column of each row, what dice do
    python tests/removal.py asl --only tables.cc-drm      # only what has this in its id
    python tests/removal.py asl --allowed my-list.yaml    # else tests/removal-allowed.yaml

Taken out are the rows of tables, grids and outcomes, the steps of sequences, the effects under `do:`, and the
readings of options (the examples that play a reading are then played with another one). A removal is noticed when
an example fails, or can no longer be played. What is not noticed is a survivor: its line, and whether any example
gets there at all. The list of allowed survivors gives a reason for each; one that is needless there is reported.

Exit: 0 no survivor but the allowed ones; 1 survivors, or a needless line in the list; 2 it could not be done.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from closecombat.asking.examples.collection import ExampleFile, examples_beside, examples_of, read
from closecombat.asking.examples.examples import run_example
from closecombat.binding.charts import Bound
from closecombat.reading.charts import ORDERS, POLICIES, VERBS
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import Stack, load_stack
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Span

PATIENCE = 30  # seconds for one example with one row gone: it may never come to an end
ROW_KEYS = (
    "each",
    "for",
    "add",
    "times",
    "is",
    "says",
    "rounded",
    "cites",
    "assumed",
    "note",
    "title",
    "do",
    "instead-of",
)
VERB_KEYS = {key for verb, more in VERBS.items() for key in (verb, *more)}
THROWN = ("again-if", "explode-if", "keep", "plus")  # what may be left out of a line of dice
BOUNDS = ("otherwise", "at-least", "at-most", "start", "shift")
KEPT = {*ROW_KEYS, *VERB_KEYS}

Place = tuple[str, int]


@dataclass(frozen=True)
class Part:
    """Something that can be taken out: `path` leads to it in the document, `row` is the row it belongs to."""

    id: str
    span: Span
    path: tuple[str | int, ...]
    row: Place | None
    reading: tuple[str, str, str] | None = None  # an option, its reading, and what is played instead


@dataclass(frozen=True)
class Case:
    """An example of the ruleset, its options as it has them, and the rows that it gets to."""

    id: str
    example: Mapping
    options: dict[str, str]
    rows: frozenset[Place]


@dataclass(frozen=True)
class Verdict:
    part: Part
    noticed: str  # the example that fails, or nothing
    reached: int  # how many examples get there


# ---- what can be taken out --------------------------------------------------------------------------------


def parts(document: Mapping, columns: bool) -> Iterator[Part]:
    """Every part, in the order of the document."""
    for section in ("tables", "outcomes", "sequences"):
        node = document.get(section)
        if isinstance(node, Mapping):
            charts = [(section, (section,), node)] if section == "outcomes" else _charts(section, node)
            for name, path, chart in charts:
                if isinstance(chart, Mapping):
                    yield from _rows(name, path, chart, columns)
    dice = document.get("dice")
    for key, line in dice.entries if columns and isinstance(dice, Mapping) else ():
        for said, _ in line.entries if isinstance(line, Mapping) else ():
            if said.value in THROWN:
                yield Part(f"dice.{key.value} ? {said.value}", said.span, ("dice", key.value, said.value), None)
    options = document.get("options")
    for key, option in options.entries if isinstance(options, Mapping) else ():
        yield from _readings(key.value, option)


def _charts(section: str, node: Mapping) -> Iterator[tuple[str, tuple[str, ...], Node]]:
    for key, chart in node.entries:
        yield f"{section}.{key.value}", (section, key.value), chart


def _rows(name: str, path: tuple[str, ...], chart: Mapping, columns: bool) -> Iterator[Part]:
    grid = "columns" in chart
    for under in ("cells",) if grid else dict.fromkeys((*POLICIES[1:], *ORDERS)):
        rows = chart.get(under)
        if not isinstance(rows, Mapping):
            continue
        for key, row in rows.entries:
            place = _place(chart.span if grid else key.span)
            here = Part(f"{name}.{key.value}", key.span, (*path, under, key.value), place)
            yield here
            if isinstance(row, Mapping):
                yield from _effects(here, row)
                yield from _conditions(here, row) if columns else ()
    for key, _ in chart.entries if columns else ():
        if key.value in BOUNDS:
            yield Part(f"{name} ? {key.value}", key.span, (*path, key.value), None)


def _effects(row: Part, node: Mapping) -> Iterator[Part]:
    """The effects of a row, if something is left of it without them."""
    do = node.get("do")
    verb = any(key.value in VERBS for key, _ in node.entries)
    if isinstance(do, Listing) and len(do.items) > 1:
        for i, item in enumerate(do.items):
            said = " ".join(item.value.split()) if isinstance(item, Text) else str(i)
            yield Part(f"{row.id} / {said}", item.span, (*row.path, "do", i), row.row)
    elif do is not None and verb:
        said = do.value if isinstance(do, Text) else "its effect"
        yield Part(f"{row.id} / {said}", do.span, (*row.path, "do"), row.row)


def _conditions(row: Part, node: Mapping) -> Iterator[Part]:
    for key, _ in node.entries:
        if key.value not in KEPT or key.value in ("legal", "instead-of"):
            yield Part(f"{row.id} ? {key.value}", key.span, (*row.path, key.value), None)


def _readings(name: str, option: Node) -> Iterator[Part]:
    """Each reading, and what is played instead of it: the default, or instead of that any other."""
    readings = option.get("readings") if isinstance(option, Mapping) else None
    default = option.get("default") if isinstance(option, Mapping) else None
    if not isinstance(readings, Listing) or not isinstance(default, Text):
        return
    words = [item.value for item in readings.items if isinstance(item, Text)]
    for item in readings.items:
        if isinstance(item, Text):
            others = [default.value] if item.value != default.value else [word for word in words if word != item.value]
            for other in others[:1]:
                yield Part(f"options.{name}.{item.value}", item.span, (), None, (name, item.value, other))


def _place(span: Span) -> Place:
    return span.source.name, span.start


def without(node: Node, path: Sequence[str | int]) -> Node:
    """The document without what a path leads to."""
    first, rest = path[0], path[1:]
    if isinstance(node, Listing):
        items = [without(item, rest) if i == first else item for i, item in enumerate(node.items) if rest or i != first]
        return replace(node, items=tuple(items))
    assert isinstance(node, Mapping)
    entries = [
        (key, without(item, rest) if key.value == first else item)
        for key, item in node.entries
        if rest or key.value != first
    ]
    return replace(node, entries=tuple(entries))


# ---- playing ----------------------------------------------------------------------------------------------


def bound_to(document: Node, stack: Stack) -> Bound | None:
    """The ruleset as far as it can be read: a row that named what is gone is a fault only when it is asked."""
    assert isinstance(document, Mapping)
    try:
        return Bound(
            replace(read_ruleset(document, Faults(), tuple(v.name for v in stack.variants)), changes=stack.changes)
        )
    except Faulty:
        return None


def play(bound: Bound, example: Mapping) -> tuple[bool, frozenset[Place]]:
    """Whether an example fails, or can no longer be played; and the rows that it came to."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        result = run_example(bound, example)
        return bool(result.faults), frozenset(map(_place, result.reached))
    except Exception:
        return True, frozenset()
    finally:
        signal.alarm(0)


def fails(bound: Bound, example: Mapping) -> bool:
    return play(bound, example)[0]


def cases(name: str, stack: Stack) -> list[Case]:
    """The examples of a ruleset that are meant for it, with what they get to. All of them must pass."""
    bound = bound_to(stack.document, stack)
    if bound is None:
        raise Faulty.one("unknown-ruleset", f"`{name}` cannot be read: see `closecombat check`")
    defaults = {option.name: option.default for option in bound.ruleset.options.values()}
    out, failed = list[Case](), list[str]()
    for id, example in _examples(stack):
        failing, reached = play(bound, example)
        if failing:
            failed.append(id)
        said = example.get("options")
        chosen = (
            {key.value: value.value for key, value in said.entries if isinstance(value, Text)}
            if isinstance(said, Mapping)
            else {}
        )
        out.append(Case(id, example, {**defaults, **chosen}, reached))
    if failed:
        raise Faulty.one("example-fails", "these fail before anything is taken out: " + ", ".join(failed))
    return out


def _examples(stack: Stack) -> Iterator[tuple[str, Mapping]]:
    """The examples of the ruleset and beside its variants, but for those that name another stack."""
    variants = [variant.name for variant in stack.variants]
    files = {str(one.file): one for folder in (stack.base, *stack.beside) for one in examples_beside(folder)}
    for file in files.values():
        document = read(file)
        for id, example in examples_of(file, document):
            named = example.get("ruleset") or document.get("ruleset")
            if not isinstance(named, Text) or _variants(named.value, file) == variants:
                yield id, example


def _variants(named: str, file: ExampleFile) -> list[str] | None:
    with suppress(Faulty):
        return [variant.name for variant in load_stack(named, file.near).variants]
    return None


def judge(part: Part, stack: Stack, all_cases: Sequence[Case]) -> Verdict:
    """Takes a part out and plays the examples that get to it, until one fails."""
    if part.reading is not None:
        return _judge_reading(part, bound_to(stack.document, stack), all_cases)
    reached = [case for case in all_cases if part.row is None or part.row in case.rows]
    bound = bound_to(without(stack.document, part.path), stack) if reached else None
    if reached and bound is None:
        return Verdict(part, "the ruleset cannot be read without it", len(reached))
    noticed = next((case.id for case in reached if bound is not None and fails(bound, case.example)), "")
    return Verdict(part, noticed, len(reached))


def _judge_reading(part: Part, bound: Bound | None, all_cases: Sequence[Case]) -> Verdict:
    assert part.reading is not None and bound is not None
    option, reading, other = part.reading
    reached = [case for case in all_cases if case.options.get(option) == reading]
    for case in reached:
        if fails(bound, _with_option(case.example, option, other)):
            return Verdict(part, case.id, len(reached))
    return Verdict(part, "", len(reached))


def _with_option(example: Mapping, option: str, reading: str) -> Mapping:
    text = lambda word: Text(word, example.span, True, example.span)  # noqa: E731
    said = example.get("options")
    old = said.entries if isinstance(said, Mapping) else ()
    new = Mapping((*(entry for entry in old if entry[0].value != option), (text(option), text(reading))), example.span)
    rest = tuple(entry for entry in example.entries if entry[0].value != "options")
    return replace(example, entries=(*rest, (text("options"), new)))


# ---- all of it --------------------------------------------------------------------------------------------

_work: dict[str, Any] = {}  # what the processes share: filled before they start, read only


def _judged(index: int) -> Verdict:
    return judge(_work["parts"][index], _work["stack"], _work["cases"])


def judged(
    found: Sequence[Part], stack: Stack, all_cases: Sequence[Case], jobs: int, tell: Callable[[int, int, Verdict], None]
) -> list[Verdict]:
    """The verdicts in the order of the parts, worked out by several processes."""
    _work.update(parts=found, stack=stack, cases=all_cases)
    if jobs < 2:
        out, left = list[Verdict](), 0
        for index in range(len(found)):
            out.append(_judged(index))
            left += not out[-1].noticed
            tell(index + 1, left, out[-1])
        return out
    out, left = [], 0
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for verdict in pool.imap(_judged, range(len(found)), chunksize=4):
            out.append(verdict)
            left += not verdict.noticed
            tell(len(out), left, verdict)
    return out


def allowed(file: Path, ruleset: str) -> dict[str, str]:
    """The survivors that a list allows, and why; nothing if there is no list."""
    if not file.is_file():
        return {}
    try:
        document: Node | None = parse(read_source(file))
    except Faulty as error:
        if error.codes != {"empty-file"}:
            raise
        document = None
    mine = document.get(ruleset) if isinstance(document, Mapping) else None
    return (
        {key.value: value.value for key, value in mine.entries if isinstance(value, Text)}
        if isinstance(mine, Mapping)
        else {}
    )


def report(verdicts: Sequence[Verdict], reasons: dict[str, str], whole: bool) -> int:
    """Prints the survivors and the totals; how many there are that nobody allows."""
    survivors = [verdict for verdict in verdicts if not verdict.noticed]
    unallowed = [verdict for verdict in survivors if verdict.part.id not in reasons]
    for verdict in unallowed:
        line, _ = verdict.part.span.source.position(verdict.part.span.start)
        many = f"{verdict.reached} example{'s' * (verdict.reached != 1)}"
        how = f"{many} got there, none noticed" if verdict.reached else "no example gets there"
        print(f"{verdict.part.span.source.name}:{line}: {verdict.part.id}  ({how})")
    needless = sorted(set(reasons) - {verdict.part.id for verdict in survivors}) if whole else []
    for id in needless:
        print(f"allowed without need: {id}")
    unread = sum(not verdict.reached for verdict in unallowed)
    print(
        f"{len(verdicts)} taken out, {len(verdicts) - len(survivors)} noticed, {len(survivors) - len(unallowed)} allowed, "
        f"{len(unallowed)} survivors ({unread} that no example gets to)"
    )
    return len(unallowed) + len(needless)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("--columns", action="store_true", help="take out conditions too")
    parser.add_argument("--only", default="", metavar="WORD", help="only what has this in its id")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument("--allowed", type=Path, default=Path("tests/removal-allowed.yaml"), metavar="FILE")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        stack = load_stack(options.ruleset)
        all_cases = cases(options.ruleset, stack)
        name = stack.document.get("ruleset")
        reasons = allowed(options.allowed, name.value if isinstance(name, Text) else options.ruleset)
    except Faulty as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    found = [part for part in parts(stack.document, options.columns) if options.only in part.id]
    terminal = sys.stderr.isatty()

    def tell(done: int, left: int, verdict: Verdict) -> None:
        if not verdict.noticed:  # told at once too: the whole list comes at the end only, perhaps much later
            print(f"\r{verdict.part.id}" if terminal else verdict.part.id, file=sys.stderr, flush=True)
        if terminal or done == len(found) or done % 100 == 0:
            text = f"{done} of {len(found)} taken out, {left} not noticed, {time.monotonic() - started:.0f} s"
            print(f"\r{text} " if terminal else text, end="" if terminal else "\n", file=sys.stderr, flush=True)

    verdicts = judged(found, stack, all_cases, options.jobs, tell)
    if terminal:
        print(file=sys.stderr)
    return 1 if report(verdicts, reasons, not options.only) else 0


if __name__ == "__main__":
    sys.exit(main())
