"""Finding examples: which files hold them, and the ruleset that each is run against. Running one is `examples`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from closecombat.asking.crews.batches import Crew, carried_out
from closecombat.asking.examples.examples import Result, examples_in, run_example
from closecombat.binding.charts import Bound
from closecombat.binding.load import load, loaded
from closecombat.proving.values.budget import UNASKED
from closecombat.reading.fields import text_of
from closecombat.reading.model import name_of_stack
from closecombat.reading.sentences import keep_sentences
from closecombat.reading.stack import RULESET, as_mapping, load_stack, meant, shipped
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Diagnostic, Faulty, suggest
from closecombat.text.files import YAML
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """A file of examples. `ruleset` is the one it lies in, as `-r` takes it; it may name another itself."""

    file: str | Path
    ruleset: str
    near: Path | None


@dataclass(frozen=True, slots=True)
class Tested:
    """What became of one example, by which ruleset; `file` holds it, and `by` is what -r has to say to run it again so,
    nothing where the example says it itself."""

    ruleset: str
    result: Result
    file: str = ""
    by: str = ""

    @property
    def passed(self) -> bool:
        return not self.result.faults


def example_files(paths: Iterable[str]) -> list[ExampleFile]:
    """The example files that names of shipped rulesets, folders and files mean; each once, in a fixed order.

    Raises Faulty if a path does not exist.
    """
    found: dict[str, ExampleFile] = {}
    for path in paths:
        for one in _below(path):
            found.setdefault(str(one.file), one)
    return list(found.values())


def _below(path: str) -> Iterator[ExampleFile]:
    place, known = Path(path), shipped()
    if path == "-":
        yield ExampleFile("-", "", None)
    elif path in known and not place.exists():
        yield from _shipped(path, known[path])
    elif place.is_dir():
        for folder in sorted({*place.rglob("examples"), *([place] if place.absolute().name == "examples" else [])}):
            if folder.is_dir() and not any(part.startswith(".") for part in folder.relative_to(place).parts):
                for file in sorted(folder.rglob("*")):
                    if file.suffix in YAML and file.is_file():
                        yield _file(file)
    elif place.is_file():
        if place.name == "ruleset.yaml":
            yield from _below(str(place.parent))
        elif _are_rules(place):
            yield from _under(path)
        else:
            yield _file(place)
    elif path in known:
        yield from _shipped(path, known[path])
    elif "+" in path or path in shipped("variants"):
        yield from _under(path)
    else:
        raise Faulty.one(
            "file-not-found",
            f"`{path}` is neither a file, a folder nor a shipped ruleset",
            None,
            help=meant(path, RULESET)
            or suggest(path, (*known, *shipped("variants")))
            or "shipped: " + ", ".join((*known, *shipped("variants"))),
        )


def examples_beside(place: Path) -> list[ExampleFile]:
    """The example files in the folder `examples/` of a ruleset's folder, or beside a file."""
    folder = (place if place.is_dir() else place.parent) / "examples"
    return example_files((str(folder),)) if folder.is_dir() else []


def _shipped(name: str, folder: Path) -> Iterator[ExampleFile]:
    examples = folder / "examples"
    for file in sorted(examples.iterdir(), key=lambda each: each.name) if examples.is_dir() else ():
        if file.name.endswith(YAML):
            yield ExampleFile(file, name, file.parent)


def _under(stack: str) -> Iterator[ExampleFile]:
    """The examples of the ruleset at the bottom of a stack, run against all of it."""
    found = load_stack(stack)
    loaded(found)
    for one in examples_beside(found.base):
        yield ExampleFile(one.file, stack, one.near)


def _are_rules(file: Path) -> bool:
    """Whether a file is a ruleset or a variant; what cannot be read is said when it is run."""
    try:
        document = as_mapping(parse(read_source(file)))
    except Faulty:
        return False
    return "variant" in document or "kinds" in document


def _file(file: Path) -> ExampleFile:
    """A file that lies below some ruleset's `examples/` belongs to that ruleset."""
    for folder in file.parents:
        if folder.name == "examples" and (folder.parent / "ruleset.yaml").is_file():
            return ExampleFile(file, folder.parent.as_posix() + "/", file.parent)
    return ExampleFile(file, "", file.parent)


MANY_FILES = 12  # so many are run by several processes, where nobody says by how many


