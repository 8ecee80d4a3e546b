"""A question that was asked before is answered from the user's cache: neither the ruleset is read nor the fight begun.

The key is all that decides the answer: the fight's own text, every text of the ruleset, how it is asked, and this
program (`text/cache`). Only answers are kept, so that whatever is wrong is found and told each time. What other
questions know of a fight is kept by `kept`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from closecombat.asking.exact import answers
from closecombat.asking.exact.answers import Chances
from closecombat.asking.fights.fight_files import Scene, lineup_of
from closecombat.reading import types
from closecombat.text.cache import is_kept, key_for
from closecombat.text.nodes import flow
from closecombat.text.packed import keep_packed, makers_of, recalled_packed

MOST_ENDS = 20_000  # of an answer that is kept
_MAKERS = makers_of(answers, types)


def remembered(scene: Scene, stack: str, asked: Sequence[str], work_out: Callable[[], Chances]) -> Chances:
    """The chances of a fight by a ruleset, worked out if they were not asked for before. Raises what working out
    raises; what is wrong with the ruleset's files is left to it too."""
    if not is_kept() or not (stack or scene.ruleset):
        return work_out()
    sources = lineup_of(scene, stack).sources()
    given = (flow(scene.document), *sorted(each.name for each in scene.fielded), *(each.said for each in scene.untold))
    rules = (text for each in sources for text in (each.name, each.text))
    key = key_for("chances", ("\n".join(asked), *given, *rules))
    known = recalled_packed(key, (), _MAKERS)
    if isinstance(known, Chances):
        return known
    found = work_out()
    if len(found.outcomes) <= MOST_ENDS:
        keep_packed(key, found, (), _MAKERS)
    return found
