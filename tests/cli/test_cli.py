"""The command line: what one types, the exit code, and words that must stand on stdout and on stderr."""

import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import closecombat.asking
from closecombat import __version__
from closecombat.cli.main import main
from closecombat.text.cache import WHERE
from engagements import NAMES, compared

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "rulesets"

SITUATION = """\
situation:
  fight: {attacker: german, defender: russian}
  sides:
    german:  {units: {g1: {counter: german-4-6-7}}}
    russian: {units: {r1: {counter: russian-4-4-7}}}
"""
ILLEGAL = SITUATION + "choices: {names: {german: {a: {attackers: [g1], targets: [g1]}}}}\n"
ENGAGEMENT = """\
engagement: a-street-corner
title: A street corner
story: Two patrols run into each other.
systems:
  asl:
    because: [A patrol is a squad.]
    situation:
      fight: {attacker: german, defender: russian}
      sides:
        german:  {units: {g1: {counter: german-4-6-7}}}
        russian: {units: {r1: {counter: russian-4-4-7}}}
  squad-leader:
    situation:
      fight: {mover: german}
      sides:
        german:  {units: {g1: {counter: german-4-6-7}}}
        russian: {units: {r1: {counter: russian-4-4-7}}}
  assault: {no-such-fight: 12.0a, why: the unit is too small}
"""
SMALL = """\
ruleset: small
start: close-combat
kinds:
  fight: {one: yes}
  side: {given: {units: {are: units, each: unit}}}
  unit: {given: {side: a side, strength: {is: 1 to 6, note: For the players alone.}}, rolled: {luck: one-die}}
dice: {one-die: d6}
sequences:
  close-combat: {in-order: {throw: {each: unit, roll: luck}, lost: {each: unit, luck: less than 3, do: leave}}}
"""
EXAMPLE = """\
example: one-of-three
ruleset: ../small.yaml
situation: {sides: {red: {units: {r1: {strength: 2}}}}}
dice: [2]
expect: {units: {r1: gone}}
chances: {r1 is in-play: 2/3}
"""

THREE = """\
ruleset: asl
situation:
  fight: {attacker: a, defender: d}
  sides:
    a: {units: {a1: {counter: german-4-6-7}, a2: {counter: german-4-6-7}, a3: {counter: german-4-6-7}}}
    d: {units: {d1: {counter: german-4-6-7}, d2: {counter: german-4-6-7}, d3: {counter: german-4-6-7}}}
"""

TANK = """\
ruleset: asl
situation:
  fight: {attacker: russian, defender: german}
  sides:
    russian:
      units:
        a: {counter: russian-4-4-7, broken: yes}
        l: {counter: leader-8-1, broken: yes, base: a}
        b: {counter: russian-4-4-7}
        c: {counter: russian-4-4-7, broken: yes}
    german: {vehicles: {v: {counter: pz-iv-j, immobile: yes, guns: {cmg: {counter: cmg-5}, bmg: {counter: bmg-3}}}}}
choices: {on-vehicle: {russian: {}}, on-men: {russian: {}}}
"""
LEGAL_TARGETS = {"b", "c", "b c", "a l", "a l b c", "a l b", "a l c"}  # A11.62: five are printed, two as good

LED = """\
ruleset: squad-leader
situation:
  fight: {mover: german, melee: yes}
  sides:
    german: {units: {g: {counter: german-4-6-7}, l: {counter: leader-8-1}}}
    soviet: {units: {s: {counter: russian-4-4-7}}}
choices: {withdraw: {g: no, l: no, s: no}}
"""

STACK = """\
ruleset: asl
situation:
  fight: {attacker: russian, defender: german}
  sides:
    german: {units: {g: {counter: german-5-4-8}, k: {counter: leader-9-2, base: g}, l: {counter: leader-7-0, base: g}}}
    russian: {units: {r1: {counter: russian-6-2-8}, r2: {counter: russian-6-2-8}}}
choices: {pair: {k: g, l: g}}
"""

FILES = {
    "three.yaml": THREE,
    "stack.yaml": STACK,
    "tank.yaml": TANK,
    "led.yaml": LED,
    "situation.yaml": SITUATION,
    "with-ruleset.yaml": "ruleset: asl\n" + SITUATION,
    "with-dice.yaml": SITUATION + "dice: [[4, 3], [2, 1]]\n",
    "illegal.yaml": ILLEGAL,
    "misspelt-fact.yaml": SITUATION.replace("german-4-6-7}", "german-4-6-7, borken: yes}"),
    "misspelt-key.yaml": SITUATION.replace("situation:", "sitaution:"),
    "misspelt-top.yaml": SITUATION + "coices: {}\n",
    "unknown-counter.yaml": SITUATION.replace("german-4-6-7", "german-4-6-9"),
    "unknown-row.yaml": SITUATION + "choices: {nmaes: {german: {}}}\n",
    "on-a-folder.yaml": "variant: on-a-folder\nextends: ./examples\nchanges:\n  c: {at: tables.x, remove: yes, why: y}\n",
    "small-fight.yaml": "ruleset: ./small.yaml\nsituation: {sides: {red: {units: {r1: {strength: 1}}}}}\n",
    "easier.yaml": "variant: easier\nextends: ./small.yaml\nchanges:\n"
    "  c: {at: sequences.close-combat.throw, set: {note: x}, why: to see}\n",
    "four-by-four.yaml": "situation:\n  fight: {mover: german}\n  sides:\n"
    + "".join(
        f"    {side}: {{units: {{{', '.join(f'{side[0]}{n}: {{counter: {counter}}}' for n in range(4))}}}}}\n"
        for side, counter in (("german", "german-4-6-7"), ("russian", "russian-4-4-7"))
    ),
    "asks-nobody.yaml": SITUATION + "choices: {names: {g1: {}}}\n",
    "asks-a-list.yaml": SITUATION + "choices: {withdraw: [yes]}\n",
    "one-name-twice.yaml": SITUATION
    + "choices:\n  names:\n    german:  {a: {attackers: [g1], targets: [r1]}}\n"
    + "    russian: {a: {attackers: [r1], targets: [g1]}}\n",
    "bad-option.yaml": SITUATION + "options: {covering-units: nobody}\n",
    "engagement.yaml": ENGAGEMENT,
    "empty.yaml": "",
    "comment.yaml": "# nothing\n",
    "word.yaml": "squad\n",
    "list.yaml": "- a\n- b\n",
    "bomb.yaml": "a: &a [x, x]\nb: &b [*a, *a, *a]\nsituation: [*b, *b, *b]\n",
    "deep.yaml": "situation: " + "[" * 5000 + "]" * 5000 + "\n",
    "never-made.yaml": "example: never-made\nruleset: asl\n"
    + SITUATION
    + "choices: {rise: {german: {g: {attackers: [g1], targets: [r1]}}}, names: {german: {}, russian: {}}}\n"
    + "dice: []\nexpect: {causes: {cc-drm of g for r1: {broken: -2}}}\n",
    "brackets.yaml": "example: e\nsituation: {}\nexpect: {figures: {" + "(" * 3000 + "1" + ")" * 3000 + ": 1}}\n",
    "tab.yaml": "situation:\n\tfight: {}\n",
    "open.yaml": "situation: {fight: {attacker: german\n",
    "small.yaml": SMALL,
    "examples/first.yaml": EXAMPLE,
    "failing/examples/second.yaml": EXAMPLE.replace("../small", "../../small").replace("r1: gone", "r1: here"),
    "nothing/readme.txt": "no examples\n",
    "examples-of-two.yaml": "ruleset: ./small.yaml\nexamples:\n"
    + "".join(
        "  - "
        + EXAMPLE.replace("ruleset: ../small.yaml\n", "").replace("one-of-three", name).replace("\n", "\n    ").rstrip()
        + "\n"
        for name in ("one", "two")
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)) * 20)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, line.split(), input=typed)


# ---- every command, in one line ---------------------------------------------------------------------------

