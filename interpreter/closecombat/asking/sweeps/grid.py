"""A plan met with its fights: every situation that it asks for, by number, and whether it holds together.

The rows of a grid are numbered from 1: fight by fight, in each system by system, and what varies last in the plan
changes fastest. Which situation a number means, and how it is told to the program, is decided here and nowhere else,
so that any process can make any row by itself. What comes of a row is `sweep`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from dataclasses import replace
from hashlib import sha256
from math import prod
from pathlib import Path

from closecombat import __version__
from closecombat.asking.exact.chances import scale
from closecombat.asking.exact.questions import one_value
from closecombat.asking.fights.fight_files import (
    Engagement,
    NoSuchFight,
    Scene,
    read_scene,
    single,
    staged,
    told_anew,
    told_for,
)
from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.playing.fight import Fight, begin, sentence, verdicts_are_about
from closecombat.reading.battle_files import WORDS, files_of, folders
from closecombat.reading.fields import entries, whole, yes_no
from closecombat.reading.model import Kind, Ruleset
from closecombat.reading.phrases import listed
from closecombat.reading.plans import (
    ADD,
    BY_ENDS,
    CHOICE,
    FACT,
    FORCES,
    GROUND,
    IN_WORDS,
    LOSSES,
    LOST,
    NUMBER,
    OPTION,
    PLACE,
    STATE,
    VERDICTS,
    WITH,
    Axis,
    Change,
    Plan,
    Setting,
    read_plan,
)
from closecombat.reading.sentences import parse
from closecombat.reading.situation import MOST_THINGS
from closecombat.reading.stack import as_mapping, line_up, shipped
from closecombat.reading.types import AThing, Flag, Number, Roll, Things, a
from closecombat.text.document import parse as parse_yaml
from closecombat.text.document import read_source
from closecombat.text.faults import Bug, Diagnostic, Faults, Faulty, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.project import refuse_outside
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_ROWS = 10**12
MOST_TRIED = 200  # settings of one axis
CHANCE, AMOUNT = "chance", "amount"
RESERVED = ("row", "plan", "fight", "system", "code", "message")  # columns that every row has


@dataclass(frozen=True, slots=True)
class Told:
    """A fight in one system: how it is called in the rows, the system's name in the plan, the rules that it is played
    by, and the folder that their paths count from."""

    fight: str
    called: str
    system: str
    scene: Scene | NoSuchFight
    stack: str
    near: Path | None
    place: Span
    engagement: Engagement | None = None  # one that is told once, and so can be told anew


@dataclass(frozen=True, slots=True)
class Column:
    """Something asked of every situation: a CHANCE, or a share, or an AMOUNT of something."""

    name: str
    sort: str


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Every situation of a plan. Two that have the same digest ask for the same rows."""

    plan: Plan
    near: Path | None
    told: tuple[Told, ...]
    columns: tuple[Column, ...]
    sides: tuple[str, ...]
    digest: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def rows(self) -> int:
        return len(self.told) * self.plan.settings

    def cell(self, number: int) -> Cell:
        """The situation of a row."""
        left, chosen = number - 1, list[Setting]()
        for axis in reversed(self.plan.axes):
            left, place = divmod(left, len(axis.settings))
            chosen.append(axis.settings[place])
        return Cell(number, self.told[left], tuple(reversed(chosen)))

    def group(self, number: int) -> int:
        """Which fight in which system a row is of."""
        return (number - 1) // self.plan.settings

    def groups(self) -> tuple[Group, ...]:
        return tuple(_group(self.plan, told) for told in self.told)


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one fight in one system. `alike` has for each axis the number of the first setting that says the same
    in this system, for each of its settings; -1 where there is no such fight."""

    alike: tuple[tuple[int, ...], ...]
    none: bool

    @property
    def distinct(self) -> int:
        """How many situations are not said alike, at most."""
        return 1 if self.none else prod(len(set(axis)) for axis in self.alike)

    def key(self, place: int) -> tuple[int, ...]:
        """The same for rows that say the same; `place` counts from 0."""
        if self.none:
            return (-1,)
        out: list[int] = []
        for axis in reversed(self.alike):
            place, setting = divmod(place, len(axis))
            out.append(axis[setting])
        return (-1,) if -1 in out else tuple(out)


def _group(plan: Plan, told: Told) -> Group:
    alike: list[tuple[int, ...]] = []
    for axis in plan.axes:
        first: dict[tuple[str, ...], int] = {}
        mine = []
        for place, setting in enumerate(axis.settings):
            changes = setting.in_system(told.system)
            mine.append(-1 if changes is None else first.setdefault(tuple(each.says for each in changes), place))
        alike.append(tuple(mine))
    return Group(tuple(alike), isinstance(told.scene, NoSuchFight) and not _may_be_told(plan, told))


def _may_be_told(plan: Plan, told: Told) -> bool:
    """Whether a fight that a system has not may become one that it has, when it is told in other words."""
    settings = (setting for axis in plan.axes for setting in axis.settings)
    return told.engagement is not None and any(
        change.sort in IN_WORDS for setting in settings for change in setting.in_system(told.system) or ()
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """One situation: whose it is, and the setting of each axis."""

    number: int
    told: Told
    settings: tuple[Setting, ...]

    @property
    def changes(self) -> tuple[Change, ...] | None:
        """What the settings change; None if the system has no such fight."""
        found = [setting.in_system(self.told.system) for setting in self.settings]
        if any(each is None for each in found):
            return None
        changes = tuple(change for each in found for change in each or ())
        is_told_anew = self.told.engagement is not None and any(change.sort in IN_WORDS for change in changes)
        return None if isinstance(self.told.scene, NoSuchFight) and not is_told_anew else changes


# ---- read -------------------------------------------------------------------------------------------------


def read_grid(name: str) -> Grid:
    """The grid of a plan: a file, or the name of a shipped one. Raises Faulty with everything wrong with it."""
    file, near = _file(name)
    source = read_source(file)
    document = as_mapping(parse_yaml(source))
    if "sweep" not in document:
        help = "a plan begins with `sweep:`; a fight is looked at with `chances`, or named under `fights:` in a plan"
        raise Faulty.one("missing-key", "this is no plan", document.span.part(0, 1), help=help)
    faults = Faults()
    plan = read_plan(document, faults)
    told = _told(plan, near, faults)
    faults.raise_if_any()
    if plan.settings * len(told) > MOST_ROWS:
        raise Faulty.one(
            "budget-exceeded",
            f"this plan asks for {plan.settings * len(told):,} situations",
            plan.span.part(0, 1),
            help=f"take something out that varies; more than {MOST_ROWS:,} are too many for any machine",
        )
    return _Checker(plan, near, told, faults).grid(source.text)


def faults_of(plan: str | Path) -> tuple[Diagnostic, ...]:
    """Everything wrong with the plan in a file, held against its fights."""
    try:
        read_grid(str(plan))
    except Faulty as error:
        return error.diagnostics
    return ()


def _file(name: str) -> tuple[str | Path, Path | None]:
    if name == "-":
        return "-", None
    known = shipped("sweeps")
    if "/" not in name and not name.endswith(YAML) and not Path(name).exists():
        if name not in known:
            raise Faulty.one(
                "file-not-found",
                f"`{name}` is neither a file nor a shipped plan",
                None,
                help=suggest(name, known) or "shipped: " + (", ".join(known) or "none"),
            )
        return known[name], known[name].parent
    return Path(name), Path(name).parent


def _told(plan: Plan, near: Path | None, faults: Faults) -> tuple[Told, ...]:
    """Every fight in every system, in the order of the plan."""
    out: list[Told] = []
    for name in plan.fights:
        scene = faults.attempt(_scene, name, near)
        if scene is None:
            continue
        if isinstance(scene, Scene):
            for system in plan.systems or (None,):
                stack = system.value.strip() if system else scene.ruleset
                if not stack:
                    help = "say them in the plan, `systems: [asl]`, or `ruleset: ..` in the fight"
                    faults.add(
                        "unknown-ruleset", f"nothing says by which rules `{scene.name}` is fought", name.span, help=help
                    )
                    continue
                out.append(_one(scene.name, stack, stack, scene, near if system else scene.near, (system or name).span))
        elif plan.systems:
            for system in plan.systems:
                one = faults.attempt(_in_system, scene, system)
                if one is not None:
                    stack = system.value.strip()
                    once = scene if scene.once is not None else None
                    out.append(Told(scene.name, stack, stack.split("+")[0], one, stack, near, system.span, once))
        else:
            for key, each in scene.systems.items():
                stack, place = (each.scene.ruleset, each.scene.near) if isinstance(each.scene, Scene) else (key, None)
                once = scene if scene.once is not None else None
                out.append(Told(scene.name, key, key, each.scene, stack, place, name.span, once))
    return tuple(out)


def _one(fight: str, called: str, stack: str, scene: Scene, near: Path | None, place: Span) -> Told:
    return Told(fight, called, stack.split("+")[0], scene, stack, near, place)


def _scene(name: Text, near: Path | None) -> Scene | Engagement:
    said = name.value.strip()
    path = said.partition("#")[0]
    beside = near is not None and ("/" in path or path.endswith(YAML)) and not Path(path).is_absolute()
    if path not in shipped("engagements") and ("/" in path or path.endswith(YAML) or Path(path).exists()):
        refuse_outside(path, near if beside else None, name.span)
    try:
        return read_scene(f"{(near or Path()).as_posix()}/{said}" if beside else said)
    except Faulty as error:
        raise _at(error, name.span) from None


def _in_system(engagement: Engagement, system: Text) -> Scene | NoSuchFight:
    try:
        one = told_for(engagement, system.value.strip())
        if one is not None and isinstance(one.scene, NoSuchFight):
            return one.scene
        return single(engagement, system.value.strip())
    except Faulty as error:
        raise _at(error, system.span) from None


def _at(error: Faulty, place: Span) -> Faulty:
    """A fault that has no place of its own, at the one that led to it."""
    return Faulty([each if each.span is not None else replace(each, span=place) for each in error.diagnostics])


# ---- checked before anything is asked ---------------------------------------------------------------------


class _Checker:
    """Holds a plan against its fights: each of its values is tried once in each system, with what else varies at its
    first value, and if that will not do at its last."""

    def __init__(self, plan: Plan, near: Path | None, told: tuple[Told, ...], faults: Faults) -> None:
        self.plan, self.near, self.told, self.faults = plan, near, told, faults
        self.rules = Rules(near)
        self.faulty: frozenset[tuple[str, Span | None, str]] = frozenset()

    def grid(self, text: str) -> Grid:
        self._systems()
        self.faults.raise_if_any()
        texts = [text]
        sides: dict[str, None] = {}
        words: dict[str, dict[str, None]] = {}
        has_ends, endless = False, list[str]()
        for told in self.told:
            texts += self._texts(told)
            fight = self._base(told)
            if fight is None:
                continue
            mine = [thing.name for thing in verdicts_are_about(begin(fight, None))]
            sides |= dict.fromkeys(mine)
            for side in mine:
                words.setdefault(side, {}).update(dict.fromkeys(scale(fight.bound.ruleset)))
            has_ends |= bool(fight.bound.ruleset.ends)
            if not fight.bound.ruleset.ends:
                endless.append(told.called)
            try:
                self._values(told)
                self.faults.raise_if_any()
            except Faulty as error:
                if len(self.told) == 1:
                    raise
                raise Faulty(
                    replace(each, message=f"{each.message} (by `{told.called}`)") for each in error.diagnostics
                ) from None
        self._ratio(sides)
        self._set_forces_against_each_other(tuple(sides), has_ends)
        columns = self._columns(tuple(sides), words, has_ends)
        if endless and not has_ends:
            self._without_ends(endless)
        self.faults.raise_if_any()
        digest = sha256(__version__.encode())
        for each in texts:
            digest.update(f"\n{len(each)}\n{each}".encode("utf-8", "surrogatepass"))
        return Grid(self.plan, self.near, self.told, columns, tuple(sides), digest.hexdigest()[:16])

    def _systems(self) -> None:
        """Whoever is told for one system by its name is told for each."""
        known = dict.fromkeys(told.system for told in self.told)
        playable = dict.fromkeys(told.system for told in self.told if isinstance(told.scene, Scene))
        for axis in self.plan.axes:
            for setting in axis.settings:
                for name in setting.systems:
                    if name.value.strip() not in known:
                        self.faults.add(
                            "unknown-name",
                            f"none of the fights is told for `{name.value}`",
                            name.span,
                            help=suggest(name.value, known)
                            or f"a fact of the fight is said as `{name.value} of fight`; told for " + ", ".join(known),
                        )
                missing = [name for name in playable if name not in setting.by_system]
                if setting.by_system and missing and not setting.by_system.keys() - known.keys():
                    self.faults.add(
                        "missing-key",
                        f"nothing says what `{setting.name}` is in {', '.join(missing)}",
                        setting.span,
                        help=f"write `{missing[0]}: nothing` if it changes nothing there, or `no-such-fight`",
                    )
        for question in self.plan.questions:
            for system in question.by_system:
                if system not in known:
                    self.faults.add("unknown-name", f"none of the fights is told for `{system}`", question.name.span)

    def _texts(self, told: Told) -> Iterator[str]:
        """What a row rests on beside the plan: the fight, and the rules with each of the variants that come in."""
        yield f"{told.fight} {told.called}"
        if told.engagement is not None:
            near = told.engagement.near
            yield told.engagement.span.source.text
            words = (folder / WORDS for folder in folders(near))
            for file in (*(file for file in words if file.is_file()), *files_of(told.stack, told.near, near)):
                yield read_source(file).text
        if isinstance(told.scene, NoSuchFight):
            return
        yield told.scene.document.span.source.text
        yield flow(told.scene.document)
        variants = [
            change
            for axis in self.plan.axes
            for setting in axis.settings
            for change in setting.in_system(told.system) or ()
            if change.sort == WITH
        ]
        stacks = {self.rules.with_variant(told.stack, each): each.span for each in variants}
        for stack, place in {**stacks, told.stack: told.place}.items():
            for source in line_up(stack, told.near, place).sources():
                yield source.text

    def _base(self, told: Told) -> Fight | None:
        """The fight as it is told, which must hold together by itself unless everything varies."""
        if isinstance(told.scene, NoSuchFight):
            return None
        return staged(told.scene, self.rules.of(told.stack, told.near, told.place))

    def _values(self, told: Told) -> None:
        axes = self.plan.axes
        if isinstance(told.scene, NoSuchFight) and not _may_be_told(self.plan, told):
            return
        first, last = tuple(a.settings[0] for a in axes), tuple(a.settings[-1] for a in axes)
        alone = self._wrong(told, first)
        foreign = [fault for fault in alone if not self._is_ours(fault, axes)]
        self.faults.extend(fault for fault in foreign if self._is_new(fault))
        for place, axis in enumerate(axes):
            for setting in _tried(axis):
                if not setting.in_system(told.system):
                    continue
                tried = [(*others[:place], setting, *others[place + 1 :]) for others in (first, last)]
                wrong: list[Diagnostic] = []
                for chosen in tried:
                    found = self._wrong(told, chosen)
                    own = [fault for fault in found if self._is_of(fault, setting)]
                    wrong = own or (wrong if found else [])  # what else is wrong may stand before it
                    if not wrong:
                        break
                self.faults.extend(fault for fault in wrong if self._is_new(fault))

    def _is_new(self, fault: Diagnostic) -> bool:
        """Whether a fault has not been told: every value of a place that is not there is at the same fault."""
        told = fault.code, fault.span, fault.message
        self.faulty, before = self.faulty | {told}, self.faulty
        return told not in before

    def _wrong(self, told: Told, settings: tuple[Setting, ...]) -> list[Diagnostic]:
        try:
            fight = self.rules.staged(Cell(0, told, settings))
            if fight is not None:
                begin(fight, None)
        except Faulty as error:
            return list(error.diagnostics)
        return []

    def _is_ours(self, fault: Diagnostic, axes: tuple[Axis, ...]) -> bool:
        return any(self._is_of(fault, setting) for axis in axes for setting in axis.settings)

    def _is_of(self, fault: Diagnostic, setting: Setting) -> bool:
        """Whether a fault lies in what a setting says."""
        spans = [
            part
            for changes in (setting.changes, *setting.by_system.values())
            for change in changes or ()
            for part in (change.span, change.value.span)
        ]
        return fault.span is not None and any(
            fault.span.source is span.source and span.start <= fault.span.start <= span.end for span in spans
        )

    def _ratio(self, sides: MappingType[str, None]) -> None:
        for side in self.plan.ratio or ():
            if side.value not in sides:
                self.faults.add(
                    "unknown-thing",
                    f"no side is called `{side.value}`",
                    side.span,
                    help=suggest(side.value, sides) or "the sides are " + ", ".join(sides),
                )

    def _set_forces_against_each_other(self, sides: tuple[str, ...], has_ends: bool) -> None:
        """Where forces vary and it is asked who holds the place, the ratio of the two sides is wanted though nobody
        says so: it is the curve of those rows, first of the side whose forces vary."""
        plan = self.plan
        place = PLACE in plan.ask or (has_ends and not plan.ask and not plan.questions)
        all = (change for axis in plan.axes for setting in axis.settings for change in _changes(setting))
        varied = next((change for change in all if change.sort == FORCES), None)
        if plan.ratio is not None or len(sides) != 2 or varied is None or not place or not has_ends:
            return
        one, other = reversed(sides) if varied.of == sides[1] else sides
        at = varied.span
        self.plan = replace(plan, ratio=(Text(one, at, True, at), Text(other, at, True, at)))

    def _without_ends(self, systems: list[str]) -> None:
        """What is asked that no system can tell: `ends:` say what becomes of whom, and who holds the place."""
        asked = [one for one in self.plan.ask if one in BY_ENDS] + ["ratio"] * (self.plan.ratio is not None)
        if asked:
            names, which = (listed([f"`{one}`" for one in those], "and") for those in (asked, dict.fromkeys(systems)))
            help = "ask for `verdicts` and `losses`, or write `ends:` into the ruleset"
            said = f"{names} {'is' if len(asked) == 1 else 'are'} told by `ends:`, and {which} has none"
            self.faults.add("missing-key", said, self.plan.span.part(0, 1), help=help)

    def _columns(
        self, sides: tuple[str, ...], words: MappingType[str, MappingType[str, None]], has_ends: bool
    ) -> tuple[Column, ...]:
        ask, questions = self.plan.ask, self.plan.questions
        if not ask and not questions:
            ask = (PLACE, LOST) if has_ends else (VERDICTS, LOSSES)
        out: list[Column] = []
        if BY_ENDS & set(ask) or self.plan.ratio:
            out += [Column(f"{side} came", AMOUNT) for side in sides]
        if self.plan.ratio:
            out.append(Column(ratio_column(*(side.value for side in self.plan.ratio)), AMOUNT))
        for asked in ask:
            match asked:
                case "place":
                    out += [Column(held_column(side), CHANCE) for side in sides]
                    out += [Column("contested", CHANCE), Column("held by nobody", CHANCE)]
                case "strength-lost":
                    out += [Column(f"{side} strength lost", CHANCE) for side in sides]
                case "fates":
                    out += [Column(f"{side} {fate}", CHANCE) for side in sides for fate in FATE_COLUMNS]
                case "verdicts":
                    out += [Column(f"{side} is {word}", CHANCE) for side in sides for word in words.get(side, ())]
                case "losses":
                    out += [Column(f"{side} loses", AMOUNT) for side in sides]
        for question in questions:
            sorts: dict[str, str] = {}
            for told in self.told:
                try:
                    sort = self._sort_of(told, question.in_system(told.system))
                except Faulty as error:
                    self.faults.extend(fault for fault in error.diagnostics if self._is_new(fault))
                else:
                    sorts |= {sort: told.called} if sort else {}
            if len(sorts) > 1:
                said = " and ".join(
                    f"{'yes or no' if sort == CHANCE else 'a number'} in {name}" for sort, name in sorts.items()
                )
                self.faults.add(
                    "wrong-type", f"`{question.name.value}` is {said}", question.name.span, help="ask alike of each"
                )
            out.append(Column(" ".join(question.name.value.split()), next(iter(sorts), CHANCE)))
        for axis in self.plan.axes:
            if axis.name in RESERVED:
                help = f"call it otherwise; `{axis.name} of fight` is the fact of that name"
                self.faults.add("duplicate-id", f"every row has a `{axis.name}` of its own", axis.span, help=help)
        seen = set[str](RESERVED)
        for column in out:
            if column.name in seen or column.name in [axis.name for axis in self.plan.axes]:
                self.faults.add(
                    "duplicate-id",
                    f"two columns are called `{column.name}`",
                    self.plan.span.part(0, 1),
                    help="rename one",
                )
            seen.add(column.name)
        return tuple(out)

    def _sort_of(self, told: Told, text: Text | None) -> str:
        """Whether a question is answered by yes or no, or by a number."""
        if text is None or isinstance(told.scene, NoSuchFight):
            return ""
        axes, error = self.plan.axes, Faulty.told()
        for chosen in (tuple(one.settings[0] for one in axes), tuple(one.settings[-1] for one in axes)):
            try:
                fight = self.rules.staged(Cell(0, told, chosen))
                if fight is None:
                    return ""
                run = begin(replace(fight, questions=(text,)), None)
                type_ = one_value(sentence(run, parse(text, "value"))[0].type, text)
            except Faulty as wrong:
                error = wrong
                continue
            if isinstance(type_, Flag):
                return CHANCE
            if isinstance(type_, Number | Roll):
                return AMOUNT
            help = f"ask what has a chance or a mean: `{text.value} is ..`"
            raise Faulty.one("wrong-type", f"`{text.value}` is {type_}", text.span, help=help)
        raise error


def _changes(setting: Setting) -> Iterator[Change]:
    """What a setting changes, in any system."""
    for changes in (setting.changes, *setting.by_system.values()):
        yield from changes or ()


def _tried(axis: Axis) -> tuple[Setting, ...]:
    """The settings that are tried beforehand: of a very long list the ends. What is wrong with another is told in its
    rows."""
    if len(axis.settings) <= MOST_TRIED:
        return axis.settings
    return (*axis.settings[: MOST_TRIED // 2], *axis.settings[-MOST_TRIED // 2 :])


FATE_COLUMNS = ("fit", "shaken", "withdrew", "parted", "driven-off", "taken")


def ratio_column(one: str, other: str) -> str:
    return f"force ratio {one} to {other}"


def held_column(side: str) -> str:
    return f"{side} holds it"


# ---- a situation of the grid ------------------------------------------------------------------------------


class Rules:
    """The rules of every stack that comes up, each read once."""

    def __init__(self, near: Path | None) -> None:
        self._near = near
        self._bound: dict[tuple[str, Path | None], Bound] = {}

    def of(self, stack: str, near: Path | None, at: Span) -> Bound:
        if (stack, near) not in self._bound:
            self._bound[stack, near] = load(stack, near, at)
        return self._bound[stack, near]

    def with_variant(self, stack: str, change: Change) -> str:
        """A stack as a change of it leaves it."""
        if not yes_no(change.value):
            return stack
        beside = self._near is not None and "/" in change.what and not Path(change.what).is_absolute()
        name = str(((self._near or Path()) / change.what).resolve()) if beside else change.what
        return stack if name in stack.split("+")[1:] else f"{stack}+{name}"

    def told(self, cell: Cell) -> tuple[str, Bound, Scene] | None:
        """The rules and the fight of a cell; None if the system has none such. Raises Faulty if it does not hold
        together."""
        changes, scene = cell.changes, self.scene(cell)
        if changes is None or isinstance(scene, NoSuchFight):
            return None
        stack, at = cell.told.stack, cell.told.place
        for change in changes:
            if change.sort == WITH:
                stack, at = self.with_variant(stack, change), change.span
        bound = self.of(stack, cell.told.near, at)
        if cell.told.engagement is None:
            changes = tuple(_as_fact(change) for change in changes)
        document = changed(bound.ruleset, scene.document, changes)
        return stack, bound, replace(scene, document=document)

    def scene(self, cell: Cell) -> Scene | NoSuchFight:
        """The fight of a cell before anything but its words is changed. Raises Faulty if it cannot be told so."""
        told, changes = cell.told, cell.changes
        in_words = tuple(change for change in changes or () if change.sort in IN_WORDS)
        if told.engagement is None and (forces := [one for one in in_words if one.sort == FORCES]):
            help = "name an engagement that has `forces:`; or say how many there are, `number of NAME`"
            raise Faulty.one("wrong-shape", f"`{told.fight}` is not told in words", forces[0].span, help=help)
        if told.engagement is None:
            return told.scene
        stack, beside = told.stack, told.engagement.near
        for change in changes or ():
            stack = self.with_variant(stack, change) if change.sort == WITH else stack
        is_fielded_alike = stack == told.stack or (
            files_of(stack, told.near, beside) == files_of(told.stack, told.near, beside)
        )
        if not in_words and is_fielded_alike:
            return told.scene
        said = told.engagement.document
        for change in in_words:
            path = (change.sort, change.of) if change.of else (change.sort,)
            if _get(said, path) is None and change.of:
                sides = [key.value for key, _ in entries(said, change.sort)]
                help = suggest(change.of, sides) or "there are " + ", ".join(sides)
                raise Faulty.one("unknown-thing", f"no side is called `{change.of}`", change.span, help=help)
            said = _put(said, path, change.value, change.span)
        return told_anew(told.engagement, said, told.system, stack, told.near)

    def staged(self, cell: Cell) -> Fight | None:
        """The fight of a cell, ready; None and Faulty as above."""
        found = self.told(cell)
        return None if found is None else staged(found[2], found[1])


def _as_fact(change: Change) -> Change:
    """What is no word where a fight is not told in words."""
    return replace(change, sort=FACT) if change.sort in (GROUND, STATE) else change


def changed(ruleset: Ruleset, document: Mapping, changes: tuple[Change, ...]) -> Mapping:
    """A fight with some places changed: what is added first, then facts and choices, then how many there are of whom;
    last what is said of somebody who has only come with that."""
    order = (ADD, FACT, CHOICE, OPTION, NUMBER)
    late: list[Change] = []
    for change in sorted((each for each in changes if each.sort in order), key=lambda each: order.index(each.sort)):
        if change.sort == FACT and change.of and _path_to(ruleset, document, change.of) is None:
            late.append(change)
        else:
            document = _change(ruleset, document, change)
    for change in late:
        document = _change(ruleset, document, change)
    return document


def _change(ruleset: Ruleset, document: Mapping, change: Change) -> Mapping:
    match change.sort:
        case "choice":
            return _put(document, ("choices", change.what, change.of), change.value, change.span)
        case "option":
            return _put(document, ("options", change.what), change.value, change.span)
    path = _path_to(ruleset, document, change.of) if change.of else _of_the_fight(ruleset, document, change)
    if path is None:
        names = list(_names(ruleset, document))
        raise Faulty.one(
            "unknown-thing",
            f"nobody is called `{change.of}` in this fight",
            change.span,
            help=suggest(change.of, names) or "there are " + ", ".join(names[:12]),
        )
    match change.sort:
        case "add":
            there = _get(document, (*path, change.what))
            more = change.value
            if not isinstance(more, Mapping):
                raise Faulty.one("wrong-shape", "nothing says who is added", more.span, help="write `{name: {..}}`")
            if isinstance(there, Mapping):
                more = Mapping((*there.entries, *more.entries), there.span)
            return _put(document, (*path, change.what), more, change.span)
        case "number":
            number = whole(change.value, "how many there are")
            if path[:1] != ("situation",) or len(path) < 3:
                help = "change its facts: `FACT of NAME`"
                raise Faulty.one("wrong-shape", f"there is one `{change.of}` in every fight", change.span, help=help)
            if not 0 <= number <= MOST_THINGS:
                raise Faulty.one("out-of-range", f"`{number}` of them cannot be there", change.value.span)
            return _times(ruleset, document, path, number)
    return _put(document, (*path, change.what), change.value, change.span)


Path_ = tuple[str, ...]


def _of_the_fight(ruleset: Ruleset, document: Mapping, change: Change) -> Path_:
    """Where a fact of the fight stands: under whichever there is one of and has it."""
    only = [kind for kind in ruleset.kinds.values() if kind.one]
    for kind in only:
        if change.what in kind.facts:
            return ("situation", kind.name)
    known = [name for kind in only for name in kind.facts]
    owner = next((kind for kind in ruleset.kinds.values() if change.what in kind.facts), None)
    raise Faulty.one(
        "unknown-fact",
        f"a {only[0].name if only else 'fight'} has no fact `{change.what}`",
        change.span,
        help=f"say whose: `{change.what} of ..`, {a(owner.name)}" if owner else suggest(change.what, known),
    )


def _names(ruleset: Ruleset, document: Mapping) -> Iterator[str]:
    yield from (name for name, _, _ in _things(ruleset, document))


def _path_to(ruleset: Ruleset, document: Mapping, name: str) -> Path_ | None:
    """Where somebody stands in a fight."""
    return next((path for found, path, _ in _things(ruleset, document) if found == name), None)


def _things(ruleset: Ruleset, document: Mapping) -> Iterator[tuple[str, Path_, Kind]]:
    """Everybody in a fight: the name, the keys that lead to him, and of what kind he is."""
    situation = document.get("situation")
    plurals = {kind.plural: kind for kind in ruleset.kinds.values() if not kind.one}
    for kind in ruleset.kinds.values():
        if kind.one:
            facts = situation.get(kind.name) if isinstance(situation, Mapping) else None
            yield from _with_all_his(ruleset, kind.name, kind, facts, ("situation", kind.name))
    for key, node in situation.entries if isinstance(situation, Mapping) else ():
        if (found := plurals.get(key.value)) is not None and isinstance(node, Mapping):
            for name, facts in node.entries:
                yield from _with_all_his(ruleset, name.value, found, facts, ("situation", key.value, name.value))


def _with_all_his(
    ruleset: Ruleset, name: str, kind: Kind, node: Node | None, path: Path_
) -> Iterator[tuple[str, Path_, Kind]]:
    yield name, path, kind
    for key, inner in node.entries if isinstance(node, Mapping) else ():
        fact = kind.facts.get(key.value)
        if fact is not None and isinstance(fact.type, Things) and isinstance(inner, Mapping):
            member = ruleset.kinds.get(fact.type.kind)
            for each, facts in inner.entries if member is not None else ():
                if member is not None:
                    yield from _with_all_his(ruleset, each.value, member, facts, (*path, key.value, each.value))


def _get(node: Node | None, path: Path_) -> Node | None:
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _put(node: Node | None, path: Path_, value: Node | None, at: Span) -> Mapping:
    """A mapping with another value at a place, or without that place."""
    inside = node if isinstance(node, Mapping) else Mapping((), at)
    first, *rest = path
    old = inside.entry(first)
    new = _put(old[1] if old else None, tuple(rest), value, at) if rest else value
    if new is None:
        return Mapping(tuple(entry for entry in inside.entries if entry[0].value != first), inside.span)
    if old is None:
        return Mapping((*inside.entries, (Text(first, at, True, at), new)), inside.span)
    return Mapping(tuple((key, new if key.value == first else known) for key, known in inside.entries), inside.span)


# ---- several of one ---------------------------------------------------------------------------------------


def _times(ruleset: Ruleset, document: Mapping, path: Path_, number: int) -> Mapping:
    """A fight with so many like somebody: `s1`, `s1-2`, `s1-3`, each with a copy of all that is his and of all that he
    answers; with none, whatever he would have answered is left out too."""
    *before, name = path
    owner, thing = _get(document, tuple(before)), _get(document, path)
    kind = next(kind for _, where, kind in _things(ruleset, document) if where == path)
    if not isinstance(owner, Mapping):
        raise Bug(f"nothing holds {name}")
    his = [each for each, where, _ in _things(ruleset, document) if where[: len(path)] == path]
    entries: list[tuple[Text, Node]] = []
    for key, node in owner.entries:
        if key.value != name:
            entries.append((key, node))
        elif number:
            entries.append((key, node))
            for copy in range(2, number + 1):
                entries.append((_called(key, copy), _copied(ruleset, kind, node, frozenset(his), copy)))
    document = _put(document, tuple(before), Mapping(tuple(entries), owner.span), owner.span)
    choices = document.get("choices")
    if not isinstance(choices, Mapping) or thing is None:
        return document
    rows = tuple((row, _answers(node, frozenset(his), number)) for row, node in choices.entries)
    return _put(document, ("choices",), Mapping(rows, choices.span), choices.span)


def _answers(node: Node, names: frozenset[str], number: int) -> Node:
    """The answers at a row, with those of the copies."""
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Text, Node]] = []
    for who, answer in node.entries:
        if who.value not in names or number:
            entries.append((who, answer))
        if who.value in names:
            entries += ((_called(who, copy), answer) for copy in range(2, number + 1))
    return Mapping(tuple(entries), node.span)


def _called(name: Text, copy: int) -> Text:
    return replace(name, value=f"{name.value.strip()}-{copy}")


def _copied(ruleset: Ruleset, kind: Kind, node: Node, names: frozenset[str], copy: int) -> Node:
    """The facts of somebody's copy: who belongs to him is a copy too, and so is whoever of these he names."""
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Text, Node]] = []
    for key, value in node.entries:
        fact = kind.facts.get(key.value)
        member = ruleset.kinds.get(fact.type.kind) if fact is not None and isinstance(fact.type, Things) else None
        if member is not None and isinstance(value, Mapping):
            value = Mapping(
                tuple(
                    (_called(name, copy), _copied(ruleset, member, facts, names, copy)) for name, facts in value.entries
                ),
                value.span,
            )
        elif fact is not None and isinstance(fact.type, AThing | Things):
            value = _renamed(value, names, copy)
        entries.append((key, value))
    return Mapping(tuple(entries), node.span)


def _renamed(node: Node, names: frozenset[str], copy: int) -> Node:
    match node:
        case Text():
            return _called(node, copy) if node.value.strip() in names else node
        case Listing(items):
            return Listing(tuple(_renamed(item, names, copy) for item in items), node.span)
    return node
