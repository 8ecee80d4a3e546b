"""English in small: a phrase such as `is in a boat` said of one or of many, denied, and joined to others.

A phrase is what stands after its subject: `is broken`, `has ... points left`, `withdraws`; or it has a subject of its
own, `it is night`, `there is a wall`. What a ruleset means by any of them is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

GAP = "..."  # where a value is said
MANY: Mapping[str, str] = MappingProxyType({"is": "are", "has": "have", "does": "do", "was": "were"})
MODAL = ("may", "must", "can", "will", "need")
HELPERS = ("is", "are", "was", "were", *MODAL)
DONE = ("been", "fallen", "fought", "gone", "got", "just", "left", "lost", "rolled", "run", "slipped", "used")
AFTER_DONE = ("", "a", "again", "already", "an", "away", "before", "from", "in", "into", "its", "on", "out", "since",
              "the", "this", "to", "up")  # fmt: skip
BOTH_WAYS = ("beat", "burst", "cut", "hit", "hurt", "split")  # who does it and whom it is done to have the same word
NO_VERB = ("ss", "us", "is")  # as of `hopeless`, `dangerous`, `this`: so ends no word of what one does
MANY_WITHOUT_S = ("men", "dice")
ENDS_OF_NOUN = (" of ", " at the start", " for ", " that ", " whose ", " as it was ")
QUESTIONS = ("what", "who", "whom", "whose", "which", "where", "when", "how", "why", "is", "are", "does", "has")
FLIPPED = MappingProxyType({"must not": "may", "need not": "must"})  # denied once more
ADVERBS = ("never", "always", "only", "neither", "both", "also", "still")
WITH_SUBJECT = ("it", "there", "no", "the", "a", "an", "any", "every", "both", "either", "somebody", "nobody")


def of_flag(name: str) -> str:
    """What a flag says of somebody by its name alone: `is broken`, `may attack`, `goes back`."""
    first = name.split(" ", 1)[0]
    is_verb = first in MODAL or (first.endswith("s") and not first.endswith(NO_VERB))
    return name if is_verb else f"is {name}"


def has_subject(phrase: str) -> bool:
    """Whether a phrase is a sentence already."""
    return phrase.split(" ", 1)[0] in WITH_SUBJECT


def of_many(phrase: str) -> str:
    """`are broken` for `is broken`."""
    verb, _, rest = phrase.partition(" ")
    return f"{MANY.get(verb) or plain(verb)} {rest}".rstrip()


def is_of(holder: str, phrase: str) -> str:
    """What is said of a value, `is 0`, as of many where its noun is one of many: `the steps of the block` are 0."""
    noun = holder
    if noun.split(" ", 1)[0].lower() in QUESTIONS:
        return phrase
    for end in ENDS_OF_NOUN:
        noun = noun.partition(end)[0]
    last = noun.rpartition(" ")[2]
    is_many = last in MANY_WITHOUT_S or (last.islower() and last.endswith("s") and not last.endswith(NO_VERB))
    return of_many(phrase) if is_many and phrase.startswith("is ") else phrase


def with_the(noun: str) -> str:
    """A noun with its article; a heading that is a question, `What happens`, has none."""
    return noun if noun.split(" ", 1)[0].lower() in QUESTIONS else f"the {noun}"


def plain(verb: str) -> str:
    """`attack` for `attacks`."""
    if verb in HELPERS or verb in MANY.values():
        return verb
    if verb in MANY:
        return MANY[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "oes")):
        return verb[:-2]
    return verb.removesuffix("s")


def denied(phrase: str) -> str:
    """`is not broken` for `is broken`; said of one."""
    first, _, rest = phrase.partition(" ")
    if first == "there" or first == "it":
        verb, _, what = rest.partition(" ")
        if " and " in what:
            return f"it is not so that {phrase}"
        if what.startswith(("no ", "not ")):
            return f"{first} {verb} {what.partition(' ')[2]}"
        if first == "there":
            return f"{first} {verb} no {_without_article(what)}"
        return f"{first} {denied(rest)}"
    is_deed = first not in (*HELPERS, *MANY, *MANY.values())
    if first in ADVERBS or " and " in phrase or (is_deed and " or " in phrase):
        return f"is not one that {phrase}"
    if first in ("no", "nobody"):
        return f"{'a' if first == 'no' else 'somebody'} {rest}"
    if first in WITH_SUBJECT:
        return f"it is not so that {phrase}"
    if first == "cannot":
        return f"can {rest}"
    if rest.startswith("not ") and first in (*HELPERS, *MANY, *MANY.values()):
        return f"{FLIPPED.get(f'{first} not', first)} {rest[4:]}"
    if first == "must":
        return f"need not {rest}".rstrip()
    if first in (*HELPERS, "do", "does"):
        return f"{first} not {rest}".rstrip()
    if first in ("has", "have"):
        article = rest.split(" ", 1)[0]
        if rest.startswith("no more than "):
            return f"{first} {rest[3:]}"
        if article == "no":
            return f"{first} a {rest[3:]}"
        if article in DONE or (article.endswith("ed") and rest[len(article) + 1 :].split(" ", 1)[0] in AFTER_DONE):
            return f"{first} not {rest}"  # it has advanced in
        return f"{first} no {_without_article(rest)}" if article in ("a", "an") else f"does not have {rest}"
    return f"does not {plain(first)} {rest}".rstrip()


def no_longer(phrase: str) -> str:
    """`is not broken any more` for `is broken`; what has been done is not undone, but it counts no longer."""
    first, _, rest = phrase.partition(" ")
    is_done = first in ("has", "have") and denied(phrase) == f"{first} not {rest}"
    return f"{phrase}: that counts no longer" if is_done else f"{denied(phrase)} any more"


def _without_article(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    return rest if first in ("a", "an") else phrase


def plural(noun: str) -> str:
    """`units` for `unit`; a noun of several words ends in its last."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def listed(parts: Sequence[str], word: str) -> str:
    """`a, b or c`; where one of them has a comma of its own, all are parted by the word."""
    if len(parts) < 2:
        return "".join(parts)
    if any("," in part for part in parts):
        return f", {word} ".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def sentence(parts: Iterable[str]) -> str:
    """Parts as one sentence, with a capital at its beginning and no full stop."""
    text = " ".join(part for part in parts if part)
    first = 1 if text.startswith("(") else 0
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def lowered(text: str) -> str:
    """A sentence as part of another: `the weather is foul`; what begins with capitals, `FP`, stays."""
    first = 1 if text.startswith("(") else 0
    if text[first + 1 : first + 2].isupper():
        return text
    return text[:first] + text[first : first + 1].lower() + text[first + 1 :]
