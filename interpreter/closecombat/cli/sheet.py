"""The command that prints a ruleset for players."""

from __future__ import annotations

import click

from closecombat.cli.common import emit, emit_bytes, output_option, page

FORMS = ("text", "html", "pdf", "md", "json")
PAPERS = ("a4", "letter")


@click.command()
@click.argument("ruleset")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="What it is printed on.")
@click.option(
    "-f", "--format", "form", type=click.Choice(FORMS), default="text", show_default=True, help="How it is written."
)
@output_option
def sheet(ruleset: str, paper: str, form: str, output: str | None) -> None:
    """Print what a player has before him. Charts, modifiers and the sequence of play, in words, from the same rows.

    RULESET is a shipped name, a path or a stack; rows that a variant has changed are marked. What stands on which page
    is said by the ruleset under `sheet:`. A page (-f html) prints from any browser; -f pdf -o FILE needs weasyprint:
    pip install 'closecombat[pdf]'.
    """
    from closecombat.asking.sheet import sheet_of
    from closecombat.binding.load import loaded
    from closecombat.reading.stack import load_stack
    from closecombat.telling import sheet as telling

    stack = load_stack(ruleset, whole=True)
    made = sheet_of(loaded(stack).ruleset, stack)
    match form:
        case "json":
            emit(telling.sheet_json(made), output)
        case "md":
            emit(telling.sheet_markdown(made), output)
        case "html":
            from closecombat.telling.sheet_page import sheet_html

            emit(sheet_html(made, paper), output)
        case "pdf":
            from closecombat.telling.pdf import pdf_of
            from closecombat.telling.sheet_page import sheet_html

            emit_bytes(pdf_of(sheet_html(made, paper)), output, "PDF")
        case _:
            emit(telling.sheet_text(made, page(output)), output)
