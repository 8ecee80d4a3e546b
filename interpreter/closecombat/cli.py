"""The command line: arguments in, exit code out.

Each command imports what it needs when it runs, so that `--version` stays instant.
"""

from __future__ import annotations

import click

from closecombat import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="closecombat", message="%(prog)s %(version)s")
def main() -> None:
    """Play, prove and check close-combat rules written as readable tables."""


@main.command()
@click.argument("code")
def explain(code: str) -> None:
    """Say what a fault's CODE means and what mends it."""
    from textwrap import fill

    from closecombat.codes import CODES
    from closecombat.diagnostics import suggest

    if code not in CODES:
        hint = suggest(code, CODES)
        raise click.UsageError(f"no fault has the code `{code}`" + (f"; {hint}" if hint else ""))
    click.echo(f"{code}\n\n{fill(CODES[code], 88)}")
