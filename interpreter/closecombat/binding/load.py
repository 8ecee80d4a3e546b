"""From a name to a bound ruleset: what every command begins with. Finding and merging its files is `reading/stack`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from closecombat.binding.charts import Bound
from closecombat.binding.vocabulary import check_members, check_references, check_types
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import Stack, load_stack
from closecombat.text.faults import Faults
from closecombat.text.source import Span


def load(stack: str, near: Path | None = None, at: Span | None = None) -> Bound:
    """The ruleset that a name, path or stack means; raises Faulty with everything wrong with it.

    Relative paths are looked up beside `near`, the file or folder that names the ruleset, else in the current
    directory. `at` is where it is named.
    """
    return loaded(load_stack(stack, near, at))


def loaded(stack: Stack) -> Bound:
    """The ruleset of a stack that has been put together; raises Faulty with everything wrong with it."""
    faults = Faults()
    ruleset = read_ruleset(stack.document, faults, tuple(variant.name for variant in stack.variants))
    faults.raise_if_any()
    types, ruleset = check_types(ruleset)
    types.raise_if_any()
    check_members(ruleset).raise_if_any()
    check_references(ruleset, stack.document).raise_if_any()
    return Bound(replace(ruleset, changes=stack.changes))
