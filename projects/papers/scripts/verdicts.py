"""What becomes of a claim."""

from collections.abc import Sequence

HELD, NOT_HELD, OPEN = "held", "not held", "open"
UNMEASURED = "not measured"


def is_above(low: float, high: float) -> str:
    """The verdict on a difference that is claimed to be above zero, by its interval."""
    return HELD if low > 0 else NOT_HELD if high < 0 else OPEN


def sum_up(verdicts: Sequence[tuple[str, str]], in_full: bool = False) -> str:
    """Verdicts of measures: one if all agree, else, or in full, each with its measures."""
    by_verdict: dict[str, list[str]] = {}
    for measure, verdict in verdicts:
        by_verdict.setdefault(verdict, []).append(measure)
    if len(by_verdict) == 1 and not in_full:
        return next(iter(by_verdict))
    found = sorted(
        by_verdict.items(), key=lambda item: (HELD, NOT_HELD, OPEN, UNMEASURED).index(item[0])
    )
    return "; ".join(f"{verdict} ({'; '.join(names)})" for verdict, names in found)


def count_up(verdicts: Sequence[str]) -> str:
    """One verdict if all agree, else how many of each."""
    if not verdicts:
        return UNMEASURED
    if len(set(verdicts)) == 1:
        return verdicts[0]
    counts = [(verdicts.count(kind), kind) for kind in (HELD, OPEN, NOT_HELD)]
    return ", ".join(f"{n} {kind}" for n, kind in counts if n)
