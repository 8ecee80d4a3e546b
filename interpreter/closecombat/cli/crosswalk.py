"""The command that sets what several systems say beside each other."""

from __future__ import annotations

import click

from closecombat.cli import completion
from closecombat.cli.common import at_work, emit, formats, output_option, page


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET...]", shell_complete=completion.rulesets)
@formats("json", "html", "md", "csv")
@output_option
def crosswalk(rulesets: tuple[str, ...], form: str, output: str | None) -> None:
    """Say concept by concept what each system says. Its rows side by side, with what each is worth, and the clauses.

    RULESET is a shipped name, a path or a stack; all that ship if none is named. The concepts are the words of the
    order of battle, and those that it lists besides; what each is called in the rules of a system stands in its file
    there. What belongs to no concept is told at the end.
    """
    from closecombat.asking.systems.crosswalk import crosswalk_of
    from closecombat.reading.battle_files import fielders
    from closecombat.telling import crosswalk as telling
    from closecombat.text.faults import Faults

    progress = at_work("reading what each says")
    found = crosswalk_of(rulesets or [each.name for each in fielders(None, Faults())])
    progress.done()
    match form:
        case "json":
            emit(telling.crosswalk_json(found), output)
        case "html":
            emit(telling.crosswalk_html(found), output)
        case "csv":
            emit(telling.crosswalk_csv(found), output)
        case _:
            emit(telling.crosswalk_text(found, page(output, form)), output)
