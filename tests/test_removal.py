"""The proof by removal on a small ruleset: what an example would miss, and what none would."""

from pathlib import Path

import pytest

from removal import main

RULESET = """\
ruleset: brawl
start: fight
options: {fair: {readings: [always, never], default: always, why: The page is torn.}}
kinds:
  fight: {one: yes}
  side:  {given: {units: {are: units, each: unit}}}
  unit:  {given: {side: a side, tired: flag, drunk: flag, angry: flag}}
tables:
  worth:
    about: unit
    adds-up:
      usual: {add: 4}
      tired: {unit: tired, add: -2}
      drunk: {unit: drunk, add: -1}
      angry: {unit: angry, fair: always, add: 1}
sequences:
  fight: {in-order: {run: {each: unit, worth: less than 3, do: [gain angry, lose drunk, leave]}}}
"""
EXAMPLE = """\
examples:
  - example: tired
    situation: {sides: {red: {units: {r: {tired: yes}}}}}
    expect: {figures: {worth of r: 3}, units: {r: {gone: yes, angry: yes}}}
  - example: drunk
    situation: {sides: {red: {units: {r: {drunk: yes}}}}}
    expect: {units: {r: here}}
"""
# After the run a tired man is angry: 4 - 2 + 1.
SURVIVORS = {"tables.worth.drunk", "sequences.fight.run / lose drunk", "options.fair.never"}


def printed(folder: Path, capsys: pytest.CaptureFixture[str], allowed: str = "", *more: str) -> tuple[int, str]:
    brawl = folder / "brawl"
    (brawl / "examples").mkdir(parents=True)
    (brawl / "ruleset.yaml").write_text(RULESET, "utf-8")
    (brawl / "examples" / "all.yaml").write_text(EXAMPLE, "utf-8")
    (folder / "allowed.yaml").write_text(allowed or "# none\n", "utf-8")
    code = main([str(brawl), "--jobs", "1", "--allowed", str(folder / "allowed.yaml"), *more])
    return code, capsys.readouterr().out


def test_survivors_are_named_with_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = printed(tmp_path, capsys)
    *lines, sums = out.splitlines()
    assert {line.partition(": ")[2].partition("  (")[0] for line in lines} == SURVIVORS
    assert f"{tmp_path}/brawl/ruleset.yaml:14: tables.worth.drunk  (1 example got there, none noticed)" in lines
    assert sums == "10 taken out, 7 noticed, 0 allowed, 3 survivors (1 that no example gets to)"
    assert code == 1


def test_survivors_may_be_allowed_with_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "".join(f"  {id}: nobody cares\n" for id in sorted(SURVIVORS))
    code, out = printed(tmp_path, capsys, f"brawl:\n{lines}")
    assert (code, out) == (0, "10 taken out, 7 noticed, 3 allowed, 0 survivors (0 that no example gets to)\n")


def test_a_needless_line_in_the_list_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = printed(tmp_path, capsys, "brawl:\n  tables.worth.tired: nobody cares\n")
    assert code == 1
    assert "allowed without need: tables.worth.tired" in out


def test_conditions_are_taken_out_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(tmp_path, capsys, "", "--columns", "--only", "?")
    assert "tables.worth.angry ? fair  (2 examples got there, none noticed)" in out
    assert "tables.worth.tired ? unit" not in out


def test_examples_must_pass_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(RULESET.replace("add: 4", "add: 5"), "utf-8")
    (tmp_path / "examples" / "all.yaml").write_text(EXAMPLE, "utf-8")
    assert main([str(tmp_path), "--jobs", "1"]) == 2
    assert "tired" in capsys.readouterr().err


def test_what_dice_do_is_taken_out_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 6 and 4 the 4 would be left over without the further throw; that 1 is added, 8 being the most, nobody sees."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: blows\nstart: fight\n"
        "kinds: {fight: {one: yes}, unit: {rolled: {blow: wild}}}\n"
        "dice: {wild: {die: d6, explode-if: face is 6, at-most: unbounded, plus: 1}}\n"
        "tables: {harm: {about: unit, is: the lower of blow and 8}}\n"
        "sequences: {fight: {in-order: {blow: {each: unit, roll: blow}}}}\n",
        "utf-8",
    )
    example = "example: a\nsituation: {units: {u: {}}}\ndice: [[6], [4]]\nexpect: {figures: {harm of u: 8}}\n"
    (tmp_path / "examples" / "a.yaml").write_text(example, "utf-8")
    main([str(tmp_path), "--jobs", "1", "--columns", "--only", "dice"])
    *lines, sums = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2].partition("  (")[0] for line in lines] == ["dice.wild ? plus"]
    assert sums.startswith("2 taken out, 1 noticed")
