"""The house: a staircase of modules, and what must not be found in any room.

A new module gets a floor in `FLOORS`: one above the highest that it imports.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "interpreter" / "closecombat"
MODULES = {path.stem: path.read_text("utf-8") for path in sorted(PACKAGE.glob("*.py"))}
TREES = {name: ast.parse(text) for name, text in MODULES.items()}

FLOORS = {
    name: floor
    for floor, names in enumerate(
        [
            "__init__ codes comparisons report_progress resources source values",
            "diagnostics syntax",
            "document hearing report scope symbolic",
            "arithmetic closures dice excluding flow model sentences shape tables ways writes",
            "absorbing fields perhaps program ranges trace",
            "charts liveness pools scripts state terms",
            "bindings narrow nearby notes players reader symmetry vocabulary",
            "lookup names sink targets",
            "amending binder demand",
            "plan procedures variants workings",
            "bound branches chain operations",
            "evaluator exact loading shows soundness",
            "at_once effects leftovers places repetition",
            "choices",
            "acts",
            "rounds",
            "fight",
            "ends examples legal rehearsal scenes",
            "chances check",
            "collection compare report_tables resolution",
            "cli_common coverage pytest_plugin report_chances report_choices report_rules report_tests report_trace scaffold",
            "cli_asking cli_tests report_clauses report_compare",
            "cli_fight cli_reference",
            "cli_choices",
            "cli",
            "__main__",
        ]
    )
    for name in names.split()
}

ONLY_USER = {"ruamel": "document", "lark": "sentences", "jsonschema": "shape", "random": "dice"}
REPORTS = {name for name in MODULES if name.split("_")[0] == "report"}
PRINTERS = REPORTS | {name for name in MODULES if name.split("_")[0] == "cli"}
FLOAT_ROOMS = REPORTS  # percentages for people; a chance itself is a Fraction

GAME_WORDS = r"squad|leader|infantry|vehicle|kill[-_ ]number|drm|shock|melee|ambush|berserk|concealed|afv|mmc|smc"

READ_ONLY = ("Mapping", "Sequence", "Set", "frozenset")

every_module = pytest.mark.parametrize("name", MODULES)


def imports(name: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it the import stands."""
    for node in ast.walk(TREES[name]):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module="closecombat", names=names):
                for each in names:
                    yield f"closecombat.{each.name}" if each.name in MODULES else "closecombat.__init__"
            case ast.ImportFrom(module=module):
                yield module or "a relative import"


def rooms_below(name: str) -> set[str]:
    """The modules of this package that a module imports."""
    found = (each.split(".") for each in imports(name))
    return {parts[1] if len(parts) > 1 else "__init__" for parts in found if parts[0] == "closecombat"}


@every_module
def test_a_module_has_a_floor_and_imports_only_lower_ones(name: str) -> None:
    assert name in FLOORS, f"give `{name}` a floor in this test"
    assert not {other: FLOORS[other] for other in rooms_below(name) if FLOORS[other] >= FLOORS[name]}


@every_module
def test_a_library_has_one_user(name: str) -> None:
    libraries = {each.split(".")[0] for each in imports(name)}
    assert not {each for each in libraries & ONLY_USER.keys() if ONLY_USER[each] != name}
    assert "a relative import" not in libraries


@every_module
def test_no_check_is_an_assertion(name: str) -> None:
    """`python -O` leaves assertions out; what they would have found must be found then too."""
    assert not [node.lineno for node in ast.walk(TREES[name]) if isinstance(node, ast.Assert)]


SWALLOWS_ALL = {
    "cli_common",
    "collection",
    "document",
}  # where a fault of ours is told as one, and hostile text is read


@every_module
def test_no_fault_of_ours_is_swallowed(name: str) -> None:
    caught = [node.type for node in ast.walk(TREES[name]) if isinstance(node, ast.ExceptHandler)]
    broad = [type for type in caught if type is None or ast.unparse(type) in ("Exception", "BaseException")]
    assert name in SWALLOWS_ALL or not broad


@every_module
def test_no_word_of_any_game(name: str) -> None:
    said = re.compile(rf"(?i)(?<![a-z])(?:{GAME_WORDS})s?(?![a-z])")
    lines = enumerate(MODULES[name].splitlines(), 1)
    assert not [(number, word) for number, line in lines for word in said.findall(line)]


@every_module
def test_only_the_command_line_and_the_report_print(name: str) -> None:
    calls = {ast.unparse(node.func) for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)}
    printing = {call for call in calls if re.search(r"(^|\.)(print|echo|secho)$|sys\.std(out|err)\.", call)}
    assert name in PRINTERS or not printing


@every_module
def test_no_floats(name: str) -> None:
    found = [
        node.lineno
        for node in ast.walk(TREES[name])
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert name in FLOAT_ROOMS or not found


@every_module
def test_a_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(TREES[name])


@every_module
def test_no_state_in_a_module(name: str) -> None:
    """What a module holds is declared read-only, so that the type checker refuses to change it."""
    assert not any(isinstance(node, ast.Global) for node in ast.walk(TREES[name]))
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
