"""For the codes that `check` gives: a piece of a small ruleset as it should be, and with the fault.
`explain` shows both.

Each piece stands once in one of the files of `SOUND`, and in a sound ruleset nothing else is found when it is exchanged
for the wrong one: the tests put them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from closecombat.text.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Illustration:
    """What is right, and the same with the fault in it."""

    right: str
    wrong: str


SOUND: Mapping[str, str] = MappingProxyType({
    "ruleset.yaml": """\
ruleset: patrol
language: 1
sources: {P: the rules of these illustrations}
clauses:
  P.1: {rule: The stronger side wins., scope: core}
  P.2: {rule: Who is beaten leaves., scope: core}
  P.3: {rule: Armour may be thick or thin., scope: core}
assumptions:
  PA-1: {text: who is afraid flees, only: nobody saw one stay}
start: clash
sheet: {aid: {charts: [strength, mood]}}
options:
  armour: {readings: [thick, thin], default: thick, cites: P.3}
decks:
  orders: {low: 2, high: 2}
dice:
  one-die: d6
kinds:
  fight: {one: yes, given: {attacker: a side, weather: [dry, wet]}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}}
    rolled: {luck: one-die}
    drawn: {order: orders}
  unit:
    given: {side: a side, class: [archer, knight], men: 0 to 6, broken: flag, tired: flag, helper: a unit or nobody}
    chosen: {hiding: flag, bold: flag}
    noted: {hits: 0 to 3, fled: flag}
counters:
  unit:
    columns: [class, men]
    rows: {bowman: [archer, 2], rider: [knight, 4]}
tables:
  fit: {about: unit, is: not broken and men is at least 1}
  mood:
    about: unit
    words: [calm, afraid]
    first-of:
      broken: {unit: broken, is: afraid}
    otherwise: calm
  footing: {about: fight, across: weather, columns: [dry, wet], cells: [0, -2]}
  total: {about: side, is: strength + luck}
  too-bold: {about: unit, forbidden-if: {shaken: {bold: yes, broken: yes, says: who is broken is not bold, cites: P.2}}}
  strength:
    about: side
    adds-up:
      men:   {add: total men of units of side where (fit), cites: P.1}
      mail:  {any unit of side: knight, armour: thick, add: 1, cites: P.3}
      mud:   {add: footing}
      even:  {when: no unit of side is tired, add: 1}
      held:  {order: high, add: 1}
sequences:
  clash:
    in-order:
      deal:  {each: side, deal: order}
      roll:  {each: side, roll: luck}
      hide:  {each: unit, choose: hiding, otherwise: no}
      dare:  {each: unit, choose: bold, legal: too-bold, otherwise: any unit of enemy of side is hiding}
      hit:   {each: unit, when: total of side is less than total of enemy of side, unless: bold, do: add 1 to hits}
      rout:  {each: unit, mood: afraid, do: gain fled, assumed: PA-1}
      stop:  {each: unit, tired: no, helper: not nobody, do: lose fled of helper}
      leave: {each: unit, when: fled or hits is at least 1, do: leave, cites: P.2}
""",
    "examples/one.yaml": """\
example: one
options: {armour: thin}
situation:
  fight: {attacker: red, weather: dry}
  sides:
    red: {units: {a: {counter: bowman}}}
    blue: {units: {b: {counter: rider, broken: yes}}}
dice: [high, low, 6, 1]
expect: {figures: {strength of red: 4}}
""",
    "variants/mine.yaml": """\
variant: mine
extends: ../ruleset.yaml
changes:
  mud: {at: tables.strength.mail, set: {add: 2}, was: {add: 1}, why: Mail counts for more here.}
  held: {at: tables.strength.even, lock: yes, why: So we all agreed.}
""",
    "variants/dust.yaml": """\
variant: dust
extends: mine.yaml
changes:
  dust: {at: options.armour, option: thin, was: thick, why: Nobody wears iron in this heat.}
