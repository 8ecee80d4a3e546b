"""A document as a ruleset: kinds, words, options, groups, clauses. Charts are read by `charts`, dice by
`chance`, cards by `decks`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from closecombat.reading import charts
from closecombat.reading.chance import Die, handful, printed_dice, read_dice, read_die
from closecombat.reading.decks import lists_of, read_deck, rows_of
from closecombat.reading.fields import (
    NAME,
    Fields,
    are_yes_and_no,
    child,
    entries,
    list_of,
    mapping_of,
    name_of,
    place_of,
    text_of,
    whole,
    yes_no,
)
from closecombat.reading.look_ups import read_look_ups
from closecombat.reading.model import (
    Clause,
    Counter,
    Deck,
    Dice,
    Fact,
    Group,
    Kind,
    Named,
    Option,
    Origin,
    Ruleset,
    SecondReading,
    SheetPage,
)
from closecombat.reading.phrases import plural
from closecombat.reading.properties import read_property
from closecombat.reading.spellings import TYPES, for_line
from closecombat.reading.types import ACounter, AThing, Flag, Number, Per, Roll, SomeDice, Things, Type, Word, asked
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow

ORIGINS = ("given", "printed", "chosen", "rolled", "drawn", "noted")
SCOPES = ("core", "edge", "outside")


def read_ruleset(document: Mapping, faults: Faults, variants: tuple[str, ...] = ()) -> Ruleset:
    """A ruleset from its merged document; whatever is wrong is added to `faults`, the rest is read."""
    top = Fields(document, "a ruleset", faults)
    name = top.name("ruleset")
    if not name:
        faults.add("missing-key", "a ruleset needs `ruleset:`, its name", document.span.part(0, 1))
    if top.text("language", "1") != "1":
        faults.add("wrong-shape", "this program reads `language: 1`", top.need("language").span)
    rounds = Fields(_rounds(top.get("rounds"), faults) or _nothing(document), "rounds", faults)
    lists = _each(
        top, "words", faults, charts.read_words, failed=((), {})
    )  # no list is empty, and no die without faces
    words = {name: of for name, (of, _) in lists.items()}
    dies = _each(top, "dies", faults, read_die, failed=Die(()))
    decks = _each(top, "decks", faults, read_deck)
    unread = {key.value: () for key, _ in entries(document, "decks")}
    words = {**unread, **lists_of(decks, words)}
    tables, grids = charts.read_tables(_mapping(top, "tables"), faults, words)
    for deck, rows in rows_of(decks, faults):
        grids |= charts.read_words(deck, rows, faults)[1]
    for key in ("outcomes", "strength-lost"):
        node = top.get(key)
        if node is not None:
            tables |= charts.read_tables(Mapping(((_key(key, node), node),), node.span), faults, words)[0]
    for _, columns in lists.values():
        grids |= columns
    ends = _each(top, "ends", faults, charts.read_end)
    for _, more in ends.values():
        tables |= more
    assumptions = _each(top, "assumptions", faults, _assumption, any_key=True)
    properties = _each(top, "properties", faults, read_property)
    for _, more in properties.values():
        tables |= more
    ruleset = Ruleset(
        name=name,
        title=top.text("title", name),
        start=top.name("start"),
        until=rounds.cell("until", "condition"),
        between=rounds.name("between"),
        sources=_each(top, "sources", faults, _remark("a source"), any_key=True),
        options=_each(top, "options", faults, _option),
        assumptions={id: text for id, (text, _) in assumptions.items()},
        second_readings={id: other for id, (_, other) in assumptions.items() if other is not None},
        kinds=_settled(_each(top, "kinds", faults, lambda key, node, f: _kind(key, node, f, words)), decks),
        words=words,
        counters=_counters(top, faults),
        dice=_each(top, "dice", faults, lambda key, node, f: read_dice(key, node, f, dies, words)),
        decks=decks,
        groups=_each(top, "groups", faults, _group),
        tables=tables,
        grids=grids,
        sequences=_each(top, "sequences", faults, charts.read_sequence),
        ends={kind: end for kind, (end, _) in ends.items()},
        properties={name: one for name, (one, _) in properties.items()},
        obligations=top.texts("obligations"),
        clauses=_each(top, "clauses", faults, _clause, any_key=True),
        chapters=_each(top, "chapters", faults, _remark("a title"), any_key=True),
        sheet=_each(top, "sheet", faults, _sheet_page),
        place=document.span,
        variants=variants,
        start_place=start.span if (start := top.get("start")) is not None else None,
        between_place=place_of(top.get("rounds"), "between"),
    )
    ruleset = replace(ruleset, dice=_with_printed(ruleset))
    ruleset = replace(ruleset, kinds=_with_worded(ruleset))
    ruleset = replace(ruleset, words={name: words for name, words in ruleset.words.items() if words})
    ruleset = replace(ruleset, failed=_failed(document, ruleset))
    for key in ("about", "note"):
        top.get(key)
    rounds.done()
    top.done()
    return ruleset


def _with_printed(ruleset: Ruleset) -> dict[str, Dice]:
    """The lines of `dice`, and the dice that a rolled fact names as they are printed, `2d6`."""
    dice = dict(ruleset.dice)
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Roll) and fact.type.dice not in dice and (hand := handful(fact.type.dice)):
                dice[fact.type.dice] = printed_dice(fact.type.dice, hand, fact.where)
    return dice


def _with_worded(ruleset: Ruleset) -> dict[str, Kind]:
    """The kinds, with what is rolled known for what its dice show: numbers or words."""
    worded = {
        name
        for name, dice in ruleset.dice.items()
        if any(isinstance(face, str) for part in dice.parts for faces in part.faces.values() for face in faces)
    }

    def known(fact: Fact) -> Fact:
        return (
            replace(fact, type=Roll(fact.type.dice, True))
            if isinstance(fact.type, Roll) and fact.type.dice in worded
            else fact
        )

    return {
        name: replace(kind, facts={key: known(fact) for key, fact in kind.facts.items()})
        for name, kind in ruleset.kinds.items()
    }


def _nothing(document: Mapping) -> Mapping:
    return Mapping((), document.span)


def _mapping(top: Fields, key: str) -> Mapping | None:
    node = top.get(key)
    return None if node is None else top.faults.attempt(mapping_of, node, f"a mapping under `{key}`")


def _remark(what: str) -> Callable[[Text, Node, Faults], str]:
    return lambda key, node, faults: text_of(node, what)


def _assumption(key: Text, node: Node, faults: Faults) -> tuple[str, SecondReading | None]:
    """What is taken for granted, and what could be instead."""
    if not isinstance(node, Mapping):
        return text_of(node, "an assumption"), None
    fields = Fields(node, f"assumption `{key.value}`", faults)
    text, only, other = text_of(fields.need("text"), "an assumption"), fields.text("only"), fields.get("else")
    if other is not None and only:
        message = f"`{key.value}` has another reading, and says that there is none"
        faults.add("wrong-shape", message, key.span, help="write `else:` or `only:`, not both")
    fields.done()
    changes = () if other is None else list_of(other)
    return text, SecondReading(tuple(changes), only) if changes or only else None


def _key(name: str, node: Node) -> Text:
    return Text(name, node.span, True, node.span)


def _entries(top: Fields, key: str) -> tuple[tuple[Text, Node], ...]:
    node = top.get(key)
    return () if node is None else mapping_of(node, f"a mapping under `{key}`").entries


def _each(
    top: Fields,
    key: str,
    faults: Faults,
    read: Callable[[Text, Node, Faults], Any],
    any_key: bool = False,
    failed: Any = None,
) -> dict[str, Any]:
    """Reads every entry under a key; a faulty one is reported and left out, or is `failed`."""
    out: dict[str, Any] = {}
    for name, node in faults.attempt(_entries, top, key) or ():
        id = name.value if any_key else faults.attempt(name_of, name, f"a name under `{key}`")
        found = faults.attempt(read, name, node, faults)
        if id is not None and found is not None:
            out[id] = found
        elif id is not None and failed is not None:
            out[id] = failed
    return out


def _failed(document: Mapping, ruleset: Ruleset) -> frozenset[str]:
    """The names of what is written and could not be read, with the words that it may have held: whoever asks for one
    of them is not to blame."""
    read: dict[str, Any] = {
        "words": ruleset.words,
        "groups": ruleset.groups,
        "tables": {**ruleset.tables, **ruleset.grids},
        "options": ruleset.options,
        "sequences": ruleset.sequences,
        "dice": ruleset.dice,
        "decks": ruleset.decks,
        "kinds": ruleset.kinds,
    }
    lost = [
        (key, node)
        for section, known in read.items()
        for key, node in entries(document, section)
        if key.value not in known
    ]
    for _, sheet in entries(document, "counters"):
        lost += [(key, node) for key, node in entries(sheet, "rows") if key.value not in ruleset.counters]
    names = set[str]()
    for name, kind in entries(document, "kinds"):
        facts = ruleset.kinds[name.value].facts if name.value in ruleset.kinds else {}
        for origin in ORIGINS:
            unread = [(key, node) for key, node in entries(kind, origin) if key.value not in facts]
            if unread:  # it may have been meant to hold a word of any list
                names |= {word for words in ruleset.words.values() for word in words}
            lost += unread
    return frozenset(names | {key.value for key, _ in lost} | {word for _, node in lost for word in _words_in(node)})


def _words_in(node: Node) -> Iterator[str]:
    """The words of a list, or of those in a line, that could not be read; and how it calls a member."""
    if isinstance(each := child(node, "each"), Text):
        yield each.value
    if isinstance(node, Listing):
        yield from (item.value for item in node.items if isinstance(item, Text))
    for _, inner in node.entries if isinstance(node, Mapping) else ():
        yield from _words_in(inner)


# ---- kinds and facts ------------------------------------------------------------------------------------


def _kind(key: Text, node: Node, faults: Faults, words: dict[str, tuple[str, ...]]) -> Kind:
    fields = Fields(node, f"kind `{key.value}`", faults)
    facts: dict[str, Fact] = {}
    for origin in ORIGINS:
        for name, line in faults.attempt(_entries, fields, origin) or ():
            fact = faults.attempt(_fact, key.value, name, line, origin, faults, words)
            if fact is None:
                continue
            if fact.name in facts:
                faults.add(
                    "duplicate-id",
                    f"`{fact.name}` is already a fact of {key.value}",
                    name.span,
                    labels=((facts[fact.name].where.place, "here"),),
                )
            facts[fact.name] = fact
    kind = Kind(key.value, fields.name("plural", plural(key.value)), fields.flag("one"), facts, fields.origin())
    fields.done()
    return kind


def _settled(kinds: dict[str, Kind], decks: dict[str, Deck]) -> dict[str, Kind]:
    """The kinds with the members of every set called by the name of their kind, as which its plural is read, and with
    the cards that a drawn fact may be."""
    plurals = {kind.plural: kind.name for kind in reversed(kinds.values())}  # of two of one plural the first is meant

    def settled(fact: Fact) -> Fact:
        match fact.type:
            case Things(kind) if kind in plurals:
                return replace(fact, type=replace(fact.type, kind=plurals[kind]))
            case Word() if fact.deck in decks:
                return replace(fact, type=Word(tuple(decks[fact.deck].cards)))
            case Per() if fact.deck in decks:
                cards = decks[fact.deck].cards
                return replace(fact, type=Per(tuple(cards), 0, max(cards.values())), default=(dict.fromkeys(cards, 0),))
        return fact

    return {
        name: replace(kind, facts={key: settled(fact) for key, fact in kind.facts.items()})
        for name, kind in kinds.items()
    }


def _fact(kind: str, key: Text, node: Node, origin: str, faults: Faults, words: dict[str, tuple[str, ...]]) -> Fact:
    name = name_of(key, "a fact")
    default_node: Node | None = None
    where = Origin(key.span.to(node.span))
    type: Type
    deck, shown, says = "", True, ""
    if isinstance(node, Mapping):
        fields = Fields(node, f"fact `{name}`", faults)
        if (seen := fields.get("shown")) is not None:
            shown = yes_no(seen)
        default_node, says = fields.get("default"), fields.text("says")
        where = fields.origin()
        where = Origin(key.span.to(node.span), where.cites, where.assumed, where.note)
        if fields.get("are") is not None:
            type = Things(fields.name("are"), fields.name("each", name.removesuffix("s")))
        elif fields.get("per") is not None:
            low, high = _range(text_of(fields.need("is"), "a range"), fields.need("is"))
            type = Per(_list_named(fields.need("per"), words), low, high)
        else:
            type, deck = _type(fields.need("is"), origin, words)
        fields.done()
    else:
        type, deck = _type(node, origin, words)
    if default_node is not None and (like := _like(type, default_node)):
        return Fact(kind, name, origin, type, None, deck, where, shown, like, says)
    if default_node is None:
        _must_hold_0(name, type, origin, node, faults)
    default = _silent(type, origin) if default_node is None else (_default(type, default_node),)
    return Fact(kind, name, origin, type, default, deck, where, shown, "", says)


def _must_hold_0(name: str, type: Type, origin: str, node: Node, faults: Faults) -> None:
    """A number of which nothing is said is 0: so what it is said to be must hold that."""
    if not isinstance(type, Per) and not (isinstance(type, Number) and _silent(type, origin) == (0,)):
        return
    low, high = type.low, type.high
    if low is None or (low <= 0 and (high is None or high >= 0)):
        return
    until = {"noted": "begins at 0", "chosen": "is 0 until it is answered"}.get(origin, "")
    if isinstance(type, Per):
        until = "is 0 for each word of which nothing is said"
    said = f"{low} to {high}"
    wider = f"{min(low, 0)} to {0 if high is None else max(high, 0)}"
    help = f"`{wider}`" if isinstance(type, Per) else f"`{name}: {{is: {said}, default: {low}}}`, say, or `{wider}`"
    faults.add("out-of-range", f"`{name}` is {said}, and {until}", node.span, help=f"write {help}")


def _like(type: Type, node: Node) -> str:
    """The fact that a default names, unless it is a value of the type."""
    text = node.value.strip() if isinstance(node, Text) else ""
    is_value = text in ("yes", "no", "nobody") or (isinstance(type, Word) and text in type.words)
    return "" if is_value or not NAME.match(text) or handful(text) is not None else text


def _list_named(node: Node, words: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if isinstance(node, Listing):
        return charts.listed_words(node)
    name = text_of(node, "a type")
    if name not in words:
        listed = name.removesuffix(" or nobody")
        if listed in words:
            message, help = f"`{listed}` is a list of words, and `nobody` is only for things", f"write `{listed}`"
            help += f", and put a word for it into the list: `{listed}: [none, ..]`"
            raise Faulty.one("unknown-name", message, node.span, help=help)
        raise Faulty.one(
            "unknown-name",
            f"`{name}` does not say what the fact holds",
            node.span,
            help=suggest(name, [*words, "flag", "number", "a counter", "the other side"]) or for_line(name, TYPES),
        )
    if not words[name]:
        raise Faulty.told()
    return words[name]


def _rounds(node: Node | None, faults: Faults) -> Node | None:
    """What stands under `rounds:`; their number is no such thing, since a fight is over when something is so."""
    if isinstance(node, Text) and node.value.strip():
        help = (
            "write what is so when it is over, `{until: any side where (number of units is 0)}`; where rounds are "
            "counted `{until: round is 3}`, with `noted: {round: 0 to 3}` of the fight and a row `{do: add 1 to round}`"
        )
        faults.add("wrong-shape", "`rounds:` says until when a fight goes on", node.span, help=help)
        return None
    return node


def _range(text: str, node: Node) -> tuple[int, int]:
    found = re.fullmatch(r"(-?\d{1,6}) to (-?\d{1,6})", text)
    if not found or int(found[1]) > int(found[2]):
        if inside := re.search(r"-?\d+ to -?\d+", text):
            help = f"write `{inside[0]}`" if inside[0] != text else "write the lower end first: `0 to 12`"
        else:
            help = for_line(text, TYPES[:-1]) or "write a range such as `0 to 12`"
        raise Faulty.one("wrong-type", f"`{text}` is not a range such as `0 to 12`", node.span, help=help)
    return int(found[1]), int(found[2])


def _type(node: Node, origin: str, words: dict[str, tuple[str, ...]]) -> tuple[Type, str]:
    """The type a fact's line names, and the deck of a drawn fact."""
    if isinstance(node, Listing):
        if are_yes_and_no(node):
            help = "what is yes or no is called a flag: write `flag`"
            raise Faulty.one("wrong-shape", "`yes` and `no` are no words of a list", node.span, help=help)
        return Word(_list_named(node, words)), ""
    text = text_of(node, "a type")
    if origin == "rolled":
        return Roll(text), ""
    if text == "dice":
        return SomeDice(), ""
    if origin == "drawn":
        hand = re.fullmatch(r"cards of (.*)", text)  # which cards these are is filled in when all is read
        return (Per((), 0, 0), hand[1]) if hand else (Word(()), text)
    if text == "flag":
        return Flag(), ""
    number = text.removesuffix(" or nobody")
    if number == "number":
        return Number(nobody=number != text), ""
    if " to " in text:
        return Number(*_range(number, node), nobody=number != text), ""
    if text == "the other side" or text.startswith("the other "):
        return AThing(text.split()[2], other=True), ""
    if found := re.fullmatch(r"an? counter( or nobody)?", text):
        return ACounter(bool(found[1])), ""
    if found := re.fullmatch(r"an? ([a-z0-9-]+)( or nobody)?", text):
        return AThing(found[1], bool(found[2])), ""
    return Word(_list_named(node, words)), ""


