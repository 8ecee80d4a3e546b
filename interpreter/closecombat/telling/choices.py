"""What a player may choose, for people, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import RenderableType

from closecombat.asking.choices.allowed import Choice, Possible
from closecombat.asking.choices.declarations import answer_in_words, set_in_words
from closecombat.playing.choices import Reason
from closecombat.reading.types import Thing
from closecombat.telling.page import Page, clean, json_value, rendered, table
from closecombat.telling.sheets import csv_text

MOST_LINES = 40


def choices_text(choice: Choice, everything: bool, page: Page) -> str:
    """The legal answers as a table, then for each rule how many answers it forbids; `everything` shows all of both."""
    return rendered(_on_page(choice, everything), page)


def _on_page(choice: Choice, everything: bool) -> Iterable[RenderableType]:
    cites = f" ({', '.join(choice.cites)})" if choice.cites else ""
    legal = [one for one in choice.answers if one.legal]
    yield f"{asked_of(choice)}, at `{choice.row}`{cites}"
    yield ""
    if legal:
        yield from _answers(legal, choice.together is None, everything)
    if choice.together is not None:
        yield ""
        yield (
            f"{len(legal):,} may be declared alone; {len(choice.together):,} declarations "
            + ("in all, with none, one or several at once" if choice.complete else "were found, and there are more")
        )
        if everything:
            yield ""
            yield from (set_in_words(each.value for each in one) for one in choice.together)
    forbidden = [one for one in choice.answers if not one.legal]
    if forbidden:
        yield ""
        yield from _forbidden(forbidden, everything)


def asked_of(choice: Choice) -> str:
    """Who answers, and what; of whom, if that is another."""
    return f"{choice.player}: {choice.fact} of {choice.who}" if choice.player else f"{choice.who}: {choice.fact}"


def _answers(legal: list[Possible], values: bool, everything: bool) -> Iterable[RenderableType]:
    shown = legal if everything else legal[:MOST_LINES]
    cells = [[one.value] if values else list(one.value.values()) for one in shown]
    told = [[clean(answer_in_words(cell)) for cell in row] for row in cells]
    heads = ["may be"] if values else list(legal[0].value)
    said = [at for at, _ in enumerate(heads) if any(row[at] for row in told)] or [0]  # what none says is no column
    out = table(*(heads[at] for at in said))
    for row in told:
        out.add_row(*(row[at] for at in said))
    yield out
    if len(legal) > MOST_LINES and not everything:
        yield f"and {len(legal) - MOST_LINES} more: --all"


def _forbidden(forbidden: list[Possible], everything: bool) -> Iterable[RenderableType]:
    if everything:
        out = table("forbidden", "because", "clause")
        for one in forbidden:
            why = "; ".join(says for says, _ in one.reasons)
            out.add_row(clean(answer_in_words(one.value)), clean(why), clean(", ".join(_clauses(one))))
        yield out
        return
    reasons: dict[Reason, list[Possible]] = {}
    for one in sorted(forbidden, key=lambda one: len(one.reasons)):
        for reason in one.reasons:
            reasons.setdefault(reason, []).append(one)
    out = table("forbidden, because", "clause", "times", "such as", right=["times"])
    for (says, cites), ones in sorted(reasons.items(), key=lambda item: -len(item[1])):
        out.add_row(clean(says), clean(", ".join(cites)), f"{len(ones):,}", clean(answer_in_words(ones[0].value)))
    yield out


def _clauses(one: Possible) -> list[str]:
    return list(dict.fromkeys(clause for _, cites in one.reasons for clause in cites))


def choices_csv(choice: Choice | None) -> str:
    """A line for each answer, and for each declaration of several things, which is legal."""
    return csv_text(_lines(choice))


def _lines(choice: Choice | None) -> Iterator[tuple[object, ...]]:
    yield "row", "who", "fact", "answer", "legal", "clauses", "why"
    if choice is None:
        return
    head = choice.row, choice.who.name, choice.fact
    for one in choice.answers:
        said = answer_in_words(one.value), "yes" if one.legal else "no"
        yield *head, *said, " ".join(_clauses(one)), "; ".join(says for says, _ in one.reasons)
    for together in choice.together or ():
        if len(together) > 1:
            yield *head, set_in_words(each.value for each in together), "yes", "", ""


def choices_json(choice: Choice | None) -> str:
    """The schema `choices`."""
    return json.dumps(choices_object(choice), indent=2, ensure_ascii=False) + "\n"


def choices_object(choice: Choice | None) -> dict[str, Any]:
    """The same as an object."""
    document: dict[str, Any] = {"format_version": 1, "command": "choices", "choice": None}
    if choice is not None:
        document["choice"] = {
            "row": choice.row,
            "who": choice.who.name,
            "player": choice.player or choice.who.name,
            "fact": choice.fact,
            "cites": list(choice.cites),
            "answers": [
                {
                    "value": answer_json(one.value),
                    "legal": one.legal,
                    "clauses": _clauses(one),
                    "why": "; ".join(says for says, _ in one.reasons),
                }
                for one in choice.answers
            ],
        }
        if choice.together is not None:
            document["choice"]["together"] = [[answer_json(one.value) for one in things] for things in choice.together]
            document["choice"]["complete"] = choice.complete
    return document


def answer_json(value: Any) -> Any:
    """An answer: a value, or the facts of a thing, a set by its members."""
    if isinstance(value, dict):
        return {name: answer_json(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [answer_json(each) for each in value]
    return value.name if isinstance(value, Thing) else json_value(value)
