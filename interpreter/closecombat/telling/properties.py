"""What came of the claims of a ruleset, as text, as Markdown, as CSV, as JSON and as JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.claims.properties import FAILS, HOLDS, KNOWN, MENDED, UNTRIED, Looked
from closecombat.asking.claims.stepping import Step, mean
from closecombat.asking.printed.shows import Line
from closecombat.reading.model import Property, Ruleset, name_of_stack
from closecombat.reading.types import shown
from closecombat.telling.page import (
    Page,
    amount,
    change,
    clean,
    heading,
    json_chance,
    paragraph,
    percent,
    rendered,
    table,
)
from closecombat.telling.sheets import csv_text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import block, flow
from closecombat.text.source import Span

NOT_PLAYED = "not played"  # of what is untried
SAID: Mapping[str, str] = MappingProxyType(
    {
        HOLDS: "none breaks it",
        FAILS: "BROKEN",
        KNOWN: "broken, as it says",
        MENDED: "broken no more",
        UNTRIED: "nobody to step",
        NOT_PLAYED: "none worked out",
    }
)
PASSES = (HOLDS, KNOWN)
THROUGH = (
    "through: all situations that say so many things more than a bare one, of what is read near the step, were looked "
    "at: of a number the default, those next to it, the ends of its range and a dozen that rows near it name, of one "
    "that is stepped the lowest thirteen as well. What is printed on a counter stays as it is printed."
)
COLUMNS = (
    "differ: pairs in which what is compared is not the same; failed: what could not be worked out, being against a "
    "rule or too large."
)
PLAYERS = (
    "Chances are exact. What a fight answers is kept on both sides of a step; what it leaves open (declarations, "
    "choices) the ruleset answers, anew on each side."
)


def properties_text(ruleset: Ruleset, found: Sequence[Looked], page: Page) -> str:
    return rendered(_parts(ruleset, found, page), page)


def _parts(ruleset: Ruleset, found: Sequence[Looked], page: Page) -> Iterator[RenderableType]:
    yield heading(name_of_stack(ruleset), ruleset.title)
    yield ""
    numbers = ("pairs", "differ", "failed")
    out = table("claim", "what was found", *numbers, "fights", "through", right=numbers)
    for one in found:
        counts = (f"{number:,}" for number in (one.pairs, one.differ, one.not_played))
        out.add_row(clean(one.claim.name), what_was_found(one), *counts, *_searched(one))
    yield out
    for one in found:
        if one.fate != HOLDS or not one.differ:
            yield ""
            yield from _told(ruleset, one, page)
    yield ""
    yield paragraph(COLUMNS, page.width)
    yield paragraph(THROUGH, page.width)
    yield paragraph(PLAYERS, page.width)


def what_was_found(one: Looked) -> str:
    return SAID[NOT_PLAYED if one.fate == UNTRIED and one.not_played else one.fate]


def _searched(one: Looked) -> tuple[str, str]:
    return f"{one.fights} of {one.of}", "-" if one.whole < 0 else f"+{one.whole}" if one.whole else "bare"


def _told(ruleset: Ruleset, one: Looked, page: Page) -> Iterator[RenderableType]:
    """A claim that a pair breaks, or that says so and none does."""
    yield heading(one.claim.name, _place(one.claim.where.place))
    cites = f"  [{', '.join(one.claim.where.cites)}]" if one.claim.where.cites else ""
    yield paragraph(one.claim.says + cites, page.width)
    if one.claim.fails:
        yield paragraph(f"fails: {one.claim.fails}", page.width, "  ")
    if one.found is None:
        yield paragraph(_why_not(one), page.width)
        return
    yield paragraph(f"This pair breaks it, {step_words(one.claim, one.found)}:", page.width)
    yield ""
    for document in (one.found.before, one.found.after):
        for line in pasted(ruleset, document, page.width - 4).split("\n"):
            yield f"    {clean(line)}"
        yield ""
    out = table("how likely", "before", "after", "change", right=("before", "after"))
    for words, before, after in tails(ruleset, one.claim, one.found):
        out.add_row(clean(words), percent(before), percent(after), change(after - before))
    if not one.claim.often and not one.claim.scale:
        averages = [mean(chances) for chances in one.found.chances]
        out.add_row("on average", *map(amount, averages), "")
    yield out
    for row in one.rows:
        yield paragraph(f"without {_row(row)} it would hold here", page.width, "  ")


def _why_not(one: Looked) -> str:
    if one.fate == MENDED:
        return "No pair was found that breaks it: take `fails:` out, or look further with --most and --yes."
    if one.fate == HOLDS:
        return "In none of these pairs does the step change what is compared: look at what is claimed, and of whom."
    if one.not_played:
        return f"Nothing that was looked at could be worked out. The first: {one.because}."
    return (
        "In no situation that was looked at can anybody be stepped so: look at what is asked of him beside the step, "
        "write an example in which somebody can, or look further with --most and --yes."
    )


def step_words(claim: Property, found: Step) -> str:
    """Who is stepped, and how."""
    said = {"yes": "{}", "no": "not {}", "more": "more {}", "less": "less {}", "becomes": "{} is {}"}
    steps = []
    for one in claim.steps:
        text = said[one.how].format(one.fact.name, one.word)
        steps.append(text + (f" for {one.word}" if one.word and one.how != "becomes" else ""))
    return f"{found.who}: {' and '.join(steps)}"


def tails(ruleset: Ruleset, claim: Property, found: Step) -> Iterator[tuple[str, Fraction, Fraction]]:
    """The tail that breaks a claim, in words."""
    if found.tail is None:
        return
    value = ruleset.tables[claim.value].value
    text = value.text if value is not None else claim.value
    if claim.often:
        words = text
    elif claim.scale:
        rest = claim.scale[int(found.tail.amount) :]
        words = f"{text}: " + " or ".join(word for words in rest for word in words)
    else:
        words = f"{text}: {shown(found.tail.amount)} or more"
    yield words, found.tail.before, found.tail.after


def pasted(ruleset: Ruleset, document: MappingNode, width: int) -> str:
    """A situation ready to be pasted into a file."""
    return f"ruleset: {name_of_stack(ruleset)}\n{block(document, width)}"


def _row(line: Line) -> str:
    cites = line.node.get("cites") if isinstance(line.node, MappingNode) else None
    return f"{line.path} ({_place(line.span)}" + (f", {flow(cites)})" if cites is not None else ")")


def _place(span: Span) -> str:
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


def properties_summary(found: Sequence[Looked]) -> str:
    """One line on the whole."""
    parts = [f"{len(found)} claim{'' if len(found) == 1 else 's'}"]
    for fate, said in (
        (HOLDS, "that no pair breaks"),
        (KNOWN, "broken as they say"),
        (FAILS, "BROKEN"),
        (MENDED, "said to fail that no pair breaks"),
        (UNTRIED, "that could not be tried"),
    ):
        if number := sum(one.fate == fate for one in found):
            parts.append(f"{number} {said}")
    ended = any(not one.at_the_end for one in found if one.found is None)
    return ", ".join(parts) + ("; the budget ended the search (--most and --yes look further)" if ended else "")


# ---- Markdown -------------------------------------------------------------------------------------------------


def properties_markdown(ruleset: Ruleset, found: Sequence[Looked]) -> str:
    lines = [f"### {name_of_stack(ruleset)}: what it claims of itself", "", properties_summary(found) + "."]
    lines += ["", "| claim | | what was found | pairs |", "|---|---|---|---:|"]
    lines += [
        f"| {_md(one.claim.name)} | {_md(one.claim.says)} | {what_was_found(one)} | {one.pairs:,} |" for one in found
    ]
    for one in found:
        if one.found is None:
            continue
        lines += ["", f"<details><summary>{_md(one.claim.says)}</summary>", ""]
        lines += [_md(one.claim.fails), ""] if one.claim.fails else []
        lines += [f"Before and after, {_md(step_words(one.claim, one.found))}", "", "```yaml"]
        lines += [clean(line) for line in pasted(ruleset, one.found.before, 100).split("\n")]
        lines += ["---", *(clean(line) for line in pasted(ruleset, one.found.after, 100).split("\n")), "```", ""]
        for words, before, after in tails(ruleset, one.claim, one.found):
            lines.append(f"- {_md(words)}: {percent(before)} before, {percent(after)} after")
        lines += [f"- without {_md(_row(line))} it would hold here" for line in one.rows]
        lines += ["", "</details>"]
    return "\n".join([*lines, "", PLAYERS]) + "\n"


def _md(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


# ---- JSON and JUnit -------------------------------------------------------------------------------------------


def properties_csv(ruleset: Ruleset, found: Sequence[Looked]) -> str:
    """A line for each tail that crosses in the pair that breaks a claim; one for each that none breaks."""
    return csv_text(_lines(ruleset, found))


def _lines(ruleset: Ruleset, found: Sequence[Looked]) -> Iterator[tuple[object, ...]]:
    yield "property", "says", "found", "pairs", "not_played", "fights", "of", "who", "step", "what", "before", "after"
    for one in found:
        told = one.claim.name, one.claim.says, one.fate, one.pairs, one.not_played, one.fights, one.of
        if one.found is None:
            yield *told, "", "", "", "", ""
        else:
            for words, before, after in tails(ruleset, one.claim, one.found):
                yield *told, one.found.who, step_words(one.claim, one.found), words, before, after


def properties_json(ruleset: Ruleset, found: Sequence[Looked], most: int) -> str:
    out = {
        "format_version": 1,
        "command": "properties",
        "ruleset": name_of_stack(ruleset),
        "title": ruleset.title,
        "most_looks": most,
        "players": PLAYERS,
        "passes": all(one.fate in PASSES for one in found),
        "properties": [_one(ruleset, one) for one in found],
    }
    return json.dumps(out, indent=2, ensure_ascii=False) + "\n"


def _one(ruleset: Ruleset, one: Looked) -> dict[str, object]:
    out: dict[str, object] = {
        "property": one.claim.name,
        "says": one.claim.says,
        "cites": list(one.claim.where.cites),
        "at": _place(one.claim.where.place),
        "found": one.fate,
        "pairs": one.pairs,
        "differ": one.differ,
        "not_played": one.not_played,
        "fights": one.fights,
        "of": one.of,
        "through": one.whole,
        "at_the_end": one.at_the_end,
    }
    if one.claim.fails:
        out["fails"] = one.claim.fails
    if one.because:
        out["because"] = one.because
    if one.found is not None:
        out["pair"] = {
            "who": one.found.who,
            "step": step_words(one.claim, one.found),
            "before": pasted(ruleset, one.found.before, 100) + "\n",
            "after": pasted(ruleset, one.found.after, 100) + "\n",
            "tail": [
                {"what": words, "before": json_chance(before), "after": json_chance(after)}
                for words, before, after in tails(ruleset, one.claim, one.found)
            ],
            "rows": [{"path": line.path, "at": _place(line.span)} for line in one.rows],
        }
    return out


def properties_junit(ruleset: Ruleset, found: Sequence[Looked]) -> str:
    """A claim is a case; one that is broken, or that says so and is not, fails."""
    from closecombat.telling.junit import cases_junit

    name = name_of_stack(ruleset)
    cases = []
    for one in found:
        text = rendered(_told(ruleset, one, Page(100)), Page(100)) if one.fate not in PASSES else ""
        cases.append((one.claim.name, one.claim.where.place, one.fate, one.claim.says, text))
    return cases_junit("closecombat properties", name, cases)
