"""Variants: a ruleset changed by id. Works on documents, so that every row keeps the place it is written at."""

from __future__ import annotations

from closecombat.document import Mapping


def apply_variant(base: Mapping, variant: Mapping, stack: tuple[str, ...]) -> Mapping:
    raise NotImplementedError
