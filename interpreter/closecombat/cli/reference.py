"""The commands that tell what there is and start something new: show, rules, list, explain, schema, new, lsp."""

from __future__ import annotations

import sys
from shlex import quote

import click

from closecombat.cli import completion
from closecombat.cli.common import FINDINGS, at_work, emit, formats, output_option, page, say, tell, yes_option

KINDS = ("rulesets", "variants", "engagements", "sweeps", "words", "codes", "schemas", "options")
FEW = 5  # codes with one word in them, of which each may be meant


@click.command()
@click.argument("ruleset", shell_complete=completion.rulesets)
@click.argument("path", required=False, default="")
@click.option("--all", "everything", is_flag=True, help="Every row, and not only the names of the charts.")
@click.option("--find", "word", metavar="WORD", default="", help="Only where this stands, clauses included.")
@click.option("--changed", is_flag=True, help="Only what the variants have changed.")
@formats("json", "csv", "md", "html")
@output_option
def show(ruleset: str, path: str, everything: bool, word: str, changed: bool, form: str, output: str | None) -> None:
    """Print a ruleset as it is played: an outline, or its rows. Each has the place where it is written.

    RULESET is a shipped name, a path or a stack; PATH narrows it down, such as tables, sequences.name or the name of a
    chart alone. Rows say which variant changed them. JSON and CSV have every row.
    """
    from closecombat.asking.printed.shows import MANY, charts, effective, in_full, locked, mentioning, removed
    from closecombat.binding.load import loaded
    from closecombat.reading.stack import load_stack
    from closecombat.text.faults import Faulty, suggest

    stack = load_stack(ruleset)
    bound = loaded(stack)
    found = mentioning(load_stack(ruleset, whole=True), word) if word else effective(stack)
    typed, path = path, in_full(path, found) if path else path
    lines = [line for line in found if not changed or line.change is not None]
    gone = [change for change in removed(stack) if not path or f"{change.path}.".startswith(f"{path}.")]
    locks = locked(stack, path)
    if path:
        charts_of = {f"{line.section}.{line.chart}": line.chart for line in lines if line.chart}
        known = {part for line in lines for part in (line.path, line.section)} | charts_of.keys()
        same = [f"`{one}`" for one, chart in charts_of.items() if chart == path]
        lines = [line for line in lines if f"{line.path}.".startswith(f"{path}.")]
        if not lines and not gone and not word:
            help = f"did you mean {' or '.join(same)}?" if same else suggest(path, {*known, *charts_of.values()})
            if "." not in path:
                where = f"closecombat show {ruleset} --find {quote(path)}"
                help = f"{help} Or where it stands: {where}" if help else where
            raise Faulty.one("unknown-name", f"`{ruleset}` has nothing called `{path}`", None, help=help)
    if form in ("json", "csv"):
        from closecombat.telling.rules import show_csv, show_json

        emit(show_csv(lines, gone, locks) if form == "csv" else show_json(bound, lines, gone, locks), output)
        return
    from closecombat.telling import rules as telling

    named = charts(lines, stack.document)
    if word:
        if not lines:
            where = f"`{ruleset}`" + (f" under `{path}`" if path else "")
            raise Faulty.one("nothing-found", f"`{word}` stands nowhere in {where}", None, help="try a part of it")
        emit(telling.found_text(bound, lines, word, page(output, form)), output)
    elif everything or changed or (path and not (path == lines[0].section and len(named) > MANY)):
        emit(telling.show_text(bound, lines, gone, locks, page(output, form)), output)
        if typed != path and (same := [f"`{line.path}`" for line in found if line.row == typed]):
            say(f"`{typed}` is also {' and '.join(same[:FEW])}{' and more' * (len(same) > FEW)}: --find {typed}")
        if changed and not (lines or gone or locks):
            others = ", ".join(change.path for change in bound.ruleset.changes)
            say(f"changed is no row, fact or option, but {others}" if others else "nothing is changed")
    elif path:
        emit(telling.section_text(bound, ruleset, named, page(output, form)), output)
    else:
        emit(telling.outline_text(bound, ruleset, named, page(output, form)), output)


