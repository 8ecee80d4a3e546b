"""Makes a program remember less: a value of which only some questions are asked is replaced by their answers.

If all that is ever asked of `losses` is whether they are more than 0, then `losses > 0` is what is worked out and kept.
The answers are pushed into the expression that gives the value, so that what that one reads may become less in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from closecombat.proving import program as p
from closecombat.proving.liveness import thrown, views_of
from closecombat.proving.symbolic import AND, IF, NOT, OR, VARIABLE, Sym, Value, Workshop, is_logic

MOST_ROUNDS = 8
MOST_QUESTIONS = 6  # about one value
MOST_ARMS = 6  # of a choice that a function is moved into


def narrowed(shop: Workshop, steps: Sequence[p.Step], wanted: Sequence[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program whose values are asked for as little as possible."""
    current, asked = _apart(shop, list(steps), list(wanted))
    for _ in range(MOST_ROUNDS):
        questions = _questions([*expressions(current), *asked], {let.var: _most(shop, let) for let in _lets(current)})
        if not questions:
            break
        answers = {view: shop.variable(_words(shop, view)) for views in questions.values() for view in views}
        rewriter = Rewriter(shop, answers)
        current = [step for old in current for step in _answered(old, rewriter, questions, answers)]
        asked = [rewriter.value(value) for value in asked]
    return current, asked


def _apart(shop: Workshop, steps: list[p.Step], wanted: list[Value]) -> tuple[list[p.Step], list[Value]]:
    """An equal program in which each question asked of a throw has an answer of its own: once the number of hits has
    been used, whether there were any can stay and the number be forgotten."""
    found = views_of([*expressions(steps), *wanted], thrown(steps))
    views = {
        var: views
        for var, views in found.items()
        if len(views) <= MOST_QUESTIONS and (len(views) > 1 or is_logic(views[0]))
    }
    if not views:
        return steps, wanted
    rewriter = Rewriter(shop, {view: shop.variable() for asked in views.values() for view in asked})
    lets = {var: [p.Let(rewriter.done[view], view) for view in asked] for var, asked in views.items()}
    return [new for step in steps for new in _followed(step, rewriter, lets)], [rewriter.value(v) for v in wanted]


def _followed(step: p.Step, rewriter: Rewriter, lets: Mapping[Sym, list[p.Let]]) -> Iterable[p.Step]:
    """A step with the questions in it answered, and the questions that are asked of what it throws."""
    if isinstance(step, p.Branch | p.Loop):
        inside = [new for old in step.steps for new in _followed(old, rewriter, lets)]
        if isinstance(step, p.Loop):
            yield _loop_rewritten(step, rewriter, inside)
        else:
            yield p.Branch(rewriter.value(step.condition), inside)
        return
    yield rewritten(step, rewriter)
    for var in sorted(thrown((step,)), key=lambda var: var.number):
        yield from lets.get(var, ())


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
    short = len(leaves) <= MOST_ARMS + 2 and not any(type(leaf) is Sym and leaf.vars for leaf in leaves)
    return 2 if short else MOST_QUESTIONS


def _is_flag(value: Value) -> bool:
    """Whether a value is yes or no: one arm of a choice tells it of all. Arms may be shared, so each is seen once."""
    todo, seen = [value], set[Sym]()
    while todo:
        one = todo.pop()
        if type(one) is bool or (type(one) is Sym and is_logic(one)):
            return True
        if type(one) is Sym and one.fn is IF and one not in seen:
            seen.add(one)
            todo += one.args[1:]
    return False


def _questions(values: Iterable[Value], lets: Mapping[Sym, int]) -> dict[Sym, list[Sym]]:
    """For each set value of which few enough things are asked: these, a part before its whole."""
    return {
        var: sorted(views, key=lambda view: view.number)
        for var, views in views_of(values, lets.keys()).items()
        if len(views) <= lets[var]
    }


