"""Numbers that cannot be: a fact that is set to what it can never hold, bounds of a table that lie crosswise, dice that
are fewer than none; what is added or taken and is nothing.

From where to where a sentence can come is `checking/reach`, never less than it can be: so what lies outside of it does
so in every fight, and each finding is an error or changes every value. What lies outside in some fights only is told
where it happens, since the rows before often see to it that it does not.
"""

from __future__ import annotations

from closecombat.binding.bound import BoundChange, BoundChoose, BoundSet, BoundTable
from closecombat.binding.charts import Bound
from closecombat.binding.terms import Term
from closecombat.checking.reach import Reach
from closecombat.reading.model import Fact
from closecombat.reading.syntax import Cell
from closecombat.reading.types import Number
from closecombat.text.faults import Faults, Faulty


def check_domains(bound: Bound, faults: Faults) -> None:
    """Adds what no value of its fact or table can be; `bound` must be without faults, and bound as a whole."""
    reach = Reach(bound)
    for name in bound.ruleset.sequences:
        try:
            sequence = bound.sequence(name)
        except Faulty:  # said where it is bound
            continue
        for act in sequence.acts:
            for effect, cell in zip(act.effects, act.act.effects, strict=True):
                if isinstance(effect, BoundSet):
                    _check_value(reach, effect.fact, effect.value, cell, faults)
                elif isinstance(effect, BoundChange):
                    _check_change(reach, effect, cell, faults)
            verb, written = act.verb, act.act.verb
            otherwise = getattr(written, "otherwise", None)
            if isinstance(verb, BoundChoose) and verb.otherwise is not None and isinstance(otherwise, Cell):
                _check_value(reach, verb.fact, verb.otherwise, otherwise, faults)
    for name in bound.ruleset.tables:
        try:
            table = bound.table(name)
        except Faulty:
            continue
        least, most, before = table.table.at_least, table.table.at_most, len(faults)
        _check_bounds_matter(reach, table, faults)
        if len(faults) > before or table.at_least is None or table.at_most is None or least is None or most is None:
            continue
        low, high = reach.ends(table.at_least.tree), reach.ends(table.at_most.tree)
        lowest, highest = None if low is None else low.low, None if high is None else high.high
        if lowest is not None and highest is not None and lowest > highest:
            said = f"`{name}` is at least {least.text} and at most {most.text}: it is always {most.text}"
            help = "one of the two was meant the other way round"
            faults.add("bounds-cross", said, most.place, severity="warning", help=help)
    _check_numbers_of_dice(bound, reach, faults)


def _check_bounds_matter(reach: Reach, table: BoundTable, faults: Faults) -> None:
    """Warns of a bound that all that a table works out lies beyond: it is always the bound."""
    whole = reach.unbounded(table)
    of = table.table
    for cell, term, is_least in ((of.at_least, table.at_least, True), (of.at_most, table.at_most, False)):
        bound = None if term is None else reach.ends(term.tree)
        if cell is None or bound is None or whole is None:
            continue
        outer, inner = (whole.high, bound.low) if is_least else (bound.high, whole.low)
        if outer is not None and inner is not None and outer <= inner and whole.low != whole.high:
            comes_to = f"{whole.low} to {whole.high}" if None not in (whole.low, whole.high) else "never beyond it"
            which = "at-least" if is_least else "at-most"
            said = f"`{which}: {cell.text}` leaves nothing of `{of.name}`, whose rows come to {comes_to}"
            help = "look at the bound, or at the signs of the rows"
            faults.add("bounds-cross", said, cell.place, severity="warning", help=help)


def _check_numbers_of_dice(bound: Bound, reach: Reach, faults: Faults) -> None:
    """Adds what a table says of how many dice are thrown, if it is less than none."""
    numbers = [part.number for dice in bound.ruleset.dice.values() for part in dice.parts]
    asked = {number.text for number in numbers if isinstance(number, Cell)}
    for name in sorted(asked & bound.ruleset.tables.keys()):
        try:
            table = bound.table(name)
        except Faulty:
            continue
        said = [(row.row.verdict, row.verdict) for row in table.rows if row.row.verb == "is"]
        for cell, term in (*said, (table.table.otherwise, table.otherwise), (table.table.value, table.value)):
            can = None if term is None or cell is None else reach.ends(term.tree)
            if cell is not None and can is not None and can.high is not None and can.high < 0:
                message = f"`{name}` says how many dice are thrown, and {cell.text} is less than none"
                faults.add("out-of-range", message, cell.place, help="write 0 where none are")


def _check_change(reach: Reach, effect: BoundChange, cell: Cell, faults: Faults) -> None:
    """Adds a number to be added that is always 0, and one to be taken that is always less than 0."""
    can = reach.ends(effect.value.tree)
    if can is None or can.high is None:
        return
    if can.low == can.high == 0:
        said = f"`{cell.text}` changes nothing: what it {'adds' if effect.up else 'takes'} is always 0"
        faults.add("unused", said, cell.place, severity="warning", help="write how much it is to be")
    elif can.high < 0 and not effect.up:
        said = f"`{cell.text}` takes less than nothing, and so it adds to `{effect.fact.name}`"
        faults.add("out-of-range", said, cell.place, help="write what is taken, or `add` for what is added")


def _check_value(reach: Reach, fact: Fact, value: Term, cell: Cell, faults: Faults) -> None:
    """Adds a value that never lies in the range of its fact."""
    can = reach.ends(value.tree)
    if not isinstance(fact.type, Number) or can is None:
        return
    low, high = fact.type.low, fact.type.high
    over = high is not None and can.low is not None and can.low > high
    under = low is not None and can.high is not None and can.high < low
    if over or under:
        holds = f"{low} to {high}" if high is not None else f"at least {low}"
        is_ = f"{can.low}" if can.low == can.high else f"{can.low} to {can.high}"
        said = f"what `{fact.name}` is set to is {is_}, and it can be {holds}"
        faults.add("out-of-range", said, cell.place, help="look at the range in its declaration, or at the sentence")
