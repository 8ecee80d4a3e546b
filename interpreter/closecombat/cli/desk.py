"""What the page of the workbench asks, and what it is answered: a question as data, an answer as data.

The page runs this program in the browser, beside no other file than the shipped ones. It has one fight, a ruleset, and
texts that somebody is changing: a house rule (`HOUSE_RULE`, a variant of that ruleset), and files of the ruleset
itself, which are read in place of the shipped ones. What it asks may come from a stranger's link. So a question is
one of `QUESTIONS` and nothing else, a text becomes the text of one of those files and of no other, and a fight is
names and texts, of which nothing is ever run. Whatever is wrong with any of it is answered as findings.

An answer is worked out for one question alone. Whoever asks holds the rulesets that were read last (`binding/load`);
nothing else is kept between two questions, but in the cache of texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from closecombat.text.slotted import dataclass

if TYPE_CHECKING:
    from closecombat.asking.exact.answers import Chances
    from closecombat.asking.fights.fight_files import Scene
    from closecombat.binding.charts import Bound
    from closecombat.text.faults import Diagnostic

HOUSE_RULE, FIGHT = "house-rule.yaml", "fight.yaml"
PATIENCE = 2  # seconds of work, of a usual machine, that a browser takes on before it asks whether to go on
MOST_PATIENCE = 120
MOST_QUESTION = 1_000_000  # letters
PARTS_OF_A_FIGHT = frozenset({"situation", "options", "choices", "combats"})
WIDE = 72  # letters of a line of a fight
Tell = Callable[[str], None]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: of a ruleset, with these texts in place of what is shipped, and of a fight."""

    ruleset: str
    texts: Mapping[str, str]
    more: Mapping[str, Any]

    def text(self, name: str) -> str:
        """Something that the question says in a word or a text; empty if it does not."""
        said = self.more.get(name, "")
        if not isinstance(said, str):
            raise _unclear(f"`{name}` is a text")
        return said

    def number(self, name: str) -> int:
        said = self.more.get(name, 0)
        if not isinstance(said, int) or isinstance(said, bool) or not 0 <= said < 10**9:
            raise _unclear(f"`{name}` is a whole number")
        return said

    def is_so(self, name: str) -> bool:
        return self.more.get(name) is True


def answer(question: str, folder: Path, tell: Tell, held: dict[str, Bound] | None = None) -> str:
    """The answer to a question as JSON; `folder` holds what is being changed, `tell` is told how far the work is, and
    `held` are the rulesets that earlier questions have read."""
    from closecombat.binding.load import holding
    from closecombat.telling.findings import finding_object
    from closecombat.text.faults import Faulty

    held, is_whole = {} if held is None else held, False
    try:
        asked = _read(question)
        do = QUESTIONS[asked.text("ask")]
        with _beside(asked, folder), holding(held):
            found = do(asked, folder, tell)
        is_whole = True
    except Faulty as error:
        is_whole = True
        found = {"findings": [_in_file(one, finding_object(one)) for one in dict.fromkeys(error.diagnostics)]}
    finally:
        if not is_whole:
            held.clear()  # one may be looked up by halves
    return json.dumps(found, ensure_ascii=False)


def _read(question: str) -> Question:
    from closecombat.reading.stack import shipped

    try:
        said = json.loads(question) if len(question) <= MOST_QUESTION else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise _unclear("a question is some names with what they are")
    ruleset, texts = said.get("ruleset", ""), said.get("texts", {})
    if ruleset not in (*shipped(), ""):
        raise _unclear("no shipped ruleset has that name")
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise _unclear("`texts` are names of files with their texts")
    known = {HOUSE_RULE, *files_of_ruleset(ruleset)} if ruleset else {HOUSE_RULE}
    if not texts.keys() <= known:
        raise _unclear("a text is of the house rule, or of a file of the ruleset")
    asked = Question(ruleset, texts, said)
    if asked.text("ask") not in QUESTIONS:
        raise _unclear("there is no such question")
    return asked


def _unclear(why: str) -> Exception:
    from closecombat.text.faults import Faulty

    help = "open the page anew; a link that somebody has shortened or changed does not work"
    return Faulty.one("wrong-shape", f"the page has asked something that cannot be answered: {why}", None, help=help)


# ---- files ------------------------------------------------------------------------------------------------


def files_of_ruleset(name: str) -> dict[str, Path]:
    """The files of a shipped ruleset that can be changed."""
    from closecombat.reading.stack import shipped
    from closecombat.text.files import YAML

    folder = shipped()[name]
    return {file.name: file for file in sorted(folder.iterdir()) if file.name.endswith(YAML)}


