"""Files that describe a fight: situations, examples and engagements, and the ruleset each is played by.

What stands under `situation:` is read by `reading/situation`, once the ruleset is there; rulesets are found by
`reading/stack`. An engagement that is told once, in the words of the order of battle, becomes here what it would be if
it had been told for each system by hand (`reading/told_once`); nobody else knows the one from the other.

Reading one needs no ruleset, and a question that was asked before (`remembered`) comes without: so what binds and plays
is imported only where a fight meets its ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from closecombat.reading.battle_files import Fielder, fielders, files_of, in_system, words_for
from closecombat.reading.engagement import read_gives
from closecombat.reading.fields import Fields, child, list_of, mapping_of, text_of
from closecombat.reading.stack import FIGHT, Lineup, as_mapping, line_up, meant, shipped
from closecombat.reading.told_once import ONCE, Told, Untold, is_told_once, read_told
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Bug, Faults, Faulty, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

if TYPE_CHECKING:
    from closecombat.binding.charts import Bound
    from closecombat.playing.fight import Fight
    from closecombat.reading.model import Clause

SITUATION_KEYS = (
    "situation",
    "ruleset",
    "title",
    "about",
    "story",
    "note",
    "options",
    "choices",
    "combats",
    "dice",
    "language",
)
IN_WORDS = "a fight in words has two forces, each in quotes; `closecombat list words` says of what they are made"
SIDE = re.compile(r"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\s*:\s*(.+)", re.DOTALL)
EXAMPLE_KEYS = ("example", "exercises", "expect", "chances", "cites", "shown")
SYSTEM_KEYS = ("situation", "ruleset", "choices", "options", "because", "dice", "note")


@dataclass(frozen=True, slots=True)
class Scene:
    """A fight before it meets a ruleset. `ruleset` is the one it names for itself, or nothing; `near` the
    folder that its relative paths count from; `untold` are words of an order of battle that this system has no rule
    for."""

    name: str
    document: Mapping
    ruleset: str
    place: Span
    near: Path | None
    fielded: frozenset[Source] = frozenset()  # the files of an order of battle, whose answers are for whoever is asked
    untold: tuple[Untold, ...] = ()

    @property
    def dice(self) -> Node | None:
        return self.document.get("dice")


@dataclass(frozen=True, slots=True)
class NoSuchFight:
    """A system that has no such fight: the clause that says so, and why."""

    clause: str
    why: str

    @property
    def said(self) -> str:
        return f"{self.why} ({self.clause})" if self.clause else self.why


@dataclass(frozen=True, slots=True)
class System:
    """One fight under one system: how it is told there, and why so."""

    name: str
    scene: Scene | NoSuchFight
    because: tuple[str, ...]
    worth: MappingType[str, str]  # of each word that the fight is told in


Telling: TypeAlias = Callable[[Faults], System]  # tells a fight as a system sees it, and what is wrong with that


class Systems(MappingType[str, System]):
    """The systems of an engagement. Of those of whom nobody asks it is known that they are there; it is told what they
    make of it when somebody does, who then meets what is wrong with it."""

    def __init__(self, told: MappingType[str, System], untold: MappingType[str, Telling]) -> None:
        self._names = tuple(untold)
        self._told, self._untold = dict(told), untold

    def __getitem__(self, name: str) -> System:
        if name not in self._told:
            faults = Faults()
            found = self._untold[name](faults)
            faults.raise_if_any()
            self._told[name] = found
        return self._told[name]

    def __contains__(self, name: object) -> bool:
        return name in self._untold

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class Engagement:
    """The same fight as several systems see it; `gives` says of parts of the story what each makes of them. What is
    told `once` can be told for any other system too."""

    name: str
    title: str
    story: str
    systems: MappingType[str, System]
    gives: MappingType[str, MappingType[str, str]]
    document: Mapping
    near: Path | None
    once: Told | None = None
    fielders: tuple[Fielder, ...] = ()  # of whom it is told once

    @property
    def span(self) -> Span:
        return self.document.span


def read_scene(name: str, stack: str = "") -> Scene | Engagement:
    """The fight that a path, `-`, `FILE#EXAMPLE` or the name of a shipped engagement means.

    Raises Faulty with everything wrong with the file, apart from what only a ruleset can tell; if it is asked for one
    `stack`, also apart from what only other systems make of it.
    """
    path, _, example = name.partition("#")
    file: str | Path = path
    near = None if path == "-" else Path(path).parent
    if path != "-" and not _is_path(path):
        known = shipped("engagements")
        if path in known:
            file, near = known[path], None
        elif not Path(path).exists():
            raise Faulty.one(
                "file-not-found",
                f"`{path}` is neither a file nor a shipped engagement",
                None,
                help=meant(path, FIGHT)
                or suggest(path, known)
                or (IN_WORDS if " " in path.strip() else "shipped: " + (", ".join(known) or "none")),
            )
    elif path != "-" and Path(path).is_dir():
        raise Faulty.one(
            "not-a-file", f"`{path}` is a folder, and a situation is wanted", None, help="name a file in it"
        )
    document = as_mapping(parse(read_source(file)))
    if "sweep" in document:
        help = f"`closecombat sweep {name}` says what it asks for, and `--row 1` prints the first of its fights"
        raise Faulty.one(
            "wrong-shape", "this is the plan of a sweep, and no fight", document.span.part(0, 1), help=help
        )
    if is_engagement(document):
        return read_engagement(document, near, stack)
    if "examples" in document:
        return _one_of(document, example, near, path)
    id = document.get("example")
    if example and (id is None or text_of(id, "a name") != example):
        raise Faulty.one("unknown-name", f"`{path}` holds no example `{example}`", document.span.part(0, 1))
    return _scene(document, near, path)


def told_in_words(first: str, second: str, ground: str, state: str) -> str:
    """The file of an engagement that is told by two forces, each perhaps with the name of its side before a colon."""
    forces: list[tuple[str, str]] = []
    for force, side in ((first, "attacker"), (second, "defender")):
        named = SIDE.fullmatch(force.strip())
        forces.append((named[1], named[2]) if named else (side, force.strip()))
    if forces[0][0] == forces[1][0]:
        raise Faulty.one(
            "duplicate-id", f"both sides are called `{forces[0][0]}`", None, help="give each a name of its own"
        )
    title = " against ".join(f"{side}: {force}" for side, force in forces)
    lines = [f"engagement: {forces[0][0]}-against-{forces[1][0]}", f"title: {quoted(title)}", "", "forces:"]
    lines += [f"  {side}: {quoted(force)}" for side, force in forces]
    lines += [f"{key}: {quoted(said)}" for key, said in (("ground", ground), ("state", state)) if said]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    return "'" + " ".join(text.split()).replace("'", "''") + "'"


def scene_in_words(text: str, stack: str = "") -> Engagement:
    """The engagement of such a file, told at the command line."""
    return read_engagement(as_mapping(parse(Source("<command line>", text))), None, stack)


def is_engagement(document: Mapping) -> bool:
    return "systems" in document or is_told_once(document)


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith((*YAML, ".json")) or name in (".", "..")


def _one_of(document: Mapping, wanted: str, near: Path | None, path: str) -> Scene:
    """The example of a file that is meant."""
    named: dict[str, Mapping] = {}
    for item in list_of(document.get("examples") or document):
        example = as_mapping(item)
        name = example.get("example")
        named["" if name is None else text_of(name, "the name of an example")] = example
    if not wanted and len(named) == 1:
        wanted = next(iter(named))
    if wanted not in named:
        said = f"`{path}` holds no example `{wanted}`" if wanted else f"`{path}` holds {len(named)} examples"
        raise Faulty.one(
            "unknown-name",
            said,
            None,
            help=suggest(wanted, named) or f"say which, as `{path}#{next(iter(named), 'NAME')}`",
        )
    scene = _scene(named[wanted], near, path)
    ruleset = document.get("ruleset")
    return scene if scene.ruleset or ruleset is None else replace(scene, ruleset=text_of(ruleset, "a ruleset"))


def _scene(document: Mapping, near: Path | None, path: str) -> Scene:
    faults = Faults()
    fields = Fields(document, "a situation", faults)
    for key in (*SITUATION_KEYS, *(EXAMPLE_KEYS if "example" in document else ())):
        fields.get(key)
    if "situation" not in document:
        help = "the things that fight stand under `situation:`"
        if ("ruleset" in document and "kinds" in document) or "variant" in document:
            help = "this is a ruleset or a variant: name a situation, and the ruleset with -r"
        faults.add("missing-key", "a situation needs `situation:`", document.span.part(0, 1), help=help)
    else:
        fields.done()
    faults.raise_if_any()
    name = fields.text("example") or fields.text("title") or Path(path).stem
    return Scene(name, document, fields.text("ruleset") or beside(near), document.span, near)


def beside(near: Path | None) -> str:
    """The ruleset that an example belongs to: the folder above `examples/`, if that is one."""
    if near is None or near.absolute().name != "examples":
        return ""
    return ".." if (near.absolute().parent / "ruleset.yaml").is_file() else ""


# ---- engagements ------------------------------------------------------------------------------------------


def read_engagement(document: Mapping, near: Path | None, stack: str = "") -> Engagement:
    """The same fight under all its systems; if it is asked for one `stack`, what others make of it of whom the file
    itself says nothing is left until somebody asks."""
    faults = Faults()
    fields = Fields(document, "an engagement", faults)
    name, title, story = fields.text("engagement"), fields.text("title"), fields.text("story")
    for key in ("about", "note", *ONCE):
        fields.get(key)
    once = None
    if is_told_once(document):
        once = read_told(words_for(near, faults), document, faults)
        named = fields.get("systems")
        known = {each.name: each for each in fielders(near, faults)} if once is not None else {}
    else:
        named, known = fields.need("systems"), {}
    own = {key.value: (key.span, node) for key, node in mapping_of(named, "a system's fight").entries} if named else {}
    tellings: dict[str, Telling] = {}
    for system in (*known, *(each for each in own if each not in known)):
        span, node = own.get(system, (document.span.part(0, 1), None))
        try:
            told = mapping_of(node, f"the fight in {system}") if node is not None else None
            if once is not None:
                fielder = known.get(system) or Fielder(system, system, near, span)
                tellings[system] = partial(_fielded, once, fielder, near, told)
            elif told is not None:
                tellings[system] = partial(_system, system, span, told, near)
        except Faulty as error:
            faults.extend(error.diagnostics)
    gives, base = fields.get("gives"), stack.split("+")[0].strip()
    alone = base in tellings and gives is None
    found: dict[str, System] = {}
    for system, telling in tellings.items():
        if not alone or system == base or system in own:
            try:
                found[system] = telling(faults)
            except Faulty as error:
                faults.extend(error.diagnostics)
    given = read_gives(gives, [name for name, one in found.items() if isinstance(one.scene, Scene)], faults)
    fields.done()
    faults.raise_if_any()
    systems = Systems(found, tellings)
    return Engagement(name, title or name, story, systems, given, document, near, once, tuple(known.values()))


def _system(name: str, place: Span, node: Mapping, near: Path | None, faults: Faults) -> System:
    """A fight that is told for a system by hand."""
    fields = Fields(node, f"the fight in `{name}`", faults)
    if (none := _none(fields)) is not None:
        return System(name, none, (), {})
    for key in SYSTEM_KEYS:
        fields.get(key)
    fields.need("situation")
    fields.done()
    return System(name, Scene(name, node, fields.text("ruleset", name), place, near), fields.texts("because"), {})


def _none(fields: Fields) -> NoSuchFight | None:
    clause = fields.get("no-such-fight")
    if clause is None:
        return None
    none = NoSuchFight(text_of(clause, "a clause"), fields.text("why"))
    fields.done()
    return none


def _fielded(once: Told, system: Fielder, beside: Path | None, own: Mapping | None, faults: Faults) -> System:
    """A fight told once as a system sees it, with what is told `own` of that system; `beside` is the fight's folder."""
    name = system.name
    because: tuple[str, ...] = ()
    if own is not None:
        fields = Fields(own, f"the fight in `{name}`", faults)
        if (none := _none(fields)) is not None:
            return System(name, none, (), {})
        for key in SYSTEM_KEYS:
            fields.get(key)
        because = fields.texts("because")
        fields.done()
    told = in_system(once, system, beside, own, faults)
    if told.document is None:
        return System(name, NoSuchFight(*(told.none or ("", ""))), (), told.worth)
    place = own.span if own is not None else once.span.part(0, 1)
    scene = Scene(name, told.document, system.stack, place, system.near, told.files, told.untold)
    return System(name, scene, (*because, *told.because), told.worth)


