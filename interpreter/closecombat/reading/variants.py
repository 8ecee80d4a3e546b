"""Variants: a ruleset changed by id. Works on documents, so that every row keeps the place it is written at.

Rows are changed column by column, however short they are written. Which variants there are, and in what order they
come, is said by `stack`; what `at:` means, by `targets`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import combinations

from closecombat.reading.fields import Fields, expected, list_of, mapping_of, name_of, text_of, yes_no
from closecombat.reading.model import Change
from closecombat.reading.ranges import VALUED, ranges_in, read_wanted
from closecombat.reading.spellings import OF_A_CHANGE
from closecombat.reading.targets import (
    HEADINGS,
    Entry,
    Keys,
    Target,
    columns_of,
    drop,
    entry_at,
    find,
    missing,
    put,
    read_target,
    room,
    rows_of,
)
from closecombat.text.faults import MOST_FAULTS, Bug, Faults, Faulty, Labels, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, agrees, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


def opened(target: Target, node: Node, columns: tuple[Text, ...]) -> Node:
    """A row written short as the mapping that it stands for."""
    if columns and isinstance(node, Listing):
        return Mapping(tuple(zip(columns, node.items, strict=False)), node.span)
    short = {"kinds": "is" if target.row else "", "dice": "die"}.get(target.section, "")
    if short and not isinstance(node, Mapping):
        return Mapping(((Text(short, node.span, True, node.span), node),), node.span)
    return node


def with_columns(old: Mapping, wanted: Mapping, span: Span, listed: bool) -> Node:
    """The old columns with the wanted ones in their place."""
    entries = {key.value: (key, node) for key, node in old.entries}
    entries |= {key.value: (key, node) for key, node in wanted.entries}
    if listed:
        return Listing(tuple(node for _, node in entries.values()), span)
    return Mapping(tuple(entries.values()), span)


def span_of(entry: Entry) -> Span:
    """The key and its value, which stand in the same file."""
    return entry[0].span.to(entry[1].span)


def forms(target: Target, verb: str, node: Node, columns: tuple[Text, ...]) -> tuple[Node, ...]:
    """The ways in which `was` may write what stands there."""
    if verb == "option":
        default = node.get("default") if isinstance(node, Mapping) else None
        return (default or node,)
    if verb == "set":
        return (opened(target, node, columns),)
    return (opened(target, node, columns), node)


VERBS = ("set", "replace", "add", "remove", "option", "lock")
WHOLE = ("replace", "add", "remove", "lock")  # these say all that a chart is, so also all its rows
MOST_CHANGES = 1_000
REMARKS = ("cites", "assumed", "note", "title", "says")  # `was` may leave them out


@dataclass(frozen=True, slots=True)
class Step:
    """One change as it is written. `beside` is (`after` or `before`, the row there)."""

    id: str
    key: Text
    target: Target
    verb: str
    verb_key: Text
    value: Node
    was: Node | None
    why: str
    over: frozenset[str]
    beside: tuple[str, Text] | None
    span: Span  # the body of the change


@dataclass(frozen=True, slots=True)
class Variant:
    """A layer over a ruleset: what it extends, and its changes in the order of the file."""

    name: str
    title: str
    about: str
    extends: Text
    over: frozenset[str]
    steps: tuple[Step, ...]
    key: Text  # the name, where it is written


# ---- reading ----------------------------------------------------------------------------------------------


def read_variant(document: Mapping) -> Variant:
    """A variant from its file; raises Faulty with everything that is wrong with its shape."""
    faults = Faults()
    fields = Fields(document, "a variant", faults)
    key = faults.attempt(fields.need, "variant")
    name = faults.attempt(name_of, key, "a variant's name") if key else None
    extends = faults.attempt(fields.need, "extends")
    if extends is not None and not isinstance(extends, Text):
        faults.extend(expected("the name, path or stack of a ruleset", extends).diagnostics)
    over = faults.attempt(_names, fields.get("over"))
    title, about = (faults.attempt(fields.text, each) or "" for each in ("title", "about"))
    for remark in ("cites", "note", "language", "goals", "elsewhere"):
        fields.get(remark)
    read_wanted(document, faults)
    changes = faults.attempt(fields.need, "changes")
    entries = faults.attempt(mapping_of, changes, "changes by their ids") if changes else None
    if entries is not None and not entries.entries:
        faults.add("missing-key", "there is nothing under `changes:`", entries.span)
    if entries is not None and len(entries.entries) > MOST_CHANGES:
        raise Faulty.one(
            "too-many-nodes",
            f"a variant has at most {MOST_CHANGES:,} changes",
            entries.entries[MOST_CHANGES][0].span,
            help="make a variant of each part, and stack them",
        )
    steps = [faults.attempt(_step, each, node) for each, node in entries.entries] if entries else []
    written = tuple(step for step in steps if step)
    for first, second in combinations(written, 2):
        locks = (first.verb == "lock") + (second.verb == "lock")
        if locks != 1 and _overlap(first.target.ids, first.verb, second.target.ids, second.verb):
            nameless = _nameless(first, second)
            faults.add(
                "duplicate-id",
                f"the row that `{nameless.id}` adds has no name"
                if nameless
                else f"two changes touch `{second.target.path}`",
                second.target.at.span,
                labels=((first.target.at.span, "the first is here"),) if nameless is None else (),
                help=f"write `at: {nameless.target.path}.{nameless.id}`" if nameless else "write them as one change",
            )
    fields.done()
    faults.raise_if_any()
    if not isinstance(extends, Text) or not isinstance(key, Text):
        raise Bug("isinstance(extends, Text) and isinstance(key, Text)")
    return Variant(name or "", title or name or "", about, extends, over or frozenset(), written, key)


def _nameless(*steps: Step) -> Step | None:
    """Which of two changes adds a row to a chart, and names the chart alone."""
    short, long = sorted(steps, key=lambda step: len(step.target.ids))
    return short if short.verb == "add" and len(short.target.ids) < len(long.target.ids) else None


def _names(node: Node | None) -> frozenset[str]:
    return frozenset(name_of(item, "a variant's name") for item in list_of(node)) if node else frozenset()


def _step(key: Text, node: Node) -> Step:
    faults = Faults()
    what = f"change `{key.value}`"
    if not isinstance(node, Mapping):
        raise expected("a change such as `{at: .., set: {..}, why: ..}`", node)
    fields = Fields(node, what, faults)
    faults.attempt(name_of, key, "a change's name")
    at = faults.attempt(fields.need, "at")
    target = faults.attempt(read_target, at) if at else None
    given = [verb for verb in VERBS if fields.get(verb) is not None]
    meant = (OF_A_CHANGE.get(each.value) or each.value.partition("{")[0].strip() for each, _ in node.entries)
    if len(given) != 1 and (given or not any(verb in VERBS for verb in meant)):
        faults.add(
            "missing-key" if not given else "wrong-shape",
            f"{what} does nothing" if not given else f"{what} does several things",
            key.span,
            help=f"say {', '.join(f'`{one}:`' for one in VERBS[:-1])} or `{VERBS[-1]}:`"
            if not given
            else "make a change of each",
        )
    if given == ["set"] and isinstance(bare := node.get("set"), Text) and bare.value.strip():
        said = re.fullmatch(r"([a-z][\w-]*) +(?:to +)?(\S+)", bare.value.strip())
        help = f"write `set: {{{said[1]}: {said[2]}}}`" if said else ""
        help = help or f"write `set: {{add: {bare.value}}}`, or whatever column it is"
        if target is not None and target.section == "options":
            help = f"write `option: {bare.value}`"
        elif target is not None and target.section == "counters":
            help = f"write `at: counters.kind.counter`, and `set: {{column: {bare.value}}}`"
        elif target is None and isinstance(at, Text):  # the path was longer than one can be
            help = f"write `set: {{{at.value.rpartition('.')[2]}: {bare.value}}}`"
        faults.add("wrong-shape", "`set:` does not say which column", bare.span, help=help)
        target = None
    why = faults.attempt(fields.text, "why")
    if why == "":
        faults.add("missing-key", f"{what} needs `why:`", key.span, help="say in a sentence what it is for")
    over = faults.attempt(_names, fields.get("over"))
    was = fields.get("was")
    beside = faults.attempt(_beside, fields)
    if len(given) == 1 and target:
        faults.attempt(_fitting, given[0], node, target)
    fields.done()
    faults.raise_if_any()
    if target is None:
        raise Bug("target is not None")
    verb_key, value = next(entry for entry in node.entries if entry[0].value == given[0])
    if given[0] in VALUED and (ranges := list(ranges_in(value))):
        raise Faulty.one(
            "names-a-range",
            f"{what} names a range, `{flow(ranges[0][1])}`, and no value",
            ranges[0][1].span,
            help=f"`closecombat tune {node.span.source.name}` finds the values that reach a goal, and `--write` "
            "writes one into the file",
        )
    return Step(
        key.value, key, target, given[0], verb_key, value, was, why or "", over or frozenset(), beside, node.span
    )


def _beside(fields: Fields) -> tuple[str, Text] | None:
    found = [(each, node) for each in ("after", "before") if (node := fields.get(each)) is not None]
    if len(found) > 1 or (found and "add" not in fields.node):
        raise Faulty.one("wrong-shape", f"`{found[-1][0]}:` goes with `add:`, and only one of them", found[-1][1].span)
    if not found:
        return None
    each, node = found[0]
    name = text_of(node, "the id of a row")
    if not isinstance(node, Text):
        raise Bug("isinstance(node, Text)")
    return each, Text(name, node.span, node.plain, node.content)


def _fitting(verb: str, change: Mapping, target: Target) -> None:
    """Whether a verb has the value, and stands at the place, that it is for."""
    value, was = change.get(verb), change.get("was")
    if value is None:
        raise Bug("value is not None")
    if verb == "set":
        columns = mapping_of(value, "columns and their new values")
        if not columns.entries:
            raise Faulty.one("wrong-shape", "`set` changes nothing", value.span, help="write `set: {column: value}`")
    if verb in ("remove", "lock") and not yes_no(value):
        raise Faulty.one("wrong-shape", f"`{verb}: no` changes nothing", value.span)
    if verb == "option":
        text_of(value, "a reading")
        if target.section != "options":
            raise Faulty.one(
                "wrong-shape",
                f"`{target.path}` is no option",
                target.at.span,
                help="`option:` chooses another reading at `options.name`",
            )
    if verb == "add" and was is not None:
        raise Faulty.one("wrong-shape", "what is added was nothing before", was.span, help="leave `was:` out")


def _overlap(ids: Keys, verb: str, others: Keys, other_verb: str) -> bool:
    """Whether two changes touch the same row, or one a row and the other its whole chart."""
    if ids == others:
        return True
    verb, shorter, longer = (verb, ids, others) if len(ids) < len(others) else (other_verb, others, ids)
    return verb in WHOLE and longer[: len(shorter)] == shorter


# ---- applying ---------------------------------------------------------------------------------------------


def apply_variant(
    base: Mapping, variant: Variant, earlier: tuple[Change, ...] = (), known: Collection[str] = ()
) -> tuple[Mapping, tuple[Change, ...]]:
    """The changed document, and what each change has done to it.

    `earlier` is what the variants before this one in the stack have done, `known` the names of those that it
    extends. Raises Faulty with every change that cannot be made: missing-target, base-changed,
    variants-clash, locked, duplicate-id, unknown-key, unknown-word, wrong-shape.
    """
    faults = Faults()
    done: list[Change] = []
    for step in variant.steps:
        if len(faults) > MOST_FAULTS:
            break
        try:
            _refuse_locked(step, variant, earlier, known)
            _refuse_clash(step, variant, earlier, known)
            base, change = _carry_out(base, step, variant, earlier)
            done.append(change)
        except Faulty as error:
            faults.extend(error.diagnostics)
    faults.raise_if_any()
    return base, tuple(done)


def otherwise(base: Mapping, id: Text, changes: Iterable[Node]) -> Mapping:
    """A document in which an assumption is read the other way: changed as by a variant that says neither why nor what
    was there, for it stands in the same ruleset. Raises Faulty like `apply_variant`."""
    for change in changes:
        said = mapping_of(change, "a change such as `{at: .., set: {..}}`")
        why = Text("why", said.span, True, said.span), Text(id.value, said.span, True, said.span)
        step = _step(Text("else", id.span, True, id.span), Mapping((*said.entries, why), said.span))
        keys = find(base, step.target) if step.verb != "add" else None
        found = entry_at(base, keys) if keys else None
        was = opened(step.target, found[1], columns_of(base, keys)) if found and keys else None
        variant = Variant("else", "", "", id, frozenset(), (replace(step, was=was),), id)
        base = apply_variant(base, variant)[0]
    return base


def _refuse_locked(step: Step, variant: Variant, earlier: tuple[Change, ...], known: Collection[str]) -> None:
    """A lock holds against all variants, above it and below, but for those that it stands on."""
    for change in earlier:
        below = step.verb == "lock" and change.verb != "lock" and change.variant not in known
        above = step.verb != "lock" and change.verb == "lock"
        if not (below or above) or not _overlap(step.target.ids, step.verb, change.ids, change.verb):
            continue
        place = (step.target.at.span, change.span)
        at, by = place if above else place[::-1]
        path, other = (step.target.path, change.variant) if above else (change.path, variant.name)
        changing = variant.name if above else change.variant
        raise Faulty.one(
            "locked",
            f"`{other}` has locked `{path}`, and `{changing}` changes it",
            at,
            labels=((by, f"`{other}` locks it here"),),
            help=f"leave out `{changing}`, or this change of it; where the change is agreed, let `{other}` extend it",
        )


def _refuse_clash(step: Step, variant: Variant, earlier: tuple[Change, ...], known: Collection[str]) -> None:
    for change in earlier:
        if "lock" in (step.verb, change.verb):
            continue
        if change.variant in known or change.variant in step.over or change.variant in variant.over:
            continue
        if _overlap(step.target.ids, step.verb, change.ids, change.verb):
            near = [over for over in sorted(step.over | variant.over) if suggest(over, [change.variant])]
            raise Faulty.one(
                "variants-clash",
                f"`{change.variant}` and `{variant.name}` both change `{step.target.path}`",
                step.target.at.span,
                labels=((change.span, f"`{change.variant}` changes it here"),),
                help=f"`over: {near[0]}` should be `over: {change.variant}`"
                if near
                else f"to let this one win, say `over: {change.variant}` in it; else leave one out",
            )


def _carry_out(base: Mapping, step: Step, variant: Variant, earlier: tuple[Change, ...]) -> tuple[Mapping, Change]:
    adds = step.verb == "add"
    keys = find(base, replace(step.target, heading="") if adds else step.target)
    found = entry_at(base, keys) if keys else None
    if adds:
        if found:
            raise Faulty.one(
                "duplicate-id",
                f"there is already a `{step.target.path}`",
                step.target.at.span,
                labels=((found[0].span, "here"),),
                help="`set` or `replace` it, or find a new id",
            )
        keys = (*room(base, step.target), step.target.ids[-1])
    if keys is None or not (found or adds):
        raise _missing(base, step, earlier)
    new = _new(base, step, keys, found, earlier)
    if step.verb == "lock":
        changed = base
    elif new is None:
        changed = drop(base, keys)
        if keys[0] == "counters":  # how players call it goes with it
            changed = drop(changed, (*keys[:2], "says", keys[-1]))
    else:
        entry = (Text(keys[-1], step.key.span, True, step.key.span), new)
        changed = put(base, keys, entry, **_neighbour(base, step, keys))
    return changed, Change(
        variant.name,
        step.id,
        step.verb,
        step.target.ids,
        step.why,
        found[1] if found else None,
        new,
        step.key.span.to(step.span),
    )


def _missing(base: Mapping, step: Step, earlier: tuple[Change, ...]) -> Faulty:
    for change in earlier:
        if change.verb == "remove" and step.target.ids[: len(change.ids)] == change.ids:
            return Faulty.one(
                "missing-target",
                f"`{change.variant}` has removed `{change.path}`",
                step.target.at.span,
                labels=((change.span, "here"),),
                help="`add` what is wanted instead, or leave one of the variants out",
            )
    return missing(base, step.target)


def _neighbour(base: Mapping, step: Step, keys: Keys) -> dict[str, str]:
    if step.beside is None:
        return {}
    each, name = step.beside
    around = entry_at(base, keys[:-1]) if keys[:-1] else None
    names = around[1].keys() if around and isinstance(around[1], Mapping) else ()
    if name.value not in names:
        raise Faulty.one(
            "missing-target",
            f"nothing beside `{step.target.path}` is called `{name.value}`",
            name.span,
            help=suggest(name.value, names) or "there is " + ", ".join(names[:8]),
        )
    return {each: name.value}


def _new(base: Mapping, step: Step, keys: Keys, found: Entry | None, earlier: tuple[Change, ...]) -> Node | None:
    """What stands there after the change; nothing if it is removed."""
    if found is None or step.verb == "add":
        return step.value
    columns = columns_of(base, keys) if isinstance(found[1], Listing) else ()
    old = opened(step.target, found[1], columns)
    if step.verb == "set":
        wanted = mapping_of(step.value, "columns and their new values")
        if not isinstance(old, Mapping):
            raise Faulty.one(
                "wrong-shape",
                f"`{step.target.path}` has no columns",
                step.target.at.span,
                labels=((span_of(found), "it reads so"),),
                help="`replace` it",
            )
        _refuse_columns(step, wanted, old, columns)
        new: Node | None = with_columns(old, wanted, step.span, bool(columns))
    elif step.verb == "option":
        new = _with_default(step, found)
    elif step.verb == "lock":
        new = found[1]
    else:
        new = None if step.verb == "remove" else step.value
    if step.was is not None:
        _refuse_changed_base(step, found, columns, new, earlier)
    return new


def _refuse_columns(step: Step, wanted: Mapping, old: Mapping, columns: tuple[Text, ...]) -> None:
    faults = Faults()
    headings = HEADINGS.get(step.target.section, ()) if not step.target.row else ()
    for key, _ in wanted.entries:
        if columns and key.value not in old:
            faults.add(
                "unknown-key",
                f"`{step.target.path}` has no column `{key.value}`",
                key.span,
                help=suggest(key.value, old.keys()) or "the columns are " + ", ".join(old.keys()),
            )
        if key.value in headings:
            row = next(iter(rows_of(step.target.section, old)), key.value)
            faults.add(
                "wrong-shape",
                f"`{key.value}:` holds the rows of `{step.target.path}`",
                key.span,
                help=f"change rows one by one, `at: {step.target.path}.{row}`, or `replace` the chart",
            )
    faults.raise_if_any()


def _with_default(step: Step, found: Entry) -> Node:
    option, reading = found[1], step.value
    readings = option.get("readings") if isinstance(option, Mapping) else None
    names = [item.value for item in list_of(readings) if isinstance(item, Text)] if readings else []
    if not isinstance(option, Mapping) or not isinstance(reading, Text) or reading.value not in names:
        raise Faulty.one(
            "unknown-word",
            f"`{flow(reading)}` is not a reading of `{step.target.path}`",
            reading.span,
            labels=((found[0].span, "this option"),),
            help=suggest(flow(reading), names) or "one of " + ", ".join(names),
        )
    key = Text("default", step.verb_key.span, True, step.verb_key.span)
    return put(Mapping(option.entries, step.span), ("default",), (key, reading))


# ---- a base that has changed ------------------------------------------------------------------------------


def _refuse_changed_base(
    step: Step, found: Entry, columns: tuple[Text, ...], new: Node | None, earlier: tuple[Change, ...]
) -> None:
    """`was` is what the base says, or said before a variant that this one goes over."""
    was, part = step.was, step.verb == "set"
    if was is None:
        raise Bug("was is not None")
    before = [change.old for change in earlier if change.ids == step.target.ids and change.old]
    for node in (found[1], *before):
        if any(agrees(was, form, REMARKS, part=part) for form in forms(step.target, step.verb, node, columns)):
            return
    now = forms(step.target, step.verb, found[1], columns)[-1]
    if part and isinstance(was, Mapping) and isinstance(now, Mapping):
        now = Mapping(tuple(entry for entry in now.entries if entry[0].value in was), now.span)
    if step.verb in ("set", "option"):
        new = step.value
    would = f"would make it `{flow(new)}`" if new else "would remove it"
    labels: Labels = (
        (was.span, "expected when the variant was written"),
        (span_of(found), f"now `{flow(now)}`"),
        (step.value.span, f"the variant {would}"),
    )
    message = f"`{step.target.path}` says `{flow(now)}`; the variant expects `{flow(was)}` and {would}"
    raise Faulty.one(
        "base-changed", message, was.span, labels=labels, help=f"if the change still holds, write `was: {flow(now)}`"
    )
