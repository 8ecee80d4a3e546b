"""What is answered in secret is no other side's business until a row has shown it: where it is read too early, and where not."""

from itertools import pairwise
from pathlib import Path

import pytest

from closecombat.checking.check import check_paths

RULES = """\
ruleset: secrets
language: 1
start: go
kinds:
  fight: {one: yes, noted: {turn: 0 to 9}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    chosen: {order: [hold, charge], stake: 0 to 3, guess: flag}
    noted: {ready: flag}
  unit: {given: {side: a side}, chosen: {hides: flag}}
tables:
TABLES
sequences:
SEQUENCES
"""
SECRET = "orders: {each: side, choose: order, answered: secret, otherwise: hold}"
READS = "guess: {each: side, choose: guess, otherwise: order of enemy is charge}"
SHOWS = "shows: {each: side, order: charge, do: gain ready}"


def told(sequences: str, folder: Path, tables: str = "  none: {about: side, is: 1}") -> list[str]:
    """The choices that tell a secret, by their rows."""
    file = folder / "ruleset.yaml"
    file.write_text(RULES.replace("TABLES", tables).replace("SEQUENCES", sequences), "utf-8")
    found = check_paths([str(file)])
    assert not [fault.message for fault in found if fault.severity == "error"]
    return [fault.message.split("`")[3] for fault in found if fault.code == "tells-a-secret"]


CASES = {
    "behind it": (f"  go: {{in-order: {{{SECRET}, {READS}}}}}", ["guess"]),
    "before it": (f"  go: {{in-order: {{{READS}, {SECRET}}}}}", []),
    "shown between": (f"  go: {{in-order: {{{SECRET}, {SHOWS}, {READS}}}}}", []),
    "shown in a sequence of its own": (
        f"  go: {{in-order: {{{SECRET}, reveal: {{play: reveal}}, {READS}}}}}\n  reveal: {{in-order: {{{SHOWS}}}}}",
        [],
    ),
    "asked in a sequence of its own": (
        f"  go: {{in-order: {{ask: {{play: ask}}, {READS}}}}}\n  ask: {{in-order: {{{SECRET}}}}}",
        ["guess"],
    ),
    "the pass before": (
        f"  go: {{again: {{until: turn is 2, at-most: 2}}, in-order: {{{READS}, {SECRET}}}}}",
        ["guess"],
    ),
    "shown at the end of a pass": (
        f"  go: {{again: {{until: any side is charge, at-most: 2}}, in-order: {{{READS}, {SECRET}}}}}",
        [],
    ),
    "at once": (f"  go: {{at-once: {{{SECRET}, {READS}}}}}", []),
    "shown in one of several rows": (
        f"  go: {{in-order: {{{SECRET}, which: {{play: which}}, {READS}}}}}\n"
        f"  which: {{first-of: {{one: {{each: side, ready: yes, do: lose ready}}, {SHOWS}}}}}",
        [],
    ),
    "chosen anew for all to see": (
        f"  go: {{in-order: {{{SECRET}, open: {{each: side, choose: order, otherwise: hold}}, {READS}}}}}",
        [],
    ),
    "answered at once": (f"  go: {{in-order: {{{SECRET.replace('secret', 'at-once')}, {READS}}}}}", []),
    "one's own": (f"  go: {{in-order: {{{SECRET}, {READS.replace(' of enemy', '')}}}}}", []),
    "the enemy of one's enemy": (
        f"  go: {{in-order: {{{SECRET}, {READS.replace('of enemy', 'of enemy of enemy')}}}}}",
        [],
    ),
    "who is asked shows it, but to him alone": (
        f"  go: {{in-order: {{{SECRET}, own: {{each: side, order: charge, choose: stake, answered: secret, otherwise: 1}}, {READS}}}}}",
        ["guess"],
    ),
    "who is asked shows it to all": (
        f"  go: {{in-order: {{{SECRET}, own: {{each: side, order: charge, choose: stake, otherwise: 1}}, {READS}}}}}",
        [],
    ),
    "of one's own unit": (
        "  go: {in-order: {hide: {each: unit, choose: hides, answered: secret, otherwise: no}, "
        "own: {each: unit, choose: stake of side, otherwise: number of units of side where (hides)}}}",
        [],
    ),
    "somebody else is asked": (
        f"  go: {{in-order: {{{SECRET}, other: {{each: side, choose: guess of enemy, otherwise: order is hold}}}}}}",
        ["other"],
    ),
    "of the same who is asked": (
        f"  go: {{in-order: {{{SECRET}, same: {{each: side, choose: guess of enemy, otherwise: order of enemy is hold}}}}}}",
        [],
    ),
    "of anybody's unit": (
        "  go: {in-order: {hide: {each: unit, choose: hides, answered: secret, otherwise: no}, "
        "all: {each: side, choose: stake, otherwise: number of units of enemy where (hides)}}}",
        ["all"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_where_a_choice_tells_a_secret(case: str, tmp_path: Path) -> None:
    sequences, expected = CASES[case]
    assert told(sequences, tmp_path) == expected


def test_at_the_end_of_a_long_chain_of_tables(tmp_path: Path) -> None:
    rows = [f"  t-{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(30)]
    inner = "number of units of side where ({} of side is at least 1)"
    tables = [f"{row}: {{about: side, is: {inner.format(after.strip())}}}" for row, after in pairwise(rows)]
    tables.append(f"{rows[-1]}: {{about: side, is: stake of enemy}}")
    sequences = (
        "  go: {in-order: {stakes: {each: side, choose: stake, answered: secret, otherwise: 1}, "
        "guess: {each: side, choose: guess, otherwise: t-aa is 1}}}"
    )
    assert told(sequences, tmp_path, "\n".join(tables)) == ["guess"]
