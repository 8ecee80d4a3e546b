"""`test --coverage`: what of the rules no example reaches. How that is found is `asking/examples/cover_points`."""

from __future__ import annotations

import click

from closecombat.cli.common import FINDINGS, at_work, emit, on_the_page, page, say


def cover(stack: str, least: int | None, yes: bool, form: str, output: str | None) -> None:
    """Says how far the examples of a ruleset reach; exit 1 if one fails, or if they reach less than they have to."""
    from closecombat.asking.examples.cover_points import how_far
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling.cover_points import percent, reached_csv, reached_in_tables, reached_json, reached_text

    progress = at_work("playing the examples")
    most_work = None if yes else UNASKED
    found = how_far(stack, lambda done, of: progress.show(f"{done} of {of} examples and changes tried"), most_work)
    progress.done()
    match form:
        case "json":
            emit(reached_json(found), output)
        case "csv":
            emit(reached_csv(found), output)
        case "md" | "html":
            emit(reached_in_tables(found, page(output, form)), output)
        case _:
            emit(on_the_page(reached_text(found), output), output)
    is_under = least is not None and percent(found.points) < least
    if is_under:
        say(f"{percent(found.points):.2f} % is under {least} %")
    if is_under or found.failed:
        click.get_current_context().exit(FINDINGS)