FINE = [
    ("--version", f"closecombat {__version__}", ""),
    ("--help", "rules resolve play chances choices compare diff check test show list explain schema new", ""),
    ("chances --help", "--until --by --option --format", ""),
    ("chances situation.yaml -r asl", "52.16% 169/324 locked █ firepower 8/9 `names`", ""),
    ("chances with-ruleset.yaml", "52.16%", ""),
    ("chances situation.yaml -r asl --by sides", "69.44% 25/36", ""),
    ("chances situation.yaml -r asl+hand-to-hand", "asl+hand-to-hand", ""),
    ("chances situation.yaml -r asl --by sides --until resolved", "54.50% 24618/45167", ""),
    ("chances situation.yaml -r asl -f csv", "probability,percent,german,russian 169/324", ""),
    ("chances situation.yaml -r asl -f md", "| 52.16% | 169/324 |", ""),
    ("chances engagement.yaml -r asl", "52.16% 169/324", ""),
    ("chances engagement.yaml -r asl+hand-to-hand --by sides", "hand-to-hand 34.03% 49/144", ""),
    ("chances examples/first.yaml", "66.67% 2/3 33.33% 1/3 one-of-three gone", ""),
    ("chances examples-of-two.yaml#two", "66.67% 2/3 two", ""),
    ("resolve situation.yaml -r asl --dice 1,2,3,4", "├── 1 + 2 A11.11a kill-number eliminated 3 + 4 gone destroyed 1,2,3,4", ""),
    ("resolve with-dice.yaml -r asl", "4,3,2,1", ""),
    ("resolve situation.yaml -r asl --seed 7", "Dice: verdict", ""),
    ("resolve engagement.yaml -r squad-leader --seed 1", "Dice: verdict", ""),
    ("resolve situation.yaml -r asl --seed 7 --until resolved", "Dice: destroyed", ""),
    ("play situation.yaml -r asl --seed 1 --times 30", "30 playings, seed 1 share times between german russian 19 of 20", ""),
    ("play situation.yaml -r asl --seed 1 --times 30 --by units", "what has changed gone", ""),
    ("play examples/first.yaml --seed 1 --times 60 --exact --by units", "chance 33.33%", ""),
    ("play situation.yaml -r asl --seed 1 --times 20 --until resolved -f csv", "what,whose,value,times,share combats", ""),
    ("resolve situation.yaml -r asl --seed 7 --playing 3", "Dice: verdict", ""),
    ("choices situation.yaml -r asl", "german: withdrawing of g1, at `withdraw` may be no A11.2e 1 yes", ""),
    ("choices situation.yaml -r asl --at slip-out --seed 1", "", "nobody is asked at `slip-out`"),
    ("choices situation.yaml -r asl --at names --all", "1 may be declared alone; 2 declarations nothing g1 > r1", ""),
    ("choices three.yaml --at names", "49 may be declared alone; 128 declarations in all A11.1c", ""),
    ("choices four-by-four.yaml -r squad-leader --at names", "may be declared alone; declarations were found, and there are more", ""),
    ("choices four-by-four.yaml -r squad-leader --at names -f json", '"complete": false', ""),
    ("choices stack.yaml --at names", "3 may be declared alone; 4 declarations in all A11.14l A11.14m", ""),
    ("choices tank.yaml --at with-guns", "7 may be declared alone; 8 declarations in all A11.61c A11.14m A11.14l", ""),
    ("choices tank.yaml --at with-guns --all", "nobody > a > cmg A11.14m nobody > b > bmg A11.61c", ""),
    ("choices three.yaml --at names -f json", '"together": "attackers": "a1"', ""),
    ("compare engagement.yaml", "asl squad-leader 14% 20% 69% 52% 12.0a --notes", ""),
    ("compare engagement.yaml --notes", "A patrol is a squad. SL-G01", ""),
    ("compare situation.yaml -r asl -r asl+hand-to-hand", "-35.42 (-17/48) 41.67% asl+hand-to-hand", ""),
    ("compare with-ruleset.yaml -r hand-to-hand", "side verdict asl hand-to-hand", ""),
    ("compare engagement.yaml -r asl -r asl+hand-to-hand", "-35.42 (-17/48)", ""),
    ("compare situation.yaml -r asl -r asl --fail-on-diff", "nothing of how the sides end here", ""),
    ("test examples", "1 example, 1 passed", ""),
    ("test examples-of-two.yaml", "2 examples, 2 passed", ""),
    ("test small.yaml", "1 example, 1 passed", ""),
    ("test easier.yaml", "1 example, 1 passed", ""),
    ("test small.yaml+./easier.yaml", "1 example, 1 passed", ""),
    ("test examples-of-two.yaml -k two", "1 example, 1 passed", ""),
    ("test examples -f json", '"id": "one-of-three" "ruleset": "small" "passed": true', "1 passed"),
    ("test squad-leader+lower-kill-numbers -k sl-concealed", "passed", ""),
    ("test squad-leader -k sl-ex-06", "2 examples, 2 passed", ""),
    ("check small.yaml", "", "no findings"),
    ("check squad-leader -f json", '"diagnostics": []', ""),
    ("list", "asl squad-leader assault skirmish hand-to-hand", ""),
    ("list codes", "unknown-name dice-left-over", ""),
    ("list options asl", "covering-units any-standing A11.2i", ""),
    ("list variants -f json", '"variants": "on": "asl"', ""),
    ("explain dice-left-over", "dice-left-over", ""),
    ("schema situation", '"$schema"', ""),
    ("show asl tables.cc-drm", "tables.cc-drm broken add: attack.yaml:", ""),
    ("show asl", "options 25 sequences tables 173 variants hand-to-hand --find --all", ""),
    ("show asl cc-drm.broken", "tables.cc-drm broken add: attack.yaml:", ""),
    ("show asl tables", "cc-drm Close Combat DRM attack.yaml: --all", ""),
    ("show asl tables --all", "{side of attack: ambusher, add: -1, cites: A11.4v}", ""),
    ("show asl --find AMBUSHER", "tables.cc-drm.by-ambush attack.yaml: kinds.side.ambusher charts facts rows", ""),
    ("show asl clauses --find ambush", "clauses.A11.4h clauses.yaml: The ambushed side loses all its concealment.", ""),
    ("show asl+hand-to-hand --changed", "hand-to-hand default: yes", ""),
    ("show skirmish pinned", "properties.pinned", "`pinned` is also `kinds.unit.pinned` and `tables.combat-dice.pinned`: --find"),
    ("show squad-leader -f json", '"path": "tables.kill-number.one-lower"', ""),
    ("rules squad-leader 6.5", "6.5.1a core modelled exercised by sl-ex-07b 6.5.1d left out missing", ""),
    ("rules squad-leader 6.5 -f json", '"status": "left-out" "totals"', "passed"),
    ("rules small.yaml", "small 0", ""),
    ("new mine", "mine/ruleset.yaml mine/examples/first.yaml", "closecombat test mine"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "out", "err"), FINE, ids=[line for line, _, _ in FINE])
def test_a_command_does_its_job(folder: Path, line: str, out: str, err: str) -> None:
    result = run(line)
    assert result.exit_code == 0, result.stderr
    assert_words(result, out, err)