""",
})  # fmt: skip

LAST = "      leave: {each: unit, when: fled or hits is at least 1, do: leave, cites: P.2}\n"
AT_ONCE = f"""\
      blows: {{{{play: blows}}}}
{LAST.replace("{", "{{").replace("}", "}}")}\
  blows:
    at-once:
      hurt:   {{{{each: unit, {{first}}, do: set hits to 2}}}}
      killed: {{{{each: unit, {{second}}, do: set hits to 3}}}}
"""

ILLUSTRATIONS: Mapping[str, Illustration] = MappingProxyType({
    code: Illustration(right, wrong)
    for code, right, wrong in (
        # ---- YAML
        ("yaml-syntax", "columns: [dry, wet], cells", "columns: [dry, wet, cells"),
        ("duplicate-key", "broken: {unit: broken, is: afraid}", "broken: {unit: broken, is: afraid, is: calm}"),
        ("empty-key", "rout:  {each: unit, mood: afraid, do", "rout:  {each: unit, mood: afraid, tired, do"),
        ("alias-not-allowed", "men:   {add: total", "men:   &men {add: total"),
        ("tag-not-allowed", "mud:   {add", "mud:   !!map {add"),
        ("several-documents", "decks:\n", "---\ndecks:\n"),
        # ---- shape and sentences
        ("wrong-shape", "cells: [0, -2]", "cells: [0, -1, -2]"),
        ("unknown-key", "language: 1", "language: 1\nauthor: nobody we know"),
        ("missing-key", ", why: Mail counts for more here.}", "}"),
        ("duplicate-id", "noted: {hits: 0 to 3, fled: flag}", "noted: {hits: 0 to 3, fled: flag, tired: flag}"),
        ("sentence-syntax", "men is at least 1}", "men at least 1}"),
        ("missing-claim", "when: no unit of side is tired", "when: every unit of side"),
        ("two-readings", "is: not broken and men is at least 1", "is: not broken or tired"),
        ("two-spellings", "is: not broken and men is at least 1", "is: not (broken) and men is at least 1"),
        ("unknown-name", "when: fled or hits", "when: fledd or hits"),
        ("unknown-word", "order: high, add: 1", "order: hihg, add: 1"),
        ("reserved-word", "noted: {hits: 0 to 3, fled: flag}", "noted: {hits: 0 to 3, fled: flag, nobody: flag}"),
        ("circular", "is: not broken and men is at least 1", "is: not broken and fit"),
        ("wrong-type", "fled or hits is at least 1", "fled or hits"),
        ("out-of-range", "do: add 1 to hits", "do: set hits to 4"),
        ("no-value", "is: strength + luck", "is: (strength + luck) / 0"),
        ("ambiguous-name", "one: yes, given: {", "one: yes, given: {duellists: {are: units, each: side}, "),
        ("loop-without-end", "  clash:\n    in-order:\n", "  clash:\n    again: {until: no unit}\n    in-order:\n"),
        # ---- situations
        ("file-not-found", "extends: ../ruleset.yaml", "extends: ../rules.yaml"),
        ("unknown-ruleset", "extends: ../ruleset.yaml", "extends: petrol"),
        ("missing-fact", "attacker: red, weather: dry", "attacker: red"),
        ("unknown-fact", "counter: rider, broken: yes", "counter: rider, brokn: yes"),
        ("unknown-counter", "counter: bowman", "counter: bowmann"),
        ("unknown-thing", "attacker: red,", "attacker: redd,"),
        ("unknown-option", "options: {armour: thin}", "options: {armor: thin}"),
        ("no-such-face", "dice: [high, low, 6, 1]", "dice: [high, low, 7, 1]"),
        # ---- what a ruleset rests on, and what it could do without
        ("unknown-source", "do: leave, cites: P.2", "do: leave, cites: [P.2, Q.2]"),
        ("unknown-clause", "do: leave, cites: P.2", "do: leave, cites: [P.2, P.7]"),
        ("cited-yet-left-out", "{rule: Who is beaten leaves., scope: core}",
         "{rule: Who is beaten leaves., scope: core, left-out: It is never used.}"),
        ("unknown-assumption", "assumed: PA-1", "assumed: [PA-1, PA-2]"),
        ("unused-assumption", "only: nobody saw one stay}", "only: nobody saw one stay}\n  PA-2: knights are brave"),
        ("one-reading", "{text: who is afraid flees, only: nobody saw one stay}", "who is afraid flees"),
        ("unused", "  one-die: d6", "  one-die: d6\n  two-dice: {first: d6, second: d6}"),
        ("unsaid", "{when: no unit of side is tired, add: 1}",
         "{when: (luck is 1 and (order is low or luck is 2)) or no unit of side is tired, add: 1}"),
        ("never-settled", "      roll:  {each: side, roll: luck}\n", ""),
        ("read-too-soon", "deal:  {each: side, deal: order}", "deal:  {each: side, luck: more than 1, deal: order}"),
        ("grid-gap", "columns: [dry, wet], cells: [0, -2]", "columns: [dry], cells: [0]"),
        ("word-never-given", "words: [calm, afraid]", "words: [calm, afraid, furious]"),
        ("never-given", "mud:   {add: footing}", "mud:   {footing: -1, add: -1}"),
        ("unused-ignore", "hits: 0 to 3, fled: flag}",
         "hits: 0 to 3, fled: flag}  # closecombat: ignore[unused] for later"),
        ("ignore-without-reason", "  one-die: d6", "  one-die: d6  # closecombat: ignore[unused]"),
        ("hidden-row", "      broken: {unit: broken, is: afraid}",
         "      broken: {unit: broken, is: afraid}\n      worse:  {unit: broken, tired: yes, is: afraid}"),
        ("never-applies", "even:  {when: no unit of side is tired, add: 1",
         "even:  {when: no unit of side is tired, any unit of side: tired, add: 1"),
        ("no-row-for",
         "words: [calm, afraid]\n    first-of:\n      broken: {unit: broken, is: afraid}\n    otherwise: calm",
         "words: [afraid]\n    first-of:\n      broken: {unit: broken, is: afraid}"),
        ("rows-join", "      broken: {unit: broken, is: afraid}",
         "      broken: {unit: broken, men: 0 to 1, is: afraid}\n      few: {unit: broken, men: 2 to 4, is: afraid}"),
        ("never-matters", "      broken: {unit: broken, is: afraid}",
         "      broken: {unit: broken, tired: yes, is: afraid}\n      fresh:  {unit: broken, tired: no, is: afraid}"),
        ("always-together", "      held:  {order: high, add: 1}",
         "      held:  {order: high, add: 1}\n      high:  {order: high, add: 2}"),
        ("leaves-chart", "  total: {about: side, is: strength + luck}",
         "  loss: {about: unit, adds-up: {weak: {broken: yes, add: 1}, worn: {tired: yes, add: 1}}}\n"
         "  lost: {about: unit, across: loss, columns: [0, 1], cells: [0, 1]}\n"
         "  total: {about: side, is: strength + luck - total lost of units of side}"),
        ("never-so", "is: not broken and men is at least 1", "is: men is at least 9"),
        ("never-otherwise", "is: not broken and men is at least 1", "is: men is at least 0"),
        ("rows-overlap", "first-of:\n      broken: {unit: broken, is: afraid}",
         "one-of:\n      broken: {unit: broken, is: afraid}\n      tired:  {unit: tired, is: afraid}"),
        ("runs-out", "  clash:\n    in-order:\n",
         "  clash:\n    again: {until: no unit, at-most: unbounded}\n    in-order:\n"),
        ("tells-a-secret", "choose: hiding, otherwise: no", "choose: hiding, answered: secret, otherwise: no"),
        ("bounds-cross", "      held:  {order: high, add: 1}\n",
         "      held:  {order: high, add: 1}\n    at-least: 9\n    at-most: 0\n"),
        ("stays-behind", "afraid, do: gain fled,", "afraid, do: [gain fled, set side to enemy of side],"),
        ("rows-clash", LAST, AT_ONCE.format(first="broken: yes", second="tired: yes")),
        ("no-legal-answer", "shaken: {bold: yes, broken: yes", "shaken: {broken: yes"),
        ("may-stop", "add: total men of units of side where (fit)", "add: highest men of units of side where (fit)"),
        ("may-be-nobody", "tired: no, helper: not nobody, do", "tired: no, do"),
        # ---- variants
        ("locked", "at: options.armour, option: thin, was: thick",
         "at: tables.strength.even, set: {add: 2}, was: {add: 1}"),
        ("missing-target", "at: tables.strength.mail", "at: tables.strength.mial"),
        ("base-changed", "was: {add: 1}", "was: {add: 3}"),
        ("names-a-range", "set: {add: 2}, was: {add: 1}", "set: {add: {from: 1, to: 3}}, was: {add: 1}"),
        ("was-left-out", "set: {add: 2}, was: {add: 1}", "set: {add: 2}"),
        # ---- examples, as `test` finds them
        ("dice-left-over", "dice: [high, low, 6, 1]", "dice: [high, low, 6, 1, 3]"),
        ("dice-missing", "dice: [high, low, 6, 1]", "dice: [high, low, 6]"),
        ("example-fails", "{strength of red: 4}", "{strength of red: 5}"),
        ("dice-grouped-wrongly", "dice: [high, low, 6, 1]", "dice: [high, low, [6, 1]]"),
        ("illegal-declaration", "dice: [high, low, 6, 1]", "choices: {dare: {b: yes}}\ndice: [high, low, 6, 1]"),
        ("no-row-applies", "  total: {about: side, is: strength + luck}",
         "  total: {about: side, first-of: {odd: {total men of units of side: not 2, is: luck}, "
         "beset: {total men of units of enemy: not 4, is: strength}}}"),
        ("several-rows-apply", "  total: {about: side, is: strength + luck}",
         "  total: {about: side, one-of: {few: {total men of units of side: 2, is: luck}, "
         "beset: {total men of units of enemy: 4, is: 9}}, otherwise: strength}"),
        ("conflicting-writes", LAST, AT_ONCE.format(first="mood: afraid", second="mood: not calm")),
        ("tied-order", "hide:  {each: unit, choose", "hide:  {each: unit, first: highest hits, ties: never, choose"),
        ("never-asked", "dice: [high, low, 6, 1]", "choices: {dare: {a: [yes, no]}}\ndice: [high, low, 6, 1]"),
    )
})  # fmt: skip

# Why the others have none.
A_FILE = "it is of a file as a whole, and not of a row"
LARGE = "what has it fills pages"
COMMAND = "it is of what a command is asked, and not of a row"
STACK = "it takes two variants that know nothing of each other, put on one ruleset"
SEVERAL = "it takes a fight told for several systems"
WITHOUT: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("not-a-file", "outside-project", "cannot-read", "not-text", "empty-file"), A_FILE),
    **dict.fromkeys(("too-large", "too-deep", "too-many-nodes", "too-many-faults", "not-analysed"), LARGE),
    **dict.fromkeys(("budget-exceeded", "takes-long"), "what has it is a whole fight, and a large one"),
    **dict.fromkeys(("nothing-found", "no-such-fight", "other-plan"), COMMAND),
    **dict.fromkeys(("variants-clash", "wrong-base"), STACK),
    **dict.fromkeys(("not-translated", "unused-translation", "words-clash"), SEVERAL),
    "order-unknown": "it takes two who declare in an order that dice decide",
    "fault-of-the-program": "it is no fault of a file",
})  # fmt: skip
