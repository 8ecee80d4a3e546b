"""What `check --fix` writes and what it leaves alone: files as designers have them, byte by byte."""

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.asking.printed.shows import effective
from closecombat.checking.unguarded import check_guarded
from closecombat.cli.main import main
from closecombat.reading.stack import load_stack
from closecombat.text.editing import edited, lines_after
from closecombat.text.faults import Faults, is_slip
from closecombat.text.illustrations import SOUND
from closecombat.text.source import Source, Span

RULES, VARIANT = Path("ruleset.yaml"), Path("variants/mine.yaml")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, text in SOUND.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return tmp_path


def fix(*args: str) -> Result:
    return CliRunner().invoke(main, ["check", "--fix", *(args or (".",))])


def variant(*changes: str) -> str:
    return "variant: mine\nextends: ../ruleset.yaml\nchanges:\n" + "\n".join(changes) + "\n"


# ---- clauses of `was` --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "after"), [
    ("  a: {at: tables.strength.mail, set: {add: 2}, why: x}  # kept",
     "  a: {at: tables.strength.mail, set: {add: 2}, was: {add: 1}, why: x}  # kept"),
    ("  a: {at: tables.strength.mail, why: x, set: {add: 2}}",
     "  a: {at: tables.strength.mail, why: x, set: {add: 2}, was: {add: 1}}"),
    ("  a:\n    at:  tables.strength.mail\n    set: {add: 2}   # kept\n\n    why: x",
     "  a:\n    at:  tables.strength.mail\n    set: {add: 2}   # kept\n    was: {add: 1}\n\n    why: x"),
    ("  a:\n    at: tables.strength.mail\n    why: x\n    set:\n      add: 2  # kept",
     "  a:\n    at: tables.strength.mail\n    why: x\n    was: {add: 1}\n    set:\n      add: 2  # kept"),
    ("  a:\n    at:     tables.strength.held\n    remove: yes\n    why:    x",
     "  a:\n    at:     tables.strength.held\n    remove: yes\n    was:    {order: high, add: 1}\n    why:    x"),
    ("  a: {at: tables.strength.mail, set: {note: new}, why: x}",
     "  a: {at: tables.strength.mail, set: {note: new}, was: {any unit of side: knight, armour: thick, add: 1}, why: x}"),
    ("  a: {at: counters.unit.rider, set: {men: 5}, why: x}",
     "  a: {at: counters.unit.rider, set: {men: 5}, was: {men: 4}, why: x}"),
    ("  a: {at: counters.unit.rider, replace: [knight, 5], why: x}",
     "  a: {at: counters.unit.rider, replace: [knight, 5], was: [knight, 4], why: x}"),
    ("  a: {at: kinds.unit.broken, set: {default: yes}, why: x}",
     "  a: {at: kinds.unit.broken, set: {default: yes}, was: {is: flag}, why: x}"),
])  # fmt: skip
@pytest.mark.parametrize("how", ["\n", "\r\n", "mark"])
def test_a_was_is_written_and_nothing_else_is_touched(before: str, after: str, how: str) -> None:
    def as_bytes(text: str) -> bytes:
        return ("\ufeff" * (how == "mark") + text.replace("\n", "\r\n" if how == "\r\n" else "\n")).encode()

    VARIANT.write_bytes(as_bytes(variant(before)))
    result = fix()
    assert VARIANT.read_bytes() == as_bytes(variant(after)), result.stderr
    assert "was-left-out: wrote `was: " in result.stderr and "no findings" in result.stderr
    assert result.exit_code == 0
    again = fix()
    assert "mended" not in again.stderr and VARIANT.read_bytes() == as_bytes(variant(after))


def test_a_long_was_is_written_over_several_lines() -> None:
    VARIANT.write_text(variant("  a:", "    at: tables.strength", "    set: {title: Strength}", "    why: x"))
    assert fix().exit_code == 0
    lines = VARIANT.read_text().splitlines()
    assert lines[5:10] == ["    set: {title: Strength}", "    was:", "      about: side", "      adds-up:",
                           "        men: {add: total men of units of side where (fit)}"]  # fmt: skip
    assert lines[-1] == "    why: x" and max(map(len, lines)) <= 140


