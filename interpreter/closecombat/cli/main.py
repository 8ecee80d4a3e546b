"""The command line: arguments in, exit code out.

Each command imports what it needs when it runs, so that `--version` stays instant.
"""

from __future__ import annotations

import atexit
import os
import sys

import click

from closecombat import __version__
from closecombat.cli.common import Commands, no_cache_option
from closecombat.text.faults import Bug

# fmt: off
NAMES = (
    "chances", "check", "choices", "compare", "crosswalk", "diff", "explain", "gate", "ledger", "list", "lsp", "new",
    "play", "properties", "resolve", "rules", "schema", "sheet", "show", "sweep", "test", "tune", "weigh", "workbench",
)
# fmt: on
UNKEPT = ("crosswalk", "explain", "list", "lsp", "new", "schema", "sheet", "show", "workbench")  # no answer of theirs


class Imported(Commands):
    """All commands, each imported when it is first asked for: who gives one waits for no other."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in NAMES and cmd_name not in self.commands:
            for command in _written_beside(cmd_name):
                self.add_command(command if command.name in UNKEPT else no_cache_option(command))
        return super().get_command(ctx, cmd_name)


def _written_beside(name: str) -> tuple[click.Command, ...]:
    """The commands of the module in which that one is written."""
    match name:
        case "crosswalk":
            from closecombat.cli.crosswalk import crosswalk

            return (crosswalk,)
        case "diff" | "gate":
            from closecombat.cli.diff import diff, gate

            return diff, gate
        case "chances" | "choices" | "compare" | "play" | "resolve":
            from closecombat.cli.fight import chances, choices, compare, play, resolve

            return chances, choices, compare, play, resolve
        case "properties":
            from closecombat.cli.properties import properties

            return (properties,)
        case "explain" | "list" | "lsp" | "new" | "rules" | "schema" | "show":
            from closecombat.cli.reference import explain, listing, lsp, new, rules, schema, show

            return explain, listing, lsp, new, rules, schema, show
        case "sheet":
            from closecombat.cli.sheet import sheet

            return (sheet,)
        case "sweep":
            from closecombat.cli.sweep import sweep

            return (sweep,)
        case "check" | "test":
            from closecombat.cli.tests import check, test

            return check, test
        case "tune":
            from closecombat.cli.tune import tune

            return (tune,)
        case "ledger" | "weigh":
            from closecombat.cli.weigh import ledger, weigh

            return ledger, weigh
        case "workbench":
            from closecombat.cli.workbench import workbench

            return (workbench,)
    raise Bug(name)


@click.group(cls=Imported, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="closecombat", message="%(prog)s %(version)s")
def main() -> None:
    """Play, prove and check close-combat rules written as readable tables.

    Exit codes: 0 fine; 1 findings, or examples that fail; 2 the job could not be done; 130 interrupted.
    """


def run() -> None:
    """The command as a process of its own, which ends once all is said: what it holds goes with it, and is not taken
    apart before, which took a twentieth of the time of a question. If others have to do something at the end, it is."""
    left_with: list[int] = []
    already = getattr(atexit, "_ncallbacks", None)  # of CPython
    if already is not None and already() == 0:  # the first that is registered is the last that is done
        atexit.register(_leave, left_with)
    try:
        main()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            left_with.append(end.code or 0)
        raise


def _leave(left_with: list[int]) -> None:
    """Ends the process, if it is known how; what cannot be said any more is told by Python as it ends."""
    if not left_with:
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            return
    os._exit(left_with[0])
