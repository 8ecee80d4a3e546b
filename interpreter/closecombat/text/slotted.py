"""Dataclasses with slots whose methods are written when they are first called.

The library's own decorator writes up to seven methods a class as text, and compiles them while its module is
imported: for small commands that took longer than all the rest of their start. They have some 240 such classes, make
things of half of them and compare those of a few. Here a class has its slots, its fields and its match arguments from
the library at once; `__init__`, `__eq__` and `__hash__` are written when the first thing is made, compared or hashed.
What is written is made of the names of fields alone, which are ours.

For a type checker this is the library's decorator, of which it knows `frozen`, `slots` and `eq`; `field`, `fields`,
`replace` and `is_dataclass` are the library's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True) -> Callable[[type], type]:
        return lambda written: _made(written, slots, frozen, eq)


_FACTORY = object()  # stands for a value that is made anew for each thing


def _made(written: type, slots: bool, frozen: bool, eq: bool) -> type:
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(written)
    _add(made, "__repr__", _repr)
    _add(made, "__init__", _once_asked(made, "__init__", lambda: _init(made, frozen)))
    if eq:
        _add(made, "__eq__", _once_asked(made, "__eq__", lambda: _eq(made)))
        hashes = _once_asked(made, "__hash__", lambda: _hash(made)) if frozen else None
        made.__hash__ = vars(written).get("__hash__") or hashes  # type: ignore[assignment]
    if frozen:
        for name, method in (
            ("__setattr__", _set_nothing),
            ("__delattr__", _delete_nothing),
            ("__getstate__", _state),
            ("__setstate__", _set_state),
        ):
            _add(made, name, method)
    return made


def _add(made: type, name: str, method: Callable[..., Any]) -> None:
    if name not in vars(made):
        setattr(made, name, method)


def _once_asked(made: type, name: str, write: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that puts the written one in its place."""

    def first(self: object, *arguments: object, **named: object) -> Any:
        method = write()
        setattr(made, name, method)
        return method(self, *arguments, **named)

    return first


# ---- what is written ----------------------------------------------------------------------------------------


def _init(made: type, frozen: bool) -> Callable[..., Any]:
    space: dict[str, Any] = {"_set": object.__setattr__, "_factory": _FACTORY}
    parameters, lines = ["self"], []
    for each in fields(made):
        name = each.name
        if not each.init:
            continue
        value, default = name, _default(each)
        if default is not MISSING:
            space[f"_default_{name}"] = default
            parameters.append(f"{name}=_default_{name}")
            if default is _FACTORY:
                space[f"_make_{name}"] = each.default_factory
                value = f"_make_{name}() if {name} is _factory else {name}"
        else:
            parameters.append(name)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    return _written(made, "__init__", parameters, lines or ["pass"], space)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else _FACTORY


def _eq(made: type) -> Callable[..., Any]:
    lines = [
        "if other.__class__ is not self.__class__:",
        "    return NotImplemented",
        f"return {_compared(made, 'self')} == {_compared(made, 'other')}",
    ]
    return _written(made, "__eq__", ["self", "other"], lines, {})


def _hash(made: type) -> Callable[..., Any]:
    return _written(made, "__hash__", ["self"], [f"return hash({_compared(made, 'self')})"], {})


def _compared(made: type, of: str) -> str:
    return "(" + "".join(f"{of}.{each.name}, " for each in fields(made) if each.compare) + ")"


def _written(
    made: type, name: str, parameters: list[str], lines: list[str], space: dict[str, Any]
) -> Callable[..., Any]:
    text = f"def {name}({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in lines)
    found: dict[str, Callable[..., Any]] = {}
    exec(compile(text, f"<{made.__qualname__}>", "exec"), space, found)
    found[name].__qualname__ = f"{made.__qualname__}.{name}"
    return found[name]


# ---- what is the same for all -------------------------------------------------------------------------------


def _repr(self: Any) -> str:
    said = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({said})"


def _set_nothing(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete_nothing(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
