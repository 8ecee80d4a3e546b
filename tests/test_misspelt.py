"""A name that nothing has, of every sort: whatever is asked of the ruleset, the same fault at the same place."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from closecombat.checking.check import check_paths
from closecombat.cli.main import main

RULES = """\
ruleset: raid
title: Raid
about: Two sides, each with everything that has a name.
language: 1
sources: {R: the rules of our club}
start: raid
rounds: {until: no unit of attacker, between: pause}
options:
  night-fight: {readings: [allowed, forbidden], default: allowed, why: The text does not say., cites: R-1}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, raids: {are: raids, each: raid}}
    drawn: {card: pack}
  unit:
    printed: {arm: weapon, shield: {per: place, is: 0 to 3, note: For the players alone.}}
    given: {side: a side}
    noted: {hurt: flag, carried-by: a unit or nobody}
    chosen: {fleeing: flag}
    rolled: {blow: fist, wild: wild-dice}
  raid:
    chosen: {raiders: {are: units, each: raider}}
words: {weapon: {columns: [edge], rows: {sword: [3], bow: [1]}}, place: [head, leg]}
counters:
  unit: {columns: [arm], rows: {recruit: [sword], archer: [bow]}}
dies: {odd: [1, 3, 5]}
dice: {fist: d6, wild-dice: {each: place, die: {head: odd, leg: d6}}}
decks: {pack: {low: 2, high: 2}}
groups:
  bowmen: {each: bowman, about: side, are: units of side where (bow)}
obligations: [a-report]
tables:
  strength: {about: unit, adds-up: {base: {add: 1, cites: R-1}, bow: {unit: bow, add: 1, cites: R-1}}}
  needed: {about: unit, across: blow, columns: [6 to 4, 3 to 1], down: arm, cells: {sword: [†, 1], bow: [4, 3]},
           footnotes: {†: {hurt: 1, otherwise: 2}}, otherwise: edge of arm + 1, cites: R-1}
  lawful: {about: raid, forbidden-if: {empty: {no raider: in-play, says: nobody raids, cites: R-1}}}
  merciful: {about: unit, forbidden-if: {hurt: {unit: hurt, when: fleeing, says: the hurt stay, cites: R-1}}}
sequences:
  raid:
    in-order:
      flee:    {each: unit, choose: fleeing, legal: merciful, otherwise: no, cites: R-1}
      card:    {each: side, deal: card, cites: R-1}
      back:    {shuffle: pack, cites: R-1}
      night:   {when: night-fight is allowed, play: blows, cites: R-1}
      new:     {for: attacker, create: recruit, into: units of attacker, as: newcomer, do: gain hurt of newcomer, cites: R-1}
      names:   {for: attacker, declare: raids, legal: lawful, cites: R-1}
      tell:    {each: bowman of attacker, do: owe a-report, cites: R-1}
      change:  {each: unit, any bowman of enemy of side: in-play, do: become archer, cites: R-1}
  blows:
    in-order:
      blow:    {each: unit, roll: blow, cites: R-1}
      wild:    {each: unit, roll: wild, cites: R-1}
      hits:    {each: unit, needed: at least 2, edge of arm: at least 1, number of wild: at least 1, strength: at most 2, do: gain hurt, cites: R-1}
  pause:
    in-order:
      rest:    {each: unit, do: lose hurt, cites: R-1}
outcomes:
  about: side
  words: [unharmed, shaken, reduced, driven-off, destroyed, locked]
  first-of: {gone: {no unit of side: in-play, is: destroyed}}
  otherwise: unharmed
strength-lost: {about: side, unit: men, is: number of units-at-start of side - number of units of side}
"""
CLAUSES = "clauses:\n  R-1: {scope: core, rule: Everything is allowed.}\n"
EXAMPLE = """\
example: one
about: The attacker strikes once.
situation:
  fight: {attacker: red}
  sides:
    red:  {units: {r1: {counter: recruit}}}
    blue: {units: {b1: {counter: archer}}}
