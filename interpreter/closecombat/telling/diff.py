"""What two rulesets differ in, as text, as Markdown for a pull request, as a page, as CSV, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from rich.console import RenderableType

from closecombat.asking.changes.diff import Diff
from closecombat.asking.changes.differing import (
    DIFFERS,
    KINDER,
    LEFT_OUT,
    NEITHER,
    ONE_SIDED,
    SAME,
    UNKNOWN,
    UNTOUCHED,
    UNTRIED,
    Differing,
    is_same_by_sides,
)
from closecombat.asking.changes.rule_changes import CHANGED, MOVED, RENAMED, RuleChange
from closecombat.asking.changes.smallest import Smallest
from closecombat.asking.changes.turned import BREAKS, Turned
from closecombat.asking.exact.answers import Shift
from closecombat.telling.html import page_of, share
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
from closecombat.telling.properties import pasted, step_words, tails
from closecombat.telling.sheets import csv_text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

FURTHER = "--most SECONDS looks further, --yes at all of them"
MOST_ROWS = 20
LOSSES = "how much is lost"
MOST_READ = 6  # facts of which it is said that the changed rules read them
LONGEST = 60  # letters of a row that is told whole
MEANS: Mapping[str, str] = MappingProxyType(
    {
        "same": "no chance differs",
        "deadlier": "somebody loses more, and nobody loses less",
        "milder": "somebody loses less, and nobody loses more",
        "otherwise": "nobody loses more or less, but something else is otherwise",
        "incomparable": "some fights turn out better for a side and others worse, or both in one",
        "mixed": "some lose more and others less, or somebody more often but less, or less often but more",
    }
)
SEEN = ((SAME, "worked out, and the same"), (NEITHER, "neither can play it"), (UNTOUCHED, "no changed rule is read"))
BETTER = "he loses no more and his enemy no less"
WORSE = "he loses no less and his enemy no more"


@dataclass(frozen=True, slots=True)
class Shown:
    """How places of files are said, and whether every fight is told."""

    told: Callable[[str], str]
    everything: bool = False

    def place(self, span: Span | None) -> str:
        if span is None:
            return ""
        return self.told(f"{span.source.name}:{span.source.position(span.start)[0]}")


def diff_text(diff: Diff, shown: Shown, page: Page) -> str:
    return rendered(_parts(diff, shown, page), page)


def summary(diff: Diff) -> str:
    """One line on the whole."""
    return ", ".join(f"{number} {said}" for number, said in _counts(diff))


def _counts(diff: Diff) -> list[tuple[str, str]]:
    """How many rules and fights there are of each sort."""
    found = [_of_sort(len(diff.counting), "rule", f"differ{'s' if len(diff.counting) == 1 else ''}")]
    for fate, said in (
        (DIFFERS, "with other chances"),
        (ONE_SIDED, "by one of the two alone"),
        (SAME, "worked out and the same"),
        (NEITHER, "that neither can play"),
        (UNTOUCHED, "that no changed rule is read in"),
        (UNKNOWN, "too large"),
        (LEFT_OUT, "not looked at"),
    ):
        if number := len(diff.of(fate)):
            found.append(_of_sort(number, "fight", said + (_by_sides(diff) if fate == SAME else "")))
    return found


def _by_sides(diff: Diff) -> str:
    """Of how many fights only that is known."""
    number, of = len(diff.same_by_sides), len(diff.of(SAME))
    if not number:
        return ""
    return f" ({'' if number == of else f'{number:,} of them '}by how each side ends, not unit by unit)"


def _of_sort(number: int, one: str, said: str) -> tuple[str, str]:
    figure, _, noun = _number(number, one).partition(" ")
    return figure, f"{noun} {said}"


def _number(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"


def _verdict(diff: Diff) -> str:
    if diff.alike:
        return f"same: {diff.alike}"
    word = diff.word
    if word == UNTRIED and diff.fights:
        if len(diff.of(NEITHER)) == len(diff.fights):
            return f"{word}: neither can play any of the fights"
        return f"{word}: no fight was worked out; --yes goes on"
    if word == UNTRIED:
        return f"{word}: there is no fight to look at; write examples, or name some with --fights"
    if word == SAME and diff.same_by_sides:
        return f"{word}: each side ends alike {_scope(diff)}; what becomes of each unit is too large to be worked out"
    known = MEANS.get(word) or (BETTER if word.startswith(KINDER) else WORSE)
    return f"{word}: {known} {_scope(diff)}" + ("" if diff.is_complete else " (as far as they were worked out)")


def _scope(diff: Diff) -> str:
    """In which fights that is so: it may be otherwise in others."""
    idle, number = len(diff.of(UNTOUCHED)), len(diff.looked_at)
    looked = f"in the {f'{number:,} fights' if number > 1 else 'one fight'} looked at" if number else ""
    found = "in the smallest one found" if diff.smallest is not None else ""
    unread = ", where no changed rule is read" if number and idle == number and not found else ""
    return " and ".join(filter(None, (looked, found))) + unread


def _played(diff: Diff) -> str:
    """Who answers what a fight leaves open, if not the ruleset."""
    if not diff.aims:
        return ""
    left = sum(bool(one.left) for one in diff.fights)
    but = f"; {_number(left, 'fight')} leave{'s' if left == 1 else ''} some choices to the ruleset all the same"
    return f"all sides play best (--aim {' --aim '.join(diff.aims)}){but if left else ''}"


def _parts(diff: Diff, shown: Shown, page: Page) -> Iterable[RenderableType]:
    yield heading(f"{diff.base} and {diff.other}", diff.title)
    yield ""
    yield paragraph(_verdict(diff), page.width)
    if diff.aims:
        yield paragraph(_played(diff), page.width)
    if diff.changes:
        yield ""
        out = table("rule", "", *(name.replace("+", "\n+") for name in (diff.base, diff.other)), "where")
        for one in diff.changes:
            for at, (cell, old, new) in enumerate(_cells(one)):
                path = f"{one.path}.{cell}" if cell else one.path
                how = _how(one) if not at else ""
                out.add_row(*map(clean, (path, how, *_cut(old, new), _where(one, shown) if not at else "")))
        yield out
    found = diff.of(DIFFERS)
    if found:
        yield ""
        yield from _fights(diff, found, shown)
        yield from _words(diff, found, page)
    for fate, said in (
        (ONE_SIDED, "by one of the two alone"),
        (UNKNOWN, "too large to be worked out here: --yes goes on"),
    ):
        if one_sided := diff.of(fate):
            yield ""
            yield heading(said)
            listed = one_sided if shown.everything else one_sided[:MOST_ROWS]
            yield from (paragraph(f"- {each.name}: {each.message}", page.width, "  ") for each in listed)
            if len(listed) < len(one_sided):
                yield f"and {len(one_sided) - len(listed)} more: --all"
    if left := diff.of(LEFT_OUT):
        yield ""
        yield heading("not looked at, for the work that the others took")
        yield paragraph(f"{FURTHER}:", page.width)
        listed = left if shown.everything else left[:MOST_ROWS]
        more = "" if len(listed) == len(left) else f", and {len(left) - len(listed)} more: --all"
        yield paragraph(", ".join(each.name for each in listed) + more, page.width)
    yield from _claims(diff, page)
    if diff.smallest is not None:
        yield ""
        yield heading("the smallest fight found that differs")
        yield paragraph(_found(diff.smallest), page.width)
        yield clean_lines(diff.example)
    elif nowhere := _nowhere(diff):
        yield ""
        yield paragraph(nowhere, page.width)
    if shown.everything:
        for fate, said in SEEN:
            if names := [_with_message(each) for each in diff.of(fate)]:
                yield ""
                yield heading(said)
                yield paragraph(", ".join(names), page.width)
    yield ""
    yield paragraph(summary(diff), page.width)


def _with_message(one: Differing) -> str:
    return f"{one.name} ({said})" if (said := _message(one)) else one.name


def _message(one: Differing) -> str:
    return "by how each side ends" if is_same_by_sides(one) else one.message


def _claims(diff: Diff, page: Page) -> Iterable[RenderableType]:
    for one in diff.claims.turned:
        yield ""
        yield heading(f"{_turned(one)} {one.claim.name}")
        yield paragraph(one.claim.says, page.width)
        for line in _pair(diff, one):
            yield paragraph(clean(line), page.width, "  ")
        yield clean_lines(pasted(diff.ruleset_of(one), one.found.before, page.width - 4))
    if diff.claims.pairs:
        yield ""
        yield paragraph(_looked_at(diff), page.width)


def _turned(one: Turned) -> str:
    return "breaks the claim" if one.how == BREAKS else "mends, as far as was looked, the claim"


def _pair(diff: Diff, one: Turned) -> Iterator[str]:
    """What the step does that it never should, by the ruleset that breaks the claim."""
    by, holds = (diff.other, diff.base) if one.how == BREAKS else (diff.base, diff.other)
    for words, before, after in tails(diff.ruleset_of(one), one.claim, one.found):
        yield f"{step_words(one.claim, one.found)}; {words}: {percent(before)} before, {percent(after)} after"
    yield f"by {by}, and not by {holds}, in this situation:"


def _looked_at(diff: Diff) -> str:
    """How far the claims were looked at."""
    claims = diff.claims
    said = f"{_number(claims.claims, 'claim')} of both held against {_number(claims.pairs, 'pair')}"
    more = "" if claims.complete else "; the budget ended it (`closecombat properties` looks further)"
    return f"{said} of situations: {len(claims.turned) or 'none'} broken or mended{more}"


def _found(least: Smallest) -> str:
    tried = f"{_number(least.tried, 'situation')} tried"
    if not least.searched:
        return f"taken apart from a fight that differs until nothing more could go; none smaller was found ({tried})"
    return f"found from below, bare fights first, then with what the changed rules read: {_reads(least.cone)} ({tried})"


def _reads(cone: Sequence[str]) -> str:
    more = len(cone) - MOST_READ
    return ", ".join(cone[:MOST_READ]) + (f" and {more} more" if more > 0 else "") or "nothing"


def _nowhere(diff: Diff) -> str:
    """That no fight was found that differs, which does not say that there is none; empty where one was, or where
    nothing had to be looked for."""
    if diff.sought is None or diff.smallest is not None or diff.of(DIFFERS):
        return ""
    if not diff.sought.tried:
        return "No other fight was looked for: there is none that one could be made of."
    made = f"{_number(diff.sought.tried, 'situation')} tried, made of what the changed rules read"
    return f"No fight was found that differs, which proves nothing: {made} ({_reads(diff.sought.cone)})."


def clean_lines(text: str) -> str:
    return "\n".join("    " + clean(line) for line in text.splitlines())


def _fights(diff: Diff, found: Sequence[Differing], shown: Shown) -> Iterable[RenderableType]:
    out = table("fight", "for whom", "what moves most", "was", "is", "change", "lost on average", right=["was", "is"])
    listed = found if shown.everything else found[:MOST_ROWS]
    for one in listed:
        name = _named(one, diff)
        if not one.shifts:
            out.add_row(*map(clean, (name, one.word, one.message or LOSSES, "", "", "", _lost(one))))
        for at, shift in enumerate(one.shifts if shown.everything else one.shifts[:1]):
            said = (name, one.word) if not at else ("", "")
            cells = (*said, _what(shift), percent(shift.old), percent(shift.new), change(shift.by))
            out.add_row(*map(clean, cells), clean(_lost(one)) if not at else "")
    yield out
    if len(listed) < len(found):
        yield f"and {len(found) - len(listed)} more: --all"


def _named(one: Differing, diff: Diff) -> str:
    more = len(diff.names.get(one.name, ())) - 1
    return one.name + (f" (and {more} like it)" if more > 0 else "")


def _words(diff: Diff, found: Sequence[Differing], page: Page) -> Iterable[RenderableType]:
    """Each word with a fight that it is said of."""
    words: dict[str, list[str]] = {}
    for one in found:
        words.setdefault(one.word, []).append(one.name)
    yield ""
    said = [f"{word} {len(names)} (such as {names[0]})" for word, names in words.items()]
    yield paragraph("; ".join(said), page.width)


def _what(shift: Shift) -> str:
    return f"{shift.whom}: {shift.what}"


def _lost(one: Differing) -> str:
    return ", ".join(f"{each.whom} {amount(each.old)} → {amount(each.new)}" for each in one.lost)


def _how(one: RuleChange) -> str:
    said = one.how
    if one.how == MOVED:
        said = f"moved behind {one.to}" if one.to else "moved to the top"
    elif one.how == RENAMED:
        said = f"renamed {one.to}"
    return said if one.counts else f"{said}, no chance hangs on it"


def _cells(one: RuleChange) -> list[tuple[str, str, str]]:
    """What of a row is told: its cells that differ, or all of it."""
    if one.how == CHANGED and one.cells:
        return [(cell.column, cell.old or "-", cell.new or "-") for cell in one.cells]
    if one.how in (MOVED, RENAMED):
        return [("", "", "")]
    return [("", one.old or "-", one.new or "-")]


def _where(one: RuleChange, shown: Shown) -> str:
    return " → ".join(dict.fromkeys(filter(None, (shown.place(one.was), shown.place(one.now)))))


def _cut(old: str, new: str) -> tuple[str, str]:
    """What was and what is, shortened around the place from which they differ."""
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = same - LONGEST // 3 if same > LONGEST // 2 and max(len(old), len(new)) > LONGEST else 0
    left = (f"…{text[start + 1 :]}" if start else text for text in (old, new))
    one, other = (text if len(text) <= LONGEST else text[: LONGEST - 1] + "…" for text in left)
    return one, other


# ---- Markdown ---------------------------------------------------------------------------------------------


def diff_markdown(diff: Diff, shown: Shown) -> str:
    """A comment on a pull request: the verdict and the rules first, the fights folded where they are many."""
    lines = [
        f"### {_md(diff.base)} → {_md(diff.other)}",
        "",
        f"**{_md(_verdict(diff))}**",
        "",
        _md(summary(diff)) + ".",
        *(("", f"{_md(_played(diff))}.") if diff.aims else ()),
    ]
    if diff.changes:
        lines += ["", "| rule | | was | is | where |", "|---|---|---|---|---|"]
        for one in diff.changes:
            for at, (cell, old, new) in enumerate(_cells(one)):
                path = f"{one.path}.{cell}" if cell else one.path
                where, how = (_where(one, shown), _how(one)) if not at else ("", "")
                lines.append(_row(_code(path), _md(how), *map(_code, _cut(old, new)), _md(where)))
    found = diff.of(DIFFERS)
    if found:
        listed = found if shown.everything else found[:MOST_ROWS]
        lines += ["", "<details open><summary>Fights with other chances</summary>", ""]
        lines += ["| fight | for whom | what moves most | was | is | change | lost on average |"]
        lines += ["|---|---|---|---:|---:|---:|---|"]
        for each in listed:
            shift = each.shifts[0] if each.shifts else None
            cells = (_md(each.name), _md(each.word))
            if shift is not None:
                moved = (_md(_what(shift)), percent(shift.old), percent(shift.new), change(shift.by))
            else:
                moved = (_md(each.message or LOSSES), "", "", "")
            lines.append(_row(*cells, *moved, _md(_lost(each))))
        if len(listed) < len(found):
            lines += ["", f"and {len(found) - len(listed)} more"]
        lines += ["", "</details>"]
    if diff.smallest is not None:
        text = diff.example.replace("```", "` ` `")
        lines += ["", "<details><summary>The smallest fight found that differs</summary>", ""]
        lines += [_md(_found(diff.smallest)), "", "```yaml", *map(clean, text.splitlines()), "```", "", "</details>"]
    elif nowhere := _nowhere(diff):
        lines += ["", _md(nowhere)]
    for turned in diff.claims.turned:
        text = pasted(diff.ruleset_of(turned), turned.found.before, 100).replace("```", "` ` `")
        lines += ["", f"<details open><summary>{_turned(turned)} {_md(turned.claim.name)}</summary>", ""]
        lines += [_md(turned.claim.says), "", *(f"- {_md(line)}" for line in _pair(diff, turned)), ""]
        lines += ["```yaml", *map(clean, text.splitlines()), "```", "", "</details>"]
    if diff.claims.pairs:
        lines += ["", f"{_md(_looked_at(diff))}."]
    for fate, said in ((ONE_SIDED, "By one of the two alone"), (UNKNOWN, "Too large to be worked out")):
        if some := diff.of(fate):
            lines += ["", f"<details><summary>{said}: {len(some)}</summary>", ""]
            lines += [f"- {_md(each.name)}: {_md(each.message)}" for each in some[:MOST_ROWS]]
            lines += ["", "</details>"]
    if left := diff.of(LEFT_OUT):
        lines += ["", f"<details><summary>Not looked at: {len(left)}</summary>", ""]
        lines += [f"{_md(FURTHER)}: {', '.join(_md(each.name) for each in left)}", "", "</details>"]
    return "\n".join(lines) + "\n"


def _md(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in clean(text))


def _code(text: str) -> str:
    said = clean(text).replace("`", "'").replace("|", "\\|")
    return f"`{said}`" if said else ""


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


# ---- a page -----------------------------------------------------------------------------------------------


def diff_html(diff: Diff, shown: Shown) -> str:
    """One file that can be sent and printed."""
    word, _, why = _verdict(diff).partition(": ")
    differing = diff.of(DIFFERS)
    listed = differing if shown.everything else differing[:MOST_ROWS]
    lists = [(ONE_SIDED, "By one of the two alone"), (UNKNOWN, "Too large to be worked out (--yes goes on)")]
    lists += [(LEFT_OUT, f"Not looked at ({FURTHER})")]
    lists += [(fate, said.capitalize()) for fate, said in SEEN]
    return page_of(
        "diff",
        {
            "base": diff.base,
            "other": diff.other,
            "title": diff.title,
            "word": word,
            "why": why,
            "counts": _counts(diff),
            "played": _played(diff),
            "rules": [row for one in diff.changes for row in _rule_rows(one, shown)],
            "fights": [_fight_rows(one, diff, shown) for one in listed],
            "losses": any(one.lost for one in listed),
            "everything": shown.everything,
            "more": len(differing) - len(listed),
            "claims": [
                (_turned(one), one.claim.name, one.claim.says, [*_pair(diff, one)], _situation(diff, one))
                for one in diff.claims.turned
            ],
            "looked_at": _looked_at(diff) if diff.claims.pairs else "",
            "example": diff.example,
            "found": _nowhere(diff) if diff.smallest is None else _found(diff.smallest),
            "others": [
                (said, [(one.name, _message(one)) for one in some]) for fate, said in lists if (some := diff.of(fate))
            ],
        },
    )


def _situation(diff: Diff, one: Turned) -> str:
    return pasted(diff.ruleset_of(one), one.found.before, 100)


def _rule_rows(one: RuleChange, shown: Shown) -> list[dict[str, str]]:
    where = " → ".join(filter(None, (shown.place(one.was), shown.place(one.now))))
    rows = []
    for cell, old, new in _cells(one):
        path = f"{one.path}.{cell}" if cell else one.path
        rows.append({"path": path, "how": "", "old": old, "new": new, "where": "", "why": ""})
    rows[0] |= {"how": _how(one), "where": where, "why": one.why}
    return rows


def _fight_rows(one: Differing, diff: Diff, shown: Shown) -> dict[str, object]:
    return {
        "name": _named(one, diff),
        "word": one.word,
        "only": one.message or LOSSES,
        "lost": [f"{each.whom} {amount(each.old)} → {amount(each.new)}" for each in one.lost],
        "shifts": [
            {
                "what": _what(shift),
                "old": percent(shift.old),
                "new": percent(shift.new),
                "old_exact": str(shift.old),
                "new_exact": str(shift.new),
                "old_share": share(shift.old),
                "new_share": share(shift.new),
                "by": change(shift.by),
            }
            for shift in (one.shifts if shown.everything else one.shifts[:1])
        ],
    }


# ---- CSV --------------------------------------------------------------------------------------------------


def diff_csv(diff: Diff) -> str:
    """A line for each chance that is another, and for what each side loses on average where that is; one without an
    outcome for each fight that differs in none."""
    return csv_text(_lines(diff))


def _lines(diff: Diff) -> Iterator[tuple[object, ...]]:
    yield "fight", "fate", "for_whom", "whom", "outcome", "was", "is", "changes_by", "message"
    for one in diff.fights:
        told = one.name, one.fate, one.word
        for shift in (*one.shifts, *one.lost):
            yield *told, shift.whom, shift.what, shift.old, shift.new, shift.by, ""
        if not one.shifts and not one.lost:
            yield *told, "", "", "", "", "", one.message


# ---- JSON -------------------------------------------------------------------------------------------------


def diff_json(diff: Diff, shown: Shown) -> str:
    found = {
        "format_version": 1,
        "command": "diff",
        "base": diff.base,
        "other": diff.other,
        "verdict": "same" if diff.alike else diff.word,
        "why": _verdict(diff).partition(": ")[2],
        "complete": diff.is_complete,
        "played_for": list(diff.aims),
        "rules": [rule_object(one, shown) for one in diff.changes],
        "fights": [_fight(one, diff) for one in diff.fights],
        "tried": diff.sought.tried if diff.sought is not None else 0,
        "smallest": None if diff.smallest is None else _smallest(diff.smallest, diff),
        "claims": {
            "looked_at": diff.claims.claims,
            "pairs": diff.claims.pairs,
            "complete": diff.claims.complete,
            "turned": [_claim(one, diff) for one in diff.claims.turned],
        },
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _claim(one: Turned, diff: Diff) -> dict[str, object]:
    return {
        "property": one.claim.name,
        "how": one.how,
        "says": one.claim.says,
        "who": one.found.who,
        "step": step_words(one.claim, one.found),
        "situation": _situation(diff, one) + "\n",
        "tail": [
            {"what": words, "before": json_chance(before), "after": json_chance(after)}
            for words, before, after in tails(diff.ruleset_of(one), one.claim, one.found)
        ],
    }


def _smallest(least: Smallest, diff: Diff) -> dict[str, object]:
    return {
        "example": diff.example,
        "searched": least.searched,
        "reads": list(least.cone),
        "tried": least.tried,
        **_fight(least.found, diff),
    }


def rule_object(one: RuleChange, shown: Shown) -> dict[str, object]:
    out: dict[str, object] = {"path": one.path, "how": one.how, "counts": one.counts, "old": one.old, "new": one.new}
    out["cells"] = [
        {"column": cell.column, "old": cell.old, "new": cell.new, "counts": cell.counts} for cell in one.cells
    ]
    out["was_at"], out["is_at"] = shown.place(one.was), shown.place(one.now)
    if one.to or one.how == MOVED:
        out["to"] = one.to
    if one.variant:
        out |= {"variant": one.variant, "why": one.why}
    return out


def _fight(one: Differing, diff: Diff) -> dict[str, object]:
    out: dict[str, object] = {"fight": one.name, "fate": one.fate}
    if also := diff.names.get(one.name, ())[1:]:
        out["also"] = list(also)
    if one.message:
        out["message"] = one.message
    if one.left:
        out["left_to_the_ruleset"] = list(one.left)
    if one.fate in (DIFFERS, SAME):
        out["by"] = "units" if one.by_units else "sides"
    if one.fate == DIFFERS:
        out["for_whom"] = one.word
        out["shifts"] = [_shift(shift) for shift in one.shifts]
        out["lost"] = [
            {"side": each.whom, "old": str(each.old), "new": str(each.new), "unit": one.unit} for each in one.lost
        ]
    return out


def _shift(shift: Shift) -> dict[str, object]:
    by = Fraction(shift.by)
    return {
        "whom": shift.whom,
        "what": shift.what,
        "old": json_chance(shift.old),
        "new": json_chance(shift.new),
        "by": json_chance(by),
    }
