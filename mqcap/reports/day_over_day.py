"""What changed since the day before: findings that are worse, better, new or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.presentation import dates, labels
from mqcap.presentation.fleet import FleetLine
from mqcap.store.models import FindingSummary

IN_ORDER: Final = {Severity.ok, Severity.suggestion}
"""Between these nothing became worse or better."""


class Turn(StrEnum):
    """Which way a finding went."""

    worse = "worse"
    better = "better"


class DayChange(BaseModel):
    """One finding that is not what it was."""

    model_config = ConfigDict(frozen=True)

    turn: Turn
    line: FleetLine
    words: str
    dated: bool = False
    """Only its expected date moved."""


def changes(
    lines: Iterable[FleetLine],
    before: Mapping[tuple[str, str], FindingSummary],
    nearer_days: int,
) -> list[DayChange]:
    """Changes in the order of the lines, the worse ones first.

    A severity that changed counts, so does an expected date that came nearer, or moved away, by
    ``nearer_days`` or more. A finding of which the day before knew nothing counts when it is to
    watch or to act on. What merely lost or gained an input counts too, as ``unknown``.
    """
    found = [one for line in lines if (one := _change(line, before.get(line.key), nearer_days))]
    return sorted(found, key=lambda one: one.turn is Turn.better)


def reasoned(found: Iterable[DayChange], why: Callable[[FleetLine], str]) -> list[DayChange]:
    """The changes, each date that moved with the reason; to ask for one takes a few look-ups."""
    return [
        one.model_copy(update={"words": f"{one.words}: {why(one.line)}"}) if one.dated else one
        for one in found
    ]


def _change(line: FleetLine, before: FindingSummary | None, nearer_days: int) -> DayChange | None:
    now = line.finding.severity
    if before is None:
        words = f"new: {labels.SEVERITY_LABELS[now]}"
        is_news = now.rank >= Severity.watch.rank
        return DayChange(turn=Turn.worse, line=line, words=words) if is_news else None
    if {now, before.severity} == IN_ORDER:
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