@pytest.mark.parametrize("ruleset", ["skirmish", "assault"])
@pytest.mark.parametrize("braces", [True, False])
def test_every_row_that_ships_can_be_said_by_a_was(ruleset: str, braces: bool) -> None:
    """What is written agrees with what stands there: else putting the stack together would refuse it."""
    paths = list(dict.fromkeys(line.path for line in effective(load_stack(ruleset))))
    paths = [path for path in paths if not path.startswith(("clauses", "sources", "assumptions", "obligations"))][:900]
    one = "  c{}: {{at: '{}', set: {{note: new}}, why: x}}"
    if not braces:
        one = "  c{}:\n    at: '{}'\n    set: {{note: new}}\n    why: x"
    kept = []
    for path in paths:  # a change of a whole chart and one of its rows do not go together
        text = f"variant: mine\nextends: {ruleset}\nchanges:\n" + one.format(0, path) + "\n"
        if "." in path.partition(".")[2]:
            kept.append((path, text))
    text = kept[0][1].partition("changes:\n")[0] + "changes:\n"
    text += "\n".join(one.format(at, path) for at, (path, _) in enumerate(kept)) + "\n"
    Path("all.yaml").write_text(text)
    found = Faults()
    check_guarded(load_stack("./all.yaml"), found)
    assert len(found) == len(kept) > 100
    source = Source("all.yaml", text)
    mends = [edit for fault in found.diagnostics for edit in fault.mend]  # the first hundred
    Path("all.yaml").write_text(edited(text, [(Span(source, span.start, span.end), new) for span, new in mends]))
    steps = load_stack("./all.yaml").variants[-1].steps
    assert [step.was is not None for step in steps[:90]] == [True] * 90


def test_only_the_last_variant_is_asked() -> None:
    Path("variants/other.yaml").write_text(
        "variant: other\nextends: mine.yaml\nchanges:\n"
        "  a: {at: tables.strength.held, set: {add: 2}, was: {add: 1}, why: x}\n"
    )
    VARIANT.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    result = CliRunner().invoke(main, ["check", "variants/other.yaml"])
    assert result.stdout == ""


# ---- names and comments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("right", "wrong"), [
    ("when: fled or hits", "when: fledd or hits"),
    ("when: fled or hits", "when: flde or hits"),
    ("mood: afraid, do", "mood: afriad, do"),
    ("at: tables.strength.mail", "at: tables.strength.mial"),
    ("rout:  {each", "rout:  !!map {each"),
    ("is: not broken and", "is: not (broken) and"),
    ("  one-die: d6\n", "  one-die: d6  # closecombat: ignore[unused] for later\n"),
    ("dice:\n", "# closecombat: ignore[unused, never-so] for later\ndice:\n"),
    ("language: 1", "languge: 1"),
    ("counter: rider, broken: yes", "counter: rider, borken: yes"),
    ("examples/one.yaml", ""),
])  # fmt: skip
def test_what_has_one_right_mend_is_mended(right: str, wrong: str) -> None:
    for name, text in SOUND.items():
        Path(name).write_text(text.replace(right, wrong))
    result = fix()
    for name, text in SOUND.items():
        assert Path(name).read_text() == text, result.stderr
    assert result.exit_code == 0 and result.stderr.endswith("no findings\n")


@pytest.mark.parametrize("more", ["or", "and"])
def test_what_goes_on_behind_brackets_stays_outside(more: str) -> None:
    """Without them a fact that each unit has would be heard as part of what is said of them."""
    text = SOUND["ruleset.yaml"]
    odd, plain = f"when: not (any unit of side is tired) {more} number of units of side is 1", "when: no unit of side is tired"
    RULES.write_text(text.replace(plain, odd))
    assert fix().exit_code == 0
    assert RULES.read_text() == text.replace(plain, odd.replace("not (any", "(no"))