REFUSED = [
    ("", 2, "Usage"),
    ("chnaces situation.yaml", 2, "No such command `chnaces`: did you mean `chances`?"),
    ("simulate situation.yaml", 2, "No such command `simulate`: did you mean `play`?"),
    ("xyzzy", 2, "No such command `xyzzy`: closecombat --help"),
    ("chances situation", 2, "file-not-found did you mean `situation.yaml`?"),
    ("chances asl", 2, "`asl` says by which rules: name a fight before it"),
    ("chances three_rifle_squads", 2, "shipped: farmhouse"),
    (
        "compare asl squad-leader",
        2,
        "rules are named with -r: closecombat compare ambush-in-woods -r asl -r squad-leader",
    ),
    ("compare farmhouse asl squad-leader", 2, "rules are named with -r: -r squad-leader"),
    ("resolve farmhouse asl --seed 1", 2, "rules are named with -r: closecombat resolve farmhouse -r asl"),
    ("resolve farmhouse -r asl --dice 4 2", 2, "`2` stands alone: dice are joined by commas, --dice 4,2,5"),
    ("resolve farmhouse -r asl --dice 4 2 3", 2, "`3` stands alone: dice are joined by commas, --dice 4,2,5"),
    ("chances situation.yaml houses", 2, "`situation.yaml` is a whole fight, and beside it stands no other force"),
    ("choices asl --best", 2, "closecombat choices asl --best --overview"),
    ("show farmhouse", 2, "unknown-ruleset `farmhouse` is a fight: `closecombat compare farmhouse`"),
    ("show skirmish full-dise", 2, "unknown-name did you mean `full-dice`? Or where it stands: --find"),
    ("show nothing", 2, "unknown-ruleset `nothing` is a folder here, and no ruleset is in it"),
    ("show rulesets/asl", 2, "file-not-found did you mean `asl`?"),
    ("test rulesets/asl", 2, "file-not-found did you mean `asl`?"),
    ("show small+easier", 2, "unknown-ruleset did you mean `small.yaml`?"),
    ("show small.yaml+easier", 2, "unknown-ruleset no variant is called `easier` did you mean `easier.yaml`?"),
    ("chances", 2, "Missing argument"),
    ("chances situation.yaml", 2, "nothing says by which ruleset add -r"),
    ("choices three.yaml --at names-9", 2, "unknown-name `names-9` did you mean `names-"),
    ("choices three.yaml --dice 1 --seed 2", 2, "--dice and --seed exclude each other"),
    ("choices engagement.yaml -r assault", 2, "no such fight 12.0a"),
    ("compare with-ruleset.yaml -r asl", 2, "two or more rulesets"),
    ("chances situation.yaml -r als", 2, "unknown-ruleset `als` did you mean `asl`?"),
    ("chances situation.yaml -r asl+hnad-to-hand", 2, "unknown-ruleset hand-to-hand"),
    ("chances situation.yaml -r ./nowhere", 2, "file-not-found"),
    ("chances situation.yaml -r asl --option covering=any", 2, "unknown-option `covering` covering-units"),
    ("chances situation.yaml -r asl --option covering-units=some", 2, "unknown-word any-standing"),
    ("chances situation.yaml -r asl --option covering-units", 2, "name=reading"),
    ("chances situatoin.yaml -r asl", 2, "file-not-found situation.yaml"),
    ("chances street-corner", 2, "neither a file nor a shipped engagement"),
    ("chances examples -r asl", 2, "not-a-file"),
    ("chances misspelt-fact.yaml -r asl", 2, "misspelt-fact.yaml:4:51: unknown-fact `borken` did you mean `broken`?"),
    ("chances misspelt-key.yaml -r asl", 2, "missing-key needs `situation:`"),
    ("chances misspelt-top.yaml -r asl", 2, "unknown-key `coices:` did you mean `choices`?"),
    ("chances unknown-counter.yaml -r asl", 2, "unknown-counter german-4-6-9 did you mean"),
    ("chances unknown-row.yaml -r asl", 2, "unknown-name nmaes"),
    ("chances bad-option.yaml -r asl", 2, "unknown-word `nobody`"),
    ("chances illegal.yaml -r asl", 2, "illegal-declaration A11.1c forbidden here"),
    ("chances situation.yaml -r squad-leader", 2, "situation.yaml:2 no fact `attacker`"),
    ("chances small.yaml -r asl", 2, "this is a ruleset"),
    ("chances engagement.yaml", 2, "several systems -r asl"),
    ("chances engagement.yaml -r assault", 2, "no such fight 12.0a"),
    ("chances engagement.yaml -r skirmish", 2, "not told for `skirmish`"),
    ("chances examples-of-two.yaml", 2, "holds 2 examples #one"),
    ("chances examples-of-two.yaml#tow", 2, "no example `tow` did you mean `two`?"),
    ("chances small.yaml#tow", 2, "example"),
    ("chances empty.yaml -r asl", 2, "empty-file"),
    ("chances comment.yaml -r asl", 2, "empty-file"),
    ("chances word.yaml -r asl", 2, "wrong-shape"),
    ("chances list.yaml -r asl", 2, "wrong-shape"),
    ("chances binary.yaml -r asl", 2, "not-text"),
    ("chances bomb.yaml -r asl", 2, "alias-not-allowed"),
    ("chances deep.yaml -r asl", 2, "too-deep"),
    ("chances tab.yaml -r asl", 2, "yaml-syntax spaces"),
    ("chances open.yaml -r asl", 2, "yaml-syntax"),
    ("chances situation.yaml -r empty.yaml", 2, "empty-file"),
    ("chances situation.yaml -r binary.yaml", 2, "not-text"),
    ("chances situation.yaml -r deep.yaml", 2, "too-deep"),
    ("chances situation.yaml -r word.yaml", 2, "wrong-shape"),
    ("chances situation.yaml -r asl -o nowhere/out.txt", 2, "cannot be written no such folder"),
    ("chances situation.yaml -r asl -o situation.yaml", 2, "cannot be written a result is none"),
    ("check asl -o said.pdf", 2, "`said.pdf` says pdf written as text, concise, json -f says which"),
    (f"check {'x' * 300}", 2, "cannot-read file name too long" if sys.version_info < (3, 14) else "file-not-found"),
    (f"new {'x' * 300}", 2, "cannot-read file name too long"),
    ("chances situation.yaml -r situation.yaml", 2, "this is a fight, not a ruleset"),
    ("chances situation.yaml -r .", 2, "`.` holds no ruleset.yaml"),
    ("show on-a-folder.yaml", 2, "on-a-folder.yaml:2:10: `./examples` holds no ruleset.yaml"),
    ("choices small-fight.yaml", 2, "dice-missing luck of r1 --dice --seed"),
    ("chances asks-nobody.yaml -r asl", 2, "`names` asks a side, and `g1` is none"),
    ("chances asks-a-list.yaml -r asl", 2, "a list stands where who is asked, and the answer"),
    ("resolve one-name-twice.yaml -r asl --seed 1", 2, "duplicate-id already called `a` another name"),
    ("chances one-name-twice.yaml -r asl", 2, "duplicate-id already called `a` another name"),
    ("resolve situation.yaml -r asl", 2, "--dice --seed --ask"),
    ("resolve situation.yaml -r asl --dice 4 --seed 3", 2, "exclude each other"),
    ("resolve situation.yaml -r asl --seed three", 2, "'--seed': `three` is no whole number"),
    ("resolve situation.yaml -r asl --dice 4,3,2", 2, "dice-missing still to be rolled 3 dice were given"),
    ("resolve situation.yaml -r asl --dice 4,3,2,1,6", 2, "dice-left-over 1 of the 5 dice `6`"),
    ("resolve situation.yaml -r asl --dice 4,7,2,1", 2, "no-such-face `7` 1 to 6"),
    ("resolve situation.yaml -r asl --dice 4,x,2,1", 2, "no-such-face `x`"),
    ("resolve illegal.yaml -r asl --seed 1", 2, "illegal-declaration A11.1c units attack enemies"),
    ("resolve situation.yaml -r asl --dice 4,3 --playing 2", 2, "--playing --seed"),
    ("play situation.yaml -r asl", 2, "--seed"),
    ("play situation.yaml -r asl --seed 1 --times 0", 2, "--times"),
    ("play situation.yaml -r asl --seed 1 --times ten", 2, "'--times': `ten` is no whole number"),
    ("play situation.yaml -r asl --seed 1 --by unit", 2, "unknown-name units"),
    ("play situation.yaml -r asl --seed 1 --of brokne", 2, "unknown-name --of"),
    ("chances situation.yaml -r asl --of g9", 2, "unknown-name --of:1:1 here are german g1 russian"),
    ("play illegal.yaml -r asl --seed 1 --times 3", 2, "illegal-declaration"),
    ("play engagement.yaml -r assault --seed 1", 2, "no such fight"),
    ("resolve - -r asl --ask", 2, "standard input"),
    ("compare situation.yaml -r asl", 2, "two or more rulesets"),
    ("compare misspelt-fact.yaml -r asl -r asl+hand-to-hand", 2, "borken (by `asl` and `asl+hand-to-hand`)"),
    ("compare rifle-squadds officer", 2, "`rifle squadds` is no word did you mean `rifle squads`"),
    ("compare situation.yaml -r asl -r asl+hand-to-hand --fail-on-diff", 1, "the chances differ"),
    ("test nowhere", 2, "file-not-found"),
    ("test nothing", 2, "nothing-found"),
    ("test squad-leader -k no-such-name", 2, "nothing-found"),
    ("test failing", 1, ""),
    ("test small.yaml --coverage --mutate", 2, "exclude each other"),
    ("test small.yaml --fail-under 5", 2, "goes with --coverage"),
    ("test failing --update -r asl", 2, "no -r"),
    ("test never-made.yaml --update", 1, "left as it is"),
    ("test brackets.yaml -r small.yaml", 1, ""),
    ("test never-made.yaml", 1, ""),
    ("test situation.yaml", 1, ""),
    ("test examples --stop --jobs 2", 2, "give one of the two"),
    ("check nowhere.yaml", 2, "1 error"),
    ("check misspelt-fact.yaml", 1, "1 error"),
    ("list codse", 2, "did you mean `codes`?"),
    ("list options", 2, "list options RULESET"),
    ("explain unknown-nmae", 2, "did you mean `unknown-name`?"),
    ("explain skirmish", 2, "`skirmish` is a set of rules: closecombat show skirmish"),
    ("explain clash", 2, "did you mean `rows-clash` or `variants-clash` or `words-clash`?"),
    ("schema situatoin", 2, "did you mean `situation`?"),
    ("show asl unit", 2, "did you mean `kinds.unit` or `counters.unit` or `ends.unit`?"),
    ("show asl ambush", 2, "did you mean `ambushed`? closecombat show asl --find ambush"),
    ("show asl --find xyzzy", 2, "nothing-found `xyzzy` stands nowhere in `asl`"),
    ("show asl tables.cc-drn", 2, "did you mean `tables.cc-drm`?"),
    ("rules asl A11.99", 2, "unknown-clause"),
    ("rules asl ambush", 2, "unknown-clause closecombat show asl clauses --find ambush"),
    ("rules small.yaml S-1", 2, "unknown-clause these rules cite no clause; `clauses.yaml`"),
    ("gate small.yaml", 2, "nothing is recorded `closecombat gate small.yaml --record`"),
    ("rules als", 2, "did you mean `asl`?"),
    ("new examples", 2, "already there"),
    ("new Mine", 2, "write `mine`: names are lower-case words"),
    ("new Grim_Streets", 2, "cannot be the name of a ruleset or variant write `grim-streets`:"),
    ("new grim streets", 2, "`streets` is too much here: joined by hyphens"),
    ("new examples --extends asl", 2, "already there"),
    ("new con", 2, "device on Windows"),
    ("new street.yaml", 2, "lower-case"),
    ("new asl", 2, "already called `asl`"),
    ("new mine --extends als", 2, "unknown-ruleset"),
    ("new mine --extends squad-leader --change broken", 2, "did you mean `tables.drm.broken` more"),
    ("new mine --extends asl --change nosuch", 2, "missing-target `closecombat show` says"),
]


@pytest.mark.parametrize(("line", "code", "err"), REFUSED, ids=[line for line, _, _ in REFUSED])
def test_what_cannot_be_done_is_said(folder: Path, line: str, code: int, err: str) -> None:
    result = run(line)
    assert result.exit_code == code, result.stderr
    assert_words(result, "", err)
    if code == 2 and line and "check" not in line:
        assert result.stdout == ""