def _silent(type: Type, origin: str) -> tuple[Any] | None:
    """What a fact is when nobody says: a tuple of one value, or None if somebody has to say."""
    match type:
        case Flag():
            return (False,)
        case Things() | Roll():
            return (None,)
        case Per(words):
            return (dict.fromkeys(words, 0),)
        case AThing(nobody=True) | ACounter(nobody=True) | Number(nobody=True) | AThing(other=True):
            return (None,)
        case Number() if origin in ("chosen", "noted"):
            return (0,)
        case _ if origin in ("chosen", "noted", "drawn"):
            return (None,)
    return None


def _default(type: Type, node: Node) -> Any:
    text = text_of(node, "a default")
    match type:
        case Flag():
            if text in ("yes", "no"):
                return text == "yes"
        case Number(nobody=True) if text == "nobody":
            return None
        case Number(low, high):
            value = whole(node, "a whole number")
            if low is None or high is None or low <= value <= high:
                return value
        case Word(words):
            if text in words:
                return text
        case AThing(nobody=True) | ACounter(nobody=True):
            if text == "nobody":
                return None
        case SomeDice():
            if (hand := handful(text)) is not None:
                return hand
        case Things():
            help = "leave it out: who is in a set stands in the situation, and a set of which nothing is said is empty"
            raise Faulty.one("wrong-type", "a set has no default", node.span, help=help)
    raise Faulty.one("wrong-type", f"`{text}` is not {type}", node.span, help=f"write {asked(type)}")


