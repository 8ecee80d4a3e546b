"""Question splitting: a value of which only some questions are asked is replaced by their answers.

**The problem.** A value is kept as long as anybody reads it, with a row for each thing that it can be. But what reads
it may ask little: of losses only whether there are any, of two dice only whether they show 11 or more.

**The idea.** For each value that is set, the largest expressions that hang on it alone are all that is ever asked of
it (`liveness.views_of`). If they are few, each becomes a value of its own, set in its place. The question is pushed
into the expression that gave the value, through its choices, where it often comes to something shorter; so that what
that expression reads is asked less in turn, and so on, round by round.

*An example.* `losses` is 2 if the unit is rattled, else 1 if its die is 5 or 6, else 0; asked is `losses is more than
0`. As it stands, the die is kept with six faces, `losses` with three values. Pushed into the choice the question is
`yes` if rattled, else `yes` if the die is 5 or 6, else `no`: rattled or the die at least 5. Now of the die one thing
is asked too: its two answers, 2 of 6 and 4 of 6, are what is kept of the throw.

Whether it pays hangs on how much there is to remember (`_most`): the answers to two questions are as long as a short
choice, and a flag is its own answer. Before all that, each question asked of a throw itself becomes a value
(`_apart`), so that one answer can be forgotten before the other.

**Elsewhere.** What is never read at all is `liveness`; when a value need not be known is `demand`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from closecombat.proving.programs import program as p
from closecombat.proving.programs.liveness import thrown, views_of
from closecombat.proving.programs.rewriting import Rewriter, rewritten
from closecombat.proving.values.symbolic import Sym, Value, Workshop, is_logic
from closecombat.proving.values.walking import leaves

MOST_ROUNDS = 8
MOST_QUESTIONS = 6  # about one value
SHORT_CHOICE = 8  # what a choice may come to at most that is no longer than two answers


def split(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program whose values are asked for as little as possible."""
    current, asked = _apart(shop, list(steps), list(wanted))
    for _ in range(MOST_ROUNDS):
        questions = _questions(
            [*p.expressions(current), *asked],
            {let.var: _most(shop, let) for let in p.every(current) if isinstance(let, p.Let)},
        )
        if not questions:
            break
        answers = {view: shop.variable(_words(shop, view)) for views in questions.values() for view in views}
        rewriter = Rewriter(shop, answers)
        current = rewritten(current, rewriter, partial(_answered, rewriter, questions))
        asked = [rewriter.value(value) for value in asked]
    return current, asked


def _apart(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which each question asked of a throw has an answer of its own: once the number of hits has
    been used, whether there were any can stay and the number be forgotten."""
    found = views_of([*p.expressions(steps), *wanted], thrown(steps))
    views = {
        var: views
        for var, views in found.items()
        if len(views) <= MOST_QUESTIONS and (len(views) > 1 or is_logic(views[0]))
    }
    if not views:
        return steps, wanted
    rewriter = Rewriter(shop, {view: _answer(shop, view) for asked in views.values() for view in asked})
    lets = {var: [p.Let(rewriter.done[view], view) for view in asked] for var, asked in views.items()}

    def followed(step: p.Step) -> list[p.Step] | None:
        falls = () if p.blocks(step) else sorted(thrown((step,)), key=lambda var: var.number)
        asked = [let for var in falls for let in lets.get(var, ())]
        return [*rewritten((step,), rewriter), *asked] if asked else None

    return rewritten(steps, rewriter, followed), [rewriter.value(value) for value in wanted]


def _answer(shop: Workshop, view: Sym) -> Sym:
    """A variable for the answer to a question: a whole number if that is what is asked for."""
    var = shop.variable()
    if view in shop.whole:
        shop.whole.add(var)
    return var


def _words(shop: Workshop, view: Sym) -> tuple[Value, ...]:
    """What an answer may be, if it is one of a few known things."""
    leaves = shop.leaves(view)
    return (
        ()
        if any(type(leaf) is Sym and leaf.vars for leaf in leaves)
        else tuple(x for x in leaves if type(x) is not Sym)
    )


def _most(shop: Workshop, let: p.Let) -> int:
    """How many questions are fewer to remember than the value itself: a flag is short, so is a choice of few words."""
    if _is_flag(let.value):
        return 0
    leaves = shop.leaves(let.value)
    short = len(leaves) <= SHORT_CHOICE and not any(type(leaf) is Sym and leaf.vars for leaf in leaves)
    return 2 if short else MOST_QUESTIONS


def _is_flag(value: Value) -> bool:
    """Whether a value is yes or no: one arm of a choice tells it of all."""
    return any(type(one) is bool or (type(one) is Sym and is_logic(one)) for one in leaves(value))


def _questions(values: Iterable[Value], lets: Mapping[Sym, int]) -> dict[Sym, list[Sym]]:
    """For each set value of which few enough things are asked: these, a part before its whole."""
    return {
        var: sorted(views, key=lambda view: view.number)
        for var, views in views_of(values, lets.keys()).items()
        if len(views) <= lets[var]
    }


def _answered(rewriter: Rewriter, questions: Mapping[Sym, list[Sym]], step: p.Step) -> list[p.Step] | None:
    """In place of a value of which only questions are asked: their answers."""
    if not isinstance(step, p.Let) or step.var not in questions:
        return None
    inner = Rewriter(rewriter.shop, rewriter.done, spread=True)
    inner.done[step.var] = inner.spread_out(rewriter.value(step.value))
    return [p.Let(rewriter.done[view], inner.rebuilt(view)) for view in questions[step.var]]