class Rewriter:
    """Rebuilds expressions with some of their nodes replaced."""

    def __init__(self, shop: Workshop, replaced: dict[Sym, Value], spread: bool = False) -> None:
        self.shop, self.done, self.spread = shop, dict(replaced), spread

    def value(self, value: Value) -> Value:
        if type(value) is not Sym or (value.fn is VARIABLE and value not in self.done):
            return value
        if value not in self.done:
            self.done[value] = self.rebuilt(value)
        return self.done[value]

    def spread_out(self, value: Value) -> Value:
        """The same value, with functions moved into the arms of short choices."""
        return Rewriter(self.shop, {}, spread=True).value(value)

    def rebuilt(self, node: Sym) -> Value:
        shop = self.shop
        if not any(type(a) is Sym for a in node.args):
            return node
        if node.fn is IF:
            condition = self.value(node.args[0])
            if type(condition) is not Sym:
                return self.value(node.args[1] if condition else node.args[2])
            return shop.if_(condition, self.value(node.args[1]), self.value(node.args[2]))
        args = [self.value(a) for a in node.args]
        if args == list(node.args) and not self.spread:
            return node
        if node.fn is AND:
            return shop.and_(*args)
        if node.fn is OR:
            return shop.or_(*args)
        if node.fn is NOT:
            return shop.not_(*args)
        return self._applied(node.fn, args)

    def _applied(self, fn: Callable[..., Any], args: list[Value]) -> Value:
        """A function of the arguments, moved into the arms of any short choice among them."""
        shop = self.shop
        for i, arg in enumerate(args):
            if type(arg) is Sym and arg.fn is IF and len(shop.leaves(arg)) <= MOST_ARMS:
                return shop.over(arg, partial(self._with_arm, fn, args, i))
        return shop.lift(fn, *args)

    def _with_arm(self, fn: Callable[..., Any], args: list[Value], i: int, leaf: Value) -> Value:
        return self._applied(fn, [*args[:i], leaf, *args[i + 1 :]])


def _answered(
    step: p.Step, rewriter: Rewriter, questions: dict[Sym, list[Sym]], answers: dict[Sym, Sym]
) -> list[p.Step]:
    """A step with questions replaced by their answers, which a Let of theirs gives."""
    match step:
        case p.Let(var, given) if var in questions:
            inner = Rewriter(rewriter.shop, rewriter.done, spread=True)
            inner.done[var] = inner.spread_out(rewriter.value(given))
            return [p.Let(answers[view], inner.rebuilt(view)) for view in questions[var]]
        case p.Branch(condition, steps):
            inside = [new for old in steps for new in _answered(old, rewriter, questions, answers)]
            return [p.Branch(rewriter.value(condition), inside)]
        case p.Loop():
            inside = [new for old in step.steps for new in _answered(old, rewriter, questions, answers)]
            return [_loop_rewritten(step, rewriter, inside)]
    return [rewritten(step, rewriter)]


def rewritten(step: p.Step, rewriter: Rewriter) -> p.Step:
    """A step with its expressions rebuilt."""
    value = rewriter.value
    match step:
        case p.Let(var, given):
            return p.Let(var, value(given))
        case p.Must(when, given):
            return p.Must(tuple(value(one) for one in when), value(given))
        case p.Lots(_, candidates):
            return replace(step, candidates=tuple(value(c) for c in candidates))
        case p.Draw(var, words, counts):
            return p.Draw(var, words, tuple(value(c) for c in counts))
        case p.Branch(condition, steps):
            return p.Branch(value(condition), [rewritten(s, rewriter) for s in steps])
        case p.Loop():
            return _loop_rewritten(step, rewriter, [rewritten(s, rewriter) for s in step.steps])
        case p.PoolThrow(pool):
            return p.PoolThrow(pool.resized(tuple(value(one.number) for one in pool.parts)))
    return step


def _loop_rewritten(step: p.Loop, rewriter: Rewriter, steps: list[p.Step]) -> p.Loop:
    value = rewriter.value
    return replace(
        step,
        starts=tuple(value(v) for v in step.starts),
        nexts=tuple(value(v) for v in step.nexts),
        until=value(step.until),
        steps=steps,
    )


def _lets(steps: Iterable[p.Step]) -> Iterable[p.Let]:
    for step in steps:
        if isinstance(step, p.Let):
            yield step
        elif isinstance(step, p.Branch | p.Loop):
            yield from _lets(step.steps)


def expressions(steps: Iterable[p.Step]) -> Iterable[Value]:
    """Every expression in a program."""
    for step in steps:
        match step:
            case p.PoolThrow(pool):
                yield from (one.number for one in pool.parts)
            case p.Lots(_, candidates):
                yield from candidates
            case p.Draw(_, _, counts):
                yield from counts
            case p.Let(_, value):
                yield value
            case p.Must(when, value):
                yield from (*when, value)
            case p.Branch(condition, inner, otherwise):
                yield condition
                yield from expressions([*inner, *otherwise])
            case p.Loop(_, starts, inner, nexts, until):
                yield from (*starts, *nexts, until)
                yield from expressions(inner)
