"""The commands that say whether rules are sound: check and test. What they find is `checking` and `asking/examples`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from closecombat.cli import completion
from closecombat.cli.common import (
    CANNOT,
    FINDINGS,
    INTERRUPTED,
    at_work,
    emit,
    formats,
    jobs_option,
    output_option,
    page,
    ruleset_option,
    say,
    yes_option,
)

if TYPE_CHECKING:
    from closecombat.asking.examples.collection import ExampleFile, Tested
    from closecombat.text.faults import Diagnostic

T = TypeVar("T", bound=Callable[..., Any])
UNREAD = ("file-not-found", "not-a-file", "cannot-read", "nothing-found")


def _known_codes(_: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    from closecombat.text.codes import CODES
    from closecombat.text.faults import suggest

    codes = tuple(code.strip() for each in given for code in each.split(","))
    for code in codes:
        if code not in CODES:
            hint = suggest(code, CODES)
            raise click.UsageError(f"{parameter.opts[0]}: no finding has the code `{code}`" + f"; {hint}" * bool(hint))
    return codes


def code_option(name: str, help: str) -> Callable[[T], T]:
    return click.option(name, metavar="CODE", multiple=True, callback=_known_codes, help=help)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.rulesets)
@click.option("--strict", is_flag=True, help="Exit 1 for warnings too.")
@click.option("-v", "--verbose", is_flag=True, help="Show situations that findings are about, to be pasted.")
@code_option("--select", "Tell only findings of this code; may be given several times.")
@code_option("--ignore", "Tell no findings of this code.")
@click.option("--baseline", metavar="FILE", default="", help="Tell only what this file does not forgive.")
@click.option("--fix", "mending", is_flag=True, help="Write what has one right mend into the files, and say so.")
@click.option(
    "--write-baseline", metavar="FILE", default="", help="Write into this file what there is, to be forgiven."
)
@formats("concise", "json", "jsonl", "github", "sarif", "junit")
@output_option
def check(
    paths: tuple[str, ...],
    strict: bool,
    verbose: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str,
    mending: bool,
    write_baseline: str,
    form: str,
    output: str | None,
) -> None:
    """Look for every fault in rulesets, variants and fights.

    PATH is a shipped name, a folder or a file; the current folder if none is given.

    With --fix what has one right mend and no other is written into the files: a `was:` that was left out, a name with
    one letter wrong, a comment that ignores what is not there. Each file is written whole or not at all, and only if
    nothing else is found in it then. What is left is told as ever.
    """
    from closecombat.checking.selection import baseline_of, beyond_baseline, selected
    from closecombat.checking.settings import Folders
    from closecombat.checking.unchanged import findings_under
    from closecombat.telling import findings
    from closecombat.text.faults import Faults

    at_work("checking")
    strict = strict or Folders(Faults()).strict()
    if mending:
        if write_baseline or "-" in paths:
            raise click.UsageError("--fix writes into files: give no --write-baseline, and no - for standard input")
        found = _mend(paths or (".",), lambda each: selected(each, select, ignore))
    else:
        found = selected(findings_under(paths or (".",), _of_plan), select, ignore)
    if write_baseline:
        emit(baseline_of(found, write_baseline), write_baseline)
        say(f"{write_baseline} forgives {findings.summary(found) or 'nothing, since nothing was found'}")
        return
    if baseline:
        found, mended = beyond_baseline(found, baseline)
        if mended:
            gone = (
                f"{mended} finding{'s' * (mended > 1)} of {baseline} {'is' if mended == 1 else 'are'} no longer there"
            )
            say(f"{gone}: --write-baseline {baseline} takes them out")
    unread = [one for one in found if one.code in UNREAD]
    match form:
        case "concise":
            emit(findings.diagnostics_concise(found), output)
        case "json":
            emit(findings.diagnostics_json("check", found), output)
        case "jsonl":
            emit(findings.diagnostics_jsonl(found), output)
        case "github":
            emit(findings.diagnostics_github(found), output)
        case "sarif":
            from closecombat.telling.sarif import diagnostics_sarif

            emit(diagnostics_sarif(found), output)
        case "junit":
            from closecombat.telling.junit import diagnostics_junit

            emit(diagnostics_junit(found, strict), output)
        case _:
            emit(findings.diagnostics_text(found, page(output).width, verbose), output)
    say(findings.summary(found) or "no findings")
    if any(one.severity == "error" or (strict and one.severity == "warning") for one in found):
        click.get_current_context().exit(CANNOT if unread else FINDINGS)


def _of_plan(plan: str | Path) -> Iterable[Diagnostic]:
    """What is wrong with the plan of a sweep, held against its fights."""
    from closecombat.asking.sweeps.grid import faults_of

    return faults_of(plan)


def _mend(paths: Sequence[str], chosen: Callable[[list[Diagnostic]], list[Diagnostic]]) -> list[Diagnostic]:
    """Writes what is certain into the files, and says what it was; gives what is left."""
    from closecombat.checking.mending import mended
    from closecombat.cli.common import keep_all
    from closecombat.telling.findings import mended_text

    done = mended(paths, chosen, _of_plan)
    keep_all({str(file): text for file, text in done.texts.items()})
    say(mended_text(done.findings), nl=False)
    return done.left


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=completion.rulesets)
@ruleset_option
@click.option("-k", "--only", metavar="WORD", default="", help="Only the examples with this in their name.")
@click.option("-x", "--stop", is_flag=True, help="Stop at the first one that fails.")
@jobs_option(None, "How many processes run them; one for each core if it is left out and there are many.")
@yes_option
@click.option("--mutate", "mutated", is_flag=True, help="Say which slips in the rules no example would miss.")
@click.option("--rows", metavar="WORD", default="", help="With --mutate: only rows with this in their path.")
@click.option("--sample", type=click.IntRange(1), help="With --mutate: only so many slips, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="With --sample: which ones.")
@click.option("--coverage", "covered", is_flag=True, help="Say what of the rules no example reaches.")
@click.option("--fail-under", type=click.IntRange(0, 100), help="With --coverage: the least percentage.")
@click.option("--all", "told_all", is_flag=True, help="Tell every failure in full, however many there are.")
@click.option("--update", "updating", is_flag=True, help="Write what came out into the examples that fail.")
@formats("json", "csv", "github", "junit", "md", "html")
@output_option
def test(
    paths: tuple[str, ...],
    ruleset: str,
    only: str,
    stop: bool,
    jobs: int | None,
    yes: bool,
    mutated: bool,
    rows: str,
    sample: int | None,
    seed: int,
    covered: bool,
    fail_under: int | None,
    told_all: bool,
    updating: bool,
    form: str,
    output: str | None,
) -> None:
    """Run the examples of rulesets.

    PATH is a shipped name, a folder (everything below it), a file of examples, or - for standard input; the
    current folder if none is given. With -r the same examples are run against another ruleset, such as a
    variant. An example that takes more than some ten seconds fails, and says so, unless --yes goes on.

    With --mutate PATH is one ruleset or stack. Small slips are made in it, one at a time and never in its files: a
    number off by one, a comparison turned round, a row or a condition left out, two rows or cells that have changed
    places. Those that no example would miss are listed. With -o FILE.jsonl what is known is kept there, and the same
    command goes on where it was interrupted.

    With --coverage PATH is one ruleset or stack: every row and step that no example comes to, every test that no
    example sees hold, or fail, every cell that none reads, every clause, and every change of a variant that none would
    miss. With --update the values of expectations that were missed are written anew in their files; an example that
    fails by a fault is left as it is.
    """
    if sum((mutated, covered, updating)) > 1:
        raise click.UsageError("--mutate, --coverage and --update exclude each other")
    if fail_under is not None and not covered:
        raise click.UsageError("--fail-under goes with --coverage")
    if updating and (ruleset or stop or output or form != "text" or "-" in paths):
        said = "--update writes what the ruleset of each example gives into its file: no -r, --stop, -o, -f or -"
        raise click.UsageError(said)
    if covered:
        from closecombat.cli.covering import cover

        stacks = [*paths, *([ruleset] if ruleset else [])]
        if only or stop or form not in ("text", "json", "csv", "md", "html") or len(stacks) != 1:
            said = "--coverage wants one ruleset, as `closecombat test asl --coverage`, and no -k or --stop"
            raise click.UsageError(said)
        cover(stacks[0], fail_under, yes, form, output)
        return
    if form in ("csv", "md", "html"):
        raise click.UsageError(f"-f {form} goes with --coverage")
    if mutated:
        from closecombat.cli.mutation import mutate

        stacks = [*paths, *([ruleset] if ruleset else [])]
        if only or stop or form != "text" or len(stacks) != 1:
            said = "--mutate wants one ruleset, as `closecombat test asl --mutate`, and no -k, --stop or --format"
            raise click.UsageError(said)
        mutate(stacks[0], rows, sample, seed, jobs, yes, output)
        return
    if rows or sample is not None:
        raise click.UsageError("--rows and --sample go with --mutate")
    from closecombat.asking.examples.collection import example_files
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling import findings, tests
    from closecombat.text.faults import Faulty

    if ruleset and not paths:
        from closecombat.binding.load import load

        paths = (load(ruleset).ruleset.name,)
    if stop and jobs is not None:
        raise click.UsageError(
            "--stop runs one example after the other, and --jobs several at once: give one of the two"
        )
    files = example_files(paths or (".",))
    most_work = None if yes else UNASKED
    done = len(files)
    if stop:
        tested = _until_one_fails(files, ruleset, only, most_work)
    else:
        tested, done = _all(files, ruleset, only, jobs, most_work)
    if done < len(files) and (updating or not tested):
        raise KeyboardInterrupt
    if not tested:
        where = ", ".join(paths) or "the current folder"
        raise Faulty.one(
            "nothing-found",
            f"there are no examples in {where}" + (f" with `{only}`" if only else ""),
            None,
            help="name a ruleset, such as `closecombat test rulesets/asl`; examples lie in its `examples/`",
        )
    if updating:
        from closecombat.cli.update import update

        update(files, tested)
        return
    failed = [one for one in tested if not one.passed]
    match form:
        case "json":
            emit(tests.tests_json(tested), output)
        case "github":
            told = dict.fromkeys(fault for one in failed for fault in one.result.faults)
            emit(findings.diagnostics_github(told), output)
        case "junit":
            from closecombat.telling.junit import tests_junit

            emit(tests_junit(tested), output)
        case _:
            emit(tests.tests_text(tested, page(output).width, told_all), output)
    if form != "text":
        say(tests.count(tested))
    if done < len(files):
        say(f"interrupted after {done:,} of {len(files):,} files: the result is that of these")
        click.get_current_context().exit(INTERRUPTED)
    if failed:
        click.get_current_context().exit(FINDINGS)


def _until_one_fails(files: Sequence[ExampleFile], ruleset: str, only: str, most_work: int | None) -> list[Tested]:
    """The examples up to the first that fails."""
    from closecombat.asking.examples.collection import Bench

    progress, bench = at_work("running the examples"), Bench(ruleset, most_work)
    tested: list[Tested] = []
    for place, file in enumerate(files):
        progress.at(place, len(files), 0)
        for one in bench.run(file, only):
            tested.append(one)
            if not one.passed:
                progress.done()
                return tested
    progress.done()
    return tested


def _all(
    files: Sequence[ExampleFile], ruleset: str, only: str, jobs: int | None, most_work: int | None
) -> tuple[list[Tested], int]:
    """All examples, by so many processes, and of how many files they are; what comes from standard input is read by
    this one. Interrupted, it gives those that were run until then."""
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.asking.examples.collection import MANY_FILES, all_tested

    progress = at_work("running the examples")
    number = min(jobs or (os.cpu_count() or 1 if len(files) >= MANY_FILES else 1), max(len(files), 1))
    alone = number == 1 or any(file.file == "-" for file in files)
    with nullcontext(Alone()) if alone else Processes(number) as crew:
        found = all_tested(
            files, ruleset, only, crew, lambda done, failed: progress.at(done, len(files), failed), most_work
        )
    progress.done()
    return found