def _places(asked: Question, folder: Path) -> dict[Path, str]:
    """The texts of a question by the files whose place they take."""
    known = {**(files_of_ruleset(asked.ruleset) if asked.ruleset else {}), HOUSE_RULE: folder / HOUSE_RULE}
    return {known[name]: text for name, text in asked.texts.items()}


@contextmanager
def _beside(asked: Question, folder: Path) -> Iterator[None]:
    """Meanwhile the texts of a question are read in place of their files."""
    from closecombat.text.document import unsaved

    if not (folder / HOUSE_RULE).exists():
        (folder / HOUSE_RULE).write_text("# a house rule\n", encoding="utf-8")  # what is edited must be there
    with unsaved(_places(asked, folder)):
        yield


def _in_file(one: Diagnostic, found: Answer) -> Answer:
    """A finding by the name that its file has on the page: `mine` if that is one that can be changed there."""
    file = str(found["file"] or "")
    return {**found, "file": file.rsplit("/", 1)[-1], "shown": file}


def _stack(asked: Question, folder: Path) -> str:
    has_rule = asked.texts.get(HOUSE_RULE, "").strip()
    return f"{asked.ruleset}+{folder / HOUSE_RULE}" if has_rule else asked.ruleset


def shelf() -> list[Answer]:
    """What the page offers to begin with: each ruleset with its files and house rules, and the fights it tells."""
    from closecombat.asking.fights.fight_files import Engagement, Scene, read_scene
    from closecombat.reading.stack import read_mapping, shipped
    from closecombat.text.nodes import Text

    def said(document: Any, key: str) -> str:
        found = document.get(key)
        return " ".join(found.value.split()) if isinstance(found, Text) else ""

    fights = [fight for name in shipped("engagements") if isinstance(fight := read_scene(name), Engagement)]
    variants = [(name, file, read_mapping(file)) for name, file in shipped("variants").items()]
    out: list[Answer] = []
    for name, folder in shipped().items():
        told = [one for one in fights if name in one.systems and isinstance(one.systems[name].scene, Scene)]
        out.append(
            {
                "name": name,
                "title": said(read_mapping(folder / "ruleset.yaml"), "title"),
                "files": list(files_of_ruleset(name)),
                "variants": [
                    {"name": each, "title": said(document, "title"), "text": file.read_text(encoding="utf-8")}
                    for each, file, document in variants
                    if said(document, "extends") == name
                ],
                "starts": [{"name": one.name, "title": one.title, "story": one.story} for one in told],
                "examples": [[file.stem, _names_in(file)] for file in _example_files(name)],
            }
        )
    return out


def _example_files(ruleset: str) -> list[Path]:
    """The files of a ruleset's examples, those apart that say what is wrong."""
    from closecombat.reading.stack import shipped
    from closecombat.text.files import YAML

    folder = shipped()[ruleset] / "examples"
    return sorted(file for file in folder.iterdir() if file.name.endswith(YAML)) if folder.is_dir() else []


def _names_in(file: Path) -> list[str]:
    from closecombat.asking.examples.examples import read_examples
    from closecombat.text.nodes import Text

    names = (one.get("example") for one in read_examples(file) if "ruleset" not in one)
    return [name.value for name in names if isinstance(name, Text)]


# ---- the fight --------------------------------------------------------------------------------------------


def _scene(asked: Question, folder: Path, stack: str) -> Scene:
    """The fight of a question: filled in as a form, told in words, or one that is shipped. Answers that nobody asks
    for are no fault: whoever changes a field of a form need not clear away what hung on it."""
    from dataclasses import replace

    from closecombat.asking.fights.fight_files import read_scene, scene_in_words, single, told_in_words
    from closecombat.asking.fights.forms import written
    from closecombat.text.nodes import Mapping as Document
    from closecombat.text.nodes import block
    from closecombat.text.source import Source

    fight = asked.more.get("fight")
    if not isinstance(fight, dict):
        raise _unclear("`fight` says what is fought")
    if "situation" in fight:
        if not fight.keys() <= PARTS_OF_A_FIGHT:
            raise _unclear("a fight has a situation, and no other file's keys")
        document = written(fight, Source(FIGHT, ""))
        text = block(document, WIDE) if isinstance(document, Document) else ""
        (folder / FIGHT).write_text(text + "\n", encoding="utf-8", newline="\n")
        scene = single(read_scene(str(folder / FIGHT)), stack)
        return replace(scene, fielded=frozenset({scene.document.span.source}))
    told = {name: fight.get(name, "") for name in ("engagement", "example", "first", "second", "ground", "state")}
    if not all(isinstance(one, str) for one in told.values()):
        raise _unclear("a fight is told in words")
    if told["example"]:
        stem, _, name = told["example"].partition("#")
        file = next((one for one in _example_files(asked.ruleset) if one.stem == stem), None)
        if file is None:
            raise _unclear("the game has no such example")
        return single(read_scene(f"{file}#{name}"), stack)
    if told["engagement"]:
        from closecombat.reading.stack import shipped

        if told["engagement"] not in shipped("engagements"):
            raise _unclear("no shipped fight has that name")
        return single(read_scene(told["engagement"], stack), stack)
    words = told_in_words(told["first"], told["second"], told["ground"], told["state"])
    return single(scene_in_words(words, stack), stack)


