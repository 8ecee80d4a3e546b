"""What is made by `text/slotted` is what the library's own decorator makes."""

import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from typing import Any, NamedTuple

import pytest

from closecombat.text import slotted
from closecombat.text.source import Source, Span


def classes(decorator: Any) -> tuple[type, type]:
    @decorator(frozen=True, slots=True)
    class Frozen:
        """Some of each kind of field."""

        first: int
        second: str = "b"
        hidden: str = field(default="h", repr=False)
        apart: list[int] = field(default_factory=list, compare=False)

    @decorator(slots=True)
    class Loose:
        """May be changed."""

        one: int
        more: list[int] = field(default_factory=list)
        last: int = field(init=False)

        def __post_init__(self) -> None:
            self.last = self.one + 1

    return Frozen, Loose


BOTH = pytest.mark.parametrize("decorator", [slotted.dataclass, dataclasses.dataclass])


@BOTH
def test_a_frozen_class(decorator: Any) -> None:
    frozen, _ = classes(decorator)
    one = frozen(1)
    assert (one.first, one.second, one.hidden, one.apart) == (1, "b", "h", [])
    assert one == frozen(1, apart=[7]) and one != frozen(2) and one != (1, "b", "h")
    assert hash(one) == hash(frozen(1, "b", "h", [3])) == hash((1, "b", "h"))
    assert frozen(1).apart is not one.apart
    assert repr(one).endswith("Frozen(first=1, second='b', apart=[])")
    assert replace(one, first=3, second="c") == frozen(first=3, second="c")
    assert is_dataclass(one) and [each.name for each in fields(one)] == ["first", "second", "hidden", "apart"]
    match one:
        case frozen(1, "b"):
            met = True
        case _:
            met = False
    assert met and not hasattr(one, "__dict__")


@BOTH
def test_nothing_of_a_frozen_one_changes(decorator: Any) -> None:
    one = classes(decorator)[0](1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
        one.first = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
        del one.first


@BOTH
def test_a_loose_class(decorator: Any) -> None:
    _, loose = classes(decorator)
    one = loose(1)
    one.more.append(5)
    assert one == loose(1, [5]) and one != loose(1) and one.last == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@BOTH
def test_what_is_missing_is_told(decorator: Any) -> None:
    with pytest.raises(TypeError, match=r"Frozen\.__init__\(\) missing 1 required positional argument: 'first'"):
        classes(decorator)[0]()


@pytest.mark.parametrize("decorator", [slotted.dataclass, dataclasses.dataclass])
def test_what_a_class_says_itself_stays(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Own:
        """Its hash is its own."""

        one: int

        def __hash__(self) -> int:
            return 5

    @decorator(frozen=True, slots=True, eq=False)
    class Single:
        """Itself alone."""

        one: int

    assert hash(Own(1)) == 5 and Own(1) == Own(1)
    assert Single(1) != Single(1) and hash(Single(1)) != hash((1,))


def test_it_goes_to_other_processes() -> None:
    span = Span(Source("a", "text"), 1, 2)
    assert pickle.loads(pickle.dumps(span)) == span
    assert Span.__dataclass_params__.frozen and Span.__dataclass_params__.eq  # a cluster asks, before it sends one


@BOTH
def test_what_has_no_default_stands_before_what_has_one(decorator: Any) -> None:
    with pytest.raises(TypeError, match="default"):

        @decorator(frozen=True, slots=True)
        class Turned:
            one: int = 1
            other: str

        Turned("x")


@BOTH
def test_classes_with_as_many_fields_keep_their_own_names(decorator: Any) -> None:
    @decorator(frozen=True, slots=True)
    class Left:
        p1: int
        f0: int

    @decorator(frozen=True, slots=True)
    class Right:
        other: int
        hash: int

    assert (Left(p1=1, f0=2).p1, Left(1, f0=2).f0) == (1, 2) and Left(1, 2) == Left(1, 2) != Left(2, 1)
    assert hash(Right(other=3, hash=4)) == hash((3, 4)) and Right(3, 4) != Left(3, 4) and Right(3, 4) == Right(3, 4)
    with pytest.raises(TypeError, match=r"Right.*other"):
        Right(hash=4)


@pytest.mark.parametrize("base", [slotted.NamedTuple, NamedTuple])
def test_a_named_tuple(base: Any) -> None:
    class Place(base):
        """Of a state."""

        row: str
        column: int = 1
        sort: str = "place"

        def said(self) -> str:
            return f"{self.row}{self.column}"

    one = Place("a", column=2)
    assert one == ("a", 2, "place") and hash(one) == hash(("a", 2, "place")) and one.said() == "a2"
    assert (Place("b"), Place.__doc__, Place.__match_args__) == (("b", 1, "place"), "Of a state.", Place._fields)
    assert repr(one) == "Place(row='a', column=2, sort='place')" and one._replace(row="c").row == "c"
    assert not hasattr(one, "__dict__") and Place.__qualname__.endswith("test_a_named_tuple.<locals>.Place")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'row'"):
        Place()