@pytest.mark.parametrize("extends", ["", " --extends asl"])
def test_an_example_may_name_the_rules_in_whose_folder_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extends: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(f"new mine{extends}").exit_code == 0
    (tmp_path / "mine").rename("grim")  # a copy of it, called otherwise
    example = next((tmp_path / "grim" / "examples").iterdir())
    told = re.sub(r"^ruleset: .*\n", "", example.read_text("utf-8"), flags=re.M)
    names = {"mine": 0, "grim": 1, **({"asl+mine": 0, "asl+grim": 1} if extends else {})}
    for name, code in names.items():
        example.write_text(f"ruleset: {name}\n{told}", "utf-8")
        for line in ("test grim", "check grim", f"chances {example}"):
            assert bool(run(line).exit_code) == bool(code), (name, line)


def test_whom_a_declaration_must_name_is_tried(folder: Path) -> None:
    (folder / "storm.yaml").write_text(TANK.partition("choices:")[0].replace("broken: yes", "broken: no"), "utf-8")
    answers = json.loads(run("choices storm.yaml --at on-vehicle -f json").stdout)["choice"]["answers"]
    legal = [one["value"] for one in answers if one["legal"]]
    assert {one["against"] for one in legal} == {"v"}
    assert {" ".join(one["assailants"]) for one in legal} == {"a", "b", "c", "a l"}


def test_who_directs_an_attack_takes_no_part_in_it(folder: Path) -> None:
    """A leader among troops has no firepower (6.1.9a), and directs the roll of his squad (6.1.6a): g > s and g > s > l
    may be declared, not both, since a squad attacks once; the enemy's squad directs nobody."""
    choice = json.loads(run("choices led.yaml --at names -f json").stdout)["choice"]
    legal = [one["value"] for one in choice["answers"] if one["legal"]]
    assert [(one["attackers"], one["targets"], one["director"]) for one in legal] == [
        (["g"], ["s"], None),
        (["g"], ["s"], "l"),
    ]
    assert [len(one) for one in choice["together"]] == [0, 1, 1]
    asked = run("resolve led.yaml --ask", "g\ns\nl\n\n\n\n\n4,2\n6,1\n")
    assert asked.exit_code == 0, asked.stderr
    assert "director? (nobody, l)" in asked.stderr and "director l" in asked.stdout


def test_the_target_sets_of_a_tank_and_why_no_others(folder: Path) -> None:
    answers = json.loads(run("choices tank.yaml --at with-guns -f json").stdout)["choice"]["answers"]
    fired = [one for one in answers if one["value"]["guns"] == ["cmg"] and not one["value"]["attackers"]]
    assert {" ".join(one["value"]["targets"]) for one in fired if one["legal"]} == LEGAL_TARGETS
    assert len(fired) == 15  # every set of four men
    for one in fired:
        split = [("a" in one["value"]["targets"], "A11.14l"), ("l" in one["value"]["targets"], "A11.14m")]
        missing = {clause for there, clause in split if not there} if split[0][0] != split[1][0] else set()
        assert set(one["clauses"]) == missing


def assert_words(result: Result, out: str, err: str) -> None:
    """Every word, in no order."""
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.stderr
    assert "closecombat itself" not in result.stderr
    assert not [word for word in out.split() if word not in result.stdout], result.stdout
    assert not [word for word in err.split() if word not in result.stderr], result.stderr


# ---- what comes out ---------------------------------------------------------------------------------------


def test_the_json_of_chances_sums_to_one(folder: Path) -> None:
    for line in ("chances situation.yaml -r asl -f json", "chances situation.yaml -r asl --by sides -f json"):
        found = json.loads(run(line).stdout)
        assert (found["format_version"], found["command"], found["ruleset"]) == (1, "chances", "asl")
        assert sum(Fraction(one["probability"]) for one in found["outcomes"]) == 1
        for one in found["outcomes"]:
            assert one["percent"] == float(Fraction(one["probability"]) * 100)
            assert set(one["sides"]) == {"german", "russian"}
        for losses in found["losses"].values():
            assert sum(Fraction(each["probability"]) for each in losses["distribution"]) == 1
    likeliest = json.loads(run("chances situation.yaml -r asl -f json").stdout)["outcomes"]
    assert [Fraction(one["probability"]) for one in likeliest] == sorted(
        (Fraction(one["probability"]) for one in likeliest), reverse=True
    )


def test_units_say_what_has_changed(folder: Path) -> None:
    outcomes = json.loads(run("chances situation.yaml -r asl -f json").stdout)["outcomes"]
    reduced = next(one for one in outcomes if one["sides"] == {"german": "reduced", "russian": "destroyed"})
    assert reduced["units"]["r1"]["gone"] is True
    assert reduced["units"]["g1"]["counter"] == "german-2-4-7"


def test_the_json_of_compare_has_the_systems(folder: Path) -> None:
    found = json.loads(run("compare engagement.yaml -f json").stdout)
    asl, squad_leader, assault = found["systems"]
    assert (asl["ruleset"], squad_leader["ruleset"]) == ("asl", "squad-leader")
    assert sum(Fraction(one["probability"]) for one in asl["outcomes"]) == 1
    assert (assault["ruleset"], assault["no_such_fight"], assault["outcomes"]) == ("assault", "12.0a", [])
    changed = json.loads(run("compare situation.yaml -r asl -r asl+hand-to-hand -f json").stdout)
    assert "-17/48" in [one["probability"] for one in changed["systems"][1]["changes"]]


JSON = [
    "chances situation.yaml -r asl",
    "chances situation.yaml -r asl --by sides",
    "resolve situation.yaml -r asl --seed 2",
    "play situation.yaml -r asl --seed 2 --times 10 --until resolved --exact --by units",
    "compare engagement.yaml",
    "compare situation.yaml -r asl -r asl+hand-to-hand",
    "compare night-raid -r squad-leader -r assault --factor night --factor tired",
    "crosswalk skirmish assault",
    "test examples failing",
    "check misspelt-fact.yaml small.yaml",
    "show asl+hand-to-hand",
    "rules squad-leader",
    "rules small.yaml",
    "list",
    "list codes",
    "list options asl",
    "diff small.yaml easier.yaml",
    "diff squad-leader squad-leader+lower-kill-numbers --fights lone-leader --jobs 1",
]


@pytest.mark.parametrize("line", JSON)
def test_json_is_as_its_schema_says(folder: Path, line: str) -> None:
    schema = json.loads((ROOT / "schemas" / f"{line.split()[0]}.schema.json").read_text("utf-8"))
    found = json.loads(run(f"{line} -f json").stdout)
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(found)]
    assert (found["format_version"], found["command"]) == (1, line.split()[0])


def test_a_playing_can_be_played_again(folder: Path) -> None:
    first = json.loads(run("resolve situation.yaml -r asl --seed 11 -f json").stdout)
    again = run(f"resolve situation.yaml -r asl -f json --dice {','.join(map(str, first['dice']))}")
    assert {**json.loads(again.stdout), "seed": 11} == first
    assert first["seed"] == 11


def test_the_trace_cites_its_rules(folder: Path) -> None:
    found = json.loads(run("resolve situation.yaml -r asl --dice 1,2,3,4 -f json").stdout)

    def every(events: list[dict[str, object]]) -> list[dict[str, object]]:
        return [each for event in events for each in (event, *every(event.get("inside", [])))]  # type: ignore[arg-type]

    events = every(found["trace"])
    assert [event["value"] for event in events if event["what"] == "roll"] == ["1 + 2", "3 + 4"]
    assert {event["name"] for event in events if event["what"] == "reading"} >= {"kill-number", "result"}
    assert any("A11.11e" in row["cites"] for event in events for row in event.get("rows", []))  # type: ignore[attr-defined]
    assert found["sides"] == {"german": "unharmed", "russian": "destroyed"}


def test_the_same_input_gives_the_same_bytes(folder: Path) -> None:
    for line in (
        "chances situation.yaml -r asl",
        "resolve situation.yaml -r asl --seed 5 -f json",
        "compare engagement.yaml",
    ):
        assert run(line).stdout == run(line).stdout


def test_an_output_file_is_whole_and_stdout_empty(folder: Path) -> None:
    result = run("chances situation.yaml -r asl -f json -o out.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads((folder / "out.json").read_text("utf-8"))["command"] == "chances"
    assert not list(folder.glob("*.part"))
    (folder / "out.json").write_text("old", "utf-8")
    assert run("chances illegal.yaml -r asl -f json -o out.json").exit_code == 2
    assert (folder / "out.json").read_text("utf-8") == "old"


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of the file system")
def test_an_output_file_stays_what_it_is(folder: Path) -> None:
    (folder / "out.txt").write_text("old", "utf-8")
    (folder / "out.txt").chmod(0o640)
    (folder / "link").symlink_to("out.txt")
    assert run("list rulesets -o link").exit_code == 0
    assert (folder / "link").is_symlink() and "asl" in (folder / "out.txt").read_text("utf-8")
    assert (folder / "out.txt").stat().st_mode & 0o777 == 0o640
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert run("list rulesets -o pipe").exit_code == 0
    assert b"asl" in os.read(reader, 10_000) and (folder / "pipe").is_fifo()
    os.close(reader)


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_is_no_fault(monkeypatch: pytest.MonkeyPatch, closed: str) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None if name == closed else TextIOWrapper(BytesIO(b"\xff\n")))
    for line, code in (
        ("chances squad-in-a-building -r squad-leader", 2 if closed == "stdout" else 0),
        ("resolve squad-in-a-building -r squad-leader --ask", 2),
        ("chances - -r squad-leader", 2),
    ):
        with pytest.raises(SystemExit) as left:
            main(line.split())
        assert left.value.code == code