dice: [low, high, 4, 3, [1, 2], [3, 4]]
choices: {names: {red: {a: {raiders: [r1]}}}, flee: {r1: no, b1: yes}}
options: {night-fight: allowed}
expect: {units: {r1: {hurt: yes}}, sides: {red: unharmed}}
"""
ENGAGEMENT = """\
engagement: two
title: Two against each other
about: Two sides.
systems:
  SYSTEM: {situation: {fight: {attacker: red}, sides: {red: {units: {r1: {counter: recruit}}}, blue: {units: {b1: {counter: archer}}}}}}
"""
# What is written, what becomes of it, and what the guilty place says; the code is `unknown-name` where it is not named.
MISSPELT = [
    ("start: raid", "start: raidx", "raidx", ""),
    ("between: pause", "between: pausex", "pausex", ""),
    ("until: no unit of attacker", "until: no unitx of attacker", "unitx", ""),
    ("attacker: a side}", "attacker: a sidex}", "sidex", ""),
    ("enemy: the other side", "enemy: the other sidex", "sidex", ""),
    ("{are: units, each: unit}", "{are: unitsx, each: unit}", "unitsx", ""),
    ("{are: raids, each: raid}", "{are: raidsx, each: raid}", "raidsx", ""),
    ("{are: units, each: raider}", "{are: unitsx, each: raider}", "unitsx", ""),
    ("carried-by: a unit or nobody", "carried-by: a unitx or nobody", "unitx", ""),
    ("card: pack", "card: packx", "packx", ""),
    ("arm: weapon", "arm: weaponx", "weaponx", ""),
    ("{per: place, is: 0 to 3,", "{per: placex, is: 0 to 3,", "placex", ""),
    ("blow: fist", "blow: fistx", "fistx", ""),
    ("counters:\n  unit:", "counters:\n  unitx:", "unitx", ""),
    ("columns: [arm]", "columns: [armx]", "armx", "unknown-fact"),
    ("{head: odd, leg: d6}", "{head: oddx, leg: d6}", "oddx", ""),
    ("{each: place, die:", "{each: placex, die:", "placex", ""),
    ("{head: odd, leg: d6}", "{headx: odd, leg: d6}", "headx", "unknown-word"),
    ("each: bowman, about: side", "each: bowman, about: sidex", "sidex", ""),
    ("are: units of side where (bow)", "are: unitsx of side where (bow)", "unitsx", ""),
    ("are: units of side where (bow)", "are: units of side where (bowx)", "bowx", ""),
    ("strength: {about: unit", "strength: {about: unitx", "unitx", ""),
    ("{unit: bow, add: 1", "{unit: bowx, add: 1", "bowx", ""),
    ("{unit: bow, add: 1", "{unitx: bow, add: 1", "unitx", ""),
    ("across: blow", "across: blowx", "blowx", ""),
    ("down: arm", "down: armx", "armx", ""),
    ("columns: [edge]", "columns: [edgex]", "edge", ""),
    ("edge of arm: at least", "edgex of arm: at least", "edgex", ""),
    ("edge of arm: at least", "edge of armx: at least", "armx", ""),
    ("otherwise: edge of arm + 1", "otherwise: edgex of arm + 1", "edgex", ""),
    ("{hurt: 1, otherwise: 2}", "{hurtx: 1, otherwise: 2}", "hurtx", ""),
    ("{hurt: 1, otherwise: 2}", "{hurt: 1, otherwise: twox}", "twox", ""),
    ("lawful: {about: raid", "lawful: {about: raidx", "raidx", ""),
    ("deal: card", "deal: cardx", "cardx", ""),
    ("shuffle: pack", "shuffle: packx", "packx", ""),
    ("night-fight is allowed", "night-fightx is allowed", "night-fightx", ""),
    ("night-fight is allowed", "night-fight is allowedx", "allowedx", "unknown-word"),
    ("play: blows", "play: blowsx", "blowsx", ""),
    ("for: attacker, create", "for: attackerx, create", "attackerx", ""),
    ("create: recruit", "create: recruitx", "recruitx", ""),
    ("into: units of attacker", "into: unitsx of attacker", "unitsx", ""),
    ("do: gain hurt of newcomer", "do: gain hurt of newcomerx", "newcomerx", ""),
    ("do: gain hurt of newcomer", "do: gain hurtx of newcomer", "hurtx", ""),
    ("declare: raids", "declare: raidsx", "raidsx", ""),
    ("legal: lawful", "legal: lawfulx", "lawfulx", ""),
    ("choose: fleeing", "choose: fleeingx", "fleeingx", ""),
    ("legal: merciful", "legal: mercifulx", "mercifulx", ""),
    ("each: bowman of attacker", "each: bowmanx of attacker", "bowmanx", ""),
    ("owe a-report", "owe a-reportx", "a-reportx", ""),
    ("any bowman of enemy of side", "any bowmanx of enemy of side", "bowmanx", ""),
    ("any bowman of enemy of side", "any bowman of enemyx of side", "enemyx", ""),
    ("become archer", "become archerx", "archerx", ""),
    ("roll: blow,", "roll: blowx,", "blowx", ""),
    ("needed: at least 2", "neededx: at least 2", "neededx", ""),
    ("number of wild: at least 1", "number of wildx: at least 1", "wildx", ""),
    ("strength: at most 2", "strengthx: at most 2", "strengthx", ""),
    ("do: gain hurt, cites", "do: gain hurtx, cites", "hurtx", ""),
    ("outcomes:\n  about: side", "outcomes:\n  about: sidex", "sidex", ""),
    ("{no unit of side: in-play, is: destroyed}", "{no unitx of side: in-play, is: destroyed}", "unitx", ""),
    ("is: destroyed}", "is: destroyedx}", "destroyedx", "unknown-word"),
    ("strength-lost: {about: side", "strength-lost: {about: sidex", "sidex", ""),
    ("units-at-start of side", "unitsx-at-start of side", "unitsx", ""),
]  # fmt: skip
PLAYING = ["test {}/raid", "resolve {}/raid/examples/one.yaml", "chances {}/fight.yaml", "resolve {}/long.yaml --seed 1",
           "compare {}/two.yaml", "choices {}/fight.yaml --seed 1"]  # fmt: skip
READING = ["show {}/raid", "rules {}/raid"]


def written(folder: Path, rules: str) -> None:
    (folder / "raid" / "examples").mkdir(parents=True, exist_ok=True)
    (folder / "raid" / "ruleset.yaml").write_text(rules)
    (folder / "raid" / "clauses.yaml").write_text(CLAUSES)
    (folder / "raid" / "examples" / "one.yaml").write_text(EXAMPLE)
    fight = EXAMPLE[EXAMPLE.index("situation:") : EXAMPLE.index("dice:")]
    (folder / "fight.yaml").write_text(f"ruleset: ./raid\n{fight}")
    (folder / "long.yaml").write_text(f"ruleset: ./raid\ncombats: 2\n{fight}")
    (folder / "two.yaml").write_text(ENGAGEMENT.replace("SYSTEM", "./raid"))


def closecombat(folder: Path, command: str) -> Result:
    return CliRunner().invoke(main, [part.format(folder) for part in command.split()])


def test_as_it_is_nothing_is_wrong(tmp_path: Path) -> None:
    written(tmp_path, RULES)
    assert [fault.message for fault in check_paths([str(tmp_path / "raid")])] == []
    for command in (*PLAYING, *READING):
        done = closecombat(tmp_path, command)
        assert done.exit_code == 0, (command, done.output)


@pytest.mark.parametrize(
    ("was", "is_", "name", "code"), MISSPELT, ids=[f"{was} -> {name}" for was, _, name, _ in MISSPELT]
)
def test_a_misspelt_name_is_the_same_fault_whatever_is_asked(
    was: str, is_: str, name: str, code: str, tmp_path: Path
) -> None:
    assert RULES.count(was) == 1 or was.startswith("{are: units")
    written(tmp_path, RULES.replace(was, is_, 1))
    wanted = code or "unknown-name"
    found = check_paths([str(tmp_path / "raid")])
    assert [f for f in found if f.code == wanted and f.span and name in f.span.text and f"`{name}`" in f.message]
    told = []
    for command in (*PLAYING, *READING):
        done = closecombat(tmp_path, command)
        assert done.exception is None or isinstance(done.exception, SystemExit), (command, done.exception)
        if f"[{wanted}]" in done.output and f"`{name}`" in done.output:
            told.append(command)
        elif command in PLAYING:  # it has not come to this place
            assert done.exit_code == 0, (command, done.output)
    assert told
