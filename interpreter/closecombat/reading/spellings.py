"""What to write for what is no sentence: keys, names, types of facts, dice, cells and headings that people write
otherwise. Data, and the few functions that look into it; the slips of sentences are `wordings`.
"""

# ruff: noqa: RUF001 (what people paste has signs of its own)
from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from closecombat.reading.wordings import NUMBERS, WORD

EVERY = ("every", "all", "foreach", "for-each")
KEYS: Mapping[str, str] = {
    "if": "when", "only-if": "when", "condition": "when", "where": "when",
    "then": "do", "effect": "do", "effects": "do",
    "result": "is", "value": "is", "gives": "is", "type": "is", "modifier": "add", "bonus": "add", "malus": "add",
    "multiply": "times", "reason": "says", "message": "says", "text": "says",
    "else": "otherwise", "default": "otherwise", "min": "at-least", "minimum": "at-least", "max": "at-most",
    "maximum": "at-most", "for": "about", "of": "about", "count": "number", "amount": "number", "dice": "die",
    "sides": "die", "reroll": "again-if", "explode": "explode-if", "exploding": "explode-if", "description": "note",
    "comment": "note", "remark": "note", "name": "title", "source": "cites", "ref": "cites", "rule": "cites",
    "cite": "cites", "see": "cites", "clause": "cites", "section": "cites",
    "rows": "first-of", "sum": "adds-up", "first": "first-of", "steps": "in-order",
    "order": "in-order",
    "simultaneous": "at-once", "values": "cells", "headings": "columns", "across-by": "across", "except": "unless",
    "repeat": "again", "loop": "again", "members": "are", "who": "each", **dict.fromkeys(EVERY, "each"),
    "draw": "deal", "throw": "roll", "call": "play", "pick": "choose", "select": "choose", "cards": "number",
}  # fmt: skip
OF_A_CHANGE: Mapping[str, str] = {  # keys of a change in a variant
    "change": "set", "modify": "set", "edit": "set", "new": "add", "insert": "add", "delete": "remove",
    "drop": "remove", "from": "was", "old": "was", "previously": "was", "reason": "why", "because": "why",
    "note": "why", "row": "at", "where": "at", "path": "at", "target": "at", "what": "at",
}  # fmt: skip
_TESTED = (
    "a test is two rows: write `test: {each: unit, roll: my-roll}`, and below it `fails: {each: unit, "
    "my-roll: more than toughness, do: gain broken}`, with the number that is thrown against"
)
_STANDS = "where somebody stands is not kept: write `do: leave`, `do: gain ..` with a flag, or `do: owe ..`"
_MAY = (
    "write a row above it, `{each: unit, choose: my-choice, otherwise: no}`, with `chosen: {my-choice: "
    "flag}` among the facts, and here `my-choice: yes`"
)
_HAPPENING = (
    "a row does not wait until something happens: put it before or after the row in which that is done, or let "
    "that row `gain moved`, and ask for `moved: yes`"
)
_FIRST = "write `first: highest firepower, ties: as-listed`, with what decides who of them is first"
_DRAWN = (
    "write `deal: my-card`, with `drawn: {my-card: pack}` among the facts; several cards go into a hand, `deal: hand, "
    "number: 2`, with `drawn: {hand: cards of pack}`"
)
_KEY_HELP: Mapping[str, str] = {
    "else": "write `otherwise:` below the rows of a table; in a sequence, a second row with `unless:` and what "
    "this one asks",
    "otherwise": "it stands below the rows of a table, and beside `choose:` and `declare:`; in a sequence "
    "write a second row that asks for the rest, such as `{each: unit, unless: broken, do: leave}`",
    "repeat": "write `again: {until: .., at-most: 3}` beside the rows of a sequence",
    "loop": "write `repeat: 3` in the row; where several rows are repeated, `again: {until: .., at-most: 3}` beside "
    "them",
    "secret": "write `answered: secret` beside `choose:` or `declare:`",
    "hidden": "write `answered: secret` beside `choose:` or `declare:`",
    "simultaneous": "write `answered: at-once` beside `choose:` or `declare:`; for rows that act together, `at-once:` "
    "in the place of `in-order:`",
    "order": _FIRST,
    "initiative": _FIRST,
    "by": "it goes with `choose:` and `declare:`; who of them is first is said with `first: highest ..`",
    "check": _TESTED,
    "test": _TESTED,
    "reroll": "faces that are always thrown again stand in the line of `dice:`, `again-if: face is 1`; "
    "for a whole throw write a second row below the first, with the same `roll:`, and `when:` it is thrown again",
    "reveal": "it needs no row: an answer is open to all unless `answered:` says otherwise",
    "retreat": _STANDS,
    "move": _STANDS,
    "then": "write `do:` in a sequence, `is:` or `add:` in a table",
    **dict.fromkeys(("may", "optional", "optionally"), _MAY),
    **dict.fromkeys(("on", "whenever", "trigger", "interrupts", "reaction", "after", "before"), _HAPPENING),
}


