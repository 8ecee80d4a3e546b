"""What each system says of a concept: known rows are there, nothing that modifies or forbids is passed over, and the
concepts are shared ones."""

from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from closecombat.asking.systems.crosswalk import RULES as HAS_RULES
from closecombat.asking.systems.crosswalk import Crosswalk, Says, crosswalk_of
from closecombat.cli.main import main
from closecombat.telling.crosswalk import worth

RULES = Path(__file__).parents[2] / "rulesets"
SYSTEMS = ("asl", "squad-leader", "assault", "skirmish")


@cache
def shipped() -> Crosswalk:
    return crosswalk_of(SYSTEMS)


def said(concept: str, system: str) -> Says:
    (found,) = [one for one in shipped().concepts if one.name == concept]
    return found.says[system]


@cache
def written(system: str) -> dict[str, Any]:
    """The tables of a ruleset, read by another reader."""
    found: dict[str, Any] = {}
    for file in sorted((RULES / system).glob("*.yaml")):
        found |= (YAML(typ="safe").load(file.read_text("utf-8")) or {}).get("tables", {}) or {}
    return found


# concept, system, row, worth, clause: as they stand in the files
KNOWN = [
    ("shaken", "squad-leader", "tables.attacking-fp.pinned", "\u00d71/2", "6.1.10a"),
    ("shaken", "asl", "tables.ambush-drm.pinned", "+1", "A11.4n"),
    ("shaken", "skirmish", "tables.combat-dice.pinned", "\u00d71/2", "SK-dice-16"),
    ("night", "asl", "tables.ambush-margin.night", "", "A11.4g"),
    ("tired", "squad-leader", "tables.drm.exhausted", "", "6.1.QA3a"),
    ("withdrawing", "asl", "tables.withdrawal.pinned", "forbidden", "A11.2a"),
    ("direction", "skirmish", "tables.orders.senior", "+3", "SK-dice-02"),
]


@pytest.mark.parametrize(("concept", "system", "path", "value", "clause"), KNOWN)
def test_a_known_row_is_told(concept: str, system: str, path: str, value: str, clause: str) -> None:
    rows = {row.path: row for row in said(concept, system).rows}
    assert not value or worth(rows[path]) == value
    assert clause in rows[path].line.rests.cites


def test_no_rule_is_told_from_nothing() -> None:
    assert said("night", "skirmish").sort == "no-rule" and said("house", "squad-leader").sort == "nothing"
    assert "nothing is said of the dark" in [one.why for one in said("night", "skirmish").fields]
    assert said("heroes", "assault").sort == "no-rule" and said("tank", "squad-leader").sort == "no-fight"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_row_that_modifies_or_forbids_is_told(system: str) -> None:
    told = {row.path for one in shipped().concepts for row in one.says[system].rows}
    told |= {row.path for row in shipped().alone[system]}
    for name, table in written(system).items():
        for policy in ("adds-up", "forbidden-if"):
            for row, line in (table.get(policy) or {}).items():
                assert f"tables.{name}.{row}" in told or is_option(system, line)


@cache
def options(system: str) -> frozenset[str]:
    found: set[str] = set()
    for file in (RULES / system).glob("*.yaml"):
        found |= set((YAML(typ="safe").load(file.read_text("utf-8")) or {}).get("options", {}) or {})
    return frozenset(found)


def is_option(system: str, line: Any) -> bool:
    """Whether a row hangs on how a rule is read; such a row is told only if it is read so."""
    return bool(options(system) & set(line))


def test_every_concept_is_said_by_two_systems_or_more() -> None:
    few = [one.name for one in shipped().concepts if one.sort == "concepts" and not one.shared]
    assert not few


def test_whatever_is_named_is_met() -> None:
    for system in SYSTEMS:
        fields = YAML(typ="safe").load(
            (RULES / "engagements" / "order-of-battle" / f"{system}.yaml").read_text("utf-8")
        )
        for concept, names in fields["concepts"].items():
            paths = {row.path for row in said(concept, system).rows}
            for name in names:
                assert "." not in name or any(f"{path}.".startswith(f"{name}.") for path in paths), (system, name)
            assert paths, (system, concept)


def test_the_page_that_is_kept_is_current() -> None:
    """`closecombat crosswalk -f md > rulesets/crosswalk.md` writes it."""
    told = CliRunner().invoke(main, ["crosswalk", "-f", "md"])
    assert told.stdout == (RULES / "crosswalk.md").read_text("utf-8")


def test_a_stack_is_told_with_its_variant() -> None:
    found = crosswalk_of(["squad-leader+lower-kill-numbers"])
    (stack,) = found.systems
    assert stack == "squad-leader+lower-kill-numbers"
    assert all(one.shared is (one.says[stack].sort == HAS_RULES) for one in found.concepts)
    assert any(one.shared for one in found.concepts)


def test_the_page_says_every_row_of_the_json() -> None:
    text = CliRunner().invoke(main, ["crosswalk", "skirmish", "assault", "-f", "html"]).stdout
    found = crosswalk_of(["skirmish", "assault"])
    plain = unescape(text)
    for one in found.concepts:
        for each in one.says.values() if one.shared else ():
            assert all(row.line.text in plain for row in each.rows)
            assert all(fields.why in plain for fields in each.fields)
