"""The first files of a new ruleset or variant: small, sound, and with an example that passes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Files
from pathlib import Path
from textwrap import dedent, indent

from closecombat.asking.changes.differing import DIFFERS, Pair, compared, touch
from closecombat.asking.changes.first_changes import examples_of_changes, first_changes, with_changes
from closecombat.asking.changes.rule_changes import rule_changes
from closecombat.asking.changes.smallest import as_example, smallest
from closecombat.asking.claims.skeletons import size
from closecombat.asking.examples.collection import Bench, ExampleFile, example_files
from closecombat.asking.examples.examples import read_examples, run_example
from closecombat.asking.examples.fights_of import Known, fights_of
from closecombat.asking.examples.update import updated
from closecombat.asking.keeping.came_to import MOST_WORK
from closecombat.asking.printed.shows import effective
from closecombat.binding.load import load, loaded
from closecombat.reading.fields import NAME
from closecombat.reading.model import Ruleset, name_of_stack
from closecombat.reading.stack import load_stack, shipped
from closecombat.text.faults import Faulty
from closecombat.text.files import YAML
from closecombat.text.nodes import Listing, Mapping, Node, Text

MOST_HELD_AGAINST = 200  # known fights that are held against both rulesets, the smallest first
REMARKS = ("about", "note")  # of an example: true of it as it was
RESERVED = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))))

RULESET = """\
ruleset: {name}
title: {title}
about: Two sides, a unit or more each. Each side throws a die and adds its strength; the lower total loses.
language: 1

start: close-combat
rounds: {{until: any side where (number of units of side is 0)}}

kinds:
  fight: {{one: yes, given: {{attacker: a side}}}}
  side:
    given:
      enemy: the other side
      units: {{are: units, each: unit}}
    rolled:
      luck:  one-die
  unit:
    given:
      side:     a side
      strength: 1 to 12
      tired:    flag

dice: {{one-die: d6}}

tables:
  score:
    title: What a side musters
    about: side
    adds-up:
      die:      {{add: luck}}
      strength: {{add: total strength of units of side}}
      tired:    {{each: unit of side, unit: tired, add: -1}}
      attacks:  {{side: attacker, add: +1}}
  beaten: {{about: side, is: score is less than score of enemy}}

sequences:
  close-combat:
    in-order:
      throw:  {{each: side, roll: luck}}
      losses: {{play: losses}}
  losses:
    at-once:
      lost:   {{each: unit, side: beaten, do: leave}}

outcomes:
  about: side
  words: [unharmed, shaken, reduced, driven-off, destroyed, locked]
  first-of: {{gone: {{number of units of side: 0, is: destroyed}}}}
  otherwise: locked

strength-lost:
  about: side
  unit: strength
  is: total strength-at-start of units-at-start of side - total strength of units of side

ends:                             # what `compare` tells of each unit; who has left play is lost
  unit:
    strength:   strength
    counted-in: strength
    first-of:   {{tired: {{unit: tired, is: shaken}}}}
"""

EXAMPLE = """\
example: the-stronger-throws-higher
about: Strength 3 and a 4, attacking, against strength 2 and a 5.
situation:
  fight: {attacker: red}
  sides:
    red:  {units: {r1: {strength: 3}}}
    blue: {units: {b1: {strength: 2}}}
dice: [4, 5]
expect:
  before: {losses: {score of red: 8, score of blue: 7}}
  units: {b1: gone, r1: here}
  sides: {red: locked, blue: destroyed}
chances:
  outcomes of blue is destroyed: 13/18
  outcomes of red is destroyed: 1/6
"""

HEAD = """\
variant: {name}
title: {title}
extends: {base}
about: Say in a sentence what is different and for whom it is.

