"""What a sentence is, as a small tree, for whoever would rather write it out than call its closures.

A tree says what its sentence comes to *where everything is known*: no dice are left open, and whoever is asked is
somebody or nobody. It stands beside the closure of a term (`binding/terms`), which says the same of every case. A kind
of sentence that is asked seldom has no tree of its own; it is a `Call` of its closure, so that there is always a tree.

Trees hold no text of a sentence and no place: a fault is told by the closure, which knows both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from closecombat.proving.values.symbolic import Value
from closecombat.reading.model import Fact
from closecombat.reading.types import AThing, Flag, Number, Per, Roll, Type, Word
from closecombat.text.slotted import dataclass

Run: TypeAlias = Callable[[Any, Any], Any]  # the closure of a term, or of a set


# ---- values -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """Whatever its closure gives."""

    run: Run


@dataclass(frozen=True, slots=True)
class Const:
    """A value that stands in the sentence, with its sort: 1 is no yes."""

    value: Value
    sort: type


@dataclass(frozen=True, slots=True)
class Name:
    """Whoever goes by a name here; he is somebody."""

    name: str


@dataclass(frozen=True, slots=True)
class Only:
    """The one thing of its kind."""

    kind: str


@dataclass(frozen=True, slots=True)
class OfFact:
    """A fact of somebody; `word` is for which word of a list, of a fact that has a number for each. `always` says that
    whoever is somebody has it, `assumed` that reading it is noted."""

    owner: Tree
    fact: str
    type: Type
    always: bool
    assumed: bool
    at_start: bool
    word: Tree | None


@dataclass(frozen=True, slots=True)
class IsInPlay:
    """Whether somebody is still in play."""

    owner: Tree


@dataclass(frozen=True, slots=True)
class Asked:
    """A table or grid read for its subjects, or the `column` of a grid; of nobody it is nobody."""

    name: str
    args: tuple[Tree, ...]
    column: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of an option."""

    option: str


@dataclass(frozen=True, slots=True)
class Total:
    """A roll read as a number: the sum of its dice."""

    roll: Tree


@dataclass(frozen=True, slots=True)
class Counted:
    """A value that somebody must have."""

    value: Tree


@dataclass(frozen=True, slots=True)
class Signed:
    """Two numbers with a sign between them."""

    sign: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Rounded:
    """A number to a whole one, in a way."""

    way: str
    value: Tree


@dataclass(frozen=True, slots=True)
class Ranked:
    """The place of a word in its list; of nobody it is nobody."""

    words: tuple[str, ...]
    word: Tree


@dataclass(frozen=True, slots=True)
class Best:
    """The highest of several values that somebody has, or the lowest; by `words` of one list, if they are words."""

    highest: bool
    values: tuple[Tree, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HowMany:
    """How many members a set has."""

    of: SetTree


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum over the members of a set of what each is worth."""

    of: SetTree
    worth: Tree


@dataclass(frozen=True, slots=True)
class Extreme:
    """Who of a set is worth most, or least, the first of equals; or what that one is worth, which must be something.
    By `words` of a list, if the worth is a word."""

    highest: bool
    of: SetTree
    worth: Tree
    who: bool
    words: tuple[str, ...]


# ---- conditions: always yes or no -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Equal:
    """Whether two values are the same."""

    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Compared:
    """`sign` is >=, <=, > or <; of nobody it does not hold."""

    sign: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Between:
    """From one number to another; of nobody it does not hold."""

    value: Tree
    low: Tree
    high: Tree


@dataclass(frozen=True, slots=True)
class IsSomebody:
    """Whether there is a value: nobody is none."""

    value: Tree


@dataclass(frozen=True, slots=True)
class IsSo:
    """A flag: nobody's is not raised."""

    flag: Tree


@dataclass(frozen=True, slots=True)
class Not:
    """No where it is yes."""

    flag: Tree


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions asked one after the other, as far as need be: whether all hold, or any."""

    parts: tuple[Tree, ...]
    all_of: bool


@dataclass(frozen=True, slots=True)
class Quantified:
    """Whether any, every or no member fits; without a `check` whoever is there fits. In the check he goes by `each`."""

    quantifier: str
    of: SetTree
    check: Tree | None
    each: str


@dataclass(frozen=True, slots=True)
class IsIn:
    """Whether somebody is a member of a set."""

    who: Tree
    of: SetTree


Tree: TypeAlias = (
    Call
    | Const
    | Name
    | Only
    | OfFact
    | IsInPlay
    | Asked
    | Reading
    | Total
    | Counted
    | Signed
    | Rounded
    | Ranked
    | Best
    | HowMany
    | Sum
    | Extreme
    | Equal
    | Compared
    | Between
    | IsSomebody
    | IsSo
    | Not
    | Joined
    | Quantified
    | IsIn
)

CONDITIONS = (Equal, Compared, Between, IsSomebody, IsSo, Not, Joined, Quantified, IsIn)


# ---- sets: `each` names a member --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallSet:
    """Whatever its closure gives."""

    run: Run
    each: str


@dataclass(frozen=True, slots=True)
class MembersOf:
    """A set that somebody has; of nobody it is empty."""

    owner: Tree
    fact: str
    at_start: bool
    each: str


@dataclass(frozen=True, slots=True)
class Everyone:
    """All of a kind."""

    kind: str
    at_start: bool
    each: str


@dataclass(frozen=True, slots=True)
class InGroup:
    """A named set of somebody, or of nobody in particular."""

    name: str
    owners: tuple[Tree, ...]
    each: str


@dataclass(frozen=True, slots=True)
class AllBut:
    """The members but for the one who goes by a name."""

    of: SetTree
    name: str
    each: str


@dataclass(frozen=True, slots=True)
class Where:
    """The members of a set of whom something holds."""

    of: SetTree
    fits: Tree
    each: str


SetTree: TypeAlias = CallSet | MembersOf | Everyone | InGroup | AllBut | Where


# ---- made from what is bound ------------------------------------------------------------------------------


def const(value: Value) -> Const:
    return Const(value, type(value))


def of_fact(owner: Tree, fact: Fact, at_start: bool = False, word: Tree | None = None) -> OfFact:
    """A fact of somebody, with what its declaration says of it."""
    match fact.type:
        case Per():
            always = True
        case Flag() | Number(nobody=False):
            always = fact.origin in ("given", "printed", "noted")
        case Word() | AThing(nobody=False):
            always = fact.origin in ("given", "printed")
        case _:
            always = False
    if not isinstance(fact.type, AThing) and fact.default is not None and fact.default[0] is None:
        always = False
    type = Number(fact.type.low, fact.type.high) if isinstance(fact.type, Per) else fact.type
    assumed = bool(fact.where.assumed) and not isinstance(fact.type, Roll)
    return OfFact(owner, fact.name, type, always, assumed, at_start, word)


def always(tree: Tree) -> bool:
    """Whether it is certainly somebody's: what has been said of it otherwise ends in an error, which is never wrong."""
    match tree:
        case Const(value):
            return value is not None
        case OfFact(owner, always=there, word=word):
            return there and always(owner) and (word is None or always(word))
        case IsInPlay(one) | Ranked(_, one):
            return always(one)
        case Extreme(who=who):
            return not who
        case Asked() | Total() | Call():
            return False
    return True


def within(one: Any) -> Iterator[Any]:
    """A tree, and all that it is made of."""
    if isinstance(one, tuple):
        for each in one:
            yield from within(each)
    elif is_dataclass(one) and not isinstance(one, type):
        yield one
        for each in fields(one):
            yield from within(getattr(one, each.name))