@pytest.mark.skipif(os.name != "posix", reason="makes a terminal")
def test_who_starts_the_server_of_an_editor_by_hand_is_told_what_it_is() -> None:
    """It waited without a word for what no hand can type."""
    _, terminal = os.openpty()
    command = [sys.executable, "-m", "closecombat", "lsp"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    done = subprocess.run(command, stdin=terminal, capture_output=True, text=True, timeout=60, env=environment)
    os.close(terminal)
    assert (done.returncode, done.stdout) == (2, "") and "an editor starts this" in done.stderr


def test_a_situation_from_standard_input(folder: Path) -> None:
    assert "52.16%" in run("chances - -r asl", SITUATION).stdout
    result = run("chances - -r asl", SITUATION.replace("german-4", "germna-4"))
    assert (result.exit_code, "<stdin>:4:" in result.stderr) == (2, True)


def test_a_reading_can_be_chosen(folder: Path) -> None:
    both = [
        run(f"chances situation.yaml -r asl --option covering-units={reading}").stdout
        for reading in ("any-standing", "unbroken-unpinned")
    ]
    assert "52.16%" in both[0] and "52.16%" in both[1]


def test_several_processes_tell_the_same(folder: Path) -> None:
    """One file of examples fails, one cannot be read at all; the order is that of the files."""
    (folder / "examples" / "broken.yaml").write_text("example: broken\nsituation: {units\n", "utf-8")
    alone, together = (process("test", "examples", "failing", "--jobs", jobs) for jobs in ("1", "3"))
    assert (alone.returncode, together.returncode) == (1, 1)
    assert "FAILED broken" in alone.stdout and "FAILED one-of-three" in alone.stdout
    assert together.stdout == alone.stdout


def test_the_first_that_fails_can_be_the_last(folder: Path) -> None:
    assert "1 failed" in run("test failing examples --stop").stdout
    assert "one-of-three" not in run("test examples --stop").stdout


def test_a_failing_example_shows_where(folder: Path) -> None:
    result = run("test failing examples")
    assert result.exit_code == 1
    assert "FAILED one-of-three (small)" in result.stdout
    assert "second.yaml:5:" in result.stdout and "r1 is gone, not here" in result.stdout
    assert "2 examples, 1 passed, 1 failed" in result.stdout
    assert "::error file=" in run("test failing -f github").stdout


def test_of_many_that_fail_the_first_are_told_in_full(folder: Path) -> None:
    (folder / "many" / "examples").mkdir(parents=True)
    for at in range(12):
        text = EXAMPLE.replace("one-of-three", f"failing-{at}").replace("r1: gone", "r1: here").replace("..", "../..")
        (folder / "many" / "examples" / f"{at:02}.yaml").write_text(text, "utf-8")
    few, every = run("test many").stdout, run("test many --all").stdout
    assert (few.count("expected: here"), every.count("expected: here")) == (10, 12)
    assert "FAILED failing-11 (small): r1 is gone, not here\n" in few
    assert "the first 10 are told in full: `-k failing-11` does so for one, `--all` for" in few
    assert few.endswith("\n12 examples, 0 passed, 12 failed\n")


def test_what_came_out_is_written_into_the_file(folder: Path) -> None:
    file = folder / "failing" / "examples" / "second.yaml"
    before = file.read_text("utf-8")
    result = run("test failing --update")
    assert (result.exit_code, result.stdout) == (0, "failing/examples/second.yaml: one-of-three\n")
    assert file.read_text("utf-8") == before.replace("r1: here", "r1: gone")
    assert [one.name for one in file.parent.iterdir()] == ["second.yaml"]
    assert run("test failing --update").exit_code == 0


def test_the_json_of_coverage_is_as_its_schema_says(folder: Path) -> None:
    schema = json.loads((ROOT / "schemas" / "coverage.schema.json").read_text("utf-8"))
    found = json.loads(run("test small.yaml --coverage -f json").stdout)
    assert not [error.message for error in Draft202012Validator(schema).iter_errors(found)]
    assert (found["ruleset"], found["examples"]) == ("small", 1)
    assert run("test small.yaml --coverage --fail-under 50").exit_code == 0
    (folder / "examples" / "first.yaml").unlink()
    result = run("test small.yaml --coverage --fail-under 50")
    assert (result.exit_code, "0.00 % is under 50 %" in result.stderr) == (1, True)


KEEPER = """\
ruleset: keeper
start: close-combat
words: {colour: [red, blue]}
decks: {pack: {low: 1, high: 1}}
dice: {one-die: d6}
kinds:
  fight: {one: yes}
  side: {given: {units: {are: units, each: unit}}}
  unit:
    given: {side: a side, card: {per: colour, is: 0 to 9}, friends: {are: units, each: friend}}
    rolled: {luck: one-die}
    drawn: {dealt: pack}
sequences: {close-combat: {in-order: {deals: {each: unit, deal: dealt}, rolls: {each: unit, roll: luck}}}}
"""


def test_a_card_is_dealt_and_not_rolled(folder: Path) -> None:
    (folder / "keeper.yaml").write_text(KEEPER, "utf-8")
    (folder / "dealt.yaml").write_text("ruleset: ./keeper.yaml\nsituation: {sides: {s: {units: {r: {}}}}}\n", "utf-8")
    told = run("resolve dealt.yaml --dice low,3").stdout
    assert "deal dealt of r: low" in told and "roll luck of r: 3" in told


EXPECTED = [
    ("card: {red: 2}", ""),
    ("card: {red: 2, blue: 3}", "card of r is red 2, blue 0, not red 2, blue 3"),
    ("card: {green: 2}", "unknown-word `green`"),
    ("card: 2", "stands where words and their numbers"),
    ("dealt: low", ""),
    ("dealt: high", "dealt of r is low, not high"),
    ("dealt: middle", "`middle` is not one of low, high"),
    ("friends: [r]", ""),
    ("friends: r", ""),
    ("friends: nobody", "friends of r is r, not nobody"),
    ("friends: {r: yes}", "a line of braces stands where a list of names should"),
    ("luck: nobody", "luck of r is thrown, not nobody"),
    ("gone: no", ""),
    ("gone: maybe", "`maybe` is neither yes nor no"),
]


@pytest.mark.parametrize(("facts", "fault"), EXPECTED, ids=[facts for facts, _ in EXPECTED])
def test_whatever_a_fact_holds_can_be_expected(folder: Path, facts: str, fault: str) -> None:
    (folder / "keeper.yaml").write_text(KEEPER, "utf-8")
    (folder / "kept.yaml").write_text(
        "example: kept\nruleset: ./keeper.yaml\ndice: [low, 3]\n"
        "situation: {sides: {s: {units: {r: {card: {red: 2}, friends: [r]}}}}}\n"
        f"expect: {{units: {{r: {{{facts}}}}}}}\n",
        "utf-8",
    )
    result = run("test kept.yaml")
    assert result.exit_code == (1 if fault else 0), result.output
    assert_words(result, fault, "")


FACES = """\
ruleset: faces
start: block
words: {face: [skull, push, pow]}
dies: {block: [skull, push, push, pow]}
dice: {two: {die: block, number: 2}}
kinds:
  side: {given: {enemy: the other side}, rolled: {throw: two}, chosen: {takes: face}, noted: {hurt: flag}}
tables:
  shown: {about: side, forbidden-if: {unrolled: {when: no face of throw is takes, says: no die shows it}}}
sequences:
  block:
    in-order:
      roll: {each: side, roll: throw}
      pick: {each: side, choose: takes, legal: shown}
      hurt: {each: side, takes of enemy: pow, do: gain hurt}
"""


def test_a_face_of_ones_dice_is_chosen_and_dice_too_many_are_told_at_once(folder: Path) -> None:
    (folder / "faces.yaml").write_text(FACES, "utf-8")
    (folder / "blows.yaml").write_text("ruleset: ./faces.yaml\nsituation: {sides: {red: {}, blue: {}}}\n", "utf-8")
    asked = run("resolve blows.yaml --ask", "skull push\npow,pow,skull\npow\nskull\n")
    said = asked.stderr
    assert said.index("more dice than are rolled here; not taken: skull") < said.index(
        "pick: takes of red? (skull, push)"
    )
    assert "`pow` is not one of" not in said and "the rules do not allow `pow` here" in said
    assert "pick: takes of blue?" not in said  # who has one face alone is not asked
    assert asked.exit_code == 0 and "red  hurt" in asked.stdout
    wrong = run("resolve blows.yaml --ask", "skull push\npow,pow\n6\npush\n")
    assert "`6` is not one of skull, push\n" in wrong.stderr


def test_examples_by_another_ruleset(folder: Path) -> None:
    (folder / "luckier.yaml").write_text(
        "variant: luckier\nextends: ./small.yaml\nchanges:\n  easier:\n    at: sequences.close-combat.lost\n"
        "    set: {luck: less than 2}\n    was: {luck: less than 3}\n    why: to see\n",
        "utf-8",
    )
    assert run("test examples -r luckier.yaml").exit_code == 1
    assert run("compare examples/first.yaml -r small.yaml -r luckier.yaml").exit_code == 0


@pytest.mark.parametrize("base", ["asl", "squad-leader", "assault", "skirmish", "asl+hand-to-hand", "./small.yaml"])
def test_what_new_makes_is_sound(folder: Path, base: str) -> None:
    assert run(f"new mine --extends {base}").exit_code == 0
    assert run("check mine").exit_code == 0, run("check mine").stdout
    if base != "./small.yaml":
        assert run("test mine").exit_code == 0
    assert run(f"new mine --extends {base}").exit_code == 2


@pytest.mark.parametrize(("words", "begins"), [
    ("-o said.json", "{"), ("-o said.MD", "# "), ("-o said.html", "<!doctype html>"), ("-o said.txt", "assault  "),
    ("-f text -o said.json", "assault  "), ("-o said.json -f md", "# "),
])  # fmt: skip
def test_a_file_is_written_as_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, begins: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(f"rules assault {words}").exit_code == 0
    (made,) = tmp_path.iterdir()
    assert made.read_text("utf-8").lower().startswith(begins)


@pytest.mark.parametrize(
    ("base", "path", "change", "expected"),
    [
        ("asl", "tables.cc-drm.broken", "set: {add: -3}\n    was: {add: -2}", "cc-drm of"),
        ("asl", "tables.cc-drm.broken.add", "set: {add: -3}\n    was: {add: -2}", "cc-drm of"),
        ("squad-leader", "tables.column-shift.cowering", "set: {add: -2}\n    was: {add: -1}", "situation:"),
        ("skirmish", "options.draw-limit", "option: two-more\n    was: two-in-all", "situation:"),
        ("skirmish", "tables.full-dice.elite", "set: {add: +3}\n    was: {add: +2}", "example: smallest"),
        ("skirmish", "tables.combat-dice.pinned", "set: {times: 1/3}\n    was: {times: 1/2}", "situation:"),
        ("assault", "tables.attack-together.support", "set: {add: +2}\n    was: {add: +1}", "example: smallest"),
        ("skirmish", "tables.full-dice.green-shock", "# as it is; write what it is to be", ""),
    ],
)
def test_a_change_is_begun_with_what_was_there_and_an_example(
    folder: Path, base: str, path: str, change: str, expected: str
) -> None:
    result = run(f"new mine --extends {base} --change {path}")
    assert result.exit_code == 0, result.output
    assert change in (folder / "mine/mine.yaml").read_text("utf-8")
    assert run("check mine").exit_code == 0, run("check mine").output
    assert "mine/examples/first.yaml" in result.stdout
    assert run("test mine").exit_code == 0, run("test mine").output
    assert expected in (folder / "mine/examples/first.yaml").read_text("utf-8")
    assert ("no fight was found" in result.stderr) is not bool(expected)
    text = (folder / "mine/examples/first.yaml").read_text("utf-8")  # by the rules as they were it is another story
    (folder / "first.yaml").write_text(text.replace("\nruleset: ../mine.yaml\n", f"\nruleset: {base}\n"), "utf-8")
    assert run("test first.yaml").exit_code == bool(expected)


def test_changes_are_begun_together(folder: Path) -> None:
    line = "new mine --extends squad-leader --change tables.column-shift.cowering --change options.grazing-fire"
    assert run(line.replace("options.grazing-fire", "options.nothing-like-it")).exit_code == 2
    assert not (folder / "mine").exists()
    for path, hint in (
        ("tables.column-shift.cowring", "tables.column-shift.cowering"),
        ("tables.column-shift", "such as"),
    ):
        result = run(f"new mine --extends squad-leader --change {path}")
        assert result.exit_code == 2 and "missing-target" in result.stderr and hint in result.stderr, path
    assert run("new mine --change tables.a.b").exit_code == 2


def test_a_new_ruleset_is_sound_and_small(folder: Path) -> None:
    run("new mine")
    assert run("check mine").exit_code == 0, run("check mine").stdout
    assert run("test mine").exit_code == 0
    assert len((folder / "mine" / "ruleset.yaml").read_text("utf-8").splitlines()) <= 60


@pytest.mark.parametrize("stack", ["asl", "squad-leader", "assault", "skirmish", "asl+hand-to-hand", "small.yaml"])
def test_an_outline_fits_a_terminal_of_80_by_24(folder: Path, monkeypatch: pytest.MonkeyPatch, stack: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(f"show {stack}").stdout.splitlines()
    assert len(lines) < 24 and max(map(len, lines)) <= 80


def test_what_is_shipped_has_the_same_place_wherever_it_is_installed(folder: Path) -> None:
    assert "  asl/attack.yaml:" in run("show asl tables.cc-drm").stdout
    assert str(ROOT) not in run("show asl --all").stdout


def test_a_folder_that_new_has_made_is_a_ruleset_wherever_one_is_asked_for(folder: Path) -> None:
    assert run("new easy --extends ./small.yaml").exit_code == 0
    for command in ("show easy", "show ./easy", "show small.yaml+easy", "resolve small-fight.yaml -r easy --seed 1"):
        assert "small+easy" in run(command).stdout, command
    assert "small+easy" in run("show easy/").stdout


# ---- asking -----------------------------------------------------------------------------------------------

ASKED = [
    ("the ruleset's own way and four dice", "\n\n1\n2\n3\n4\n", 0, "Dice: 1,2,3,4"),
    ("dice beyond those of a roll", "\n\n1,2,5\n3\n4\n", 0, "taken: 5"),
    ("of several dice the one that is no face is named", "\n\n1,7\n1\n2\n3\n4\n", 0, "`7` is none of its faces"),
    ("the row that rolls is told", "\n\n?\n1\n2\n3\n4\n", 0, "roll: dr, cites: A11.11c"),
    ("a face that is none is asked again", "\n\n1\n7\n2\n3\n4\n", 0, "it shows 1 to 6"),
    ("a name that is none is asked again", "g7\ng1\nr1\n" + "\n" * 3 + "1\n2\n3\n4\n", 0, "no unit is called `g7`"),
    ("whoever may be named is told again, and nobody else", "zz\n\n\n1\n2\n3\n4\n", 0, "may be one of g1"),
    (
        "what the rules forbid is asked again",
        "g1\ng1\n" + "\n" * 2 + "g1\nr1\n" + "\n" * 3 + "1\n2\n3\n4\n",
        0,
        "illegal-declaration A11.1c",
    ),
    (
        "what is seldom said is asked for by name",
        "g1\nr1\nbare-hand no\nbare-hands\nbare-hands n\n\n\n\n1\n2\n3\n4\n",
        0,
        "`bare-hands`? more? bare-hands (yes, Dice: 1,2,3,4",
    ),
    ("nobody attacks", "none\nnone\n", 0, "none: none"),
    ("the answers end", "\n\n", 2, "the answers end before the fight does"),
]


@pytest.mark.parametrize(("typed", "code", "words"), [each[1:] for each in ASKED], ids=[each[0] for each in ASKED])
def test_asking(folder: Path, typed: str, code: int, words: str) -> None:
    result = run("resolve situation.yaml -r asl --ask", typed)
    assert result.exit_code == code, result.stderr
    for word in words.split():
        assert word in result.stdout + result.stderr


def test_a_fight_that_was_broken_off_is_gone_on_with_and_kept_as_an_example(folder: Path) -> None:
    begun = run("resolve situation.yaml -r asl --ask --save kept.yaml", "?\ng1\nr1\nundo\nr1\n\n\n\n1,7\n1,2\n3\n")
    assert begun.exit_code == 2 and "asl/declarations.yaml:" in begun.stderr and "it shows 1 to 6" in begun.stderr
    assert "A11.12c: " in begun.stderr and "die 2 of 2 (1 to 6)" in begun.stderr
    kept = (folder / "kept.yaml").read_text("utf-8")
    unfinished = run("test kept.yaml")
    assert unfinished.exit_code == 1 and "no example yet" in unfinished.stdout and "--ask --save" in unfinished.stdout
    assert "dice: [1, 2, 3]\n" in kept and "{german-names-1: {attackers: [g1], targets: [r1]}}" in kept
    again = run("resolve kept.yaml --ask --save kept.yaml", "\n4\n")
    assert again.exit_code == 0, again.stderr
    assert again.output.endswith("\nkept in kept.yaml; closecombat test kept.yaml\n")  # not before the long trace
    assert "expect:" in (folder / "kept.yaml").read_text("utf-8")
    assert run("test kept.yaml").stdout == "1 example, 1 passed\n"
    assert run("resolve situation.yaml -r asl --seed 1 --save kept.yaml").exit_code == 2  # it would be overwritten


@pytest.mark.parametrize("name", ["asl", "skirmish"])
def test_a_playing_is_printed_as_an_example_that_passes(folder: Path, name: str) -> None:
    told = run(f"resolve farmhouse -r {name} --seed 7 --as-example")
    (folder / "told.yaml").write_text(told.stdout, encoding="utf-8")
    assert run("test told.yaml").stdout == "1 example, 1 passed\n"
    assert run("resolve farmhouse -r asl --seed 7 --as-example --until resolved").exit_code == 2


BIDDING = """
ruleset: bidding
language: 1
start: bid
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side}, drawn: {hand: cards of pack}, chosen: {bid: pack}}
decks: {pack: {each: side, cards: {low: 2, high: 1}}}
sequences:
  bid:
    in-order:
      bids: {each: side, choose: bid, from: hand, answered: HOW, otherwise: if-asked}
tables:
  if-asked: {about: side, words: pack, first-of: {same: {when: bid of enemy is high, is: high}}, otherwise: lowest face of hand}
"""
BIDS = {  # by how it is answered: what the two are offered; open, the second sees what the first has bid
    "open": ["bid of red? (low, high) [Enter: low]", "bid of blue? (low, high) [Enter: high]"],
    "secret": ["only red looks", "[Enter: as the ruleset has it]", "only blue looks", "[Enter: as the ruleset has it]"],
    "at-once": ["only red looks", "[Enter: low]", "only blue looks", "bid of blue? (low, high) [Enter: low]"],
}


@pytest.mark.parametrize("how", BIDS)
def test_who_is_asked_in_secret_is_told_nothing_of_the_other(folder: Path, how: str) -> None:
    (folder / "bidding.yaml").write_text(BIDDING.replace("HOW", how), encoding="utf-8")
    hands = "{red: {hand: {low: 1, high: 1}}, blue: {hand: {low: 1, high: 1}}}"
    (folder / "bids.yaml").write_text(f"situation: {{fight: {{attacker: red}}, sides: {hands}}}\n", encoding="utf-8")
    result = run("resolve bids.yaml -r ./bidding.yaml --ask", "high\nlow\n")
    assert result.exit_code == 0, result.stderr
    at = 0
    for words in BIDS[how]:
        at = result.stderr.index(words, at) + len(words)
    assert ("looks" in result.stderr) == (how != "open")


PRICES = BIDDING[: BIDDING.index("      bids:")].replace("bid: pack", "price: 0 to 2") + """\
      price: {each: side, choose: price, by: enemy of side, answered: secret, otherwise: 0}
"""


def test_who_answers_for_another_is_named_and_he_alone_looks(folder: Path) -> None:
    """What red's prisoners cost is for blue to say, in secret: red must not be asked for it, nor look."""
    (folder / "prices.yaml").write_text(PRICES, encoding="utf-8")
    (folder / "fight.yaml").write_text("situation: {fight: {attacker: red}, sides: {red: {}, blue: {}}}\n", encoding="utf-8")
    result = run("resolve fight.yaml -r ./prices.yaml --ask", "2\n1\n")
    assert result.exit_code == 0, result.stderr
    lines = [line for line in result.stderr.splitlines() if "look" in line or "?" in line]
    assert lines[0] == "only blue looks" and lines[1].startswith("price, blue: price of red? (0 to 2)")
    assert "only red looks" in result.stderr and "price, red: price of blue? (0 to 2)" in result.stderr
    assert run("choices fight.yaml -r ./prices.yaml").stdout.startswith("blue: price of red, at `price`\n")
    told = json.loads(run("choices fight.yaml -r ./prices.yaml -f json").stdout)["choice"]
    assert (told["who"], told["player"]) == ("red", "blue")


FEINT = """
ruleset: feint
language: 1
start: feint
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}, chosen: {aim: a unit or nobody, guard: 0 to 3}}
  unit: {given: {side: a side}, chosen: {hides: flag}}
sequences:
  feint:
    in-order:
      hide:  {each: unit of attacker, choose: hides, answered: secret, otherwise: no}
      guard: {for: enemy of attacker, choose: guard, otherwise: number of units of attacker where (hides)}
      aim:   {for: enemy of attacker, choose: aim, among: units of attacker where (not hides), otherwise: nobody}
      ours:  {for: attacker, choose: guard, otherwise: number of units of attacker where (hides)}
"""


def test_what_is_offered_to_one_does_not_tell_what_another_has_answered_in_secret(folder: Path) -> None:
    (folder / "feint.yaml").write_text(FEINT, encoding="utf-8")
    sides = "{red: {units: {r1: {}, r2: {}}}, blue: {units: {b1: {}}}}"
    (folder / "hides.yaml").write_text(f"situation: {{fight: {{attacker: red}}, sides: {sides}}}\n", encoding="utf-8")
    result = run("resolve hides.yaml -r ./feint.yaml --ask", "yes\nno\n0\nr2\n2\n")
    assert result.exit_code == 0, result.stderr
    assert "guard of blue? (0 to 3) [Enter: as the ruleset has it]" in result.stderr
    assert "aim of blue? (r1, r2, b1, nobody) [Enter: nobody]" in result.stderr
    assert "guard of red? (0 to 3) [Enter: 1]" in result.stderr


CALLED = """
ruleset: called
language: 1
start: call
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, poor: flag}, chosen: {bid: 0 to 3}}
sequences:
  call:
    in-order:
      bids: {each: side, choose: bid, answered: HOW, legal: too-much, otherwise: 0}
tables:
  too-much:
    about: side
    forbidden-if:
      poor: {poor: yes, bid: at least 1, says: who is poor bids nothing}
      high: {bid: at least 3, says: nobody bids three}
"""


@pytest.mark.parametrize("how", ["open", "secret"])
def test_only_what_is_legal_is_offered_and_what_has_one_answer_is_not_asked(folder: Path, how: str) -> None:
    """Red is poor and bids nothing; blue may bid up to two. In secret everybody is asked, so that nobody learns who is."""
    (folder / "called.yaml").write_text(CALLED.replace("HOW", how), "utf-8")
    sides = "{red: {poor: yes}, blue: {}}"
    (folder / "calls.yaml").write_text(f"situation: {{fight: {{attacker: red}}, sides: {sides}}}\n", "utf-8")
    typed = "3\n2\n" if how == "open" else "0\n2\n"
    result = run("resolve calls.yaml -r ./called.yaml --ask --save kept.yaml", typed)
    assert result.exit_code == 0, result.stderr
    is_open = how == "open"
    assert ("bid of red is 0: no other answer is legal" in result.stderr) == is_open
    assert ("bid of blue? (0, 1, 2) [Enter: 0]" in result.stderr) == is_open
    assert ("the rules do not allow `3` here" in result.stderr) == is_open
    kept = (folder / "kept.yaml").read_text("utf-8")
    assert kept.startswith("# What was answered in secret at `bids`") != is_open
    assert run("test kept.yaml").exit_code == 0


BOUTS = """
ruleset: bouts
language: 1
start: bouts
rounds: {until: yes}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side, men: 0 to 9}, chosen: {brave: flag}, rolled: {die: d6}}
sequences:
  bouts:
    again: {until: any side where (men is 0), at-most: 3}
    in-order:
      ask:  {each: side, choose: brave, otherwise: no}
      roll: {each: side, brave: yes, roll: die}
      fall: {each: side, brave of enemy: yes, die of enemy: at least 4, do: take 1 from men}
"""


@pytest.mark.parametrize(
    ("dice", "kept"), [("6", "{red: yes, blue: no}"), ("1, 6", "{red: [yes, yes], blue: [no, no]}")]
)
def test_no_more_answers_are_kept_than_a_playing_has_asked_for(folder: Path, dice: str, kept: str) -> None:
    (folder / "bouts.yaml").write_text(BOUTS, "utf-8")
    situation = "situation: {fight: {attacker: red}, sides: {red: {men: 2}, blue: {men: 1}}}\n"
    choices = "choices: {ask: {red: [yes, yes, no], blue: [no, no, no]}}\n"
    (folder / "bout.yaml").write_text("ruleset: ./bouts.yaml\n" + situation + choices, "utf-8")
    assert run(f"resolve bout.yaml --dice {dice.replace(' ', '')} --save kept.yaml").exit_code == 0
    assert f"choices:\n  ask: {kept}\ndice: [{dice}]\n" in (folder / "kept.yaml").read_text("utf-8")
    assert run("test kept.yaml").stdout == "1 example, 1 passed\n"


def test_whom_no_rule_keeps_out_is_offered(folder: Path) -> None:
    result = run("resolve situation.yaml -r asl --ask", "")
    assert "attackers? (g1)" in result.stderr and "withdrawing of g1 is no" in result.stderr


# ---- as a process -----------------------------------------------------------------------------------------


def process(*arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), **more}
    return subprocess.run([sys.executable, "-m", "closecombat", *arguments], capture_output=True, text=True,
                          encoding="utf-8", env=environment, timeout=60)  # fmt: skip


def test_the_version_needs_nothing_heavy() -> None:
    code = "import sys; from closecombat.cli.main import main; main(['--version'], standalone_mode=False); print(sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "interpreter"
    ).stdout
    assert f"closecombat {__version__}" in loaded
    assert not [name for name in ("rich", "ruamel", "lark", "jsonschema") if f"'{name}'" in loaded]


