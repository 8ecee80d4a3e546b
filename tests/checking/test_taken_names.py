"""A name that a variant takes or gives up: what its base says with the word means something else now, and it is told."""

from pathlib import Path

import pytest

from closecombat.checking.check import check_paths

BASE = """\
ruleset: base
title: Base
language: 1
start: fight
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, men: 0 to 9, nerve: 0 to 9, units: {are: units, each: unit}}}
  unit: {given: {side: a side, nerve: 0 to 9, load: 0 to 3}, rolled: {die: d6}}
tables:
  shaken:
    about: side
    first-of:
      few:  {when: no unit of side where (die is at least men), is: yes}
      weak: {when: any unit of side where (nerve is 0 and load is 0), is: yes}
    otherwise: no
sequences:
  fight:
    in-order:
      roll: {each: unit, roll: die}
      fall: {each: side, shaken: yes, do: take 1 from men}
      more: {each: unit, when: die is at most men of side, do: take 1 from men of side}
outcomes:
  about: side
  words: [unharmed, destroyed]
  first-of: {dead: {men: 0, is: destroyed}}
  otherwise: unharmed
"""
VARIANT = "variant: v\nextends: ./base.yaml\nlanguage: 1\ntitle: V\nchanges:\n  one: {at: PATH, why: so, WHAT}\n"
FEW, WEAK = "die is at least [men]", "any unit of side where ([nerve] is 0 and load is 0)"


@pytest.mark.parametrize(
    ("path", "what", "told"),
    [
        ("kinds.unit.given.men", "add: {is: 0 to 9}", [(FEW, "that of the unit", "that of the side")]),
        ("tables.men", "add: {about: unit, is: 3}", [(FEW, "the table `men`", "that of the side")]),
        ("kinds.unit.given.nerve", "was: 0 to 9, remove: yes", [(WEAK, "that of the side", "that of the unit")]),
        ("kinds.side.given.load", "add: {is: 0 to 9}", []),
        ("tables.die", "add: {about: side, is: 3}", []),
        ("kinds.unit.given.hurt", "add: flag", []),
    ],
)
def test_what_a_sentence_of_the_base_means_now(
    path: str, what: str, told: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    (tmp_path / "v.yaml").write_text(VARIANT.replace("PATH", path).replace("WHAT", what), "utf-8")
    found = [one for one in check_paths([str(tmp_path / "v.yaml")]) if one.code == "ambiguous-name"]
    for one, (sentence, now, before) in zip(found, told, strict=True):
        word = sentence[sentence.index("[") + 1 : sentence.index("]")]
        assert one.message == f"`{word}` means {now} here, and without this variant {before}"
        assert one.span is not None and one.span.start == BASE.index(sentence.replace("[", "").replace("]", "")) + (
            sentence.index("[")
        )
