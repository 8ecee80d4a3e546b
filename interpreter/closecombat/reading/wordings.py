r"""What people write who know rulebooks and not this language: a slip is met by its words, says what is wrong in the
reader's words, and how the sentence is said. Data only; how they are met is `advice`, what is no sentence `spellings`.

The slips of a list are tried from top to bottom. In a help line `{write}` is the sentence rewritten and `\1` what the
slip has met; what cannot be said in the same place has a help line instead of a rewriting. The cases, which are also
the page for designers, are in grammar/slips.md.
"""

# ruff: noqa: RUF001 (what people paste has signs of its own)
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from closecombat.text.slotted import dataclass

WORD = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_KEPT = r"(?!(?:is|are|not|and|or|to|of|where|no|any|every|by|than|for|in|has)\b)"
_NAME = _KEPT + WORD
_PATH = rf"{_NAME}(?: of {_NAME})*"
_ONE = rf"(?:\d+|{_PATH})"
_VERBS = "gain|lose|set|add|take|become|leave|put|remove|owe"
_THEN = rf"(?:,? and|,? then|[,;]) (?=(?:{_VERBS})s?\b)"
_KEYS = "roll|play|deal|choose|declare|shuffle|create|single-out"


@dataclass(frozen=True, slots=True)
class Slip:
    """What is met, what is wrong with it, how it is rewritten (an expansion of the match), and the help line."""

    met: str  # a pattern, compiled when a sentence is first at fault
    says: str
    write: str | Callable[[re.Match[str]], str] | None = None
    help: str = "write `{write}`"


def _slip(
    met: str, says: str, write: str | Callable[[re.Match[str]], str] | None = None, help: str = "write `{write}`"
) -> Slip:
    return Slip(met, says, write, help)


