"""Differences between the findings of two days: worse, better or new."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import FleetLine
from mqcap.store.models import FindingSummary

IN_ORDER: Final = {Severity.ok, Severity.suggestion}
"""Severities between which a change is neither worse nor better."""


class Turn(StrEnum):
    """Direction of a change."""

    worse = "worse"
    better = "better"


class DayChange(BaseModel, frozen=True):
    """A finding that is worse or better than on the day compared with."""

    turn: Turn
    line: FleetLine
    words: str
    dated: bool = False
    """True when the severity is the same and only the expected date moved."""


def changes(
    lines: Iterable[FleetLine],
    before: Mapping[tuple[str, str], FindingSummary],
    nearer_days: int,
) -> list[DayChange]:
    """Return the changes in the order of the lines, the worse ones first.

    A severity that changed counts, so does an expected date that came nearer, or moved away, by
    ``nearer_days`` or more. A finding that the earlier day lacks counts when it is graded watch
    or act. What lost an input counts as a change to ``unknown``; that missing data arrived, and all
    is in order, is no news of capacity. Between ok and suggestion nothing counts, nor between two
    days whose figures have different units: the earlier one was evaluated by another release,
    which measured something else.
    """
    differences = (_change(line, before.get(line.key), nearer_days) for line in lines)
    counted = [change for change in differences if change is not None]
    return sorted(counted, key=lambda change: change.turn is Turn.better)


def reasoned(
    differences: Sequence[DayChange], why: Callable[[Iterable[FleetLine]], Iterator[str]]
) -> list[DayChange]:
    """Return the changes with the reason behind each date that moved.

    ``why`` yields the reason of each of those lines.
    """
    found = why(change.line for change in differences if change.dated)
    return [
        change.model_copy(update={"words": f"{change.words}: {next(found)}"})
        if change.dated
        else change
        for change in differences
    ]


def _change(line: FleetLine, before: FindingSummary | None, nearer_days: int) -> DayChange | None:
    now = line.finding.severity
    if before is None:
        words = f"new: {labels.SEVERITY_LABELS[now]}"
        counts = now.rank >= Severity.watch.rank
        return DayChange(turn=Turn.worse, line=line, words=words) if counts else None
    units = {line.finding.unit, before.unit} - {""}
    if len(units) > 1:  # a finding without figures has none
        return None
    if {now, before.severity} == IN_ORDER:
        return None
    if before.severity is Severity.unknown and now.rank < Severity.watch.rank:
        return None
    if now is not before.severity:
        turn = Turn.worse if now.rank > before.severity.rank else Turn.better
        words = f"{labels.SEVERITY_LABELS[before.severity]} → {labels.SEVERITY_LABELS[now]}"
        return DayChange(turn=turn, line=line, words=words)
    return _moved(line, before.expected_date, nearer_days)


def _moved(line: FleetLine, before: date | None, nearer_days: int) -> DayChange | None:
    crossing = line.crossing
    now = crossing.expected_date if crossing else None
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return None
    if now is None or before is None or abs((now - before).days) < nearer_days:
        return None
    turn = Turn.worse if now < before else Turn.better
    word = "nearer" if turn is Turn.worse else "later"
    days = abs((now - before).days)
    return DayChange(
        turn=turn,
        line=line,
        words=f"expected {dates.short_day(now)}, {days} days {word}",
        dated=True,
    )
