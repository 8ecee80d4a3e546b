"""What no chart of a page says and a player must know: which dice are thrown, which cards a deck has, who is meant by a
group, how far a number goes, what is reckoned in one sentence, when it is over; and what a list says of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from typing import TypeAlias

from closecombat.asking.printed.sheet_parts import Line, Part, Printed, Rests, Rows
from closecombat.reading import syntax as s
from closecombat.reading.aloud import Speaker
from closecombat.reading.chance_aloud import cards, throw
from closecombat.reading.model import Grid, Origin, Table
from closecombat.reading.phrases import GAP, lowered, sentence
from closecombat.reading.steps import title_of
from closecombat.reading.types import Number, Roll, shown
from closecombat.text.slotted import dataclass

RestsOf: TypeAlias = Callable[[Origin, tuple[str, ...]], Rests]


@dataclass(frozen=True, slots=True)
class Glossary:
    """`own` are the charts that stand on pages; how they are printed (`table`), and what a line rests on (`rests`), is
    for whoever makes the pages to say."""

    speaker: Speaker
    own: Set[str]
    table: Callable[[Table], Rows]
    rests: RestsOf

    def parts(self) -> Iterator[Part]:
        lines = (*self.thrown(), *self.groups(), *self.ranges(), *self.reckoned(), *self.rounds())
        if lines:
            yield Rows("", "What is meant", "", lines, "", Rests())
        yield from self.lists()

    def thrown(self) -> Iterator[Line]:
        """Which dice and cards facts are."""
        ruleset, speaker = self.speaker.ruleset, self.speaker
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                speaker.of_somebody((kind.name,), {kind.name: kind.name})
                if fact.origin == "rolled" and isinstance(fact.type, Roll):
                    ids, dice = ("dice", fact.type.dice), ruleset.dice.get(fact.type.dice)
                    text, where = (throw(speaker, dice), dice.where) if dice else (fact.type.dice, fact.where)
                elif fact.origin == "drawn" and fact.deck in ruleset.decks:
                    ids, deck = ("decks", fact.deck), ruleset.decks[fact.deck]
                    text, where = f"{'' if fact.is_hand else 'one card '}of {cards(speaker, deck)}", deck.where
                else:
                    continue
                yield Line(f"{kind.name}.{fact.name}", speaker.called(fact), text, self.rests(where, ids))

    def groups(self) -> Iterator[Line]:
        """Who is in a set with a name."""
        speaker = self.speaker
        for name, group in speaker.ruleset.groups.items():
            kinds = {one: group.roles[one].name if one in group.roles else one for one in group.about}
            speaker.of_somebody(group.about, {one: speaker.members.get(kind, kind) for one, kind in kinds.items()})
            text = speaker.value(group.members.node)
            yield Line(name, speaker.name(name), text, self.rests(group.where, ("groups", name)))

    def ranges(self) -> Iterator[Line]:
        """How low and how high a number goes that is added to and taken from."""
        ruleset = self.speaker.ruleset
        effects = [cell.node for chain in ruleset.sequences.values() for act in chain.acts for cell in act.effects]
        moved = {node.fact.names[0] for node in effects if isinstance(node, s.Add | s.Take)}
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                if isinstance(fact.type, Number) and fact.shown and fact.name in moved and fact.type.low is not None:
                    name = self.speaker.called(fact).replace(GAP, "").strip()
                    yield Line(f"{kind.name}.{fact.name}", name, f"{fact.type.low} to {fact.type.high}", Rests())

    def reckoned(self) -> Iterator[Line]:
        """Tables of one sentence, but for those that stand on a page."""
        for name, table in self.speaker.ruleset.tables.items():
            if table.value is not None and " " not in name and name not in self.own:
                made = self.table(table)
                yield Line(name, lowered(made.title), lowered(made.lines[0].text), made.rests)

    def rounds(self) -> Iterator[Line]:
        """When it is over, and what is between two rounds."""
        ruleset = self.speaker.ruleset
        self.speaker.of_somebody((), {})
        if ruleset.until is not None and not isinstance(ruleset.until.node, s.Literal):
            when = self.speaker.value(ruleset.until.node).removeprefix("whether ")
            yield Line("rounds", "over", f"when {when}", Rests())
        if ruleset.between:
            between = lowered(title_of(self.speaker, ruleset.between))
            yield Line("rounds", "round after round", f"between two of them: {between}", Rests())

    def lists(self) -> Iterator[Printed]:
        """What a list says of its words: what each arm weighs, what each result costs."""
        found: dict[str, list[Grid]] = {}
        word = self.speaker.word
        for grid in self.speaker.ruleset.grids.values():
            if grid.across is None and " of " in grid.name and len(grid.columns) == 1:
                found.setdefault(grid.about[0], []).append(grid)
        for name, grids in found.items():
            title, columns = sentence([word(name)]), tuple(word(grid.columns[0].text) for grid in grids)
            lines = tuple(
                (word(line.text), tuple(_cell(grid.cells[at][0]) for grid in grids))
                for at, line in enumerate(grids[0].lines)
            )
            yield Printed(name, title, "", "", columns, lines, (), Rests())


def _cell(value: object) -> str:
    return "-" if value is None else shown(value)