changes:
"""

NOTE = """\
  first-note:                                  # a change that changes no result; put your own in its place
    at:  assumptions.{name}
    add:
      text: Say here what your variant takes for granted.
      only: nothing else could be meant        # or `else:`, a change as in a variant: `weigh` says what it would do
    why: Every result that rests on a row with the key assumed and this name says so.
{commented}"""


def ruleset_files(name: str) -> dict[str, str]:
    """A complete small ruleset."""
    own = _own_name(name)
    return {"ruleset.yaml": RULESET.format(name=own, title=_title(own)), "examples/first.yaml": EXAMPLE}


def variant_files(name: str, base: str) -> dict[str, str]:
    """A variant of a ruleset or stack, and one of the base's own examples run against it."""
    own, stack = _own_name(name), load_stack(base)
    commented = indent(_some_change(loaded(stack).ruleset, {line.path for line in effective(stack)}), "  # ")
    files = {f"{own}.yaml": variant_head(name, base) + NOTE.format(name=own, commented=commented)}
    example = _example_of(base, base.split("+")[0].strip())
    return files | ({"examples/first.yaml": _of_variant(example, own)} if example else {})


def changes_files(name: str, base: str, paths: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """A variant with a change at each of some paths, and the texts of examples that come to them, those that come out
    otherwise and those that do not, the best first; their expectations are those of the base."""
    own, stack, head = _own_name(name), load_stack(base), variant_head(name, base)
    made = first_changes(stack, paths, head)
    found = examples_of_changes(stack, base.split("+")[0].strip(), made, head)
    otherwise, alike = ([_of_variant(_alone(one), own) for one in some] for some in found)
    return {f"{own}.yaml": with_changes(head, made)}, otherwise, alike

def smallest_difference(folder: str, base: str) -> str:
    """The text of an example of the smallest situation that the variant in a folder changes; empty if none is found."""
    own = _own_name(folder)
    variant = (Path(folder) / f"{own}.yaml").as_posix()
    one, two = load_stack(base), load_stack(variant)
    left, right = loaded(one), loaded(two)
    changes = rule_changes(one, two)
    if not any(change.counts for change in changes):
        return ""
    known = fights_of(one, left.ruleset.name, (name_of_stack(left.ruleset), name_of_stack(right.ruleset)))
    pair = Pair(left, right, touch(changes), MOST_WORK)
    found = smallest(pair, known, _first_differing(pair, known), changes, (*effective(one), *effective(two))).least
    return "" if found is None else as_example(found, pair, f"../{own}.yaml")


def _first_differing(pair: Pair, known: Iterable[Known]) -> Iterator[Known]:
    """The smallest known fight that a variant changes, among the first few."""
    for one in sorted(known, key=lambda each: size(each.scene.document))[:MOST_HELD_AGAINST]:
        if compared(pair, one.scene).found.fate == DIFFERS:
            yield one
            return


def first_passing(folder: str, texts: Sequence[str]) -> str:
    """Writes the first of these examples that passes once its expectations are what comes out; empty if there is
    none."""
    place = Path(folder) / "examples" / "first.yaml"
    for text in filter(None, texts):
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
        file = ExampleFile(place, "", place.parent)
        tested = list(Bench().run(file))
        if all(one.passed for one in tested):
            return place.as_posix()
        found = updated(file, tested)
        if found.examples and not found.left:
            place.write_text(found.text, encoding="utf-8", newline="\n")
            return place.as_posix()
        place.unlink()
        place.parent.rmdir()
    return ""


def variant_head(name: str, base: str) -> str:
    own = _own_name(name)
    moved = "+".join(_from(part.strip(), name) for part in base.split("+"))
    return HEAD.format(name=own, title=_title(own), base=moved)


def _of_variant(example: str, own: str) -> str:
    first, _, rest = example.partition("\n")
    return f"{first}\nruleset: ../{own}.yaml\n{rest}"


def written(folder: str, files: Files[str, str]) -> list[str]:
    """Writes the files into a new folder, whose name is free (`refuse_name`)."""
    root = Path(folder)
    try:
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            with (root / name).open("x", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        raise Faulty.one("cannot-read", f"`{root.as_posix()}` cannot be written: {reason}", None) from None
    return [(root / name).as_posix() for name in files]


def refuse_name(name: str) -> None:
    """Raises Faulty where nothing new can be begun under this name."""
    _own_name(name)
    if os.path.exists(name):
        raise Faulty.one(
            "cannot-read",
            f"`{Path(name).as_posix()}` is already there, and nothing is overwritten",
            None,
            help="choose another name",
        )


def _own_name(name: str) -> str:
    own = Path(name).name
    if own.partition(".")[0].lower() in RESERVED:
        raise Faulty.one(
            "wrong-shape",
            f"`{own}` is the name of a device on Windows, and no folder there can have it",
            None,
            help="choose another name",
        )
    said = re.sub(r"[\W_]+", "-", own.removesuffix(".yaml").lower()).strip("-")
    if not NAME.match(own):
        raise Faulty.one(
            "wrong-shape",
            f"`{own}` cannot be the name of a ruleset or variant",
            None,
            help=f"{f'write `{said}`: ' if NAME.match(said) else ''}names are lower-case words joined by hyphens",
        )
    if own in shipped() or own in shipped("variants"):
        raise Faulty.one("duplicate-id", f"a shipped one is already called `{own}`", None, help="choose another name")
    return own


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _from(part: str, folder: str) -> str:
    """A part of a stack as a file in the new folder names it."""
    is_a_name = "/" not in part and not part.endswith(YAML) and part not in (".", "..")
    if is_a_name and (part in shipped() or part in shipped("variants") or not Path(part).is_dir()):
        return part
    moved = Path(os.path.relpath(part, folder)).as_posix()
    return moved if "/" in moved or moved.endswith(YAML) else f"./{moved}"


def _some_change(ruleset: Ruleset, paths: set[str]) -> str:
    """A change that could be made to this ruleset, to be written as a comment."""
    for option in ruleset.options.values():
        other = next((reading for reading in option.readings if reading != option.default), None)
        if other:
            return (
                f"other-reading:\n  at:     options.{option.name}\n  option: {other}\n"
                f"  was:    {option.default}\n"
                "  why:    Say why.\n"
            )
    for table in ruleset.tables.values():
        for row in table.rows:
            path = f"tables.{table.name}.{row.id}"
            if path in paths and row.verb == "add" and row.verdict is not None:
                return (
                    f"another-figure:\n  at:  {path}\n  set: {{add: {row.verdict.text} + 1}}\n"
                    f"  was: {{add: {row.verdict.text}}}\n  why: Say why.\n"
                )
    return "see rulesets/variants/README.md for what a change can do\n"


def _example_of(base: str, first: str) -> str:
    """The text of the shortest example of the base that passes under the whole stack: the easiest to change."""
    bound = load(base)
    try:
        found = [example for one in example_files([first]) for example in read_examples(one.file)]
    except Faulty:
        return ""
    for example in sorted((one for one in found if _is_plain(one)), key=lambda one: len(one.span.text)):
        if not run_example(bound, example).faults:
            return _alone(example)
    return ""


def _alone(example: Mapping) -> str:
    """The text of an example, as a file of its own has it, without what its author says about it."""
    source, at, text = example.span.source, example.span.start, ""
    for key, node in example.entries:
        if key.value in REMARKS:
            text += source.text[at : key.span.start]
            at = key.span.start + len(source.text[key.span.start : node.span.end].rstrip())
            at += len(source.text[at:]) - len(source.text[at:].lstrip())
    text += source.text[at : example.span.end]
    return dedent(" " * (source.position(example.span.start)[1] - 1) + text).rstrip() + "\n"


def _is_plain(example: Node) -> bool:
    """Whether an example is a good one to begin with: dice are thrown, and several numbers are asked for."""
    if not isinstance(example, Mapping) or not isinstance(example.get("example"), Text) or "ruleset" in example:
        return False
    dice, expect = example.get("dice"), example.get("expect")
    figures = expect.get("figures") if isinstance(expect, Mapping) else None
    return isinstance(dice, Listing) and bool(dice.items) and isinstance(figures, Mapping) and len(figures.entries) > 2