@click.command()
@click.argument("ruleset", shell_complete=completion.rulesets)
@click.argument("ids", nargs=-1, metavar="[CLAUSE]...")
@click.option("--left-out", is_flag=True, help="Only what is left out, and why.")
@click.option("--missing", is_flag=True, help="Only what is still to do: cited nowhere, or exercised by no example.")
@yes_option
@formats("json", "csv", "md", "html")
@output_option
def rules(
    ruleset: str, ids: tuple[str, ...], left_out: bool, missing: bool, yes: bool, form: str, output: str | None
) -> None:
    """List the rulebook's clauses and where each is found. Also which examples exercise it, what is left out and why.

    RULESET is a shipped name, a path or a stack; CLAUSE an id, or what several begin with. Exit 1 if a clause of
    scope core or edge is neither cited nor left out, or is exercised by no example. An example that takes more than
    some ten seconds counts as far as it came, and is named, unless --yes goes on.
    """
    from closecombat.asking.examples.coverage import coverage, selected
    from closecombat.proving.values.budget import TAKES_LONG, UNASKED
    from closecombat.telling import clauses, tests

    progress = at_work("playing the examples")
    most_work = None if yes else UNASKED
    found = coverage(ruleset, lambda place, number: progress.at(place, number, 0), ids, most_work)
    progress.done()
    tell(*(fault for one in found.played for fault in one.result.faults if fault.code == TAKES_LONG))
    counted = selected(found.clauses, ids)
    shown = [
        one
        for one in counted
        if (left_out and one.status == "left-out") or (missing and one.is_wanting) or not (left_out or missing)
    ]
    if form == "json":
        emit(clauses.clauses_json(found, counted, shown), output)
    elif form == "csv":
        emit(clauses.clauses_csv(shown), output)
    else:
        emit(clauses.clauses_text(found, counted, shown, bool(ids), page(output, form)), output)
    if form != "text":
        say(tests.count(found.played))
    if any(one.is_wanting for one in counted):
        click.get_current_context().exit(FINDINGS)


@click.command("list")
@click.argument("kind", required=False, default="", metavar="[WHAT]", shell_complete=completion.one_of(*KINDS))
@click.argument("ruleset", required=False, default="", shell_complete=completion.rulesets)
@formats("json", "csv", "md", "html")
@output_option
def listing(kind: str, ruleset: str, form: str, output: str | None) -> None:
    """Say what there is to choose from. WHAT is rulesets, variants, engagements, sweeps, words (for engagements),
    codes (of faults), schemas, or options of a RULESET; the first four and the schemas if it is left out."""
    if kind and kind not in KINDS:
        from closecombat.text.faults import suggest

        hint = suggest(kind, KINDS)
        raise click.UsageError(f"`{kind}` cannot be listed; " + (hint or "one of " + ", ".join(KINDS)))
    if (kind == "options") != bool(ruleset):
        raise click.UsageError("say whose options: `closecombat list options RULESET`")
    from closecombat.telling.rules import list_csv, list_json, list_text, shelves

    found = shelves(kind, ruleset)
    match form:
        case "json":
            emit(list_json(found), output)
        case "csv":
            emit(list_csv(found), output)
        case _:
            emit(list_text(found, page(output, form)), output)


@click.command()
@click.argument("code", required=False, default="", shell_complete=completion.codes)
@click.option("--list", "every", is_flag=True, help="A line of every code, with its severity.")
@formats("md")
@output_option
def explain(code: str, every: bool, form: str, output: str | None) -> None:
    """Say what a fault's CODE means and what mends it. A row that has it is shown beside the same row mended."""
    from closecombat.reading.stack import shipped
    from closecombat.telling.explain import explained, findings_page, listed
    from closecombat.text.codes import CODES
    from closecombat.text.faults import suggest

    if every == bool(code) or (form == "md" and not every):
        raise click.UsageError("say which CODE, or --list, which also has -f md")
    if every:
        emit(findings_page() if form == "md" else listed(), output)
        return
    if code not in CODES:
        having = [f"`{one}`" for one in CODES if code in one.split("-")]
        hint = f"did you mean {' or '.join(having)}?" if 0 < len(having) <= FEW else suggest(code, CODES)
        if code in (*shipped(), *shipped("variants")):
            hint = f"`{code}` is a set of rules: closecombat show {code}"
        hint = hint or f"--list names them all; where a word stands in rules: closecombat show asl --find {quote(code)}"
        raise click.UsageError(f"no fault has the code `{code}`; {hint}")
    emit(explained(code), output)


