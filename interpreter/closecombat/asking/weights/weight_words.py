"""What is weighed in a fight, in words: what a row says, where it stands, how a rule is read, what is assumed."""

from __future__ import annotations

from collections.abc import Mapping

from closecombat.asking.printed.sheet import rows_in_words
from closecombat.reading.model import Ruleset
from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class InWords:
    """What a rule says, and the heading of its chart; of what stands in none, that is empty."""

    says: str
    chart: str = ""


def weighed_in_words(ruleset: Ruleset) -> Mapping[str, InWords]:
    """By the names that `weigh` has for them; what is not among them has no other words than its name."""
    out: dict[str, InWords] = {}
    for told in rows_in_words(ruleset):
        section, _, name = told.path.partition(".")
        if section == "tables" and told.line.row:
            out[name] = InWords(" ".join(f"{told.line.amount} {told.line.text}".split()), told.chart)
    for option in ruleset.options.values():
        out[option.name] = InWords(option.title or option.name.replace("-", " "))
    for id, text in ruleset.assumptions.items():
        out[id] = InWords(" ".join(text.split()))
    for change in ruleset.changes:
        out[f"{change.variant}.{change.id}"] = InWords(" ".join(change.why.split()))
    return out
