"""`test --update`: expectations that were missed are written anew. What is written is `asking/examples/update`."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from closecombat.asking.examples.collection import ExampleFile, Tested
from closecombat.cli.common import FINDINGS, emit, keep, on_the_page, say


def update(files: Sequence[ExampleFile], tested: Sequence[Tested]) -> None:
    """Rewrites the files of examples that fail, each at once or not at all; exit 1 if some are left as they are."""
    from closecombat.asking.examples.update import updated

    changed = left = 0
    for file in files:
        mine = [one for one in tested if one.file == str(file.file)]
        if all(one.passed for one in mine):
            continue
        found = updated(file, mine)
        done, kept = found.examples, found.left
        if done and not os.access(file.file, os.W_OK):
            kept += tuple((id, "the file may not be written to") for id in done)
            done = ()
        for id, why in kept:
            emit(on_the_page(f"{file.file}: {id} is left as it is: {why}\n", None))
        if done:
            keep(str(file.file), found.text)
            emit(on_the_page(f"{file.file}: {', '.join(done)}\n", None))
        changed += len(done)
        left += len(kept)
    unread = [one for one in tested if not one.passed and not one.file]
    for one in unread:
        emit(on_the_page(f"{one.result.id} is left as it is: it fails by a fault, and not by what came out\n", None))
    left += len(unread)
    rest = f", {left} left as {'it is' if left == 1 else 'they are'}" if left else ""
    say(f"{changed} example{'s' * (changed != 1)} rewritten{rest}")
    if left:
        click.get_current_context().exit(FINDINGS)