# ---- the counter sheet ----------------------------------------------------------------------------------


def _counters(top: Fields, faults: Faults) -> dict[str, Counter]:
    out: dict[str, Counter] = {}
    for kind, node in faults.attempt(_entries, top, "counters") or ():
        faults.attempt(_sheet, kind.value, node, out, faults)
    return out


def _sheet(kind: str, node: Node, out: dict[str, Counter], faults: Faults) -> None:
    _refuse_rows_alone(kind, node)
    fields = Fields(node, f"the counter sheet of {kind}", faults)
    columns = [name_of(item, "a column") for item in list_of(fields.need("columns"))]
    rows = mapping_of(fields.need("rows"), "rows")
    said = _said(fields.get("says"), [name.value for name, _ in rows.entries], faults)
    for name, line in rows.entries:
        cells = list_of(line)
        if len(cells) != len(columns):
            help = f"write a list with a value for each column: `[{', '.join(columns)}]`"
            faults.add("wrong-shape", f"{len(columns)} columns, but {len(cells)} values", line.span, help=help)
            continue
        if name.value in out:
            faults.add("duplicate-id", f"a counter is already called `{name.value}`", name.span)
        id = faults.attempt(name_of, name, "a counter")
        if id is not None:
            out[id] = Counter(id, kind, dict(zip(columns, cells, strict=True)), said.get(id, ""))
    fields.origin()
    fields.done()


