"""What-if results for programs: plain values that ``json`` writes as they are."""

import math
from collections.abc import Iterable
from datetime import date
from typing import Any

from mqcap.losses.carried.lose import Carrying, LossOverlay
from mqcap.whatif.comparison import RuleDifference, RuleOutcome, WhatIfResult
from mqcap.whatif.effects import DerivedFigure

Document = dict[str, Any]


def as_document(result: WhatIfResult, carried: Iterable[Carrying] = ()) -> Document:
    """Return the differences, what stays in breach, and figures that no series measures.

    ``None`` as severity: the rule does not apply. Of several corners the worst severity, the
    earliest of the earliest and expected and the latest of the latest dates (``None``: not within
    the horizon) are given; ``corners`` has the figures of each. ``lost`` names who takes the load,
    and the best survivor of the losses that are ``carried`` by any one.
    """
    best = {cell.lost: cell.survivor for cell in carried}
    return {
        "title": result.scenario.title,
        "day": result.day.isoformat(),
        "start": _iso(result.scenario.start),
        "lost": [_lost(loss, best.get(loss.lost)) for loss in result.losses],
        "unchanged_count": result.unchanged_count,
        "differences": [_entry(difference) for difference in result.differences],
        "still": [_entry(finding) for finding in result.still],
        "computed": [[_figure(number) for number in corner.computed] for corner in result.corners],
    }


def _lost(loss: LossOverlay, best: str | None) -> Document:
    rebuilding = loss.rebuilding
    return {
        "subject": loss.lost,
        "survivors": list(loss.survivors),
        "best_survivor": best,
        "nowhere_to_go": list(rebuilding.homeless) if rebuilding else [],
        "assumptions": list(loss.assumptions),
    }


def _entry(difference: RuleDifference) -> Document:
    after = [outcome for outcome in difference.after if outcome is not None]
    worst = max((outcome.severity for outcome in after), key=lambda one: one.rank, default=None)
    return {
        "rule": difference.rule_id,
        "subject": difference.subject,
        "unit": difference.unit,
        "before": difference.before.severity.value if difference.before else None,
        "after": worst.value if worst else None,
        "crossing_earliest": _first(outcome.earliest_date for outcome in after),
        "crossing_expected": _first(outcome.expected_date for outcome in after),
        "crossing_latest": _last(outcome.latest_date for outcome in after),
        "today": _figures(difference.before),
        "corners": [_figures(outcome) for outcome in difference.after],
    }


def _figures(outcome: RuleOutcome | None) -> Document | None:
    if outcome is None:
        return None
    return {
        "severity": outcome.severity.value,
        "observed": _finite(outcome.observed),
        "limit": _finite(outcome.limit),
        "headroom_ratio": _finite(outcome.headroom_ratio),
        "crossing_state": outcome.state.value if outcome.state else None,
        "crossing_earliest": _iso(outcome.earliest_date),
        "crossing_expected": _iso(outcome.expected_date),
        "crossing_latest": _iso(outcome.latest_date),
        "limit_from_at_bound": _iso(outcome.bound.limit_from) if outcome.bound else None,
        "advice": outcome.change,
    }


def _figure(derived: DerivedFigure) -> Document:
    return {
        "subject": derived.subject,
        "name": derived.name,
        "unit": derived.unit,
        "before": _finite(derived.before),
        "after": _finite(derived.after),
    }


def _finite(value: float | None) -> float | None:
    """Return the value, ``None`` for one that JSON cannot hold."""
    return value if value is not None and math.isfinite(value) else None


def _first(days: Iterable[date | None]) -> str | None:
    return _iso(min(filter(None, days), default=None))


def _last(days: Iterable[date | None]) -> str | None:
    """Return the last of the days; ``None`` when one of them is later than is known."""
    known = list(days)
    return None if None in known else _iso(max(filter(None, known), default=None))


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
