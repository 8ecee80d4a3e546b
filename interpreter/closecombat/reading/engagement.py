"""What a story gives to those who fight, and what each system makes of it; the fights are read like any situation."""

from __future__ import annotations

from collections.abc import Sequence

from closecombat.reading.fields import mapping_of, text_of
from closecombat.text.faults import Faults, suggest
from closecombat.text.nodes import Node


def read_gives(node: Node | None, playable: Sequence[str], faults: Faults) -> dict[str, dict[str, str]]:
    """Part of the story -> system -> a word or two. Every system that has the fight must say it, and no other."""
    found: dict[str, dict[str, str]] = {}
    for part, line in () if node is None else mapping_of(node, "what the story gives").entries:
        said = {key.value: text_of(value, "a few words") for key, value in mapping_of(line, "systems").entries}
        for key, _ in mapping_of(line, "systems").entries:
            if key.value not in playable:
                faults.add(
                    "unknown-name",
                    f"`{key.value}` is no system that has this fight",
                    key.span,
                    help=suggest(key.value, playable) or "one of " + ", ".join(playable),
                )
        missing = [name for name in playable if name not in said]
        if missing:
            faults.add(
                "missing-key",
                f"nothing says what `{part.value}` is worth in {', '.join(missing)}",
                part.span,
                help=f"write `{missing[0]}: nothing` if it changes nothing there",
            )
        found[part.value] = said
    return found
