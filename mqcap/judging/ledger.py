"""The ledger of events and forecasts, from what the store remembers."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator
from datetime import date, timedelta
from operator import attrgetter
from typing import Final

from forecasting.crossing import is_in_breach
from mqcap.domain.console.ledger import (
    APART_DAYS,
    LEAD_DAYS,
    TOLERANCE_DAYS,
    Evaluated,
    Ledger,
    LimitRecord,
    Measured,
    Stated,
    events_of,
    ledger_of,
    limit_records,
)
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import Direction
from mqcap.judging.mandatory import MandatoryRules
from mqcap.presentation.ledger_text import correction_line
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import (
    crossings_before,
    cutoff_dates,
    dated_crossings,
    expected_before,
    find_site_correction,
)
from mqcap.store.database import Store
from mqcap.store.observations import read_figures
from mqcap.store.scores import rule_reliability
from mqcap.store.step_runs import first_runs
from sizing.rulebook.registry import all_rules

EVALUATION: Final = "size"
"""Step whose runs say when a day was evaluated."""
LIVE_WITHIN_DAYS: Final = 3
"""A day evaluated so many days later is live still (ours): a weekend, a repair."""
_STALE: Final = timedelta(days=APART_DAYS + 1)
_STALE_HOLD_OUT: Final = timedelta(days=31)
"""Rolling origins are 30 days apart; an older one says nothing of an event (ours)."""
_LOOK_BACK_HOLD_OUT: Final = timedelta(days=60)
_LOOK_BACK: Final = timedelta(days=35)
"""How long before the time the last evaluated day of its first event may be (ours)."""
SAME_LIMIT_RATIO: Final = 0.1
"""Limits of one rule and subject that differ by so much at most are one that moved (ours); other
sizes of logs, or other settings, differ by more."""
_LEAD: Final = timedelta(days=LEAD_DAYS - 1)
"""Crossings of days before the one so long before an event are early enough."""


def read_ledger(settings: Settings, engine: Store, first: date, day: date) -> Ledger:
    """Return the events from ``first`` to ``day``, and the forecasts made in that time and due."""
    mandatory = MandatoryRules(settings)
    began = [state for state in read_states(engine, first, day) if state.site_date >= first]
    events = events_of(began)
    resources: dict[date, set[str]] = defaultdict(set)
    for event in events:
        resources[event.site_date].add(event.resource)
    before = {
        event_date: evaluated
        for event_date, own in tracked(resources.items(), "forecasts before events", "days")
        if (evaluated := _evaluated_before(engine, mandatory, event_date, own)) is not None
    }
    origins = cutoff_dates(engine, first - _LOOK_BACK_HOLD_OUT, day, ForecastBasis.hold_out)
    origins -= cutoff_dates(engine, first - _LOOK_BACK_HOLD_OUT, day)
    later = evaluated_later(engine, first - _LOOK_BACK, day)
    dated = dated_crossings(engine, first, day)
    held_out = dated_crossings(engine, first, day, ForecastBasis.hold_out)
    dated += [crossing for crossing in held_out if crossing.cutoff_date in origins]
    window = timedelta(days=settings.rules.peak_days - 1)
    dated = [
        crossing
        for crossing in with_limits_as_one(dated)
        if not days_in_breach(engine, crossing, crossing.cutoff_date - window, crossing.cutoff_date)
    ]
    measured = _measured(engine, dated)
    stated = _stated(dated, mandatory)
    return ledger_of(events, before, stated, day, later | origins, measured)


def with_limits_as_one(dated: Iterable[Crossing]) -> list[Crossing]:
    """Return crossings, those of one rule and subject held against one limit where it only moved.

    Of limits that differ by at most ``SAME_LIMIT_RATIO`` the one that is passed first counts.
    """
    every = list(dated)

    def first_limit(crossing: Crossing) -> float:
        reach = SAME_LIMIT_RATIO * abs(crossing.limit_value)
        near = [
            other.limit_value
            for other in every
            if _compared(other) == _compared(crossing)
            and abs(other.limit_value - crossing.limit_value) <= reach
        ]
        return min(near) if crossing.direction is Direction.upward else max(near)

    return [one.model_copy(update={"limit_value": first_limit(one)}) for one in every]


_compared: Final = attrgetter("rule_id", "subject", "series_id", "statistic", "direction")


def evaluated_later(engine: Store, first: date, last: date) -> set[date]:
    """Return the days that were evaluated so much later that their forecasts are hold-out."""
    made = first_runs(engine, EVALUATION, first, last)
    return {day for day, at in made.items() if (at.date() - day).days > LIVE_WITHIN_DAYS}


def _evaluated_before(
    engine: Store, mandatory: Container[str], event_date: date, resources: Collection[str]
) -> Evaluated | None:
    latest = event_date - _LEAD
    for basis, stale in ((ForecastBasis.live, _STALE), (ForecastBasis.hold_out, _STALE_HOLD_OUT)):
        crossings = crossings_before(engine, latest, basis)
        if crossings and crossings[0].cutoff_date >= latest - stale:
            stated = [
                one._replace(first=_expected(engine, mandatory, crossing, event_date, basis))
                for crossing in crossings
                for one in _stated([crossing], mandatory)
                if one.resource in resources
            ]
            return Evaluated(crossings[0].cutoff_date, stated)
    return None


def _expected(
    engine: Store,
    mandatory: Container[str],
    crossing: Crossing,
    event_date: date,
    basis: ForecastBasis,
) -> Stated | None:
    """Return the first forecast that a limit would be passed as it was; ``None`` without one."""
    since = crossing.breached_since
    if crossing.state is not CrossingState.breached or since is None:
        return None
    had = expected_before(
        engine, crossing.rule_id, crossing.subject, since, timedelta(days=TOLERANCE_DAYS), basis
    )
    latest = event_date + timedelta(days=TOLERANCE_DAYS)
    stated = _stated(had, mandatory)
    meant = (one for one in stated if one.expected_date and one.expected_date <= latest)
    return next(meant, None)


def _measured(engine: Store, dated: Iterable[Crossing]) -> Measured:
    by_key: dict[tuple[str, str, date], Crossing] = {
        (one.rule_id, one.subject, one.cutoff_date): one for one in dated
    }

    def first_day(stated: Stated) -> date | None:
        crossing = by_key[stated.rule_id, stated.subject, stated.cutoff_date]
        begin = crossing.cutoff_date + timedelta(days=1)
        end = (crossing.expected_date or begin) + timedelta(days=TOLERANCE_DAYS)
        passed = days_in_breach(engine, crossing, begin, end)
        return passed[0] if passed else None

    return first_day


def _stated(crossings: Iterable[Crossing], mandatory: Container[str]) -> Iterator[Stated]:
    rules = all_rules()
    for crossing in crossings:
        rule = rules.get(crossing.rule_id)
        if rule is None:
            continue
        is_over = crossing.state is CrossingState.breached
        if not is_over and crossing.expected_date is None:
            continue
        resource = rule.resource_of(crossing.subject)
        yield Stated(
            resource=resource.path,
            cutoff_date=crossing.cutoff_date,
            expected_date=None if is_over else crossing.expected_date,
            label=resource.label,
            rule_id=crossing.rule_id,
            subject=crossing.subject,
            is_mandatory=rule.id in mandatory,
        )


def with_first_day(engine: Store, crossing: Crossing, strict: bool, settings: Settings) -> Crossing:
    """Return the crossing with the first day of the episode that reaches into the rules' window.

    Days in breach at most ``rules.peak_days`` apart are one episode, as those of every month-end.
    """
    last = crossing.cutoff_date
    first = last - timedelta(days=settings.forecast.lookback_days)
    days = read_figures(engine, crossing.series_id, crossing.statistic, first, last)
    limit, direction = crossing.limit_value, crossing.direction
    passed = (
        day
        for day, figure in days
        if is_in_breach(figure, limit, direction=direction, strict=strict)
    )
    since = episode_start(passed, last, settings.rules.peak_days)
    begins = bool(days) and since == days[0][0]
    reason = SINCE_DATA_BEGINS if begins else None
    return crossing.model_copy(update={"breached_since": since, "reason": reason})


def days_in_breach(engine: Store, crossing: Crossing, first: date, last: date) -> list[date]:
    """Return the measured days, first and last included, on which a limit was passed, in order."""
    return [
        day
        for day, figure in read_figures(engine, crossing.series_id, crossing.statistic, first, last)
        if has_passed(crossing.rule_id, figure, crossing.limit_value, crossing.direction)
    ]


def has_passed(rule_id: str, figure: float, limit: float, direction: Direction) -> bool:
    """Return whether a figure passes the limit of a rule; of an unknown one only beyond it."""
    rule = all_rules().get(rule_id)
    return is_in_breach(figure, limit, direction=direction, strict=rule is None or rule.strict)


def episode_start(days: Iterable[date], last: date, gap_days: int) -> date:
    """Return the earliest day reached from ``last`` backwards by steps of at most ``gap_days``."""
    start = last
    for day in sorted(days, reverse=True):
        if (start - day).days > gap_days:
            break
        start = day
    return start


def read_limit_records(engine: Store, ledger: Ledger, first: date, day: date) -> list[LimitRecord]:
    """Return the records of the dates of a ledger and of probabilities made from ``first`` on."""
    return limit_records(ledger, rule_reliability(engine, first, day))


def correction_lines(settings: Settings, engine: Store, day: date) -> list[str]:
    """Return in a line how the site's outcomes correct probabilities; empty for an unjudged day."""
    correction = find_site_correction(engine, day)
    if correction is None:
        return []
    return [correction_line(correction, settings.forecast.outcome_limits_min)]
