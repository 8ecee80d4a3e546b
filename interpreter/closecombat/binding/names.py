"""Where a name is found: subjects, facts, tables, groups, options and words, innermost speaker first.

Who may be meant by a bare name comes first, then the looking up, then every name that could have been meant, for
the help of a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial

from closecombat.binding import trees
from closecombat.binding.hands import Held
from closecombat.binding.terms import (
    Env,
    Members,
    SetTerm,
    Term,
    World,
    constant,
    listed,
    over,
    over_set,
    spread,
    subject,
)
from closecombat.proving.values.symbolic import Value
from closecombat.reading import syntax as s
from closecombat.reading.model import Fact, Grid, Origin, Ruleset, Table, are_numbers, fall, roles_of
from closecombat.reading.sentences import is_said_otherwise, slip_in
from closecombat.reading.slots import in_play_of
from closecombat.reading.spellings import ROW_KEYS, for_key_of_a_row
from closecombat.reading.syntax import Cell
from closecombat.reading.types import (
    ACounter,
    AThing,
    Flag,
    Hand,
    Nobody,
    Number,
    Per,
    Roll,
    Thing,
    Things,
    Type,
    Word,
    a,
    asked,
    type_of_faces,
)
from closecombat.text.faults import Bug, Faulty, suggest, suggested
from closecombat.text.slotted import NamedTuple, dataclass
from closecombat.text.source import Span

MOST_IN_A_CHAIN = 40
COLUMN_OF = "column of "


@dataclass(frozen=True, slots=True)
class Layer:
    """Names that mean somebody here; the facts of `speakers` need no `of`."""

    names: dict[str, Type]
    speakers: tuple[str, ...]
    again: str = ""  # the name of one who is looked at once more, and meant by this name outside as well
    had_too: str = ""  # the name of one whom a row looks at, if he has somebody of that name too
    whose: frozenset[str] = frozenset()  # names of one outside whose members these are: their `side` is that
    of_a_row: bool = False
    of_a_situation: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Innermost layer first."""

    layers: tuple[Layer, ...] = ()

    def inside(
        self,
        names: dict[str, Type],
        speakers: Iterable[str] | None = None,
        again: str = "",
        had_too: str = "",
        whose: frozenset[str] = frozenset(),
        of_a_row: bool = False,
    ) -> Scope:
        layer = Layer(names, tuple(names if speakers is None else speakers), again, had_too, whose, of_a_row)
        return Scope((layer, *self.layers))

    def outside(self, name: str) -> Scope:
        """What is around the innermost who goes by a name."""
        here = next(i for i, layer in enumerate(self.layers) if name in layer.names)
        return Scope(self.layers[here + 1 :])

    def meanings(self, name: str) -> int:
        """How many go by this name: a member may be called like somebody outside of the brackets."""
        return sum(name in layer.names and name != layer.again for layer in self.layers)

    def is_subject(self, name: str) -> bool:
        """Whether somebody of the ruleset's own goes by this name; a situation's things only have names."""
        return any(name in layer.names and layer.speakers for layer in self.layers)

    @property
    def looked_at(self) -> dict[str, Type]:
        """What the one is called whom the innermost row looks at; what the row creates is named further inside."""
        return next((layer.names for layer in self.layers if layer.of_a_row), {})

    @property
    def of_the_situation(self) -> tuple[str, ...]:
        """Whom a situation calls by a name."""
        return tuple(name for layer in self.layers if layer.of_a_situation for name in layer.names)

    def find(self, name: str) -> Type | None:
        return next((layer.names[name] for layer in self.layers if name in layer.names), None)


def fits(given: Type, wanted: Type) -> bool:
    """Whether somebody of one type can be the subject that a chart is about."""
    if isinstance(given, AThing) and isinstance(wanted, AThing):
        return given.kind == wanted.kind
    return isinstance(given, Word) and isinstance(wanted, Word) and set(given.words) <= set(wanted.words)


class Item(NamedTuple):
    """Something with a name; the sort is chart, group, dice, deck, option, sequence, counter, obligation, fact. A key
    that is looked up thousands of times before a fight begins."""

    sort: str
    name: str


@dataclass(slots=True)
class Uses:
    """What each item asks for, and where first, and what of the state it reads (`read_as`); None stands for whatever is
    no item."""

    found: dict[Item | None, dict[Item, Span]] = field(default_factory=dict)
    state: dict[Item | None, set[str]] = field(default_factory=dict)
    _users: list[Item] = field(default_factory=list)
    _tried: list[int] = field(default_factory=list)  # how many users there were when something was only tried

    def note(self, sort: str, name: str, place: Span) -> None:
        if self._tried and self._tried[-1] == len(self._users):
            return
        user = self._users[-1] if self._users else None
        self.found.setdefault(user, {}).setdefault(Item(sort, name), place)

    def reads(self, what: str) -> None:
        """Something of the state is read, if only to try something."""
        self.state.setdefault(self._users[-1] if self._users else None, set()).add(what)

    @property
    def many(self) -> int:
        """How many items ask for something or read something of the state, so far."""
        return len(self.found) + len(self.state)

    def behind(self, item: Item) -> frozenset[str]:
        """What an item reads, by whatever it asks; what is not bound yet has read nothing."""
        met, todo, state = {item}, [item], set[str]()
        while todo:
            one = todo.pop()
            state |= self.state.get(one, set())
            more = [asked for asked in self.found.get(one, ()) if asked not in met]
            met.update(more)
            todo += more
        return frozenset(state)

    @contextmanager
    def asked_here(self) -> Iterator[tuple[dict[Item, Span], set[str]]]:
        """What no item asks for and reads meanwhile, by itself as well."""
        found, state = self.found.pop(None, {}), self.state.pop(None, set())
        asked: dict[Item, Span] = {}
        reads: set[str] = set()
        self.found[None], self.state[None] = asked, reads
        try:
            yield asked, reads
        finally:
            self.found[None], self.state[None] = found, state
            self.are_asked(asked, reads)

    def are_asked(self, asked: dict[Item, Span], reads: Iterable[str]) -> None:
        """No item asks for these, and reads this of the state."""
        self.found[None] = {**asked, **self.found.get(None, {})}
        self.state.setdefault(None, set()).update(reads)

    @contextmanager
    def unnoted(self) -> Iterator[None]:
        """What is only tried inside is not asked for; what is bound on the way asks for what it asks."""
        self._tried.append(len(self._users))
        try:
            yield
        finally:
            self._tried.pop()

    @contextmanager
    def by(self, sort: str, name: str) -> Iterator[None]:
        """What is asked for inside is used by this item."""
        self._users.append(Item(sort, name))
        try:
            yield
        finally:
            self._users.pop()


