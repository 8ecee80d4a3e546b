"""The chances of a fight as a page: how it can end, what each side loses, and of a small fight which roll led where."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from closecombat.asking.exact.answers import Chances, Loss, Outcome
from closecombat.asking.exact.tree import Leaf, Node
from closecombat.telling.chances import MOST_IN_A_FILE
from closecombat.telling.html import page_of, share, whole
from closecombat.telling.lasting import lasting_on_a_page
from closecombat.telling.page import amount, facts_text, fraction, percent
from closecombat.telling.resting import CAPTION, lines_of, most_moved, resting_on_a_page
from closecombat.telling.tree import falls_of, leaf_text

KEYS = ("a", "e", "c", "f", "d", "b", "g", "none")  # what the parts of a strip look like


def chances_html(chances: Chances, name: str, tree: Node | None, is_asked: bool) -> str:
    """With a tree, if one was asked for and it is not too large."""
    sides = list(chances.outcomes[0].sides)
    shown = chances.outcomes[:MOST_IN_A_FILE]
    keys = {word: KEYS[min(place, len(KEYS) - 1)] for place, word in enumerate(chances.scale)}
    left = chances.outcomes[MOST_IN_A_FILE:]
    met = {word for found in chances.verdicts.values() for word in found}
    return page_of(
        "chances",
        {
            "name": name,
            "ruleset": chances.ruleset,
            "title": chances.title,
            "sides": sides,
            "losers": list(chances.losses),
            "short": any(fraction(one.probability) for one in shown),
            "changing": any(one.units for one in shown),
            "outcomes": [
                {
                    **_chance(one.probability),
                    "sides": [one.sides[side] for side in sides],
                    "lost": [(amount(one.lost[side]), str(one.lost[side])) for side in chances.losses],
                    "changed": "; ".join(f"{who} {facts_text(f, chances.printed)}" for who, f in one.units.items()),
                }
                for one in shown
            ],
            "more": f"and {len(left):,} less likely ends, {percent(_sum(left))} together" if left else "",
            "scale": [(keys[word], word) for word in chances.scale if word in met],
            "verdicts": [
                {
                    "side": side,
                    "parts": [
                        {"key": keys.get(word, "none"), "word": word, **_chance(value), "about": whole(value)}
                        for word, value in found.items()
                    ],
                }
                for side, found in chances.verdicts.items()
            ],
            "losses": [_loss(side, loss) for side, loss in chances.losses.items()],
            "lasting": lasting_on_a_page({chances.ruleset: chances.over_after}),
            "tree": _branches(tree) if tree is not None else [],
            "no_tree": is_asked and tree is None,
            "caption": CAPTION,
            "rests": resting_on_a_page(chances.rests_on, most_moved([chances])),
            "lines": list(lines_of(chances)),
        },
    )


def _sum(outcomes: Sequence[Outcome]) -> Fraction:
    return sum((one.probability for one in outcomes), Fraction(0))


def _chance(value: Fraction) -> dict[str, str]:
    return {"said": percent(value), "exact": str(value), "short": fraction(value), "share": share(value)}


def _loss(side: str, loss: Loss) -> dict[str, object]:
    rows = [
        {"amount": amount(value), "amount_exact": str(value), **_chance(weight)} for value, weight in loss.distribution
    ]
    return {"side": side, "unit": loss.unit, "mean": amount(loss.expected), "exact": str(loss.expected), "rows": rows}


def _branches(node: Node) -> list[dict[str, object]]:
    """What follows: of an end its words, of a throw each branch."""
    if isinstance(node, Leaf):
        return [{"end": leaf_text(node)}]
    return [
        {"end": "", "what": node.what, "shows": shows, **_chance(chance), "then": _branches(after)}
        for shows, chance, after in falls_of(node)
    ]