def _refuse_rows_alone(kind: str, node: Node) -> None:
    """Counters that stand where the sheet has its columns and rows, each with its own columns."""
    lines = node.entries if isinstance(node, Mapping) and "columns" not in node else ()
    found = [(key, line) for key, line in lines if isinstance(line, Mapping) and key.value != "rows"]
    faults = Faults()
    for place, (key, line) in enumerate(found):
        row = f"`{key.value}: [{', '.join(flow(value) for _, value in line.entries)}]`"
        first = f"`columns: [{', '.join(line.keys())}]`, and below it under `rows:` "
        message = f"the counter sheet of {kind} says its columns once, and then a line for each counter"
        faults.add("wrong-shape", message, key.span, help=f"write {'' if place else first}{row}")
    faults.raise_if_any()


def _said(node: Node | None, rows: Sequence[str], faults: Faults) -> dict[str, str]:
    """How players call some of the counters."""
    out: dict[str, str] = {}
    for name, text in mapping_of(node, "names of counters, `t-34: T-34`").entries if node is not None else ():
        if name.value not in rows:
            message = f"no counter of this sheet is called `{name.value}`"
            faults.add("unknown-counter", message, name.span, help=suggest(name.value, rows))
        said = faults.attempt(text_of, text, f"how players call `{name.value}`")
        out[name.value] = said or ""
    return out


