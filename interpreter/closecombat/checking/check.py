"""All static checking under some paths: of rulesets, variants, situations, examples and engagements.

Which files are looked at, in which stages, and that each fault is said once, is decided here. What is wrong is found by
the stages: `reading/shape`, reading and binding themselves, `soundness`, `leftovers` and, for fights, `rehearsal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from closecombat.binding.charts import Bound
from closecombat.binding.load import load
from closecombat.binding.names import Uses
from closecombat.binding.vocabulary import check_vocabulary
from closecombat.checking.absent import check_absent
from closecombat.checking.claims import check_properties
from closecombat.checking.clashes import check_clashes
from closecombat.checking.dead_ends import check_dead_ends
from closecombat.checking.domains import check_domains
from closecombat.checking.given import check_given
from closecombat.checking.gone import check_gone
from closecombat.checking.headings import check_headings
from closecombat.checking.left_out import check_left_out
from closecombat.checking.leftovers import check_leftovers
from closecombat.checking.moves import check_moves
from closecombat.checking.on_paper import check_pages, check_said
from closecombat.checking.order_of_battle import check_fielding, check_told_once, check_words
from closecombat.checking.rehearsal import Stage, check_scene, stage
from closecombat.checking.secrets import check_secrets
from closecombat.checking.selection import as_settled, without_ignored
from closecombat.checking.settings import Folders
from closecombat.checking.sound_before import is_sound, key_of_rules, was_sound
from closecombat.checking.soundness import (
    check_assumptions,
    check_citations,
    check_decks,
    check_settled,
    check_soundness,
)
from closecombat.checking.tables import check_tables
from closecombat.checking.taken_names import check_taken_names
from closecombat.checking.too_soon import check_too_soon
from closecombat.checking.unguarded import check_guarded
from closecombat.reading.battle_files import Fielder, fielders, is_of_the_order_of_battle, own_folder, words_for
from closecombat.reading.engagement import read_gives
from closecombat.reading.fields import child, entries, list_of, text_of
from closecombat.reading.plans import read_plan
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.sentences import keep_sentences
from closecombat.reading.shape import check_shape
from closecombat.reading.stack import (
    RULESET,
    as_said,
    key_of,
    load_stack,
    meant,
    merged_folder,
    read_mapping,
    shipped,
    text_in,
)
from closecombat.reading.told_once import is_told_once, read_told
from closecombat.reading.variants import read_variant
from closecombat.text.document import read_source
from closecombat.text.faults import Bug, Diagnostic, Faults, Faulty, in_order, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Mapping, Node, Text, sources_of
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

DEEPEST_FOLDER = 20
MOST_FILES = 10_000
OURS = re.compile(
    r"^(variant|engagement|sweep|systems|forces|fields|order-of-battle|examples?|situation|ruleset):", re.MULTILINE
)
NAMES = re.compile(r"[a-z][a-z0-9-]*")
RULESET_KEYS = ("kinds", "sequences", "tables", "start")


OfPlans: TypeAlias = Callable[[str | Path], Iterable[Diagnostic]]


def by_themselves(plan: str | Path) -> Iterable[Diagnostic]:
    """Nothing of the fights that a plan starts from."""
    return ()


def check_paths(paths: Sequence[str], of_plans: OfPlans = by_themselves) -> list[Diagnostic]:
    """Whatever can be found wrong without playing, by file and place; less what comments ignore, and as severe as the
    settings of each folder say. `of_plans` says what is wrong with the plan of a sweep in a file when it is held
    against its fights.

    A path is a shipped name, a stack such as `name+variant`, a file, `-`, or a folder, which is searched.
    Raises Faulty (nothing-found) if there is nothing to check.
    """
    checker = _Checker(of_plans)
    for path in paths:
        checker.given = Path(path).absolute()
        try:
            checker.path(path)
        except Faulty as error:
            if not error.diagnostics:  # else what has been found until now would be lost
                raise Bug(f"the check of {path} stopped without a reason") from error
            checker.faults.extend(error.diagnostics)
    if not checker.count and not checker.faults.has_errors:
        where = ", ".join(paths) or "no path is given"
        raise Faulty.one(
            "nothing-found",
            f"there is nothing to check: {where}",
            help=f"{checker.left_out} of them are left out by settings; name them themselves"
            if checker.left_out
            else "name a ruleset, a variant, a situation or an example, or a folder of them",
        )
    return in_order(as_settled(without_ignored(checker.findings(), checker.own), checker.folders))


@dataclass(slots=True)
class _Checked:
    """A ruleset once checked for errors: a fight needs no more of it. Warnings are looked for `in_full`, where
    the ruleset was itself asked for; `leftovers` is asked last of all."""

    bound: Bound | None
    faults: Faults
    document: Node | None = None
    rules: str = ""  # what stands for its texts; nothing, where something else makes it what it is
    scenes_are_sound: bool = True
    _stage: Stage | None = None
    _in_full: bool = False

    @property
    def stage(self) -> Stage | None:
        """What its fights are held against, if it can be played."""
        if self._stage is None and self.bound is not None and not self.faults.has_errors:
            self._stage = stage(self.bound)
        return self._stage

    def in_full(self) -> None:
        """Adds every warning there is; of one that cannot be played, those alone that its assumptions have."""
        bound, document, faults = self.bound, self.document, self.faults
        if self._in_full or bound is None or document is None:
            return
        self._in_full = True
        check_assumptions(bound.ruleset, document, faults, self.rules)
        if faults.has_errors:
            return
        check_decks(bound, faults)
        check_secrets(bound, faults)
        check_too_soon(bound, faults)
        check_tables(bound, document, faults)
        check_clashes(bound, faults, self.rules)
        check_gone(bound, faults)
        check_moves(bound, faults)
        check_given(bound, document, faults)
        check_said(bound.ruleset, faults)
        check_absent(bound, faults, self.rules)
        check_left_out(bound, document, faults, self.rules)
        check_dead_ends(bound, document, faults, self.rules)


@dataclass(slots=True)
class _Checker:
    """What has been looked at, and found, while paths are gone through."""

    of_plans: OfPlans
    faults: Faults = field(default_factory=Faults)
    count: int = 0
    seen: int = 0  # files of YAML that lie in folders
    rulesets: dict[str, _Checked] = field(default_factory=dict)
    wanted: dict[str, None] = field(default_factory=dict)  # the rulesets that were themselves asked for
    done: set[str] = field(default_factory=set)
    reported: set[tuple[Any, ...]] = field(default_factory=set)
    names: dict[tuple[int, str], Span] = field(default_factory=dict)  # of the examples of each ruleset
    sources: dict[Source, None] = field(default_factory=dict)
    own: dict[Source, None] = field(default_factory=dict)  # of what was itself asked for
    given: Path = field(default_factory=Path)  # the path that is gone through
    left_out: int = 0
    folders: Folders = field(init=False)

    def __post_init__(self) -> None:
        self.folders = Folders(self.faults)

    def tell(self, found: Iterable[Diagnostic]) -> None:
        """Takes over findings, each once."""
        for fault in found:
            if _identity(fault) not in self.reported:
                self.reported.add(_identity(fault))
                self.faults.extend((fault,))

    def findings(self) -> tuple[Diagnostic, ...]:
        """Everything found, each once, in the order of files and places."""
        keep_sentences(self.sources)
        for key in self.wanted:
            checked = self.rulesets[key]
            bound, document = checked.bound, checked.document
            if bound is not None and document is not None and checked.stage and checked.scenes_are_sound:
                check_leftovers(bound, document, checked.faults, self.said_elsewhere(key))
            self.tell(checked.faults.diagnostics)
        return self.faults.diagnostics

    def said_elsewhere(self, key: str) -> set[str]:
        """Every word of those examples of a ruleset that were not gone through, as where one of its files was asked for
        alone: what they may ask for is not left over."""
        examples = Path(key) / "examples"
        gone_through = {key_of(Path(name)) for name in self.done}
        files = islice(sorted(examples.rglob("*")), MOST_FILES) if examples.is_dir() else ()
        left = [each for each in files if each.name.endswith(YAML) and key_of(each) not in gone_through]
        return {word for each in left for word in NAMES.findall(text_in(each) or "")}

    # ---- finding ---------------------------------------------------------------------------------------
    def path(self, path: str) -> None:
        self.folders.above(self.given)  # what is wrong with settings is told, whatever else there is
        known = {**shipped("engagements"), **shipped("variants"), **shipped()}
        place = Path(path)
        if path == "-":
            self.file(path, None)
        elif path in known and not (place.exists() and "/" in path):
            self.search(known[path], 0) if known[path].is_dir() else self.file(known[path], None)
        elif place.is_dir():
            self.search(place, 0, self._ruleset_above(place))
        elif place.is_file():
            self.file(place, self._ruleset_above(place))
        elif "+" in path:
            self.stack(path)
        else:
            near = [each.name for each in place.parent.iterdir()] if place.parent.is_dir() else []
            raise Faulty.one(
                "file-not-found",
                f"`{path}` is neither a file, a folder nor a shipped name",
                help=meant(path, RULESET) or suggest(place.name, [*known, *near]) or "shipped: " + ", ".join(shipped()),
            )

    def _ruleset_above(self, place: Path) -> Path | None:
        """The ruleset whose `examples/` a path lies in."""
        for folder in (place.absolute(), *place.absolute().parents):
            if folder.name == "examples" and (folder.parent / "ruleset.yaml").is_file():
                return as_said(folder.parent)
        return None

    def search(self, folder: Path, depth: int, above: Path | None = None) -> None:
        """Everything in a folder; `above` is the ruleset whose examples these are."""
        here = sorted(folder.iterdir(), key=lambda each: each.name)
        own = any(each.name == "ruleset.yaml" and each.is_file() and not self.is_left_out(each) for each in here)
        if own:
            self.folder(folder)
        for each in here:
            if each.name.startswith(".") or self.seen > MOST_FILES or self.is_left_out(each):
                continue
            if each.name.endswith(YAML):
                self.seen += 1
                if self.seen > MOST_FILES:
                    message = f"this folder holds more than {MOST_FILES:,} files of YAML"
                    self.faults.add("too-large", message, help="name the folders that hold rules")
            if each.is_dir():
                if depth < DEEPEST_FOLDER and not each.is_symlink():
                    self.search(each, depth + 1, folder if own and each.name == "examples" else above)
            elif each.name.endswith(YAML) and not own:
                if above is not None:
                    self.file(each, above)
                elif (text := text_in(each)) is not None and OURS.search(text):
                    self.file(each, None)

    def is_left_out(self, path: Path) -> bool:
        """Whether settings leave out what a search comes upon; settings that leave out the path that was named itself
        do not count."""
        out = any(not each.excludes(self.given) for each in self.folders.excluding(path.absolute()))
        self.left_out += out
        return out

    # ---- files -----------------------------------------------------------------------------------------
    def file(self, file: str | Path, above: Path | None) -> None:
        """A file by what it holds."""
        name = str(file)
        if name in self.done:
            return
        self.done.add(name)
        self.count += 1
        near = file.parent if isinstance(file, Path) else None
        if above is not None and self.is_sound_again(file, self.ruleset(above)):
            return
        document = self.faults.attempt(read_mapping, file)
        if document is None:
            return
        self.sources[document.span.source] = self.own[document.span.source] = None
        if "variant" in document:
            self.variant(file, document)
        elif "sweep" in document:
            self.plan(file, document)
        elif is_of_the_order_of_battle(document):
            self.order_of_battle(document, file)
        elif "engagement" in document or "systems" in document or is_told_once(document):
            self.engagement(document, near)
        elif "examples" in document or "example" in document or (above is not None and "expect" in document):
            self.scenes(document, "example", above, near)
        elif "situation" in document:
            self.scenes(document, "situation", above, near)
        elif (slip := _misspelt(document)) is not None:
            self.faults.extend(slip.diagnostics)
        elif near is not None and (near / "ruleset.yaml").is_file():
            self.folder(near)
        elif "ruleset" in document or any(key in document for key in RULESET_KEYS):
            self.want(name, self.document(document, ()))
        else:
            self.faults.add(
                "wrong-shape",
                "nothing says what this file is",
                document.span.part(0, 1),
                help="begin it with ruleset, variant, situation, example, engagement or sweep",
            )

    def folder(self, folder: Path) -> None:
        self.count += 1
        self.want(key_of(folder), self.ruleset(folder))

    def want(self, key: str, checked: _Checked) -> None:
        checked.in_full()
        self.rulesets[key] = checked
        self.wanted[key] = None
        if isinstance(checked.document, Mapping):
            self.own |= sources_of(checked.document)

    def ruleset(self, folder: Path) -> _Checked:
        """The ruleset of a folder, checked once."""
        if key_of(folder) not in self.rulesets:
            faults = Faults()
            document = merged_folder(folder, faults)
            self.rulesets[key_of(folder)] = (
                _Checked(None, faults) if document is None else self.document(document, (), faults)
            )
        return self.rulesets[key_of(folder)]

    def document(self, document: Mapping, variants: tuple[str, ...], faults: Faults | None = None) -> _Checked:
        """A ruleset as one document."""
        self.sources |= dict.fromkeys(sources_of(document))
        faults = Faults() if faults is None else faults
        shape = check_shape(document, "ruleset")
        reading = Faults()
        ruleset = reading.attempt(read_ruleset, document, reading, variants)
        faults.extend(reading.diagnostics)
        faults.extend(_beside(shape, reading.diagnostics))
        if ruleset is None:
            return _Checked(None, faults)
        rest = check_vocabulary(ruleset, document, faults)
        bound = None if rest is None else faults.attempt(Bound, rest)
        if bound is None:
            return _Checked(None, faults)
        binding, sound = Faults(), Faults()
        bound.bind_all(binding)
        rules = key_of_rules(document) if not variants else ""
        sound.attempt(check_soundness, bound, document, sound)
        check_properties(bound, sound)
        check_pages(bound.ruleset, sound)
        if not (faults.has_errors or binding.has_errors or sound.has_errors):
            check_settled(bound, sound)
            check_domains(bound, sound)
            check_headings(bound, sound)
        circles = any(fault.code == "circular" for fault in sound.diagnostics)
        faults.extend(fault for fault in binding.diagnostics if not (circles and fault.code == "circular"))
        faults.extend(sound.diagnostics)
        return _Checked(bound, faults, document, rules)

    # ---- variants and stacks ---------------------------------------------------------------------------
    def variant(self, file: str | Path, document: Mapping) -> None:
        faults = Faults()
        if file == "-":  # what it extends would count from nowhere: only its shape can be judged
            faults.attempt(read_variant, document)
            faults.extend(_beside(check_shape(document, "variant"), faults.diagnostics))
            self.tell(faults.diagnostics)
            return
        try:
            loaded = load_stack(str(file), whole=True)
        except Faulty as error:
            faults.extend(error.diagnostics)
            faults.extend(_beside(check_shape(document, "variant"), error.diagnostics))
        else:
            faults.extend(check_shape(document, "variant"))
            checked = self.document(loaded.document, tuple(each.name for each in loaded.variants))
            checked.in_full()
            faults.extend(_of_file(checked, document.span.source.name))
            faults.extend(self.by_variant(checked, document, Path(file).parent))
            check_guarded(loaded, faults)
            self.names_taken(checked, document, Path(file).parent, faults)
        self.tell(faults.diagnostics)

    def by_variant(self, checked: _Checked, document: Mapping, near: Path) -> Iterator[Diagnostic]:
        """The errors and warnings at what stands in other files that are not there without a variant: it leaves a gap
        in a table, say, or takes out what something else rests on. Errors that are there without it are told too."""
        own, extends = document.span.source.name, document.get("extends")
        found = [
            one for one in checked.faults.diagnostics if one.severity in ("error", "warning") and one.span is not None
        ]
        found = [one for one in found if one.span is not None and one.span.source.name != own]
        base = self.named(extends.value, near, extends.span) if found and isinstance(extends, Text) else None
        if base is not None:
            base.in_full()
            known, name = {_identity(one) for one in base.faults.diagnostics}, document.get("variant")
            labels = () if name is None else ((name.span, "not so without this variant"),)
            new = [one for one in found if _identity(one) not in known]
            yield from (replace(one, labels=(*one.labels, *labels)) for one in new)
            yield from (one for one in found if one.severity == "error" and one not in new)
        else:
            yield from (one for one in found if one.severity == "error")

    def names_taken(self, checked: _Checked, document: Mapping, near: Path, faults: Faults) -> None:
        """Adds what sentences of what a variant extends mean otherwise by it."""
        extends = document.get("extends")
        if checked.bound is not None and not checked.faults.has_errors and isinstance(extends, Text):
            with suppress(Faulty):  # it is told where it is read
                check_taken_names(load(extends.value, near), checked.bound, faults)

    def plan(self, file: str | Path, document: Mapping) -> None:
        """The plan of a sweep by itself, and if nothing is wrong with it held against its fights."""
        found = Faults()
        found.attempt(read_plan, document, found)
        if not found.has_errors and file != "-":
            found.extend(self.of_plans(file))
        self.tell(found.diagnostics)
        self.tell(_beside(check_shape(document, "plan"), found.diagnostics))

    def stack(self, stack: str) -> None:
        self.count += 1
        checked = self.named(stack, None, None)
        if checked is not None:
            self.tell(fault for fault in checked.faults.diagnostics if fault.severity == "error")

    def named(self, stack: str, near: Path | None, at: Span | None) -> _Checked | None:
        """The ruleset that a file names, checked once; nothing if it cannot be put together."""
        key = f"{stack} beside {near}"
        if key not in self.rulesets:
            try:
                loaded = load_stack(stack, near, at, whole=True)
            except Faulty as error:
                self.tell(error.diagnostics)
                return None
            variants = tuple(each.name for each in loaded.variants)
            self.rulesets[key] = self.document(loaded.document, variants)
        return self.rulesets[key]

    # ---- situations and examples -----------------------------------------------------------------------
    def is_sound_again(self, file: str | Path, checked: _Checked) -> bool:
        """Whether nothing was found in a file of examples, by the same text and the same rules; then that is all."""
        if checked.bound is None or checked.stage is None or not checked.rules:
            return False
        try:
            source = read_source(file)
        except Faulty:
            return False
        known = was_sound(checked.rules, source)
        if known is None:
            return False
        self.own[source] = None
        known.is_asked(checked.bound.uses, source)
        found = Faults()
        for name, span in known.called(source):
            self._called(name, span, checked, found)
        self.tell(found.diagnostics)
        return True

    def scenes(self, document: Mapping, sort: str, above: Path | None, near: Path | None) -> None:
        """A situation, an example or a list of them."""
        found = Faults()
        listed = document.get("examples")
        scenes = [one for one in ((document,) if listed is None else list_of(listed)) if isinstance(one, Mapping)]
        checked = self.ruleset(above) if above is not None else None
        if checked is None or not checked.rules or any("ruleset" in one for one in (document, *scenes)):
            checked = None
        uses = checked.bound.uses if checked is not None and checked.bound is not None else Uses()
        with uses.asked_here() as (asked, reads):
            for scene in scenes:
                self.scene(scene, document, above, near, found)
        beside = list(_beside(check_shape(document, sort), found.diagnostics))
        self.tell(found.diagnostics)
        self.tell(beside)
        if checked is not None and checked.stage is not None and not found.diagnostics and not beside:
            names = [(name.value, name.span) for one in scenes if isinstance(name := one.get("example"), Text)]
            is_sound(checked.rules, document.span.source, names, asked.items(), reads)

    def order_of_battle(self, document: Mapping, file: str | Path) -> None:
        """Words for engagements, or what a system fields for them."""
        found = Faults()
        folder = file.parent if isinstance(file, Path) else Path()
        own = own_folder()
        places = (own,) if key_of(folder) == key_of(own) else (own, folder)
        head = document.get("fields")
        if head is None:
            check_words(document, places, found)
        else:
            named = text_of(head, "a ruleset")
            near = None if folder == own or named in shipped() else folder
            checked = self.named(named, near, head.span)
            if checked is not None:
                self._errors_of(checked)
                if checked.stage is not None:
                    check_fielding(document, Fielder(named, named, near, head.span), places, checked.stage, found)
        self.tell(found.diagnostics)
        kind = "order-of-battle" if head is None else "fields"
        self.tell(_beside(check_shape(document, kind), found.diagnostics))

    def told_once(self, document: Mapping, near: Path | None) -> None:
        """An engagement in the words of the order of battle, in each system that fields something for them."""
        found = Faults()
        told = found.attempt(lambda: read_told(words_for(near, found), document, found))
        own = {key.value: node for key, node in entries(document, "systems")}
        known = {each.name: each for each in fielders(near, found)}
        for name in dict.fromkeys((*known, *own)) if told is not None and not found.has_errors else ():
            key = next((one.span for one, _ in entries(document, "systems") if one.value == name), None)
            fielder = known.get(name) or Fielder(name, name, near, key)
            checked = self.named(fielder.stack, fielder.near, key or fielder.at)
            if checked is None or told is None:
                continue
            self._errors_of(checked)
            said = own.get(name)
            if checked.stage is not None and isinstance(said, Mapping) and "no-such-fight" in said:
                check_citations(checked.stage.bound.ruleset, said, found, "no-such-fight")
            elif checked.stage is not None and (said is None or isinstance(said, Mapping)):
                found.attempt(check_told_once, told, fielder, near, said, checked.stage, found)
        self.tell(found.diagnostics)
        self.tell(_beside(check_shape(document, "engagement"), found.diagnostics))

    def engagement(self, document: Mapping, near: Path | None) -> None:
        if is_told_once(document):
            self.told_once(document, near)
            return
        found = Faults()
        for name, fight in entries(document, "systems"):
            own = child(fight, "ruleset")
            stack = own.value if isinstance(own, Text) else name.value
            checked = self.named(stack, near, own.span if own is not None else name.span)
            if checked is None or not isinstance(fight, Mapping):
                continue
            self._errors_of(checked)
            if checked.stage is not None:
                if "no-such-fight" in fight:
                    check_citations(checked.stage.bound.ruleset, fight, found, "no-such-fight")
                else:
                    check_scene(checked.stage, fight, found)
        told = [name.value for name, fight in entries(document, "systems") if child(fight, "no-such-fight") is None]
        found.attempt(read_gives, document.get("gives"), told, found)
        self.tell(found.diagnostics)
        self.tell(_beside(check_shape(document, "engagement"), found.diagnostics))

    def scene(self, scene: Mapping, document: Mapping, above: Path | None, near: Path | None, faults: Faults) -> None:
        """A situation or an example, by the ruleset that it or its file names, or in whose folder it lies."""
        named = scene.get("ruleset") or document.get("ruleset")
        if isinstance(named, Text):
            checked = self.named(named.value, near, named.span)
        elif above is not None:
            checked = self.ruleset(above)
        else:
            faults.add(
                "unknown-ruleset",
                "nothing says by which ruleset",
                scene.span.part(0, 1),
                help="add `ruleset:`, or put the file into the folder `examples/` of a ruleset",
            )
            return
        if checked is None:
            return
        self._errors_of(checked)
        self._name(scene, checked, faults)
        if checked.stage is not None:
            check_scene(checked.stage, scene, faults)
            checked.scenes_are_sound &= not faults.has_errors

    def _errors_of(self, checked: _Checked) -> None:
        """What is wrong with a ruleset that is needed for something else; its warnings are its own affair."""
        self.tell(fault for fault in checked.faults.diagnostics if fault.severity == "error")

    def _name(self, scene: Mapping, checked: _Checked, faults: Faults) -> None:
        name = scene.get("example")
        if isinstance(name, Text) and checked.bound is not None:
            self._called(name.value, name.span, checked, faults)

    def _called(self, name: str, span: Span, checked: _Checked, faults: Faults) -> None:
        key = (id(checked), name)
        if key in self.names and self.names[key] != span:
            faults.add(
                "duplicate-id",
                f"another example is called `{name}`",
                span,
                labels=((self.names[key], "the other"),),
                help="rename one of them",
            )
        self.names.setdefault(key, span)


# ---- which faults are worth telling --------------------------------------------------------------------


def _identity(fault: Diagnostic) -> tuple[Any, ...]:
    span = fault.span
    place = (span.source.name, span.start, span.end) if span else ()
    return (fault.code, *place, "" if place else fault.message)


def _beside(shape: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """What the schema finds where no other stage says the same in better words."""
    places = {(fault.span.source.name, fault.span.start) for fault in others if fault.span}
    misshapen = [fault.span for fault in others if fault.span and fault.code == "wrong-shape"]
    headed = [fault.span for fault in others if fault.span and fault.code == "missing-key"]
    return (
        fault
        for fault in shape
        if fault.span
        and (fault.span.source.name, fault.span.start) not in places
        and not any(_inside(fault.span, whole) for whole in misshapen)
        and not (fault.code == "missing-key" and any(_heads(key, fault.span) for key in headed))
    )


def _misspelt(document: Mapping) -> Faulty | None:
    """The fault of a file whose key that says what it is, is misspelt."""
    if any(key in document for key in RULESET_KEYS):
        return None
    for key, _ in document.entries:
        if help := suggest(key.value, ("situation", "example", "examples", "variant", "engagement", "sweep")):
            return Faulty.one("unknown-key", f"no file has a `{key.value}:`", key.span, help=help)
    return None


def _inside(part: Span, whole: Span) -> bool:
    return part.source.name == whole.source.name and whole.start <= part.start < whole.end


def _heads(key: Span, body: Span) -> bool:
    """Whether a body stands directly under its key."""
    if key.source.name != body.source.name or key.end > body.start:
        return False
    return bool(re.fullmatch(r"\s*:(\s|#.*\n)*", key.source.text[key.end : body.start]))


def _of_file(checked: _Checked, name: str) -> Iterator[Diagnostic]:
    """What is found in one file, and what has no place."""
    return (fault for fault in checked.faults.diagnostics if fault.span is None or fault.span.source.name == name)