@click.command()
@click.argument("kind", shell_complete=completion.schemas)
@click.option(
    "-r",
    "--ruleset",
    metavar="RULESET",
    default="",
    shell_complete=completion.rulesets,
    help="Of a situation or an example: with the kinds, facts, counters, words and rows of these rules.",
)
@output_option
def schema(kind: str, ruleset: str, output: str | None) -> None:
    """Print the JSON Schema of a KIND of file or output."""
    from closecombat.text.faults import suggest
    from closecombat.text.files import schemas

    known = schemas()
    if kind not in known:
        hint = suggest(kind, known)
        raise click.UsageError(
            f"there is no schema of `{kind}`; " + (hint or "there are " + (", ".join(known) or "none"))
        )
    if not ruleset:
        emit(known[kind].read_text(encoding="utf-8"), output)
        return
    import json

    from closecombat.asking.editing.own_schema import OF_A_RULESET, own_schema
    from closecombat.binding.load import loaded
    from closecombat.reading.stack import load_stack

    if kind not in OF_A_RULESET:
        having = " and ".join(OF_A_RULESET)
        raise click.UsageError(f"`{kind}` is the same for all rules: leave -r out; of one are {having}")
    own = own_schema(kind, loaded(load_stack(ruleset)).ruleset)
    emit(json.dumps(own, indent=2, ensure_ascii=False) + "\n", output)


@click.command()
@click.argument("name")
@click.option(
    "--extends",
    "base",
    default="",
    metavar="BASE",
    shell_complete=completion.rulesets,
    help="Make a variant of this ruleset.",
)
@click.option(
    "--change",
    "paths",
    multiple=True,
    metavar="PATH",
    help="With --extends: what the variant changes, a row, cell or option such as tables.NAME.ROW.",
)
def new(name: str, base: str, paths: tuple[str, ...]) -> None:
    """Begin a ruleset, or a variant of BASE, in a new folder NAME. It is small, sound, and has an example.

    With --change, as often as there are changes, it has each of them, with what stands there now and another value to
    begin with; its example is one of BASE that comes out otherwise, else the smallest that is found to.
    """
    from closecombat.asking.changes.scaffold import (
        changes_files,
        first_passing,
        refuse_name,
        ruleset_files,
        smallest_difference,
        variant_files,
        written,
    )

    if paths and not base:
        raise click.UsageError("--change goes with --extends: of which ruleset?")
    refuse_name(name)
    if not paths:
        for path in written(name, variant_files(name, base) if base else ruleset_files(name)):
            emit(f"{path}\n")
        say(f"try: closecombat test {name}")
        return
    at_work("looking for an example of the change")
    files, otherwise, alike = changes_files(name, base, paths)
    for path in written(name, files):
        emit(f"{path}\n")
    example = first_passing(name, otherwise) or first_passing(name, [smallest_difference(name, base)])
    if not example:
        example = first_passing(name, alike)
        if example:
            say(f"no fight was found that comes out otherwise; {example} only comes to what is changed")
        else:
            say(f"no fight was found that comes out otherwise: write one into {name}/examples/")
    if example:
        emit(f"{example}\n")
    say(f"try: closecombat {'test' if example else 'check'} {name}")


@click.command()
def lsp() -> None:
    """Serve an editor: findings as one types, and what stands where.

    Speaks the Language Server Protocol on standard input and output; an editor starts it. Needs pygls:
    pip install 'closecombat[editor]'.
    """
    if sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError("an editor starts this and speaks with it; what to tell yours stands in the README")
    from closecombat.cli.editor import serve

    serve()
