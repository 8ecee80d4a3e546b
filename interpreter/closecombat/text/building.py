"""From the events of a YAML text (`text/events`) to nodes, one event at a time.

Whatever is too deep, too many or not allowed stops where it stands, and nothing nested is ever walked by a recursion
that the file controls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from closecombat.text.events import (
    AliasEvent,
    DocumentStartEvent,
    Doubtful,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    events,
    quick_events,
)
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Source, Span, unprintable

MOST_NODES = 100_000
DEEPEST = 40


def built(source: Source) -> Node | None:
    """The one document of a text; nothing if there are only comments. Raises `Faulty` as `document.parse` says."""
    quick = quick_events(source)
    if quick is not None:
        try:
            return _built(source, quick)
        except (Doubtful, Faulty):
            pass  # what is wrong, and whether anything is, is for the other reader to say
    return _built(source, events(source))


def _built(source: Source, found: Iterator[Event]) -> Node | None:
    builder = _Builder(source, found)
    node: Node | None = None
    for event in builder.events:
        match event:
            case DocumentStartEvent() if node is not None:
                builder.fault_several_documents(event)
                break
            case NodeEvent():
                node = builder.node(event, depth=1)
    builder.faults.raise_if_any()
    return node


class _Builder:
    """Turns the parser's events into nodes, and notes what is not allowed."""

    __slots__ = ("count", "events", "faults", "source")

    def __init__(self, source: Source, found: Iterator[Event]) -> None:
        self.source = source
        self.events = found
        self.faults = Faults()
        self.count = 0

    def node(self, event: Event, depth: int) -> Node:
        """The node that begins with an event. Recursion goes no further than `DEEPEST`."""
        self.refuse_excess(event, depth)
        self.refuse_references(event)
        match event:
            case MappingStartEvent():
                return self.mapping(event, depth)
            case SequenceStartEvent():
                return self.listing(event, depth)
            case ScalarEvent():
                return self.text(event)
            case _:  # an alias, refused above: any text will do to go on with
                span = self.span(event)
                return Text(span.text, span, True, span)

    def mapping(self, start: MappingStartEvent, depth: int) -> Mapping:
        span = self.span(start)
        entries: list[tuple[Text, Node]] = []
        first: dict[str, Text] = {}
        too_far_in: set[str] = set()
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self.node(event, depth + 1)
            value = self.node(next(self.events), depth + 1)
            if not isinstance(key, Text) or not key.value:
                self.fault_key(key)
                continue
            if isinstance(value, Text) and value.plain and not value.value:
                if start.flow_style and not (entries and entries[-1][1].span == entries[-1][0].span):
                    self.fault_empty_key(key, entries[-1] if entries else None)
                value = Text("", key.span, True, Span(self.source, key.span.end, key.span.end))
            if key.value in first:
                of_first = next(old for name, old in entries if name.value == key.value)
                alone = next((name for name, value in entries[::-1] if _is_empty(value)), None)
                if start.flow_style or alone is None or alone.span.start < first[key.value].span.start:
                    self.fault_duplicate(key, first[key.value], (of_first, value))
                elif alone.value not in too_far_in:
                    too_far_in.add(alone.value)
                    self.fault_too_far_in(alone, key, first[key.value])
            first.setdefault(key.value, key)
            entries.append((key, value))
            span = span.to(value.span if value.span.end > key.span.end else key.span)
        return Mapping(tuple(entries), span.to(self.span(event)) if start.flow_style else span)

    def listing(self, start: SequenceStartEvent, depth: int) -> Listing:
        span = self.span(start)
        items: list[Node] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self.node(event, depth + 1))
            span = span.to(items[-1].span)
        return Listing(tuple(items), span.to(self.span(event)) if start.flow_style else span)

    def text(self, event: ScalarEvent) -> Text:
        span = self.span(event)
        raw = span.text
        match event.style:
            case '"' | "'":
                content = span.part(1, len(raw) - 1)
                escape = "\\" if event.style == '"' else "''"
                self.refuse_unprintable(event.value, span)
                return Text(event.value, span, False, content, escape in content.text)
            case "|" | ">":
                body = raw.find("\n") + 1 or len(raw)
                content = span.part(body + len(raw[body:]) - len(raw[body:].lstrip()), len(raw.rstrip()))
                if content.end <= content.start:
                    content = span.part(body, body)
                return Text(event.value, span.part(0, len(raw.rstrip())), False, content)
            case _:
                return Text(event.value, span, True, span)

    def span(self, event: Event) -> Span:
        return Span(self.source, event.start_mark.index, event.end_mark.index)

    # ---- what is not allowed ---------------------------------------------------------------------------

    def refuse_excess(self, event: Event, depth: int) -> None:
        self.count += 1
        if depth > DEEPEST:
            message = f"this is nested more than {DEEPEST} levels deep"
            help = "look for a bracket that is never closed, or give the inner part a name of its own"
            raise Faulty.one("too-deep", message, self.span(event), help=help)
        if self.count > MOST_NODES:
            message = f"the file holds more than {MOST_NODES:,} keys and values"
            help = "split it: the files of a folder are read together"
            raise Faulty.one("too-many-nodes", message, self.span(event), help=help)

    def refuse_references(self, event: Event) -> None:
        help = "write the text out where it is needed; quote it if the sign belongs to the text"
        match event:
            case AliasEvent():
                message = f"`*{event.anchor}` refers to another place in the file"
                help += "; to multiply in a row, write `times:`"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
            case NodeEvent() if event.anchor:
                message = f"`&{event.anchor}` names a place in the file for later reference"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
            case ScalarEvent(value="<<") if not event.style:
                message = "`<<` would mix other lines into these"
                self.faults.add("alias-not-allowed", message, self.sign(event), help=help)
        if isinstance(event, ScalarEvent | MappingStartEvent | SequenceStartEvent) and event.tag:
            span = self.sign(event)
            help = "leave it out: what a text means follows from where it stands; quote it if it is text"
            blanks = len(self.source.text[span.end :]) - len(self.source.text[span.end :].lstrip(" "))
            mend = ((Span(self.source, span.start, span.end + blanks), ""),)
            self.faults.add("tag-not-allowed", f"`{span.text}` is a YAML tag", span, help=help, mend=mend)

    def refuse_unprintable(self, value: str, span: Span) -> None:
        """An escape such as `\\e` would bring into every output what the text itself may not hold."""
        if value.isprintable():
            return
        if found := unprintable(value):
            message = f"character U+{ord(found[0]):04X} cannot stand in a text, however it is written"
            self.faults.add("not-text", message, span, help="delete it")

    def sign(self, event: Event) -> Span:
        """What an event begins with, up to a blank or a bracket."""
        span = self.span(event)
        sign = re.compile(r"[^\s,\[\]{}]*").match(self.source.text, span.start, span.end)
        return Span(self.source, *sign.span()) if sign else span

    def fault_several_documents(self, event: Event) -> None:
        help = "put the second document into a file of its own"
        self.faults.add("several-documents", "a second document begins here", self.span(event), help=help)

    def fault_key(self, key: Node) -> None:
        if isinstance(key, Text):
            message, help = "there is no key before this colon", "write the name it belongs to"
        else:
            message, help = "a name stands before a colon, neither a list nor braces", "write a name"
        self.faults.add("wrong-shape", message, key.span, help=help)

    def fault_empty_key(self, key: Text, before: tuple[Text, Node] | None) -> None:
        message, help = _instead_of_a_comma(key.value, before, bool(_TELLS_A_FIGHT.search(self.source.text)))
        self.faults.add("empty-key", message, key.span, help=help)

    def fault_too_far_in(self, key: Text, again: Text, first: Text) -> None:
        """A heading that stands as far in as what is below it, which comes to belong to the heading above."""
        labels = ((first.span, f"`{first.value}:` is written here"), (again.span, "and again here"))
        message = f"there is nothing below `{key.value}:`: what follows stands no further in"
        help = f"indent `{key.value}:` less, as the headings beside it, or what follows more"
        self.faults.add("duplicate-key", message, key.span, labels=labels, help=help)

    def fault_duplicate(self, key: Text, first: Text, values: tuple[Node, Node]) -> None:
        message = f"`{key.value}:` is written twice here"
        labels = ((key.span, "again here"), (first.span, "first here"))
        one, other = (value.value if isinstance(value, Text) else "" for value in values)
        help = "keep one of them, or give the second another name"
        for joined, word in _JOINED_BY:
            if one and other and key.value == joined:
                parts = [f"({part})" if re.search(r" (?:and|or) ", part) else part for part in (one, other)]
                help = f"write `{joined}: {f' {word} '.join(parts)}`"
        if one and other and key.value == "do":
            help = f"several effects are a list: write `do: [{one}, {other}]`"
        self.faults.add("duplicate-key", message, key.span, labels=labels, help=help)


