"""Dataclasses with slots whose methods are written when they are first called.

The library's own decorator writes up to seven methods a class as text, and compiles them while its module is
imported: for small commands that took longer than all the rest of their start. They have some 240 such classes, make
things of half of them and compare those of a few. Here a class has its slots and its match arguments at once;
`__init__`, `__eq__` and `__hash__` are made when the first thing is made, compared or hashed, and what the library
knows of its fields is asked of the library when somebody asks for it. They are written and compiled once for all
classes with as many fields of the same sorts (`_init_of`), which takes twenty times as long as to put the names of a
class into what was compiled: `p0` becomes the name of its first field as a parameter, `f0` as a field. What is written
is made of such numbers alone.

For a type checker this is the library's decorator, of which it knows `frozen`, `slots` and `eq`; `field`, `fields`,
`replace` and `is_dataclass` are the library's. No such class is made from another.

A `NamedTuple` is the one of `collections`. That of `typing` is the same, and reads the type of each field besides, for
which nobody here asks: it takes three times as long.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from typing import NamedTuple as NamedTuple
else:

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True) -> Callable[[type], type]:
        return lambda written: _made(written, frozen, eq)

    class _Named(type):
        """Makes a named tuple of a class that says its fields, and perhaps what they are where they are not given."""

        def __new__(cls, name: str, bases: tuple[type, ...], written: dict[str, Any]) -> type:
            said = written.get("__annotations__")
            names = tuple(type(name, (), {**written}).__annotations__ if said is None else said)  # of a later Python
            defaults = [written.pop(each) for each in names if each in written]
            made = namedtuple(name, names, defaults=defaults, module=written["__module__"])
            for each, value in written.items():
                setattr(made, each, value)
            return made

    NamedTuple = type.__new__(_Named, "NamedTuple", (), {})


_FIELDS = "__dataclass_fields__"  # where the library looks for them, and by which it knows such a class
_PARAMS = "__dataclass_params__"  # and how it was made: a cluster asks, before it sends one
_FACTORY = object()  # stands for a value that is made anew for each thing


def _made(written: type, frozen: bool, eq: bool) -> type:
    own = dict(vars(written))
    own["__annotations__"] = annotations = written.__annotations__  # which a later Python makes when it is asked
    names = tuple(annotations)
    defaults = {name: own.pop(name) for name in names if name in own}
    for each in ("__dict__", "__weakref__"):  # of a class without slots
        own.pop(each, None)
    own |= {"__slots__": names, "__match_args__": names, _FIELDS: _Fields(defaults), _PARAMS: _Params(frozen, eq)}
    own.setdefault("__repr__", _repr)
    own.setdefault("__init__", _once_asked("__init__", lambda made: _init(made, defaults, frozen)))
    if eq:
        compared = [name for name in names if not _is_left_out(defaults.get(name))]
        hashes = _once_asked("__hash__", lambda made: _hash(made, compared))
        own.setdefault("__eq__", _once_asked("__eq__", lambda made: _eq(made, compared)))
        own["__hash__"] = own.get("__hash__") or (hashes if frozen else None)
    if frozen:
        own |= {
            "__setattr__": _set_nothing,
            "__delattr__": _delete_nothing,
            "__getstate__": _state,
            "__setstate__": _set_state,
        }
    made = type(written)(written.__name__, written.__bases__, own)
    made.__qualname__ = written.__qualname__
    return made


def _is_left_out(default: object) -> bool:
    """Whether a field makes no difference between two things."""
    return isinstance(default, Field) and not default.compare


def is_made(one: object) -> bool:
    """Whether something is such a class, without asking for its fields."""
    return isinstance(one, type) and _FIELDS in vars(one)


class _Fields:
    """What the library knows of the fields of a class, from when it is first asked for."""

    __slots__ = ("defaults",)

    def __init__(self, defaults: dict[str, Any]) -> None:
        self.defaults = defaults

    def __get__(self, one: object, made: type) -> dict[str, Field[Any]]:
        written = {"__doc__": made.__name__, "__annotations__": made.__annotations__, **self.defaults}
        like = type(made.__name__, (), written)  # with a word on it, else the library writes its signature out
        plain: Any = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)(like)
        found: dict[str, Field[Any]] = getattr(plain, _FIELDS)
        setattr(made, _FIELDS, found)
        return found


class _Params:
    """What the library knows of how a class was made, from when it is first asked for."""

    __slots__ = ("eq", "frozen")

    def __init__(self, frozen: bool, eq: bool) -> None:
        self.frozen, self.eq = frozen, eq

    def __get__(self, one: object, made: type) -> Any:
        like: Any = dataclasses.dataclass(frozen=self.frozen, eq=self.eq)(type(made.__name__, (), {}))
        found = getattr(like, _PARAMS)
        setattr(made, _PARAMS, found)
        return found


def _once_asked(name: str, write: Callable[[type], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that puts the written one in its place."""

    def first(self: object, *arguments: object, **named: object) -> Any:
        method = write(type(self))
        setattr(type(self), name, method)
        return method(self, *arguments, **named)

    return first


