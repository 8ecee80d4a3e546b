"""Who is meant by a name: of a sequence that is played, of a word after a test; and types that name nothing."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.cli.main import main
from closecombat.text.faults import Diagnostic, Faults

RULES = """\
ruleset: raid
title: Raid
about: Two sides, and what one does to the other.
language: 1
start: raid
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, men: 0 to 9, units: {are: units, each: unit}}
    rolled: {blow: fist}
    noted: {captain: a unit or nobody}
  unit: {given: {side: a side}, noted: {hurt: flag}}
dice: {fist: d6}
sequences:
  raid:
    in-order:
      blow:    {for: attacker, roll: blow}
      turn:    {for: attacker, when: blow is at least 1, play: turn}
  turn:
    about: side
    in-order:
ROWS
  lose-a-man:
    about: side
    in-order:
      fall: {do: take 1 from men}
  wound:
    about: unit
    in-order:
      hurt: {do: gain hurt}
  meet:
    about: [unit, side]
    in-order:
      both: {when: unit is in units of enemy of side, do: gain hurt of unit}
"""
EXAMPLE = """\
example: one
about: The attacker strikes once.
situation:
  fight: {attacker: red}
  sides:
    red:  {men: 5, units: {r1: {}}}
    blue: {men: 5, units: {b1: {}, b2: {}}}
dice: [3]
expect: WANTED
"""
PLAYED = [
    ("hit: {for: enemy of side, play: lose-a-man}", "{sides: {red: {men: 5}, blue: {men: 4}}}"),
    ("hit: {for: enemy, play: lose-a-man}", "{sides: {red: {men: 5}, blue: {men: 4}}}"),
    ("hit: {play: lose-a-man}", "{sides: {red: {men: 4}, blue: {men: 5}}}"),
    ("hit: {each: side, play: lose-a-man}", "{sides: {red: {men: 4}, blue: {men: 4}}}"),
    ("hit: {each: unit of enemy of side, play: lose-a-man}", "{sides: {red: {men: 3}, blue: {men: 5}}}"),
    ("hit: {each: unit of enemy of side, play: wound}", "{units: {r1: {hurt: no}, b1: {hurt: yes}, b2: {hurt: yes}}}"),
    ("hit: {each: unit of enemy of side, play: meet}", "{units: {r1: {hurt: no}, b1: {hurt: yes}}}"),
]  # fmt: skip


def closecombat(tmp_path: Path, command: str, rules: str, wanted: str = "{}") -> Result:
    (tmp_path / "examples").mkdir(exist_ok=True)
    (tmp_path / "ruleset.yaml").write_text(rules)
    (tmp_path / "examples" / "one.yaml").write_text(EXAMPLE.replace("WANTED", wanted))
    return CliRunner().invoke(main, command.format(tmp_path).split())


@pytest.mark.parametrize(("rows", "wanted"), PLAYED)
def test_a_sequence_is_about_whom_its_row_looks_at(rows: str, wanted: str, tmp_path: Path) -> None:
    done = closecombat(tmp_path, "test {}", RULES.replace("ROWS", f"      {rows}"), wanted)
    assert (done.exit_code, done.exception) == (0, None), done.output


BROKEN = [
    ("blow: fist", "blow: fisst"),
    ("enemy: the other side", "enemy: the other sidex"),
    ("captain: a unit or nobody", "captain: a unitt or nobody"),
    ("{are: units, each: unit}", "{are: unitss, each: unit}"),
]


@pytest.mark.parametrize("command", ["test {}", "resolve {}/examples/one.yaml", "chances {}/examples/one.yaml"])
@pytest.mark.parametrize(("was", "is_"), BROKEN)
def test_a_type_that_names_nothing_is_a_fault_whatever_is_asked(
    was: str, is_: str, command: str, tmp_path: Path
) -> None:
    rules = RULES.replace("ROWS", "      hit: {play: lose-a-man}").replace(was, is_)
    done = closecombat(tmp_path, command, rules)
    assert isinstance(done.exception, SystemExit)
    assert "[unknown-name]" in done.output
    assert "unknown-name" in {fault.code for fault in check_paths([str(tmp_path)])}


@pytest.mark.parametrize(
    ("row", "said", "whose"),
    [
        ("each: side, when: number of units of side is 0", "nobody has a set of `units`", "whoever has them"),
        (
            "for: attacker, play: lose-a-man, when: any unit of units of enemy is hurt",
            "nothing of a side is called `units`",
            "a side",
        ),
    ],
)
def test_a_set_that_nobody_has_is_told_with_the_line_that_gives_it(
    row: str, said: str, whose: str, tmp_path: Path
) -> None:
    rules = RULES.replace("ROWS", f"      fall: {{{row}, do: take 1 from men of attacker}}")
    rules = rules.replace(", units: {are: units, each: unit}", "")
    (tmp_path / "ruleset.yaml").write_text(rules)
    told = {fault.message: fault.help for fault in check_paths([str(tmp_path)])}
    help = f"list them among what is given of {whose}: `units: {{are: units, each: unit}}`"
    assert told.get(said) == help, told


OF_WHOM = """\
ruleset: whom
language: 1
start: go
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {given: {side: a side, tired: flag, shield: flag, chief: a unit or nobody}, noted: {hit: flag}}
sequences: {go: {in-order: {row: {each: unit, when: SAID, do: gain hit}}}}
"""


@pytest.mark.parametrize(
    ("said", "ways"),
    [
        ("chief is not nobody or tired", ("chief is not nobody and chief is not tired", "tired or chief is not nobody")),
        (
            "any unit of side is tired and shield",
            (
                "any unit of side is tired and any unit of side is shield",
                "shield and any unit of side is tired",
                "any unit of side where (tired and shield)",
            ),
        ),
    ],
)
def test_each_way_in_which_a_word_is_said_of_somebody_can_be_written(tmp_path: Path, said: str, ways: tuple[str, ...]) -> None:
    """`not not nobody` cannot be read; that one unit is both was not offered."""

    def faults(sentence: str) -> tuple[Diagnostic, ...]:
        (tmp_path / "ruleset.yaml").write_text(OF_WHOM.replace("SAID", sentence), "utf-8")
        found = Faults()
        load(str(tmp_path)).bind_all(found)
        return found.diagnostics

    (fault,) = faults(said)
    assert fault.help == "write " + " or ".join(f"`{way}`" for way in ways)
    assert not any(faults(way) for way in ways)
