"""What a shell offers where a name is typed: `eval "$(_CLOSECOMBAT_COMPLETE=bash_source closecombat)"` asks for it.

A shell asks at every press of a key and shows nothing meanwhile: names are taken from folders, and no ruleset is read.
Where nothing fits, the shell offers files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Offer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def rulesets(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Shipped rulesets, folders here that hold one, and behind a `+` the variants that may stand there."""
    stack, plus, last = typed.rpartition("+")
    if not plus:
        return _offered((*_shipped("rulesets"), *_shipped("variants"), *_own()), typed)
    from closecombat.reading.stack import shipped, text_in

    bottom, *on = stack.split("+")
    fitting = (
        name
        for name, file in shipped("variants").items()
        if f"extends: {bottom}\n" in (text_in(file) or "") and name not in on
    )
    return _offered((f"{stack}+{name}" for name in fitting), f"{stack}+{last}")


def fights(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The shipped engagements."""
    return _offered(_shipped("engagements"), typed)


def variants(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    return _offered(_shipped("variants"), typed)


def plans(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    return _offered(_shipped("sweeps"), typed)


def codes(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The codes of all faults."""
    from closecombat.text.codes import CODES

    return _offered(CODES, typed)


def schemas(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    from closecombat.text.files import schemas

    return _offered(schemas(), typed)


def one_of(*words: str) -> Offer:
    """Some words that are always the same."""
    return lambda _, __, typed: _offered(words, typed)


def _shipped(kind: str) -> tuple[str, ...]:
    from closecombat.reading.stack import shipped

    return tuple(shipped(kind))


def _own() -> list[str]:
    """The folders here that hold a ruleset or a variant."""
    with os.scandir() as here:
        folders = sorted(one.name for one in here if one.is_dir())
    return [name for name in folders if any(os.path.isfile(f"{name}/{file}.yaml") for file in ("ruleset", name))]


def _offered(names: Iterable[str], typed: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    fitting = [CompletionItem(name) for name in names if name.startswith(typed)]
    return fitting or [CompletionItem(typed, type="file")]
