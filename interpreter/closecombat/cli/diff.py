"""The commands that hold rules against others: diff against another ruleset, gate against chances recorded before.

What they find is `asking/changes/diff` and `asking/changes/gate`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from closecombat.cli import completion
from closecombat.cli.common import (
    FINDINGS,
    aim_option,
    at_work,
    emit,
    formats,
    jobs_option,
    output_option,
    page,
    play_option,
    say,
    yes_option,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from closecombat.asking.changes.diff import Side
    from closecombat.asking.crews.batches import Crew
    from closecombat.text.revisions import Version


@click.command()
@click.argument("base", metavar="A", shell_complete=completion.rulesets)
@click.argument("other", metavar="B", shell_complete=completion.rulesets)
@click.option(
    "--fights", "paths", multiple=True, metavar="PATH", help="Only the fights of this file or folder, or an engagement."
)
@click.option("--all", "everything", is_flag=True, help="Tell every fight, and every chance of it that is another.")
@click.option("--most", type=click.IntRange(1), metavar="SECONDS", help="So much work of one core for all fights; 12.")
@play_option
@aim_option
@yes_option
@jobs_option(None, "How many processes work it out; one for each core if it is left out.")
@formats("json", "csv", "md", "html")
@output_option
def diff(
    base: str,
    other: str,
    paths: tuple[str, ...],
    everything: bool,
    most: int | None,
    how: str,
    aims: tuple[str, ...],
    yes: bool,
    jobs: int | None,
    form: str,
    output: str | None,
) -> None:
    """Say what B changes of A: in the rules, and in all chances.

    A and B are rulesets, variants or stacks, as -r takes them. `REV:STACK` is one as it was at that commit of git, and
    `diff HEAD~1 my-game` holds my-game against what it was then. The fights are the examples and engagements of A, each
    for as many close combats as it says, else for one: what differs in later ones alone is told as a rule. Exit 1 if a
    rule or a chance differs.
    """
    if aims and how != "best":
        raise click.UsageError("--aim says what is played for: it goes with --play best")
    from closecombat.asking.changes.diff import diff as differ
    from closecombat.asking.choices.aims import wanted
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.asking.keeping.came_to import MOST_WORK
    from closecombat.proving.values.budget import SECOND, SECONDS_IN_ALL
    from closecombat.telling.diff import Shown, diff_csv, diff_html, diff_json, diff_markdown, diff_text, summary

    progress = at_work("holding the rules against each other", keeps=True)
    with ExitStack() as open_until_then:
        sides = open_until_then.enter_context(_sides(base, other))
        number = jobs or os.cpu_count() or 1
        crew: Crew = Alone() if number == 1 else open_until_then.enter_context(Processes(number, copies=True))
        one, two, told = sides
        found = differ(
            one,
            two,
            paths,
            None if yes else MOST_WORK,
            crew,
            lambda at, of: progress.show(f"{at:,} of {of:,} fights"),
            wanted(aims) if how == "best" else (),
            None if yes and not most else (most or SECONDS_IN_ALL) * SECOND,
        )
        progress.done()
        shown = Shown(told, everything)
        match form:
            case "json":
                emit(diff_json(found, shown), output)
            case "csv":
                emit(diff_csv(found), output)
            case "md":
                emit(diff_markdown(found, shown), output)
            case "html":
                emit(diff_html(found, shown), output)
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

    from closecombat.asking.changes.diff import Side
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


# ---- gate -------------------------------------------------------------------------------------------------


@click.command()
@click.argument("ruleset", shell_complete=completion.rulesets)
@click.option("--record", is_flag=True, help="Write down the chances as they are.")
@click.option("--accept", metavar="WHY", default="", help="Let what has moved pass, for this reason.")
@click.option("--bound", metavar="SHARE", default="", help="With --record: 1/50, or 2%; a hundredth if it is left out.")
@click.option("--fights", "paths", multiple=True, metavar="PATH", help="With --record: only these, not all examples.")
@click.option("--file", metavar="FILE", default="", help="The record, where it is not the ruleset's gate.json.")
@yes_option
@jobs_option(None, "How many processes work it out; one for each core if it is left out.")
@formats("json", "csv", "md", "html")
@output_option
def gate(
    ruleset: str,
    record: bool,
    accept: str,
    bound: str,
    paths: tuple[str, ...],
    file: str,
    yes: bool,
    jobs: int | None,
    form: str,
    output: str | None,
) -> None:
    """Hold the chances of fights against those recorded. What has moved by more than a bound does not pass.

    RULESET is a ruleset, variant or stack. `--record` writes the chances of its examples and engagements into the file
    gate.json of its folder, or beside a variant's file. Exit 1 if a chance has moved, or a fight cannot be worked out
    any more; `--accept` writes both chances and the reason into the record.
    """
    from pathlib import Path

    from closecombat.asking.changes.gate import (
        BOUND,
        STALE,
        accepting,
        as_text,
        from_here,
        from_there,
        gate_file,
        not_passing,
        read_gate,
        recorded,
        worked_out,
    )
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.binding.load import load
    from closecombat.cli.common import keep
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling.gate import gate_csv, gate_json, gate_summary, gate_text, points

    if record and accept:
        raise click.UsageError("--record begins anew, and --accept goes on: give one of the two")
    if not record and (bound or paths):
        raise click.UsageError("--bound and --fights go with --record")
    place = Path(file) if file else gate_file(ruleset)
    known = None if record else read_gate(place, ruleset)
    where = paths if known is None else from_here(place, known.paths)
    progress, number = at_work("reading the record", keeps=True), jobs or os.cpu_count() or 1
    with ExitStack() as until_then:
        crew: Crew = Alone() if number == 1 else until_then.enter_context(Processes(number))
        most_work = None if yes else UNASKED
        now = worked_out(ruleset, where, most_work, crew, lambda at, of: progress.show(f"{at:,} of {of:,} fights"))
    progress.done()
    if known is None:
        made = recorded(ruleset, _share(bound) if bound else BOUND, from_there(place, paths), now)
        keep(str(place), as_text(made))
        left = [one.fight for one in now if one.message]
        fights = f"{len(made.fights):,} fight{'' if len(made.fights) == 1 else 's'}"
        say(f"{place.as_posix()} holds the chances of {fights}; bound {points(made.bound)}")
        if left:
            say(f"{len(left):,} cannot be worked out: {', '.join(left[:5])}{', ...' if len(left) > 5 else ''}")
        return
    found = list(not_passing(known, now))
    match form:
        case "json":
            emit(gate_json(known, found), output)
        case "csv":
            emit(gate_csv(found), output)
        case _:
            emit(gate_text(known, found, page(output, form), load(ruleset).ruleset), output)
    if accept and any(one.how != STALE for one in found):
        known = accepting(known, now, accept)
        keep(str(place), as_text(known))
        say(f"{place.as_posix()}: accepted, since {accept}")
        found = list(not_passing(known, now))
        if not found:
            return
    say(gate_summary(known, found, now))
    if found:
        click.get_current_context().exit(FINDINGS)


def _share(text: str) -> Fraction:
    """A share such as 1/50, 2% or 0.5%."""
    from fractions import Fraction

    try:
        share = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise click.UsageError(f"--bound: `{text}` is no share: write 1/50 or 2%")
    return share
