"""Groups of problems with one cause."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from mqcap.domain.finding import Severity
from mqcap.notifications.grading import DailyEvaluation
from mqcap.notifications.problem_states import advance
from mqcap.settings import AlertSettings

DAY = date(2026, 3, 2)


POLICY = AlertSettings()


HOUR = datetime(2026, 2, 27, 14, tzinfo=UTC)


OVER: dict[str, Any] = {"severity": Severity.act, "over": True, "headroom": -0.1}


def sight(key: str, **values: Any) -> DailyEvaluation:
    return DailyEvaluation(key=key, **values)


def burst(keys: Iterable[str], hour: datetime = HOUR) -> list[DailyEvaluation]:
    return [sight(key, **OVER, peak_hour_utc=hour) for key in keys]


def test_a_burst_is_one_group_and_stays_one() -> None:
    keys = ["LOG-FILL-30MIN/PLEX1/CSQ1", "BP-SOS/PLEX1/CSQ1/BP03", "CF-CPU-60/PLEX1/CF01"]
    seen = [
        *burst(keys),
        *burst(["LOG-FILL-30MIN/PLEX2/CSQ9"]),
        *burst(["PS-FULL/PLEX1/CSQ1/PS04"], HOUR - timedelta(days=3)),
    ]
    problem_days = advance([], seen, {}, POLICY, day=DAY, judged_before=3)
    causes = {day.key: day.cause for day in problem_days}
    assert len({causes[key] for key in keys}) == 1
    assert len(set(causes.values())) == 3
    again = advance(
        problem_days, seen[:2], {}, POLICY, day=DAY + timedelta(days=1), judged_before=3
    )
    assert {one.key: one.cause for one in again} == causes


def test_a_later_member_joins_the_group_of_its_hour() -> None:
    first = burst(["LOG-FILL-30MIN/PLEX1/CSQ1"])
    problem_days = advance([], first, {}, POLICY, day=DAY, judged_before=3)
    more = [*first, *burst(["CF-CPU-60/PLEX1/CF01"], HOUR + timedelta(hours=1))]
    later = advance(problem_days, more, {}, POLICY, day=DAY + timedelta(days=1), judged_before=3)
    assert {one.cause for one in later} == {"LOG-FILL-30MIN/PLEX1/CSQ1"}
