"""Whether a ruleset's kinds, facts, words and counters fit together, before any sentence is looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from closecombat.reading.fields import NAME, are_yes_and_no, child, entries, list_of, place_of
from closecombat.reading.model import Create, Fact, Kind, Ruleset, roles_of
from closecombat.reading.ruleset import ORIGINS
from closecombat.reading.sentences import MEANT_ALONE, is_keyword
from closecombat.reading.situation import read_printed
from closecombat.reading.types import AThing, Number, Per, Roll, Things, Word, a
from closecombat.reading.wordings import NUMBERS, WORD
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.source import Span

BUILT_IN = ("in-play", "column", "face", "number", "whoever")  # names that the language gives a meaning
NOT_A_FACT = ("counter", "gone", "new", "owes")  # what stands among somebody's facts in a situation or a result
OF_EVERY_ROW = ("assumed", "cites", "note", "repeat", "says", "title", "unless", "when")  # keys: they head no column
AT_START = "-at-start"
LOST = "strength-lost"
ENDS = ("outcomes", LOST)  # tables that are asked from outside


def check_vocabulary(ruleset: Ruleset, document: Node, faults: Faults) -> Ruleset | None:
    """Adds whatever is wrong with the names and types that sentences are made of.

    The ruleset without the facts that nobody can give a meaning; nothing if sentences cannot be bound at all.
    """
    types, rest = check_types(ruleset)
    faults.extend(types.diagnostics)
    _check_names(document, faults)
    _check_plurals(ruleset, faults)
    _check_counters(rest, document, faults)
    members = check_members(rest)
    faults.extend(members.diagnostics)
    return None if members.has_errors else rest


def check_types(ruleset: Ruleset) -> tuple[Faults, Ruleset]:
    """What is wrong with the types of the facts, and the ruleset with the others: who asks for one of these is not to
    blame."""
    types = Faults()
    kinds: dict[str, Kind] = {}
    failed: set[str] = set()
    for name, kind in ruleset.kinds.items():
        right = {key: fact for key, fact in kind.facts.items() if types.attempt(_check_type, ruleset, fact)}
        wrong = [fact for key, fact in kind.facts.items() if key not in right]
        failed |= {fact.name for fact in wrong} | {fact.type.each for fact in wrong if isinstance(fact.type, Things)}
        kinds[name] = replace(kind, facts=right)
    heading = [("fact", fact.name, fact.where) for kind in ruleset.kinds.values() for fact in kind.facts.values()]
    heading += [("table", name, table.where) for name, table in ruleset.tables.items()]
    heading += [("option", name, option.where) for name, option in ruleset.options.items()]
    for what, name, where in heading:
        if name in OF_EVERY_ROW:
            said = f"`{name}:` is a key of every row, so that no {what} can be called so"
            help = f"find another name: one of two words is always free, such as `the-{name}`"
            types.add("reserved-word", said, where.place, help=help)
    for deck in ruleset.decks.values():
        if deck.each and deck.each not in (*ruleset.kinds, *ruleset.failed):
            help = suggest(deck.each, ruleset.kinds) or "write whose each is: " + " or ".join(ruleset.kinds)
            types.add("unknown-name", f"no kind is called `{deck.each}`", deck.where.place, help=help)
    return types, replace(ruleset, kinds=kinds, failed=ruleset.failed | failed)


def check_references(ruleset: Ruleset, document: Node) -> Faults:
    """What names nothing of what no sentence asks for: counters, and what happens between and after the combats.

    Whatever is bound when it is come to says so itself.
    """
    faults = Faults()
    for _ in _sheets(ruleset, document, faults):
        pass
    for sequence in ruleset.sequences.values():
        for act in sequence.acts:
            if isinstance(act.verb, Create) and (counter := act.verb.counter).name not in (
                *ruleset.counters,
                *ruleset.failed,
            ):
                help = suggest(counter.name, ruleset.counters)
                faults.add("unknown-name", f"no counter is called `{counter.name}`", counter.place, help=help)
    if ruleset.between and ruleset.between not in ruleset.sequences:
        help = suggest(ruleset.between, ruleset.sequences)
        at = place_of(child(document, "rounds"), "between")
        faults.add("unknown-name", f"no sequence is called `{ruleset.between}`", at, help=help)
    members = [
        fact.type.each
        for kind in ruleset.kinds.values()
        for fact in kind.facts.values()
        if isinstance(fact.type, Things)
    ]
    members += [name for name, _ in roles_of(ruleset)]
    known = [*ruleset.kinds, *members, *(group.each for group in ruleset.groups.values()), *ruleset.words]
    for table in (ruleset.tables[name] for name in ENDS if name in ruleset.tables):
        for name in table.about:
            if name not in known:
                said = f"`{name}` is neither a kind, a member of a set nor a list of words"
                faults.add("unknown-name", said, table.where.place, help=suggest(name, known))
    return faults


# ---- words that cannot be names ----------------------------------------------------------------------------


def _check_names(document: Node, faults: Faults) -> None:
    seen: set[Span] = set()
    for what, name in _names(document):
        meant = name.value in BUILT_IN and what not in ("a word", "a counter", "a reading")
        meant = meant or (what == "a fact" and name.value in NOT_A_FACT)
        meant = meant or name.value in MEANT_ALONE
        taken = is_keyword(name.value) or meant or name.value.endswith(AT_START)
        if name.span in seen or not NAME.match(name.value) or not taken:
            continue
        seen.add(name.span)
        help = f"find another name: one of two words is always free, such as `the-{name.value}`"
        if name.value.endswith(AT_START):
            plain = name.value.removesuffix(AT_START)
            help = f"`{name.value}` asks for `{plain}` as it was when the combat began"
        elif is_keyword(name.value) and not meant:
            said = f"`{name.value}` is a word of the language too, so that a sentence must say {what} in quotes"
            faults.add("reserved-word", said, name.span, help=f'write `"{name.value}"` in sentences', severity="note")
            continue
        faults.add(
            "reserved-word", f"`{name.value}` is a word of the language and cannot be {what}", name.span, help=help
        )


def _names(document: Node) -> Iterator[tuple[str, Text]]:
    """Every name that a sentence might say, with what it names."""
    for kind, node in entries(document, "kinds"):
        yield "a kind", kind
        yield from _texts("a plural", child(node, "plural"))
        for origin in ORIGINS:
            for fact, line in entries(node, origin):
                yield "a fact", fact
                yield from _texts("a member", child(line, "each"))
                types = (line, child(line, "is"), child(line, "per"))
                for words in types:
                    is_list = isinstance(words, Listing) and not are_yes_and_no(words)
                    yield from _texts("a word", words if is_list else None)
    for section, what in (
        ("words", "a list of words"),
        ("groups", "a group"),
        ("tables", "a table"),
        ("options", "an option"),
    ):
        for name, node in entries(document, section):
            yield what, name
            yield from _texts("a word", node if section == "words" else child(node, "words"))
            yield from _texts("a member", child(node, "each") if section == "groups" else None)
            yield from _texts("a reading", child(node, "readings"))
            yield from _texts("a column", child(node, "columns") if section == "words" else None)
            yield from (("a word", word) for word, _ in (entries(node, "rows") if section == "words" else ()))
    for name, node in entries(document, "decks"):
        yield "a deck", name
        cards = child(node, "cards")
        for card, line in (cards if isinstance(cards, Mapping) else node).entries if isinstance(node, Mapping) else ():
            yield "a word", card
            borne = line.entries if isinstance(line, Mapping) else ()
            yield from (("what a card bears", number) for number, _ in borne if number.value != "cards")
    for section in ("tables", "sequences"):
        for _, node in entries(document, section):
            for name, _ in entries(node, "about"):
                yield "a role", name
    for _, sheet in entries(document, "counters"):
        for name, _ in entries(sheet, "rows"):
            yield "a counter", name
    yield from _texts("an obligation", child(document, "obligations"))


def _texts(what: str, node: Node | None) -> Iterator[tuple[str, Text]]:
    for item in () if node is None else list_of(node):
        if isinstance(item, Text):
            yield what, item


# ---- kinds and facts ------------------------------------------------------------------------------------


def _check_plurals(ruleset: Ruleset, faults: Faults) -> None:
    taken: dict[str, Kind] = {}
    for kind in ruleset.kinds.values():
        other = taken.get(kind.plural) or ruleset.kinds.get(kind.plural)
        if other is not None and other is not kind and not kind.one:
            faults.add(
                "duplicate-id",
                f"the plural of {kind.name}, `{kind.plural}`, is also {other.name}",
                kind.where.place,
                help="add `plural:`",
            )
        taken.setdefault(kind.plural, kind)


def _check_type(ruleset: Ruleset, fact: Fact) -> bool:
    """Whether a fact's type can be looked up; raises Faulty if it cannot, without a finding if that has been told."""
    match fact.type:
        case AThing(name) | Things(name) | Roll(name) if name in ruleset.failed and not _is_there(name, ruleset):
            raise Faulty.told()
        case Word() if fact.origin == "drawn" and fact.deck in ruleset.failed and fact.deck not in ruleset.decks:
            raise Faulty.told()
        case AThing(kind) if kind not in ruleset.kinds:
            known = [*ruleset.kinds, "counter"]
            help = "write one of your kinds: " + " or ".join(f"`{a(name)}`" for name in ruleset.kinds)
            if kind in ruleset.words:
                message, help = f"`{kind}` is a list of words, and no kind", f"write `{kind}`"
                raise Faulty.one("unknown-name", message, fact.where.place, help=help)
            raise _unknown(fact, "kind", kind, [a(name) for name in known], a(kind), help)
        case AThing(kind, other=True) if kind != fact.kind:
            raise Faulty.one(
                "wrong-type", f"{a(fact.kind)} has no other {kind}: it is no {kind} itself", fact.where.place
            )
        case Things(kind) if kind not in ruleset.kinds:
            plurals = [each.plural for each in ruleset.kinds.values()]
            help = "write the plural of a kind: " + " or ".join(plurals)
            if fact.type.each in ruleset.kinds:
                help = f"say at the kind what several are called: `{fact.type.each}: {{plural: {kind}, ..}}`"
            raise _unknown(fact, "kind", kind, plurals, kind, help)
        case Roll(dice) if dice not in ruleset.dice:
            help = f"write a line under `dice:`, such as `{fact.name}: d6`, and its name here"
            if found := re.fullmatch(r"(an?|one|the|\w+) (?:die|dice)", dice):
                number = NUMBERS.index(found[1]) if found[1] in NUMBERS else found[1] if found[1].isdigit() else 1
                help = f"write which dice: `{number}d6`"
            elif re.fullmatch(WORD, dice):
                help += f"; of a die under `dies:` that is `{fact.name}-dice: {dice}`, and here `{fact.name}-dice`"
            raise _unknown(fact, "line of `dice`", dice, ruleset.dice, dice, help)
        case _ if fact.like:
            _check_like(ruleset.kinds[fact.kind], fact)
        case Word() | Per() if fact.origin == "drawn" and fact.deck not in ruleset.decks:
            help = "write a deck under `decks:`, such as `pack: {red: 4, black: 2}`, and its name here"
            raise _unknown(fact, "deck", fact.deck, ruleset.decks, fact.deck, help)
    if fact.deck and (each := ruleset.decks[fact.deck].each) not in ("", fact.kind) and each in ruleset.kinds:
        of = ruleset.kinds[fact.kind].facts.get(each)
        if of is None or of.type != AThing(each):
            said = f"each {each} has a `{fact.deck}` of its own, and {a(fact.kind)} has no {each}"
            raise Faulty.one("wrong-type", said, fact.where.place, help=f"add `{each}: {a(each)}` to its facts")
    return True


