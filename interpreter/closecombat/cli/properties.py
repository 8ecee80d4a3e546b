"""The command that holds a ruleset against its own claims: properties. What it finds is `asking/claims/properties`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from closecombat.cli import completion
from closecombat.cli.common import (
    FINDINGS,
    INTERRUPTED,
    at_work,
    emit,
    formats,
    jobs_option,
    output_option,
    page,
    say,
    yes_option,
)

if TYPE_CHECKING:
    from closecombat.asking.crews.batches import Crew


@click.command()
@click.argument("ruleset", shell_complete=completion.rulesets)
@click.argument("names", nargs=-1, metavar="[CLAIM]...")
@click.option(
    "--most",
    type=click.IntRange(1),
    metavar="SECONDS",
    help="So much work of one core for all claims, and four times its share for one whose step does nothing; 12.",
)
@yes_option
@jobs_option(None, "How many processes look; one for each core if it is left out.")
@formats("json", "csv", "md", "html", "junit")
@output_option
def properties(
    ruleset: str, names: tuple[str, ...], most: int | None, yes: bool, jobs: int | None, form: str, output: str | None
) -> None:
    """Look for situations that break what a ruleset claims.

    RULESET is a ruleset, variant or stack, CLAIM an id under its `properties:`; all of them if none is named. Each
    claim is held against pairs of situations that differ in what it steps, small ones and the ruleset's own fights.
    Exit 1 if one is broken that does not say so (`fails: why`), says so and is not, or if nobody could be stepped.
    """
    from closecombat.asking.claims.properties import in_all, looked_at
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.telling.properties import (
        PASSES,
        properties_csv,
        properties_json,
        properties_junit,
        properties_markdown,
        properties_summary,
        properties_text,
    )

    bound = in_all(most, yes)
    progress, number = at_work("looking at the claims"), 1 if len(names) == 1 else jobs or os.cpu_count() or 1
    with ExitStack() as until_then:
        crew: Crew = Alone() if number == 1 else until_then.enter_context(Processes(number, copies=True))
        rules, found = looked_at(
            ruleset, names, bound, crew, lambda at, of: progress.show(f"{at} of {of} claims looked at")
        )
    progress.done()
    if not found:
        say(f"{rules.name} claims nothing: write `properties:` into it")
        return
    match form:
        case "json":
            emit(properties_json(rules, found, bound.looks), output)
        case "csv":
            emit(properties_csv(rules, found), output)
        case "md":
            emit(properties_markdown(rules, found), output)
        case "junit":
            emit(properties_junit(rules, found), output)
        case _:
            emit(properties_text(rules, found, page(output, form)), output)
    say(properties_summary(found))
    wanted = len(set(names) or rules.properties)
    if len(found) < wanted:
        say(f"interrupted after {len(found)} of {wanted} claims: the result is that of these")
        click.get_current_context().exit(INTERRUPTED)
    if any(one.fate not in PASSES for one in found):
        click.get_current_context().exit(FINDINGS)
