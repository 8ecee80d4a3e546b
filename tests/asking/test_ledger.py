"""The ledger of ambiguities that ships: it is of these rules and these fights, and what it says is so."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from closecombat.asking.weights.ledger import Ledger, digest_of, ledger_of
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.telling.ledger import ledger_json, ledger_markdown, made_from

ROOT = Path(__file__).parents[2]
SHIPPED = (ROOT / "rulesets" / "ambiguities.md").read_text("utf-8")
RULESETS = ("asl", "assault", "skirmish", "squad-leader")


def some(stack: str, *fights: str) -> Ledger:
    return ledger_of(stack, lambda told: None, fights)


@pytest.mark.parametrize("name", RULESETS)
def test_the_ledger_is_of_the_rules_as_they_are(name: str) -> None:
    """If this fails: closecombat ledger -o rulesets/ambiguities.md"""
    assert made_from(name, digest_of(name)) in SHIPPED.splitlines()


def lines_of(text: str, fight: str) -> set[tuple[str, ...]]:
    """What a ledger says of one fight: doubt, assumption, reading, outcome, was, becomes, by."""
    head: tuple[str, ...] = ()
    found = set()
    for line in text.splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
        if line.startswith("| ") and len(cells) == 8:
            head = cells[:3] if cells[0] else head
            if cells[3] == fight:
                found.add((*head, *cells[4:]))
    return found


@pytest.mark.parametrize(
    ("name", "fight"), [("squad-leader", "lone-leader"), ("assault", "half-strength"), ("asl", "broken-squad-caught")]
)
def test_a_part_of_it_worked_out_anew_says_the_same(name: str, fight: str) -> None:
    section = re.split(r"^## ", SHIPPED, flags=re.MULTILINE)
    (mine,) = (one for one in section if one.startswith(f"{name}\n"))
    assert lines_of(ledger_markdown([some(name, fight)]), fight) == lines_of(mine, fight)


def test_what_can_be_reckoned_by_hand() -> None:
    """A lone leader's nominal strength of 1 against 2: the fifth column, killed on 4 or less of two dice, 6 in 36. With
    strength 2 it is the sixth, 10 in 36, and with none nobody is killed."""
    lines = {
        line[2]: line[3:] for line in lines_of(SHIPPED, "lone-leader") if line[0].startswith("attack-strength.nominal")
    }
    assert lines["+2"] == ("soviet destroyed", "16.67%", "27.78%", "+11.11 (+1/9)")
    assert lines["off"] == lines["+0"] == ("soviet destroyed", "16.67%", "0%", "-16.67 (-1/6)")


def test_no_more_work_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is beaten by four is told by what that row asks, and not by what none of the others do: else this takes half
    as much again, and the farmhouse is too large."""
    monkeypatch.setattr("closecombat.asking.weights.ledger.MOST_WORK", 1_300_000)
    found = [
        one for doubt in some("skirmish", "half-strength").doubts for _, one in doubt.moves if "SK-G03" in one.assumed
    ]
    assert found and not any(one.fault for one in found)


def test_as_json_and_for_one_ruleset() -> None:
    result = CliRunner().invoke(main, ["ledger", "no-such-rules"])
    assert result.exit_code == 2 and "no-such-rules" in result.stderr
    found = json.loads(ledger_json([some("squad-leader", "lone-leader")]))
    schema = json.loads((ROOT / "schemas" / "ledger.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(found)
    (one,) = found["rulesets"]
    doubts = {each["doubt"]: each for each in one["doubts"]}
    assert doubts["SL-G23"]["met_in"] == ["lone-leader"] and "smoke-for" in one["never_met"]
    assert one["only"]["SL-G10"] == "the situation says it"


@pytest.mark.parametrize("name", RULESETS)
def test_every_assumption_that_ships_has_another_reading_or_says_why_not(name: str) -> None:
    rules = load(name).ruleset
    by_option = {id for option in rules.options.values() for ids in option.assumed.values() for id in ids}
    rows = [(table, row) for table in rules.tables.values() for row in table.rows]
    switched = {id for table, row in rows if table.policy in ("adds-up", "forbidden-if") for id in row.where.assumed}
    said = (row for _, row in rows if row.verdict is not None and row.verdict.text.lstrip("+-").isdecimal())
    numbers = {id for row in said for id in row.where.assumed}
    assert set(rules.assumptions) == set(rules.assumptions) & {*by_option, *switched, *numbers, *rules.second_readings}