@pytest.mark.parametrize("slips", [
    pytest.param((("hits is at", "hots is at"), ("add 1 to hits", "add 1 to hots")), id="said so throughout"),
    pytest.param((("roll: luck", "roll: luk"), ("+ luck", "+ 1")), id="defined once and said nowhere else"),
    pytest.param((("tired: flag", "tired: flag, hired: flag"), ("side is tired", "side is fired")), id="two as near"),
    pytest.param((("tired: flag", "tired: flag, tire: flag"), ("side is tired", "side is tirek")), id="one nearer"),
    pytest.param((("luck: one-die", "luck: one-die2"), ("dice:\n", "dice:\n  one-die1: d6\n")), id="a digit"),
    pytest.param((("when: fled or", "when: fleddd or"),), id="more than a slip"),
    pytest.param((("when: fled or", "when: moood or"),), id="another would be wrong there"),
])  # fmt: skip
def test_what_is_not_certain_is_left(slips: tuple[tuple[str, str], ...]) -> None:
    text = SOUND["ruleset.yaml"]
    for right, wrong in slips:
        text = text.replace(right, wrong)
    RULES.write_text(text)
    result = fix()
    assert "error[" in result.stdout and "mended" not in result.stderr
    assert RULES.read_text() == text


@pytest.mark.parametrize(("written", "meant", "said"), [
    ("afriad", "afraid", True), ("afrad", "afraid", True), ("afraidd", "afraid", True), ("afreid", "afraid", True),
    ("Afraid", "afraid", True), ("half_squad", "half-squad", True), ("men", "man", False), ("unit1", "unit2", False),
    ("afraid", "afraid", False), ("arfiad", "afraid", False), ("squad", "squads", True), ("ab", "abc", False),
])  # fmt: skip
def test_a_slip_is_one_letter(written: str, meant: str, said: bool) -> None:
    assert is_slip(written, meant) is said


# ---- files -------------------------------------------------------------------------------------------------


def test_one_file_that_may_not_be_written_keeps_all_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = os.access  # root may write everything
    monkeypatch.setattr("os.access", lambda file, mode: not str(file).endswith("mine.yaml") and allowed(file, mode))
    VARIANT.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    RULES.write_text(SOUND["ruleset.yaml"].replace("when: fled or", "when: fledd or"))
    texts = RULES.read_text(), VARIANT.read_text()
    result = fix()
    assert result.exit_code == 2 and "nothing was mended" in result.stderr
    assert (RULES.read_text(), VARIANT.read_text()) == texts


def test_permissions_and_links_stay() -> None:
    real = Path("real.yaml")
    real.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    real.chmod(0o640)
    VARIANT.unlink()
    VARIANT.symlink_to("../real.yaml")
    fix("variants")
    assert VARIANT.is_symlink() and stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [each.name for each in Path().glob("*.part")] == []


def test_a_file_that_cannot_be_read_is_left_and_others_are_mended() -> None:
    Path("variants/broken.yaml").write_text("variant: broken\nextends: ../ruleset.yaml\nchanges: {a: [\n")
    VARIANT.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    result = fix()
    assert "yaml-syntax" in result.stdout and "was: {add: 1}" in VARIANT.read_text() and result.exit_code == 1


def test_only_what_was_named_and_chosen_is_mended() -> None:
    VARIANT.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    wrong = SOUND["ruleset.yaml"].replace("  one-die: d6\n", "  one-die: d6  # closecombat: ignore[unused] x\n")
    RULES.write_text(wrong)
    fix("variants/mine.yaml")
    assert RULES.read_text() == wrong and "was:" in VARIANT.read_text()
    VARIANT.write_text(variant("  a: {at: tables.strength.mail, set: {add: 2}, why: x}"))
    fix(".", "--select", "unused-ignore")
    assert RULES.read_text() == SOUND["ruleset.yaml"] and "was:" not in VARIANT.read_text()


@pytest.mark.parametrize("args", [("-",), (".", "--write-baseline", "known.json")])
def test_what_cannot_be_mended_is_refused(args: tuple[str, ...]) -> None:
    assert fix(*args).exit_code == 2


def test_places_are_found_whatever_the_line_breaks() -> None:
    source = Source("x", "a\nbb\nc\n")
    edits = [(Span(source, 2, 4), "b\nd"), (Span(source, 5, 5), "e")]
    assert edited("a\nbb\nc\n", edits) == "a\nb\nd\nec\n"
    assert edited("\ufeffa\r\nbb\r\nc\r\n", edits) == "\ufeffa\r\nb\r\nd\r\nec\r\n"
    assert edited("a\rbb\rc\r", edits) == "a\rb\rd\rec\r"
    assert lines_after(source, edits) == {2, 3, 4}