def told_for(engagement: Engagement, stack: str) -> System | None:
    """How an engagement is told for a stack; nothing if it is not. What is told once is told for any stack that fields
    something, and anew for a variant that fields something else."""
    base, once = base_of(engagement, stack), engagement.once
    known = engagement.systems.get(base)
    if once is None or (known is not None and stack == base):
        return known
    files = files_of(stack, None, engagement.near)
    fielder = next((one for one in engagement.fielders if one.name == base), None)
    if (
        known is not None
        and fielder is not None
        and files == files_of(fielder.stack, fielder.near, engagement.near, fielder.at)
    ):
        return known
    found = told_so(engagement, once, stack)
    return found if files or _own(engagement, base) is not None else None


def base_of(engagement: Engagement, stack: str) -> str:
    """The system of an engagement that a stack is one of."""
    base = stack.split("+")[0].strip()
    if base in engagement.systems:
        return base
    from closecombat.binding.load import load

    return load(stack).ruleset.name


def _own(engagement: Engagement, system: str) -> Mapping | None:
    """What an engagement says of a system itself."""
    own = child(engagement.document.get("systems"), system)
    return mapping_of(own, f"the fight in {system}") if own is not None else None


def told_so(engagement: Engagement, once: Told, stack: str, with_own: bool = True) -> System:
    """An engagement as a stack sees it, if it were told so; perhaps without what it says of that system itself. Raises
    Faulty if it does not hold together."""
    faults, base = Faults(), base_of(engagement, stack)
    named = next((one for one in engagement.fielders if one.name == stack), None)
    fielder = named or Fielder(base, stack, engagement.near if stack in engagement.systems else None)
    found = _fielded(once, fielder, engagement.near, _own(engagement, base) if with_own else None, faults)
    faults.raise_if_any()
    return found


