"""The command that lists what may be chosen."""

from __future__ import annotations

import click

from closecombat.cli_common import emit, formats, option_option, output_option, page, ruleset_option, say
from closecombat.cli_fight import answers, prepared


@click.command()
@click.argument("situation")
@ruleset_option
@click.option("--at", metavar="ROW", default="", help="The choice at this row, and not the first that is open.")
@click.option(
    "--all", "everything", is_flag=True, help="Every answer, every declaration, and why each other is forbidden."
)
@click.option("--dice", help="Dice already rolled before the choice, in rolling order: 4,2,5.")
@click.option("--seed", type=int, help="Roll the dice before the choice from this seed.")
@option_option
@formats("json")
@output_option
def choices(
    situation: str,
    ruleset: str,
    at: str,
    everything: bool,
    dice: str | None,
    seed: int | None,
    options: tuple[str, ...],
    form: str,
    output: str | None,
) -> None:
    """List what a player may choose or declare next, and what the rules forbid him.

    SITUATION is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. What it answers under
    `choices:` is taken as chosen; the first choice that it leaves open is listed.
    """
    from dataclasses import replace

    from closecombat.diagnostics import Faulty
    from closecombat.legal import next_choice
    from closecombat.report_choices import choices_json, choices_text
    from closecombat.report_progress import Progress

    if dice is not None and seed is not None:
        raise click.UsageError("--dice and --seed exclude each other")
    scene, fight = prepared(situation, ruleset, options)
    given = "" if dice is None and seed is None and scene.dice is None else dice
    progress = Progress(say)
    try:
        found = next_choice(fight, answers(scene, given, seed), at, progress.tries)
    except Faulty as error:
        if error.codes != {"dice-missing"}:
            raise
        help = "what is chosen here hangs on dice: add --dice 4,2,.. or --seed 1"
        raise Faulty([replace(each, help=help) for each in error.diagnostics]) from None
    finally:
        progress.done()
    if form == "json":
        emit(choices_json(found), output)
    elif found is None:
        say(f"nobody is asked at `{at}`" if at else "nothing is left to choose")
    else:
        emit(choices_text(found, everything, page(output)), output)
