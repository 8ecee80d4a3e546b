"""Chi-squared goodness of fit against exact chances, in plain Python."""

import math
import random
from fractions import Fraction

LEAST_EXPECTED = 5


def upper_gamma(a, x):
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of the lower function
        term = total = 1 / a
        step = a
        while term > total * 1e-16:
            step += 1
            term *= x / step
            total += term
        return 1 - front * total
    tiny = 1e-300  # the continued fraction of the upper one
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for i in range(1, 100_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value


def chi_squared(observed: dict, chances: dict) -> tuple[float, int, float]:
    """How well counts fit exact chances: (statistic, degrees of freedom, p-value).

    Ends with fewer than five expected are put together, rarest first. An end that cannot happen makes the
    statistic infinite and p zero.
    """
    if any(count and not chances.get(end) for end, count in observed.items()):
        return math.inf, 0, 0.0
    playings = sum(observed.values())
    bins, rare, seen = [], Fraction(0), 0
    for end, chance in sorted(chances.items(), key=lambda item: item[1]):
        rare += chance * playings
        seen += observed.get(end, 0)
        if rare >= LEAST_EXPECTED:
            bins.append((seen, rare))
            rare, seen = Fraction(0), 0
    if rare or seen:  # too few of everything: with the last bin, if there is one
        last = bins.pop() if bins else (0, Fraction(0))
        bins.append((last[0] + seen, last[1] + rare))
    statistic = float(sum((seen - expected) ** 2 / expected for seen, expected in bins))
    degrees = len(bins) - 1
    return statistic, degrees, upper_gamma(degrees / 2, statistic / 2) if degrees else 1.0


def check_itself():
    """Known values, a fair die that fits and a loaded one that does not."""
    for statistic, degrees, p in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (124.342113, 100, 0.05)):
        assert abs(upper_gamma(degrees / 2, statistic / 2) - p) < 1e-7
    assert abs(upper_gamma(1, 4) - math.exp(-4)) < 1e-15
    dice = random.Random(1)
    total = {n: Fraction(6 - abs(7 - n), 36) for n in range(2, 13)}
    fair, loaded = dict.fromkeys(total, 0), dict.fromkeys(total, 0)
    for _ in range(100_000):
        fair[dice.randint(1, 6) + dice.randint(1, 6)] += 1
        loaded[dice.randint(1, 6) + dice.choice((1, 2, 3, 4, 5, 6, 6))] += 1
    assert chi_squared(fair, total)[1] == 10
    assert chi_squared(fair, total)[2] > 0.001
    assert chi_squared(loaded, total)[2] < 1e-6
    assert chi_squared({1: 3}, {2: Fraction(1)}) == (math.inf, 0, 0.0)
    assert chi_squared({"a": 8, "b": 2}, {"a": Fraction(4, 5), "b": Fraction(1, 5)})[1:] == (0, 1.0)


if __name__ == "__main__":
    check_itself()
    print("chi.py: the self-check holds")
