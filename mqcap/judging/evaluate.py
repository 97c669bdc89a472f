"""Evaluation of every rule for every subject, and of its limit against the forecast."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from forecasting.crossing import LimitSteps, crossing_of
from forecasting.probability import AS_SHIPPED, OutcomeFigures
from mqcap.completeness.days import completeness_as_of
from mqcap.completeness.incomplete import DayCompleteness, as_unknown, with_completeness
from mqcap.domain.console.states import open_on
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import entries_of, guests_of
from mqcap.domain.feed import mq_versions_of
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.input_source import MeasuredDaySource, MeasuredWindowSource
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import duration, figure, quantity
from mqcap.domain.score import SiteCorrection
from mqcap.domain.subject import Subject
from mqcap.domain.units import SECONDS_PER_HOUR
from mqcap.judging.bound import BoundPoint, inputs_on
from mqcap.judging.confidence import Uncertain, with_assumptions, with_confidence
from mqcap.judging.console import (
    ForecastBefore,
    forecast_before,
    with_archive_time,
    with_console_states,
)
from mqcap.judging.enough_data import why_no_amount, without_amount
from mqcap.judging.facility_share import is_for_the_owner, with_mq_share
from mqcap.judging.hours import busiest_hours_of
from mqcap.judging.inputs import values_of
from mqcap.judging.known import Dated, Known, Same
from mqcap.judging.ledger import with_first_day
from mqcap.judging.log_names import console_log_names, with_log_names
from mqcap.judging.observed import Observed
from mqcap.judging.planned_change import planned_limits, with_planned_change
from mqcap.judging.todays_limits import window_in_todays_limits
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.lake.parts import largest_part
from mqcap.progress.shown import tracked
from mqcap.settings import GradePolicy, Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import crossings_before, find_site_correction
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.models import WindowDay
from mqcap.store.observations import read_window
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.judge import grade_with_crossing, judge
from sizing.rulebook.registry import all_rules, longest_look_back
from sizing.rulebook.site_rules import site_rule_ids


def with_replaced_figures(finding: Finding, rule: Rule, estate: Estate) -> Finding:
    """Return the finding with a caveat for each typed figure in place of which one was measured."""
    sources = value_sources_of(rule.inputs)
    measured = {
        value.name: value.origin.metric
        for value in finding.inputs
        if isinstance(value.origin, MeasuredDaySource | MeasuredWindowSource)
    }
    caveats = tuple(
        f"{mark.key} = {shown} of {place} in the settings is not used: {metric} is measured."
        for name, metric in measured.items()
        for mark in sources.get(name, ())
        if isinstance(mark, FromEstate)
        for entry, place in entries_of(finding.subject, rule.traits.subject_kind, estate)
        if (shown := _shown(getattr(entry, mark.key, None)))
    )
    if not caveats:
        return finding
    return finding.model_copy(update={"caveats": (*finding.caveats, *caveats)})


def _shown(value: object) -> str:
    """Return a number as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return figure(value)


def with_coverage(
    finding: Finding,
    kind: SubjectKind,
    observed: Observed,
    arrived: DayCompleteness,
    min_covered_hours: float,
) -> Finding:
    """Return the finding with severity unknown where too little of its figure was measured.

    Only figures of records that are expected all day: samples cover seconds, and messages none.
    """
    metrics = finding.measured_metrics
    if finding.severity is Severity.unknown or finding.is_event or not metrics:
        return finding
    if not arrived.today_of(finding.subject, kind, metrics):
        return finding
    covered = [_covered_hours(metric, finding.subject, observed) for metric in metrics]
    known = [hours for hours in covered if hours is not None]
    if not known or min(known) >= min_covered_hours:
        return finding
    measured, wanted = duration(SECONDS_PER_HOUR * min(known)), quantity(min_covered_hours, "h")
    statement = (
        f"too early to judge: {measured} measured, rules.min_covered_hours (ours) is {wanted}. "
        f"So far: {finding.statement or finding.summary}"
    )
    advice = "Load more records; the first whole day is judged."
    return as_unknown(finding, statement, advice, f"records of {wanted}: {measured} have arrived")


def _covered_hours(metric: str, subject: str, observed: Observed) -> float | None:
    """Return the measured hours within the window; ``None`` where a day does not state them."""
    days = [day.covered_hours for day in observed.days(metric, subject)]
    known = [hours for hours in days if hours is not None]
    return sum(known) if days and len(known) == len(days) else None


NAMED: Final = {"private_queue_messages_per_s": "queue"}
"""Metrics that are about the busiest of several, and what these are."""


