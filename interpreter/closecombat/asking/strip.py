"""An example played through, as a strip of pictures: how all stand at first, then each step in which something was
rolled, chosen or changed, with those who stand otherwise after it.

Only what players see is told: no fact that is `shown: no`, no step in which nothing came out, and of the charts that
were read those that their sheet prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from closecombat.asking.counter_sheet import title_of
from closecombat.asking.resolution import Resolution
from closecombat.binding.trace import Event
from closecombat.reading.aloud import Speaker
from closecombat.reading.model import Fact, Ruleset
from closecombat.reading.phrases import GAP, no_longer, of_flag, sentence
from closecombat.reading.steps import step
from closecombat.reading.types import Word, shown
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

ARROW = "\u2192"  # from what to what


@dataclass(frozen=True, slots=True)
class Token:
    """One who is there: its name, what is printed on it, and what is so of it."""

    name: str
    counter: str
    marks: tuple[str, ...] = ()
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A picture: what is done, what was rolled, what came out of it, and how those stand who are in it."""

    title: str
    rolls: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]
    sides: tuple[tuple[str, tuple[Token, ...]], ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """`about` is what the example says of itself; `ends` how each side has come out."""

    example: str
    about: str
    panels: tuple[Panel, ...]
    ends: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Scene:
    """What is known while a strip is drawn."""

    ruleset: Ruleset
    titles: Mapping[Span, str]  # of a row of a sequence, by where it stands: the step in words
    worth: Mapping[tuple[str, str], str]  # a row of a table in words
    hidden: frozenset[str]
    sides: dict[str, dict[str, Token]] = field(default_factory=dict)
    panels: list[Panel] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)  # read since the last picture

    def run(self, events: Iterable[Event]) -> None:
        for event in events:
            match event.what:
                case "reading":
                    self.run(event.inside)
                    self.figure(event)
                case "row":
                    self.row(event)
                case _:
                    self.run(event.inside)

    def row(self, event: Event) -> None:
        """A row: its own dice, answers and effects are one picture; the rows within it have theirs."""
        rolls: list[tuple[str, str]] = []
        lines: list[str] = []
        touched: dict[str, None] = {}
        for one in event.inside:
            match one.what:
                case "roll" | "lots" | "deal":
                    rolls.append((f"{one.name}{one.of}".replace("-", " "), str(one.value)))
                case "choice" if one.value not in (None, False):
                    lines.append(self.answer(one))
                case "effect":
                    line = self.effect(one, touched)
                    if line:
                        lines.append(line)
                case _:
                    self.run([one])
        if rolls or lines:
            title = self.titles.get(event.where.place, "") if event.where is not None else ""
            self.draw(title or sentence([event.name.replace("-", " ")]), rolls, lines, touched)

    def draw(self, title: str, rolls: list[tuple[str, str]], lines: list[str], touched: Iterable[str]) -> None:
        last = self.panels[-1] if self.panels else None
        names = set(touched)
        sides = tuple(
            (side, tuple(token for name, token in tokens.items() if name in names))
            for side, tokens in self.sides.items()
            if names & tokens.keys()
        )
        made = Panel(title, tuple(rolls), (*self.figures, *lines), sides)
        self.figures = []
        if last is not None and last.title == title:
            both = {
                side: dict.fromkeys((*dict(last.sides).get(side, ()), *dict(sides).get(side, ())))
                for side in self.sides
            }
            there = {side: {token.name: token for token in tokens} for side, tokens in both.items() if tokens}
            merged = tuple((side, tuple(tokens.values())) for side, tokens in there.items())
            self.panels[-1] = Panel(title, last.rolls + made.rolls, last.lines + made.lines, merged)
        else:
            self.panels.append(made)

    def figure(self, event: Event) -> None:
        """What a chart that the sheet prints came to."""
        if isinstance(event.value, bool) or event.value in (None, 0):
            return
        chart = event.name.split(" ")[0]
        table = self.ruleset.tables.get(chart) or self.ruleset.grids.get(chart)
        if table is None or not table.title or (chart, "") not in self.worth:
            return
        because = [self.cause(chart, row, gives, len(event.causes) > 1) for row, gives, _ in event.causes if row]
        said = f"{table.title}{event.of}: {shown(event.value)}"
        self.figures.append(f"{said} ({'; '.join(because)})" if because else said)

    def cause(self, chart: str, row: str, gives: str, amount: bool) -> str:
        """A row that made a figure; with what it gave where there are several."""
        text = self.worth.get((chart, row), row)
        text = text if text[1:2].isupper() else text[:1].lower() + text[1:]
        number = gives.split(",")[0].removeprefix("add ").removeprefix("times ")
        return f"{number} {text}" if amount and gives.startswith(("add", "times")) else text

    def answer(self, event: Event) -> str:
        who, known = event.of.removeprefix(" of "), self.fact(event.name)
        if event.value is True:
            said = known.says if known is not None else ""
            return f"{who} {said or (_spaced(event.name) if '-' in event.name else of_flag(event.name))}"
        said = shown(event.value).replace("; ", ", ")
        return f"{who}: {_spaced(event.name)} {said}" if known is not None else f"{who} names {event.name}: {said}"

    def effect(self, event: Event, touched: dict[str, None]) -> str:
        """What has changed, in words, and on the counter."""
        who, (verb, _, rest) = event.of.removeprefix(" of "), event.name.partition(" ")
        side = next((tokens for tokens in self.sides.values() if who in tokens), None)
        value, name, sums = "", rest, ""
        match verb:
            case "set":
                name, _, value = rest.partition(" to ")
            case "add" | "take":
                value, _, name = rest.partition(" to " if verb == "add" else " from ")
                name, _, sums = name.partition(": ")  # told with the last of several that are done together
            case "put" | "remove":
                value, _, name = rest.rpartition(" into " if verb == "put" else " from ")
        known = self.fact(name)
        if side is None or name in self.hidden:
            return ""
        if known is not None and isinstance(known.type, Word):
            value = _spaced(value)
        token, mark = side[who], _spaced(name)
        marks = tuple(one for one in token.marks if one != mark and not one.startswith(f"{mark} "))
        phrase = known.says if known is not None and known.says and GAP not in known.says else of_flag(mark)
        match verb:
            case "gain":
                token, line = replace(token, marks=(*marks, mark)), phrase
            case "lose":
                token, line = replace(token, marks=marks), no_longer(phrase)
            case "leave":
                token, line = replace(token, gone=True), "leaves the fight"
            case "become":
                title = title_of(self.ruleset, rest)
                token, line = replace(token, counter=title), f"becomes {title}"
            case "set":
                token, line = replace(token, marks=(*marks, f"{mark} {value}")), f"has {mark} {value}"
            case "add" | "take" if sums:
                now = sums.partition(f" {ARROW} ")[2].partition(",")[0]
                token = replace(token, marks=(*marks, f"{mark} {now}"))
                line = f"has {mark} {sums}"
            case "add" | "take":
                line = f"has {value} {'more' if verb == 'add' else 'less'} {mark}"
            case "owe":
                line = f"owes {mark}"
            case _:
                line = f"has {value} {'among' if verb == 'put' else 'no longer among'} {mark}"
        side[who] = token
        touched[who] = None
        return f"{who} {line}"

    def fact(self, name: str) -> Fact | None:
        return next((kind.facts[name] for kind in self.ruleset.kinds.values() if name in kind.facts), None)


