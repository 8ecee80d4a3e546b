"""Charts as they are printed: codes in cells, footnotes, headings that fall, what a list says of its words.

The chart of RULES, for 4 men against 2 (column 2-1) and 2 against 4 (1-2), a die of 6 to 1:
2-1 has DE, A1/D2, A1/D2, ‡, ‡, -; 1-2 has A1/D2, -, -, A1, A1, A1; ‡ is A1/D2 in the dry, else *.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.cli.main import main

RULES = """\
ruleset: trial
title: Trial
about: Two sides and a printed chart.
language: 1
start: combat
words:
  weapon:
    columns: [range, rof, heavy, load]
    rows:
      M1:      [8, 3, no, ball]
      BAR:     [10, 1/2, yes, ball]
      PzF-30k: [1, -, yes, HEAT]
  code:
    columns: [attacker-loss, defender-loss]
    rows:
      -:     [0, 0]
      A1:    [1, 0]
      "*":   [0, 1]
      A1/D2: [1, 2]
      DE:    [0, 9]
  odds: [below 1-2, 1-2, 1-1, 2-1, 3-1]
kinds:
  fight: {one: yes, given: {wet: flag}}
  side:
    given: {enemy: the other side, men: 0 to 99, arm: weapon}
    rolled: {die: one}
    noted: {used: odds, got: code, band: number}
dice: {one: d6}
tables:
  result:
    about: side
    across: men to men of enemy
    columns: [3-1, 2-1, 1-1, 1-2, below 1-2]
    down: die
    words: code
    ends: stay
    cells:
      6:      [DE, DE, A1/D2, A1/D2, A1]
      5 to 4: [DE, A1/D2, ‡, -, A1]
      3 to 2: [A1/D2, ‡, -, A1, A1]
      1:      [A1/D2, -, A1, A1, A1]
    footnotes:
      ‡: {wet: "*", otherwise: A1/D2}
  same:      # the same, lowest first and the columns by name
    about: side
    across: men to men of enemy
    columns: odds
    down: die
    words: code
    ends: stay
    cells:
      1:      [A1, A1, A1, -, A1/D2]
      2 to 3: [A1, A1, -, ‡, A1/D2]
      4 to 5: [A1, -, ‡, A1/D2, DE]
      6:      [A1, A1/D2, A1/D2, DE, DE]
    footnotes:
      ‡: {wet: "*", otherwise: A1/D2}
  by-arm:
    about: side
    across: arm
    columns: weapon
    cells: [1, -, ½]
    otherwise: -1
    footnotes: {½: men / 2 rounded up}
  by-men:
    about: side
    across: men
    columns: [12 to 10, 9 to 2]
    cells: [5, "-"]
    otherwise: men + rof of arm
  by-number: {about: side, across: men, columns: [10, 5, 1], cells: [M, 2k, L], ends: stay}
  by-higher: {about: side, across: men, columns: [10, 5, 1], cells: [M, 2k, L], ends: stay, between: higher}
  few-words: {about: side, across: arm, columns: [BAR], cells: [7], otherwise: 3}
  moved: {about: side, across: men, columns: [10, 5, 1], cells: [M, 2k, L], ends: stay, shift: 1}
  carries:
    about: weapon
    first-of:
      both: {heavy: yes, load: ball, is: 2}
      one:  {range: at least 2, is: 1}
    otherwise: 0
sequences:
  combat:
    in-order:
      roll: {each: side, roll: die}
      keep: {each: side, do: [set used to column of result, set got to result, set band to column of by-number]}
