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
from closecombat.cli.crosswalk import crosswalk
from closecombat.cli.diff import diff, gate
from closecombat.cli.fight import chances, choices, compare, play, resolve
from closecombat.cli.properties import properties
from closecombat.cli.reference import explain, listing, lsp, new, rules, schema, show
from closecombat.cli.sheet import sheet
from closecombat.cli.sweep import sweep
from closecombat.cli.tests import check, test
from closecombat.cli.tune import tune
from closecombat.cli.weigh import ledger, weigh
from closecombat.cli.workbench import workbench


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="closecombat", message="%(prog)s %(version)s")
def main() -> None:
    """Play, prove and check close-combat rules written as readable tables.

    Exit codes: 0 fine; 1 findings, or examples that fail; 2 the job could not be done; 130 interrupted.
    """


for command in (check, test, rules, resolve, play, chances, compare, choices, sweep):
    main.add_command(no_cache_option(command))
for command in (diff, weigh, ledger, gate, properties, tune):
    main.add_command(no_cache_option(command))
for command in (show, sheet, crosswalk, listing, explain, schema, new, workbench, lsp):
    main.add_command(command)


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
