"""What is wrong with an order of battle: with its words, with what a system fields for them, and with a fight that is
told in them.

What a system fields are pieces, and a piece shows that it does not fit only in a fight. So each file is tried: every
unit of every army against its like, with each word that can be said of it, on each ground and in each circumstance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from closecombat.checking.rehearsal import Stage, check_scene
from closecombat.checking.soundness import check_citations
from closecombat.reading.battle_files import Fielder, fielding_of, files_of, in_system, names_of, words_in
from closecombat.reading.battle_words import ARMY, CARRIED, CIRCUMSTANCE, GROUND, STATE, UNIT, Words
from closecombat.reading.fielding import Fielding
from closecombat.reading.fields import child
from closecombat.reading.model import Ruleset
from closecombat.reading.told_once import Told, field, read_told
from closecombat.reading.types import Word as WordType
from closecombat.text.faults import Faults, suggest
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.source import Span

MOST_NAMED = 6
TRIED = (UNIT, CARRIED, STATE, GROUND, CIRCUMSTANCE)
SIDES = ("red", "blue")


def check_words(document: Mapping, places: Sequence[Path], faults: Faults) -> None:
    """A file of words, laid over those that it stands beside."""
    words = words_in(places, faults)
    for node in child(document, "systems"), *(child(document, sort) for sort in TRIED):
        if isinstance(node, Mapping) and not node.entries:
            faults.add("wrong-shape", "nothing stands here", node.span, help="list words, or take it out")
    if not words.of(UNIT):
        help = "list them under `units:`"
        faults.add("missing-key", "no unit has a word", document.span.part(0, 1), help=help)


def check_fielding(document: Mapping, fielder: Fielder, places: Sequence[Path], stage: Stage, faults: Faults) -> None:
    """What a file fields for a system whose fights are held against `stage`; `places` are the folders of its words."""
    found = Faults()
    words = words_in(places, found)
    (name, _) = names_of(fielder.stack, fielder.near, fielder.at)[-1]
    if Path(document.span.source.name).name != f"{name}.yaml":
        faults.add(
            "unused-translation",
            f"what `{name}` fields is looked for in a file of its name, and not in this one",
            fielder.at,
            help=f"call the file `{name}.yaml`",
            severity="warning",
        )
        return
    fielding = fielding_of(words, files_of(fielder.stack, fielder.near, places[-1].parent, document.span), found)
    if fielding is None or found.has_errors:
        faults.extend(found.diagnostics)
        return
    missing = [word for word in words.of(*TRIED) if word not in fielding.words]
    if missing:
        listed = ", ".join(f"`{word}`" for word in missing[:MOST_NAMED])
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        key = document.entry("fields")
        found.add(
            "not-translated",
            f"nothing says what `{fielding.system}` fields for {listed}{more}",
            key[0].span if key else document.span.part(0, 1),
            help=f"write `{missing[0]}: ..` under `words:`, with `no-such-rule:` if there is none, or "
            "`no-such-fight:` if no fight with it can be told",
            severity="warning",
        )
    _check_names(fielding, stage.bound.ruleset, found)
    for key_ in ("cites", "no-such-fight"):
        check_citations(stage.bound.ruleset, document, found, key_)
    seen: set[tuple[str, Span | None]] = set()
    for told in _tried(words, fielding, document.span):
        trial = Faults()
        fielded = field(told, fielding, trial)
        if fielded.none is None:
            check_scene(stage, fielded.document, trial)
        for fault in trial.diagnostics:
            if (fault.code, fault.span) not in seen:
                seen.add((fault.code, fault.span))
                found.extend((fault,))
    faults.extend(found.diagnostics)


def _check_names(fielding: Fielding, ruleset: Ruleset, faults: Faults) -> None:
    """What a concept is called in the rules: the name that rows say, of a fact, a word, a chart; or a path."""
    facts = [fact for kind in ruleset.kinds.values() for fact in kind.facts.values()]
    known = {fact.name for fact in facts} | {word for words in ruleset.words.values() for word in words}
    known |= {word for fact in facts if isinstance(fact.type, WordType) for word in fact.type.words}
    for name, table in ruleset.tables.items():
        known |= {name, f"tables.{name}", *(f"tables.{name}.{row.id}" for row in table.rows)}
    known |= {each for name in ruleset.grids for each in (name, f"tables.{name}")} | ruleset.groups.keys()
    for name, sequence in ruleset.sequences.items():
        known |= {f"sequences.{name}", *(f"sequences.{name}.{act.id}" for act in sequence.acts)}
    for names in fielding.concepts.values():
        for one in names:
            if one.name not in known:
                help = suggest(one.name, known) or "name a fact, a word of a list, or a chart or row: `tables.NAME.ROW`"
                message = f"nothing in `{ruleset.name}` is called `{one.name}`"
                faults.add("unknown-name", message, one.place, help=help)


def _tried(words: Words, fielding: Fielding, span: Span) -> Iterator[Told]:
    """Fights in which every word that is fielded comes up."""
    armies = words.of(ARMY) or ("",)
    units = [word for word in words.of(UNIT) if word in fielding.words]
    said = [word for word in words.of(STATE, CARRIED) if word in fielding.words]
    for army in armies:
        for unit in units:
            for word in ("", *said):
                yield from _fight(words, f"{army} {unit} {word}", f"{army} {units[0]}", {}, span)
            yield from _fight(words, f"2 {army} {units[0]}, {unit}", f"2 {army} {unit}, {units[0]}", {}, span)
        for place in [word for word in words.of(GROUND) if word in fielding.words]:
            yield from _fight(words, f"{army} {units[0]}", f"{army} {units[0]}", {"ground": place}, span)
        for state in [word for word in words.of(CIRCUMSTANCE) if word in fielding.words]:
            for unit in units:
                yield from _fight(words, f"{army} {unit}", f"{army} {unit}", {"state": state}, span)


def _fight(words: Words, red: str, blue: str, rest: dict[str, str], span: Span) -> Iterator[Told]:
    def text(value: str) -> Text:
        return Text(value, span, False, span)

    forces = Mapping(tuple((text(side), text(force)) for side, force in zip(SIDES, (red, blue), strict=True)), span)
    entries: list[tuple[Text, Node]] = [(text("forces"), forces)]
    entries += [(text(key), text(value)) for key, value in rest.items()]
    told = read_told(words, Mapping(tuple(entries), span), Faults())
    if told is not None:
        yield told


def check_told_once(
    told: Told, fielder: Fielder, near: Path | None, own: Mapping | None, stage: Stage, faults: Faults
) -> None:
    """A fight told once, as one system sees it, with what is told of that system itself."""
    found = in_system(told, fielder, near, own, faults)
    if found.document is not None:
        check_scene(stage, found.document, faults)
    for one in found.untold:
        if one.is_missing:
            faults.add(
                "not-translated",
                f"`{fielder.name}` fields nothing for `{one.word}`: {one.why}",
                told.place_of(one.word),
                help=f"say it in its file in `order-of-battle/`, or under `systems: {{{fielder.name}: ..}}`",
                severity="warning",
            )
