"""`test --update`: expectations that were missed are written anew. What is written is `asking/update`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from closecombat.asking.collection import ExampleFile, Tested
from closecombat.cli.common import FINDINGS, emit, say


def update(files: Sequence[ExampleFile], tested: Sequence[Tested], stack: str) -> None:
    """Rewrites the files of examples that fail, each at once or not at all; exit 1 if some are left as they are."""
    from closecombat.asking.update import updated

    changed = left = 0
    for file in files:
        mine = [one for one in tested if one.file == str(file.file)]
        if file.file == "-" or all(one.passed for one in mine):
            continue
        found = updated(file, mine, stack)
        for id, why in found.left:
            emit(f"{file.file}: {id} is left as it is: {why}\n")
        if found.examples:
            emit(found.text, str(file.file))
            emit(f"{file.file}: {', '.join(found.examples)}\n")
        changed += len(found.examples)
        left += len(found.left)
    unread = [one for one in tested if not one.passed and not one.file]
    for one in unread:
        emit(f"{one.result.id} is left as it is: it fails by a fault, and not by what came out\n")
    left += len(unread)
    say(f"{changed} example{'s' * (changed != 1)} rewritten" + (f", {left} left as they are" if left else ""))
    if left:
        click.get_current_context().exit(FINDINGS)
