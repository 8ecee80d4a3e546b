"""The same workloads by the interpreter, from rules in YAML: `rulesets/` and the shipped ones.

Reading is not timed, of the rules, the situation or the sentences that are asked: the whole question begins when all
of them are parsed. What a command takes with its reading is timed by `processes.py`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from contest import PLAYINGS, Absent, Contest
from tables import CASES, ODDS, OF_A_SIDE, OF_THE_PLACE, TABLES, Test, cases, rows

from closecombat.asking.exact.answers import SIDES
from closecombat.asking.exact.chances import work_out
from closecombat.asking.fights.fight_files import NoSuchFight, read_scene, ruleset_of, single, staged
from closecombat.asking.played.resolution import resolve
from closecombat.asking.played.together import BATCH
from closecombat.binding.load import load
from closecombat.binding.trace import Event
from closecombat.playing import fight as f
from closecombat.playing import often
from closecombat.playing.compiled import charts_of
from closecombat.playing.notes import without_notes
from closecombat.playing.run import Run
from closecombat.proving.carrying_out.plan import Plan
from closecombat.proving.carrying_out.prove import plan
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading.sentences import parse as read
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Thing
from closecombat.text.document import Source, parse
from closecombat.text.nodes import Mapping, Text

if TYPE_CHECKING:
    from closecombat.proving.at_once.sampling import Sampled

RULESETS = Path(__file__).parent / "rulesets"
POOLS = "ruleset: w1\nsituation: {{fight: {{attacker: a}}, sides: {{a: {{men: {}}}, b: {{men: {}}}}}}}\n"
SYMBOLS = "ruleset: w4\nsituation: {{fight: {{attacker: a, defender: b}}, sides: {{a: {{dice-count: {0}}}, b: {{dice-count: {0}}}}}}}\n"
W1 = ("kills of a", "shocks of a", "kills of b", "shocks of b", "row")
W2 = tuple(f"{fact} of {unit}" for unit in ("a1", "a2", "b1", "b2") for fact in ("in-play", "reduced"))
W3 = tuple(f"number of units of {side} where ({kind})" for side in ("a", "b") for kind in ("squad", "half-squad"))
W4 = ("damage-taken of b", "suppression-taken of b", "criticals-taken of b")


def contest(workload: str) -> Contest:
    match workload.split("-"):
        case ["w1", "joint", size]:
            return asked("w1", POOLS.format(*size.split("v")), W1)
        case ["w1", "row", size]:
            return asked("w1", POOLS.format(*size.split("v")), ("row",))
        case ["w1", "rounds", "row", size]:
            return asked("w1-rounds", POOLS.format(*size.split("v")), ("row", "round"))
        case ["w1", "rounds", "full", size]:
            return asked("w1-rounds", POOLS.format(*size.split("v")), ("row", *W1[:-1]))
        case ["w2"]:
            return asked("w2", written("w2-fight"), W2, squads_and_leader)
        case ["w3", size]:
            return asked("w3", written(f"w3-{size}"), W3)
        case ["w4", size]:
            return asked("w4", SYMBOLS.format(size.split("v")[0]), W4)
        case ["w5", "together"]:
            return together(f.fight(load("./w2.yaml", RULESETS), document(written("w2-fight"))), W2)
        case ["play", "together", *system]:
            return together(staged_fight("farmhouse", "-".join(system)))
        case ["w5", how]:
            return w5(how == "traced")
        case [table] if table in TABLES:
            return modifiers(table)
        case ["fight", *system]:
            return shipped("farmhouse", "-".join(system))
        case ["play", how, *system]:
            return played("farmhouse", "-".join(system), how == "traced")
    engagement, _, system = workload.removeprefix("end:").partition(":")
    return to_the_end(engagement, system)


# ---- chances ------------------------------------------------------------------------------------------------


def written(name: str) -> str:
    return (RULESETS / f"{name}.yaml").read_text(encoding="utf-8")


def document(text: str) -> Mapping:
    sentence("yes")
    return as_mapping(parse(Source("a situation", text)))


def asked(ruleset: str, situation: str, questions: Sequence[str], end: Callable = lambda table: table) -> Contest:
    bound, parsed = load(f"./{ruleset}.yaml", RULESETS), document(situation)
    texts = [sentence(question) for question in questions]

    def values(run: Run) -> Iterator[Value]:
        return (f.asked(run, text)[0] for text in texts)

    return chances(lambda: f.fight(bound, parsed), values, end)


def chances(
    fight: Callable[[], f.Fight], values: Callable[[Run], Iterator[Value]], end: Callable = lambda table: table
) -> Contest:
    """Ready is the plan of the question; the answer is the distribution that it works out."""

    def ready() -> Plan:
        run = f.begin(fight(), None)
        f.go(run)
        wanted = list(values(run))
        return plan(run.shop, without_notes(run.draft.steps) if run.notes.found else run.draft.steps, wanted)

    return Contest(lambda: ready().run(), lambda: ready().run, lambda answer: end(answer[0]))


def sentence(text: str) -> Text:
    node = parse(Source("a question", text))
    if not isinstance(node, Text):
        raise TypeError(text)
    read(node, "value")  # so that the grammar is there
    return node


def squads_and_leader(table: dict) -> dict:
    """The two squads of the defender are alike."""
    out: dict = {}
    for row, weight in table.items():
        end = ended(row)
        out[end] = out.get(end, 0) + weight
    return out


def ended(row: Sequence[Any]) -> tuple:
    """How W2 ended, of in play or not and reduced or not for each unit."""
    status = [
        "gone" if not there else "reduced" if hurt else "ok" for there, hurt in zip(row[::2], row[1::2], strict=True)
    ]
    return (status[0], status[1]), tuple(sorted(status[2:]))


def shipped(engagement: str, system: str) -> Contest:
    """How each side ends and what it loses, in one close combat."""
    fight = staged_fight(engagement, system)

    def values(run: Run) -> Iterator[Value]:
        yield from f.verdicts(run).values()
        yield from f.losses(run).values()

    return chances(lambda: fight, values)


def staged_fight(engagement: str, system: str) -> f.Fight:
    sentence("yes")
    told = read_scene(engagement)
    scene = told.systems[system].scene
    if isinstance(scene, NoSuchFight):
        raise Absent(f"{system} has no such fight")
    return staged(single(told, system), ruleset_of(single(told, system), system), ())


def to_the_end(engagement: str, system: str) -> Contest:
    """As the command asks it: `chances ENGAGEMENT -r SYSTEM --by sides --until resolved`."""
    fight = staged_fight(engagement, system)

    def whole() -> Any:
        return work_out(fight, SIDES, True, states)

    return Contest(whole, end=lambda found: {tuple(one.sides.items()): one.probability for one in found.outcomes})


SEEN = [0]  # how many states of a fight to its end have been worked out, also of one that is cut short


def states(done: int, left: int) -> None:
    SEEN[0] = done


# ---- play ---------------------------------------------------------------------------------------------------


class Rolls(SeededDice):
    """The dice that the one who plays by hand has from the same seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.roll = partial(Random(seed).randint, 1, 6)

    def face(self, faces: tuple, what: str) -> int:
        return self.roll()


