"""The house: nine rooms, each on those before it, and what must not be found in any of them.

`interpreter/README.md` is the map in words. What it says of the ways through the house is held here: each goes one way,
and there is no other, since every step is entered where `ENTERED_FROM` says and nowhere else.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "interpreter" / "closecombat"

ROOMS = ("text", "reading", "proving", "binding", "playing", "checking", "asking", "telling", "cli")
DOORS = {"__init__": -1, "__main__": len(ROOMS), "pytest_plugin": len(ROOMS)}  # outside of all rooms

MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path.read_text("utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py" or path.parent == PACKAGE
}
SHELVES = {f"{path.parents[1].name}.{path.parent.name}" for path in PACKAGE.glob("*/*/__init__.py")}
PLACE = re.compile(rf"`((?:{'|'.join(ROOMS)})/[\w/]+)(?:\.py)?`")  # as texts say it
TREES = {name: ast.parse(text) for name, text in MODULES.items()}
NODES = {name: tuple(ast.walk(tree)) for name, tree in TREES.items()}

ONLY_USER = {
    "ruamel": "text.events",
    "lark": "reading.grammar reading.grammar_tables",
    "jsonschema": "reading.shape",
    "random": "proving.throws.dice",
    "numpy": "proving.at_once.arrays",
    "distributed": "asking.crews.cluster",
    "pyarrow": "telling.row_files",
    "jinja2": "telling.html",
    "weasyprint": "telling.pdf",
    "pygls": "cli.editor",
    "lsprotocol": "cli.editor",
}
PRINTING = ("telling", "cli")
FLOATS = ("telling",)  # percentages for people; a chance itself is a Fraction

MAP = (PACKAGE.parent / "README.md").read_text("utf-8")
WAY = re.compile(r"^\*\*(.+?)\*\*.*?, (up|down) .*\n\n((?:\d\. .+\n)+)", re.MULTILINE)
WAYS = [
    pytest.param(
        way, [step.replace("/", ".") for step in re.findall(r"^\d\. `([\w/]+)`", steps, re.MULTILINE)], id=name
    )
    for name, way, steps in WAY.findall(MAP)
]
LONGEST_WAY = 8

ENTERED_FROM = {  # what makes the next thing of the last one, and who calls it
    "reading.charts.read_tables": {"reading.ruleset"},
    "reading.ruleset.read_ruleset": {"binding.load", "checking.check"},
    "binding.charts.Bound": {"binding.load", "checking.check"},
    "binding.sentences.Binder": {"binding.charts"},
    "playing.lookup.read_table": {"playing.run", "asking.exact.ends"},
    "asking.fights.fight_files.read_scene": {"cli.fight", "cli.desk", "asking.sweeps.grid", "asking.weights.ledger"},
    "reading.situation.read_situation": {"playing.fight"},
    "playing.fight.fight": {"asking.fights.fight_files", "asking.examples.examples"},
    "playing.run.Run": {"playing.fight"},
    "playing.combats.play_combats": {"playing.fight"},
    "playing.combats.play_until_resolved": {"playing.fight"},
    "proving.carrying_out.plan.Plan": {"proving.carrying_out.prove"},
    "proving.carrying_out.prove.plan": {"proving.best_play.best", "playing.fight", "playing.state_by_state"},
    "proving.at_once.sampling.Sampler": {"playing.fight"},
    "playing.fight.sampler": {"asking.played.together"},
    "playing.fight.weighed": {"asking.exact.weighing", "asking.exact.chances"},
    "asking.exact.weighing.gone_through": {"asking.exact.chances", "asking.keeping.came_to"},
    "asking.exact.chances.work_out": {"cli.fight", "cli.desk", "asking.systems.compare", "asking.played.playings", "asking.sweeps.sweep"},
}

GAME_WORDS = r"squad|leader|infantry|vehicle|kill[-_ ]number|drm|shock|melee|ambush|berserk|concealed|afv|mmc|smc"

READ_ONLY = ("Mapping", "Sequence", "Set", "frozenset")


def every_module(rule: Callable[[str], None]) -> Callable[[], None]:
    """A rule that holds of each module, as one test that names those of which it does not hold."""

    @wraps(rule)
    def of_each() -> None:
        broken = []
        for name in MODULES:
            try:
                rule(name)
            except AssertionError as why:
                broken.append(f"{name}: {why}")
        assert not broken, "\n".join(broken)

    del of_each.__wrapped__  # or pytest would ask for a name
    return of_each


def imports(name: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it the import stands."""
    for node in NODES[name]:
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                inside = [f"{module}.{each.name}" for each in names]
                own = [one for one in inside if one.removeprefix("closecombat.") in MODULES]
                yield from own
                if len(own) < len(inside):
                    yield module
            case ast.ImportFrom():
                yield "a relative import"