_PROSE = ("note", "says", "title", "about", "why", "rule", "left-out")  # keys whose text is for people
_NO_COLUMNS = ("about", "is", "add", "times", "each", "for", "play", "roll")  # keys that hold no words to choose from
_JOINED_BY = (("when", "and"), ("unless", "or"))  # keys of which two say together what one sentence says
_TELLS_A_FIGHT = re.compile(r"^ *(?:- )?(?:situation|sides|choices):", re.MULTILINE)  # who is named stands in a list


def _is_empty(node: Node) -> bool:
    return isinstance(node, Text) and node.plain and not node.value


def _instead_of_a_comma(said: str, before: tuple[Text, Node] | None, is_fight: bool) -> tuple[str, str]:
    """What is wrong, and what to write, where a comma inside braces has begun a column that nobody meant."""
    if found := re.fullmatch(r"([\w-]+):(\S.*)", said):
        return "a space is missing after the colon", f"write `{found[1]}: {found[2]}`"
    if found := re.fullmatch(r"([a-z-]+) ([+-]?\d.*)", said):
        return f"a colon is missing after `{found[1]}`", f"write `{found[1]}: {found[2]}`"
    if found := re.fullmatch(r"([\w-]+(?: [\w-]+)*?) ?={1,2} ?(\S.*)", said):
        return "what it is stands behind a colon", f"write `{found[1]}: {found[2]}`"
    key, text = ("", "")
    if before is not None and isinstance(before[1], Text):
        key, text = before[0].value, before[1].value
    if found := re.match(r"(max|min)\(", text):
        way = "the higher of" if found[1] == "max" else "the lower of"
        return f"`{found[1]}(..)` is said with `{way}`", f"write `{way} {text[found.end() :]} and {said.rstrip(')')}`"
    if key == "do":
        return "several effects are a list", f"write `do: [{text}, {said}]`"
    if key == "about" and " " not in text + said:
        return "several names are a list", f"write `about: [{text}, {said}]`"
    if (key in _PROSE and not (key == "about" and re.fullmatch(r"[a-z-]+", text))) or key != key.lower():
        return "a text with a comma stands in quotes", f'write `{key}: "{text}, {said}"`'
    if found := re.fullmatch(r"every (.+) where \((?:not )?(.+)\)", said):
        who = found[1]
        help = f"write what each is, `every {who}: ..`; or that there is no other, `when: no {who} where (..)`"
        return f"it is not said what `{said}` is", help
    if text and (found := re.fullmatch(r"(?:rounding|rounded|round) (up|down|to nearest)", said)):
        return "rounding is said without a comma", f"write `{key}: {text} rounded {found[1]}`"
    if re.fullmatch(r".+ is .+", said):
        return "a condition stands under `when:`", f"write `when: {said}`"
    if text and (found := re.fullmatch(r"not ([a-z][\w -]*)", said)):
        return "what is not so is said with a colon", f"write `{found[1]}: no`"
    if re.match(r"(?:any|no|every) ", said):
        help = f"say what that is, `{said}: ..`; whether there is one is `when: {said}`"
        return f"it is not said what `{said}` is", help
    if found := re.fullmatch(r"(?:both|all|each) ([a-z-]+?)s?", said):
        return "whom a row looks at stands under `each:`", f"write `each: {found[1]}`"
    if is_fight and not text and (pair := re.fullmatch(r"([a-z][\w-]*) (\S+)", said)):
        return f"a colon is missing after `{pair[1]}`", f"write `{pair[1]}: {pair[2]}`"
    if " " in said and not text:
        help = "whom a row looks at stands under `each:` or `for:`, a condition under `when:`, as in `when: unit is ..`"
        return f"it is not said what `{said}` is for", help
    if not text:
        return f"`{said}` stands alone inside braces", f"say what it is, `{said}: yes`; a list stands in `[ ]`"
    if is_fight and " " not in text + said:
        return "several names are a list", f"write `{key}: [{text}, {said}]`"
    if re.fullmatch(r"[+-]?\d+", text) and not re.search(r"\d", said):
        return f"`{said}` stands alone inside braces", f"say what it is, `{said}: yes`"
    if key in _NO_COLUMNS:
        return f"it is not said what `{said}` is", f"write a key and a colon before it, such as `is: {said}`"
    return "the words that it may be are joined by `or`", f"write `{key}: {text} or {said}`"