def told_anew(
    engagement: Engagement, document: Mapping, system: str, stack: str, near: Path | None
) -> Scene | NoSuchFight:
    """An engagement that is told once as a system sees it, when its document says something else."""
    faults = Faults()
    if engagement.once is None:
        raise Bug("this is not told once")
    once = read_told(engagement.once.words, document, faults)
    faults.raise_if_any()
    if once is None:
        raise Bug("nothing was read, and nothing was wrong")
    own = child(document.get("systems"), system)
    told = mapping_of(own, f"the fight in {system}") if own is not None else None
    found = _fielded(once, Fielder(system, stack, near), engagement.near, told, faults)
    faults.raise_if_any()
    return found.scene if isinstance(found.scene, NoSuchFight) else replace(found.scene, name=engagement.name)


# ---- meeting a ruleset ------------------------------------------------------------------------------------


def single(found: Scene | Engagement, stack: str) -> Scene:
    """The one fight to look at: an engagement needs a system to be chosen by its name."""
    if isinstance(found, Scene):
        return found
    if not stack:
        playable = _playable(found)
        if len(playable) == 1:
            return replace(next(iter(playable.values())), name=found.name)
        raise Faulty.one(
            "unknown-ruleset",
            f"`{found.name}` is told for several systems",
            found.span.part(0, 1),
            help="choose one: " + ", ".join(f"-r {name}" for name in playable),
        )
    one = told_for(found, stack)
    if one is None:
        near = suggest(stack, found.systems) or "it is for " + ", ".join(found.systems)
        help = near if found.once is None else f"{near}; for another say what it fields, order-of-battle/NAME.yaml"
        raise Faulty.one(
            "unknown-ruleset", f"`{found.name}` is not told for `{stack}`", found.span.part(0, 1), help=help
        )
    if isinstance(one.scene, NoSuchFight):
        raise Faulty.one(
            "unknown-ruleset",
            f"`{one.name}` has no such fight: {one.scene.said}",
            found.span.part(0, 1),
            help="choose one: " + ", ".join(_playable(found)),
        )
    return replace(one.scene, name=found.name)


