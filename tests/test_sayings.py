"""Sentences of every form within every other come to what they say: played, played often, and as chances."""

from collections import Counter

import pytest

from sayings import REFUSED, differences

# What was once read otherwise: a value of one outside was taken for that of each member of the same name, where a chart is
# read often (11); what is nobody's was neither yes nor no after `and` and alone (293, 1057); the right side was asked first (286, 215).
ONCE_WRONG = (11, 215, 286, 293, 1057)


@pytest.mark.parametrize("seed", [*range(20), *ONCE_WRONG])
def test_a_sentence_comes_to_what_it_says(seed: int) -> None:
    assert differences(seed, Counter()) == []


def test_few_sentences_are_refused() -> None:
    found: Counter[str] = Counter()
    for seed in range(100, 110):
        differences(seed, found)
    assert found.keys() <= {"none", *REFUSED}
    assert sum(found[code] for code in REFUSED) < found["none"] / 5