# ---- what is written ----------------------------------------------------------------------------------------


def _init(made: type, defaults: dict[str, Any], frozen: bool) -> Callable[..., Any]:
    space: dict[str, Any] = {"_factory": _FACTORY}
    names: list[str] = []
    made_anew: list[bool] = []
    given: list[object] = []
    for name in made.__match_args__:  # type: ignore[attr-defined]
        default = defaults.get(name, MISSING)
        if isinstance(default, Field):
            if not default.init:
                continue
            if default.default_factory is not MISSING:
                space[f"m{len(names)}"] = default.default_factory
                default = _FACTORY
            else:
                default = default.default
        if default is not MISSING:
            given.append(default)
        elif given:
            raise TypeError(f"`{made.__qualname__}.{name}` has no default, and what stands before it has one")
        space[f"s{len(names)}"] = vars(made)[name].__set__
        made_anew.append(default is _FACTORY)
        names.append(name)
    written = _init_of(tuple(made_anew), frozen, hasattr(made, "__post_init__"))
    return _named(made, "__init__", written, names, space, tuple(given))


def _eq(made: type, compared: list[str]) -> Callable[..., Any]:
    return _named(made, "__eq__", _eq_of(len(compared)), compared, {})


def _hash(made: type, compared: list[str]) -> Callable[..., Any]:
    return _named(made, "__hash__", _hash_of(len(compared)), compared, {})


@cache
def _init_of(made_anew: tuple[bool, ...], frozen: bool, goes_on: bool) -> CodeType:
    """Of a class with so many fields, some of which are `made_anew` where they are not given; `goes_on` if there is a
    `__post_init__`. In a frozen one the slot itself sets it: to ask the object for that takes half as long again."""
    lines = []
    for at, is_made in enumerate(made_anew):
        value = f"m{at}() if p{at} is _factory else p{at}" if is_made else f"p{at}"
        lines.append(f"s{at}(self, {value})" if frozen else f"self.f{at} = {value}")
    if goes_on:
        lines.append("self.__post_init__()")
    return _compiled(["self", *(f"p{at}" for at, _ in enumerate(made_anew))], lines or ["pass"])


@cache
def _eq_of(number: int) -> CodeType:
    lines = [
        "if other.__class__ is not self.__class__:",
        "    return NotImplemented",
        f"return {_all_of('self', number)} == {_all_of('other', number)}",
    ]
    return _compiled(["self", "other"], lines)


@cache
def _hash_of(number: int) -> CodeType:
    return _compiled(["self"], [f"return hash({_all_of('self', number)})"])


def _all_of(whom: str, number: int) -> str:
    return "(" + "".join(f"{whom}.f{at}, " for at in range(number)) + ")"


def _compiled(parameters: list[str], lines: list[str]) -> CodeType:
    text = f"def method({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in lines)
    found: dict[str, Any] = {}
    exec(compile(text, "<a class with slots>", "exec"), found)
    code: CodeType = found["method"].__code__
    return code


def _named(
    made: type, method: str, code: CodeType, names: list[str], space: dict[str, Any], given: tuple[object, ...] = ()
) -> Callable[..., Any]:
    """A method of a class: what was written for its like, with the names of its fields."""
    called = {f"{sort}{at}": name for at, name in enumerate(names) for sort in "pf"}
    own = code.replace(
        co_name=method,
        co_names=tuple(called.get(name, name) for name in code.co_names),
        co_varnames=tuple(called.get(name, name) for name in code.co_varnames),
    )
    found = FunctionType(own, space, method, given or None)
    found.__qualname__ = f"{made.__qualname__}.{method}"
    return found


# ---- what is the same for all -------------------------------------------------------------------------------


def _repr(self: Any) -> str:
    said = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({said})"


def _set_nothing(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete_nothing(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__match_args__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__match_args__, state, strict=True):
        object.__setattr__(self, name, value)