def with_busiest_part(finding: Finding, lake: str) -> Finding:
    """Return the finding with the name of the busiest part on the day of its figure.

    Unchanged for figures that are not about the busiest of several, and where its records did not
    leave a name (an older release, or past their retention).
    """
    for value in finding.inputs:
        origin = value.origin
        if not isinstance(origin, MeasuredDaySource) or origin.metric not in NAMED:
            continue
        name = largest_part(open_lake(lake), origin.metric, origin.subject, origin.site_date)
        if name is not None:
            statement = (finding.statement or finding.summary).rstrip(".")
            return finding.with_statement(f"{statement}; the {NAMED[origin.metric]} is {name}.")
    return finding


NOT_FORECAST: Final = "this series is not forecast"
_PASSED: Final = frozenset({CrossingState.will_cross, CrossingState.breached})
"""States with a limit that is passed, now or later: changes are sized for the forecast."""


T = TypeVar("T")
ForecastKey = tuple[str, Statistic]
"""Id and statistic of a series."""


class DayFacts(NamedTuple):
    """Everything that the rules of a day use: measured, forecast, configured."""

    observed: Observed
    forecasts: Mapping[ForecastKey, Forecast]
    estate: Estate
    settings: Settings
    engine: Store
    arrived: DayCompleteness = DayCompleteness()
    uncertain: Uncertain = MappingProxyType({})
    forecast_before: ForecastBefore = ForecastBefore()
    """What the last evaluated day before had forecast, where the console reported states of the
    day; empty otherwise."""
    crossings_before: Mapping[tuple[str, str], Crossing] = MappingProxyType({})
    """Those of the last evaluated day before, by rule and subject: their dates may be kept."""
    site_correction: SiteCorrection | None = None
    """Of probabilities by what became of the site's own, as stored by the evaluation of the day;
    ``None`` leaves them."""
    known: Known | None = None
    """What was found already for the same inputs, of facts with these settings and this store."""

    @property
    def site_figures(self) -> OutcomeFigures:
        """Level and slope that the site's own outcomes give the log odds of its probabilities."""
        made = self.site_correction
        return OutcomeFigures(made.shift, made.slope) if made else AS_SHIPPED

    def grade_policy(self, rule_id: str) -> GradePolicy:
        """Return the thresholds of severity of a rule."""
        read = self.settings.grade_policy
        return self.known.policy(rule_id, read) if self.known else read(rule_id)

    def once(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, made once for all states of these facts."""
        return self.known.once(basis, made) if self.known else made()


class Verdict(NamedTuple):
    """The finding of one rule for one subject, and the crossing of its limit."""

    finding: Finding
    crossing: Crossing | None


def judge_all(settings: Settings, engine: Store, day: date) -> list[Verdict]:
    """Return findings and crossings of every rule and subject, from the facts of ``day``."""
    return judge_facts(facts_of_day(settings, engine, day))


def facts_of_day(settings: Settings, engine: Store, day: date) -> DayFacts:
    """Return what was measured, forecast and configured on ``day``."""
    window_days = settings.rules.peak_days
    first = day - timedelta(days=window_days - 1)
    earliest = min(first, day - timedelta(days=longest_look_back() - 1))
    arrived = completeness_as_of(settings, engine, first, day)
    states = read_states(engine, first, day)
    return DayFacts(
        Observed(
            window_in_todays_limits(read_window(engine, earliest, day)),
            day,
            window_days,
            busiest_hours_of(settings, first, day),
            mq_versions_of(arrived.today),
            states,
        ).learning(UnitCosts(settings, engine, day)),
        {
            (forecast.series_id, forecast.statistic): forecast
            for forecast in read_forecasts(engine, day)
        },
        with_log_names(settings.complete_estate().as_of(day), console_log_names(settings, day)),
        settings,
        engine,
        arrived,
        _uncertain(settings),
        forecast_before(settings, engine, day) if open_on(states, day) else ForecastBefore(),
        {(each.rule_id, each.subject): each for each in crossings_before(engine, day)},
        find_site_correction(engine, day),
        Known(),
    )


def _uncertain(settings: Settings) -> Uncertain:
    """Return metrics of fields of uncertain position, as the last aggregation declared them."""
    return {
        metric["name"]: tuple(metric["uncertain"])
        for metric in metric_catalogue(open_lake(settings.lake))
        if metric.get("uncertain")
    }


def judge_facts(
    facts: DayFacts, owner: str | None = None, is_wanted: Callable[[str], bool] | None = None
) -> list[Verdict]:
    """Return findings and crossings of every rule for every subject that it applies to.

    With an ``owner``, a queue manager, only for it and its parts. ``is_wanted`` tells by the id of
    a rule whether it is evaluated; those that supersede a wanted one at Watch or Act are too.
    """
    rules = _rules(facts.estate)
    wanted = [rule for rule in rules if is_wanted is None or is_wanted(rule.id)]
    verdicts = list(_verdicts(facts, owner, wanted))
    if len(wanted) < len(rules):
        bad = (v.finding for v in verdicts if v.finding.severity.is_urgent)
        others = {all_rules()[finding.rule_id].traits.superseded_by for finding in bad}
        others -= {rule.id for rule in wanted}
        verdicts += _verdicts(facts, owner, [rule for rule in rules if rule.id in others])
    return _deduplicated(verdicts)


def _verdicts(facts: DayFacts, owner: str | None, rules: Sequence[Rule]) -> Iterator[Verdict]:
    for rule in tracked(rules, "rules", "rules"):
        for subject in _subjects(rule, facts):
            if owner is None or Subject(subject).is_within(owner):
                verdict = verdict_of(rule, subject, facts)
                if verdict is not None:
                    yield verdict


def _rules(estate: Estate) -> list[Rule]:
    """Return the rules of documents, and those of figures that the settings declare."""
    rules = all_rules()
    return [*rules.values(), *(rules[name] for name in site_rule_ids(estate.site_figures))]


def _deduplicated(verdicts: list[Verdict]) -> list[Verdict]:
    """Deduplicate findings of one cause.

    A superseded rule is suppressed while the other reports at least the same severity.
    """
    ranks: dict[tuple[str, str], int] = {}
    for verdict in verdicts:
        key, rank = _cause(verdict.finding.rule_id, verdict.finding), verdict.finding.severity.rank
        ranks[key] = max(rank, ranks.get(key, rank))

    def marked(verdict: Verdict) -> Verdict:
        finding = verdict.finding
        other = all_rules()[finding.rule_id].traits.superseded_by
        other_rank = ranks.get(_cause(other, finding), 0)
        if finding.severity.rank < Severity.watch.rank or other_rank < finding.severity.rank:
            return verdict
        return verdict._replace(finding=finding.model_copy(update={"superseded_by": other}))

    return [marked(verdict) for verdict in verdicts]


def _cause(rule_id: str, finding: Finding) -> tuple[str, str]:
    """Return a rule and what it is about.

    A structure is one, whether its facility or its group reports it: its name is its own in a
    sysplex.
    """
    kind = all_rules()[finding.rule_id].traits.subject_kind
    if kind not in {SubjectKind.structure, SubjectKind.group_structure}:
        return rule_id, finding.subject
    sysplex, _, name = Subject(finding.subject).names
    return rule_id, Subject.of(sysplex, name)


def _subjects(rule: Rule, facts: DayFacts) -> list[str]:
    """Return observed subjects, and configured ones that were not or cannot be observed.

    Those of a rule of the console are the ones that it reported on.
    """
    kind = rule.traits.subject_kind
    if rule.traits.is_event:
        own = (s for s in facts.observed.states if s.resource_kind is rule.traits.resource)
        return sorted({state.subject for state in own})
    subjects = facts.observed.subjects(kind).union(
        *(facts.observed.subjects(other) for other in rule.traits.also_of)
    )
    if kind is SubjectKind.queue_manager:
        subjects |= {Subject.of(p.sysplex, q.name) for p in facts.estate.sysplexes for q in p.qmgrs}
    return sorted(subjects | guests_of(facts.estate, kind))


def verdict_of(rule: Rule, subject: str, facts: DayFacts) -> Verdict | None:
    """Return finding and crossing of one rule for one subject; ``None`` where it does not apply."""
    values = values_of(rule, subject, facts.observed, facts.estate)
    if not rule.applies_to({value.name: value.value for value in values}, subject):
        return None
    finding, crossing = _dated_once(rule, subject, values, facts)
    finding = with_busiest_part(finding, facts.settings.lake)
    finding = with_limits_of_knowledge(finding, rule, facts)
    finding = with_replaced_figures(finding, rule, facts.estate)
    finding = with_console_states(
        finding, rule, facts.observed.states, facts.forecast_before, _zone(subject, facts)
    )
    finding = with_archive_time(finding, facts.observed)
    kind, wanted = rule.traits.subject_kind, facts.settings.rules.min_covered_hours
    judged = with_coverage(finding, kind, facts.observed, facts.arrived, wanted)
    if judged is not finding:
        return Verdict(judged, None)
    finding = with_completeness(finding, kind, facts.arrived)
    if any(change.amount is not None for change in finding.changes):
        finding = without_amount(finding, no_amount(finding, rule, facts))
    is_assumed = finding.breach is None and finding.severity is Severity.watch
    if is_for_the_owner(finding) or is_assumed:
        crossing = None
    return Verdict(finding, crossing)


def no_amount(finding: Finding, rule: Rule, facts: DayFacts) -> str:
    """Return why no amount is stated for the limit of a rule; empty where it can be."""
    needed = facts.settings.forecast.min_history_days
    return why_no_amount(finding, rule, facts.forecasts, facts.arrived, needed)


def finding_of(
    rule: Rule,
    subject: str,
    values: tuple[InputValue, ...],
    facts: DayFacts,
    on: BoundPoint | None = None,
) -> Finding:
    """Return the rule's own finding for inputs, made once for all states that have them.

    ``on`` is a day of the bound at which the watched input is; ``None``: as measured.
    """

    def judged() -> Finding:
        inputs = values if on is None else inputs_on(rule, values, on)
        return judge(rule, subject, facts.observed.last, inputs, facts.grade_policy(rule.id))

    return facts.known.finding((rule.id, subject, values, on), judged) if facts.known else judged()


def _dated_once(rule: Rule, subject: str, values: tuple[InputValue, ...], facts: DayFacts) -> Dated:
    """Return the finding graded with its crossing, made once for all states with its inputs."""
    finding = finding_of(rule, subject, values, facts)
    policy = facts.grade_policy(rule.id)
    planned = planned_limits(
        rule, finding, facts.observed, facts.estate, policy, _planned_days(facts)
    )
    watched = _watched(rule, finding, facts)

    def dated() -> Dated:
        if watched is None:
            return Dated(finding, None)
        crossing = _crossing(rule, finding, facts, watched, planned)
        if crossing is None:
            return Dated(finding, None)
        graded = grade_with_crossing(finding, crossing, rule, policy)
        if crossing.state in _PASSED and watched.forecast is not None:
            graded = with_planned_change(rule, graded, crossing, watched.forecast)
        return Dated(graded, crossing)

    if facts.known is None or watched is None:
        return dated()
    basis = (Same(finding), Same(watched.forecast), Same(watched.days), *planned)
    return facts.known.dated((*basis, facts.site_figures), dated)


def _planned_days(facts: DayFacts) -> Sequence[date]:
    """Return the later days on which a planned change of the estate comes into force."""
    estate, day = facts.estate, facts.observed.last
    return facts.once(("planned days", Same(estate), day), lambda: estate.changes_after(day))


def _zone(subject: str, facts: DayFacts) -> str:
    return facts.estate.timezone_of(Subject(subject).sysplex) or facts.settings.site.timezone


def with_limits_of_knowledge(finding: Finding, rule: Rule, facts: DayFacts) -> Finding:
    """Return the finding with caveats, and no severity above what its figures allow."""
    kind = rule.traits.subject_kind
    finding = with_confidence(finding, kind, facts.observed, facts.estate, facts.uncertain)
    finding = with_assumptions(finding, rule)
    return with_mq_share(finding, facts.observed, facts.estate)


class _Watched(NamedTuple):
    """The series that a limit is held against: forecast, where there is one, and window."""

    forecast: Forecast | None
    days: Sequence[WindowDay]


def _watched(rule: Rule, finding: Finding, facts: DayFacts) -> _Watched | None:
    series = rule.series
    if series is None or finding.crossing_limit is None or finding.series_id is None:
        return None
    if rule.traits.limit_is_own_past:
        return None
    key = (finding.series_id, series.statistic)
    forecast = facts.forecasts.get(key) if rule.forecast_series else None
    return _Watched(forecast, facts.observed.days(series.metric, finding.subject, series.days))


def _crossing(
    rule: Rule, finding: Finding, facts: DayFacts, watched: _Watched, planned: LimitSteps
) -> Crossing | None:
    series, limit, identity = rule.series, finding.crossing_limit, finding.series_id
    if series is None or limit is None or identity is None:
        return None
    forecast, days = watched
    crossing = crossing_of(
        forecast or _no_forecast(identity, series.statistic, facts.observed.last),
        list(map(attrgetter("site_date", series.statistic), days)),
        limit=limit,
        direction=rule.series_direction,
        strict=rule.strict,
        rule_id=rule.id,
        unit=days[-1].unit if finding.series_limit is not None and days else finding.unit,
        subject=finding.subject,
        planned=planned,
        before=facts.crossings_before.get((rule.id, finding.subject)),
        site=facts.site_figures,
    )
    if crossing.state is CrossingState.breached:
        return with_first_day(facts.engine, crossing, rule.strict, facts.settings)
    is_silent = forecast is None and crossing.state is CrossingState.unknown
    return None if is_silent else crossing


def _no_forecast(series_id: str, statistic: Statistic, day: date) -> Forecast:
    return Forecast(
        series_id=series_id,
        statistic=statistic,
        cutoff_date=day,
        model="none",
        horizon_days=0,
        trained_days=0,
        interval_width=0.0,
        refusal=NOT_FORECAST,
    )