ROW_KEYS = (
    "add", "answered", "by", "choose", "cites", "create", "deal", "declare", "do", "each", "first", "for", "instead-of",
    "is", "legal", "note", "otherwise", "play", "repeat", "roll", "rounded", "says", "shuffle", "ties", "times",
    "unless", "when", "while", "with",
)  # fmt: skip
_WHEREVER = dict.fromkeys(
    ("success", "successes", "hit-on", "hits-on", "target-number"),
    "which faces count is said where they are counted: `number of throw where (face is at least 4)`",
)


def for_key(key: str, known: Collection[str] = (), value: str = "") -> str:
    """What to write in the place of a key that nobody knows; with `known`, it is one of these."""
    if key in _WHEREVER:
        return _WHEREVER[key]
    wanted = KEYS.get(key, "")
    if known:
        wanted = wanted if wanted in known else OF_A_CHANGE.get(key, "")
        said = f"{wanted}: face is {value}" if wanted.endswith("-if") and value.isdigit() else f"{wanted}:"
        return f"write `{said}`" if wanted in known else ""
    return _KEY_HELP.get(key) or (f"write `{wanted}:`" if wanted else "")


def for_key_of_a_row(key: str) -> str:
    """The same in a row: what only a table or dice would know is not proposed there."""
    may_stand = key in _WHEREVER or key in _KEY_HELP or KEYS.get(key) in ROW_KEYS
    return for_key(key) if may_stand else ""


def for_deed(key: str, verbs: Collection[str], value: str) -> str:
    """What to write in the place of a key of a row that does nothing yet; `verbs` are those that do something."""
    if key == "draw":
        first = f"write `deal: {value}` if that is a fact under `drawn:`, else "
        return _DRAWN if not re.fullmatch(WORD, value) else first + _DRAWN[len("write ") :].replace("pack", value)
    if KEYS.get(key) in verbs:
        return f"write `{KEYS[key]}:` in the place of `{key}:`"
    return _KEY_HELP.get(key, "")


def for_name(value: str, what: str) -> str:
    """What to write where a name is wanted."""
    if re.fullmatch(r"(?:a|an|one|the) card\b.*", value):
        return "write `choose: bid, from: hand`, with `chosen: {bid: pack}` among the facts, and the name of your deck"
    fixed = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s_-]+", "-", value.strip()).lower()
    if re.fullmatch(WORD, fixed):
        return f"write `{fixed}`: names are lower-case words joined by hyphens"
    if re.fullmatch(r"[+-]?\d+", value):
        word = {"+": "plus-", "-": "minus-"}.get(value[0], "") + NUMBERS[abs(int(value)) % 11]
        counts = (
            f"; where its number counts, `{word}: {{cards: 1, worth: {int(value)}}}`, with how many "
            "there are and a `worth` at every other card, read as `worth of my-card`"
            if what == "a card"
            else ""
        )
        return f"{what} is no number: write it out, such as `{word}`{counts}"
    if re.fullmatch(r"[\w -]+(?:, ?[\w -]+)+", value):
        return f"write a list: `[{value}]`"
    return "names are lower-case words joined by hyphens"