def all_tested(
    files: Sequence[ExampleFile],
    stack: str,
    only: str,
    crew: Crew,
    watch: Callable[[int, int], None],
    most_work: int | None = UNASKED,
) -> tuple[list[Tested], int]:
    """The examples of some files, run by whoever there is, in the order of the files, and how many files that are: all,
    unless it was interrupted. `watch` is told how many files are done, and how many examples have failed. `most_work`
    is that of each example."""
    found: dict[int, list[Tested]] = {}
    failed = 0
    work = (
        partial(_run, Bench(stack, most_work), only) if not crew.hands else partial(_run_there, stack, most_work, only)
    )
    with suppress(KeyboardInterrupt):
        for batch, tested in carried_out(crew, work, enumerate(files)):
            for (place, _), mine in zip(batch, tested or [[_lost(stack, file) for _, file in batch]], strict=True):
                found[place] = mine
                failed += sum(not one.passed for one in mine)
            watch(len(found), failed)
    return [one for place in sorted(found) for one in found[place]], len(found)


def _run(bench: Bench, only: str, batch: tuple[tuple[int, ExampleFile], ...]) -> list[list[Tested]]:
    return [list(bench.run(file, only)) for _, file in batch]


def _run_there(
    stack: str, most_work: int | None, only: str, batch: tuple[tuple[int, ExampleFile], ...]
) -> list[list[Tested]]:
    """The same in another process, which is there for this alone: what it has read it need not read again."""
    return _run(_bench(stack, most_work), only, batch)


@lru_cache(maxsize=1)
def _bench(stack: str, most_work: int | None) -> Bench:
    return Bench(stack, most_work)


def _lost(stack: str, one: ExampleFile) -> Tested:
    said = "the process that ran these examples was ended, as a system does where memory runs out"
    fault = Diagnostic("budget-exceeded", "error", said, None, (), "run them by themselves, with --jobs 1")
    return Tested(stack or one.ruleset.rstrip("/"), _failed(_stem(one), one, (fault,)))


class Bench:
    """Runs examples, none for more than `most_work`; a ruleset that several files use is read once."""

    def __init__(self, stack: str = "", most_work: int | None = UNASKED) -> None:
        self._stack, self._most_work = stack, most_work
        self._bound: dict[tuple[str, str], Bound | Faulty] = {}

    def run(self, one: ExampleFile, only: str = "") -> Iterator[Tested]:
        """The examples of a file whose names have `only` in them; what cannot be run is one that fails."""
        try:
            document = read(one)
            named = list(examples_of(one, document))
        except Faulty as error:
            yield Tested(self._stack or one.ruleset.rstrip("/"), _failed(_stem(one), one, error.diagnostics))
            return
        for name, example in named:
            if only in name:
                yield self.run_one(one, document, name, example)
        keep_sentences((document.span.source,))

    def run_one(self, one: ExampleFile, document: Mapping, name: str, example: Mapping) -> Tested:
        try:
            named = example.get("ruleset") or document.get("ruleset")
            bound = self._ruleset(named, example, one)
            by = self._stack or ("" if named is not None else one.ruleset)
            result = run_example(bound, example, self._most_work, name)
            return Tested(name_of_stack(bound.ruleset), result, str(one.file), by)
        except Faulty as error:
            return Tested(self._stack or one.ruleset.rstrip("/"), _failed(name, one, error.diagnostics))
        except Exception as bug:
            bug.add_note(f"in the example {name}")
            raise

    def _ruleset(self, named: Node | None, example: Mapping, one: ExampleFile) -> Bound:
        if self._stack:
            name, near, at = self._stack, None, None
        elif named is not None:
            name, near, at = text_of(named, "the name of a ruleset"), one.near, named.span
        elif one.ruleset:
            name, near, at = one.ruleset, None, None
        else:
            raise Faulty.one(
                "unknown-ruleset",
                "nothing says by which ruleset this is run",
                example.span.part(0, 1),
                help="add `ruleset:`, put it into the folder `examples/` of a ruleset, or use -r",
            )
        key = (name, str(near))
        if key not in self._bound:
            try:
                self._bound[key] = load(name, near, at)
            except Faulty as error:
                self._bound[key] = error
        found = self._bound[key]
        if isinstance(found, Faulty):
            raise found
        return found


def read(one: ExampleFile) -> Mapping:
    """The document of a file of examples."""
    return as_mapping(parse(read_source(one.file)))


def examples_of(one: ExampleFile, document: Mapping) -> Iterator[tuple[str, Mapping]]:
    """The examples of a file with their names; one without a name goes by that of its file."""
    for example in examples_in(document):
        id = example.get("example")
        yield (id.value if isinstance(id, Text) and id.value else _stem(one)), example


def _stem(one: ExampleFile) -> str:
    return "-" if isinstance(one.file, str) else one.file.name.rpartition(".")[0]


def _failed(id: str, one: ExampleFile, faults: tuple[Diagnostic, ...]) -> Result:
    place = next((fault.span for fault in faults if fault.span), None)
    return Result(id, place or Span(Source(str(getattr(one.file, "name", one.file)), ""), 0, 0), (), faults)