# ---- the rest -------------------------------------------------------------------------------------------


def _group(key: Text, node: Node, faults: Faults) -> Group:
    fields = Fields(node, f"group `{key.value}`", faults)
    fields.need("are")
    members = fields.cell("are", "members")
    if members is None:
        raise Faulty.told()
    about = charts.subjects_in(fields)
    if len(about) > 1:
        faults.add(
            "wrong-shape",
            f"group `{key.value}` is about {', '.join(about)}",
            fields.need("about").span,
            help="a group belongs to one thing, or to nobody",
        )
    each, roles = fields.name("each", key.value.removesuffix("s")), charts.roles_in(fields)
    group = Group(key.value, each, about[:1], members, fields.origin(), roles)
    fields.done()
    return group


def _option(key: Text, node: Node, faults: Faults) -> Option:
    fields = Fields(node, f"option `{key.value}`", faults)
    readings = charts.listed_words(fields.need("readings"))
    default = text_of(fields.need("default"), "a reading")
    if default not in readings:
        raise Faulty.one(
            "unknown-word",
            f"`{default}` is not a reading of `{key.value}`",
            fields.need("default").span,
            help=suggest(default, readings),
        )
    where = Origin(fields.span, fields.texts("cites"), (), fields.text("note"))
    why, assumed, title = fields.text("why"), _assumed_by_reading(key, fields, readings), fields.text("title")
    option = Option(key.value, readings, default, why, assumed, where, title)
    fields.done()
    return option


