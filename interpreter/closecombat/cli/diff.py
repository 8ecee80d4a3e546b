"""The command that holds two rulesets against each other: diff. What it finds is `asking/diff`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from closecombat.cli.common import FINDINGS, emit, formats, jobs_option, output_option, page, say, yes_option

if TYPE_CHECKING:
    from closecombat.asking.batches import Crew
    from closecombat.asking.diff import Side
    from closecombat.text.revisions import Version


@click.command()
@click.argument("base", metavar="A")
@click.argument("other", metavar="B")
@click.option(
    "--fights", "paths", multiple=True, metavar="PATH", help="Only the fights of this file or folder, or an engagement."
)
@click.option("--all", "everything", is_flag=True, help="Tell every fight, and every chance of it that is another.")
@yes_option
@jobs_option(None, "How many processes work it out; one for each core if it is left out.")
@formats("json", "md")
@output_option
def diff(
    base: str,
    other: str,
    paths: tuple[str, ...],
    everything: bool,
    yes: bool,
    jobs: int | None,
    form: str,
    output: str | None,
) -> None:
    """Say what B changes of A: in the rules, and in the chances of every fight.

    A and B are rulesets, variants or stacks, as -r takes them. `REV:STACK` is one as it was at that commit of git, and
    `diff HEAD~1 my-game` holds my-game against what it was then. The fights are the examples and engagements of A. Exit
    1 if a rule or a chance differs.
    """
    from closecombat.asking.batches import Alone, Processes
    from closecombat.asking.diff import diff as differ
    from closecombat.asking.differing import MOST_WORK
    from closecombat.telling.diff import Shown, diff_json, diff_markdown, diff_text, summary
    from closecombat.telling.progress import Progress

    progress = Progress(say)
    with ExitStack() as open_until_then:
        sides = open_until_then.enter_context(_sides(base, other))
        number = jobs or os.cpu_count() or 1
        crew: Crew = Alone() if number == 1 else open_until_then.enter_context(Processes(number))
        one, two, told = sides
        most_work = None if yes else MOST_WORK
        found = differ(one, two, paths, most_work, crew, lambda at, of: progress.show(f"{at:,} of {of:,} fights"))
        progress.done()
        shown = Shown(told, everything)
        match form:
            case "json":
                emit(diff_json(found, shown), output)
            case "md":
                emit(diff_markdown(found, shown), output)
            case _:
                emit(diff_text(found, shown, page(output)), output)
    if form != "text":
        say(summary(found))
    if found.differs:
        click.get_current_context().exit(FINDINGS)


@contextmanager
def _sides(base: str, other: str) -> Iterator[tuple[Side, Side, Callable[[str], str]]]:
    """The two rulesets, of which either may be another version of the project."""
    from dataclasses import replace

    from closecombat.asking.diff import Side
    from closecombat.text.faults import Faulty
    from closecombat.text.revisions import version

    named = [_revision(each) for each in (base, other)]
    versions: list[Version] = []
    with ExitStack() as laid_down:
        sides: list[Side] = []
        for (revision, stack), (_, beside) in zip(named, reversed(named), strict=True):
            if not revision:
                sides.append(Side(stack))
                continue
            versions.append(laid_down.enter_context(version(revision)))
            sides.append(Side(_there(stack or beside), versions[-1].here))

        def told(text: str) -> str:
            for each in versions:
                text = each.told(text)
            return text

        try:
            yield sides[0], sides[1], told
        except Faulty as error:
            told_of = error.diagnostics
            for each in versions:
                told_of = tuple(each.told_of(one) for one in told_of)
            raise Faulty([replace(one) for one in told_of]) from None


def _revision(text: str) -> tuple[str, str]:
    """The commit and the stack that an argument means; no commit where it is a stack of this folder."""
    from closecombat.reading.stack import shipped
    from closecombat.text.revisions import is_revision

    revision, colon, stack = text.partition(":")
    if colon and is_revision(revision):
        return revision, stack
    known = text in shipped() or text in shipped("variants") or os.path.exists(text) or "+" in text
    return ("", text) if known or not is_revision(text) else (text, "")


def _there(stack: str) -> str:
    """A stack whose paths count from the folder of a version."""
    return "+".join(part.strip() for part in stack.split("+"))
