"""A fight told once, in the words of the order of battle, and what becomes of it in one system: a fight as anybody
would have written it for that system by hand, with the reasons, and what the system cannot express.

What every fight has is put down first, then the ground and the circumstances, then side by side each unit, what it
carries and how it is. A later piece is laid into the earlier ones; only what every fight has may be said otherwise,
and two words that say different things of one place are a fault. Last comes what the engagement itself says of the
system: it may say anything anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import replace
from functools import partial

from closecombat.reading.battle_words import ARMY, CIRCUMSTANCE, GROUND, One, Word, Words, raised, read_force, read_said
from closecombat.reading.fielding import FIGHT, NAMED, ONE, SIDE, Fielding, Row, holds
from closecombat.reading.fields import mapping_of, name_of
from closecombat.text.faults import Faults
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

ONCE = ("forces", "ground", "state")  # the keys of a fight told once
NO_RULE, NOTHING, COUNTS = "no rule", "nothing", "counts"
SIGNED = re.compile(r"[+-]\d{1,6}")


@dataclass(frozen=True, slots=True)
class Told:
    """A fight in words: the two sides with everybody on them, who comes in first; where and how it is."""

    words: Words
    sides: tuple[tuple[str, tuple[One, ...]], ...]
    grounds: tuple[Word, ...]
    circumstances: tuple[Word, ...]
    span: Span
    places: MappingType[str, Span]  # where the words of the ground and the circumstances stand

    def everybody(self) -> Iterator[One]:
        for _, ones in self.sides:
            yield from ones

    def place_of(self, word: str) -> Span:
        """Where a word is said; else the beginning of the file."""
        own = (one.span for one in self.everybody() if word in (one.word.name, *one.says))
        return self.places.get(word) or next(own, self.span.part(0, 1))

    def mentioned(self) -> tuple[str, ...]:
        """Every word that is said, in the order in which it is told, but for the armies."""
        found = dict.fromkeys(word.name for word in (*self.grounds, *self.circumstances))
        for one in self.everybody():
            found |= dict.fromkeys((one.word.name, *one.says))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Untold:
    """A word for which a system has no rule, and why."""

    word: str
    why: str
    cites: tuple[str, ...]
    is_missing: bool = False  # because nobody has said what is fielded for it

    @property
    def said(self) -> str:
        clause = f" ({', '.join(self.cites)})" if self.cites else ""
        return f"no such rule: {self.word}: {self.why}{clause}"


@dataclass(frozen=True, slots=True)
class Fielded:
    """What a fight is in one system: a piece of a document, or the clause and the reason why there is none such; and
    what each word is worth there."""

    document: Mapping
    because: tuple[str, ...]
    worth: MappingType[str, str]
    untold: tuple[Untold, ...]
    none: tuple[str, str] | None


# ---- as it is told ---------------------------------------------------------------------------------------


def is_told_once(document: Mapping) -> bool:
    return any(key in document for key in ONCE)


def read_told(words: Words, document: Mapping, faults: Faults) -> Told | None:
    """The fight of an engagement; nothing if who is there cannot be read."""
    forces = document.get("forces")
    if forces is None:
        faults.add(
            "missing-key",
            "nothing says who is there",
            document.span.part(0, 1),
            help="add `forces: {red: 2 .., blue: ..}`; who stands first comes in",
        )
        return None
    entries = mapping_of(forces, "the forces of two sides").entries
    if len(entries) != 2:
        faults.add(
            "wrong-shape",
            f"{len(entries)} forces are told, and two sides fight",
            forces.span,
            help="write `forces: {red: .., blue: ..}`; who stands first comes in",
        )
        return None
    beginnings = prefixes([key.value for key, _ in entries])
    sides = []
    for (key, node), prefix in zip(entries, beginnings, strict=True):
        faults.attempt(name_of, key, "the name of a side")
        parts = faults.attempt(read_force, words, node)
        ones = raised(words, key.value, prefix, parts, faults) if parts is not None else ()
        if parts is not None and not ones and not faults.has_errors:
            faults.add("wrong-shape", "nobody is here", node.span, help="say how many: `2 ..`")
        sides.append((key.value, ones))
    ground = faults.attempt(read_said, words, document.get("ground"), GROUND, "the ground")
    state = faults.attempt(read_said, words, document.get("state"), CIRCUMSTANCE, "the circumstances")
    said = ((ground or (), document.get("ground")), (state or (), document.get("state")))
    places = {word.name: node.span for found, node in said if node is not None for word in found}
    return Told(words, tuple(sides), ground or (), state or (), document.span, places)


def prefixes(sides: Sequence[str]) -> list[str]:
    """What the names of each side begin with: a letter, if it tells them apart."""
    short = [side[:1] for side in sides]
    return short if len(set(short)) == len(short) else [f"{side}-" for side in sides]


# ---- as a system sees it ---------------------------------------------------------------------------------


class _Fielder:
    """Gathers what the words of one fight come to in one system."""

    def __init__(self, told: Told, fielding: Fielding, faults: Faults) -> None:
        self.told, self.fielding, self.faults = told, fielding, faults
        self.document: Mapping = Mapping((), told.span)
        self.said: dict[int, list[str]] = {}
        self.worth: dict[str, str] = {}
        self.untold: dict[str, Untold] = {}
        self.none: tuple[str, str] | None = None
        self.of_all = frozenset(word.name for word in (*told.grounds, *told.circumstances))
        self.true = {one.name: self.so_of(one) for one in told.everybody()}

    def field(self) -> Fielded:
        for row in self.fielding.every:
            self.everywhere(row, 5)
        for word in (*self.told.grounds, *self.told.circumstances):
            rows = self.rows_of(word.name)
            if not [row for row in rows if self.everywhere(row, 3)]:
                self.cannot(word.name, "", rows)
        for number, (_, ones) in enumerate(self.told.sides):
            for one in ones:
                self.unit(number, one)
        because = [why for order in sorted(self.said) for why in self.said[order]]
        untold = tuple(self.untold.values())
        return Fielded(self.document, (*self.assumed(), *dict.fromkeys(because)), self.worth, untold, self.none)

    def assumed(self) -> tuple[str, ...]:
        """Whose men are fielded where nobody says whose they are, if anything is fielded by that."""
        asked = {word for row in self.fielding.rows() for any_of in row.when for word, _ in any_of}
        armies = self.told.words.of(ARMY)
        sides = [side for side, ones in self.told.sides if any(one.is_guessed for one in ones)]
        if not sides or asked.isdisjoint(armies):
            return ()
        return (f"Nobody says whose men those of {' and '.join(sides)} are; they are fielded as {armies[0]}.",)

    def rows_of(self, word: str) -> tuple[Row, ...]:
        return self.fielding.words.get(word, ())

    # ---- what is so ------------------------------------------------------------------------------------
    def so_of(self, one: One) -> frozenset[str]:
        """Every word that holds of somebody."""
        number, ones = next((n, ones) for n, (_, ones) in enumerate(self.told.sides) if one in ones)
        counted = [each for each in ones if each.counts]
        place = counted.index(one) if one.counts else -1
        found = {0: {"first"}, 1: {"second", "further"}, -1: set[str]()}.get(place, {"further"})
        if place and counted:
            found |= {f"behind {word}" for word in _own(counted[0])}
        if len(ones) == 1:
            found.add("alone")
        others = [each for each in ones if each is not one]
        return frozenset(found.union(_own(one), self.so_of_side(number, others)))

    def so_of_side(self, number: int, ones: Iterable[One]) -> frozenset[str]:
        role = ("attacking", "defending")[number]
        enemies = self.told.sides[1 - number][1]
        beside = {f"beside {word}" for one in ones for word in _own(one)}
        return frozenset({role, *beside, *(f"facing {word}" for one in enemies for word in _own(one)), *self.so()})

    def so(self) -> frozenset[str]:
        return self.of_all | {f"any {word}" for one in self.told.everybody() for word in _own(one)}

    # ---- carried out -----------------------------------------------------------------------------------
    def everywhere(self, row: Row, order: int) -> bool:
        """A row that no unit brings with it, for all whom it is about; whether it held of any."""
        held = False
        for number, (_, ones) in enumerate(self.told.sides):
            for one in ones if row.whose == ONE else ():
                if holds(row, self.true[one.name]):
                    self.carry_out(row, number, one, order)
                    held = True
            if row.whose == SIDE and holds(row, self.so_of_side(number, ones)):
                self.carry_out(row, number, None, order)
                held = True
        if row.whose == FIGHT and holds(row, self.so()):
            self.carry_out(row, 0, None, order)
            held = True
        return held

    def unit(self, number: int, one: One) -> None:
        """A unit, and all that is said of it."""
        for place, word in enumerate((one.word.name, *one.says)):
            rows = self.rows_of(word)
            held = [row for row in rows if holds(row, self.true[one.name])]
            if not held and not place:
                self.none = self.none or ("", f"{self.fielding.system} fields nothing for {_a(one)}.")
            elif not held:
                self.cannot(word, _a(one), rows)
            done = [self.of_whom(row, number, one, 1 + bool(place)) for row in held]
            if done and not any(done):
                self.cannot(word, _a(one), rows)

    def of_whom(self, row: Row, number: int, one: One, order: int) -> bool:
        """A row that a unit brings with it: of itself, or of its enemies. Whether there was anybody to have it."""
        if not row.of_enemies:
            return self.carry_out(row, number, one, order)
        enemies = [each for each in self.told.sides[1 - number][1] if each.word.kind == row.of_enemies]
        done = [self.carry_out(row, 1 - number, each, order) for each in enemies]
        return any(done)

    def cannot(self, word: str, whom: str, rows: Sequence[Row]) -> None:
        """A word that is said and fields nothing is told, and not dropped."""
        of_whom = f" of {whom}" if whom else ""
        why = f"{'nothing is fielded for it' if rows else 'no file says what is fielded for it'}{of_whom}"
        self.untold.setdefault(word, Untold(word, why, (), True))
        self.worth.setdefault(word, NO_RULE)

    def carry_out(self, row: Row, number: int, one: One | None, order: int) -> bool:
        """What a row says; False if it is about facts of somebody who has none here."""
        if row.fight:
            self.none = self.none or (row.fight, row.why)
            return True
        if row.rule:
            self.untold.setdefault(row.word, Untold(row.word, row.rule, row.cites))
            self.worth.setdefault(row.word, NO_RULE)
            return True
        stands = self.fielding.units.get(one.word.kind, "") if one is not None else ""
        puts = [(key, node) for key, node in row.puts if key != ONE or stands]
        if row.puts and not puts:
            return False
        if row.word and (row.worth or row.word not in self.worth):
            said = row.worth or (COUNTS if puts else NOTHING)
            known = self.worth.get(row.word, "")
            self.worth[row.word] = said if known in ("", NOTHING, COUNTS, NO_RULE) else known
        if row.why:
            clause = f" ({', '.join(row.cites)})" if row.cites else ""
            self.said.setdefault(order, []).append(f"{row.why.removesuffix('.')}{clause}.")
        names = self.names(number, one)
        for key, node in puts:
            where = {"fight": "situation.fight", "side": "situation.sides.<side>", "unit": f"situation.{stands}"}.get(
                key, key
            )
            piece = self.named(_at(where, node), names, row)
            if piece is not None:
                merged = joined(self.document, piece, partial(self.settled, row, one))
                self.document = merged if isinstance(merged, Mapping) else self.document
        return True

    def names(self, number: int, one: One | None) -> dict[str, str]:
        """Who is meant by each name in angle brackets."""
        (side, ones), (enemy, _) = self.told.sides[number], self.told.sides[1 - number]
        found = {"attacker": self.told.sides[0][0], "defender": self.told.sides[1][0], "side": side, "enemy": enemy}
        for each in reversed(ones):
            found[each.word.kind] = each.name
            if each.counts:
                found["first"] = each.name
        if one is not None:
            found["unit"] = one.name
            alike = (each for each in ones if (each.word, each.army, each.says) == (one.word, one.army, one.says))
            found["body"] = next(alike).name if one.counts else found.get("first", one.name)
        return found

    def named(self, node: Node, names: MappingType[str, str], row: Row) -> Mapping | None:
        """A piece with the names of those who are there; nothing, and a fault, if somebody is not."""
        missing = dict[str, None]()

        def name(found: re.Match[str]) -> str:
            if found[1] not in names:
                missing[found[1]] = None
            return names.get(found[1], "")

        def text(one: Text) -> Text:
            return replace(one, value=NAMED.sub(name, one.value)) if "<" in one.value else one

        def all_of(one: Node) -> Node:
            match one:
                case Text():
                    return text(one)
                case Listing(items):
                    return Listing(tuple(all_of(item) for item in items), one.span)
                case Mapping(entries):
                    return Mapping(tuple((text(key), all_of(value)) for key, value in entries), one.span)

        piece = all_of(node)
        for each in missing:
            help = f"let the row hold only where there is one: `when: beside {each}`"
            self.faults.add("unknown-thing", f"there is no `<{each}>` on that side", row.span.part(0, 1), help=help)
        return piece if isinstance(piece, Mapping) and not missing else None

    def settled(self, row: Row, one: One | None, old: Node, new: Node) -> Node:
        """What stands where two pieces differ: what is said of every fight a word may say otherwise."""
        said = next((each for each in self.fielding.rows() if _holds_place(each, old.span)), row)
        if said.word:
            self.faults.add(
                "words-clash",
                f"in `{self.fielding.system}` `{said.word}` makes it `{flow(old)}`, and `{row.word}` `{flow(new)}`",
                one.span if one is not None else self.told.place_of(row.word),
                labels=((old.span, f"for `{said.word}`"), (new.span, f"for `{row.word}`")),
                help="say only one of the two, or tell the system otherwise under `systems:`",
            )
        return new


def _holds_place(row: Row, place: Span) -> bool:
    return row.span.source is place.source and row.span.start <= place.start < row.span.end


def _own(one: One) -> tuple[str, ...]:
    return tuple(word for word in (one.word.name, one.word.kind, one.army, *one.says) if word)


def _a(one: One) -> str:
    return f"a {' '.join(part for part in (one.army, one.word.name) if part)}"


def _at(where: str, node: Node) -> Node:
    """A piece under the keys that lead to it."""
    for key in reversed(where.split(".")):
        node = Mapping(((Text(key, node.span, True, node.span), node),), node.span)
    return node


def joined(old: Node | None, new: Node, clash: Callable[[Node, Node], Node]) -> Node:
    """Two pieces as one: keys beside each other, lists behind each other, signed numbers added up. What else stands
    in both is settled by `clash`."""
    match old, new:
        case None | Mapping(), Mapping(entries):
            found = {key.value: (key, value) for key, value in old.entries} if isinstance(old, Mapping) else {}
            for key, value in entries:
                before = found.get(key.value)
                piece = joined(before[1] if before else None, value, clash)
                found[key.value] = (before[0] if before else key, piece)
            return Mapping(tuple(found.values()), (old or new).span)
        case Listing(items), Listing(others):
            known = {flow(item) for item in items}
            return Listing((*items, *(item for item in others if flow(item) not in known)), old.span)
        case None | Text(), Text(value) if SIGNED.fullmatch(value):
            before_that = old.value if isinstance(old, Text) else "0"
            if re.fullmatch(r"-?\d{1,9}", before_that):
                return replace(new, value=str(int(before_that) + int(value)))
    return new if old is None or flow(old) == flow(new) else clash(old, new)


def laid_over(old: Node | None, new: Node) -> Node:
    """A piece with another laid over it: what is said anew counts."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    found = {key.value: (key, value) for key, value in old.entries}
    for key, value in new.entries:
        before = found.get(key.value)
        found[key.value] = (key, laid_over(before[1] if before else None, value))
    return Mapping(tuple(found.values()), old.span)


def field(told: Told, fielding: Fielding, faults: Faults) -> Fielded:
    """What a fight told once is in a system; whatever does not hold together is added to `faults`."""
    return _Fielder(told, fielding, faults).field()