def _fraction(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{number.numerator}/{number.denominator}"


def _decimal(found: re.Match[str]) -> str:
    return _fraction(Fraction(found[0]))


def _percent(found: re.Match[str]) -> str:
    return _fraction(Fraction(int(found[1]), 100)) + (" * " if found[2] else "")


_PLURALS: Mapping[str, str] = {"loss": "losses", "casualty": "casualties", "man": "men"}


_FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")


def _showing(found: re.Match[str]) -> str:
    return f"number of {found[3]} where (face is {found[1] or _FACES.index(found[2]) + 1})"


def _multiplied(found: re.Match[str]) -> str:
    return f"{found[1]} {found[2]} * {_PLURALS.get(found[5], found[5] + 's')} {found[3]} {found[4]}"


_ROUNDED = "write `{write}`, or `rounded up`"
_AS_DICE = (
    r"write `rolled: {my-roll: \g<0>}` among the facts of whoever throws, `roll: my-roll` in a row of the sequence, "
    "and here `{write}`"
)
_DICE = _slip(r"\b\d*[dD]\d+\b", r"`\g<0>`: dice are thrown in a row of the sequence, not here", "my-roll", _AS_DICE)
_CAPITALS = _slip(
    r"[A-Z]+", "capital letters: every name is written small, and so is this word", lambda m: m[0].lower()
)

# ---- whatever the sentence is for --------------------------------------------------------------------------

_SAID: tuple[Slip, ...] = (
    _slip(r"\b(?:TRUE|True|YES|Yes)\b", r"`\g<0>` is said with `yes`", "yes"),
    _slip(r"\b(?:FALSE|False|NO|No)\b", r"`\g<0>` is said with `no`", "no"),
    _CAPITALS,
    _slip(r"[“”„\"‘’'`]([\w -]+)[“”\"‘’'`]", "a word needs no quotes inside a sentence", r"\1"),
    _slip(r"\b(?:is|are|do|does)n['’]t\b", "a sentence has no short forms", "is not"),
    _slip(rf"\b({_NAME})(?:['’]s|s['’]) ({_PATH})", "`'s` is said with `of`", r"\2 of \1"),
    _slip(r"(?<=\w)_+(?=\w)", "`_`: the words of a name are joined by hyphens", "-"),
    _slip(r"[.;,!?]+$", "a sentence ends without a stop", ""),
    _slip(rf"\b({WORD})\.({WORD})\b", "whose it is is said with `of`", r"\2 of \1"),
    _slip(rf"\b(?:the )?(enemy|opposing|friendly|own) ({_NAME}s)\b(?! of\b)", "whose they are is said with `of`",
          lambda m: f"{m[2]} of {'side' if m[1] in ('friendly', 'own') else 'enemy of side'}"),
    _slip(rf"^(?:at least )?[Hh]alf(?: of)?(?: the| its| his)? ({_NAME}s)((?: of {_NAME})*) (?:is|are|have been|were) "
          r"(?:dead|lost|gone|killed|eliminated|destroyed|casualties)$", "who is gone is told by those who are left",
          r"number of \1\2 is at most number of \1-at-start\2 / 2"),
    # numbers
    _slip(rf"(½|\b1/2|\b0\.5|\b50 ?%|\b[Hh]alf)(?: of)?(?: the)? ({_PATH})",
          r"`\1` is said with `/ 2`, and how that is rounded", r"\2 / 2 rounded down", _ROUNDED),
    _slip(r"½", "a half is written with a stroke", "1/2"),
    _slip(r"(?<![\w.])\d*\.\d+(?![\w.])", r"`\g<0>`: a number is whole, or a fraction", _decimal),
    _slip(rf"\b(\d{{1,3}}) ?%(?: of)?( (?=(?:the )?{WORD})|)", r"`\1%`: a part is written as a fraction", _percent),
    _slip(rf"\b(twice|double)(?: the)? ({_PATH})", r"`\1` is said with `* 2`", r"\2 * 2"),
    _slip(r"\bodds (?:of )?(\d+)[:-](\d+)", "odds are written with a hyphen", r"\1-\2"),
    _slip(r"\b(\d+):(\d+)\b", "odds are written with a hyphen", r"\1-\2"),
    _slip(r"\bbetween (\S+) and (\S+)", "a range is said with `to`", r"\1 to \2"),
    _slip(r"\bfrom (\S+) to (\S+)", "a range is said with `to` alone", r"\1 to \2"),
    _slip(r"\b(\d+)(?:\.\.\.?| ?[–—] ?)(\d+)\b", "a range is said with `to`", r"\1 to \2"),
    _slip(r"(?<=[\w)]) ?[−–—] ?(?=[a-z(])", "a minus is the plain `-`, between spaces", " - "),
    _slip(r"[−–—](?=\d)", "a minus is the plain `-`", "-"),
    # sums
    _slip(r" ?×| x(?= [\w(])|\btimes\b|\bmultiplied by\b", "times is written `*`", " *"),
    _slip(rf"^({_PATH}) ?(?:÷|\bdivided by\b) ?({_ONE})$", "divided by is written `/`, and how that is rounded",
          r"\1 / \2 rounded down", r"write `{write}`, or `rounded up`; `\1 / \2` alone keeps the fraction"),
    _slip(r" ?÷|\bdivided by\b", "divided by is written `/`", " /"),
    _slip(r"\bplus\b", "plus is written `+`", "+"),
    _slip(r"\bminus\b ?(?=\d)(?<!\w )|\bminus\b", "minus is written `-`", "-"),
    _slip(r"^(.*?),? ?\(?\b(?:(?:with )?fractions )?(?:rounding|rounded|round) (up|down)\)?$",
          "rounding is said after what is rounded", r"\1 rounded \2"),
    _slip(r"\b(?:ceil|ceiling)\((.+)\)$", "rounding is said after what is rounded", r"\1 rounded up"),
    _slip(r"\bfloor\((.+)\)$", "rounding is said after what is rounded", r"\1 rounded down"),
    _slip(r"\bround\((.+)\)$", "rounding is said after what is rounded", r"\1 rounded to nearest",
          "write `{write}`, where an exact half goes up; or `rounded down`, `rounded up`"),
    _slip(r"\brounded(?: off)?$", "it is not said how this is rounded", "rounded down", _ROUNDED),
    _slip(r"\b(?:max|maximum|higher|greater|highest)\b ?(?:of )?\(?([\w -]+?)(?:,| and) ([\w -]+?)\)?$",
          "the higher of two is said with `the higher of`", r"the higher of \1 and \2"),
    _slip(r"\b(?:min|minimum|lower|lesser|lowest)\b ?(?:of )?\(?([\w -]+?)(?:,| and) ([\w -]+?)\)?$",
          "the lower of two is said with `the lower of`", r"the lower of \1 and \2"),
    _slip(rf"\b({_NAME})\(({_PATH})\)", "whose it is is said with `of`", r"\1 of \2"),
    # of sets
    _slip(r"^how many (?:of )?(?:the )?(\w[\w-]*) (?:are|is|have been)(?: there)?(?: left| alive| in play)?$",
          "how many there are is said with `number of`", lambda m: f"number of {m[1].lower()}"),
    _slip(r"\b(?:count of|how many|amount of|count)\b|#", "how many there are is said with `number of`", "number of"),
    _slip(rf"^average ({_NAME}) of ({_PATH})$", "an average is a total divided by how many they are",
          r"total \1 of \2 / number of \2 rounded down", _ROUNDED),
    _slip(rf"\baverage ({_NAME}) of ({_PATH})", "an average is a total divided by how many they are",
          r"total \1 of \2 / number of \2"),
    _slip(rf"\bsum of ({_NAME} of {_PATH})", "a sum over a set is said with `total`", r"total \1"),
    _slip(r"\b(?:total|sum) of (?=\w)", "a sum over a set is said with `total`, without `of`", "total "),
    _slip(rf"\b(?:max|maximum|best|most) ({_NAME}) of\b", "the greatest of a set is said with `highest`",
          r"highest \1 of"),
    _slip(rf"\b(?:min|minimum|worst|least) ({_NAME}) of\b", "the smallest of a set is said with `lowest`",
          r"lowest \1 of"),
    _slip(r"\b(highest|lowest|total) (\S+) (?:among|in|from|for)\b", "a set stands after `of`", r"\1 \2 of"),
    _slip(rf"(?<!has )\b(total|highest|lowest) ({_NAME})$", r"`\1 \2` does not say whose", None,
          r"write whose they are, such as `\1 \2 of units of side`"),
    _slip(rf"\b(number|any|no|every)( of)? (?!of )({_NAME}) (?!(?:with|that|which|who|where|among)\b)"
          rf"({_NAME})\b(?! (?:than|least|most|of)\b)",
          r"`\3` stands behind `\4`, in brackets", r"\1\2 \4 where (\3)"),
    _slip(rf"\b((?:that|who|which) (?:is|are)) (not )?({_NAME})", r"`\1` is said with `where` and brackets",
          r"where (\2\3)"),
    _slip(r"\bwhere (?!\()(.+)$", "what stands after `where` is put into brackets", r"where (\1)"),
    _slip(r"\bwith (?!\()(.+)$", "`with` is said with `where` and brackets", r"where (\1)"),
)  # fmt: skip

# ---- what is compared --------------------------------------------------------------------------------------

_IS = r" ?(?:\bis )?"
_NOT_SO: Mapping[str, str] = {
    "at least": "less than", "at most": "more than", "more than": "at most", "less than": "at least"
}  # fmt: skip


def _of_each(found: re.Match[str]) -> str:
    """That something is so of every member: of none is it not so."""
    quantifier, members, value, sign, other = found.groups()
    said = _NOT_SO[sign] if quantifier == "every" else sign
    return f"{'no' if quantifier == 'every' else quantifier} {members} where ({value} is {said} {other})"


def _more_of(found: re.Match[str]) -> str:
    mine, sign, members, other = found.groups()
    theirs = f"enemy of {mine}" if other == "enemy" else other
    held = "more" if sign == "more" else "less"
    return f"number of {members} of {mine} is {held} than number of {members} of {theirs}"


def _outnumbered(found: re.Match[str]) -> str:
    who, times = found[1] or "side", found[2]
    sign, factor = ("at least", f" * {times}") if times else ("more than", "")
    return f"number of units of {who} is {sign} number of units of enemy of {who}{factor}"


_BOUND = "at least|at most|more than|less than"
_COMPARED: tuple[Slip, ...] = (
    _slip(rf"^({_PATH}) (?:has|have) (more|fewer|less) ({_NAME}s) than (?:the |his |its )?({_PATH})$",
          "how many there are is said with `number of`", _more_of),
    _slip(rf"^(?:({_PATH}) )?outnumbers?(?: (?:the )?{_PATH})?(?: by)?(?: (?:at least )?(\d+) ?(?:to|:|-) ?1)?$",
          "how many there are is said with `number of`", _outnumbered),
    _slip(rf"^(every|any|no) ({_PATH}) (?:is|has) (?:an? )?({_PATH}) (?:is )?({_BOUND}) ([\w -]+)$",
          r"what is asked of a fact of each stands behind `where`, in brackets", _of_each),
    _slip(rf"\b(?:at least|by) (\d+) (?:more|higher|greater) than ({_ONE})", "by how much is said with `+`",
          r"at least \2 + \1"),
    _slip(rf"\b(?:at least|by) (\d+) (?:less|fewer|lower|smaller) than ({_ONE})", "by how much is said with `-`",
          r"at most \2 - \1"),
    _slip(rf"\b(\d+) (?:more|higher|greater) than ({_ONE})", "by how much is said with `+`", r"\2 + \1"),
    _slip(rf"\b(\d+) (?:less|fewer|lower|smaller) than ({_ONE})", "by how much is said with `-`", r"\2 - \1"),
    _slip(rf"{_IS}\b(?:greater|more|higher|larger) than or equal to\b", "`or equal` is said with `at least`",
          " is at least"),
    _slip(rf"{_IS}\b(?:less|fewer|lower|smaller) than or equal to\b", "`or equal` is said with `at most`",
          " is at most"),
    _slip(rf"{_IS}\b(?:no|not) (?:more|greater|higher|larger) than\b|{_IS}\bup to\b|{_IS}(?:\ba )?\bmaximum(?: of)?\b",
          "the greatest that it may be is said with `at most`", " is at most"),
    _slip(rf"{_IS}\b(?:no|not) (?:less|fewer|lower|smaller) than\b|{_IS}(?:\ba )?\bminimum(?: of)?\b",
          "the least that it may be is said with `at least`", " is at least"),
    _slip(rf"{_IS}\b(?:(?:greater|higher|larger|bigger|better) than|above|over|beyond|exceeds?)(?= [\w(])",
          r"more is said with `more than`", " is more than"),
    _slip(rf"{_IS}\b(?:(?:fewer|lower|smaller|worse) than|below|under)(?= [\w(])", "less is said with `less than`",
          " is less than"),
    _slip(rf"\b({_ONE}) or (?:more|higher|greater|better|above|over|up)\b", r"`\g<0>` is said with `at least`",
          r"at least \1"),
    _slip(rf"\b({_ONE}) or (?:less|fewer|lower|worse|below|under|down)\b", r"`\g<0>` is said with `at most`",
          r"at most \1"),
    _slip(r"\b(\d+)\+(?=$|[ )])", r"`\1+` is said with `at least`", r"at least \1"),
    _slip(r"\b(\d+)-(?=$|\))", r"`\1-` is said with `at most`", r"at most \1"),
    _slip(rf"{_IS} ?(<=|=<|≤) ?", r"`\1` is said with `at most`", " is at most "),
    _slip(rf"{_IS} ?(>=|=>|≥) ?", r"`\1` is said with `at least`", " is at least "),
    _slip(rf"{_IS} ?(!=|<>|≠|=/=) ?", r"`\1` is said with `is not`", " is not "),
    _slip(rf"{_IS} ?< ?", "`<` is said with `less than`", " is less than "),
    _slip(rf"{_IS} ?> ?", "`>` is said with `more than`", " is more than "),
    _slip(rf"{_IS} ?={{1,3}} ?true\b", "what is so is said with `yes`", " is yes"),
    _slip(rf"{_IS} ?={{1,3}} ?false\b", "what is not so is said with `no`", " is no"),
    _slip(rf"{_IS} ?(={{1,3}}) ?", r"`\1` is said with `is`", " is "),
    _slip(r"\bis (one of|among|either)\b", r"leave `\1` out", "is"),
    _slip(r"\b(is equal to|is the same as|equals?)\b", r"`\1` is said with `is`", "is"),
    _slip(rf"\b({_NAME}) in ({_NAME}(?: or {_NAME})+)$", "which words it may be is said with `is`", r"\1 is \2"),
    _slip(rf"((?<![\w-]){_NAME}|\)) (?=(at least|at most|more than|less than|in)\b)",
          r"`is` is missing before `\2`", r"\1 is "),
)  # fmt: skip

# ---- how it is joined --------------------------------------------------------------------------------------

_HAPPENS: tuple[Slip, ...] = (
    _slip(r"^(die|dice) (?:roll|throw)s?\b.*$", r"`\1` does not say which throw", None,
          "write the name of the fact under `rolled:` that holds it, such as `my-roll is 6`"),
    _slip(r"^(?:a )?(?:natural|unmodified|raw) (?:(?:roll|die|dice|throw) )?(?:of |is )?(\d+)$",
          "the throw before all modifiers is the fact itself", None,
          r"write `my-roll is \1`, with the fact under `rolled:`"),
    _slip(r"^(?:fail|pass)(?:s|es|ed)?(?: .+)?$", "a check is a throw that is compared", None,
          "write `my-roll is more than toughness`, or `my-roll is at most toughness`, with the number "
          "that is thrown against, where a row above has `roll: my-roll`"),
    _slip(rf"^(more than|less than|at least|at most) (\d+) ({_NAME})(?: (?:in|on|of|at) .+)?$",
          "how many there are is said with `number of`", r"number of \3 of side is \1 \2"),
    _slip(r"^(?:attacked |hit )?(?:from|in)(?: the)? (front|flank|rear|side)$", "from where is a fact of the situation",
          None, r"write `facing is \1`, with a fact `facing: [front, flank, rear]`"),
    _slip(r"^within (\d+)(?: \w+)?$", "`within` is said with `at most`", r"distance is at most \1",
          r"write `{write}`, with a fact `distance: 0 to 20`"),
    _slip(r"^at (\w+) range$", "the range is a fact of the situation", r"range is \1",
          r"write `{write}`, with a fact `range: [short, long]`"),
    _slip(rf"^(?:when )?{_NAME} (?:moves|fires|shoots|advances|enters|retreats|attacks|charges|dies)$",
          "a row does not wait until something happens", None,
          "put it before or after the row in which that is done; or let that row `gain moved`, and ask for `moved`"),
    _slip(r"^(?:only )?once (?:per|a|each|every) (\w+)$", "what may be done once is a yes-or-no fact", None,
          "write `unless: done` in the row and `gain done` in its `do:`, with `noted: {done: flag}` among the facts; "
          r"and where a \1 begins, a row that takes it away, `{each: unit, do: lose done}`"),
)  # fmt: skip
_JOINED: tuple[Slip, ...] = (
    _slip(r"^(?:if|when) (.+?),? then (.+)$", "what follows from it is a column of its own", r"\1",
          "write `when: {write}`, and beside it `is:` a value, `add:` a modifier or `do:` what is done"),
    _slip(r"^(?:if|when|whenever) ", "a condition begins without `if`", ""),
    _slip(rf"^unless ({_NAME})$", "`unless` is said with `not`", r"not \1"),
    _slip(rf"^unless ({_PATH}) is (?!not\b)", "`unless` is said with `is not`", r"\1 is not "),
    _slip(r"^unless (.+)$", "`unless` is said with `not`, and brackets", r"not (\1)"),
    _slip(rf"^(.+?),? unless ({_NAME})$", "`unless` is said with `and not`", r"\1 and not \2"),
    _slip(r"^(.+?),? unless (.+)$", "`unless` is said with `and not`, and brackets", r"\1 and not (\2)"),
    _slip(r"\bneither (.+?) nor (.+)$", "`neither .. nor` is said with `not` and brackets", r"not (\1 or \2)"),
    _slip(r"\bor else\b", "`or else` is said with `or`", "or",
          "write `{write}`; what is so in all other cases stands under `otherwise:`"),
    _slip(r"\beither ", "leave `either` out", ""),
    _slip(r"\bboth ", "leave `both` out", ""),
    _slip(r",? \b(?:but|while|though|yet)\b", "`but` is said with `and`", " and"),
    _slip(r"\bnor\b", "`nor` is said with `or`", "or"),
    _slip(r" ?(?:&&?|\bas well as\b) ?|; (?=\w)", "two conditions are joined by `and`", " and "),
    _slip(r" ?(\|\|?) ?", r"`\1` is said with `or`", " or "),
    _slip(r"!(?=[\w(])", "`!` is said with `not`", "not "),
    _slip(r"\bnot is\b", "a bare `not` says that it is not so", "not"),
    _slip(rf"\bnone of (?:the )?({WORD}?)s? (?:is|are)\b", "`none of` is said with `no`", r"no \1 is"),
    _slip(rf"\b(all|every|each)(?: of)?(?: the)? ({WORD}?)s((?: of {_NAME})*) are\b",
          r"`\1 .. are` is said with `every .. is`", r"every \2\3 is"),
    _slip(rf"\b(all|each)(?= {WORD})", r"`\1` is said with `every`", "every"),
    _slip(r"\bsome\b", "`some` is said with `any`", "any"),
    _slip(rf"^(?:at least )?one (?={_NAME} )", "`one` is said with `any`", "any "),
    _slip(rf"\b(any|no) ({WORD}?)s((?: of {_NAME})*) are\b", r"`\1 .. are` is said with `\1 .. is`, of one \2",
          r"\1 \2\3 is"),
    _slip(rf"^({_PATH}) (?:has|have|holds?) ((?:at least |at most |more than |less than )?\d+) "
          r"cards?(?: in(?: the)? hand)?$",
          "the cards of a hand are counted with `number of`", r"number of hand of \1 is \2"),
    _slip(r"\b(?:is |are )?within (\d+)\b.*$", "`within` is said with `at most`, and without inches", None,
          r"write `distance is at most \1`, with a fact `distance: 0 to 20`"),
    _slip(r"\b(?:adjacent to |next to |in range of ).*$", "where somebody stands is not kept", None,
          "write a flag that the situation gives, such as `in-reach: flag` under `given:`, and ask it here"),
    _slip(rf"\b(hand(?: of {_PATH})?) (?:contains?|includes?|holds?|has)(?: a| an)? ({_NAME})$",
          "the cards of a hand are its faces", r"any face of \1 is \2"),
    _slip(rf"^({_NAME}) is in (hand(?: of {_PATH})?)$", "the cards of a hand are its faces", r"any face of \2 is \1"),
    _slip(rf"^({_PATH}) (?:contains?|includes?) ({_PATH})$", "who is in a set is said with `is in`", r"\2 is in \1"),
    _slip(rf"^({_PATH}) (?:is|are) not empty$", "how many there are is said with `number of`",
          r"number of \1 is at least 1"),
    _slip(rf"^({_PATH}) (?:is|are) empty$", "how many there are is said with `number of`", r"number of \1 is 0"),
    _slip(rf"\b({_PATH}) (?:has|have) no ({_NAME})$", "what somebody has is said with `of`", r"not \2 of \1"),
    _slip(rf"\b({_PATH}) (?:has|have)(?: a| an| the)? ({_NAME})$", "what somebody has is said with `of`", r"\2 of \1",
          r"if `\2` is a word of a list, ask the fact that holds it, such as `arm of \1 is \2`; if it is "
          "a fact itself, write `{write}`"),
    _slip(r"\bare\b", "`are` is said with `is`", "is"),
    _slip(r"\b[Tt]he ", "leave `the` out", ""),
    _slip(r"\b([Aa]n?) (?=\w)", r"leave `\1` out", ""),
    _slip(r"\bthere (?:is|are) ", "that there is one is said with `any`", "any "),
    _slip(rf"\b({_NAME}), (?={_NAME})", "words are joined by `or`, not by a comma", r"\1 or "),
)  # fmt: skip

# ---- by what the sentence is for ---------------------------------------------------------------------------

_CELL: tuple[Slip, ...] = (
    _slip(rf"^({_PATH}) (?:is )?({_BOUND}) (.+)$",
          r"a cell asks nothing of `\1`: what is asked of is the heading", None,
          r"write `\1: \2 \3` as a column; of some of a set `when: any unit of side where (\1 is \2 \3)`; of all of "
          r"them `when: no unit of side where (not (\1 is \2 \3))`"),
    _slip(r"^(?:any|all|anything|always|\*|-|n/?a)$", r"`\g<0>`: a column that asks nothing is not needed", None,
          "leave the column out"),
    _slip(r"^(?:anything but|all but|any but|except(?: for)?|other than) ", "all others are said with `not`", "not "),
    _slip(rf"(?<=\w) ?(?:&|,|/|\band\b) ?(?={WORD})", "the words that it may be are joined by `or`", " or "),
    _slip(r"!(?=[\w(])", "`!` is said with `not`", "not "),
)  # fmt: skip
_CELL_LAST = (_slip(r"^ *(?:is|are) ", "the `is` goes without saying: a cell is what stands after it", ""),)

_SHIFTED = "write `{write}`, in the table that the grid names under `shift:`"
_AMOUNT: tuple[Slip, ...] = (
    _slip(r"^\+?(\d+) ?(?:R|columns? (?:to the )?right)$", "columns are shifted by a number, to the right with `+`",
          r"+\1", _SHIFTED),
    _slip(r"^-?(\d+) ?(?:L|columns? (?:to the )?left)$", "columns are shifted by a number, to the left with `-`",
          r"-\1", _SHIFTED),
    _slip(r"^([+-]?\d+) columns?$", "leave `column` out: how far it is shifted is a number", r"\1", _SHIFTED),
    _slip(r"^(\d+) cards? (?:to|into|in) (.+)$", "how many cards are dealt is a key of its own", None,
          r"write `deal: \2, number: \1`"),
    _slip(rf"^({_PATH}) from ({_PATH})$", "from where a card is played is a key of its own", None,
          r"write `choose: \1, from: \2`"),
    _slip(rf"^({_PATH}) ?(?:\bvs\.?|\bversus\b|\bagainst\b|:) ?({_PATH})$",
          "two amounts meet in the columns of a grid", None,
          r"write `across: \1 to \2` in a grid for odds, `\1 - \2` for a difference"),
    _slip(r"^(.+?) if (.+?),? (?:else|otherwise) (.+)$", "a value has no `if`: each case is a row of a table", None,
          r"write `first-of: {case: {when: \2, is: \1}}` and `otherwise: \3`"),
    _slip(r"^(.+?),? if (.+)$", "a value has no `if`: the condition is a column of the row", None,
          r"write `when: \2` beside it, and here only `\1`"),
    _slip(rf"^(.+?) (?:per|for each|for every) ({_NAME})$", "what counts once for each of them is a row with `each:`",
          None, r"write `each: \2 of side` in the row, or where no side speaks `each: \2` for those of all, and here "
                r"only `\1`"),
    _slip(r"^([+-]?\d+) each$", "what counts once for each of them is a row with `each:`", None,
          r"write `each:` and the set in the row, and here only `\1`"),
    _slip(rf"^({_ONE}) times$", "leave `times` out: how often is a number", r"\1"),
    _slip(r"^([+-]\d+) ?([A-Za-z]{2}[\w-]*)$", r"leave `\2` out: the number says enough", r"\1"),
    _slip(r"^([+-]\d+) ((?:to|on|from|off) (?:the |his |its |all |any |each |every |a )?[a-z].*)$",
          r"leave `\2` out: the number says enough", r"\1"),
    _slip(rf"^(?:number of |how many )?(?:(\d+)['’]?s|({'|'.join(_FACES)})) (?:in|of|on|among) (?:the )?({_PATH})$",
          "the dice that show a number are counted with `number of`", _showing),
    _slip(rf"^({_PATH}) (?:showing|that shows?|which shows?) (\d+)$",
          "the dice that show a number are counted with `number of`", r"number of \1 where (face is \2)"),
    _slip(rf"\b(\d+) ({_PATH})", "a number and a name are multiplied with `*`", r"\1 * \2"),
    _slip(r"^[x*×] ?(\d+)$", "in a table that adds up, a row multiplies with `times:`", None,
          r"write `times: \1` in the place of `add:`"),
    _slip(r"\^|(?<= )%|\bmod\b", r"`\g<0>` cannot be reckoned", None, "a sum knows `+`, `-`, `*`, `/` and `rounded`"),
    _slip(rf"^(?:top|best|strongest|first|last|weakest|bottom|nearest) ({_NAME})$",
          r"it is not said by what the \1 is picked", None,
          "write `whoever of units of side has highest men`, with whose units they are and what decides"),
    _slip(rf"^(?!number|total|any\b)({_PATH}) where (\(.+\))$", "these may be several, where one is wanted", None,
          r"write `each: \1 where \2` in the place of `for:`; how many they are is `number of ..`"),
)  # fmt: skip

# ---- what is done, and needs a row or a column of its own ----------------------------------------------------

_COME_TO_BE: Mapping[str, str] = {
    "break": "broken", "pin": "pinned", "shake": "shaken", "stun": "stunned", "wound": "wounded",
    "suppress": "suppressed", "disrupt": "disrupted", "disorder": "disordered", "rout": "routed",
}  # fmt: skip
_DONE_BY_A_ROW: tuple[Slip, ...] = (
    *(_slip(rf"^({verb})s? (?:the )?(?:target|enemy|defender|attacker|shooter|victim)s?$",
            r"`\1` is said with `gain`, and whom it befalls is whom the row looks at", None,
            f"write a row that looks at him, in a sequence about the attack: `{{for: target of attack, "
            f"do: gain {state}}}`")
      for verb, state in _COME_TO_BE.items()),
    _slip(rf"^({'|'.join(_COME_TO_BE)})s?(?: (?:the )?{_NAME})?$", r"`\1` is said with `gain`, and what comes to be so",
          lambda m: f"gain {_COME_TO_BE[m[1]]}"),
    _slip(r"^(?:draws?|deals?)(?: (?:a|the|top|one|card))*$", "a card is drawn by `deal:`", None,
          "write `deal: my-card` in the row in the place of `do:`, with `drawn: {my-card: pack}` among the facts, and "
          "the name of your deck"),
    _slip(r"^(?:draws?|deals?) (\d+)(?: cards?)?$", "cards are drawn by `deal:`, several into a hand", None,
          r"write `deal: hand, number: \1` in the row in the place of `do:`, with `drawn: {hand: cards of pack}` among "
          "the facts, and the name of your deck"),
    _slip(r"^(?:re)?shuffles?(?: (?:the |a )?(?:deck|cards|pack))?$", "cards are put back by `shuffle:`", None,
          "write `{shuffle: pack}`, with the name of your deck, as a row without `each:`, which would do "
          "it once for each"),
    _slip(r"^rolls? .*\b(?:and|then)\b.*$", "each throw is a row of its own", None,
          "write two rows in a sequence about one attack, `to-hit: {roll: throw}`, and below it for who is hit "
          "`to-save: {for: target of attack, throw of attack: at least 4, roll: my-roll}`"),
    _slip(r"^rolls? (\d*[dD]\d+)$", "`roll:` stands in the place of `do:`, and names a throw", None,
          r"write `rolled: {my-roll: \1}` among the facts of whoever throws, and `roll: my-roll` in the row"),
    _slip(rf"^(\d+) ({_NAME}) (?:lost|killed|removed)$", "a number is lowered with `take .. from`", r"take \1 from \2"),
    _slip(rf"^(\d+) ({_NAME}) (?:per|for each) ({_NAME})$", "how many faces show it is said with `number of`", None,
          r"write `add number of my-roll where (face is \3) to \2`, with the throw and the fact that counts"),
    _slip(r"^(?:(?:takes?|suffers?|deals?|inflicts?|does) )?(\d+) (?:points? of )?(?:damage|points?|hit points?)$",
          "a number is lowered with `take .. from`", None,
          r"write `take \1 from hits`, from the fact in which it counts"),
    _slip(r"^(?:takes?|suffers?|receives?) (\d+) (hits|wounds|losses|casualties)$",
          r"it is not said whether \2 are what is left, or are counted", None,
          r"write `take \1 from \2` in the first case, `add \1 to \2` in the second"),
    _slip(r"^(?:takes?|suffers?|receives?) (?:a|an|one|1) (hit|wound|loss|casualty)$",
          r"it is not said whether such a \1 is taken from what is left, or counted", None,
          "write `take 1 from men` of a fact that says what is left, `add 1 to losses` of one that says what is lost"),
    _slip(rf"^(?:takes?|suffers?) (\d+) ({_NAME})$", "a number is lowered with `take .. from`", r"take \1 from \2"),
    _slip(rf"^(?:damage|hit)s?(?: (?:the )?{_NAME})?$", "it is not said how much, and from what it is taken", None,
          "write a row that looks at who is hit, in a sequence about the attack: `{for: target of "
          "attack, do: take 1 from hits}`, with the fact in which it counts"),
    _slip(r"^(?:(?:flip|turn|step)s?(?: over| down)?|reduced?|(?:lose|take)s? a step|step (?:loss|reduction))"
          r"(?: (?:to|it|the|its)\b.*)?$",
          "a counter that is turned over is said with `become`", None,
          "write `become lancers`, with the counter that is its other side; where each counter names its own, "
          "`become half`, with `printed: {half: a counter or nobody}`; where steps are counted, `take 1 from steps`"),
    _slip(r"^(?:kill|die|eliminate|destroy|remove|delete)(?:s|d|ed)?(?: (?:the )?[\w-]+)?$",
          "who goes out of play is said with `leave`", "leave"),
    _slip(r"^(\d+)[A-Z]*MC$", "a check is a throw, and below it a row that reads it", None,
          r"write `check: {each: unit, roll: my-roll}`, and below it `fails: {each: unit, when: my-roll + \1 is more "
          "than toughness, do: gain broken}`, with the number that is thrown against"),
    _slip(r"^(?:[A-Z]*MC|(?:\w+ )*(?:check|test|save))$", "a check is a throw, and below it a row that reads it",
          None, "write `check: {each: unit, roll: my-roll}`, and below it `fails: {each: unit, my-roll: more than "
          "toughness, do: gain broken}`, with the number that is thrown against"),
    _slip(r"^(?:retreat|advance|move|withdraw|rout|displace|disengage|flee|fall back|run)s?(?: .+)?$",
          "there is no map here: where somebody stands is not kept", None,
          "write `leave` for whoever is out of it, `gain retreated` with a yes-or-no fact of that name, or `owe` for "
          "what is done after the fight"),
    _slip(r"^(fire|shoot|attack|strike|charge|fight|counter-attack)s?(?: .+)?$",
          "what is done elsewhere is a sequence of its own", None,
          r"write `play: \1` in the row in the place of `do:`, and a sequence `\1` that says what is done"),
    _slip(r"^(?:both (?:sides )?)?(?:simultaneous(?:ly)?|at the same time|both \w+)(?: \w+)*$",
          "rows that are judged on the same state stand under `at-once:`", None,
          "put them into a sequence of their own, with `at-once:` in the place of `in-order:`"),
    _slip(r"^(?:may|can|optionally) (.+)$", "what a player may do is said with `choose:`", None,
          r"write `choose: my-choice` in the row in the place of `do:`, with `chosen: {my-choice: flag}` as a fact, "
          r"and below it a row that asks `my-choice: yes`"),
    _slip(r"^then ", "leave `then` out: a list is done in its order", ""),
)  # fmt: skip

_DONE: tuple[Slip, ...] = (
    _slip(rf"^(.+? ({_NAME})) of \(?(whoever of .+? has (?:\w+ )?(?:highest|lowest) [^()]+)\)?((?: to .+)?)$",
          "who is picked is whom a row looks at", None,
          r"write a row that looks at him, `{for: \3, do: \1\4}`; where this row looks at somebody already, put it "
          "into a sequence about that one, which this row plays"),
    _slip(r"^(?:is|are|gets?|becomes?) (?:gone|dead|out(?: of .+)?)$", "who goes out of play is said with `leave`",
          "leave"),
    _slip(r"^(?:nothing|no effect|none|NE|-)$", "what does nothing needs no row", None,
          "leave the row out; the chart may have a word for it, such as `none`"),
    *_DONE_BY_A_ROW,
    _slip(rf"^(add|take) (\d+) (to|from) ({_PATH}) (?:for each|for every|per) ({_NAME})$",
          "what counts once for each of them is multiplied", _multiplied,
          "write `{write}`, with the fact that says how many there are; units are counted, `number of units of side`"),
    _slip(rf"^((?:add|take) .+ (?:to|from) ({_NAME}))((?: of {_NAME})*) for ({_NAME})$",
          r"an effect changes one fact, and `for` is none of it", None,
          r"a number for each word of a list, which changes, is a fact for each: write `\1-\4\3`, with "
          r"`noted: {\2-\4: 0 to 6}`"),
    _slip(r"^discard (?:the |his |its )?(hand(?: of .+)?)$", "a whole hand is laid aside with `lose`", r"lose \1"),
    _slip(r"^(?:discard|play|use) (?:a|an|one|1|the) card(?: from (.+))?$",
          "a single card is chosen, and leaves the hand so", None,
          "write `{each: side, choose: bid, from: hand}`, with `chosen: {bid: pack}` among the facts, and the name of "
          "your deck"),
    _slip(rf"^(?:lose|remove|eliminate) an? ({_PATH})$",
          "a number is lowered with `take .. from`", r"take 1 from \1"),
    _slip(r"^(?:heal|recover|restore|regain)s? (\d+)$", "a number is raised with `add .. to`", None,
          r"write `add \1 to`, and the fact: `add \1 to men`"),
    _slip(rf"^({_KEYS})s? (?:the )?(.+)$", r"`\1:` stands in the place of `do:`", None, r"write `\1: \2` in the row"),
    *(_slip(f"^{_THEN.join(['(.+?)'] * many)}$", "several effects are a list", None,
            "write `do: [" + ", ".join("\\" + str(n + 1) for n in range(many)) + "]`") for many in (5, 4, 3, 2)),
    _slip(r"^(.+?),? (?:if|when) (.+)$", "an effect has no `if`: the condition is a column of the row", None,
          r"write `when: \2` in the row, and here only `\1`"),
    _slip(r"^(.+?),? unless (.+)$", "an effect has no `unless`: the condition is a column of the row", None,
          r"write `when: not (\2)` in the row, and here only `\1`"),
    _slip(rf"\b({_VERBS})s\b", r"an effect is said as an order: `\1`", r"\1"),
    _slip(rf"^(?:{_NAME} )+(?=(?:{_VERBS})\b)", "whom it befalls is whom the row looks at, and is not said", ""),
    _slip(rf"^(?:lose|subtract|deduct) \((.+)\) (?:from )?({_PATH})$", "a number is lowered with `take .. from`",
          r"take \1 from \2"),
    _slip(rf"^(?:lose|subtract|deduct) ({_ONE}) (?:from )?({_PATH})$", "a number is lowered with `take .. from`",
          r"take \1 from \2"),
    _slip(rf"^(?:reduce|lower|decrease) ({_PATH}) by (.+)$", "a number is lowered with `take .. from`",
          r"take \2 from \1"),
    _slip(rf"^(?:gain|get|receive|add) (\d+) ({_PATH})$", "a number is raised with `add .. to`", r"add \1 to \2"),
    _slip(rf"^(?:increase|raise) ({_PATH}) by (.+)$", "a number is raised with `add .. to`", r"add \2 to \1"),
    _slip(rf"^({_PATH}) ?\+=? ?(\w+)$", "a number is raised with `add .. to`", r"add \2 to \1"),
    _slip(rf"^({_PATH}) ?(?: -|-=) ?(\w+)$", "a number is lowered with `take .. from`", r"take \2 from \1"),
    _slip(rf"^(?:{_NAME} )?(?:is|are|becomes|get|gets) ({_NAME})$", "what somebody comes to be is said with `gain`",
          r"gain \1"),
    _slip(rf"^set ({_NAME})$", "what comes to be so is said with `gain`", r"gain \1"),
    _slip(rf"^(?:set )?({_PATH}) ?:?= ?(.+)$", "a fact is given a value with `set .. to`", r"set \1 to \2"),
    _slip(r"\b[Tt]he ", "leave `the` out", ""),
)  # fmt: skip

_AGAINST: tuple[Slip, ...] = (
    _slip(r" ?(?:\bvs\.?|\bversus\b|\bagainst\b|:|/) ?", "two amounts are held against each other with `to`", " to "),
)  # fmt: skip

_MEMBERS: tuple[Slip, ...] = (
    _slip(rf"^(?:top|best|strongest|largest|highest|last|weakest|smallest|lowest|worst|nearest) ({_NAME})(?: of .+)?$",
          r"it is not said by what the \1 is picked", None,
          "write `for: whoever of units of side has lowest men` in the place of `each:`, with whose units they are and "
          "what decides"),
    _slip(rf"^({_NAME}) (?:in|on|at|with) ({_NAME})$", "whom the row looks at is said with `of` or `where`", None,
          r"write `\1 where (\2)`, with `\2: flag` among the facts; or `\1 of side` for whose they are"),
    _slip(rf"^({_NAME}) ({_NAME})((?: of {_NAME})*)$", r"`\1` stands behind `\2`, in brackets", r"\2\3 where (\1)"),
    _slip(r"^(every|each|all|any) ", r"leave `\1` out: the row is done for each of them", ""),
)  # fmt: skip

_SIGNS: Mapping[str, str] = {"at least": "at least|>=|=>|≥", "at most": "at most|<=|=<|≤", "not": "is not|!=|<>|≠",
          "more than": "more than|>", "less than": "less than|<"}  # fmt: skip
_HEADING: tuple[Slip, ...] = (
    *(_slip(rf"^({_PATH}) ?(?:\bis )?(?:{signs}) ?(\w.*)$", "what is said of it stands behind the colon", None,
            rf"write `\1: {said} \2`") for said, signs in _SIGNS.items()),
    _slip(rf"^({_PATH}) ?(?:\bis\b|=+) ?(\w.*)$", "what is said of it stands behind the colon", None,
          r"write `\1: \2`"),
)  # fmt: skip

_CONDITION = (*_SAID, *_COMPARED, *_JOINED)
BY_START: Mapping[str, Sequence[Slip]] = {
    "condition": (_DICE, *_HAPPENS, *_CONDITION),
    "test": (_DICE, *_CELL, *_CONDITION, *_CELL_LAST),
    "value": (_DICE, *_AMOUNT, *_SAID, *_JOINED, *_COMPARED),
    "subject": (*_HEADING, _DICE, *_CONDITION),
    "members": (_DICE, *_CONDITION, *_MEMBERS),
    "effect": (_DICE, _CAPITALS, *_DONE, *_SAID),
    "ratio": (_DICE, *_AGAINST, *_SAID),
    "ordering": (_DICE, *_AMOUNT, *_SAID),
}

# Words that might be names, so that only a name that nobody knows is taken for one of them.
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PARTS: Mapping[str, str] = {"half": "1/2", "third": "1/3", "quarter": "1/4"}
UNKNOWN: tuple[Slip, ...] = (
    _slip(r"^(?:a |one )?(half|third|quarter)$", r"`\1` is written in figures", lambda m: _PARTS[m[1]]),
    _slip(r"\b(?:a )?half$", "it is not said half of what", None,
          "write what is halved, and `/ 2` behind it: `men-at-start / 2`"),
    _slip(r"\b(?:true|on)\b", r"`\g<0>` is said with `yes`", "yes"),
    _slip(r"\b(?:false|off)\b", r"`\g<0>` is said with `no`", "no"),
    _slip(r"\b(?:die-roll|roll|die|dice|throw)\b", r"`\g<0>` does not say which throw", None,
          "write the name of the fact under `rolled:` that holds it, such as `my-roll is 6`"),
    _slip(rf"\bcards? is (?!(?:at|more|less|not|in)\b)({WORD})$", "`card` does not say which card", None,
          r"write `my-card is \1`, with the fact under `drawn:` that holds it, if a card of the deck is "
          r"called `\1`; what "
          r"several cards share is a number that they bear: `{ace: {cards: 2, \1: 1}, king: {cards: 2, \1: 0}}`, and "
          r"`\1 of my-card is 1`"),
    _slip(r"\bcards?\b", r"`\g<0>` does not say which card", None,
          "write the name of the fact under `drawn:` that holds it, such as `my-card is high`"),
    _slip(r"\b(?:adjacent|nearby|in-range)\b", r"there is no map here, so nobody is `\g<0>`", None,
          r"write `distance is 1`, or make it a yes-or-no fact that the situation says: `\g<0>: flag`"),
    _slip(r"\b(?:none|null|nil|nothing)\b", r"`\g<0>` is said with `nobody`; a number that is nothing is 0", "nobody",
          "write `{write}`, or `0`"),
    _slip(r"\b(?:" + "|".join(NUMBERS) + r")\b", "numbers are written in figures",
          lambda m: str(NUMBERS.index(m[0]))),
    _slip(rf"(?<!total )(?<!est )\b(?!number\b)({_NAME}) of (?:the )?(?:enemy|other)[ -]({_NAME})",
          "it is not said which of them is meant", None,
          r"write `any \2 of enemy of side where (\1 ..)` or `every \2 of ..`; or look at each in the row, "
          r"`each: \2 of enemy of side`, and it is `\1` alone"),
    _slip(rf"\b(?:enemy|other)[ -]({_NAME})", "whose they are is said with `of`", r"\1 of enemy of side"),
    _slip(rf"\b(?:friendly|own)[ -]({_NAME})", "whose they are is said with `of`", r"\1 of side"),
    _slip(r"\bis (odd|even)\b", r"`\1` is said with the numbers that are so",
          lambda m: "is 1 or 3 or 5" if m[1] == "odd" else "is 2 or 4 or 6", "write `{write}`, as far as they go"),
    _slip(rf"\b({WORD})((?: of {_NAME})*) is (?:a )?doubles?\b", "doubles are two dice that show the same",
          r"first of \1\2 is second of \1\2", "write `{write}`, and the dice as `{first: d6, second: d6}`"),
)  # fmt: skip

# What each sentence is, for one that is met by no slip.
WHAT_IT_IS: Mapping[str, str] = {
    "condition": "a condition says what is so, `unit is broken`, `men is at least 3`, joined by `and` or `or`",
    "value": "a value is a number, a word or a name, `men of unit`, or a sum of these, `men - losses`",
    "test": "a cell is what one would say after `is`: `woods or building`, `at least 3`, `yes`; "
    "whatever else is asked is a column of its own",
    "subject": "a heading is a name, `men of unit`, or `any unit`; what is said of it is the cell: `men: at least 3`",
    "ordering": "an order is said by what each has, `highest initiative` or `lowest initiative`",
    "members": "a set is a name, and in brackets what its members are: `unit of side where (not broken)`",
    "effect": "what is done is said with `gain` or `lose` and what is so, `gain broken`; `set .. to ..`; "
    "`add 1 to ..`, `take 1 from ..` of a number; `become` and a counter; or `leave`",
    "ratio": "two amounts are held against each other with `to`: `attack to defence`",
}
