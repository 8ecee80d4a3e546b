"""What a sentence that cannot be read was meant to say: the slips that are met in it (`wordings`), or what stands
around the place where reading it stopped.

The sentence rewritten is parsed before anybody is told to write it. The slips are tried first each alone, then all
together, since people make several at a time (`the unit's men >= 4`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from closecombat.reading.wordings import BY_START, UNKNOWN, WHAT_IT_IS, Slip
from closecombat.text.slotted import dataclass

Parses: TypeAlias = Callable[[str], bool]
Has: TypeAlias = Callable[[str], bool]  # whether a ruleset has a fact or table of this name
Met: TypeAlias = "tuple[Slip, re.Match[str]]"
MOST_PASSES = 3
LONGEST = 200  # letters of a sentence that is rewritten
_EMPTY = re.compile(r"\b(?:(?:if|when|an?|the) )*(?:if|when|an?|the)$")  # words that say nothing here


@dataclass(frozen=True, slots=True)
class Advice:
    """What is told of a sentence: where in it, what is wrong, what to write."""

    at: tuple[int, int]
    message: str
    help: str


def advised(raw: str, start: str, at: int, parses: Parses) -> Advice | None:
    """What a sentence that cannot be read was meant to say, by the slips that are met in it; none if none is.

    `at` is where reading it stopped.
    """
    slips = BY_START[start]
    met = _met(raw, slips)
    if (found := _alone(raw, start, met, parses)) is not None:
        return found
    rewritten = raw
    for _ in range(MOST_PASSES):
        for slip in slips:
            rewritten = _rewritten(rewritten, slip, start)
        if met and rewritten != raw and parses(rewritten):
            slip, match = min(met, key=lambda one: abs(one[1].start() - at))
            return _advice(slip, match, rewritten, "write `{write}`")
    return None


def advised_at(raw: str, start: str, at: tuple[int, int], parses: Parses, unknown: str, has: Has) -> Advice | None:
    """The same of a sentence that can be read, but for a name in it that is unknown: `men is 2 or more`. What begins
    with a name that the ruleset has, and would leave the unknown one where it is, is no slip: `half of foe`, where
    `half` is a fact, and `foe` nothing."""
    still = re.compile(rf"(?<![\w-]){re.escape(unknown)}(?![\w-])")

    def explains(slip: Slip, found: re.Match[str]) -> bool:
        return not has(_first(found)) or slip.write is None or still.search(_rewritten(raw, slip, start)) is None

    met = _met(raw, (*BY_START[start], *UNKNOWN))
    near = [one for one in met if one[1].start() <= at[1] and at[0] <= one[1].end() and not _a_part(raw, one[1])]
    return _alone(raw, start, [one for one in near if not unknown or explains(*one)], parses)


def _a_part(raw: str, found: re.Match[str]) -> bool:
    """Whether words that are met are but a part of a name with hyphens: the `off` of `driven-off`."""
    is_word = re.fullmatch(r"[\w-]+", found[0]) is not None
    return is_word and bool(re.search(r"\w-$", raw[: found.start()]) or re.match(r"-\w", raw[found.end() :]))


def _first(found: re.Match[str]) -> str:
    word = re.match(r"[a-z][\w-]*", found[0])
    return word[0] if word else ""


def _met(raw: str, slips: Sequence[Slip]) -> list[Met]:
    return [] if len(raw) > LONGEST else [(slip, found) for slip in slips if (found := re.search(slip.met, raw))]


def _alone(raw: str, start: str, met: Sequence[Met], parses: Parses) -> Advice | None:
    """What one slip alone explains."""
    for slip, found in met:
        if slip.write is None:
            return _advice(slip, found, "")
        rewritten = _rewritten(raw, slip, start)
        if rewritten != raw and parses(rewritten):
            return _advice(slip, found, rewritten)
    return None


def _rewritten(raw: str, slip: Slip, start: str) -> str:
    if slip.write is None:
        return raw
    said = " ".join(re.sub(slip.met, slip.write, raw).split())
    said = said.removeprefix("is ") if start == "test" and slip.write != "is" else said
    return re.sub(r"^([+-]) (?=\d)", r"\1", said)


def _advice(slip: Slip, found: re.Match[str], rewritten: str, help: str = "") -> Advice:
    message, help = found.expand(slip.says), found.expand(help or slip.help)
    start = found.start() + len(found[0]) - len(found[0].lstrip())
    return Advice((start, start + len(found[0].strip())), message, help.replace("{write}", rewritten))


# ---- what no slip is met in ----------------------------------------------------------------------------------


def fallback(raw: str, start: str, at: int, word: str, is_name: Callable[[str], bool]) -> Advice:
    """What is told by what stands on either side of the place where reading stopped."""
    before = raw[:at].rstrip()
    said = re.search(r"[\w-]+\W*$", before)
    last, here = said[0].strip() if said else "", (at, at + max(1, len(word)))
    operand = bool(re.search(r"[\w)]$", before)) and (last.isdigit() or last.endswith(")") or is_name(last))
    if not word:
        if raw.count("(") > raw.count(")"):
            return Advice(here, "a bracket is opened and never closed", "write `)` where it ends")
        if last and last == before.strip() and not is_name(last):
            return Advice(here, f"`{last}` is a word of the language, and nothing follows it",
                          f'where it is a word of yours it is quoted: `"{last}"`')  # fmt: skip
        return Advice(here, f"after `{last}` something is missing" if last else "the sentence stops too early",
                      WHAT_IT_IS[start])  # fmt: skip
    if word == ")" and raw[: at + 1].count(")") > raw[:at].count("("):
        return Advice(here, "a bracket is closed that was never opened", "take it out, or write `(` where it begins")
    if start == "effect" and not last:
        return Advice(here, f"nothing is done by `{word}`", WHAT_IT_IS[start])
    if empty := _EMPTY.search(f"{before} {word}") or _EMPTY.search(before):
        return Advice(empty.span(), f"leave `{empty[0]}` out", WHAT_IT_IS[start])
    if operand and (word[0].isdigit() or is_name(word)):
        joined = (
            f"if it is one name, write it as you have called it, `{last}{word}` or `{last}-{word}`; whose it is "
            f"is said with `of`, `{word} of {last}`; "
        )
        return Advice(here, f"it is not said how the two words of `{last} {word}` belong together",
                      f"{joined + 'else ' if is_name(last) and is_name(word) else ''}write `is`, `of`, `and`, "
                      "`or` or the like between them")  # fmt: skip
    if not word[0].isalnum() and word not in "()+-*/":
        return Advice(here, f"`{word}` is no sign of the language", WHAT_IT_IS[start])
    if not operand:
        message = f"before `{word}` something is missing" if last else f"a sentence cannot begin with `{word}`"
        return Advice(here, message, WHAT_IT_IS[start])
    return Advice(here, f"`{word}` cannot follow `{last}` here", WHAT_IT_IS[start])
