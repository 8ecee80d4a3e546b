"""The same workloads by the interpreter: `OURS` maps a workload's name to a function without arguments that returns
the distribution in the form of `comparators.py`. It reads the rulesets and situations in
`tests/benchmarks/rulesets/*.yaml`; reading and compiling them is not timed, only what answers the question.
"""

from collections.abc import Callable
from pathlib import Path

from closecombat.binding.load import load
from closecombat.playing import fight as f
from closecombat.proving.prove import plan as made_ready
from closecombat.reading.stack import as_mapping
from closecombat.text.document import Source, parse, read_source
from closecombat.text.nodes import Text

RULESETS = Path(__file__).parent / "rulesets"


def prepared(ruleset: str, situation: str, questions: list[str], end: Callable = tuple) -> Callable[[], dict]:
    """Reads, checks and compiles now; the function returned answers the questions from nothing."""
    bound = load(f"./{ruleset}.yaml", RULESETS)
    run = f.begin(f.fight(bound, as_mapping(parse(read_source(RULESETS / f"{situation}.yaml")))), None)
    f.go(run)
    asked = [f.asked(run, _text(question))[0] for question in questions]
    plan = made_ready(run.shop, run.steps, asked)

    def answer() -> dict:
        table, _ = plan.run()
        if end is tuple:
            return table
        out: dict = {}
        for row, weight in table.items():
            key = end(row)
            out[key] = out.get(key, 0) + weight
        return out

    return answer


def _text(sentence: str) -> Text:
    node = parse(Source("a question", sentence))
    assert isinstance(node, Text)
    return node


def _w2(row: tuple) -> tuple:
    a1_in, a1_reduced, a2_in, a2_reduced, b1_in, b1_reduced, b2_in, b2_reduced = row
    status = [
        "gone" if not is_in else "reduced" if reduced else "ok"
        for is_in, reduced in ((a1_in, a1_reduced), (a2_in, a2_reduced), (b1_in, b1_reduced), (b2_in, b2_reduced))
    ]
    return (status[0], status[1]), tuple(sorted(status[2:]))


W1 = ["kills of a", "shocks of a", "kills of b", "shocks of b", "row"]
W2 = [f"{fact} of {unit}" for unit in ("a1", "a2", "b1", "b2") for fact in ("in-play", "reduced")]
W3 = [f"number of units of {side} where ({kind})" for side in ("a", "b") for kind in ("squad", "half-squad")]
W4 = ["damage-taken of b", "suppression-taken of b", "criticals-taken of b"]

OURS: dict[str, Callable[[], dict]] = {
    **{f"w1-{size}": prepared("w1", f"w1-{size}", W1) for size in ("8v11", "17v11")},
    "w2": prepared("w2", "w2-fight", W2, _w2),
    **{f"w3-{size}": prepared("w3", f"w3-{size}", W3) for size in ("3v3", "6v6")},
    **{f"w4-{size}": prepared("w4", f"w4-{size}", W4) for size in ("3v3", "6v6", "10v10")},
}
