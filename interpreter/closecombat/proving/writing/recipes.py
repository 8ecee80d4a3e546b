"""What an operation does, told as data: from this a function can be written that does the same (`fusing`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from closecombat.proving.tables.weights import Answer, Layout, Row, Weights
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.text.slotted import dataclass

Factors: TypeAlias = dict[int, tuple[Weights, int]]
Walk: TypeAlias = Callable[[Factors], None]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that are gone through: of factors joined, in their order, with what stands on the board."""

    ids: tuple[int, ...]
    layouts: tuple[Layout, ...]
    settled: Mapping[Sym, int]  # the cells of what stands on the board
    maker: Callable[[Value], Callable[[Row], Value]]  # how the walk works out a value of a row

    @property
    def layout(self) -> Layout:
        return tuple(var for layout in self.layouts for var in layout)


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A factor that is always the same."""

    made: int
    table: Weights
    den: int


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """An operation that is walked in any case."""

    ids: tuple[int, ...]
    walk: Walk
    made: int


@dataclass(frozen=True, slots=True, eq=False)
class Noted:
    """A value that stands on the board from here on."""

    rows: Rows
    cell: int
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """Rows of what is kept, and of some values."""

    rows: Rows
    kept: tuple[Sym, ...]
    values: tuple[Value, ...]
    made: int


Told: TypeAlias = tuple[Layout, Callable[[Row], Row], Layout]  # of some columns what is told of others


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Values that hang on some columns, from what others tell of these (`inner`) and from those before them: a maker is
    given all of that in turn. Then what others tell `beside`; `wanted` is what is taken of all. It can be walked. Where
    two rows may be alike in the columns it is worth remembering."""

    columns: Layout
    inner: Sequence[Told]
    lets: Sequence[tuple[Sym, Value, Callable[[Row], Value]]]  # each with its maker, if it cannot be written
    wanted: Layout
    walk: Callable[[Row], Row]
    is_remembered: bool
    beside: Sequence[Told] = ()


@dataclass(frozen=True, slots=True, eq=False)
class InTurn:
    """Rows of what is kept, and of what stages come to."""

    rows: Rows
    kept: Layout
    stages: Sequence[Stage]
    made: int


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """Rows of what is kept, each followed by the answers that some values have: so many columns."""

    rows: Rows
    inputs: tuple[Value, ...]
    known: Mapping[Row, Answer]
    kept: tuple[Sym, ...]
    columns: int
    made: int


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """What is done with the rows of one arm, which stand in `entry`; what is taken of the rows that come out."""

    entry: int
    steps: Sequence[Recipe]
    ends: Rows
    wanted: tuple[Sym, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Branched:
    """Rows of what is wanted, from either arm; with none they are as they were, and what they lack is nobody. Where
    there are more rows than `most`, the operation is walked, and if an arm holds what cannot be told."""

    rows: Rows
    condition: Value
    arms: Callable[[], tuple[Arm, Arm | None] | None]
    wanted: tuple[Sym, ...]
    most: int | None
    walk: Walk
    made: int


Recipe: TypeAlias = Thrown | Walked | Noted | Set | InTurn | Answered | Branched


def taken(recipe: Recipe) -> tuple[int, ...]:
    """The factors that an operation uses up."""
    match recipe:
        case Thrown():
            return ()
        case Walked(ids):
            return ids
    return recipe.rows.ids


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An operation that tells what it does."""

    walk: Walk
    recipe: Recipe

    def __call__(self, factors: Factors) -> None:
        self.walk(factors)
