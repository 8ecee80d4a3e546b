"""What goes wrong in play goes wrong in the chances: the same fault at the same place, and where nothing does, nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from closecombat.binding.charts import Bound
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faults
from closecombat.text.nodes import Mapping, Node
from test_random import CASES
from two_readings import Case, difference, walked, ways_of_asking

STORIES = as_mapping(as_mapping(parse(read_source(Path(__file__).parent / "cases" / "faults.yaml"))).get("cases"))
MOST_PATHS = 2_000
LONGEST = 7  # dice of one playing


def read(name: str) -> tuple[Case, str]:
    """A case, and the code of what goes wrong in it."""
    one = as_mapping(STORIES.get(name))
    own = {"situation", "questions", "fails"}
    given = {key.value: node for key, node in one.entries}
    rules, situation = as_mapping(CASES.get("rules")), one.entry("situation") or CASES.entry("situation")
    entries = [(key, _with(node, given.get(key.value))) for key, node in rules.entries]
    there = rules.keys()
    entries += [entry for entry in one.entries if entry[0].value not in (*own, *there)]
    faults = Faults()
    ruleset = read_ruleset(replace(rules, entries=tuple(entries)), faults, ())
    faults.raise_if_any()
    bound = Bound(ruleset)
    found = Faults()
    bound.bind_all(found)
    found.raise_if_any()
    asked = [question.value for question in one.get("questions").items]
    ways = {way: ask for way, ask in ways_of_asking(asked).items() if way in asked}
    fails = one.get("fails")
    return Case(bound, replace(one, entries=(situation,)), ways), fails.value if fails is not None else ""


def _with(node: Node, more: Node | None) -> Node:
    """What the rules say under a key, with the lines that a case writes otherwise; a plain text is replaced."""
    if not isinstance(node, Mapping) or not isinstance(more, Mapping):
        return more or node
    given = more.keys()
    return replace(node, entries=(*(entry for entry in node.entries if entry[0].value not in given), *more.entries))


@pytest.mark.parametrize("name", STORIES.keys())
def test_the_chances_tell_what_goes_wrong_in_play(name: str) -> None:
    case, fails = read(name)
    played, cut_off = walked(case, MOST_PATHS, LONGEST)
    for one in played.values():
        assert {code for code, _ in one.refused} == ({fails} if fails else set())
        assert all(place for _, place in one.refused)
    assert difference(case, played, cut_off) == ""
