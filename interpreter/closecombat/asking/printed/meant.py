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
from closecombat.reading.model import Fact, Grid, Origin, Table
from closecombat.reading.phrases import GAP, lowered, plural, sentence
from closecombat.reading.steps import title_of
from closecombat.reading.types import Number, Roll, a, shown
from closecombat.text.slotted import dataclass

RestsOf: TypeAlias = Callable[[Origin, tuple[str, ...], s.Cell | None], Rests]


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
                yield Line(f"{kind.name}.{fact.name}", self.called(fact), text, self.rests(where, ids, None))

    def groups(self) -> Iterator[Line]:
        """Who is in a set with a name."""
        speaker = self.speaker
        for name, group in speaker.ruleset.groups.items():
            kinds = {one: group.roles[one].name if one in group.roles else one for one in group.about}
            speaker.of_somebody(group.about, {one: speaker.members.get(kind, kind) for one, kind in kinds.items()})
            text = speaker.value(group.members.node)
            called = speaker.name(name)
            if group.each not in name and plural(group.each) != name:
                called += f" (each a {speaker.name(group.each)})"
            yield Line(name, called, text, self.rests(group.where, ("groups", name), group.members))

    def ranges(self) -> Iterator[Line]:
        """How low and how high a number goes that is added to and taken from."""
        ruleset = self.speaker.ruleset
        effects = [cell.node for chain in ruleset.sequences.values() for act in chain.acts for cell in act.effects]
        moved = {node.fact.names[0] for node in effects if isinstance(node, s.Add | s.Take)}
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                if isinstance(fact.type, Number) and fact.shown and fact.name in moved and fact.type.low is not None:
                    text = f"{fact.type.low} to {fact.type.high}{self.at_first(fact)}"
                    yield Line(f"{kind.name}.{fact.name}", self.called(fact), text, Rests())

    def at_first(self, fact: Fact) -> str:
        """What a number is where nothing else is said of it."""
        if fact.like:
            return f", at first the {self.speaker.name(fact.like)}"
        return "" if fact.default is None else f", at first {shown(fact.default[0])}"

    def called(self, fact: Fact) -> str:
        """What a fact is called; of whom it is, where another has one of that name."""
        name = self.speaker.called(fact).replace(GAP, "").strip()
        kinds = [kind for kind in self.speaker.ruleset.kinds.values() if fact.name in kind.facts]
        return name if len(kinds) == 1 else f"{name} of {a(fact.kind)}"

    def reckoned(self) -> Iterator[Line]:
        """Tables of one sentence, but for those that stand on a page."""
        for name, table in self.speaker.ruleset.tables.items():
            if table.value is not None and " " not in name and name not in self.own:
                made = self.table(table)
                text = ", ".join(filter(None, (lowered(made.lines[0].text), made.how.replace("; ", ", "))))
                yield Line(name, lowered(made.title), text, made.rests)

    def rounds(self) -> Iterator[Line]:
        """When it is over, and what is between two rounds."""
        ruleset = self.speaker.ruleset
        self.speaker.of_somebody((), {})
        if ruleset.until is not None and not isinstance(ruleset.until.node, s.Literal):
            when = self.speaker.value(ruleset.until.node).removeprefix("whether ")
            rests = self.rests(Origin(ruleset.until.place), ("rounds",), ruleset.until)
            yield Line("rounds", "over", f"when {when}", rests)
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