def _document(scene: Scene, stack: str) -> Answer:
    """A fight as the form has it: without answers that nobody asks for here."""
    from closecombat.asking.fights.fight_files import heard_alone, ruleset_of
    from closecombat.asking.fights.forms import said_of
    from closecombat.text.nodes import Mapping as Document

    document = heard_alone(scene, ruleset_of(scene, stack))
    kept = tuple(entry for entry in document.entries if entry[0].value in PARTS_OF_A_FIGHT)
    said = said_of(Document(kept, document.span))
    return said if isinstance(said, dict) else {}


def _chances(asked: Question, scene: Scene, stack: str, tell: Tell, whole: bool = False) -> Chances:
    """The chances of a fight; `whole` with who holds the place and what the result rests on, which takes as long
    again."""
    from closecombat.asking.exact.answers import SIDES
    from closecombat.asking.exact.chances import work_out
    from closecombat.asking.fights.fight_files import ruleset_of, staged
    from closecombat.asking.keeping.remembered import remembered
    from closecombat.proving.values.budget import SECOND

    until = asked.is_so("until-resolved")
    most = MOST_PATIENCE if asked.is_so("patient") else PATIENCE

    def watch(done: int, left: int) -> None:
        tell(f"{done:,} states of the fight, at least {left:,} to go")

    def found() -> Chances:
        fight = staged(scene, ruleset_of(scene, stack))
        return work_out(
            fight, SIDES, until, watch, common_end=SIDES if whole else "", with_notes=whole, most_work=most * SECOND
        )

    return remembered(scene, stack, ("on the desk", str(whole), str(until), str(most)), found)


# ---- questions --------------------------------------------------------------------------------------------


def _told(asked: Question, folder: Path, tell: Tell) -> Answer:
    """A fight that is shipped or told in words, as the form has it."""
    stack = _stack(asked, folder)
    scene = _scene(asked, folder, stack)
    return {"fight": _document(scene, stack), "remarks": [one.said for one in scene.untold]}


def _form(asked: Question, folder: Path, tell: Tell) -> Answer:
    """What can be said of a fight by the ruleset as it is now."""
    from closecombat.asking.fights.forms import form_of
    from closecombat.binding.load import load
    from closecombat.telling.desk import form_object

    return form_object(form_of(load(_stack(asked, folder)).ruleset))


def _beside_the_base(asked: Question, folder: Path, work_out: Callable[[str], Answer]) -> Answer:
    """Something of the fight by the rules as they are changed, and by those that are shipped, if that is another."""
    from closecombat.text.document import unsaved

    found = work_out(_stack(asked, folder))
    if not asked.texts:
        return {"is": found, "was": None}
    with unsaved({}):
        return {"is": found, "was": work_out(asked.ruleset)}


def _odds(asked: Question, folder: Path, tell: Tell) -> Answer:
    """The chances of the fight."""
    from closecombat.telling.desk import odds_object

    stack = _stack(asked, folder)
    return {"is": odds_object(_chances(asked, _scene(asked, folder, stack), stack, tell))}


def _warm(asked: Question, folder: Path, tell: Tell) -> Answer:
    """Nothing: but what the first change of the rules has to read is read when this is asked, so that the change need
    not wait for it."""
    _odds(asked, folder, tell)
    return {}


def _rest(asked: Question, folder: Path, tell: Tell) -> Answer:
    """What else is to be said of the chances: who holds the place at the end, if the ruleset tells, and what the result
    rests on."""
    from closecombat.telling.desk import rest_object

    def found(stack: str) -> Answer:
        return rest_object(_chances(asked, _scene(asked, folder, stack), stack, tell, whole=True))

    return _beside_the_base(asked, folder, found)


def _written_down(asked: Question, folder: Path, tell: Tell) -> Answer:
    """The fight as a file for the program."""
    from closecombat.text.nodes import Mapping as Document
    from closecombat.text.nodes import block

    scene = _scene(asked, folder, asked.ruleset)
    kept = tuple(entry for entry in scene.document.entries if entry[0].value != "ruleset")
    return {"text": f"ruleset: {asked.ruleset}\n{block(Document(kept, scene.document.span), WIDE)}\n"}


