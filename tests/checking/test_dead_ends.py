"""Charts that stop small fights: what is told of them, and what is not."""

from pathlib import Path

import pytest

from closecombat.checking.check import check_paths

RULES = """\
ruleset: left
start: bout
kinds:
  fight: {{one: yes, given: {{attacker: a side}}}}
  side: {{given: {{enemy: the other side, men: 0 to 9, tired: flag}}, noted: {{score: {{is: 0 to 9, default: 0}}}}}}
sequences: {{bout: {{in-order: {{a: {{each: side, do: set score to chart}}}}}}}}
outcomes: {{about: side, words: [well, hurt], first-of: {{hurt: {{score: at least 1, is: hurt}}}}, otherwise: well}}
strength-lost: {{about: side, unit: man, is: men}}
tables:
  fit: {{about: side, first-of: {{a: {{tired: yes, is: no}}}}, otherwise: yes}}
  mod: {{about: side, adds-up: {{a: {{fit: yes, {does}}}, b: {{men: at most 9, add: {least}}}}}}}
  chart: {{about: side, {chart}}}
"""


@pytest.mark.parametrize(
    ("does", "least", "chart", "help"),
    [
        ("add: 2", 1, "across: mod, columns: [1, 2], cells: [0, 1]", "add an open end such as `above 2`, or `ends: stay`"),
        ("add: -2", 3, "across: mod, columns: [2 to 4], cells: [1]", "add an open end such as `below 2`, or `ends: stay`"),
        ("add: 2", 1, "across: mod, columns: [2 to 3, 1], cells: [0, 1]", ""),
        ("add: 2", 1, "across: mod, columns: [3 to 4, 2], cells: [0, 1]", "add an open end such as `below 2`, or `ends: stay`"),
        ("add: 2", 1, "across: mod, columns: [below 3], cells: [0]", "add a heading for it, or `ends: stay`"),
        ("add: 2", 1, "across: mod, columns: [1, above 1], cells: [0, 1]", ""),
        ("add: 2", 1, "across: mod, columns: [1, 2], cells: [0, 1], ends: stay", ""),
        # what is worth nothing is seldom looked up: 0, and odds of nobody
        ("add: -1", 1, "across: mod, columns: [1], cells: [1]", ""),
        ("add: 2", 1, "across: men to men of enemy, columns: [below 1-2, 1-2, above 1-2], cells: [0, mod, 1]", ""),
    ],
)  # fmt: skip
def test_a_chart_that_stops_a_small_fight_is_told(does: str, least: int, chart: str, help: str, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES.format(does=does, least=least, chart=chart), "utf-8")
    found = [one for one in check_paths([str(tmp_path / "rules.yaml")]) if one.code in ("leaves-chart", "grid-gap")]
    assert [one.help for one in found] == ([help] if help else []), found
    assert all(one.example for one in found)