_Line: TypeAlias = "tuple[str, str | Callable[[re.Match[str]], str]]"


def _as_list(found: re.Match[str]) -> str:
    return f"the words that it may be stand in a list: write `[{', '.join(re.split(r', ?| or | ?[/|] ?', found[0]))}]`"


TYPES: tuple[_Line, ...] = (
    (r"(?i:bool|boolean|yes/no|yes or no|true/false|no)", "what is yes or no is called a flag: write `flag`"),
    (r"(?i:yes|true)", "write `{is: flag, default: yes}`"),
    (r"(-?\d+) ?(?:-|–|\.\.\.?) ?(-?\d+)", r"a range is said with `to`: write `\1 to \2`"),
    (r"(\d+)\+ ?(?:to|-|–) ?(\d+)\+", "a fact holds a number, and a row asks whether a throw is at least that: write "
     r"`\1 to \2`"),
    (r"(-?\d+)\+", "a fact holds a number, and a row asks whether a throw is at least that: write all that it may be, "
     "`2 to 6`"),
    (r"(\d+) ?(?:[a-z]{1,9}|\"|''|′|″)", r"a number stands without its measure: write `0 to \1`"),
    (r"(\d+)/(\d+)", r"write a range and what it is at first: `{is: 0 to \2, default: \1}`"),
    (r"(?i:hit points?|points?|hp|wounds?|steps?|strength|level|score)", "write a range, such as `0 to 12`"),
    (r"(?i:int|integer|float|decimal|num|numeric|count)", "write a range, such as `0 to 12`, or `number`"),
    (r"(-?\d+)", r"write a range and what it is if nobody says: `{is: 0 to 20, default: \1}`"),
    (r"(?i:text|string|str|word)", "write the list of the words that it may be, such as `[open, woods]`"),
    (r"(?:a )?(?:list|set|group) of ([a-z-]+)",
     r"write `{are: \1, each: member}`, with the word by which you speak of one of them in the place of `member`"),
    (r"\d*[dD]\d+.*", "write `dice` for a fact that says which dice; what they throw is a fact under `rolled:`"),
    (r"[\w-]+(?:(?:, ?| or | ?[/|] ?)[\w-]+)+", _as_list),
    (r"([a-z-]+[a-rt-z])s", r"write `{are: \g<0>, each: \1}` for several things of a kind, `a \1`, or `a \1 or "
     "nobody`, for one; `flag` for what is yes or no; "
     "a range such as `0 to 12`; or the words that it may be, in `[ ]`"),
    (r"[a-z-]+", r"write `a \g<0>`, or `a \g<0> or nobody`, for one thing of that kind; `flag` for what "
     "is yes or no; a range such as `0 to 12`; or the words that it may be, in `[ ]`"),
    (r".*", "write `flag`, a range such as `0 to 12`, a list of words in `[ ]`, the name of a list under `words:`, "
     "`a unit` for one thing of that kind, or `{are: units, each: unit}` for several"),
)  # fmt: skip
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


def _by_name(found: re.Match[str]) -> str:
    added, minus, taken = found[0].partition("-")
    dice = [f"d{sides}" for many, sides in re.findall(r"(\d*)[dD](\d+)", added) for _ in range(min(int(many or 1), 7))]
    named = ", ".join(f"{place}: {die}" for place, die in zip(_PLACES, dice, strict=False))
    more = "" if len(dice) <= len(_PLACES) else ", and so on with a name for every die"
    rest = (re.sub(r"\d*[dD]\d+", "", added).strip("+ ") + f" {minus}{taken}").strip()
    left = f"; `{rest}` is not in that, and is said where the throw is read" if rest else ""
    return f"dice of several kinds are called by names: write `{{{named}}}`{more}{left}"


