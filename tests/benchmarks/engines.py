"""Who can enter, with what is to be installed, and for what."""

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from contest import Contest

HAND, OURS = "hand-written", "closecombat"
DICE, TABLES, PLAY, FIGHTS, ENDS = "dice", "tables", "play", "fights", "ends"


@dataclass(frozen=True, slots=True)
class Engine:
    """A module with `contest(workload)`, or `contest(engine, workload)` for several engines; `package` is what
    `pip install` calls it, and nothing where it is a part of this."""

    name: str
    module: str
    families: tuple[str, ...]
    package: str = ""


ENGINES = {
    engine.name: engine
    for engine in (
        Engine(HAND, "hand", (DICE, TABLES, PLAY)),
        Engine(OURS, "interpreter", (DICE, TABLES, PLAY, FIGHTS, ENDS)),
        *(Engine(name, "dice_libraries", (DICE,), name) for name in ("icepool", "dyce")),
        *(
            Engine(package, "rule_engines", (TABLES,), package)
            for package in (
                "zen-engine",
                "cel-expr-python",
                "common-expression-language",
                "panzi-json-logic",
                "simpleeval",
                "asteval",
                "business-rules",
                "durable_rules",
                "rule-engine",
                "regopy",
                "experta",
                "SpiffWorkflow",
                "cel-python",
                "pyDMNrules",
            )
        ),
    )
}


def installed(engine: Engine) -> str:
    """The version of an engine that is there: of the one we are and of what is written by hand nothing is asked."""
    if not engine.package:
        return "here"
    try:
        return version(engine.package)
    except PackageNotFoundError:
        return ""


def entered(name: str, workload: str) -> Contest:
    engine = ENGINES[name]
    contest = import_module(engine.module).contest
    found = contest(name, workload) if engine.package else contest(workload)
    if not isinstance(found, Contest):
        raise TypeError(name)
    return found
