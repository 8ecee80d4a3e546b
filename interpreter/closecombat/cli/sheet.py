"""The command that prints a ruleset for players: the aid, the rulebook, the counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from closecombat.cli.common import at_work, emit, emit_bytes, formats, output_option, page
from closecombat.cli.fight import Named, answers, prepared

if TYPE_CHECKING:
    from closecombat.asking.printed.strip import Strip

PAPERS = ("a4", "letter")


@click.command()
@click.argument("ruleset")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="What it is printed on.")
@click.option("--counters", is_flag=True, help="Counters and markers to print and cut, squares of 20 mm.")
@click.option("--rulebook", is_flag=True, help="All clauses, the rows that do each, and examples in pictures.")
@formats("html", "pdf", "md", "json")
@output_option
def sheet(ruleset: str, paper: str, form: str, counters: bool, rulebook: bool, output: str | None) -> None:
    """Print what a player has before him. Charts, modifiers and the sequence of play, in words, from the same rows.

    RULESET is a shipped name, a path or a stack; rows that a variant has changed are marked. What stands on which page
    is said by the ruleset under `sheet:`. A page (-f html) prints from any browser; -f pdf -o FILE needs weasyprint:
    pip install 'closecombat[pdf]'.
    """
    if counters and rulebook:
        raise click.UsageError("--counters and --rulebook are two things to print: one at a time")
    if counters:
        _counters(ruleset, paper, form, output)
    elif rulebook:
        _rulebook(ruleset, paper, form, output)
    else:
        _aid(ruleset, paper, form, output)


def _aid(ruleset: str, paper: str, form: str, output: str | None) -> None:
    from closecombat.asking.printed.sheet import sheet_of
    from closecombat.binding.load import loaded_whole
    from closecombat.reading.stack import load_stack
    from closecombat.telling import sheet as telling

    stack = load_stack(ruleset, whole=True)
    made = sheet_of(loaded_whole(stack).ruleset, stack)
    match form:
        case "json":
            emit(telling.sheet_json(made), output)
        case "md":
            emit(telling.sheet_markdown(made), output)
        case "text":
            emit(telling.sheet_text(made, page(output)), output)
        case _:
            from closecombat.telling.sheet_page import sheet_html

            _printed(sheet_html(made, paper), form, output)


def _counters(ruleset: str, paper: str, form: str, output: str | None) -> None:
    from closecombat.asking.printed.counter_sheet import counters_of
    from closecombat.asking.printed.sheet import digest_of
    from closecombat.binding.load import loaded_whole
    from closecombat.reading.stack import load_stack
    from closecombat.telling import counter_sheet as pieces

    stack = load_stack(ruleset, whole=True)
    made = counters_of(loaded_whole(stack).ruleset)
    match form:
        case "json":
            emit(pieces.counters_json(made), output)
        case "md":
            emit(pieces.counters_markdown(made), output)
        case "text":
            emit(pieces.counters_text(made, page(output)), output)
        case _:
            _printed(pieces.counters_html(made, digest_of(stack), paper), form, output)


def _rulebook(ruleset: str, paper: str, form: str, output: str | None) -> None:
    """Plays all examples, and makes strips of some of them."""
    from closecombat.asking.examples.coverage import coverage
    from closecombat.asking.printed.rulebook import rulebook_of
    from closecombat.asking.printed.sheet import digest_of
    from closecombat.asking.printed.strip import printed_on
    from closecombat.binding.load import loaded_whole
    from closecombat.reading.stack import load_stack
    from closecombat.telling import rulebook as chapters

    progress = at_work("playing the examples")
    found = coverage(ruleset, lambda place, number: progress.at(place, number, 0))
    whole = load_stack(ruleset, whole=True)
    printed = printed_on(loaded_whole(whole).ruleset)
    book = rulebook_of(found, lambda example: _drawn(example, ruleset, printed))
    progress.done()
    match form:
        case "json":
            emit(chapters.rulebook_json(book), output)
        case "md":
            emit(chapters.rulebook_markdown(book), output)
        case "text":
            emit(chapters.rulebook_text(book, page(output)), output)
        case _:
            from closecombat.telling.rulebook_page import rulebook_html

            _printed(rulebook_html(book, digest_of(whole), paper), form, output)


def _drawn(example: str, ruleset: str, printed: frozenset[str]) -> Strip | None:
    """An example played and drawn; nothing of one that throws no dice, or that the rules refuse to play."""
    from closecombat.asking.played.resolution import resolve
    from closecombat.asking.printed.strip import strip_of
    from closecombat.reading.fields import child
    from closecombat.text.faults import Faulty
    from closecombat.text.nodes import Text

    try:
        scene, fight = prepared(Named(example), ruleset, ())
        if scene.dice is None:
            return None
        played = resolve(fight, answers(scene, None, None))
    except Faulty:
        return None
    about = child(scene.document, "about")
    said = about.value if isinstance(about, Text) else ""
    name = example.partition("#")[2]
    return strip_of(fight.bound.ruleset, printed, name, child(scene.document, "situation"), said, played)


def _printed(html: str, form: str, output: str | None) -> None:
    """A page, as it is or as PDF."""
    if form == "html":
        emit(html, output)
        return
    from closecombat.telling.pdf import pdf_of

    at_work("laying out the pages")
    emit_bytes(pdf_of(html), output, "PDF")
