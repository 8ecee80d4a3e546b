"""Whether a ruleset hangs together: where it starts, what its charts ask of each other, where they come from.

What nobody asks for is looked for in `leftovers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TypeAlias

from closecombat.binding import trees as w
from closecombat.binding.bound import (
    BoundAct,
    BoundCreate,
    BoundDeal,
    BoundDeclare,
    BoundRoll,
    BoundShuffle,
    changed,
    settled,
)
from closecombat.binding.charts import Bound
from closecombat.binding.load import altered
from closecombat.binding.names import MOST_IN_A_CHAIN, Item, too_deep
from closecombat.binding.terms import Term
from closecombat.binding.vocabulary import ENDS
from closecombat.checking.sound_before import once
from closecombat.playing.fight import not_to_be_played
from closecombat.reading.fields import entries, list_of
from closecombat.reading.model import Fact, Kind, Ruleset, can_be_read_otherwise, stands_below
from closecombat.reading.ruleset import ORIGINS
from closecombat.reading.types import AThing, Things, a
from closecombat.reading.variants import otherwise
from closecombat.text.faults import Faults, suggest
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.source import Span

WORKED_OUT = ("chart", "group")  # what is read, and so must not read itself


def check_soundness(bound: Bound, document: Node, faults: Faults) -> None:
    """Adds what is wrong between the charts of a ruleset all of whose sentences are bound."""
    _check_start(bound, document, faults)
    _check_circles(bound, faults)
    check_citations(bound.ruleset, document, faults)
    _check_left_out(bound.ruleset, document, faults)
    _check_chapters(bound.ruleset, document, faults)
    _check_assumed(bound.ruleset, document, faults)


# ---- sequences and circles -----------------------------------------------------------------------------


def _check_start(bound: Bound, document: Node, faults: Faults) -> None:
    ruleset = bound.ruleset
    for wrong in not_to_be_played(ruleset):
        faults.extend(wrong.diagnostics)
    for name in ENDS:
        table = ruleset.tables.get(name)
        if table is not None and len(table.about) != 1:
            faults.add("wrong-type", f"`{name}` must be about one thing, such as a side", table.where.place)
    _check_ends(bound, faults)


def _check_ends(bound: Bound, faults: Faults) -> None:
    """Whose end is told must belong to somebody whose outcome is told."""
    ruleset = bound.ruleset
    judged = ruleset.tables.get("outcomes")
    for end in ruleset.ends.values():
        if end.kind not in ruleset.kinds:
            continue  # said by its tables
        owners = [
            kind.name
            for kind in ruleset.kinds.values()
            for fact in kind.facts.values()
            if isinstance(fact.type, Things) and fact.origin == "given" and fact.type.kind == end.kind
        ]
        if judged is None or not judged.about:
            faults.add(
                "missing-key",
                f"`ends` tells what becomes of {a(end.kind)}, and no `outcomes:` says whose",
                end.where.place,
                help="write `outcomes: {about: side, ..}`",
            )
        elif judged.about[0] not in owners:
            faults.add(
                "wrong-type",
                f"no {judged.about[0]} has {a(end.kind)}, so its end is nobody's",
                end.where.place,
                help=f"`outcomes` is about {a(judged.about[0])}: give it a set of {ruleset.kinds[end.kind].plural}",
            )


def _check_circles(bound: Bound, faults: Faults) -> None:
    """Charts that are worked out from themselves, sequences that play themselves, and too long chains."""
    depth: dict[Item, int] = {}
    for circle in _circles(bound.uses.found, depth):
        names = [f"`{item.name}`" for item, _ in circle]
        does = "plays" if circle[0][0].sort == "sequence" else "is worked out from"
        message = f"{names[0]} {does} itself"
        if len(names) > 1:
            message += ", by way of " + ", ".join(names[1:])
        labels = tuple((place, f"`{item.name}` asks for the next") for item, place in circle)
        faults.add("circular", message, circle[0][1], labels=labels if len(circle) > 1 else ())
    for item, length in depth.items():
        if item.sort in WORKED_OUT and length == MOST_IN_A_CHAIN + 1:
            place = next(iter(bound.uses.found[item].values()))
            faults.extend(too_deep(item.name, place).diagnostics)


Asked: TypeAlias = Mapping[Item | None, Mapping[Item, Span]]
Step: TypeAlias = tuple[Item, Span]


def _circles(uses: Asked, depth: dict[Item, int]) -> Iterator[list[Step]]:
    """Each circle once, as items with the place where each asks for the next; notes how deep each reaches."""
    seen: set[frozenset[Item]] = set()
    for first in uses:
        if first is None or first in depth or first.sort not in (*WORKED_OUT, "sequence"):
            continue
        path: list[Item] = [first]
        left: list[Iterator[Item]] = [_asked(uses, first)]
        while path:
            item = next(left[-1], None)
            if item is None:
                done = path.pop()
                left.pop()
                depth[done] = 1 + max((depth.get(each, 0) for each in _asked(uses, done)), default=0)
            elif item in path:
                circle = path[path.index(item) :]
                if frozenset(circle) not in seen:
                    seen.add(frozenset(circle))
                    after = [*circle[1:], item]
                    yield [(each, uses[each][then]) for each, then in zip(circle, after, strict=True)]
            elif item not in depth:
                path.append(item)
                left.append(_asked(uses, item))


def _asked(uses: Asked, item: Item) -> Iterator[Item]:
    sorts = ("sequence",) if item.sort == "sequence" else WORKED_OUT
    return (each for each in uses.get(item, {}) if each.sort in sorts)


def played(bound: Bound) -> set[str]:
    """The sequences that are reached from the start and between rounds."""
    return _reached(bound, [bound.ruleset.start, bound.ruleset.between])


def _reached(bound: Bound, names: Iterable[str]) -> set[str]:
    """These sequences, and all that they play."""
    reached: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name and name not in reached:
            reached.add(name)
            asked = bound.uses.found.get(Item("sequence", name), {})
            left.extend(item.name for item in asked if item.sort == "sequence")
    return reached


ROLLING = (BoundRoll, BoundDeal)  # what settles a fact that no situation gives


def check_settled(bound: Bound, faults: Faults) -> None:
    """Adds what is read though no row settles it: dice never rolled, cards never dealt; warns of what nobody chooses.

    Every sequence must be bound already, and without a fault.
    """
    ruleset, reached = bound.ruleset, played(bound)
    acts = [act for name in ruleset.sequences for act in bound.sequence(name).acts]
    rolling = [act.verb for name in reached for act in bound.sequence(name).acts if isinstance(act.verb, ROLLING)]
    thrown = {_key(verb.fact) for verb in rolling}
    idle = {  # what rows would throw that nothing plays
        _key(act.verb.fact): (name, act.act.where.place)
        for name in ruleset.sequences
        if name not in reached
        for act in bound.sequence(name).acts
        if isinstance(act.verb, ROLLING)
    }
    written = {_key(settled(act.verb)) for act in acts}
    written |= {_key(changed(effect)) for act in acts for effect in act.effects}
    written |= {_key(act.verb.fact) for act in acts if isinstance(act.verb, BoundCreate)}
    made = {act.verb.kind.name for act in acts if isinstance(act.verb, BoundDeclare)}
    printed = {(counter.kind, column) for counter in ruleset.counters.values() for column in counter.cells}
    read = _first_read(bound)
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            place = read.get(Item("fact", f"{kind.name}.{fact.name}"))
            if place is None or fact.is_hand:  # a situation may say what is in a hand
                continue
            named = f"`{fact.name}` of {kind.name}"
            labels: tuple[tuple[Span, str], ...] = ((fact.where.place, "declared here"),)
            if fact.origin == "noted":
                if _key(fact) not in written and _key(fact) not in printed and kind.name not in made:
                    said = f"{named} is read here, and no row writes it: it is always what the situation says"
                    help = "add the row that writes it, or declare it as `given`"
                    faults.add("never-settled", said, place, severity="warning", labels=labels, help=help)
            elif fact.origin != "chosen":
                if _key(fact) not in thrown:
                    verb = "roll" if fact.origin == "rolled" else "deal"
                    said = f"{named} is read here, and no row that is reached {verb}s it: it is always nobody"
                    help = f"add a row with `{verb}: {fact.name}`"
                    if _key(fact) in idle:
                        unplayed, there = idle[_key(fact)]
                        labels = (*labels, (there, f"this row would, and nothing plays `{unplayed}`"))
                        help = f"play `{unplayed}` in a row, or begin with it: `start: {unplayed}`"
                    faults.add("never-settled", said, place, labels=labels, help=help)
            elif not (_key(fact) in written or kind.name in made or _key(fact) in printed):
                said = f"{named} is read here, and no row lets anybody choose it"
                help = f"add a row with `choose: {fact.name}`, or declare it as `given` or `noted`"
                faults.add("never-settled", said, place, severity="warning", labels=labels, help=help)
    _check_newcomers(bound, reached, faults)


def _check_newcomers(bound: Bound, reached: Set[str], faults: Faults) -> None:
    """Warns of what rows bring in, or the ruleset itself declares, without facts that every situation says of such a
    one, and that are asked for, now or as they were at the start: of a newcomer that is the same."""
    acts = [act for name in reached for act in bound.sequence(name).acts]
    written = {_key(settled(act.verb)) for act in acts} | {_key(changed(one)) for act in acts for one in act.effects}
    read = {name for names in bound.uses.state.values() for name in names}
    for act in (act for name in bound.ruleset.sequences for act in bound.sequence(name).acts):
        match act.verb:
            case BoundCreate(fact=entered, counter=name):
                counter = bound.counter(name)
                comers = [(f"`{name}` comes in", bound.ruleset.kinds[counter.kind], counter.facts.keys())]
                help = "give it a `default:`, print it on the counter, or set it in the `do:` of this row"
            case BoundDeclare(fact=entered, kind=kind, otherwise=otherwise) if otherwise:
                comers = [(f"`{one}` is declared", kind, facts.keys()) for one, facts in otherwise.items()]
                help = "give it a `default:`, or say it in this `otherwise:`"
            case _:
                continue
        for said, kind, known in comers:
            lacking = [
                fact
                for fact in kind.facts.values()
                if fact.origin in ("given", "printed")
                and fact.name in read
                and not (_is_known(kind, fact, known, entered.kind) or _key(fact) in written)
            ]
            if lacking:
                named = " and ".join(f"`{fact.name}`, {fact.type}" for fact in lacking)
                labels = tuple((fact.where.place, "declared here") for fact in lacking)
                said = f"{said} without {named}, which sentences ask for"
                faults.add("never-settled", said, act.act.where.place, severity="warning", labels=labels, help=help)


def _is_known(kind: Kind, fact: Fact, known: Set[str], owner: str) -> bool:
    """Whether a newcomer has a fact as he comes in: said of him, by default, as another of his, or as whose he is."""
    while fact.like and fact.name not in known:
        fact = kind.facts[fact.like]
    is_owner = isinstance(fact.type, AThing) and fact.type.kind == owner
    return (
        fact.name in known or (fact.default is not None and not fact.like) or is_owner or isinstance(fact.type, Things)
    )


def check_decks(bound: Bound, faults: Faults) -> None:
    """Warns of decks that are dealt from without end, and that no row and no rule of their own shuffles; and of more
    cards dealt at once than there are."""
    for name in sorted(played(bound)):
        for act in _acts(bound, name):
            match act.verb:
                case BoundDeal(deck=deck, number=Term(tree=w.Const(int() as many) | w.Counted(w.Const(int() as many)))):
                    if many > (there := sum(deck.cards.values())):
                        said = f"{many} cards are dealt here, and `{deck.name}` has {there}"
                        labels, help = ((deck.where.place, "the deck"),), "deal fewer, or let the deck have more"
                        faults.add("runs-out", said, act.act.where.place, severity="warning", labels=labels, help=help)
    shuffled = {
        act.verb.deck.name for name in played(bound) for act in _acts(bound, name) if isinstance(act.verb, BoundShuffle)
    }
    endless = [one.name for one in bound.ruleset.sequences.values() if one.until is not None and one.at_most is None]
    for name in sorted(_reached(bound, endless) & played(bound)):
        for act in _acts(bound, name):
            if not isinstance(act.verb, BoundDeal):
                continue
            deck = act.verb.deck
            if not deck.shuffled and deck.name not in shuffled:
                said = f"`{deck.name}` is dealt from here in every pass of a repetition, and nothing shuffles it"
                help = f"let the deck say `when-empty: shuffle`, or add a row with `shuffle: {deck.name}`"
                labels = ((deck.where.place, "the deck"),)
                faults.add("runs-out", said, act.act.where.place, severity="warning", labels=labels, help=help)


def _acts(bound: Bound, sequence: str) -> tuple[BoundAct, ...]:
    return bound.sequence(sequence).acts


def _first_read(bound: Bound) -> dict[Item, Span]:
    """Where each fact is first read that a row has to settle."""
    out: dict[Item, Span] = {}
    for items in bound.uses.found.values():
        for item, place in items.items():
            if item.sort == "fact" and (item not in out or _order(place) < _order(out[item])):
                out[item] = place
    return out


def _key(fact: Fact | None) -> tuple[str, str]:
    return (fact.kind, fact.name) if fact else ("", "")


def _order(place: Span) -> tuple[str, int]:
    return place.source.name, place.start


# ---- sources, clauses, assumptions ---------------------------------------------------------------------


def check_citations(ruleset: Ruleset, node: Node, faults: Faults, key: str = "cites") -> None:
    """Warns of cited clauses that no source and no clause of the ruleset is known for."""
    for cite in _remarks(node, key):
        if ruleset.sources and not any(_comes_from(cite.value, source) for source in ruleset.sources):
            faults.add(
                "unknown-source",
                f"`{cite.value}` begins with no key of `sources`",
                cite.span,
                help=suggest(cite.value, ruleset.sources) or "known: " + ", ".join(ruleset.sources),
                severity="warning",
            )
        elif ruleset.clauses and cite.value not in ruleset.clauses:
            faults.add(
                "unknown-clause",
                f"no clause is called `{cite.value}`",
                cite.span,
                help=suggest(cite.value, ruleset.clauses),
                severity="warning",
            )


def _check_left_out(ruleset: Ruleset, document: Node, faults: Faults) -> None:
    """Warns of rows that rest on a clause of which the ruleset says that it leaves it out."""
    written = {key.value: key.span for key, _ in entries(document, "clauses")}
    for cite in _remarks(document, "cites"):
        clause = ruleset.clauses.get(cite.value)
        if clause is not None and clause.left_out:
            faults.add(
                "cited-yet-left-out",
                f"`{cite.value}` is cited here, and left out by its clause",
                cite.span,
                labels=((written[cite.value], "left out here"),),
                severity="warning",
                help="take `left-out` out of the clause, or the citation out of the row",
            )


def _check_chapters(ruleset: Ruleset, document: Node, faults: Faults) -> None:
    """Warns of titles that no clause stands below."""
    for key, _ in entries(document, "chapters"):
        if not any(stands_below(id, key.value) for id in ruleset.clauses):
            faults.add(
                "unused",
                f"no id of a clause begins with `{key.value}`",
                key.span,
                severity="warning",
                help=suggest(key.value, ruleset.clauses) or "take the chapter out, or write its clauses down",
            )


def _comes_from(cite: str, source: str) -> bool:
    """`A11.16b` comes from `A11`, not from `A1`."""
    return cite.startswith(source) and not re.match(r"[A-Za-z0-9]", cite[len(source) : len(source) + 1])


def _check_assumed(ruleset: Ruleset, document: Node, faults: Faults) -> None:
    for id in _remarks(document, "assumed"):
        if id.value not in ruleset.assumptions:
            faults.add(
                "unknown-assumption",
                f"`{id.value}` is not listed under `assumptions`",
                id.span,
                help=suggest(id.value, ruleset.assumptions),
            )


def check_assumptions(ruleset: Ruleset, document: Node, faults: Faults, rules: str) -> None:
    """Warns of assumptions that nothing rests on, and adds what is wrong with what the others say of their second
    readings. `rules` stands for the texts of the ruleset, if nothing else makes it what it is (`sound_before`)."""
    used = {id.value for id in _remarks(document, "assumed")}
    for key, _ in entries(document, "assumptions"):
        if key.value not in used and key.value not in ruleset.variants:  # a variant may say what it is about
            faults.add(
                "unused-assumption",
                f"nothing is marked `assumed: {key.value}`",
                key.span,
                severity="warning",
                help="mark the rows that rest on it, or take it out",
            )
        elif key.value in ruleset.assumptions:
            faults.attempt(_check_reading, ruleset, document, key, faults, rules)


def _check_reading(ruleset: Ruleset, document: Node, id: Text, faults: Faults, rules: str) -> None:
    """Whether an assumption can be read in another way, and whether what it says of that holds together."""
    second = ruleset.second_readings.get(id.value)
    if second is None and not can_be_read_otherwise(ruleset, id.value):
        faults.add(
            "one-reading",
            f"`{id.value}` could be read in no other way",
            id.span,
            severity="note",
            help="say what it would be `else: {at: .., set: {..}}`, or why it is the `only:` reading",
        )
    if second is None or not second.changes or not isinstance(document, MappingNode):
        return
    changes, whole = second.changes, document

    def sound() -> str:
        other = altered(otherwise(whole, id, changes), ruleset)
        for change in changes:
            at = change.get("at") if isinstance(change, MappingNode) else None
            section, _, path = at.value.partition(".") if isinstance(at, Text) else ("", "", "")
            _bind_one(other, section, path.partition(".")[0])
        return "sound"

    once(rules, ("second reading", id.value), sound)


def _bind_one(bound: Bound, section: str, name: str) -> None:
    """Looks up the names of one chart. Raises Faulty with what is wrong with it."""
    ruleset = bound.ruleset
    match section:
        case "tables" if name in ruleset.tables:
            bound.table(name)
        case "tables" if name in ruleset.grids:
            bound.grid(name)
        case "sequences" if name in ruleset.sequences:
            bound.sequence(name)
        case "groups" if name in ruleset.groups:
            bound.group(name)


def _remarks(node: Node, key: str) -> Iterator[Text]:
    """Whatever stands under a key such as `cites`, anywhere below a node."""
    left: list[tuple[Node, tuple[str, ...]]] = [(node, ())]
    while left:
        one, path = left.pop()
        match one:
            case MappingNode(entries):
                for name, value in entries:
                    is_fact = len(path) == 3 and path[0] == "kinds" and path[2] in ORIGINS
                    if name.value == key and not is_fact:
                        each = [line for _, line in value.entries] if isinstance(value, MappingNode) else [value]
                        yield from (item for one in each for item in list_of(one) if isinstance(item, Text))
                    else:
                        left.append((value, (*path[:3], name.value)))
            case Listing(items):
                left.extend((item, (*path[:3], "")) for item in items)