def _check_like(kind: Kind, fact: Fact) -> None:
    """A default that names another fact: one that the thing has when it comes in, and of which each value fits."""
    source, seen = fact, {fact.name}
    while source.like:
        if source.like not in kind.facts:
            said = f"`{source.like}` is neither {source.type} nor a fact of {a(kind.name)}"
            raise Faulty.one("unknown-name", said, source.where.place, help=suggest(source.like, kind.facts))
        source = kind.facts[source.like]
        if source.name in seen:
            raise Faulty.one("circular", f"`{fact.name}` is by default what it is itself", fact.where.place)
        seen.add(source.name)
    source = kind.facts[fact.like]
    if source.origin in ("rolled", "drawn"):
        said = f"`{source.name}` is {source.origin}, and nobody has it when {a(kind.name)} comes in"
        raise Faulty.one("wrong-type", said, fact.where.place, help="set it in a row of a sequence")
    match fact.type, source.type:
        case Number(low, high, nobody), Number(least, most, may_lack):
            inside = low is None or (least is not None and low <= least and (most or 0) <= (high or 0))
            fits = inside and nobody >= may_lack
        case Word(words), Word(others):
            fits = set(others) <= set(words)
        case wanted, given:
            fits = wanted == given and not isinstance(given, Things | Per | Roll)
    if not fits:
        said = f"`{source.name}` is {source.type}, and `{fact.name}` is {fact.type}"
        raise Faulty.one("wrong-type", said, fact.where.place, labels=((source.where.place, "declared here"),))