def too_deep(name: str, place: Span) -> Faulty:
    """The fault that charts or groups ask each other in too long a chain."""
    message = f"`{name}` ends a chain of more than {MOST_IN_A_CHAIN} charts, each worked out from the next"
    return Faulty.one("too-deep", message, place, help="write the value of one of them into a `noted` fact")


class Nearby:
    """The names that somebody has, or that a sentence can see."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def of(self, type: Type) -> list[str]:
        """Every name that somebody of this type has."""
        ruleset = self.ruleset
        if isinstance(type, Roll):
            dice = ruleset.dice.get(type.dice)
            return [part.name for part in dice.parts] if dice else []
        if isinstance(type, Word):
            lists = [name for name, words in ruleset.words.items() if fits(type, Word(words))]
            charts = [name for name, grid in ruleset.grids.items() if grid.about and grid.about[0] in lists]
            return [name.partition(" of ")[0] for name in charts]
        if not isinstance(type, AThing):
            return []
        facts = ruleset.kinds[type.kind].facts
        words = [word for fact in facts.values() if isinstance(fact.type, Word) for word in fact.type.words]
        called = {type.kind}
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                if isinstance(fact.type, Things) and fact.type.kind == type.kind:
                    called.add(fact.type.each)
        called |= {name for name, kind in roles_of(ruleset) if kind.name == type.kind}
        charts = [name for name, table in ruleset.tables.items() if called & set(table.about)]
        charts += [name for name, grid in ruleset.grids.items() if called & set(grid.about)]
        groups = [name for group in ruleset.groups.values() for name in (group.each, group.name)]
        return [*facts, *words, *charts, *groups]

    def is_printed(self, name: str) -> bool:
        """Whether a list or a grid has this word, with capitals, so that they are no slip."""
        facts = [fact.type for kind in self.ruleset.kinds.values() for fact in kind.facts.values()]
        lists = [*self.ruleset.words.values(), *(type.words for type in facts if isinstance(type, Word))]
        cells = (line for grid in self.ruleset.grids.values() for line in grid.cells)
        return name != name.lower() and any(name in words for words in (*lists, *cells))

    def sets_of(self, type: Type) -> list[str]:
        """The sets that somebody of this type has."""
        if not isinstance(type, AThing):
            return []
        facts = self.ruleset.kinds[type.kind].facts.values()
        return [fact.name for fact in facts if isinstance(fact.type, Things)] + list(self.ruleset.groups)

    def meant(self, name: str, known: set[str], cell: Cell) -> tuple[str, str]:
        """What is meant by a name that is none, two names with a minus, a set, a word of a list, a face of a die, and
        how that is said; empty if nothing is, and the first of them where only the second is known."""
        whole = {*known, *self.ruleset.tables, *self.ruleset.grids}
        for at in (i for i, letter in enumerate(name) if letter == "-"):
            left, right = name[:at], name[at + 1 :]
            if left in whole and (right in whole or right.isdigit()):
                return "", f"a minus stands between spaces: write `{left} - {right}`"
        kinds = self.ruleset.kinds.values()
        facts = [fact for kind in kinds for fact in kind.facts.values()]
        if name in {kind.plural for kind in kinds} or any(f.name == name for f in facts if isinstance(f.type, Things)):
            if (found := re.match(rf"(\S+) of {name}\b", cell.text)) and self.asked_of(found[1]):
                one = f"{found[1]} of {self._one_of(name)}"
                return f"`{name}` are several", f"write `total {found[0]}` for the sum, or say of which one, `{one}`"
            if cell.start == "effect":
                member = self._one_of(name)
                help = (
                    f"what is done is done to one: let the row look at each of them, `each: {member}`, or at one, "
                    f"`for: whoever of {name} has highest ..`"
                )
                return f"`{name}` are several", help
            if (found := re.search(rf"(\S+) of {name}\b", cell.text)) and self._one_of(found[1]) != found[1]:
                several = f"{found[1]} of {name}"
                kind = a(self._one_of(name))
                help = (
                    f"write a table about {kind}, with `is: number of {found[1]}` or `is: total .. of {found[1]}`, and "
                    f"here `total my-table of {name}`"
                )
                return f"`{several}` would be sets within a set", help
            said = f"say what of them: `number of {name}`, `total .. of {name}`, `any {self._one_of(name)} is ..`"
            return f"`{name}` are several", said
        owners = self.asked_of(name)
        if owners and re.search(rf"(?:number of|any|no|every) {re.escape(name)}(?! where)(?![\w-])", cell.text):
            return f"`{name}` is one value of {a(owners[0])}, not several", f"write `{name} of ..`"
        if owners and name not in known:
            help = self._through(name, owners[0], known) or (
                f"`{name}` is asked of {a(owners[0])}: write `each: {owners[0]}` in a row, `about: {owners[0]}` in a "
                f"table, or whose it is, `{name} of ..`"
            )
            return f"it is not said whose `{name}` is meant", help
        if owners:
            return f"it is not said whose `{name}` is meant, or of whom", ""
        if name in self.ruleset.kinds:
            help = f"write `each: {name}` for one after the other, of whoever has some here, or a fact that holds one"
            return f"it is not said which {name} is meant", help
        for table in self.ruleset.tables.values() if name not in known else ():
            found = re.search(rf"(\S+(?: of \S+)*) is (not )?{re.escape(name)}(?![\w-])", cell.text)
            if name in table.words and len(table.about) == 1 and found:
                help = f"write `{table.name} of {found[1]} is {found[2] or ''}{name}`"
                return f"`{name}` is a value of `{table.name}`", help
        having = sorted({fact.name for fact in facts if isinstance(fact.type, Word) and name in fact.type.words})
        if name in self.ruleset.words:
            of = sorted(
                {f.name for f in facts if isinstance(f.type, Word) and f.type.words == self.ruleset.words[name]}
            )
            said = " or ".join(f"`{one}`" for one in of)
            message = f"`{name}` is a list of words, and nobody has it"
            return (message, f"write {said}, which holds one of them") if of else ("", "")
        if having:
            lists = " and of ".join(f"`{one}`" for one in having)
            said = f"set {having[0]} to {name}" if cell.start == "effect" else f"{having[0]} is {name}"
            return f"`{name}` is a word of {lists}", f"write `{said}`"
        for fact in facts:
            dice = self.ruleset.dice.get(fact.type.dice) if isinstance(fact.type, Roll) else None
            shown = {face for part in dice.parts for faces in part.faces.values() for face in faces} if dice else set()
            if face := next((one for one in (name, name.removesuffix("s")) if one in shown), ""):
                help = f"how many show it is `number of {fact.name} where (face is {face})`"
                return f"`{face}` is what a die of `{fact.name}` shows", help
        return "", ""

    def _one_of(self, plural: str) -> str:
        """What one of several is called."""
        kinds = self.ruleset.kinds.values()
        things = {
            fact.name: fact.type.each for kind in kinds for fact in kind.facts.values() if isinstance(fact.type, Things)
        }
        return {kind.plural: kind.name for kind in kinds}.get(plural) or things.get(plural, plural)

    def _through(self, name: str, owner: str, known: set[str]) -> str:
        """How a name is asked of somebody whom one who speaks has: the enemy of his side, the total of his men."""
        for kind in sorted(self.ruleset.kinds.values(), key=lambda kind: kind.one):  # his own before those of the fight
            for fact in kind.facts.values():
                if fact.name not in known:
                    continue
                if isinstance(fact.type, AThing) and fact.type.kind == owner and not fact.type.other:
                    return f"say whose it is, `{name} of {fact.name}`"
                if isinstance(fact.type, Things) and fact.type.kind == owner:
                    return f"write {self._of_all(name, fact, fact.name)}, or `each: {fact.type.each}` in the row"
        return ""

    def _of_all(self, name: str, of: Fact, those: str) -> str:
        """How a name is asked of all members of a set: whether it is so of any, or the total."""
        facts = self.ruleset.kinds[of.type.kind].facts if isinstance(of.type, Things) else {}
        one = f"any {of.type.each}{those.removeprefix(of.name)} is" if isinstance(of.type, Things) else ""
        match facts[name].type if name in facts else None:
            case Number() | Roll(worded=False):
                return f"`total {name} of {those}`"
            case Flag():
                return f"`{one} {name}`"
        return f"`total {name} of {those}`, or where it is no number `{one} ..`"

    def by_way_of(self, name: str, owner: str, kind: str, text: str) -> str:
        """The same of somebody of another kind, of whom it has been asked: `shot of side`, where parties have shots."""
        rest = re.search(rf"(?<![\w-]){re.escape(name)} of (.+)$", text)
        if self.ruleset.kinds[owner].one if owner in self.ruleset.kinds else False:
            return f"write `{name}` alone: there is one {owner}"
        if rest is None or kind not in self.ruleset.kinds:
            return ""
        for fact in self.ruleset.kinds[kind].facts.values():
            if isinstance(fact.type, AThing) and fact.type.kind == owner:
                return f"write `{name} of {fact.name} of {rest[1]}`"
            if isinstance(fact.type, Things) and fact.type.kind == owner:
                return f"write {self._of_all(name, fact, f'{fact.name} of {rest[1]}')}, or say of which {owner}"
        return ""

    def asked_of(self, name: str) -> list[str]:
        """Of whom a fact or table of this name is asked."""
        kinds, chart = self.ruleset.kinds.values(), self.ruleset.tables.get(name) or self.ruleset.grids.get(name)
        sets = (kind.name for kind in kinds if name in kind.facts and not isinstance(kind.facts[name].type, Things))
        return [*sets, *(chart.about if chart else ())]

    def has(self, name: str) -> bool:
        """Whether a fact or table is called so."""
        return bool(self.asked_of(name))

    def in_scope(self, scope: Scope, expect: Type | None) -> set[str]:
        """What a bare name could mean."""
        known = {*self.ruleset.tables, *self.ruleset.options, *self.ruleset.grids}
        for layer in scope.layers:
            known |= set(layer.names)
            for type in layer.names.values():
                known |= set(self.of(type))
        for kind in self.ruleset.kinds.values():
            if kind.one:
                known |= set(kind.facts)
        return known | set(expect.words if isinstance(expect, Word) else ())


def of_several(cell: Cell, node: s.Part, name: str, owners: Iterable[str], joint: str = "of") -> Faulty:
    """The fault that several could be meant by a bare name."""
    said = " or ".join(f"`{name} {joint} {owner}`" for owner in owners)
    return Faulty.one("ambiguous-name", f"`{name}` may be of several here", cell.span(node), help=f"write {said}")


def called_alike(cell: Cell, node: s.Part, name: str) -> Faulty:
    """The fault that a member, or somebody whom a row looks at, is called like somebody outside."""
    return Faulty.one(
        "ambiguous-name",
        f"two go by the name `{name}` here: one of the set, and one from outside",
        cell.span(node),
        help=f"for all but himself write `other` before the set, whose member is `other-{name}` then; else give the "
        f"chart a role, `about: {{me: {name}}}`, or the member a name of its own under `groups`, `{{each: neighbour, "
        "are: ..}`; a bare fact is that of the one of the set",
    )


def had_too(cell: Cell, node: s.Part, name: str) -> Faulty:
    """The fault that somebody is looked at by a name by which he has somebody too: `for: enemy of attacker`."""
    return Faulty.one(
        "ambiguous-name",
        f"`{name}` could be the one whom the row looks at, or his own `{name}`",
        cell.span(node),
        help="a bare fact is that of the one whom it looks at; for the other, play a sequence that is about him",
    )


def _but_for(me: str, base: SetTerm, world: World, env: Env) -> Members:
    """The members of a set without the one who goes by a name."""
    shop, who = world.shop, env[me]
    found = ((member, shop.and_(guard, shop.not_(shop.equal(who, member)))) for member, guard in base.run(world, env))
    return [(member, guard) for member, guard in found if guard is not False]


def asked_of_one(cell: Cell, node: s.Part, name: str) -> Faulty:
    """The fault that `for` names a second subject where there is only one."""
    return Faulty.one(
        "wrong-type",
        f"`{name}` is asked of one thing, so nobody can stand after `for`",
        cell.span(node),
        help="take the `for ..` out, or ask a table that is `about:` two",
    )


def asked_for_another(cell: Cell, node: s.Part, name: str, found: Type, wanted: Type) -> Faulty:
    """The fault that what stands after `for` is nothing that this is asked for."""
    said = f"`{name}` is asked for {wanted}, and what stands after `for` is {found}"
    help = f"write {asked(wanted)} after `for`, or what holds one of them"
    if isinstance(wanted, AThing):
        help = f"write {a(wanted.kind)} after `for`, or ask another table"
    return Faulty.one("wrong-type", said, cell.span(node), help=help)


def literal(cell: Cell, node: s.Part, value: int | bool | str | None, expect: Type | None) -> Term:
    """A number, yes or no, nobody, or a printed heading, which must be one of the words expected."""
    if type(value) is int and isinstance(expect, Word) and str(value) in expect.words:
        return constant(str(value), expect)
    if not isinstance(value, str):
        return constant(value, Flag() if isinstance(value, bool) else Nobody() if value is None else Number())
    words = expect.words if isinstance(expect, Word) else (value,)
    if value not in words:
        message = f"`{value}` is not {expect}"
        raise Faulty.one("unknown-word", message, cell.span(node), help=suggest(value, words))
    return constant(value, expect if isinstance(expect, Word) else Word(words))


DECLARE = "declare it, as a fact under `kinds:`, a table, or a word of a list; or write what you have called it"
NO_SET = (
    "a row looks at things of a kind, or of a set of them; for a die each write `dice: {saves: {die: d6, "
    "number: hits}}`, `rolled: {my-roll: saves}` among the facts, and `{each: unit, roll: my-roll}`"
)
MOST_TOLD = 12  # who is here


def _who_is(here: Sequence[str]) -> str:
    """Who is in a situation, for somebody who has asked for another; nothing where nobody is."""
    told = ", ".join(here[:MOST_TOLD])
    rest = len(here) - MOST_TOLD
    return told and f"here are {told}" + (f" and {rest} more" if rest > 0 else "")


SETTLED = ("rolled", "drawn", "chosen", "noted")  # origins of facts that a row settles


class Names:
    """Finds the names of one ruleset. `table_type(name)` and `group_kind(name)` are bound when first asked;
    every chart, group and the like that is found is noted in `uses`."""

    def __init__(self, ruleset: Ruleset, table_type: Callable[[str], Type], group_kind: Callable[[str], str]) -> None:
        self.ruleset, self.table_type, self.group_kind = ruleset, table_type, group_kind
        self.uses = Uses()
        self.nearby = Nearby(ruleset)
        self.plurals = {kind.plural: kind.name for kind in ruleset.kinds.values()}
        self.only = [kind for kind in ruleset.kinds.values() if kind.one]
        self.member_kinds: dict[str, str] = {}  # the each-name of a set -> the kind of its members
        for kind in ruleset.kinds.values():
            for fact in kind.facts.values():
                if isinstance(fact.type, Things):
                    self.member_kinds[fact.type.each] = fact.type.kind
        self.member_kinds |= {name: kind.name for name, kind in roles_of(ruleset) if name not in ruleset.kinds}

    def unknown(
        self, cell: Cell, node: s.Part, name: str, known: Iterable[str], of: str = "", here: Sequence[str] = ()
    ) -> Faulty:
        """The fault that nothing is called by a name, underlined where it stands; without a finding if what is called
        so could not be read, since that has been told where it is written. `here` are those whom a situation names."""
        if name.removesuffix("-at-start") in self.ruleset.failed:
            return Faulty.told()
        path = node.path if isinstance(node, s.Reading) else node
        first = path.names[0] if isinstance(path, s.Path) else ""
        printed = self.nearby.is_printed(name)
        if not printed and is_said_otherwise(first) and not self.nearby.asked_of(first):  # `total of men of units`
            slip = slip_in(cell, (node.at[0], node.at[0] + len(first)))
            if slip is not None:
                return slip
        start, end = node.at
        text = cell.place.source.text[cell.place.start + start : cell.place.start + end]
        if found := re.search(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])", text):
            node = s.Path((name,), (start + found.start(), start + found.end()))
        known, owners = set(known), self.nearby.asked_of(name)
        if cell.start == "subject" and not owners and (instead := for_key_of_a_row(name)):
            return Faulty.one("unknown-key", f"a row has no `{name}:` here", cell.span(node), help=instead)
        if not printed and not owners and (slip := slip_in(cell, node.at, name, self.nearby.has)) is not None:
            return slip
        if of and owners:
            said = f"`{name}` is asked of {a(owners[0])}, and this is {of}"
            help = self.nearby.by_way_of(name, owners[0], of.removeprefix("a ").removeprefix("an "), text)
            help = help or f"say it of {a(owners[0])}: `{name} of ..`"
            return Faulty.one("unknown-name", said, cell.span(node), help=help)
        if name in self.plurals and not any(name in kind.facts for kind in self.ruleset.kinds.values()):
            whose, one = of or "whoever has them", self.plurals[name]
            help = f"list them among what is given of {whose}: `{name}: {{are: {name}, each: {one}}}`"
            said = f"nothing of {of} is called `{name}`" if of else f"nobody has a set of `{name}`"
            return Faulty.one("unknown-name", said, cell.span(node), help=help)
        message, help = self.nearby.meant(name, known, cell)
        near = suggest(name, {*known, *ROW_KEYS} - {name}) if cell.start == "subject" and not help else ""
        if suggested(near) in ROW_KEYS:
            return Faulty.one("unknown-key", f"a row has no `{name}:`", cell.span(node), help=near)
        message = message or (f"nothing of {of} is called `{name}`" if of else f"nothing is called `{name}`")
        return Faulty.one(
            "unknown-name",
            message,
            cell.span(node),
            help=help
            or suggest(name, known - {name})
            or _who_is(here)
            or (NO_SET if cell.start == "members" else DECLARE),
        )

    # ---- types of subjects -------------------------------------------------------------------------------
    def subject_type(self, name: str, where: Origin) -> Type:
        """What an `about:` name means: a kind, the each-name of a set or group, or a list of words."""
        if name in self.ruleset.kinds:
            return AThing(name)
        if name in self.member_kinds:
            return AThing(self.member_kinds[name])
        for group in self.ruleset.groups.values():
            if name == group.each:
                self.uses.note("group", group.name, where.place)
                return AThing(self.group_kind(group.name))
        if name in self.ruleset.words:
            return Word(self.ruleset.words[name])
        if name in self.ruleset.failed:
            raise Faulty.told()
        said = f"`{name}` is neither a kind, a member of a set nor a list of words"
        if name in self.plurals:
            said = "`about:` names one of them"
            raise Faulty.one("unknown-name", said, where.place, help=f"write `about: {self.plurals[name]}`")
        help = suggest(name, [*self.ruleset.kinds, *self.member_kinds, *self.ruleset.words])
        holding = [fact for kind in self.ruleset.kinds.values() for fact in kind.facts.values() if fact.name == name]
        for fact in holding:
            if isinstance(fact.type, AThing):
                kind = fact.type.kind
                help = f"two of a kind have names of their own: write `about: {{one: {kind}, {name}: {kind}}}`"
        several = next((kind.name for kind in [*self.ruleset.kinds.values()][::-1] if not kind.one), "unit")
        help = help or (
            f"write the name of a kind: {' or '.join(f'`{kind}`' for kind in self.ruleset.kinds)}; two of a kind have "
            f"names of their own, `about: {{one: {several}, {name}: {several}}}`"
        )
        raise Faulty.one("unknown-name", said, where.place, help=help)

    def subjects(self, about: tuple[str, ...], where: Origin) -> Scope:
        return Scope().inside({name: self.subject_type(name, where) for name in about}) if about else Scope()

    def chart(self, name: str) -> Table | Grid | None:
        """A table or grid; `column of GRID`, which is asked of whom the grid is asked of, is the grid."""
        return self.ruleset.tables.get(name) or self.ruleset.grids.get(name.removeprefix(COLUMN_OF))

    def _with_column(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """`column of GRID` is one name."""
        if names[0] == "column" and len(names) > 1 and names[1] in self.ruleset.grids:
            return (COLUMN_OF + names[1], *names[2:])
        return names

    # ---- sets --------------------------------------------------------------------------------------------
    def base_set(self, cell: Cell, node: s.Members, scope: Scope) -> SetTerm:
        name, *owners = node.path.names
        plain, at_start = name.removesuffix("-at-start"), name.endswith("-at-start")
        if owners:
            owner = self._chain(cell, node, tuple(owners), scope)
            found = self.set_of(cell, node, owner, plain, at_start)
            if found is None:
                raise self.unknown(cell, node.path, plain, self.nearby.sets_of(owner.type))
            return found
        for layer in scope.layers:
            sets = []
            for speaker in layer.speakers:
                one = subject(speaker, layer.names[speaker])
                if (found := self.set_of(cell, node, one, plain, at_start)) is not None:
                    sets.append((speaker, found))
            if len(sets) > 1:
                raise of_several(cell, node.path, name, [speaker for speaker, _ in sets])
            if sets:
                return sets[0][1]
        for kind in self.only:
            one = self.one(kind.name)
            if (found := self.set_of(cell, node, one, plain, at_start)) is not None:
                return found
        kind_name = self.plurals.get(plain, plain)
        if kind_name in self.ruleset.kinds:
            self.uses.reads(in_play_of(kind_name))
            return SetTerm(
                lambda world, env: world.everyone(kind_name, at_start),
                kind_name,
                AThing(kind_name),
                trees.Everyone(kind_name, at_start, kind_name),
            )
        for group in self.ruleset.groups.values():
            if plain in (group.name, group.each) and not group.about:
                return self._group(group.name, (), cell.span(node))
        raise self.unknown(cell, node.path, name, [*self.plurals, *self.ruleset.kinds, *self.ruleset.groups])

    def others(self, cell: Cell, node: s.Members, base: SetTerm, scope: Scope) -> SetTerm:
        """The members but for the one of their kind who speaks; each goes by a name that tells him from that one."""
        for layer in scope.layers:
            mine = [speaker for speaker in layer.speakers if layer.names[speaker] == base.type]
            if len(mine) > 1:
                said = " or ".join(f"`where ({base.each} is not {speaker})`" for speaker in mine)
                message = "it is not said who is left out: " + " or ".join(mine)
                raise Faulty.one("ambiguous-name", message, cell.span(node), help=f"write {said} in place of `other`")
            if mine:
                each = f"other-{base.each}"
                tree = trees.AllBut(base.tree, mine[0], each)
                return SetTerm(partial(_but_for, mine[0], base), each, base.type, tree)
        message = f"nobody is looked at here who is {base.type}, so there is no other"
        raise Faulty.one("unknown-name", message, cell.span(node), help="take `other` out, or look at one first")

    def set_of(self, cell: Cell, node: s.Part, owner: Term, name: str, at_start: bool) -> SetTerm | None:
        if not isinstance(owner.type, AThing):
            return None
        for fact in self.ruleset.kinds[owner.type.kind].facts.values():
            if isinstance(fact.type, Things) and name in (fact.name, fact.type.each):
                self._asked(fact, cell.span(node))
                self.uses.reads(in_play_of(fact.type.kind))
                kind = AThing(fact.type.kind)
                return listed(owner, fact.name, at_start, fact.type.each, kind)
        for group in self.ruleset.groups.values():
            if name in (group.name, group.each) and len(group.about) == 1:
                wanted = self.subject_type(group.about[0], group.where)
                if wanted == AThing(owner.type.kind):
                    return self._group(group.name, (owner,), cell.span(node))
        return None

    def _group(self, name: str, owners: tuple[Term, ...], place: Span) -> SetTerm:
        self.uses.note("group", name, place)
        kind = AThing(self.group_kind(name))

        def run(world: World, env: Env) -> Members:
            if not owners:
                return world.group(name, ())
            return over_set(world, owners[0].run(world, env), lambda who: world.group(name, (who,)))

        each = self.ruleset.groups[name].each
        return SetTerm(run, each, kind, trees.InGroup(name, tuple(owner.tree for owner in owners), each))

    # ---- readings ----------------------------------------------------------------------------------------
    def reading(
        self, cell: Cell, node: s.Part, path: s.Path, other: s.Path | None, scope: Scope, expect: Type | None
    ) -> Term:
        """A fact or table of somebody; with `expect`, a bare word of that type comes first."""
        names = self._with_column(path.names)
        first, second = names[0], None
        if other is not None:
            wanted = self._second_type(first)
            if len(other.names) == 1 and isinstance(wanted, Word) and other.names[0] in wanted.words:
                second = constant(other.names[0], wanted)
            else:
                second = self.its_word(self._chain(cell, node, other.names, scope, wanted))
        if len(names) == 1 and second is None:
            if isinstance(expect, Word) and first in expect.words:
                return constant(first, expect)
            if isinstance(expect, ACounter) and first in self.ruleset.counters:
                self.uses.note("counter", first, cell.span(node))
                return constant(first, expect)
        try:
            return self._chain(cell, node, names, scope, expect, second)
        except Faulty as error:
            known = self.nearby.in_scope(scope, None)
            unknown = error.codes and error.codes <= {"unknown-name", "sentence-syntax"} and first not in known
            if not isinstance(expect, Word) or len(names) > 1 or not unknown:
                raise
            help = suggest(first, expect.words) or suggest(first, known) or f"write {asked(expect)}"
            message = f"`{first}` is not {expect}"
            raise Faulty.one("unknown-word", message, cell.span(node), help=help) from None

    def _second_type(self, name: str) -> Type | None:
        """What stands after `for` when a name is read: the second subject of a table, a word of a fact."""
        about = self._about(name)
        if len(about) == 2:
            chart = self.chart(name)
            if chart is None:
                raise Bug("chart is not None")
            return self.subject_type(about[1], chart.where)
        for kind in self.ruleset.kinds.values():
            fact = kind.facts.get(name.removesuffix("-at-start"))
            if fact is not None and isinstance(fact.type, Per):
                return Word(fact.type.words)
        return None

    def answers(self, cell: Cell, node: s.Part, name: str, scope: Scope) -> str:
        """Which of those who speak here has a bare name; empty if none of them."""
        with self.uses.unnoted():
            for layer in scope.layers:
                for speaker in layer.speakers:
                    owner = subject(speaker, layer.names[speaker])
                    try:
                        found = self.attribute(cell, node, owner, name, None, scope, speaker)
                    except Faulty:  # he has it, and more must be said of it: `for` whom, or for which word
                        return speaker
                    if found:
                        return speaker
        return ""

    def try_reading(self, cell: Cell, node: s.Part, path: s.Path, scope: Scope) -> Term | None:
        """A reading, or None where there is no such name; sets are tried elsewhere."""
        try:
            return self._chain(cell, node, path.names, scope)
        except Faulty:
            return None

    def _chain(
        self,
        cell: Cell,
        node: s.Part,
        names: tuple[str, ...],
        scope: Scope,
        expect: Type | None = None,
        second: Term | None = None,
    ) -> Term:
        *attributes, head = self._with_column(names)
        term = self._bare(cell, node, head, scope, expect, None if attributes else second)
        for i, name in enumerate(reversed(attributes)):
            last = i == len(attributes) - 1
            called = head if i == 0 and scope.find(head) is not None else ""
            found = self.attribute(cell, node, term, name, second if last else None, scope, called)
            if found is None and isinstance(term.type, Word) and (columns := self.nearby.of(term.type)):
                if name in columns:
                    said = f"`{name}` is a column of the list of these words, and something else is called so, too"
                    raise Faulty.one("ambiguous-name", said, cell.span(node), help="give one of them another name")
                help = suggest(name, columns) or "its columns are " + ", ".join(f"`{column}`" for column in columns)
                raise Faulty.one("unknown-name", f"no column is called `{name}`", cell.span(node), help=help)
            if found is None:
                raise self.unknown(cell, node, name, self.nearby.of(term.type), of=str(term.type))
            term = found
        return term

    def one(self, kind: str) -> Term:
        return Term(lambda world, env: world.only(kind), AThing(kind), trees.Only(kind))

    def _bare(
        self, cell: Cell, node: s.Part, name: str, scope: Scope, expect: Type | None, second: Term | None
    ) -> Term:
        if (type := scope.find(name)) is not None:
            if any(layer.had_too == name for layer in scope.layers):
                raise had_too(cell, node, name)
            if scope.meanings(name) > 1:
                raise called_alike(cell, node, name)
            if second is not None:
                raise asked_of_one(cell, node, name)
            self._check_his_own(cell, node, name, scope)
            return subject(name, type)
        for layer in scope.layers:
            found = {}
            for speaker in layer.speakers:
                who = subject(speaker, layer.names[speaker])
                if (one := self.attribute(cell, node, who, name, second, scope, speaker)) is not None:
                    found[self._pair(name, speaker, scope) if second is None else speaker] = one
            if len(found) > 1:
                raise of_several(cell, node, name, layer.speakers)
            if found:
                return next(iter(found.values()))
        for kind in self.only:
            if kind.name == name:
                return self.one(name)
            if (one := self.attribute(cell, node, self.one(kind.name), name, second, scope)) is not None:
                return one
        if self.chart(name) is not None and not self._about(name):
            return self._table(name, (), cell.span(node))
        if name in self.ruleset.options:
            self.uses.note("option", name, cell.span(node))
            readings = Word(self.ruleset.options[name].readings)
            return Term(lambda world, env: world.option(name), readings, trees.Reading(name))
        if isinstance(expect, Word) and name in expect.words:
            return constant(name, expect)
        if name in self.ruleset.counters and isinstance(expect, ACounter):
            return constant(name, expect)
        raise self.unknown(cell, node, name, self.nearby.in_scope(scope, expect), here=scope.of_the_situation)

    def _check_his_own(self, cell: Cell, node: s.Part, name: str, scope: Scope) -> None:
        """`number of units of enemy where (side is attacker)` about a side: those units have a side as well. In a row,
        what is said of a name (`do: add 1 to score of side`) means whoever goes by it, and what it tests by the name
        alone (`side: attacker`) could be either."""
        alone = isinstance(node, s.Reading) and len(node.path.names) == 1 and cell.start in ("subject", "condition")
        for layer in scope.layers:
            if name in layer.names:
                return
            for speaker in layer.speakers if name not in layer.whose and (alone or not layer.of_a_row) else ():
                type = layer.names[speaker]
                fact = self.ruleset.kinds[type.kind].facts.get(name) if isinstance(type, AThing) else None
                if fact is not None and isinstance(fact.type, AThing):
                    raise Faulty.one(
                        "ambiguous-name",
                        f"`{name}` could be that of the {speaker}, or the {name} outside of the brackets or the row",
                        cell.span(node),
                        help=f"write `{name} of {speaker}` for the first; for the other give the chart a role, "
                        f"`about: {{us: {fact.type.kind}}}`, and write `us`",
                    )

    def whose(self, node: s.Part | None, scope: Scope) -> frozenset[str]:
        """The names of one who speaks here whose members a set has, all of them: `side` of the `units of side`."""
        if isinstance(node, s.Extreme):
            node = node.members
        if not isinstance(node, s.Members):
            return frozenset()
        first, *owners = node.path.names
        if len(owners) > 1 or (owners and scope.find(owners[0]) is None):
            return frozenset()
        for layer in scope.layers:
            for name in owners if owners and owners[0] in layer.names else () if owners else layer.speakers:
                if self._are_his(first, layer.names[name]):
                    return frozenset(layer.names if layer.of_a_row else (name,))
        return frozenset()

    def _are_his(self, name: str, type: Type) -> bool:
        """Whether a set that somebody has, or a group of his, is made of those who stand under him in a situation."""
        facts = self.ruleset.kinds[type.kind].facts.values() if isinstance(type, AThing) else ()
        for fact in facts:
            if isinstance(fact.type, Things) and name in (fact.name, fact.type.each):
                return fact.origin == "given"
        for group in self.ruleset.groups.values():
            if name in (group.name, group.each) and len(group.about) == 1:
                about = group.about[0]
                mine = self.whose(group.members.node, Scope().inside({about: self.subject_type(about, group.where)}))
                return about in mine
        return False

    def _pair(self, name: str, speaker: str, scope: Scope) -> tuple[str, ...] | str:
        """Who is meant where a table about two is asked by one who speaks; it may be found through either."""
        chart = self.chart(name)
        order = self._order(chart, scope.find(speaker), speaker, scope) if chart and len(chart.about) == 2 else None
        if order is None or chart is None:
            return speaker
        return (speaker, chart.about[1]) if order == 0 else (chart.about[0], speaker)

    def _order(self, chart: Table | Grid, type: Type | None, called: str, scope: Scope) -> int | None:
        """Which subject of a table about two somebody is, if the other goes by the table's name for him here."""
        types = [self.subject_type(a, chart.where) for a in chart.about]
        for mine in (1, 0) if called == chart.about[1] else (0, 1):
            theirs = chart.about[1 - mine]
            other = scope.find(theirs)
            if type is None or other is None or theirs == called:
                continue
            if fits(type, types[mine]) and fits(other, types[1 - mine]):
                return mine
        return None

    def _about(self, name: str) -> tuple[str, ...]:
        chart = self.chart(name)
        return chart.about if chart else ()

    def attribute(
        self, cell: Cell, node: s.Part, owner: Term, name: str, second: Term | None, scope: Scope, called: str = ""
    ) -> Term | None:
        """What somebody has under a name: a fact, a table, membership of a group, a word; None if nothing.

        `second` is who stands after `for`; `called` the name that somebody goes by here.
        """
        found = self._attribute(cell, node, owner, name, second, scope, called)
        if found is not None and second is not None and len(self._about(name)) < 2 and not self._is_per(owner, name):
            raise asked_of_one(cell, node, name)
        return found

    def _is_per(self, owner: Term, name: str) -> bool:
        facts = self.ruleset.kinds[owner.type.kind].facts if isinstance(owner.type, AThing) else {}
        fact = facts.get(name.removesuffix("-at-start"))
        return fact is not None and isinstance(fact.type, Per)

    def _attribute(
        self, cell: Cell, node: s.Part, owner: Term, name: str, second: Term | None, scope: Scope, called: str
    ) -> Term | None:
        if isinstance(owner.type, Roll):
            die, word = self._named_die(owner, name), self.its_word(owner)
            if die is not None or not isinstance(word.type, Word):
                return die
            owner = word
        if not isinstance(owner.type, AThing):
            return self._of_word(cell, node, owner, name, second, scope, called)
        kind = self.ruleset.kinds[owner.type.kind]
        plain, at_start = name.removesuffix("-at-start"), name.endswith("-at-start")
        fact = kind.facts.get(plain)
        if fact is not None and not isinstance(fact.type, Things):
            return self._fact(cell, node, owner, fact, at_start, second, scope)
        if name == "in-play":
            who = owner.run
            self.uses.reads(in_play_of(kind.name))
            return Term(
                lambda world, env: over(world, who(world, env), world.in_play), Flag(), trees.IsInPlay(owner.tree)
            )
        about = self._about(name)
        if about:
            return self._table_of(cell, node, name, owner, second, scope, called)
        for group in self.ruleset.groups.values():
            if name != group.each or len(group.about) > 1:
                continue
            self.uses.note("group", group.name, cell.span(node))
            if self.group_kind(group.name) == owner.type.kind:
                return self._membership(owner, group.name)
        return self._word(cell, node, owner, kind.name, name)

    def _of_word(
        self, cell: Cell, node: s.Part, owner: Term, name: str, second: Term | None, scope: Scope, called: str
    ) -> Term | None:
        if not isinstance(owner.type, Word):
            return None
        if self._about(name):
            return self._table_of(cell, node, name, owner, second, scope, called)
        for of, words in self.ruleset.words.items():
            column = f"{name} of {of}"
            if column in self.ruleset.grids and fits(owner.type, Word(words)):
                return self._table(column, (owner,), cell.span(node))
        return None

    def _asked(self, fact: Fact, place: Span) -> None:
        """Notes that a fact is read; and if nobody gives it, where: somebody has to roll, deal or choose it."""
        self.uses.reads(fact.name)
        if fact.origin in SETTLED:
            self.uses.note("fact", f"{fact.kind}.{fact.name}", place)

    def _stored(self, owner: Term, fact: Fact) -> Term:
        name, who = fact.name, owner.run
        self.uses.reads(name)
        return Term(
            lambda world, env: over(world, who(world, env), lambda w: world.fact(w, name)),
            fact.type,
            trees.of_fact(owner.tree, fact),
        )

    def _fact(
        self, cell: Cell, node: s.Part, owner: Term, fact: Fact, at_start: bool, second: Term | None, scope: Scope
    ) -> Term:
        name, who = fact.name, owner.run
        self._asked(fact, cell.span(node))
        if isinstance(fact.type, Per):
            wanted = Word(fact.type.words)
            if second is None:
                lists = [n for layer in scope.layers for n, ty in layer.names.items() if ty == wanted]
                if len(lists) > 1:
                    raise of_several(cell, node, name, lists, "for")
                if not lists and fact.is_hand and not at_start:
                    return self._held(owner, fact, wanted.words)
                if not lists:
                    raise Faulty.one(
                        "missing-key",
                        f"`{name}` is a number for each word",
                        cell.span(node),
                        help=f"write `{name} of .. for ..`",
                    )
                second = subject(lists[0], wanted)
            if not fits(second.type, wanted):
                raise asked_for_another(cell, node, name, second.type, wanted)
            word = second.run

            def per(world: World, env: Env) -> Value:
                w = word(world, env)
                get = world.fact_at_start if at_start else world.fact

                def of(thing: Thing) -> Value:
                    return over(world, w, lambda x: get(thing, name, x), wanted.words)

                return over(world, who(world, env), of)

            tree = trees.of_fact(owner.tree, fact, at_start, second.tree)
            return Term(per, Number(fact.type.low, fact.type.high), tree)
        if at_start:
            return Term(
                lambda world, env: over(world, who(world, env), lambda w: world.fact_at_start(w, name)),
                fact.type,
                trees.of_fact(owner.tree, fact, True),
            )
        return self._stored(owner, fact)

    def _held(self, owner: Term, fact: Fact, words: tuple[str, ...]) -> Term:
        """The cards of a hand, spoken of together."""

        def held(world: World, env: Env) -> Value:
            return over(world, owner.run(world, env), lambda who: Held(world, who, fact.name, words))

        return Term(held, Hand(words))

    def is_but_a_word(self, kind: str, name: str) -> bool:
        """Whether nothing of this kind has the name but a bare word: somebody who is called so is meant before it."""
        members = {group.each for group in self.ruleset.groups.values()}
        return not (name in self.ruleset.kinds[kind].facts or name in members or self._about(name))

    def _word(self, cell: Cell, node: s.Part, owner: Term, kind: str, name: str) -> Term | None:
        """A bare word of exactly one of somebody's word facts: `archer` of a unit whose class has it."""
        found = [
            f
            for f in self.ruleset.kinds[kind].facts.values()
            if isinstance(f.type, Word) and f.origin != "drawn" and name in f.type.words
        ]
        if len(found) != 1:
            return None
        self._asked(found[0], cell.span(node))
        fact, who = found[0].name, owner.run
        return Term(
            lambda world, env: world.shop.equal(over(world, who(world, env), lambda w: world.fact(w, fact)), name),
            Flag(),
            trees.Equal(trees.of_fact(owner.tree, found[0]), trees.const(name)),
        )

    def _membership(self, owner: Term, group: str) -> Term:
        about = self.ruleset.groups[group].about
        holder = self.attribute_kind(owner, about[0]) if about else None
        if about and holder is None:
            return constant(False, Flag())
        of = holder.run if holder is not None else None  # is he in the group of the one who has him?

        def run(world: World, env: Env) -> Value:
            who = owner.run(world, env)
            members = (
                over_set(world, of(world, env), lambda w: world.group(group, (w,))) if of else world.group(group, ())
            )
            return world.shop.any_of(world.shop.and_(world.shop.equal(who, m), g) for m, g in members)

        owners = () if holder is None else (holder.tree,)
        mine = trees.InGroup(group, owners, self.ruleset.groups[group].each)
        return Term(run, Flag(), trees.IsIn(owner.tree, mine))

    def attribute_kind(self, owner: Term, about: str) -> Term | None:
        """The fact of somebody that holds a thing of the kind a group is about: the side of a unit."""
        if not isinstance(owner.type, AThing):
            return None
        wanted = AThing(about).kind
        for fact in self.ruleset.kinds[owner.type.kind].facts.values():
            if isinstance(fact.type, AThing) and fact.name == wanted and fact.type.kind == wanted:
                return self._stored(owner, fact)
        return None

    def _table_of(
        self, cell: Cell, node: s.Part, name: str, owner: Term, second: Term | None, scope: Scope, called: str
    ) -> Term | None:
        """A table read for somebody; a second subject that is not named is the one of that name in scope."""
        chart, place = self.chart(name), cell.span(node)
        if chart is None:
            raise Bug("chart is not None")
        about = chart.about
        types = [self.subject_type(a, chart.where) for a in about]
        if len(about) == 1:
            fit = fits(owner.type, types[0])
            return self._table(name, (owner,), place) if fit else None
        if second is not None:
            if not fits(owner.type, types[0]):
                return None
            if not fits(second.type, types[1]):
                raise asked_for_another(cell, node, name, second.type, types[1])
            return self._table(name, (owner, second), place)
        mine = self._order(chart, owner.type, called, scope)
        if mine is None:
            return None
        other = subject(about[1 - mine], scope.find(about[1 - mine]) or types[1 - mine])
        return self._table(name, (owner, other) if mine == 0 else (other, owner), place)

    def _table(self, name: str, args: tuple[Term, ...], place: Span) -> Term:
        plain = name.removeprefix(COLUMN_OF)
        self.uses.note("chart", plain, place)
        runs, types = tuple(arg.run for arg in args), tuple(arg.type for arg in args)

        def read(world: World, known: tuple[Value, ...]) -> Value:
            return world.table(name, known) if plain == name else world.column(plain, known)

        def run(world: World, env: Env) -> Value:
            return spread(world, tuple(r(world, env) for r in runs), types, partial(read, world))

        type = self.table_type(name) if plain == name else self._heading_type(self.ruleset.grids[plain])
        return Term(run, type, trees.Asked(plain, tuple(arg.tree for arg in args), plain != name))

    def _heading_type(self, grid: Grid) -> Type:
        """What a heading of a grid is: a number, or a word, lowest first, of the list that has just these."""
        if are_numbers(grid.columns):
            return Number()
        rising = [heading.text for heading in (grid.columns[::-1] if fall(grid.columns) else grid.columns)]
        lists = [words for words in self.ruleset.words.values() if set(words) == set(rising)]
        return Word(lists[0] if lists else tuple(rising))

    def its_word(self, term: Term) -> Term:
        """A roll of a single die with words on it is the word that it shows; any other roll stays what it is."""
        if not isinstance(term.type, Roll):
            return term
        parts = self.ruleset.dice[term.type.dice].parts
        if len(parts) != 1 or parts[0].number != 1 or parts[0].each or parts[0].at_most != 0:
            return term
        type = type_of_faces(parts[0].faces.get("", ()), self.ruleset.words.values())
        if not isinstance(type, Word):
            return term
        name = parts[0].name
        return Term(lambda world, env: over(world, term.run(world, env), lambda thrown: thrown.named(name)), type)

    def _named_die(self, owner: Term, name: str) -> Term | None:
        if not isinstance(owner.type, Roll):
            raise Bug("isinstance(owner.type, Roll)")
        dice = self.ruleset.dice.get(owner.type.dice)
        part = next((p for p in dice.parts if p.name == name), None) if dice else None
        if part is None:
            return None
        faces = (face for several in part.faces.values() for face in several)
        type = type_of_faces(faces, self.ruleset.words.values())
        return Term(lambda world, env: over(world, owner.run(world, env), lambda thrown: thrown.named(name)), type)