def _playable(engagement: Engagement) -> dict[str, Scene]:
    """The systems that have the fight."""
    return {name: one.scene for name, one in engagement.systems.items() if isinstance(one.scene, Scene)}


def ruleset_of(scene: Scene, stack: str = "") -> Bound:
    """The ruleset that a fight is played by: the one asked for, else the one it names."""
    from closecombat.binding.load import load

    if stack:
        return load(stack)
    if not scene.ruleset:
        raise Faulty.one(
            "unknown-ruleset",
            "nothing says by which ruleset",
            scene.place.part(0, 1),
            help="add -r asl, or whichever it is; or write `ruleset:` into the file",
        )
    return load(scene.ruleset, scene.near, _names_its_ruleset(scene))


def _names_its_ruleset(scene: Scene) -> Span:
    """Where a fight does."""
    named = scene.document.get("ruleset")
    return named.span if named is not None else scene.place


def lineup_of(scene: Scene, stack: str = "") -> Lineup:
    """The same ruleset as it is written."""
    return line_up(stack, None) if stack else line_up(scene.ruleset, scene.near, _names_its_ruleset(scene))


def staged(scene: Scene, bound: Bound, options: Iterable[str] = ()) -> Fight:
    """The fight by that ruleset, with readings chosen as `name=reading`."""
    from closecombat.playing.answers import Declared
    from closecombat.playing.fight import fight

    ready = fight(bound, scene.document)
    heard = {one for one, node in Declared(ready.choices).written() if node.span.source in scene.fielded}
    remarks = tuple(one.said for one in scene.untold)
    return replace(ready, options={**ready.options, **chosen(bound, options)}, heard=heard, remarks=remarks)