outcomes: {about: side, words: [even], is: even}
"""


def closecombat(tmp_path: Path, command: str, example: str, rules: str = RULES) -> Result:
    (tmp_path / "examples").mkdir(exist_ok=True)
    (tmp_path / "ruleset.yaml").write_text(rules)
    (tmp_path / "examples" / "one.yaml").write_text(example)
    return CliRunner().invoke(main, [word.format(tmp_path) for word in command.split(maxsplit=1)])


def example(situation: str, rest: str) -> str:
    return f"example: one\nabout: One throw each.\nsituation: {{{situation}}}\n{rest}\n"


SITUATION = "fight: {wet: no}, sides: {red: {men: 4, arm: M1}, blue: {men: 2, arm: BAR}}"
FIGURES = [
    (SITUATION, "6, 6", "result of red", "DE"),
    (SITUATION, "6, 6", "result of blue", "A1/D2"),
    (SITUATION, "4, 5", "result of red", "A1/D2"),
    (SITUATION, "4, 5", "result of blue", '"-"'),
    (SITUATION, "1, 1", "result of red", '"-"'),
    (SITUATION, "2, 1", "result of red", "A1/D2"),
    (SITUATION.replace("wet: no", "wet: yes"), "2, 1", "result of red", '"*"'),
    (SITUATION, "2, 1", "column of result of blue", "1-2"),
    (SITUATION, "2, 1", "used of red", "2-1"),
    (SITUATION, "2, 1", "used of red is at least 1-1 and used of blue is less than 1-1", "yes"),
    (SITUATION, "2, 1", 'used of blue is "below 1-2" or 1-2', "yes"),
    (SITUATION, "6, 4", "got of red is DE and got of blue is -", "yes"),
    (SITUATION, "6, 4", "got of red is more than A1/D2", "yes"),
    (SITUATION, "6, 4", "defender-loss of got of red + attacker-loss of result of red", "9"),
    (SITUATION, "6, 4", "rof of arm of red + range of arm of blue", "13"),
    (SITUATION, "6, 4", "rof of arm of blue", "1/2"),
    (SITUATION, "6, 4", "heavy of arm of blue and load of arm of red is ball", "yes"),
    (SITUATION, "6, 4", "carries of arm of blue", "2"),
    (SITUATION, "6, 4", "carries of arm of red", "1"),
    (SITUATION, "6, 4", "by-arm of red", "1"),
    (SITUATION, "6, 4", "by-arm of blue", "-1"),
    (SITUATION.replace("BAR", "PzF-30k"), "6, 4", "by-arm of blue", "1"),
    (SITUATION.replace("men: 2", "men: 11"), "6, 4", "by-men of blue", "5"),
    (SITUATION, "6, 4", "by-men of blue", "5/2"),  # the chart prints nothing
    (SITUATION.replace("men: 4", "men: 40"), "6, 4", "by-men of red", "43"),  # off its ends
    (SITUATION, "6, 4", "by-number of red", "L"),  # 4 is between 5 and 1
    (SITUATION, "6, 4", "by-higher of red", "2k"),
    (SITUATION.replace("men: 2", "men: 7"), "6, 4", "by-number of blue is 2k", "yes"),
    (SITUATION.replace("men: 2", "men: 7"), "6, 4", "moved of blue", "L"),  # one to the right, as printed
    (SITUATION.replace("men: 2", "men: 70"), "6, 4", "by-number of blue", "M"),
    (SITUATION.replace("men: 2", "men: 7"), "6, 4", "column of by-number of blue", "5"),
    (SITUATION.replace("men: 2", "men: 7"), "6, 4", "column of by-number of blue is at least 5", "yes"),
    (SITUATION.replace("men: 2", "men: 7"), "6, 4", "band of blue - band of red", "4"),
    (SITUATION, "6, 4", "few-words of blue", "7"),
    (SITUATION, "6, 4", "few-words of red", "3"),
]


@pytest.mark.parametrize(("situation", "dice", "asked", "wanted"), FIGURES)
def test_a_chart_is_read_as_it_is_printed(situation: str, dice: str, asked: str, wanted: str, tmp_path: Path) -> None:
    text = example(situation, f"dice: [{dice}]\nexpect: {{figures: {{'{asked}': {wanted}}}}}")
    done = closecombat(tmp_path, "test {}", text)
    assert (done.exit_code, done.exception) == (0, None), done.output


CHANCES = [  # of 36, by the two columns above; the die of each is its own
    ("no", {"got of red is DE": "1/6", "got of red is A1/D2": "2/3", "got of red is -": "1/6", "got of blue is A1": "1/2"}),
    ("yes", {"got of red is A1/D2": "1/3", 'got of red is "*"': "1/3", "attacker-loss of got of red is 1": "1/3"}),
    ("yes", {"defender-loss of result of red + defender-loss of result of blue is 2": "11/36"}),  # 2 and 0: 2/6 * 5/6; 0 and 2: 1/6 * 1/6
]  # fmt: skip


@pytest.mark.parametrize(("wet", "chances"), CHANCES)
def test_its_chances_are_exact(wet: str, chances: dict[str, str], tmp_path: Path) -> None:
    stated = "".join(f"  '{asked}': {chance}\n" for asked, chance in chances.items())
    done = closecombat(tmp_path, "test {}", example(SITUATION.replace("wet: no", f"wet: {wet}"), "chances:\n" + stated))
    assert (done.exit_code, done.exception) == (0, None), done.output


@pytest.mark.parametrize("wet", ["no", "yes"])
@pytest.mark.parametrize("men", [1, 3, 5, 8, 20, 99])
def test_a_chart_turned_round_says_the_same(men: int, wet: str, tmp_path: Path) -> None:
    situation = SITUATION.replace("wet: no", f"wet: {wet}").replace("men: 2", f"men: {men}")
    text = example(
        situation, "chances: {result of blue is same of blue and column of result of red is column of same of red: 1}"
    )
    done = closecombat(tmp_path, "test {}", text)
    assert (done.exit_code, done.exception) == (0, None), done.output


def test_a_die_shows_what_is_printed_on_it(tmp_path: Path) -> None:
    rules = RULES.replace("dice: {one: d6}", 'dies: {sign: [H, "-", 2k, H]}\ndice: {one: d6, sign-die: {die: sign}}')
    rules = rules.replace("{die: one}", "{die: one, omen: sign-die}")
    rules = rules.replace("      keep:", "      omen: {each: side, roll: omen}\n      keep:")
    wanted = "{omen of red is H: yes, omen of blue is -: yes, number of omen of blue where (face is 2k): 0}"
    text = example(SITUATION, f'dice: [6, 4, H, "-"]\nexpect: {{figures: {wanted}}}')
    done = closecombat(tmp_path, "test {}", text, rules)
    assert (done.exit_code, done.exception) == (0, None), done.output
    text = example(
        SITUATION, "chances: {omen of red is H and omen of blue is -: 1/8, omen of red is omen of blue: 3/8}"
    )
    done = closecombat(tmp_path, "test {}", text, rules)
    assert (done.exit_code, done.exception) == (0, None), done.output


def test_a_variant_changes_a_row_of_a_list(tmp_path: Path) -> None:
    closecombat(tmp_path, "check {}", example(SITUATION, "dice: [6, 4]"))
    file = tmp_path / "variants" / "far.yaml"
    file.parent.mkdir()
    head = "variant: far\ntitle: Far\nabout: The BAR reaches farther.\nextends: ../ruleset.yaml\nchanges:\n"
    file.write_text(head + "  far: {at: words.weapon.BAR, set: {range: 12}, was: {range: 10}, why: It is so.}\n")
    asked = "range of arm of blue is 12 and rof of arm of blue is 1/2"
    command = ["chances", str(tmp_path / "examples" / "one.yaml"), "-r", str(file), "--of", asked, "--format", "json"]
    done = CliRunner().invoke(main, command)
    assert '"probability": "1"' in done.stdout, done.output


TOLD = [
    "result of red is A1/D2: column 2-1 for 4 to 2, row 3 to 2, marked ‡",
    "‡ of result of red is A1/D2",
    "red: set got to A1/D2",
]


def test_the_trace_tells_row_column_and_mark(tmp_path: Path) -> None:
    done = closecombat(tmp_path, "resolve {}/examples/one.yaml", example(SITUATION, "dice: [3, 1]"))
    lines = [line.lstrip("│├└─ ") for line in done.output.split("\n")]
    assert [line for line in TOLD if line not in lines] == [], done.output
