"""How far a date has moved since people were told of it, and why: one clause behind the date."""

from __future__ import annotations

from datetime import date, timedelta

from mqcap.domain.crossing import Crossing, CrossingState, reach_days, reach_words
from mqcap.domain.forecast import Forecast
from mqcap.presentation.date_changes import short_reason
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_below
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.forecasts import find_forecast
from mqcap.store.problems import read_problems

_DATED = {CrossingState.will_cross, CrossingState.not_within_horizon}


class MovedSinceAlert:
    """Moves of dates up to one day.

    Each is counted from the day on which its problem was last a reason to write; for what was
    none yet, from the judged day before.
    """

    def __init__(self, settings: Settings, engine: Store, day: date) -> None:
        self._engine = engine
        self._least_days = settings.alerts.worse_by_days
        self._before = previous_findings_date(engine, day)
        followed = read_problems(engine, self._before) if self._before else []
        self._told = {one.key: one.notified_date for one in followed}

    def words(self, now: Crossing) -> str:
        """``was 2026-12-28 as of 2026-10-08: `` and the reason.

        Empty for what moved by less than ``alerts.worse_by_days``, and without a date before.
        """
        was = self._last_told(now)
        if was is None or not self._is_far(was, now):
            return ""
        said = was.expected_date or f"not expected within {reach_words(was)}"
        reason = short_reason(was, now, self._forecast(was), self._forecast(now))
        return f"was {said} as of {was.cutoff_date}: {reason}"

    def _last_told(self, now: Crossing) -> Crossing | None:
        told = self._told.get(f"{now.rule_id}/{now.subject}") or self._before
        if told is None or now.state not in _DATED:
            return None
        found = crossings_below(self._engine, told, now.subject)
        key = (now.rule_id, now.subject)
        return next((one for one in found if (one.rule_id, one.subject) == key), None)

    def _is_far(self, was: Crossing, now: Crossing) -> bool:
        """No date counts as the end of what was looked at: one that only came in is no move."""
        if was.state not in _DATED:
            return False
        days = [
            one.expected_date or one.cutoff_date + timedelta(days=reach_days(one))
            for one in (was, now)
        ]
        if was.expected_date is None:
            return (days[0] - days[1]).days >= self._least_days
        if now.expected_date is None:
            return (days[1] - days[0]).days >= self._least_days
        return abs((days[1] - days[0]).days) >= self._least_days

    def _forecast(self, one: Crossing) -> Forecast | None:
        return find_forecast(self._engine, one.series_id, one.statistic, one.cutoff_date)
