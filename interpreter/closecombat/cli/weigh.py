"""The command that says which rule matters in a fight."""

from __future__ import annotations

import click

from closecombat.cli import completion
from closecombat.cli.common import (
    at_work,
    emit,
    formats,
    option_option,
    output_option,
    page,
    ruleset_option,
    until_option,
    yes_option,
)
from closecombat.cli.fight import Named, fight_argument, prepared


@click.command()
@fight_argument("fight")
@ruleset_option
@click.option(
    "--of",
    "questions",
    multiple=True,
    metavar="SENTENCE",
    help="Ask this of the end, and not how it ends: --of 'hp of d' --of 'any unit of blue is broken'.",
)
@click.option("--rows", metavar="WORD", default="", help="Only rows and options with this in their names.")
@click.option("--no-shares", is_flag=True, help="Leave out what is the doing of each where all work together.")
@click.option("--all", "everything", is_flag=True, help="List every rule, and by name what is never met here.")
@until_option
@yes_option
@option_option
@formats("json", "csv", "md", "html")
@output_option
def weigh(
    fight: Named,
    ruleset: str,
    questions: tuple[str, ...],
    rows: str,
    no_shares: bool,
    everything: bool,
    until: str | None,
    yes: bool,
    options: tuple[str, ...],
    form: str,
    output: str | None,
) -> None:
    """Say which rule matters in a fight, and how much.

    FIGHT is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. Each row of a sum or of what is
    forbidden is switched off, each option read each other way, each number behind an assumption moved by one; what
    that changes is exact. A fair share says how much of what all of them do together is the doing of each.
    """
    from closecombat.asking.weights.changeable import rules_of
    from closecombat.asking.weights.weigh import Weighing
    from closecombat.asking.weights.weigh import weigh as weighed
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling import weigh as report

    progress = at_work("weighing the rules")
    scene, ready = prepared(fight, ruleset, options)
    most_work, of_one = (None, None) if yes else (UNASKED, UNASKED // 4)
    how = Weighing(
        rules_of(scene, ruleset, options),
        questions,
        rows,
        until is not None,
        not no_shares,
        most_work=most_work,
        most_of_one=of_one,
        watch=progress.rules,
    )
    found = weighed(scene.name, ready, how)
    progress.done()
    match form:
        case "json":
            emit(report.weigh_json(found), output)
        case "csv":
            emit(report.weigh_csv(found), output)
        case "html":
            from closecombat.asking.weights.weight_words import weighed_in_words
            from closecombat.telling.weigh_page import weigh_html

            emit(weigh_html(found, weighed_in_words(ready.bound.ruleset)), output)
        case _:
            emit(report.weigh_text(found, everything or form == "md", page(output, form)), output)


@click.command()
@click.argument("rulesets", nargs=-1, metavar="[RULESET...]", shell_complete=completion.rulesets)
@formats("json", "csv", "md")
@output_option
def ledger(rulesets: tuple[str, ...], form: str, output: str | None) -> None:
    """Say which reading of a doubtful clause moves which fight.

    RULESET is a shipped ruleset or a stack of one; all of them if none is named. Every option, every assumption that
    says what it would be else, and every row that rests on one is changed by itself, in each shipped engagement.
    """
    from closecombat.asking.weights.ledger import ledger_of
    from closecombat.reading.stack import shipped
    from closecombat.telling.ledger import ledger_csv, ledger_json, ledger_markdown

    progress = at_work("weighing the doubtful clauses")
    found = [ledger_of(name, progress.show) for name in rulesets or shipped()]
    progress.done()
    match form:
        case "json":
            emit(ledger_json(found), output)
        case "csv":
            emit(ledger_csv(found), output)
        case _:
            emit(ledger_markdown(found), output)
