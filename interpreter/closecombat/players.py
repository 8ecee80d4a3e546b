"""Who chooses: the answers a situation declares, row by row and in the order they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from closecombat import model as m
from closecombat.diagnostics import Faulty, suggest
from closecombat.document import Listing, Mapping, Node, Text
from closecombat.fields import child, list_of, mapping_of
from closecombat.state import State, find_thing
from closecombat.values import Thing

Asked: TypeAlias = Callable[[str], set[str]]  # of which kinds somebody is asked at a row

ASKING = ("choose", "declare")
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
    """Choices as a situation writes them: row -> who is asked -> the answer, or a list, one each time."""

    choices: Mapping | None
    unanswered: Callable[..., None] | None = None  # told of a choice that nobody answers
    _asked: dict[tuple[str, str], int] = field(default_factory=dict)
    _used: set[tuple[str, str]] = field(default_factory=set)

    def answer(self, row: str, who: str, run: Any) -> Answer | None:
        node = self._find(row, who)
        if node is None:
            return None
        if isinstance(node, Listing):
            turn = self._asked.get((row, who), 0)
            self._asked[row, who] = turn + 1
            return Answer(node.items[turn]) if turn < len(node.items) else None
        return Answer(node)

    def declared(self, row: str, who: str, at_most: int | None, run: Any) -> dict[str, Answer] | None:
        """The things declared at a row, by name; with `at_most`, the next few of them."""
        node = self._find(row, who)
        if node is None:
            return None
        turn = self._asked.get((row, who), 0)
        if isinstance(node, Listing):
            self._asked[row, who] = turn + 1
            if turn >= len(node.items):
                return None
            return {k.value: Answer(n) for k, n in mapping_of(node.items[turn], "a declaration").entries}
        all_of = [(k.value, Answer(n)) for k, n in mapping_of(node, "a declaration").entries]
        if at_most is None:
            return dict(all_of)
        self._asked[row, who] = turn + at_most
        return dict(all_of[turn : turn + at_most])

    def _find(self, row: str, who: str) -> Node | None:
        if self.choices is None or (line := self.choices.get(row)) is None:
            return None
        self._used.add((row, who))
        return mapping_of(line, "who chooses what").get(who)

    def unused(self, asked: Asked, ruleset: m.Ruleset, state: State) -> list[Faulty]:
        """Choices for rows or things that do not exist and that nothing brings in, or for whom the row never asks."""
        out = []
        known = {*state.things, *newcomers(ruleset, self.choices, state.things)}
        for row, line in self.choices.entries if self.choices is not None else ():
            kinds = asked(row.value)
            if not kinds:
                said = f"no row that asks a player is called `{row.value}`"
                rows = {act.id for one in ruleset.sequences.values() for act in one.acts if act.verb in ASKING}
                out.append(Faulty.one("unknown-name", said, row.span, help=suggest(row.value, rows)))
                continue
            for who, _ in mapping_of(line, "who is asked, and the answer").entries:
                thing = state.things.get(who.value)
                if who.value not in known:
                    help = suggest(who.value, state.things)
                    out.append(Faulty.one("unknown-thing", f"nobody is called `{who.value}`", who.span, help=help))
                elif thing is not None and thing.kind not in kinds:
                    kind = " or ".join(sorted(kinds))
                    said = f"`{row.value}` asks a {kind}, and `{who.value}` is none"
                    out.append(Faulty.one("unknown-thing", said, who.span))
        return out


def newcomers(ruleset: m.Ruleset, choices: Node | None, things: Iterable[str]) -> dict[str, m.Act]:
    """What declarations make, and what rows create, under every name it may have: the row that makes it."""
    acts = [act for sequence in ruleset.sequences.values() for act in sequence.acts]
    made: dict[str, m.Act] = {}
    for act in acts:
        if act.verb == "declare":
            made |= {f"{thing}-{id}": act for id in act.cells.get("otherwise", {}) for thing in things}
            line = child(choices, act.id)
            for _, answer in line.entries if isinstance(line, Mapping) else ():
                made |= {
                    name.value: act for one in list_of(answer) if isinstance(one, Mapping) for name, _ in one.entries
                }
    speakers = [*things, *made]
    for act in acts:
        if act.verb == "create":
            alias = act.cells.get("as", "new-" + ruleset.counters[str(act.object)][0])
            made |= {name + end: act for name in (alias, *(f"{alias}-{who}" for who in speakers)) for end in SAME_NAMES}
    return made
