"""How long a fight to the end lasts: reckoned by hand, one round for all states and from state to state."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import comb

import pytest
from click.testing import CliRunner

from closecombat.asking.exact.lasting import MOST_TOLD, over_after
from closecombat.binding.charts import Bound
from closecombat.cli.main import main
from closecombat.playing import combats
from closecombat.playing.fight import Fight, fight
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.source import Source

SIEGE = """
ruleset: siege
language: 1
start: combat
rounds: {until: any side where (fallen), between: night}
kinds:
  fight: {one: yes, given: {attacker: a side, defender: a side}}
  side: {given: {enemy: the other side}, noted: {breaches: number, fallen: flag}, rolled: {blow: one}}
dice: {one: d6}
sequences:
  combat:
    in-order:
      storm:  {for: attacker, roll: blow}
      breach: {for: attacker, blow: at least 5, do: add 1 to breaches}
      falls:  {for: attacker, breaches: at least NEEDED, do: gain fallen}
  night:
    at-once:
      rest: {do: lose fallen of attacker}
outcomes: {about: side, words: [won, held], first-of: {won: {fallen: yes, is: won}}, otherwise: held}
"""
TWO = "situation: {fight: {attacker: red, defender: blue}, sides: {red: {}, blue: {}}}"


def siege(needed: int) -> Fight:
    faults = Faults()
    text = SIEGE.replace("NEEDED", str(needed))
    ruleset = read_ruleset(as_mapping(parse(Source("<rules>", text))), faults)
    faults.raise_if_any()
    return fight(Bound(ruleset), as_mapping(parse(Source("<fight>", TWO))))


def by_then(needed: int, combats: int) -> Fraction:
    """Of so many blows, each a breach with 2 of 6, at least as many as are needed."""
    return sum(
        (Fraction(comb(combats, n) * 2 ** (combats - n), 3**combats) for n in range(needed, combats + 1)), Fraction(0)
    )


@pytest.mark.parametrize("most_at_once", [combats.MOST_AT_ONCE, -1], ids=["one round for all", "state by state"])
@pytest.mark.parametrize("needed", [1, 2, 3])
def test_a_wall_falls_when_enough_blows_have_told(
    needed: int, most_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(combats, "MOST_AT_ONCE", most_at_once)
    expected = tuple(by_then(needed, combats) for combats in range(1, MOST_TOLD + 1))
    assert over_after(siege(needed), None) == expected


def test_what_is_surely_over_is_told_no_further() -> None:
    assert over_after(siege(0), None) == (1,)


def test_what_is_too_much_work_is_left_out() -> None:
    assert over_after(siege(2), 10) is None


def test_the_page_shows_what_the_json_says() -> None:
    """squad-leader: both sides kill at once, each with a chance that is the same in every round; the fight is over as
    soon as one has. Six against four kills with 14 of 36, four against six with 10."""
    run = CliRunner().invoke
    told = run(
        main, ["compare", "farmhouse", "-r", "squad-leader", "-r", "skirmish", "--until", "resolved", "-f", "json"]
    )
    assert told.exit_code == 0, told.output
    found = {one["ruleset"]: one["over_after"] for one in json.loads(told.stdout)["systems"]}
    goes_on = Fraction(22, 36) * Fraction(26, 36)
    assert [Fraction(one["probability"]) for one in found["squad-leader"]] == [1 - goes_on**n for n in range(1, 13)]
    assert [one["probability"] for one in found["skirmish"]] == ["1"]
    page = run(
        main,
        [
            "compare",
            "farmhouse",
            "-r",
            "squad-leader",
            "-r",
            "skirmish",
            "--until",
            "resolved",
            "--no-weigh",
            "-f",
            "html",
        ],
    )
    table = page.stdout[page.stdout.index('aria-label="How long it lasts"') :].partition("</table>")[0]
    rows = [re.findall(r'title="([^"]*)"', row) for row in table.split("</tr>")[1:-1]]
    assert [row[0] for row in rows] == [one["probability"] for one in found["squad-leader"]]
    assert {row[1] for row in rows} == {"1"}