DICE: tuple[_Line, ...] = (
    (r"1?[dD]66", "it is two dice, read as tens and ones: write `{tens: d6, ones: d6}`, and where it is read "
     "`tens of my-roll * 10 + ones of my-roll`"),
    (r"(\d*)[dD](\d+) ?!+",
     lambda m: f"write `{{die: d{m[2]}, number: {m[1] or 1}, explode-if: face is {m[2]}, at-most: unbounded}}`"),
    (r"(\d+)[dD](\d+),? ?(?:drop|discard|dl|without)(?: the)? ?(?:lowest|low|1)?",
     lambda m: f"write `{{die: d{m[2]}, number: {m[1]}, keep: highest {max(int(m[1]) - 1, 1)}}}`"),
    (r"(\d+)[dD](\d+),? ?(?:keep(?: the)? (?:highest|high|best)|kh|k) ?(\d*)",
     lambda m: f"write `{{die: d{m[2]}, number: {m[1]}, keep: highest {m[3] or 1}}}`"),
    (r"(\d+)[dD](\d+),? ?(?:keep(?: the)? (?:lowest|low|worst)|kl) ?(\d*)",
     lambda m: f"write `{{die: d{m[2]}, number: {m[1]}, keep: lowest {m[3] or 1}}}`"),
    (r"1?[dD](\d+) (?:with|at) advantage", r"write `{die: d\1, number: 2, keep: highest 1}`"),
    (r"1?[dD](\d+) (?:with|at) disadvantage", r"write `{die: d\1, number: 2, keep: lowest 1}`"),
    (r"1?[dD](\d+)|1 ?(?:to|-|–) ?(\d+)", r"write `d\1\2`"),
    (r"1?[dD]%", "write `d100`"),
    (r"(\d+)[dD](\d+)", r"write `{die: d\2, number: \1}`"),
    (r"(\d+)", r"write `d\1`"),
    (r"\d*[dD]\d+ ?\+ ?\d*[dD]\d+.*", _by_name),
    (r"(\d*)[dD](\d+) ?[+-].*", "write the dice alone here, and add where the throw is read: `throw of unit + 1`"),
    (r".*", "write `d6`, `d10` and the like, or list the faces under `dies:`"),
)  # fmt: skip
CELLS: tuple[_Line, ...] = (
    (r"([+-]?\d+) .*", r"write the number alone, `\1`; what else the chart says here is another grid"),
    (r"(\d*)\.(\d+)", "write a fraction, such as `3/2`"),
    (r"[xX*×] ?(\d+)", r"write `\1`, and multiply where the grid is read"),
    (r"—|–|n/?a|N/?A|", "write `-` where the chart prints nothing"),
)  # fmt: skip
HEADINGS: tuple[_Line, ...] = (
    (r"(?:<=|≤|up to|no more than) ?(\S+)|(\S+)-|(\S+) (?:or|and) (?:less|fewer|lower|below)",
     r"write `at most \1\2\3`"),
    (r"(?:>=|≥|no less than) ?(\S+)|(\S+)\+|(\S+) (?:or|and) (?:more|higher|up|above)", r"write `at least \1\2\3`"),
    (r"(?:<|under|less than|fewer than) ?(\S+)", r"write `below \1`"),
    (r"(?:>|over|more than) ?(\S+)", r"write `above \1`"),
    (r"(\d+):(\d+)", r"odds are written with a hyphen: write `\1-\2`"),
    (r"(\d+) ?(?:–|\.\.\.?) ?(\d+)", r"write `\1 to \2`"),
    (r".*,.*", "write the headings as a list, in `[ ]`"),
    (r".*", "a heading is a number, odds such as `3-1`, a band such as `4 to 6`, `at most 3`, `at least 7`, or a word"),
)  # fmt: skip


def for_line(value: str, lines: Sequence[_Line]) -> str:
    """The help line of the first pattern that is the whole of a text."""
    for met, help in lines:
        if found := re.fullmatch(met, value.strip()):
            return found.expand(help) if isinstance(help, str) else help(found)
    return ""