def _is_there(name: str, ruleset: Ruleset) -> bool:
    return name in ruleset.kinds or name in ruleset.dice


def _unknown(fact: Fact, what: str, name: str, known: Iterable[str], mistyped: str, help: str) -> Faulty:
    help = suggest(mistyped, known) or help
    return Faulty.one("unknown-name", f"no {what} is called `{name}`", fact.where.place, help=help)


def check_members(ruleset: Ruleset) -> Faults:
    """A member's name, or a chart's own name for somebody, must mean things of one kind wherever it is used."""
    faults = Faults()
    called: dict[str, tuple[str, Fact]] = {}
    roles: dict[str, str] = {}
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            if not isinstance(fact.type, Things) or fact.type.kind not in ruleset.kinds:
                continue
            member, each = fact.type.kind, fact.type.each
            if each in ruleset.kinds and each != member:
                faults.add(
                    "ambiguous-name",
                    f"`{each}` is a kind, and here {a(member)}",
                    fact.where.place,
                    labels=((ruleset.kinds[each].where.place, "the kind"),),
                    help="change `each:`",
                )
            before = called.setdefault(each, (member, fact))
            if before[0] != member:
                there = before[1].where.place
                faults.add(
                    "ambiguous-name",
                    f"`{each}` is {a(before[0])} there, and here {a(member)}",
                    fact.where.place,
                    labels=((there, "there"),),
                    help="change `each:`",
                )
    for name, meant in roles_of(ruleset):
        if meant.name not in ruleset.kinds:
            help = suggest(meant.name, ruleset.kinds) or "write one of your kinds: " + " or ".join(ruleset.kinds)
            faults.add("unknown-name", f"no kind is called `{meant.name}`", meant.place, help=help)
            continue
        other = name if name in ruleset.kinds else called[name][0] if name in called else roles.get(name, meant.name)
        roles[name] = meant.name
        if other != meant.name:
            said = f"`{name}` is {a(meant.name)} here, and {a(other)} elsewhere"
            faults.add("ambiguous-name", said, meant.place, help="find another name for one of the two")
    return faults


