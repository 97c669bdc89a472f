"""Text of what-if results: a table of differences, then the arithmetic behind them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple

from mqcap.domain.crossing import CrossingState
from mqcap.domain.numbers import beside, figure, percent, unit_words
from mqcap.losses.carried.lose import MARK, Carrying, carried_text, marked
from mqcap.presentation import display_units
from mqcap.presentation.labels import SEVERITY_LABELS
from mqcap.presentation.listing import Listing
from mqcap.presentation.quantities import headroom
from mqcap.whatif.comparison import RuleDifference, RuleOutcome, WhatIfResult
from mqcap.whatif.effects import DerivedFigure, SeriesChange, combined

NOTES: Final = (
    (
        "Severity and headroom: as if the scenario were in force already, on the measured days and "
        "in the forecast, whatever its start."
    ),
    "Rules on trends apply the scenario to all days alike: a step is not a trend.",
    (
        "Dates: the days by which the limit is exceeded with a probability of 50 % and, as the "
        "earliest, of 10 %, changed from the start on; then the last day on which the bound of the "
        "forecast keeps it, as plans do (later: beyond its reach)."
    ),
    (
        "Added load counts at all hours (first estimate, ours); figures of MP16 hold for the "
        "machine it was measured on: replace them by your own measurements where you have them."
    ),
)


_UNCHANGED: Final = "value"
_WEEK: Final = timedelta(days=7)


class DifferenceCells(NamedTuple):
    """Cells of a difference: ``before -> after``, or a single text where both are the same."""

    severity: str
    observed: str
    limit: str
    headroom: str
    passes: str
    bound: str
    """Last day within its limit at the bound of the forecast."""


def table(answer: WhatIfResult, every: Sequence[Carrying] = ()) -> Listing:
    """Return the differences, most important first; ``every`` loss that one of several carries."""
    title = answer.scenario.title or "the scenario"
    since = answer.scenario.start or "now on"
    ordered = sorted(answer.differences, key=_weight)
    return Listing(
        title=f"What if: {title}, from {since}, evaluated on {answer.day}",
        headings=(
            *("severity", "rule", "subject", "observed", "limit", "headroom"),
            "limit passed (probability 50 %; earliest: 10 %)",
            f"within its limit until ({percent(answer.confidence)} bound)",
        ),
        rows=tuple(
            (shown.severity, difference.rule_id, marked(difference.subject, every), *shown[1:])
            for difference in ordered
            for shown in [cells(difference)]
        ),
        caption="\n".join(
            [
                *(
                    f"{MARK} {' '.join(one.others)}: {one.survivor} carries the loss better."
                    for one in every
                ),
                f"{figure(answer.unchanged_count)} further results are unchanged.",
            ]
        ),
        styles={},
        name_count=2,
    )


def _weight(difference: RuleDifference) -> tuple[int, int]:
    """Return the sort key: changed severities first, then the highest severity."""
    ranks = [after.severity.rank for after in present(difference)]
    before = difference.before.severity.rank if difference.before else None
    is_same = len({before, *ranks}) == 1 and None not in difference.after
    return int(is_same), -max(ranks, default=0)


def words(answer: WhatIfResult, every: Sequence[Carrying] = ()) -> str:
    """Return the arithmetic behind the differences, one line each, of any length."""
    return "\n".join([*details(answer, every), *(NOTES if answer.differences else ())])


def cells(difference: RuleDifference) -> DifferenceCells:
    """Return the cells of a difference in the order of the columns, in the units of the reader."""
    return DifferenceCells(
        _severity(difference),
        _figures(difference, "observed"),
        _figures(difference, "limit"),
        _figures(difference, "headroom_ratio"),
        _arrow(when(difference.before) if difference.before else "-", _span(present(difference))),
        _arrow(_bound(difference.before), _bounds(present(difference))),
    )


def details(answer: WhatIfResult, every: Sequence[Carrying] = ()) -> Iterator[str]:
    """Yield the effects on series, figures that no series measures, and arithmetic of rules."""
    yield from _losses(answer, every)
    yield from _effects(answer)
    yield from _computed(answer)
    for difference in answer.differences:
        yield ""
        yield f"{difference.rule_id} {difference.subject} [{difference.citation}]"
        if difference.before:
            yield from _sums("before", [difference.before])
        yield from _sums("with the scenario", present(difference))


def present(difference: RuleDifference) -> list[RuleOutcome]:
    """Return the outcomes at the corners where the rule applies."""
    return [after for after in difference.after if after is not None]


def when(outcome: RuleOutcome) -> str:
    """Return expected and earliest date of a crossing, or words where there is no expected one."""
    expected, earliest = outcome.expected_date, outcome.earliest_date
    if expected is None:
        return outcome.undated or "-"
    return f"{expected} (earliest {earliest})" if earliest else expected.isoformat()


def _losses(answer: WhatIfResult, every: Iterable[Carrying]) -> Iterator[str]:
    texts = {cell.lost: carried_text(cell) for cell in every}
    for loss in answer.losses:
        yield f"Loss of {loss.lost}: its load goes to {' '.join(loss.survivors) or 'nobody'}"
        if loss.lost in texts:
            yield f"  {texts[loss.lost]}"
        if loss.rebuilding is not None and loss.rebuilding.homeless:
            yield f"  nowhere to go: {' '.join(loss.rebuilding.homeless)}"
        yield from (f"  {assumption}" for assumption in loss.assumptions)


def _effects(answer: WhatIfResult) -> Iterator[str]:
    blocks: dict[tuple[str, str], dict[str, None]] = {}
    totals: dict[tuple[str, str], dict[str, None]] = {}
    for corner in answer.corners:
        for effect in corner.effects:
            lines = blocks.setdefault((effect.metric, effect.subject), {})
            lines.update(dict.fromkeys(effect.lines))
        for series, change in combined(corner.effects).items():
            totals.setdefault(series, {})[_in_total(change)] = None
    if blocks:
        yield "Effects of the scenario on the series"
    for (metric, subject), lines in blocks.items():
        yield f"  {metric} of {subject}"
        yield from (f"    {line}" for line in lines)
        if any(total != _UNCHANGED for total in totals[metric, subject]):
            yield f"    in total: {' or '.join(totals[metric, subject])}"


def _in_total(change: SeriesChange) -> str:
    words = _UNCHANGED if change.factor == 1 else f"value x {figure(change.factor)}"
    if change.addition:
        words += f" {'+' if change.addition > 0 else '-'} {figure(abs(change.addition))}"
    if change.rescale != 1:
        words = words if words == _UNCHANGED else f"({words})"
        words += f" x {figure(change.rescale)}"
    if change.slope:
        words += f", above {figure(change.slope.at)} only {figure(change.slope.slope)} of the rest"
    return words


def _computed(answer: WhatIfResult) -> Iterator[str]:
    corners: dict[tuple[str, str, str], list[DerivedFigure]] = {}
    for derived in chain.from_iterable(corner.computed for corner in answer.corners):
        corners.setdefault((derived.subject, derived.name, derived.unit), []).append(derived)
    if corners:
        yield ""
        yield "Figures that no series measures"
    for (subject, name, unit), every in corners.items():
        before = [derived.before for derived in every if derived.before is not None]
        first, after = _range(before), _range([derived.after for derived in every])
        yield f"  {subject}: {name}: {first} -> {after} {unit}"
        yield from dict.fromkeys(f"    {line}" for derived in every for line in derived.lines)


def _sums(word: str, outcomes: Sequence[RuleOutcome]) -> Iterator[str]:
    for outcome in dict.fromkeys(outcomes):
        yield f"  {word}: {SEVERITY_LABELS[outcome.severity]}"
        yield from (f"    {line}" for line in outcome.arithmetic)
        if outcome.change:
            yield f"    advice: {outcome.change}"


def _severity(difference: RuleDifference) -> str:
    if difference.before is None:
        return "now applies"
    after = present(difference)
    if not after:
        return "no longer applies"
    if None in difference.after:
        return "no longer applies at one end"
    severities = sorted((outcome.severity for outcome in after), key=attrgetter("rank"))
    ends = (SEVERITY_LABELS[severity] for severity in (severities[0], severities[-1]))
    labels = " to ".join(dict.fromkeys(ends))
    return _arrow(SEVERITY_LABELS[difference.before.severity], labels)


def _figures(difference: RuleDifference, name: str) -> str:
    before = getattr(difference.before, name) if difference.before else None
    after = [getattr(side, name) for side in present(difference)]
    numbers = [value for value in after if value is not None]
    factor, unit = display_units.scale(difference.unit)
    shown = _shown(before, name, factor)
    low, high = (_shown(end(numbers, default=None), name, factor) for end in (min, max))
    text = _arrow(shown, low if low == high else f"{low} to {high}")
    own = unit_words(unit) if name != "headroom_ratio" and any(map(str.isdigit, text)) else ""
    return f"{text} {beside(text, own)}".rstrip()


def _range(values: Sequence[float]) -> str:
    if not values:
        return "-"
    low, high = figure(min(values)), figure(max(values))
    return low if low == high else f"{low} to {high}"


def _shown(value: float | None, name: str, factor: float) -> str:
    if value is None:
        return "-"
    return headroom(value) if name == "headroom_ratio" else figure(value * factor)


def _span(outcomes: Sequence[RuleOutcome]) -> str:
    """Return the first and last of several dates; a limit that is passed comes before any date."""
    texts = list(dict.fromkeys(when(outcome) for outcome in sorted(outcomes, key=_time_order)))
    if not texts:
        return "-"
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def _time_order(outcome: RuleOutcome) -> tuple[int, str]:
    if outcome.expected_date is not None:
        return 1, outcome.expected_date.isoformat()
    if outcome.state is CrossingState.breached:
        return 0, ""
    return (2 if outcome.undated else 3), ""


def _bound(outcome: RuleOutcome | None) -> str:
    """Return the last day within the limit, if any; ``later``: beyond the reach of the forecast."""
    if outcome is None or outcome.bound is None:
        return "-"
    limit, first = outcome.bound
    if limit is None:
        return "later"
    if outcome.state is CrossingState.breached and limit - first < _WEEK:
        return f"already {outcome.undated}"
    return f"before {first}" if limit == first else (limit - timedelta(days=1)).isoformat()


def _bounds(outcomes: Sequence[RuleOutcome]) -> str:
    first = min(
        (outcome for outcome in outcomes if outcome.bound is not None),
        key=lambda entry: (entry.bound and entry.bound.limit_from) or date.max,
        default=None,
    )
    return _bound(first)


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"