def test_a_pipe_has_no_colours(folder: Path) -> None:
    found = process("chances", "situation.yaml", "-r", "asl", FORCE_COLOR="1")
    assert found.returncode == 0
    assert "\x1b" not in found.stdout


def test_another_encoding_is_no_fault(folder: Path) -> None:
    found = process("chances", "situation.yaml", "-r", "asl", PYTHONIOENCODING="ascii")
    assert (found.returncode, "52.16%" in found.stdout) == (0, True)


@pytest.mark.parametrize("to_do", ["", "atexit.register(os.write, 1, b'to do')"])
@pytest.mark.parametrize(("line", "number"), [(["list", "words", "-f", "json"], 0), (["chances", "nowhere.yaml"], 2)])
def test_a_process_says_all_before_it_ends(to_do: str, line: list[str], number: int) -> None:
    """It is not taken apart, unless there is something to be done at its end; its exit code is the command's."""
    code = (
        f"import atexit, os, sys; from closecombat.cli.main import run; sys.argv[1:] = {line}; {to_do}\n"
        "class Kept:\n    def __del__(self): os.write(1, b'taken apart')\n"
        "kept = Kept(); run()"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "interpreter")}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8",
                           env=environment, timeout=60)  # fmt: skip
    assert found.returncode == number and bool(found.stderr) == bool(number)
    said = found.stdout
    assert ("to do" in said, "taken apart" in said) == (bool(to_do), bool(to_do))
    said = said.replace("to do", "").replace("taken apart", "")
    assert json.loads(said)["words"] if number == 0 else not said