# ---- the counter sheet ----------------------------------------------------------------------------------


def _check_counters(ruleset: Ruleset, document: Node, faults: Faults) -> None:
    for name, sheet in _sheets(ruleset, document, faults):
        kind = ruleset.kinds[name.value]
        columns = list(_texts("a column", child(sheet, "columns")))
        for _, line in entries(sheet, "rows"):
            for (_, column), cell in zip(columns, list_of(line), strict=False):
                if column.value in kind.facts:
                    faults.attempt(_check_cell, ruleset, kind.facts[column.value], cell)


def _sheets(ruleset: Ruleset, document: Node, faults: Faults) -> Iterator[tuple[Text, Node]]:
    """The counter sheets of kinds that there are; what names no kind and no fact is a fault."""
    for name, sheet in entries(document, "counters"):
        kind = ruleset.kinds.get(name.value)
        if kind is None and name.value in ruleset.failed:
            continue
        if kind is None:
            faults.add(
                "unknown-name", f"no kind is called `{name.value}`", name.span, help=suggest(name.value, ruleset.kinds)
            )
            continue
        for _, column in _texts("a column", child(sheet, "columns")):
            if column.value not in kind.facts and column.value not in ruleset.failed:
                faults.add(
                    "unknown-fact",
                    f"{a(kind.name)} has no fact `{column.value}`",
                    column.span,
                    help=suggest(column.value, kind.facts),
                )
        yield name, sheet


def _check_cell(ruleset: Ruleset, fact: Fact, cell: Node) -> None:
    """A printed value must be one that its fact can hold."""
    match fact.type:
        case AThing() | Things() | Roll():
            raise Faulty.one("wrong-type", f"`{fact.name}` is {fact.type}: no counter prints that", cell.span)
        case _:
            read_printed(fact, cell, ruleset)
