"""The command that works out a whole grid of fights. What a plan asks for, and each of its rows, is `asking/sweeps`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TYPE_CHECKING

import click

from closecombat.cli import completion
from closecombat.cli.common import INTERRUPTED, at_work, emit, jobs_option, output_option, page, say
from closecombat.proving.values.budget import SECOND, UNASKED

if TYPE_CHECKING:
    from closecombat.asking.crews.batches import Crew
    from closecombat.asking.sweeps.grid import Grid
    from closecombat.asking.sweeps.sweep import Going
    from closecombat.telling.progress import Progress
    from closecombat.telling.row_files import RowFile

MOST_UNASKED = 200_000  # rows that are worked out without a second word


@click.command()
@click.argument("plan", shell_complete=completion.plans)
@output_option
@jobs_option(None, "How many processes work; one for each core if it is left out. The rows are the same.")
@click.option("--shard", metavar="PART/PARTS", default="1/1", help="Only this share of the rows, such as 3/16.")
@click.option("--scheduler", metavar="ADDRESS", default="", help="Let the workers of a Dask scheduler do it.")
@click.option("--row", type=click.IntRange(1), help="Print the fight of this row as a situation, and stop.")
@click.option(
    "--patience",
    type=click.IntRange(1, 10**6),
    default=UNASKED // SECOND,
    show_default=True,
    metavar="SECONDS",
    help="How long one situation may take, about; a row of which more is foretold says so, and has no result.",
)
@click.option("--yes", is_flag=True, help=f"Work out more than {MOST_UNASKED:,} rows without being asked.")
def sweep(
    plan: str,
    output: str | None,
    jobs: int | None,
    shard: str,
    scheduler: str,
    row: int | None,
    patience: int,
    yes: bool,
) -> None:
    """Work out a grid of fights. It has forces, states and ground by systems and variants.

    PLAN is a file, the name of a shipped plan, or - for standard input; without -o it is told what it asks for. The
    rows go into FILE.csv, FILE.jsonl or FILE.parquet; FILE.html is a page with the curve over the force ratio.
    Interrupted or killed, the same command goes on where the file ends.
    """
    from closecombat.asking.sweeps.grid import read_grid
    from closecombat.asking.sweeps.sweep import share_of
    from closecombat.telling.sweep import grid_text, situation_text
    from closecombat.text.faults import Faulty

    part, parts = _share(shard)
    if jobs is not None and scheduler:
        raise click.UsageError("--jobs are processes here, and --scheduler has workers elsewhere: give one of the two")
    grid = read_grid(plan)
    if row is not None:
        if row > grid.rows:
            raise click.UsageError(f"this plan has {grid.rows:,} rows")
        emit(situation_text(grid, row), output)
        return
    if output is None or output == "-":
        emit(grid_text(grid, page()), None)
        return
    numbers = share_of(grid.rows, part, parts)
    if len(numbers) > MOST_UNASKED and not yes:
        raise Faulty.one(
            "budget-exceeded",
            f"this plan asks for {len(numbers):,} situations",
            None,
            help="add --yes to have them all, or do a share, --shard 1/100, and see how long that takes",
        )
    _work(grid, numbers, output, _crew(jobs, scheduler), patience * SECOND)


def _share(text: str) -> tuple[int, int]:
    part, slash, parts = text.partition("/")
    if not (slash and part.isdecimal() and parts.isdecimal() and len(parts) < 7 and 1 <= int(part) <= int(parts)):
        raise click.UsageError(f"`{text}` is no share; write --shard 3/16 for the third of sixteen")
    return int(part), int(parts)


def _crew(jobs: int | None, scheduler: str) -> AbstractContextManager[Crew]:
    from closecombat.asking.crews.batches import Alone, Processes

    if scheduler:
        from closecombat.asking.crews.cluster import Cluster

        return Cluster(scheduler)
    cores: Callable[[], int | None] = getattr(os, "process_cpu_count", os.cpu_count)  # those that we may use
    number = jobs or cores() or 1
    return nullcontext(Alone()) if number == 1 else Processes(number)


def _work(grid: Grid, numbers: range, output: str, crew: AbstractContextManager[Crew], most_work: int) -> None:
    from closecombat.telling.row_files import RowFile

    progress = at_work("working out situations")
    none = Counter[str]()
    with RowFile(output, grid, numbers) as file:
        before = file.done
        if before:
            say(f"{before:,} of {len(numbers):,} rows are there already")
        try:
            if before < len(numbers):
                with crew as hands:
                    _rows(grid, numbers[before:], hands, file, progress, none, most_work)
        except KeyboardInterrupt:
            progress.done()
            file.flush()
            say(f"interrupted after {file.done:,} of {len(numbers):,} rows; the same command goes on from there")
            raise click.exceptions.Exit(INTERRUPTED) from None
    progress.done()
    said = ", ".join(f"{code} {number:,}" for code, number in none.most_common())
    say(
        f"{len(numbers):,} rows in {output}"
        + (f", {sum(none.values()):,} of them without a result: {said}" if said else "")
    )
    if none["fault-of-the-program"]:
        say("a fault of closecombat itself: please report it with the plan")


def _rows(
    grid: Grid, numbers: range, crew: Crew, file: RowFile, progress: Progress, none: Counter[str], most_work: int
) -> None:
    from closecombat.asking.sweeps.sweep import swept

    def watch(going: Going) -> None:
        file.flush()
        progress.sweep(going)

    with closing(swept(grid, numbers, crew, watch, most_work)) as rows:
        for number, answer in rows:
            file.write(number, answer)
            if answer.code:
                none[answer.code] += 1
