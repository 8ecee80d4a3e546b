"""An example played through, as a strip of pictures: how all stand at first, then each step in which something was
rolled, chosen or changed, with those who stand otherwise after it.

Only what players see is told: no fact that is `shown: no`, no step in which nothing came out, and of the charts that
were read those that their sheet prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from closecombat.asking.played.resolution import Resolution
from closecombat.asking.printed.counter_sheet import marked, title_of
from closecombat.binding.trace import Event
from closecombat.reading.aloud import Speaker
from closecombat.reading.model import Fact, Ruleset
from closecombat.reading.phrases import GAP, has_subject, no_longer, of_flag, sentence
from closecombat.reading.steps import hidden_facts, step
from closecombat.reading.types import Flag, Word, shown
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

APPEARS = " appears"
SETS = ("set", "add", "take", "put", "remove")
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
    printed: frozenset[str]  # the charts of the sheet
    hidden: frozenset[str]
    single: frozenset[str]  # the kinds of which there is one, such as the fight
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
                case "choice" if one.value is not None and one.value is not False:
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
        figures = ["; ".join(self.figures)] if self.figures else []
        made = Panel(title, tuple(rolls), (*figures, *lines), sides)
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
        if table is None or not table.title or chart not in self.printed:
            return
        value = _spaced(shown(event.value)) if isinstance(event.value, str) else shown(event.value)
        if not any(said.endswith(f"{event.of}: {value}") for said in self.figures):  # what is left of it, as it was
            self.figures.append(f"{table.title}{event.of}: {value}")

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
        if event.name.endswith(APPEARS):
            return self.appears(who, event.name.removesuffix(APPEARS), touched)
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
        is_seen = side is not None or who in self.sides or who in self.single
        if not is_seen or name in self.hidden:
            return ""
        if known is not None and isinstance(known.type, Word):
            value = _spaced(value)
        token, mark = side[who] if side is not None else Token(who, ""), _spaced(name)
        if known is not None and isinstance(known.type, Flag):
            mark = marked(known)
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
        if side is not None:
            side[who] = token
            touched[who] = None
        if has_subject(line):
            return line
        if who in self.single:
            return line.removeprefix("has ") if verb in SETS else f"it {line}"
        return f"{who} {line}"

    def appears(self, who: str, made: str, touched: dict[str, None]) -> str:
        """A counter that has come into play: `fresh (recruit)`, for a side or somebody of it."""
        name, _, counter = made.removesuffix(")").partition(" (")
        tokens = self.sides.get(who) or next((each for each in self.sides.values() if who in each), None)
        title = title_of(self.ruleset, counter)
        if tokens is not None:
            tokens[name] = Token(name, title)
            touched[name] = None
        return f"{name} ({title}) appears"

    def fact(self, name: str) -> Fact | None:
        return next((kind.facts[name] for kind in self.ruleset.kinds.values() if name in kind.facts), None)


def strip_of(
    ruleset: Ruleset, printed: frozenset[str], example: str, situation: Node | None, about: str, played: Resolution
) -> Strip:
    """The strip of a playing, with what the charts said that are `printed`; of its situation only who is there and what
    is said of each."""
    single = frozenset(kind.name for kind in ruleset.kinds.values() if kind.one)
    scene = _Scene(ruleset, steps_of(ruleset), printed, hidden_facts(ruleset), single)
    scene.sides = {side: {token.name: token for token in tokens} for side, tokens in _tokens(ruleset, situation)}
    first = tuple((side, tuple(tokens.values())) for side, tokens in scene.sides.items())
    scene.panels.append(Panel("At first", (), tuple(_ground(ruleset, situation)), first))
    scene.run(played.events)
    ends = tuple((side, word.replace("-", " ")) for side, word in played.sides.items())
    return Strip(example, " ".join(about.split()), tuple(scene.panels), ends)


def steps_of(ruleset: Ruleset) -> dict[Span, str]:
    """Every step of a sequence in words, by where it stands."""
    speaker = Speaker(ruleset)
    titles: dict[Span, str] = {}
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            speaker.of(sequence)
            titles[act.where.place] = step(speaker, act)
    return titles


def printed_on(ruleset: Ruleset) -> frozenset[str]:
    """The charts of the sheet of a ruleset that was read whole."""
    return frozenset(chart.name for page in ruleset.sheet.values() for chart in page.charts)


def _spaced(name: str) -> str:
    return name.replace("-", " ")


def _tokens(ruleset: Ruleset, situation: Node | None) -> Iterator[tuple[str, list[Token]]]:
    """Who is there side by side, each before those who stand under him; then those who are on no side."""
    for key, group in situation.entries if isinstance(situation, MappingNode) else ():
        if key.value == "sides":
            for side, there in _things(group):
                yield side, list(_those_in(ruleset, there))
        elif tokens := [one for name, thing in _things(group) for one in _with_own(ruleset, name, thing)]:
            yield _spaced(key.value), tokens


def _things(node: Node) -> Iterator[tuple[str, MappingNode]]:
    """The things of a set, as a situation describes them; none of what is no set."""
    if isinstance(node, MappingNode) and all(isinstance(thing, MappingNode) for _, thing in node.entries):
        yield from ((name.value, thing) for name, thing in node.entries if isinstance(thing, MappingNode))


def _those_in(ruleset: Ruleset, there: MappingNode) -> Iterator[Token]:
    for _, things in there.entries:
        for name, thing in _things(things):
            yield from _with_own(ruleset, name, thing)


def _with_own(ruleset: Ruleset, name: str, thing: MappingNode) -> Iterator[Token]:
    yield _token(ruleset, name, thing)
    yield from _those_in(ruleset, thing)


def _token(ruleset: Ruleset, name: str, thing: MappingNode) -> Token:
    counter = thing.get("counter")
    title = title_of(ruleset, counter.value.strip()) if isinstance(counter, Text) else ""
    marks = [_mark(ruleset, key.value, node) for key, node in thing.entries if key.value != "counter"]
    return Token(name, title, tuple(mark for mark in marks if mark))


def _mark(ruleset: Ruleset, name: str, node: Node) -> str:
    if not isinstance(node, Text) or node.value == "no":
        return ""
    fact = next((kind.facts[name] for kind in ruleset.kinds.values() if name in kind.facts), None)
    if node.value == "yes":
        return marked(fact) if fact is not None and isinstance(fact.type, Flag) else _spaced(name)
    value = _spaced(node.value) if fact is not None and isinstance(fact.type, Word) else node.value
    return f"{_spaced(name)} {value}"


def _ground(ruleset: Ruleset, situation: Node | None) -> Iterator[str]:
    """What is said of the fight itself, and of the sides."""
    fight, sides = (situation.get(key) if isinstance(situation, MappingNode) else None for key in ("fight", "sides"))
    for key, node in fight.entries if isinstance(fight, MappingNode) else ():
        if mark := _mark(ruleset, key.value, node):
            yield mark
    for side, there in _things(sides) if isinstance(sides, MappingNode) else ():
        marks = [mark for key, node in there.entries if (mark := _mark(ruleset, key.value, node))]
        if marks:
            yield f"{side}: {', '.join(marks)}"