def heard_alone(scene: Scene, bound: Bound) -> Mapping:
    """A fight as somebody would have written it by hand: without the answers of an order of battle for which nobody
    asks here."""
    from closecombat.playing.fight import fight, never_heard

    choices = scene.document.get("choices")
    if not scene.fielded or not isinstance(choices, Mapping):
        return scene.document
    vain = {(row, who) for row, who, _ in never_heard(fight(bound, scene.document))}
    rows: list[tuple[Text, Node]] = []
    for row, line in choices.entries:
        told = mapping_of(line, "who chooses what")
        kept = tuple(
            (who, answer)
            for who, answer in told.entries
            if (row.value, who.value) not in vain or answer.span.source not in scene.fielded
        )
        if kept:
            rows.append((row, Mapping(kept, line.span)))
    said = (key for key in scene.document.entries if key[0].value != "choices")
    return Mapping(
        (*said, (Text("choices", choices.span, True, choices.span), Mapping(tuple(rows), choices.span))),
        scene.document.span,
    )


def chosen(bound: Bound, options: Iterable[str]) -> dict[str, str]:
    """Options from the command line, held against those of the ruleset."""
    faults, out = Faults(), dict[str, str]()
    for text in options:
        name, sign, reading = (part.strip() for part in text.partition("="))
        option = bound.ruleset.options.get(name)
        if not sign:
            faults.add("wrong-shape", f"`{text}` is not an option and its reading", None, help="write name=reading")
        elif option is None:
            faults.add(
                "unknown-option",
                f"`{bound.ruleset.name}` has no option `{name}`",
                None,
                help=suggest(name, bound.ruleset.options) or "it has " + (", ".join(bound.ruleset.options) or "none"),
            )
        elif reading not in option.readings:
            faults.add(
                "unknown-word",
                f"`{reading}` is not a reading of `{name}`",
                None,
                help=suggest(reading, option.readings) or "one of " + ", ".join(option.readings),
            )
        else:
            out[name] = reading
    faults.raise_if_any()
    return out


def clauses_of(scene: Scene, stack: str = "") -> MappingType[str, Clause]:
    """The rulebook's clauses of the same ruleset, which no playing asks for."""
    from closecombat.binding.load import loaded

    return loaded(replace(lineup_of(scene, stack), whole=True).put_together()).ruleset.clauses
