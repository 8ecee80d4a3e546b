"""Who chooses: the answers a situation declares, row by row and in the order they are asked for.

Whether an answer is legal is held against the rules by `choices`; who asks a person at the terminal is `cli/asking`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeAlias

from closecombat.binding.bound import name_of_new
from closecombat.reading import model as m
from closecombat.reading.fields import child, list_of, mapping_of
from closecombat.reading.situation import State, find_thing
from closecombat.reading.types import Thing, a
from closecombat.text.faults import Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass

Asked: TypeAlias = Callable[[str], set[str]]  # of which kinds somebody is asked at a row
AnswerId: TypeAlias = tuple[str, str, int]  # an answer: its row, who gives it, and which time he is asked

SAME_NAMES = ("", "-2", "-3", "-4")  # of things that a row creates again and again


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player said, and where it is written."""

    node: Node

    def entries(self) -> tuple[tuple[Text, Node], ...]:
        return mapping_of(self.node, "what is declared of it").entries

    def things(self, node: Node, kind: str, state: State) -> list[Thing]:
        return [find_thing(state, item, kind) for item in list_of(node)]


@dataclass(slots=True)
class Declared:
    """Choices as a situation writes them: row -> who is asked -> the answer, or a list, one each time.

    Which time it is that somebody is asked is part of the state, so it is said by whoever asks.
    """

    choices: Mapping | None
    unanswered: Callable[..., None] | None = None  # told of a choice that nobody answers

    def turns(self, row: str, who: str, at_most: int | None) -> int:
        """How many answers are written one after the other; none if it is the same answer each time."""
        match self._find(row, who):
            case Listing(items):
                return len(items)
            case Mapping(declarations) if at_most is not None:
                return max(1, -(-len(declarations) // at_most))
        return 0

    def answer(self, row: str, who: str, turn: int, run: Any) -> Answer | None:
        node = self._find(row, who)
        if isinstance(node, Listing):
            return Answer(node.items[turn]) if turn < len(node.items) else None
        return None if node is None else Answer(node)

    def declared(self, row: str, who: str, at_most: int | None, turn: int, run: Any) -> dict[str, Answer] | None:
        """The things declared at a row, by name; with `at_most`, the next few of them."""
        node = self._find(row, who)
        if isinstance(node, Listing):
            node = node.items[turn] if turn < len(node.items) else None
        elif node is not None and at_most is not None:
            made = mapping_of(node, "a declaration").entries[turn * at_most : (turn + 1) * at_most]
            return {key.value: Answer(each) for key, each in made}
        if node is None:
            return None
        return {key.value: Answer(each) for key, each in mapping_of(node, "a declaration").entries}

    def _find(self, row: str, who: str) -> Node | None:
        if self.choices is None or (line := self.choices.get(row)) is None:
            return None
        return mapping_of(line, "who chooses what").get(who)

    def written(self) -> Iterator[tuple[AnswerId, Node]]:
        """Every answer there is: at which row, of whom, which time; and where it stands."""
        for row, line in self.choices.entries if self.choices is not None else ():
            for who, node in mapping_of(line, "who is asked, and the answer").entries:
                for turn, one in enumerate(node.items) if isinstance(node, Listing) else ((0, node),):
                    yield (row.value, who.value, turn), one

    def unused(self, asked: Asked, ruleset: m.Ruleset, state: State) -> list[Faulty]:
        """Choices for rows or things that do not exist and that nothing brings in, or for whom the row never asks."""
        out = []
        lines = self.choices.entries if self.choices is not None else ()
        named = {who.value for _, line in lines if isinstance(line, Mapping) for who, _ in line.entries}
        known = {*state.things, *newcomers(ruleset, self.choices, state.things, named)}
        for row, line in lines:
            kinds = asked(row.value)
            if not kinds:
                said = f"no row that asks a player is called `{row.value}`"
                rows = {
                    act.id for one in ruleset.sequences.values() for act in one.acts if isinstance(act.verb, m.Asking)
                }
                out.append(Faulty.one("unknown-name", said, row.span, help=suggest(row.value, rows)))
                continue
            for who, _ in mapping_of(line, "who is asked, and the answer").entries:
                thing = state.things.get(who.value)
                if who.value not in known:
                    help = suggest(who.value, state.things)
                    out.append(Faulty.one("unknown-thing", f"nobody is called `{who.value}`", who.span, help=help))
                elif thing is not None and thing.kind not in kinds:
                    kind = " or ".join(sorted(kinds))
                    said = f"`{row.value}` asks {a(kind)}, and `{who.value}` is none"
                    out.append(Faulty.one("unknown-thing", said, who.span))
        return out


def newcomers(
    ruleset: m.Ruleset, choices: Node | None, things: Iterable[str], said: Collection[str]
) -> dict[str, m.Act]:
    """What declarations make, and what rows create: of the names `said` those that it may have, and the row that makes
    it. All that something could be called are hundreds, and a situation speaks of a few."""
    makers = (m.Declare, m.Create)
    asking = [act for one in ruleset.sequences.values() for act in one.acts if isinstance(act.verb, makers)]
    made: dict[str, m.Act] = {}
    for act in asking:
        if isinstance(act.verb, m.Declare):
            made |= {f"{thing}-{id}": act for id in act.verb.otherwise or () for thing in things}
            line = child(choices, act.id)
            for _, answer in line.entries if isinstance(line, Mapping) else ():
                made |= {
                    name.value: act for one in list_of(answer) if isinstance(one, Mapping) for name, _ in one.entries
                }
    speakers = {*things, *made}
    for act in asking:
        if isinstance(act.verb, m.Create):
            alias = name_of_new(act.verb, ruleset.counters[act.verb.counter.name].kind)
            made |= {name: act for name in said if name.startswith(alias) and _names_one(name[len(alias) :], speakers)}
    return made


def _names_one(rest: str, speakers: Collection[str]) -> bool:
    """Whether a new thing may have this behind its name: who it is for, and which of several of one name it is."""
    return any(
        rest.endswith(end) and (not (whose := rest.removesuffix(end)) or (whose[0] == "-" and whose[1:] in speakers))
        for end in SAME_NAMES
    )
