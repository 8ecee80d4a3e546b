"""The commands that say whether rules are sound: check and test. What they find is `checking` and `asking/examples`."""

from __future__ import annotations

import click

from closecombat.cli.common import CANNOT, FINDINGS, emit, formats, output_option, ruleset_option, say

UNREAD = ("file-not-found", "not-a-file", "cannot-read", "nothing-found")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="Exit 1 for warnings too.")
@formats("json", "github")
@output_option
def check(paths: tuple[str, ...], strict: bool, form: str, output: str | None) -> None:
    """Look for every fault in rulesets, variants, situations and examples.

    PATH is a shipped name, a folder or a file; the current folder if none is given.
    """
    from closecombat.checking.check import check_paths
    from closecombat.telling import findings

    found = check_paths(paths or (".",))
    unread = [one for one in found if one.code in UNREAD]
    match form:
        case "json":
            emit(findings.diagnostics_json("check", found), output)
        case "github":
            emit(findings.diagnostics_github(found), output)
        case _:
            emit(findings.diagnostics_text(found), output)
    say(findings.summary(found) or "no findings")
    if any(one.severity == "error" or (strict and one.severity == "warning") for one in found):
        click.get_current_context().exit(CANNOT if unread else FINDINGS)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@ruleset_option
@click.option("-k", "--only", metavar="WORD", default="", help="Only the examples with this in their name.")
@click.option("-x", "--stop", is_flag=True, help="Stop at the first one that fails.")
@formats("json", "github")
@output_option
def test(paths: tuple[str, ...], ruleset: str, only: str, stop: bool, form: str, output: str | None) -> None:
    """Run the examples of rulesets.

    PATH is a shipped name, a folder (everything below it), a file of examples, or - for standard input; the
    current folder if none is given. With -r the same examples are run against another ruleset, such as a
    variant.
    """
    from closecombat.asking.collection import Bench, Tested, example_files
    from closecombat.telling import findings, tests
    from closecombat.telling.progress import Progress
    from closecombat.text.faults import Faulty

    if ruleset and not paths:
        from closecombat.binding.load import load

        paths = (load(ruleset).ruleset.name,)
    progress, bench = Progress(say), Bench(ruleset)
    files, tested = example_files(paths or (".",)), list[Tested]()
    for place, file in enumerate(files):
        progress.at(place, len(files), sum(not one.passed for one in tested))
        for one in bench.run(file, only):
            tested.append(one)
            if stop and not one.passed:
                break
        if stop and tested and not tested[-1].passed:
            break
    progress.done()
    if not tested:
        where = ", ".join(paths) or "the current folder"
        raise Faulty.one(
            "nothing-found",
            f"there are no examples in {where}" + (f" with `{only}`" if only else ""),
            None,
            help="name a ruleset, such as `closecombat test rulesets/asl`; examples lie in its `examples/`",
        )
    failed = [one for one in tested if not one.passed]
    match form:
        case "json":
            emit(tests.tests_json(tested), output)
        case "github":
            told = dict.fromkeys(fault for one in failed for fault in one.result.faults)
            emit(findings.diagnostics_github(told), output)
        case _:
            emit(tests.tests_text(tested), output)
    if form != "text":
        say(tests.count(tested))
    if failed:
        click.get_current_context().exit(FINDINGS)