def strip_of(ruleset: Ruleset, example: str, situation: Node | None, about: str, played: Resolution) -> Strip:
    """The strip of a playing; of its situation only who is there and what is said of each."""
    hidden = frozenset(f.name for kind in ruleset.kinds.values() for f in kind.facts.values() if not f.shown)
    titles, worth = words_of(ruleset)
    scene = _Scene(ruleset, titles, worth, hidden)
    scene.sides = {side: {token.name: token for token in tokens} for side, tokens in _tokens(ruleset, situation)}
    first = tuple((side, tuple(tokens.values())) for side, tokens in scene.sides.items())
    scene.panels.append(Panel("At first", (), tuple(_ground(situation)), first))
    scene.run(played.events)
    ends = tuple((side, word.replace("-", " ")) for side, word in played.sides.items())
    return Strip(example, " ".join(about.split()), tuple(scene.panels), ends)


def words_of(ruleset: Ruleset) -> tuple[dict[Span, str], dict[tuple[str, str], str]]:
    """Every step in words by where it stands, and every row of a table by its names; the charts of the sheet have one
    without a row too."""
    speaker = Speaker(ruleset)
    titles: dict[Span, str] = {}
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            speaker.of(sequence)
            titles[act.where.place] = step(speaker, act)
    worth: dict[tuple[str, str], str] = {}
    for table in ruleset.tables.values():
        for row in table.rows if " " not in table.name else ():
            speaker.of(table)
            worth[table.name, row.id] = speaker.row(row)
    worth |= {(chart.name, ""): "" for page in ruleset.sheet.values() for chart in page.charts}
    return titles, worth


def _spaced(name: str) -> str:
    return name.replace("-", " ")


def _tokens(ruleset: Ruleset, situation: Node | None) -> Iterator[tuple[str, list[Token]]]:
    sides = situation.get("sides") if isinstance(situation, MappingNode) else None
    for side, there in sides.entries if isinstance(sides, MappingNode) else ():
        tokens = []
        for _, things in there.entries if isinstance(there, MappingNode) else ():
            for name, thing in things.entries if isinstance(things, MappingNode) else ():
                if isinstance(thing, MappingNode):
                    tokens.append(_token(ruleset, name.value, thing))
        yield side.value, tokens


def _token(ruleset: Ruleset, name: str, thing: MappingNode) -> Token:
    counter = thing.get("counter")
    title = title_of(ruleset, counter.value.strip()) if isinstance(counter, Text) else ""
    marks = [_mark(key.value, node) for key, node in thing.entries if key.value != "counter"]
    return Token(name, title, tuple(mark for mark in marks if mark))


def _mark(name: str, node: Node) -> str:
    if not isinstance(node, Text) or node.value == "no":
        return ""
    said = name.replace("-", " ")
    return said if node.value == "yes" else f"{said} {node.value}"


def _ground(situation: Node | None) -> Iterator[str]:
    """What is said of the fight itself."""
    fight = situation.get("fight") if isinstance(situation, MappingNode) else None
    for key, node in fight.entries if isinstance(fight, MappingNode) else ():
        if mark := _mark(key.value, node):
            yield mark