def test_the_pytest_plugin(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "ruleset.yaml").write_text(SMALL, "utf-8")
    (folder / "mine" / "examples").mkdir()
    text = EXAMPLE.replace("ruleset: ../small.yaml\n", "")
    (folder / "mine" / "examples" / "good.yaml").write_text(text, "utf-8")
    (folder / "mine" / "examples" / "bad.yaml").write_text(text.replace("r1: gone", "r1: here"), "utf-8")
    (folder / "mine" / "examples" / "worse.yaml").write_text("example: [\n", "utf-8")
    found = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "closecombat.pytest_plugin", "-p", "no:cacheprovider", "mine"],
                           capture_output=True, text=True, cwd=folder, env={"PYTHONPATH": str(ROOT / "interpreter")})  # fmt: skip
    assert found.returncode == 2
    assert "yaml-syntax" in found.stdout
    (folder / "mine" / "examples" / "worse.yaml").unlink()
    found = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "closecombat.pytest_plugin", "-p", "no:cacheprovider", "mine"],
                           capture_output=True, text=True, cwd=folder, env={"PYTHONPATH": str(ROOT / "interpreter")})  # fmt: skip
    assert (found.returncode, "1 failed, 1 passed" in found.stdout) == (1, True)
    assert "bad.yaml:4:" in found.stdout and "r1 is gone, not here" in found.stdout
    assert "Traceback" not in found.stdout