def w5(traced: bool) -> Contest:
    bound, parsed = load("./w2.yaml", RULESETS), document(written("w2-fight"))
    texts = [sentence(question) for question in W2]
    one = f.fight(bound, parsed)

    def check(seed: int) -> tuple:
        """By one fight that is played often: most of it is recalled."""
        if traced:
            units = resolve(one, Rolls(seed)).units
            hurt = {name: ("gone" in facts, "reduced" in facts) for name, facts in units.items()}
            pairs = [hurt.get(name, (False, False)) for name in ("a1", "a2", "b1", "b2")]
            return ended([mark for gone, reduced in pairs for mark in (not gone, reduced)])
        return ended(
            often.played(one, Rolls(seed), False, "units", lambda run: [f.asked(run, text)[0] for text in texts])[0]
        )

    return often_played(
        lambda: f.fight(bound, parsed), Rolls(1), traced, lambda: [check(seed) for seed in range(PLAYINGS)]
    )


MANY = 2_000  # playings of one fight


def often_played(fight: Callable[[], f.Fight], dice: SeededDice, traced: bool, check: Callable[[], Any]) -> Contest:
    """A playing of a fight that is played many times; of one with a trace all that happened is read."""

    def plays(one: f.Fight) -> Any:
        if traced:
            return read_through(resolve(one, dice).events)
        if often.recalls(one, dice):
            return often.played(one, dice, False, "end", lambda run: None)
        return bare(one, dice)

    def ready() -> Callable[[], None]:
        one = fight()

        def many() -> None:
            for _ in range(MANY):
                plays(one)

        return many

    return Contest(lambda: plays(fight()), ready, check=check, times=MANY)


def read_through(events: Sequence[Event]) -> int:
    """Reads every text of a trace: how long it is."""
    size = 0
    for event in events:
        size += len(event.name) + len(event.of) + len(event.because) + len(str(event.value))
        for row, gives, cites in event.causes:
            size += len(row) + len(gives) + sum(map(len, cites))
        if event.inside:
            size += read_through(event.inside)
    return size


def bare(fight: f.Fight, dice: SeededDice) -> Run:
    run = f.begin(fight, dice)
    f.go(run)
    return run


def played(engagement: str, system: str, traced: bool) -> Contest:
    fight = staged_fight(engagement, system)
    ends: Callable[[Run], list] = lambda run: [str(value) for value in f.verdicts(run).values()]  # noqa: E731
    return often_played(
        lambda: fight, SeededDice(1), traced, lambda: [ends(bare(fight, SeededDice(seed))) for seed in range(20)]
    )


