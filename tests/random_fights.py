"""Random small fights of *asl*, played by the ruleset and reckoned apart in plain Python, with the same dice.

    python tests/random_fights.py 300          # seeds 0 to 299; with a second number, from the first to the second

The reckoning reads nothing of the ruleset: two phases of Infantry, with Ambush, "?", Melee, withdrawal, broken and pinned
units, newcomers and a leader who may lose his squad. Everybody who can attacks all of the enemy. A fight is written down as
an example that expects the end that was reckoned; it takes neither more nor fewer dice, and is asked nothing else.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from brute.asl import kill_number
from closecombat.asking.examples.examples import run_example
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

SQUADS = {"german-8-3-8": (8, 3), "german-4-6-7": (4, 2), "russian-6-2-8": (6, 3), "russian-4-4-7": (4, 2)}
HALVES = {"german-2-4-7": 2, "russian-3-2-8": 3}
LEADERS = {"leader-8-0": 0, "leader-8-1": -1, "leader-9-2": -2, "leader-6-plus-1": 1}
UNPRINTED = 5  # firepower of a squad that is stated without a counter: halved, rounded down


@dataclass
class Unit:
    name: str
    side: str
    counter: str
    kind: str
    firepower: int
    half: int = 0
    leadership: int = 0
    flags: set[str] = field(default_factory=set)
    base: Unit | None = None
    stated: str = ""
    here: bool = True
    got_away: bool = False
    locked: bool = False
    withdrawing: bool = False
    attacks: bool = False
    reduced: bool = False

    def known(self) -> bool:
        return "concealed" not in self.flags

    def able(self) -> bool:
        return not self.flags & {"broken"} and not self.withdrawing


class Fight:
    """The fight, the dice it has thrown and the answers that were asked for."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.dice: list[Any] = []
        self.choices: dict[str, dict[str, list[bool]]] = {}
        self.attacker, self.defender = "german", "russian"
        self.melee = self.chance.random() < 0.4
        self.building = self.chance.random() < 0.5
        self.ambusher: str | None = None
        self.started_in_melee = self.melee
        self.units: list[Unit] = []
        for side in ("german", "russian"):
            self.units += self.some_of(side)
        self.stated = {unit.name: set(unit.flags) for unit in self.units}

    def some_of(self, side: str) -> list[Unit]:
        out: list[Unit] = []
        for n in range(self.chance.choice((1, 1, 2))):
            name = f"{side[0]}{n + 1}"
            what = self.chance.random()
            if what < 0.6:
                counter = self.chance.choice(sorted(SQUADS))
                out.append(Unit(name, side, counter, "squad", *SQUADS[counter]))
            elif what < 0.75:
                out.append(Unit(name, side, "", "squad", UNPRINTED, UNPRINTED // 2))
            else:
                counter = self.chance.choice(sorted(HALVES))
                out.append(Unit(name, side, counter, "half-squad", HALVES[counter]))
        if self.chance.random() < 0.6:
            counter = self.chance.choice(sorted(LEADERS))
            leader = Unit(f"{side[0]}l", side, counter, "leader", 1, leadership=LEADERS[counter])
            if self.chance.random() < 0.7:
                leader.base = self.chance.choice(out)
                leader.stated = leader.base.name
            out.append(leader)
        for unit in out:
            for flag, share in (("broken", 0.15), ("pinned", 0.15), ("cx", 0.15), ("concealed", 0.2)):
                if self.chance.random() < share:
                    unit.flags.add(flag)
            if side == "german" and self.chance.random() < 0.4:
                unit.flags.add("advanced")
        return out

    # ---- what is asked of whoever plays ------------------------------------------------------------------

    def throw(self, number: int = 1) -> list[int]:
        faces = [self.chance.randint(1, 6) for _ in range(number)]
        self.dice.append(faces if number > 1 else faces[0])
        return faces

    def ask(self, row: str, unit: Unit, answer: bool) -> bool:
        self.choices.setdefault(row, {}).setdefault(unit.name, []).append(answer)
        return answer

    # ---- who is there -------------------------------------------------------------------------------------

    def of(self, side: str) -> list[Unit]:
        return [unit for unit in self.units if unit.side == side and unit.here]

    def against(self, side: str) -> list[Unit]:
        return self.of("russian" if side == "german" else "german")

    # ---- the phase -----------------------------------------------------------------------------------------

    def phase(self, first: bool) -> None:
        self.ambusher = None
        sneaky = any(not unit.known() for unit in self.units if unit.here)
        rushed = self.building and any("advanced" in unit.flags for unit in self.of(self.attacker))
        if first and not self.melee and (sneaky or rushed):
            self.ambush()
        for side in (self.attacker, self.defender):
            for unit in self.of(side):
                may = self.melee and not unit.flags & {"advanced", "pinned"}
                must = may and "broken" in unit.flags
                unit.withdrawing = self.ask("withdraw", unit, must or (may and self.chance.random() < 0.3))
        for side in (self.attacker, self.defender):
            for unit in self.of(side):
                if unit.kind == "leader" and (unit.base is None or not unit.base.here):
                    unit.base = self.usual_base(unit)
        for unit in self.units:
            if unit.here and not unit.known() and unit.able():
                unit.attacks = self.ask("attack-or-hide", unit, self.chance.random() < 0.6)
                if unit.attacks and self.ambusher is None:
                    unit.flags.discard("concealed")
        self.uncover()
        if self.ambusher is None:
            changes = [self.attack(side) for side in (self.attacker, self.defender) if self.attacks_at_all(side)]
            self.settle(changes)
        else:
            self.strike_and_answer()
        self.end()

    def ambush(self) -> None:
        totals = {}
        for side in (self.attacker, self.defender):
            mine = self.of(side)
            drm = sum(any(flag in unit.flags for unit in mine) for flag in ("cx", "broken", "pinned"))
            drm -= 2 * any(not unit.known() for unit in mine)
            heads = [u.leadership for u in mine if u.kind == "leader" and not u.flags & {"broken", "pinned"}]
            drm += min(heads) if heads and len(mine) > 1 else 0
            totals[side] = self.throw()[0] + drm
        if totals["german"] - totals["russian"] >= 3:
            self.ambusher = "russian"
        elif totals["russian"] - totals["german"] >= 3:
            self.ambusher = "german"
        for unit in self.units:
            if self.ambusher is not None and unit.side != self.ambusher:
                unit.flags.discard("concealed")

    def usual_base(self, leader: Unit) -> Unit | None:
        """The strongest squad that can attack, else the strongest; nobody for who leaves or hides."""
        if leader.withdrawing or not leader.known():
            return None
        squads = [u for u in self.of(leader.side) if u.kind != "leader" and u.known() and not u.withdrawing]
        steady = [u for u in squads if u.able()]
        return max(steady or squads, key=lambda u: u.firepower, default=None)

    def uncover(self) -> None:
        for unit in self.units:
            if any(r.known() for r in self.units if r.here and r.base is unit):
                unit.flags.discard("concealed")
        for unit in self.units:
            if unit.base is not None and unit.base.here and unit.base.known():
                unit.flags.discard("concealed")

    def joining(self, side: str) -> list[Unit]:
        willing = [u for u in self.of(side) if u.able() and (u.known() or u.attacks)]
        squads = [u for u in willing if u.kind != "leader"]
        leaders = [u for u in willing if u.kind == "leader"]
        if squads:
            return [u for u in willing if u in squads or u.base in squads]
        free = [u for u in leaders if u.base is None or u.base.withdrawing != u.withdrawing]
        return free

    def attacks_at_all(self, side: str) -> bool:
        return bool(self.joining(side) and self.against(side))

    def attack(self, side: str) -> dict[str, str]:
        attackers, targets = self.joining(side), self.against(side)
        strength = Fraction(
            sum((Fraction(u.firepower) / (2 if "pinned" in u.flags else 1) for u in attackers), Fraction(0))
        )
        if any(not u.known() for u in targets):
            strength /= 2
        number = kill_number(strength, sum(u.firepower for u in targets))
        heads = [u for u in attackers if u.kind == "leader" and "pinned" not in u.flags and u.leadership <= 0]
        drm = min((u.leadership for u in heads), default=0) if len(attackers) > 1 else 0
        drm += any("cx" in u.flags for u in attackers)
        drm += {side: -1, None: 0}.get(self.ambusher, 1)
        first, second = self.throw(2)
        final = {}
        for target in targets:
            standing = sum(not u.withdrawing for u in targets if u is not target)
            final[target.name] = first + second + drm - ("cx" in target.flags) - 2 * ("broken" in target.flags)
            final[target.name] += (standing - 2) if target.withdrawing else 0
        fate = {name: "dead" for name, dr in final.items() if dr < number}
        equal = [name for name, dr in final.items() if dr == number]
        lots = self.throw(len(equal)) if len(equal) > 1 else [6] * len(equal)
        fate.update({name: "reduced" for name, lot in zip(equal, lots, strict=True) if lot == max(lots)})
        return fate

    def settle(self, fates: list[dict[str, str]]) -> None:
        fate = {name: end for one in fates for name, end in one.items()}
        for unit in self.units:
            if fate.get(unit.name) == "dead":
                unit.here = False
        for unit in self.units:
            if fate.get(unit.name) != "reduced":
                continue
            unit.flags.discard("concealed")
            unit.reduced = True
            if unit.kind == "squad":
                unit.kind, unit.firepower = "half-squad", unit.half
            elif unit.kind == "half-squad" or self.throw()[0] + ("wounded" in unit.flags) >= 5:
                unit.here = False
            else:
                unit.flags.add("wounded")

    def strike_and_answer(self) -> None:
        mine = self.ambusher
        assert mine is not None
        other = "russian" if mine == "german" else "german"
        if self.attacks_at_all(mine):
            struck, strikers = self.of(other), self.joining(mine)
            self.settle([self.attack(mine)])
            if any(u.here for u in struck):
                for unit in strikers:
                    unit.flags.discard("concealed")
        self.left_alone()
        self.uncover()
        if self.attacks_at_all(other):
            self.settle([self.attack(other)])
        self.left_alone()

    def left_alone(self) -> None:
        for unit in self.units:
            if unit.here and unit.base is not None and not unit.base.here:
                unit.base = None

    def end(self) -> None:
        for unit in self.units:
            if unit.here and unit.withdrawing and not unit.reduced:
                unit.here, unit.got_away = False, True
        lost = [
            u
            for u in self.units
            if u.here and self.melee and "broken" in u.flags and "advanced" not in u.flags and self.against(u.side)
        ]
        for unit in lost:
            unit.here = False
        for unit in self.units:
            unit.locked = unit.here and unit.known() and any(enemy.known() for enemy in self.against(unit.side))

    def between(self) -> None:
        for unit in self.units:
            unit.withdrawing = unit.attacks = unit.reduced = False
            unit.flags.discard("advanced")
        self.melee = any(unit.locked for unit in self.units if unit.here)
        self.attacker, self.defender = self.defender, self.attacker

    def play(self) -> None:
        self.phase(True)
        if self.of("german") and self.of("russian"):
            self.between()
            self.phase(False)


def written(fight: Fight, seed: int) -> str:
    """The fight as an example."""
    lines = [f"example: fight-{seed}", "about: A fight of the dice.", "combats: 2", "situation:"]
    terrain = "building" if fight.building else "other"
    melee = "yes" if fight.started_in_melee else "no"
    lines += [f"  fight: {{attacker: german, defender: russian, terrain: {terrain}, melee: {melee}}}", "  sides:"]
    for side in ("german", "russian"):
        lines += [f"    {side}:", "      units:"]
        for unit in (u for u in fight.units if u.side == side):
            counter = (
                f"counter: {unit.counter}" if unit.counter else f"class: squad, firepower: {UNPRINTED}, half: nobody"
            )
            flags = "".join(f", {flag}: yes" for flag in sorted(fight.stated[unit.name]))
            base = f", base: {unit.stated}" if unit.stated else ""
            lines.append(f"        {unit.name}: {{{counter}{base}{flags}}}")
    lines.append("choices:")
    for row, asked in fight.choices.items():
        said = ", ".join(f"{who}: [{', '.join('yes' if a else 'no' for a in all_of)}]" for who, all_of in asked.items())
        lines.append(f"  {row}: {{{said}}}")
    lines += [f"dice: {fight.dice}", "expect:", "  units:"]
    for unit in fight.units:
        if not unit.here:
            lines.append(f"    {unit.name}: {{gone: yes, got-away: {'yes' if unit.got_away else 'no'}}}")
            continue
        facts = {flag: flag in unit.flags for flag in ("broken", "pinned", "wounded", "concealed")} | {
            "locked": unit.locked
        }
        told = "".join(f", {fact}: {'yes' if so else 'no'}" for fact, so in facts.items())
        lines.append(f"    {unit.name}: {{class: {unit.kind}, firepower: {unit.firepower}{told}}}")
    return "\n".join(lines) + "\n"


def difference(bound: Bound, seed: int) -> str:
    """What the ruleset does otherwise than reckoned, with the fight; nothing if they agree."""
    fight = Fight(seed)
    fight.play()
    text = written(fight, seed)
    result = run_example(bound, as_mapping(parse(Source(f"fight-{seed}", text))))
    return "\n".join(str(fault) for fault in result.faults) + "\n" + text if result.faults else ""


def main() -> int:
    first, last = (0, int(sys.argv[1])) if len(sys.argv) == 2 else (int(sys.argv[1]), int(sys.argv[2]))
    bound, many = load("asl"), 0
    for seed in range(first, last):
        told = difference(bound, seed)
        if told:
            many += 1
            print(told)
    print(f"{last - first} fights, {many} differ")
    return min(many, 1)


if __name__ == "__main__":
    sys.exit(main())
