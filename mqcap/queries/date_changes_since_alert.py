"""Change of an expected date since its problem was last notified, with the reason, as a clause."""

from datetime import date, timedelta
from functools import partial

from mqcap.domain.crossing import Crossing, CrossingState, reach_days, reach_words
from mqcap.domain.forecast import Forecast
from mqcap.queries.date_changes import shift_changes, short_reason, site_shift
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_below
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.forecasts import find_forecast
from mqcap.store.problems import read_problems

_DATED = {CrossingState.will_cross, CrossingState.not_within_horizon}


class MovedSinceAlert:
    """Changes of expected dates up to a day, since each problem was last notified.

    Without a notification they are compared with the evaluated day before.
    """

    def __init__(self, settings: Settings, engine: Store, day: date) -> None:
        self._engine = engine
        self._least_days = settings.alerts.worse_by_days
        self._before = previous_findings_date(engine, day)
        problems = read_problems(engine, self._before) if self._before else []
        self._notified_dates = {problem.key: problem.notified_date for problem in problems}

    def words(self, now: Crossing) -> str:
        """Return ``was 2026-12-28 as of 2026-10-08: `` and the reason.

        Empty for a date that moved by less than ``alerts.worse_by_days``, and for a crossing
        that the earlier day lacks or that has no date to compare.
        """
        was = self._last_notified(now)
        if was is None or not self._is_far(was, now):
            return ""
        date_before = was.expected_date or f"not expected within {reach_words(was)}"
        later = self._forecast(now)
        reason = short_reason(was, now, self._forecast(was), later)
        shifted = shift_changes(partial(site_shift, self._engine), was, now, later)
        return f"was {date_before} as of {was.cutoff_date}: {', '.join([reason, *shifted])}"

    def _last_notified(self, now: Crossing) -> Crossing | None:
        """Return the crossing of the day compared with; ``None`` when there is none."""
        day = self._notified_dates.get(now.key) or self._before
        if day is None or now.state not in _DATED:
            return None
        crossings = crossings_below(self._engine, day, now.subject)
        key = (now.rule_id, now.subject)
        return next(
            (crossing for crossing in crossings if (crossing.rule_id, crossing.subject) == key),
            None,
        )

    def _is_far(self, was: Crossing, now: Crossing) -> bool:
        """Return true if the date moved by ``alerts.worse_by_days`` or more.

        Without an expected date the end of the horizon counts in its place, and only a move away
        from it: a date that the next day of the horizon brings into view has not moved.
        """
        if was.state not in _DATED:
            return False
        days = [
            crossing.expected_date or crossing.cutoff_date + timedelta(days=reach_days(crossing))
            for crossing in (was, now)
        ]
        if was.expected_date is None:
            return (days[0] - days[1]).days >= self._least_days
        if now.expected_date is None:
            return (days[1] - days[0]).days >= self._least_days
        return abs((days[1] - days[0]).days) >= self._least_days

    def _forecast(self, of: Crossing) -> Forecast | None:
        return find_forecast(self._engine, of.series_id, of.statistic, of.cutoff_date)
