"""Measured days, and other ones than those that a test was given."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import partial

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import Verdict, facts_of_day, judge_facts
from mqcap.judging.hours import MeasuredSeries
from mqcap.judging.observed import MeasuredDays, Observed
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.models import WindowDay

DAY = date(2026, 3, 31)
LOG = "log_growth_mib_per_s"
SUBJECT = "PLEX1/CSQ1"


def measured(back: int, peak: float, metric: str = LOG, subject: str = SUBJECT) -> WindowDay:
    kind, day = SubjectKind.queue_manager, DAY - timedelta(days=back)
    return WindowDay(metric, subject, kind, "MiB/s", day, peak / 2, peak * 0.9, peak)


def observed(*days: WindowDay, window_days: int = 35) -> Observed:
    return Observed(sorted(days, key=lambda day: day.site_date), DAY, window_days)


def with_days(observed: Observed, days: Iterable[WindowDay]) -> Observed:
    last, window_days = observed.last, observed.window_days
    result = Observed(days, last, window_days, observed.hours, observed.versions, observed.states)
    result.unit_costs = observed.unit_costs
    return result


def with_series(observed: Observed, series: Mapping[MeasuredSeries, list[WindowDay]]) -> Observed:
    return observed.replaced({key: partial(MeasuredDays, days) for key, days in series.items()})


def findings_of(settings: Settings, engine: Store, day: date) -> dict[tuple[str, str], Finding]:
    return {(each.rule_id, each.subject): each for each, _ in judge_all(settings, engine, day)}


def crossings_of(settings: Settings, engine: Store, day: date) -> dict[str, Crossing]:
    return {each.rule_id: each for _, each in judge_all(settings, engine, day) if each is not None}


def judge_all(settings: Settings, engine: Store, day: date) -> list[Verdict]:
    return judge_facts(facts_of_day(settings, engine, day))