def _assumed_by_reading(key: Text, fields: Fields, readings: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """What is assumed by whoever takes a reading."""
    node = fields.get("assumed")
    if node is None:
        return {}
    if not isinstance(node, Mapping):
        said = f"`assumed` does not say which reading of `{key.value}` is assumed"
        raise Faulty.one("wrong-shape", said, node.span, help=f"write `assumed: {{{readings[0]}: ..}}`")
    out: dict[str, tuple[str, ...]] = {}
    for reading, ids in node.entries:
        if reading.value not in readings:
            said = f"`{reading.value}` is not a reading of `{key.value}`"
            raise Faulty.one("unknown-word", said, reading.span, help=suggest(reading.value, readings))
        out[reading.value] = tuple(text_of(item, "the id of an assumption") for item in list_of(ids))
    return out


def _clause(key: Text, node: Node, faults: Faults) -> Clause:
    fields = Fields(node, f"clause `{key.value}`", faults)
    clause = Clause(
        key.value, fields.text("rule"), fields.text("scope", "core"), fields.text("left-out"), fields.origin()
    )
    if clause.scope not in SCOPES:
        faults.add(
            "unknown-word",
            f"`{clause.scope}` is not one of {', '.join(SCOPES)}",
            fields.need("scope").span,
            help=suggest(clause.scope, SCOPES),
        )
    fields.need("rule")
    if clause.scope == "outside" and not clause.left_out:
        faults.add(
            "missing-key",
            f"clause `{key.value}` is outside, and nothing says why",
            key.span,
            help="add `left-out: why`, such as the phase or chapter that it belongs to",
        )
    fields.done()
    return clause


def _sheet_page(key: Text, node: Node, faults: Faults) -> SheetPage:
    fields = Fields(node, f"the page `{key.value}`", faults)
    title, printed, clauses = fields.text("title"), _named(fields, "charts"), _named(fields, "clauses")
    chances, meant = read_look_ups(fields, faults), fields.flag("meant")
    if not (printed or clauses or chances or meant):
        faults.add("missing-key", f"the page `{key.value}` has nothing on it", key.span, help="add `charts:`, a list")
    fields.get("note")
    fields.done()
    return SheetPage(key.value, title, printed, clauses, key.span, chances, meant)


def _named(fields: Fields, key: str) -> tuple[Named, ...]:
    node = fields.get(key)
    return () if node is None else tuple(Named(text_of(item, "a name"), item.span) for item in list_of(node))
