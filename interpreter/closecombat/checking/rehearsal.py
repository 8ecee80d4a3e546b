"""Whether a situation or an example can be played and judged: who is there, what is chosen, what is asked.

Nothing is rolled: what comes out is the business of playing it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Mapping as MappingType

from closecombat.binding.bound import BoundAsking, BoundCreate, BoundDeclare
from closecombat.binding.charts import Bound
from closecombat.binding.names import Scope
from closecombat.checking.soundness import check_citations
from closecombat.playing.answers import newcomers
from closecombat.playing.fight import read_combats, read_options
from closecombat.reading import model as m
from closecombat.reading.chance import MOST_SIDES, faces_of
from closecombat.reading.fields import chance_of, entries, list_of, mapping_of, says_nothing, text_of
from closecombat.reading.model import FATES
from closecombat.reading.sentences import parse
from closecombat.reading.situation import State, no_fact, read_state, read_value
from closecombat.reading.syntax import Reading
from closecombat.reading.types import AThing, Flag, Number, Per, Roll, Things, Type, Word, a
from closecombat.text.faults import Diagnostic, Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass

WORD = re.compile(r"[a-z0-9-]+")  # names are such words, and no place of a file refers to another
EXPECTED = ("before", "figures", "causes", "sides", "ends", "owes", "asked", "illegal")
WANTED = ("expect", "chances")  # what makes an example of a fight
LOTS = range(1, 7)  # lots are drawn with a d6 each
# What can be wrong with a situation while its things are all known by name.
HARMLESS = ("missing-fact", "unknown-fact", "wrong-type", "unknown-word", "unknown-counter", "unknown-thing")


@dataclass(frozen=True, slots=True)
class Stage:
    """What a ruleset has that a fight by it may speak of: found once, for all of its examples."""

    bound: Bound
    acts: MappingType[str, list[m.Act]]  # the rows of all sequences, by their ids
    asking: MappingType[int, BoundAsking | None]  # what each asks, by the identity of its row as written
    makers: MappingType[int, str]  # the kind of what each brings in
    faces: frozenset[str]  # whatever a die or a deck shows
    forbidding: frozenset[str]  # the clauses of rows that forbid


def stage(bound: Bound) -> Stage:
    """What fights by a ruleset are held against; raises Faulty with what cannot be bound."""
    acts: dict[str, list[m.Act]] = {}
    asking: dict[int, BoundAsking | None] = {}
    makers: dict[int, str] = {}
    for name in bound.ruleset.sequences:
        for one in bound.sequence(name).acts:
            acts.setdefault(one.act.id, []).append(one.act)
            asking[id(one.act)] = one.verb if isinstance(one.verb, BoundAsking) else None
            match one.verb:
                case BoundCreate(counter=counter):
                    makers[id(one.act)] = bound.ruleset.counters[counter].kind
                case BoundDeclare(kind=kind):
                    makers[id(one.act)] = kind.name
    forbidding = {
        cite
        for table in bound.ruleset.tables.values()
        if table.policy == "forbidden-if"
        for row in table.rows
        for cite in row.where.cites
    }
    return Stage(bound, acts, asking, makers, frozenset(_faces(bound.ruleset, acts)), frozenset(forbidding))


def _faces(ruleset: m.Ruleset, acts: MappingType[str, list[m.Act]]) -> set[str]:
    faces = {
        str(face)
        for dice in ruleset.dice.values()
        for part in dice.parts
        for several in part.faces.values()
        for face in several
    }
    if any(part.sides or part.of for dice in ruleset.dice.values() for part in dice.parts):
        faces |= {str(face) for face in faces_of(MOST_SIDES)}
    faces |= {word for deck in ruleset.decks.values() for word in deck.cards}
    lots = any(isinstance(act.verb, m.SingleOut) for found in acts.values() for act in found)
    return faces | ({str(face) for face in LOTS} if lots else set())


def check_scene(stage: Stage, document: Mapping, faults: Faults) -> None:
    """Adds whatever keeps a fight from being played or judged: of a situation, an example, an engagement."""
    bound = stage.bound
    options = document.get("options")
    for entry in entries(document, "options") if options is not None else ():
        faults.attempt(read_options, bound, Mapping((entry,), entry[0].span))
    faults.attempt(read_combats, document.get("combats"))
    situation = document.get("situation")
    if not isinstance(situation, Mapping):
        return
    reading = Faults()
    state = read_state(bound.ruleset, situation, reading)
    faults.extend(reading.diagnostics)
    check_citations(bound.ruleset, document, faults, "exercises")
    check_citations(bound.ruleset, document, faults)
    if all(fault.code in HARMLESS for fault in reading.diagnostics):
        made = _made(stage, document, state)
        _Rehearsal(stage, state, faults, made, bound.among(made | _there(state))).check(document)


def _made(stage: Stage, document: Mapping, state: State) -> dict[str, str]:
    """The kind of each thing that a fight speaks of and that declarations or rows bring in."""
    said = set(WORD.findall(flow(document)))
    made = newcomers(stage.bound.ruleset, document.get("choices"), state.things, said)
    return {name: stage.makers[id(act)] for name, act in made.items()}


def _there(state: State) -> dict[str, str]:
    return {name: thing.kind for name, thing in state.things.items()}


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """One fight. `made` are the things that declarations and rows may bring in, by name: their kinds; `scope` holds
    everybody who may be spoken of."""

    stage: Stage
    state: State
    faults: Faults
    made: MappingType[str, str]
    scope: Scope

    @property
    def ruleset(self) -> m.Ruleset:
        return self.stage.bound.ruleset

    def check(self, document: Mapping) -> None:
        for row, answers in entries(document, "choices"):
            self._choice(row, answers)
        for roll in list_of(dice) if (dice := document.get("dice")) is not None else ():
            self._roll(roll)
        expect = document.get("expect")
        slipped = any(suggest(key.value, WANTED) for key, _ in document.entries if key.value not in WANTED)
        is_example = document.get("example") is not None and not slipped
        if is_example and all(says_nothing(document.get(key)) for key in WANTED):
            said, help = "this example expects nothing", "add `expect:` or `chances:` with what must come out"
            self.faults.add("missing-key", said, document.span.part(0, 1) if expect is None else expect.span, help=help)
        if isinstance(expect, Mapping):
            self._expected(expect)
        for key, chance in entries(document, "chances"):
            self.faults.attempt(self._chance, key, chance)

    # ---- who may be spoken of --------------------------------------------------------------------------
    def _kind_of(self, name: Text) -> str:
        thing = self.state.things.get(name.value)
        if thing is not None:
            return thing.kind
        if name.value not in self.made:
            raise Faulty.one(
                "unknown-thing",
                f"nobody is called `{name.value}`",
                name.span,
                help=suggest(name.value, self.state.things),
            )
        return self.made[name.value]

    # ---- choices ---------------------------------------------------------------------------------------
    def _choice(self, row: Text, answers: Node) -> None:
        acts = self._rows_that_ask(row)
        if not acts:
            return
        for who, answer in answers.entries if isinstance(answers, Mapping) else ():
            if self.faults.attempt(self._kind_of, who) is None:
                continue
            for one in answer.items if isinstance(answer, Listing) else (answer,):
                self._answer(acts, who, one)

    def _rows_that_ask(self, row: Text) -> list[m.Act]:
        """The rows of that name that ask a player; a fault if there is none."""
        acts = [act for act in self.stage.acts.get(row.value, ()) if isinstance(act.verb, m.Asking)]
        if not acts:
            asking = [
                id for id, found in self.stage.acts.items() if any(isinstance(act.verb, m.Asking) for act in found)
            ]
            self.faults.add(
                "unknown-name",
                f"no row that asks a player is called `{row.value}`",
                row.span,
                help=suggest(row.value, asking) or "these ask: " + ", ".join(asking),
            )
        return acts

    def _answer(self, acts: Iterable[m.Act], who: Text, answer: Node) -> None:
        """An answer must fit one of the rows of this id."""
        wrong: list[Diagnostic] = []
        for act in acts:
            verb = self.stage.asking[id(act)]
            if verb is None:
                return
            fact = verb.fact
            tried = Faults()
            if fact.kind != self._kind_of(who):
                tried.add("unknown-thing", f"`{act.id}` asks {a(fact.kind)}, and `{who.value}` is none", who.span)
            elif isinstance(verb, BoundDeclare):
                self._declaration(verb.kind, answer, tried)
            else:
                tried.attempt(self._value, fact.type, answer)
            if not tried.has_errors:
                return
            wrong = list(tried.diagnostics)
        self.faults.extend(wrong)

    def _declaration(self, kind: m.Kind, answer: Node, faults: Faults) -> None:
        declared = faults.attempt(mapping_of, answer, f"{kind.plural} by their names")
        for _, facts in declared.entries if declared else ():
            lines = faults.attempt(mapping_of, facts, f"the facts of one {kind.name}")
            for key, node in lines.entries if lines else ():
                one = kind.facts.get(key.value)
                if one is None or one.origin not in ("chosen", "given"):
                    chosen = [each.name for each in kind.facts.values() if each.origin in ("chosen", "given")]
                    faults.add(
                        "unknown-fact",
                        f"nobody chooses `{key.value}` of {a(kind.name)}",
                        key.span,
                        help=suggest(key.value, chosen),
                    )
                else:
                    self._fact(one, node, faults)

    def _fact(self, fact: m.Fact, node: Node, faults: Faults) -> None:
        if not isinstance(fact.type, Things):
            faults.attempt(self._value, fact.type, node)
            return
        kind = fact.type.kind
        for item in list_of(node):
            if not isinstance(item, Text) or item.value:
                faults.attempt(self._value, AThing(kind), item)

    def _value(self, type: Type, node: Node) -> None:
        """A value as it is written must be one that this type has."""
        if isinstance(type, AThing) and isinstance(node, Text) and self.made.get(node.value) == type.kind:
            return
        if isinstance(type, Per):
            for key, number in mapping_of(node, str(type)).entries:
                self._value(Word(type.words), key)
                self._value(Number(type.low, type.high), number)
            return
        read_value(type, node, self.ruleset, self.state)

    # ---- dice ------------------------------------------------------------------------------------------
    def _roll(self, roll: Node) -> None:
        faces = self.stage.faces
        shown = (
            [key for key, _ in roll.entries if key.value != "other"]
            if isinstance(roll, Mapping)
            else [item for item in list_of(roll) if isinstance(item, Text)]
        )
        for face in shown:
            if face.value.strip() not in faces:
                words = [each for each in faces if not each.lstrip("+-").isdigit()]
                several = face.value.replace(",", " ").split()
                help = suggest(face.value, words) or "write one entry for each roll, what the dice show: `[4, [2, 6]]`"
                if len(several) > 1:
                    help = f"write a list: `[{', '.join(several)}]`"
                self.faults.add("no-such-face", f"no die or deck shows `{face.value}`", face.span, help=help)

    # ---- what is asked at the end ----------------------------------------------------------------------
    def _sentence(self, key: Text) -> Type:
        """The type of a sentence about the things of this situation, who are called by their names."""
        return self.stage.bound.sentence(parse(key, "value"), self.scope).type

    def _chance(self, key: Text, chance: Node) -> None:
        type = self._sentence(key)
        if not isinstance(type, Flag):
            raise Faulty.one("wrong-type", f"`{key.value}` is {type}, not yes or no", key.span, help="say what it `is`")
        chance_of(chance)

    def _expected(self, expect: Mapping) -> None:
        plurals = {kind.plural: kind for kind in self.ruleset.kinds.values()}
        reads: dict[str, Callable[[Text, Node], None]] = {
            "before": self._before,
            "figures": self._figure,
            "causes": self._causes,
            "sides": self._side,
            "ends": self._end,
            "owes": self._owed,
            "asked": self._asked,
        }
        for key, node in expect.entries:
            if key.value == "illegal":
                self._illegal(node)
            elif key.value not in reads and key.value not in plurals:
                self.faults.add(
                    "unknown-key",
                    f"nothing called `{key.value}` can be expected",
                    key.span,
                    help=suggest(key.value, [*EXPECTED, *plurals]),
                )
            else:
                read = reads.get(key.value, self._thing)
                for one, line in node.entries if isinstance(node, Mapping) else ():
                    self.faults.attempt(read, one, line)

    def _before(self, row: Text, moments: Node) -> None:
        if row.value not in self.stage.acts:
            self.faults.add(
                "unknown-name", f"no row is called `{row.value}`", row.span, help=suggest(row.value, self.stage.acts)
            )
        for figures in list_of(moments):
            for key, value in figures.entries if isinstance(figures, Mapping) else ():
                if key.value != "causes":
                    self.faults.attempt(self._figure, key, value)
                for table, rows in value.entries if key.value == "causes" and isinstance(value, Mapping) else ():
                    self.faults.attempt(self._causes, table, rows)

    def _figure(self, key: Text, wanted: Node) -> None:
        self._wanted(self._sentence(key), wanted)

    def _wanted(self, type: Type, node: Node) -> None:
        if text_of(node, str(type)) != "nobody":
            self._value(Number() if isinstance(type, Number | Roll) else type, node)

    def _causes(self, key: Text, rows: Node) -> None:
        type = self._sentence(key)
        node = parse(key, "value").node
        name = node.path.names[0] if isinstance(node, Reading) else ""
        table = self.ruleset.tables.get(name)
        if table is None:
            raise Faulty.one(
                "wrong-type", f"`{key.value}` names no table", key.span, help=suggest(name, self.ruleset.tables)
            )
        for row, value in mapping_of(rows, "rows and what they give").entries:
            ids = [each.id for each in table.rows]
            if row.value not in ids:
                self.faults.add(
                    "unknown-name", f"`{name}` has no row `{row.value}`", row.span, help=suggest(row.value, ids)
                )
            elif not isinstance(type, Flag):
                self.faults.attempt(self._wanted, type, value)

    def _side(self, key: Text, wanted: Node) -> None:
        table = self.ruleset.tables.get("outcomes")
        kind = self._kind_of(key)
        if isinstance(wanted, Mapping):
            self._thing(key, wanted)
        elif table is not None and table.about:
            if kind != table.about[0]:
                raise Faulty.one("unknown-thing", f"`{key.value}` is no {table.about[0]}", key.span)
            self._value(Word(table.words), wanted)

    def _end(self, key: Text, fate: Node) -> None:
        kind = self._kind_of(key)
        if kind not in self.ruleset.ends:
            raise Faulty.one("unknown-thing", f"`ends` says nothing of {a(kind)}", key.span)
        self._value(Word(FATES), fate)

    def _owed(self, key: Text, owed: Node) -> None:
        self._kind_of(key)
        for item in list_of(owed):
            self.faults.attempt(self._value, Word(self.ruleset.obligations), item)

    def _asked(self, row: Text, whom: Node) -> None:
        """Whom a row asks is of the kind that it asks."""
        kinds = {verb.fact.kind for act in self._rows_that_ask(row) if (verb := self.stage.asking[id(act)]) is not None}
        for who in list_of(whom) if kinds else ():
            text_of(who, "a name")
            if isinstance(who, Text) and self._kind_of(who) not in kinds:
                said = f"`{row.value}` asks a {' or '.join(sorted(kinds))}, and `{who.value}` is none"
                self.faults.add("unknown-thing", said, who.span)

    def _illegal(self, clauses: Node) -> None:
        known = self.stage.forbidding
        for item in list_of(clauses):
            if isinstance(item, Text) and item.value not in known:
                self.faults.add(
                    "unknown-name",
                    f"no row that forbids cites `{item.value}`",
                    item.span,
                    help=suggest(item.value, known),
                )

    def _thing(self, key: Text, facts: Node) -> None:
        kind = self.ruleset.kinds[self._kind_of(key)]
        if isinstance(facts, Text):
            if facts.value not in ("gone", "here"):
                raise Faulty.one(
                    "wrong-shape",
                    f"`{facts.value}` is neither `gone` nor `here`, nor facts in braces",
                    facts.span,
                    help="write `gone`, `here`, or what is so in the end: `{broken: yes}`",
                )
            return
        for name, wanted in mapping_of(facts, "facts").entries:
            if name.value == "gone":
                self.faults.attempt(self._value, Flag(), wanted)
            elif name.value == "counter":
                self.faults.attempt(self._counter, wanted)
            elif name.value not in kind.facts:
                self.faults.add(
                    "unknown-fact",
                    f"{a(kind.name)} has no fact `{name.value}`",
                    name.span,
                    help=no_fact(name.value, kind),
                )
            else:
                fact = kind.facts[name.value]
                if fact.origin != "drawn" and not (isinstance(wanted, Text) and wanted.value == "nobody"):
                    self._fact(fact, wanted, self.faults)

    def _counter(self, node: Node) -> None:
        name = text_of(node, "the name of a counter")
        if name not in self.ruleset.counters:
            raise Faulty.one(
                "unknown-counter",
                f"no counter is called `{name}`",
                node.span,
                help=suggest(name, self.ruleset.counters),
            )
