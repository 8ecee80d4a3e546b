"""Files that describe a fight: situations, examples and engagements, and the ruleset each is played by.

What stands under `situation:` is read by `reading/situation`, once the ruleset is there; rulesets are found by
`reading/stack`.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingType
from dataclasses import replace
from pathlib import Path

from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing.fight import Fight, fight
from closecombat.reading.engagement import read_gives
from closecombat.reading.fields import Fields, list_of, mapping_of, text_of
from closecombat.reading.stack import as_mapping, shipped
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Mapping, Node
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

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
EXAMPLE_KEYS = ("example", "exercises", "expect", "chances", "cites")
SYSTEM_KEYS = ("situation", "ruleset", "choices", "options", "because", "dice", "note")


@dataclass(frozen=True, slots=True)
class Scene:
    """A fight before it meets a ruleset. `ruleset` is the one it names for itself, or nothing; `near` the
    folder that its relative paths count from."""

    name: str
    document: Mapping
    ruleset: str
    place: Span
    near: Path | None

    @property
    def dice(self) -> Node | None:
        return self.document.get("dice")


@dataclass(frozen=True, slots=True)
class NoSuchFight:
    """A system that has no such fight: the clause that says so, and why."""

    clause: str
    why: str


@dataclass(frozen=True, slots=True)
class System:
    """One fight under one system: how it is told there, and why so."""

    name: str
    scene: Scene | NoSuchFight
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Engagement:
    """The same fight as several systems see it; `gives` says of parts of the story what each makes of them."""

    name: str
    title: str
    story: str
    systems: MappingType[str, System]
    gives: MappingType[str, MappingType[str, str]]
    span: Span


def read_scene(name: str) -> Scene | Engagement:
    """The fight that a path, `-`, `FILE#EXAMPLE` or the name of a shipped engagement means.

    Raises Faulty with everything wrong with the file, apart from what only a ruleset can tell.
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
                help=suggest(path, known) or "shipped: " + (", ".join(known) or "none"),
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
    if "systems" in document:
        return read_engagement(document, near)
    if "examples" in document:
        return _one_of(document, example, near, path)
    id = document.get("example")
    if example and (id is None or text_of(id, "a name") != example):
        raise Faulty.one("unknown-name", f"`{path}` holds no example `{example}`", document.span.part(0, 1))
    return _scene(document, near, path)


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


def read_engagement(document: Mapping, near: Path | None) -> Engagement:
    faults = Faults()
    fields = Fields(document, "an engagement", faults)
    name, title, story = fields.text("engagement"), fields.text("title"), fields.text("story")
    for key in ("about", "note"):
        fields.get(key)
    systems: dict[str, System] = {}
    for system, node in mapping_of(fields.need("systems"), "a system's fight").entries:
        try:
            told = mapping_of(node, f"the fight in {system.value}")
            systems[system.value] = _system(system.value, system.span, told, near, faults)
        except Faulty as error:
            faults.extend(error.diagnostics)
    playable = [name for name, one in systems.items() if isinstance(one.scene, Scene)]
    gives = read_gives(fields.get("gives"), playable, faults)
    fields.done()
    faults.raise_if_any()
    return Engagement(name, title or name, story, systems, gives, document.span)


def _system(name: str, place: Span, node: Mapping, near: Path | None, faults: Faults) -> System:
    fields = Fields(node, f"the fight in `{name}`", faults)
    clause = fields.get("no-such-fight")
    if clause is not None:
        none = NoSuchFight(text_of(clause, "a clause"), fields.text("why"))
        fields.done()
        return System(name, none, ())
    for key in SYSTEM_KEYS:
        fields.get(key)
    fields.need("situation")
    fields.done()
    return System(name, Scene(name, node, fields.text("ruleset", name), place, near), fields.texts("because"))


# ---- meeting a ruleset ------------------------------------------------------------------------------------


def single(found: Scene | Engagement, stack: str) -> Scene:
    """The one fight to look at: an engagement needs a system to be chosen by its name."""
    if isinstance(found, Scene):
        return found
    playable = {name: one.scene for name, one in found.systems.items() if isinstance(one.scene, Scene)}
    if not stack:
        if len(playable) == 1:
            return replace(next(iter(playable.values())), name=found.name)
        raise Faulty.one(
            "unknown-ruleset",
            f"`{found.name}` is told for several systems",
            found.span.part(0, 1),
            help="choose one: " + ", ".join(f"-r {name}" for name in playable),
        )
    base = stack.split("+")[0].strip()
    if base not in found.systems:
        base = load(stack).ruleset.name
    one = found.systems.get(base)
    if one is None:
        raise Faulty.one(
            "unknown-ruleset",
            f"`{found.name}` is not told for `{base}`",
            found.span.part(0, 1),
            help=suggest(base, found.systems) or "it is for " + ", ".join(found.systems),
        )
    if isinstance(one.scene, NoSuchFight):
        raise Faulty.one(
            "unknown-ruleset",
            f"`{base}` has no such fight: {one.scene.why} ({one.scene.clause})",
            found.span.part(0, 1),
            help="choose one: " + ", ".join(playable),
        )
    return replace(one.scene, name=found.name)


def ruleset_of(scene: Scene, stack: str = "") -> Bound:
    """The ruleset that a fight is played by: the one asked for, else the one it names."""
    if stack:
        return load(stack)
    if not scene.ruleset:
        raise Faulty.one(
            "unknown-ruleset",
            "nothing says by which ruleset",
            scene.place.part(0, 1),
            help="add -r asl, or whichever it is; or write `ruleset:` into the file",
        )
    named = scene.document.get("ruleset")
    return load(scene.ruleset, scene.near, named.span if named is not None else scene.place)


def staged(scene: Scene, bound: Bound, options: Iterable[str] = ()) -> Fight:
    """The fight by that ruleset, with readings chosen as `name=reading`."""
    ready = fight(bound, scene.document)
    return replace(ready, options={**ready.options, **chosen(bound, options)})


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
