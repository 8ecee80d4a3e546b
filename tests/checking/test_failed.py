"""What could not be read is known but failed: it is told once, at its own line, and none of its correct uses is."""

from pathlib import Path

import pytest

from closecombat.checking.check import check_paths

DUEL = (Path(__file__).parents[1] / "cases" / "duel.yaml").read_text("utf-8")

# what stands in the sound ruleset, what is written instead, and what is found: the words underlined and the code
FAULTY = [
    ("two-dice: {first: d6, second: d6}", "two-dice: {first: d6, second: c6}", "c6", "unknown-name"),
    ("two-dice: {first: d6, second: d6}", "two-dice: [d6, d6]", "[d6, d6]", "wrong-shape"),
    ("dr:       two-dice", "dr:       tow-dices", "dr:       tow-dices", "unknown-name"),
    ("class:    [archer, knight]", "class:    [archer, knight, big wagon]", "big wagon", "wrong-shape"),
    ("strength: 0 to 6", "strength: 0-6", "0-6", "unknown-name"),
    ("tired:    flag", "tired:    flagge", "flagge", "unknown-name"),
    ("waiting:  flag", "waiting:  yes/no", "yes/no", "unknown-name"),
    ("weather:  {is: [dry, wet], default: dry}", "weather:  {is: [dry, wet], default: damp}",
     "weather:  {is: [dry, wet], default: damp}", "unknown-name"),
    ("shooters: {are: units, each: shooter}", "shooters: {are: unitz, each: shooter}",
     "shooters: {are: unitz, each: shooter}", "unknown-name"),
    ("readings: [thick, thin], default: thick", "readings: [thick, thin], default: fat", "fat", "unknown-word"),
    ("    words: [miss, kill]\n    first-of:", "    words: [miss, kill]\n    firstof:", "firstof", "unknown-key"),
    ("    words: [miss, kill]", "    words: [miss, kill]\n    about-whom: shot", "about-whom", "unknown-key"),
    ("bowman: [archer, 2]", "bowman: [archer]", "[archer]", "wrong-shape"),
    ("  strike:\n    about: shot\n    at-once:", "  strike:\n    about: shot\n    atonce: no\n    at-once:", "atonce", "unknown-key"),
]  # fmt: skip


@pytest.mark.parametrize(("sound", "faulty", "underlined", "code"), FAULTY, ids=[one[1][:40] for one in FAULTY])
def test_what_failed_is_told_where_it_is_written_and_nowhere_else(
    sound: str, faulty: str, underlined: str, code: str, tmp_path: Path
) -> None:
    assert DUEL.count(sound) == 1
    file = tmp_path / "duel.yaml"
    file.write_text(DUEL.replace(sound, faulty), "utf-8")
    found = [
        (one.span.text if one.span else "", one.code) for one in check_paths([str(file)]) if one.severity == "error"
    ]
    assert found == [(underlined, code)]


def test_what_has_nothing_to_do_with_it_is_found_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    text = DUEL.replace("second: d6}", "second: c6}").replace("{when: no unit of side,", "{when: no unid of side,")
    file.write_text(text, "utf-8")
    assert [one.span.text if one.span else "" for one in check_paths([str(file)])] == ["c6", "unid"]
