"""The command that looks for the values of a change: tune. What it tries is `asking/changes/tune`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from closecombat.cli import completion
from closecombat.cli.common import FINDINGS, at_work, emit, formats, keep, output_option, page, say, yes_option

if TYPE_CHECKING:
    from closecombat.asking.changes.tune import Tuned


@click.command()
@click.argument("variant", shell_complete=completion.variants)
@click.option("--goal", "goals", multiple=True, metavar="GOAL", help='"FIGHT: SENTENCE: 25% to 30%"; several times.')
@click.option("--elsewhere", metavar="BOUND", default="", help='"at most 2 points": how far other fights may move.')
@click.option("--all", "everything", is_flag=True, help="Tell every setting, also those that miss a goal.")
@click.option("--write", "writing", is_flag=True, help="Write the nearest setting into the file of the variant.")
@yes_option
@formats("json", "csv", "md", "html")
@output_option
def tune(
    variant: str,
    goals: tuple[str, ...],
    elsewhere: str,
    everything: bool,
    writing: bool,
    yes: bool,
    form: str,
    output: str | None,
) -> None:
    """Find the values with which a variant reaches a goal.

    VARIANT is a file in which a change says `{from: -4, to: 0}` in place of a number, and under `goals:` what is to be
    reached in which fight; or the goals are given here. All settings that reach them are told, the nearest to the base
    first, or which goals contradict each other: then exit 1. `--write` puts the nearest into the file.
    """
    from closecombat.asking.changes.tune import tune as tuned_by
    from closecombat.proving.values.budget import UNASKED
    from closecombat.reading.ranges import said_goal, said_points
    from closecombat.telling.tune import tuned_csv, tuned_json, tuned_markdown, tuned_summary, tuned_text

    wanted, bound = [said_goal(one) for one in goals], said_points(elsewhere) if elsewhere else None
    progress = at_work("trying the values", keeps=bool(elsewhere))
    found = tuned_by(variant, wanted, bound, None if yes else UNASKED, progress.show)
    progress.done()
    match form:
        case "json":
            emit(tuned_json(found), output)
        case "csv":
            emit(tuned_csv(found), output)
        case "md":
            emit(tuned_markdown(found), output)
        case _:
            emit(tuned_text(found, page(output, form), everything), output)
    say(tuned_summary(found))
    if not found.reached:
        click.get_current_context().exit(FINDINGS)
    if writing:
        _write(found)


def _write(found: Tuned) -> None:
    """Puts the nearest setting in the place of the ranges; all else in the file stays as it is."""
    from pathlib import Path

    from closecombat.text.editing import edited

    if not found.ranges:
        say(f"{found.file} names no range, so there is nothing to write")
        return
    raw = Path(found.file).read_bytes().decode("utf-8")
    values = found.reached[0].values
    keep(found.file, edited(raw, [(one.span, one.written(v)) for one, v in zip(found.ranges, values, strict=True)]))
    said = ", ".join(f"{one.change} {one.column} {one.written(v)}" for one, v in zip(found.ranges, values, strict=True))
    say(f"{found.file}: {said}")