def together(fight: f.Fight, questions: Sequence[str] = ()) -> Contest:
    """A fight played by numpy, a batch of thousands of playings at once: how often each end comes up, of what the
    questions say of it, or of how each side ends."""
    texts = [sentence(question) for question in questions]

    def ready() -> Callable[[], dict]:
        from closecombat.proving.at_once.arrays import counted, grouped

        def ends(found: "Sampled") -> dict:
            places, first = grouped(found.columns, [coding.bits for coding in found.codings])
            told = list(zip(found.columns, found.codings, strict=True))
            rows = [tuple([coding.values[column[row]] for column, coding in told]) for row in first]
            return dict(zip(rows, counted(places, len(rows)), strict=True))

        run, numbers = f.begin(fight, None), count(1)
        f.go(run)
        values = [f.asked(run, text)[0] for text in texts] or list(f.verdicts(run).values())
        sampler = f.sampler(run, values)
        return lambda: ends(sampler.batch(1, next(numbers), BATCH))

    return Contest(lambda: ready()(), ready, times=BATCH)


# ---- tables -------------------------------------------------------------------------------------------------

HOW = {"=": "{}", "at least": "at least {}", "at most": "at most {}"}


def modifiers(workload: str) -> Contest:
    """The table of a ruleset, read in a situation that is known; ready is a run for each situation and whom it is read
    for, with the table compiled as one is that is read often. What it reads is read anew each time: a long table, which
    is remembered as long as nothing changes, is forgotten before."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "modifiers.yaml").write_text(ruleset(workload), encoding="utf-8")
        bound = load("./modifiers.yaml", Path(folder))
    parsed = [document(situation(case)) for case in cases()]

    def begun(one: Mapping) -> tuple[Run, tuple[Thing]]:
        run = f.begin(f.fight(bound, one), SeededDice(1))
        return run, (run.state.things["attacker"],)

    def read(run: Run, whom: tuple[Thing]) -> Value:
        return run.table("modifier", whom)

    def read_anew(run: Run, whom: tuple[Thing]) -> Value:
        run.changed()
        return run.table("modifier", whom)

    def ready() -> Callable[[], list]:
        known = [begun(one) for one in parsed]
        charts = charts_of(bound, False)
        charts.prepare("modifier")
        if not charts.plain["modifier"].is_long:
            return lambda: [run.table("modifier", whom) for run, whom in known]
        return lambda: [read_anew(*one) for one in known]

    return Contest(
        lambda: [read(*begun(parsed[0]))], ready, check=lambda: [read(*begun(one)) for one in parsed], times=CASES
    )


def ruleset(workload: str) -> str:
    def facts(all: dict[str, Any]) -> str:
        return ", ".join(f"{name}: {declared(type)}" for name, type in all.items())

    lines = [
        "ruleset: modifiers",
        "title: Tables to look things up in",
        "about: A list of modifiers, or a chart of odds, and nothing that happens.",
        "language: 1",
        "start: nothing",
        "kinds:",
        f"  fight: {{one: yes, given: {{{facts(OF_THE_PLACE)}}}}}",
        f"  side: {{given: {{enemy: the other side, {facts(OF_A_SIDE)}}}, noted: {{total: -5000 to 5000}}}}",
        "tables:",
        "  modifier:",
        "    about: side",
    ]
    if workload == "r3":
        headings = ", ".join(f"{left}-{right}" for left, right in ODDS)
        lines += ["    across: strength to strength of enemy", f"    columns: [{headings}]"]
        lines += [f"    cells: [{', '.join(str(at) for at in range(1, len(ODDS) + 1))}]", "    ends: stay"]
    else:
        lines.append("    adds-up:")
        for at, row in enumerate(rows(TABLES[workload]), 1):
            tests = "".join(f"{subject(test)}: {cell(test)}, " for test in row.tests)
            lines.append(f"      row-{at}: {{{tests}add: {row.add}}}")
    lines += ["sequences:", "  nothing:", "    in-order:", "      set: {each: side, do: set total to modifier}"]
    return "\n".join(lines) + "\n"


def declared(type: Any) -> str:
    if type == "flag":
        return "flag"
    return f"{type[0]} to {type[-1]}" if isinstance(type, range) else f"[{', '.join(type)}]"


def subject(test: Test) -> str:
    return {"attacker": test.fact, "target": f"{test.fact} of enemy", "place": f"{test.fact} of fight"}[test.who]


def cell(test: Test) -> str:
    match test.how, test.what:
        case "is", so:
            return "yes" if so else "no"
        case "in", words:
            return " or ".join(words)
        case how, number:
            return HOW[how].format(number)


def situation(case: dict[str, dict[str, Any]]) -> str:
    def facts(who: str) -> str:
        said = ((name, value) for name, value in case[who].items() if name != "odds")
        return ", ".join(
            f"{name}: {('no', 'yes')[value] if isinstance(value, bool) else value}" for name, value in said
        )

    sides = "".join(f"    {who}: {{{facts(who)}}}\n" for who in ("attacker", "target"))
    return f"ruleset: modifiers\nsituation:\n  fight: {{{facts('place')}}}\n  sides:\n{sides}"