@cache
def below(name: str) -> set[str]:
    """The modules of this package that a module imports."""
    found = {each.removeprefix("closecombat.") for each in imports(name) if each.startswith("closecombat")}
    return {"__init__" if each == "closecombat" else each for each in found}


def floor(name: str) -> int:
    room, _, module = name.partition(".")
    return ROOMS.index(room) if module else DOORS[name]


@every_module
def test_a_module_imports_its_own_room_and_those_below(name: str) -> None:
    assert not {other for other in below(name) if floor(other) > floor(name)}


@pytest.mark.parametrize(("room", "known"), [("text", set()), ("proving", {"reading.types", "reading.slots"})])
def test_a_library_knows_no_ruleset(room: str, known: set[str]) -> None:
    """What a thing, a value and a place of a state are is all that they take from reading."""
    found = {other for name in MODULES if name.startswith(f"{room}.") for other in below(name)}
    assert {other for other in found if other.startswith("reading.")} == known


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_in_a_room(room: str) -> None:
    left = {name: {other for other in below(name) if other.startswith(f"{room}.")} for name in MODULES}
    left = {name: others for name, others in left.items() if name.startswith(f"{room}.")}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left


def test_every_folder_is_a_room() -> None:
    assert {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(ROOMS)
    assert {name for name in MODULES if "." not in name} == set(DOORS)


@cache
def seen_from(name: str) -> set[str]:
    """The modules that a module imports, and those that these import, and so on."""
    seen: set[str] = set()
    new = {name}
    while new:
        new = {other for one in new for other in below(one)} - seen
        seen |= new
    return seen


def test_the_map_names_three_ways() -> None:
    assert [way.id for way in WAYS] == ["A row", "A situation", "An answer"]


@pytest.mark.parametrize(("way", "steps"), WAYS)
def test_a_way_goes_one_way(way: str, steps: list[str]) -> None:
    assert 2 <= len(steps) <= LONGEST_WAY and set(steps) <= set(MODULES)
    downward = steps if way == "down" else steps[::-1]
    assert [floor(each) for each in downward] == sorted(map(floor, downward), reverse=True)
    for place, step in enumerate(downward):
        assert not seen_from(step) & set(downward[:place]), f"{step} climbs back"


@pytest.mark.parametrize("step", ENTERED_FROM)
def test_a_step_is_entered_from_nowhere_else(step: str) -> None:
    module, name = step.rsplit(".", 1)
    entered = {each for each in MODULES if each != module and name in called_of(each, module)}
    assert entered == ENTERED_FROM[step]


def called_of(name: str, other: str) -> set[str]:
    """What a module calls, or hands on, of another one."""
    names: dict[str, str] = {}
    modules: set[str] = set()
    for node in NODES[name]:
        match node:
            case ast.ImportFrom(module=str(module), names=imported) if module == f"closecombat.{other}":
                names |= {each.asname or each.name: each.name for each in imported}
            case ast.ImportFrom(module=str(module), names=imported):
                modules |= {
                    each.asname or each.name for each in imported if f"{module}.{each.name}" == f"closecombat.{other}"
                }
    used: set[str] = set()
    for node in NODES[name]:
        if isinstance(node, ast.Call):
            for part in (node.func, *node.args):
                match part:
                    case ast.Name(id=id) if id in names:
                        used.add(names[id])
                    case ast.Attribute(value=ast.Name(id=id), attr=attr) if id in modules:
                        used.add(attr)
    return used


def test_the_map_names_what_there_is() -> None:
    named = {each.replace("/", ".") for each in re.findall(PLACE, MAP)}
    assert named <= {*MODULES, *SHELVES}
    assert re.findall(r"^\| `(\w+)/` \|", MAP.partition("## Shelves")[0], re.MULTILINE) == list(ROOMS)
    tests = {path.name for path in Path(__file__).parent.rglob("test_*.py")}
    assert set(re.findall(r"`(test_\w+\.py)`", MAP)) <= tests


@pytest.mark.parametrize("room", ROOMS)
def test_a_shelf_stands_on_those_before_it(room: str) -> None:
    """Folders of a room are as rooms: in the order of the map, and no module lies beside them."""
    shelves = re.findall(r"^\| `(\w+)/` \|", MAP.partition(f"| in `{room}/` |")[2].partition("\n\n")[0], re.MULTILINE)
    assert sorted(f"{room}.{shelf}" for shelf in shelves) == sorted(each for each in SHELVES if each.startswith(f"{room}."))
    inside = [name for name in MODULES if shelves and name.startswith(f"{room}.")]
    assert all(len(name.split(".")) == 3 for name in inside)
    place = {name: shelves.index(name.split(".")[1]) for name in inside}
    assert [(name, other) for name in inside for other in below(name) if place.get(other, -1) > place[name]] == []


def test_the_tests_of_a_module_lie_in_its_room() -> None:
    here = Path(__file__).parent
    folders = {path.parent for path in here.rglob("test_*.py")}
    systems = {path.parent for path in here.glob("systems/*/ruleset.yaml")}
    assert folders - systems <= {here, *(here / room for room in ROOMS)}
    for path in here.rglob("test_*.py"):  # of a module's own name
        rooms = {name.partition(".")[0] for name in MODULES if name.endswith(f".{path.stem.removeprefix('test_')}")}
        assert path.parent == here or not rooms or path.parent.name in rooms, path.name


@cache
def asked_for() -> frozenset[tuple[str, str]]:
    """Every name that one module of the package takes from another, with that other."""
    found: set[tuple[str, str]] = set()
    for nodes in NODES.values():
        called: dict[str, str] = {}  # a module by the name it goes by here
        for node in nodes:
            match node:
                case ast.ImportFrom(module=str(module), names=names) if module.startswith("closecombat"):
                    room = module.removeprefix("closecombat").lstrip(".")
                    for each in names:
                        if f"{room}.{each.name}" in MODULES:
                            called[each.asname or each.name] = f"{room}.{each.name}"
                        found.add((room, each.name))
        for node in nodes:
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in called:
                    found.add((called[name], attribute))
    return frozenset(found)


def defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


@every_module
def test_nothing_is_there_for_a_test_alone(name: str) -> None:
    """Whatever a module has at its top is asked for by the rest of it, or by another module."""
    body = TREES[name].body
    here = [{node.id for node in ast.walk(one) if isinstance(node, ast.Name)} for one in body]
    named = Counter(each for names in here for each in names)
    for names, statement in zip(here, body, strict=True):
        others = {each for each in defined(statement) if named[each] > (each in names)}
        dead = [each for each in defined(statement) if each not in others and (name, each) not in asked_for()]
        assert [each for each in dead if not re.match("__|pytest_", each)] == []


CHANGES = {"append", "add", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}


# What a run is made of, and what of it others may change; the run itself lends it.
LENT = {"run.recorder.add", "run.recorder.sums.append", "run.recorder.sums.clear", "run.notes.met.update"}
LENT |= {"run.state.created.add", "run.shop.ranges", "run.shop.falls"}


def writes_to_a_run(tree: ast.AST) -> Iterator[str]:
    """What changes something that a run keeps: an assignment to it, or to a part of it, and calls that change it."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=found):
                targets = [each for one in found for each in (one.elts if isinstance(one, ast.Tuple) else [one])]
            case ast.AnnAssign(target=one) | ast.AugAssign(target=one):
                targets = [one]
            case ast.Delete(targets=found):
                targets = found
            case ast.Call(func=ast.Attribute(value=ast.Attribute(), attr=attr) as changing) if attr in CHANGES:
                targets = [changing]
            case ast.Attribute(attr=attr) if attr.startswith("_"):
                targets = [node]
            case _:
                continue
        for target in targets:
            while isinstance(target, ast.Subscript):
                target = target.value
            said = ast.unparse(target)
            if re.fullmatch(r"(\w+\.)?_?(run|world)(\.\w+)+", said):
                yield said


@every_module
def test_a_run_has_walls(name: str) -> None:
    """Nobody but a run changes what it keeps; whoever needs it changed asks for what is meant."""
    assert name == "playing.run" or not set(writes_to_a_run(TREES[name])) - LENT


@pytest.mark.parametrize(
    "written",
    [
        "run.slots[one] = 1",
        "self.run.steps, other = [], 1",
        "run.asked += 1",
        "run.before.setdefault(row, [])",
        "print(run._journals)",
        "del run.slots[one]",
        "world.recorder = None",
    ],
)
def test_a_write_to_a_run_is_seen(written: str) -> None:
    assert list(writes_to_a_run(ast.parse(written)))


BINDERS = {"binding.sentences", "binding.sequences", "binding.vocabulary"}  # what only binding and checking know


@every_module
def test_after_binding_no_name_is_looked_up(name: str) -> None:
    """Whoever plays or asks has what is bound, and not what binds it."""
    if name.startswith(("playing.", "asking.", "telling.", "cli.")):
        assert not below(name) & BINDERS
        used = {node.attr for node in NODES[name] if isinstance(node, ast.Attribute)}
        assert not used & {"binder", "_binder", "plurals"}


@every_module
def test_a_library_has_one_user(name: str) -> None:
    libraries = {each.split(".")[0] for each in imports(name)}
    assert not {each for each in libraries & ONLY_USER.keys() if name not in ONLY_USER[each].split()}
    assert "a relative import" not in libraries


# From what is ours, in which no text of a designer stands: trees, operations, and the names of fields of our classes.
WRITE_CODE = {"playing.writing", "proving.writing.fusing", "text.slotted"}


@every_module
def test_three_modules_write_code(name: str) -> None:
    names = {node.id for node in NODES[name] if isinstance(node, ast.Name)}
    assert not names & {"eval", "__import__", "globals"}
    assert name in WRITE_CODE or not names & {"exec", "compile"}


@every_module
def test_no_check_is_an_assertion(name: str) -> None:
    """`python -O` leaves assertions out; what they would have found must be found then too."""
    assert not [node.lineno for node in NODES[name] if isinstance(node, ast.Assert)]


SWALLOWS_ALL = {
    "cli.common",
    "asking.examples.collection",
    "asking.examples.mutation",
    "asking.sweeps.sweep",
    "text.events",
}  # where a fault of ours is told as one, and hostile text is read


@every_module
def test_no_fault_of_ours_is_swallowed(name: str) -> None:
    caught = [node.type for node in NODES[name] if isinstance(node, ast.ExceptHandler)]
    broad = [type for type in caught if type is None or ast.unparse(type) in ("Exception", "BaseException")]
    assert name in SWALLOWS_ALL or not broad


@every_module
def test_no_word_of_any_game(name: str) -> None:
    said = re.compile(rf"(?i)(?<![a-z])(?:{GAME_WORDS})s?(?![a-z])")
    lines = enumerate(MODULES[name].splitlines(), 1)
    assert not [(number, word) for number, line in lines for word in said.findall(line)]


@every_module
def test_only_the_command_line_and_the_report_print(name: str) -> None:
    calls = {ast.unparse(node.func) for node in NODES[name] if isinstance(node, ast.Call)}
    printing = {call for call in calls if re.search(r"(^|\.)(print|echo|secho)$|sys\.std(out|err)\.", call)}
    assert name.startswith(PRINTING) or not printing


@every_module
def test_no_floats(name: str) -> None:
    found = [
        node.lineno
        for node in NODES[name]
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert name.startswith(FLOATS) or not found


@every_module
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(TREES[name])


@every_module
def test_no_method_is_written_before_it_is_called(name: str) -> None:
    """`text/slotted` says why."""
    taken = {
        each.name
        for node in NODES[name]
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if node.module == "dataclasses"
    }
    assert name == "text.slotted" or "dataclass" not in taken


@every_module
def test_a_dataclass_says_what_it_is(name: str) -> None:
    """Where none does, the library writes its signature out instead: a third of the time that it takes to make it."""
    classes = [node for node in NODES[name] if isinstance(node, ast.ClassDef)]
    made = [each for each in classes if any("dataclass" in ast.unparse(one) for one in each.decorator_list)]
    assert [each.name for each in made if not ast.get_docstring(each)] == []


@every_module
def test_a_module_that_is_named_is_there(name: str) -> None:
    """Whatever says `room/module` or `room/shelf/module`, of itself or of another."""
    named = {each.replace("/", ".") for each in re.findall(PLACE, MODULES[name])}
    assert named - MODULES.keys() - SHELVES == set()


@every_module
def test_no_state_in_a_module(name: str) -> None:
    """What a module holds is declared read-only, so that the type checker refuses to change it."""
    assert not any(isinstance(node, ast.Global) for node in NODES[name])
    changeable = [
        ast.unparse(target)
        for node in TREES[name].body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and is_mutable(node.value)
        and not (isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).startswith(READ_ONLY))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    assert changeable in ([], ["__all__"])


def is_mutable(value: ast.expr | None) -> bool:
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=made)):
            return made in ("list", "dict", "set", "bytearray", "defaultdict", "deque", "Counter")
    return False