def unasked(monkeypatch: pytest.MonkeyPatch, work: int) -> None:
    """So much work is done without a second word. What is read for the first time meanwhile would keep it."""
    for module in pkgutil.walk_packages(closecombat.asking.__path__, "closecombat.asking."):
        if module.name != "closecombat.asking.crews.cluster":  # which wants an extra
            importlib.import_module(module.name)
    monkeypatch.setattr("closecombat.proving.values.budget.UNASKED", work)


def test_what_would_take_long_is_foretold_in_pytest_and_in_rules(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "mine" / "examples").mkdir(parents=True)
    (folder / "mine" / "ruleset.yaml").write_text(SMALL, "utf-8")
    text = EXAMPLE.replace("ruleset: ../small.yaml\n", "").replace("dice: [2]\nexpect: {units: {r1: gone}}\n", "")
    (folder / "mine" / "examples" / "long.yaml").write_text(text, "utf-8")
    (folder / "conftest.py").write_text("import closecombat.proving.values.budget as b\nb.UNASKED = 1\n", "utf-8")
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "closecombat.pytest_plugin", "-p", "no:cacheprovider"]
    for more, code in ((), 1), (("--closecombat-yes",), 0):
        found = subprocess.run([*pytest_here, *more, "mine"], capture_output=True, text=True, cwd=folder,
                               env={"PYTHONPATH": str(ROOT / "interpreter")})  # fmt: skip
        assert found.returncode == code, found.stdout
        assert found.stdout.count("takes-long") == code and found.stdout.count("go on with --closecombat-yes") == code
    unasked(monkeypatch, 1)
    for line in ("rules mine", "test mine --coverage", "test mine --mutate --jobs 1"):
        result, willing = run(line), run(f"{line} --yes")
        assert ("takes-long" in result.stderr) == (line != "test mine --coverage"), line
        assert "takes-long" not in willing.output, line
    assert "1 failed" in run("rules mine").stdout and "1 failed" in run("test mine --coverage").stdout


def test_repetitions_inside_each_other_that_are_played_are_bounded_too(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    loops = "".join(
        f"  {one}: {{again: {{until: over, at-most: 900}}, in-order: {{{one}{other}: {{play: {other}}}}}}}\n"
        for one, other in ("ab", "bc", "cd")
    )
    (folder / "endless.yaml").write_text(
        "ruleset: endless\nstart: a\nkinds:\n  fight: {one: yes, noted: {n: 0 to 9, over: flag}}\n"
        "  side: {given: {units: {are: units, each: unit}}}\n  unit: {given: {side: a side}}\n"
        f"sequences:\n{loops}  d: {{in-order: {{e: {{do: add 1 to n}}}}}}\n",
        "utf-8",
    )
    text = (
        EXAMPLE.replace("../small.yaml", "endless.yaml").replace("dice: [2]\n", "dice: []\n").replace("strength: 2", "")
    )
    (folder / "fight.yaml").write_text(text.partition("chances:")[0], "utf-8")
    unasked(monkeypatch, 100_000)
    result = run("test fight.yaml")
    assert result.exit_code == 1 and result.stdout.count("takes-long") == 1 and "go on with --yes" in result.stdout


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_engagement_compares(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the chances that `test_ends.py` looks at; `test_readme.py` has some worked out by the command."""
    monkeypatch.setattr("closecombat.asking.systems.compare.compare_systems", lambda *_, **__: compared(name))
    result = run(f"compare {name}")
    assert result.exit_code == 0, result.stderr


def test_what_takes_long_unit_by_unit_is_told_by_sides(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv(WHERE, "no")  # else it is answered as it was before
    by_units, by_sides = run("chances situation.yaml -r asl"), run("chances situation.yaml -r asl --by sides")
    monkeypatch.setattr("closecombat.asking.exact.chances.QUICK", 1)
    result = run("chances situation.yaml -r asl")
    assert result.exit_code == 0 and result.stdout == by_sides.stdout != by_units.stdout
    assert "--by units" in result.stderr
    assert run("chances situation.yaml -r asl --by units").stdout == by_units.stdout


def test_what_would_take_long_is_foretold(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv(WHERE, "no")
    unasked(monkeypatch, 1)
    for line in (
        "chances situation.yaml -r asl",
        "chances situation.yaml -r asl --by sides -f json",
        "choices situation.yaml -r asl --at names --seed 1",
        "play situation.yaml -r asl --times 5 --seed 1 --exact",
        "play situation.yaml -r asl --times 5 --seed 1 --exact --of 1",
    ):
        result = run(line)
        assert result.exit_code == 2 and not result.stdout, line
        assert "takes-long" in result.stderr and "go on with --yes" in result.stderr, line
        assert run(f"{line} --yes").exit_code == 0, line
    unasked(monkeypatch, 10_000)  # enough to play, and not for a proof
    assert run("play situation.yaml -r asl --times 5 --seed 1 --exact").exit_code == 2
    assert run("play situation.yaml -r asl --times 5 --seed 1").exit_code == 0
    full = run("chances situation.yaml -r asl --by sides --until resolved --yes --memory 1MB")
    assert full.exit_code == 2 and not full.stdout and "more than --memory 1MB" in full.stderr
    assert run("chances situation.yaml -r asl --memory much").exit_code == 2


def test_an_example_that_would_take_long_is_named_and_told_once(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "long.yaml").write_text(
        "ruleset: squad-leader\nexample: long\nsituation:\n  fight: {mover: german}\n  sides:\n"
        "    german: {units: {g: {counter: german-4-6-7}}}\n    russian: {units: {r: {counter: russian-4-4-7}}}\n"
        "chances:\n  number of units of german is 7: 0%\n  number of units of russian is 7: 0%\n",
        "utf-8",
    )
    assert run("test long.yaml").exit_code == 0
    unasked(monkeypatch, 1)
    result = run("test long.yaml")
    assert result.exit_code == 1 and "FAILED long" in result.stdout and result.stdout.count("takes-long") == 1
    assert "go on with --yes" in result.stdout and "long.yaml:9:3" in result.stdout
    assert run("test long.yaml --stop").exit_code == 1
    assert run("test long.yaml --jobs 2 --yes").exit_code == run("test long.yaml --stop --yes").exit_code == 0


@pytest.mark.parametrize(
    ("line", "work", "said"),
    [
        ("compare engagement.yaml", "systems.compare.compare_systems", "interrupted (working out the chances of each): what"),
        (
            "compare engagement.yaml --no-cache",
            "systems.compare.compare_systems",
            "(working out the chances of each): nothing is kept",
        ),
        ("weigh situation.yaml -r asl", "weights.weigh.weigh", "interrupted (weighing the rules): nothing is kept"),
    ],
)
def test_who_interrupts_is_told_how_far_it_was_and_what_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, work: str, said: str
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"closecombat.asking.{work}", stopped)
    result = run(line)
    assert result.exit_code == 130 and said in " ".join(result.stderr.split())