def _rolled(asked: Question, folder: Path, tell: Tell) -> Answer:
    """One playing of the fight, with the dice of a seed."""
    from closecombat.asking.fights.fight_files import ruleset_of, staged
    from closecombat.asking.played.resolution import resolve
    from closecombat.proving.throws.dice import SeededDice
    from closecombat.telling.trace import resolution_object, told_object

    stack, seed = _stack(asked, folder), asked.number("seed")
    scene = _scene(asked, folder, stack)
    fight = staged(scene, ruleset_of(scene, stack))
    played = resolve(fight, SeededDice(seed), asked.is_so("until-resolved"))
    found = resolution_object(played, seed)
    return {key: found[key] for key in ("dice", "seed", "sides", "lost", "units")} | {"story": told_object(played)}


def _findings(asked: Question, folder: Path, tell: Tell) -> Answer:
    """What is wrong with the texts that are changed, and what no longer holds together elsewhere for that; what could
    go in other files is not told, where the examples that use it are not looked at."""
    from closecombat.checking.unsaved import findings_while_edited
    from closecombat.telling.findings import finding_object

    texts = {file: text for file, text in _places(asked, folder).items() if text.strip()}
    told = [_in_file(one, finding_object(one)) for one in findings_while_edited(texts, texts)]
    edited = {file.name for file in texts}
    return {"findings": [one for one in told if one["severity"] == "error" or one["file"] in edited]}


def _offers(asked: Question, folder: Path, tell: Tell) -> Answer:
    """The names that could be written at a place of a text, those of whoever is spoken of there first."""
    from closecombat.asking.editing.names import beginnings, offers, rules_of
    from closecombat.checking.unsaved import home_of
    from closecombat.reading.stack import read_mapping
    from closecombat.text.document import unsaved
    from closecombat.text.faults import Faulty

    name, at = asked.text("file"), asked.number("at")
    places = _places(asked, folder)
    file = next((place for place in places if place.name == name), None)
    if file is None:
        return {"offers": []}
    text = places[file]
    for begun in beginnings(text, at):
        try:
            with unsaved({**places, file: text[:at] + begun + text[at:]}):
                rules = rules_of(home_of(file))
                found = offers(rules, read_mapping(file), at) if rules is not None else ()
        except Faulty:
            continue
        if found:
            return {"offers": [{"name": one.name, "told": one.told, "fits": one.fits} for one in found]}
    return {"offers": []}


def _text(asked: Question, folder: Path, tell: Tell) -> Answer:
    """A file of the ruleset as it is shipped."""
    file = files_of_ruleset(asked.ruleset).get(asked.text("file")) if asked.ruleset else None
    if file is None:
        raise _unclear("the ruleset has no such file")
    return {"text": file.read_text(encoding="utf-8")}


def _rows(asked: Question, folder: Path, tell: Tell) -> Answer:
    """What a house rule can change: each row by its path."""
    from closecombat.asking.printed.shows import effective
    from closecombat.reading.stack import load_stack

    lines = effective(load_stack(asked.ruleset))
    rows = [{"path": one.path, "reads": one.said} for one in lines if one.row or one.section == "options"]
    return {"rows": [row for row in rows if not row["path"].startswith(("clauses.", "assumptions."))]}


def _change(asked: Question, folder: Path, tell: Tell) -> Answer:
    """A change of a row as a house rule says it, to begin with, or to be added to others."""
    from textwrap import indent

    from closecombat.asking.changes.first_changes import first_changes
    from closecombat.asking.changes.scaffold import variant_head
    from closecombat.reading.stack import load_stack

    head = variant_head("house-rule", asked.ruleset)
    made = first_changes(load_stack(asked.ruleset), [asked.text("path")], head)
    return {"head": head, "change": indent(made[0].text, "  ")}


def _changes(asked: Question, folder: Path, tell: Tell) -> Answer:
    """What the texts change of the rules, row by row."""
    from closecombat.asking.changes.rule_changes import rule_changes
    from closecombat.reading.stack import load_stack
    from closecombat.telling.diff import Shown, rule_object
    from closecombat.text.document import unsaved

    other = load_stack(_stack(asked, folder))
    with unsaved({}):
        base = load_stack(asked.ruleset)
    return {"rules": [rule_object(one, Shown(lambda place: place)) for one in rule_changes(base, other)]}


Asked = Callable[[Question, Path, Tell], Answer]
QUESTIONS: Mapping[str, Asked] = MappingProxyType(
    {
        "before": _odds,  # of the rules as they are shipped, beside the others: it is asked without any text
        "change": _change,
        "changes": _changes,
        "findings": _findings,
        "form": _form,
        "odds": _odds,
        "offers": _offers,
        "rest": _rest,
        "rolled": _rolled,
        "rows": _rows,
        "text": _text,
        "told": _told,
        "warm": _warm,
        "written": _written_down,
    }
)
