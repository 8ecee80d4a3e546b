"""`test --mutate`: the slips in a ruleset that no example would miss. What they are is `asking/examples/mutation`."""

from __future__ import annotations

import os
from contextlib import nullcontext

import click

from closecombat.cli.common import FINDINGS, INTERRUPTED, at_work, emit, on_the_page, say


def mutate(
    stack: str, rows: str, sample: int | None, seed: int, jobs: int | None, yes: bool, output: str | None
) -> None:
    """Tries the mutants of a ruleset, and lists those that no example would miss; exit 1 if there are any."""
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.asking.examples.mutation import SURVIVED, plan, tried
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling.mutation import FateFile, count, survivors_text
    from closecombat.text.faults import Faulty

    progress = at_work("playing the examples")
    most_work = None if yes else UNASKED
    found = plan(
        stack, rows, sample, seed, lambda done, of: progress.show(f"{done} of {of} examples played"), most_work
    )
    if not found.pieces:
        none = f"`{stack}` has no row with `{rows}` in its path" if rows else f"`{stack}` changes no row"
        help = "of a variant the rows that it changes are tried; `--rows WORD` tries others, `--rows .` all"
        raise Faulty.one("nothing-found", f"{none} in which a slip could be made", None, help=help)
    progress.then("trying the slips")
    number = min(jobs or os.cpu_count() or 1, len(found.pieces))
    with FateFile(output, found) if output else nullcontext() as file:
        fates = list(file.known) if file is not None else []
        before = len(fates)
        if before:
            say(f"{before:,} of {len(found.pieces):,} mutants are known already")
        try:
            with nullcontext(Alone()) if number == 1 else Processes(number) as crew:
                for fate in tried(found, [one.number for one in fates], crew):
                    fates.append(fate)
                    if file is not None:
                        file.write(fate)
                    survived = sum(one.fate == SURVIVED for one in fates)
                    progress.mutants(len(fates) - before, len(found.pieces) - before, survived)
        except KeyboardInterrupt:
            progress.done()
            emit(on_the_page(survivors_text(found, fates), None))
            goes_on = "; the same command goes on from there" if output else ""
            say(f"interrupted after {len(fates):,} of {len(found.pieces):,} mutants{goes_on}")
            raise click.exceptions.Exit(INTERRUPTED) from None
    progress.done()
    emit(on_the_page(survivors_text(found, fates) + count(fates) + "\n", None))
    if any(one.fate == SURVIVED for one in fates):
        click.get_current_context().exit(FINDINGS)
