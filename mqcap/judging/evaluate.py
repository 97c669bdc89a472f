"""Evaluation of every rule for every subject, and of its limit against the forecast."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from forecasting.crossing import LimitSteps, crossing_of
from forecasting.probability import AS_SHIPPED, OutcomeFigures
from mqcap.completeness.days import completeness_as_of
from mqcap.completeness.incomplete import DayCompleteness, with_completeness
from mqcap.domain.console.states import open_on
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import guests_of
from mqcap.domain.feed import data_findings, mq_versions_of
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, SubjectKind, series_id
from mqcap.domain.numbers import counted
from mqcap.domain.score import SiteCorrection
from mqcap.domain.subject import Subject
from mqcap.judging.bound import BoundPoint, inputs_on
from mqcap.judging.confidence import Uncertain, with_assumptions, with_confidence
from mqcap.judging.console import (
    ForecastBefore,
    forecast_before,
    with_archive_time,
    with_console_states,
)
from mqcap.judging.facility_share import is_for_the_owner, with_mq_share
from mqcap.judging.hours import busiest_hours_of
from mqcap.judging.inputs import values_of
from mqcap.judging.known import Known, Same, T
from mqcap.judging.ledger import with_first_day
from mqcap.judging.log_names import console_log_names, with_log_names
from mqcap.judging.measured_figures import with_busiest_part, with_coverage, with_replaced_figures
from mqcap.judging.observed import Observed
from mqcap.judging.planned_change import planned_limits, with_planned_change
from mqcap.judging.todays_limits import window_in_todays_limits
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.presentation.dates import short_day
from mqcap.progress.shown import tracked
from mqcap.settings import GradePolicy, Settings
from mqcap.store.console_states import read_states
from mqcap.store.crossings import crossings_before, find_site_correction
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.models import WindowDay
from mqcap.store.observations import read_window
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.entry import Rule
from sizing.rulebook.judge import grade_with_crossing, judge
from sizing.rulebook.registry import all_rules, longest_look_back
from sizing.rulebook.site_rules import site_rule_ids

_PASSED: Final = frozenset({CrossingState.will_cross, CrossingState.breached})
"""States with a limit that is passed, now or later: changes are sized for the forecast."""


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
        return self.kept(("policy", rule_id), lambda: self.settings.grade_policy(rule_id))

    def kept(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, made once and kept with these facts."""
        return self.known.kept(basis, made) if self.known else made()

    def once(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, made once for all states of these facts."""
        return self.known.once(basis, made) if self.known else made()


class Verdict(NamedTuple):
    """The finding of one rule for one subject, and the crossing of its limit."""

    finding: Finding
    crossing: Crossing | None


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
        {
            metric["name"]: tuple(metric["uncertain"])
            for metric in metric_catalogue(open_lake(settings.lake))
            if metric.get("uncertain")
        },
        forecast_before(settings, engine, day) if open_on(states, day) else ForecastBefore(),
        {
            (crossing.rule_id, crossing.subject): crossing
            for crossing in crossings_before(engine, day)
        },
        find_site_correction(engine, day),
        Known(),
    )


def judge_facts(
    facts: DayFacts, owner: str | None = None, is_wanted: Callable[[str], bool] | None = None
) -> list[Verdict]:
    """Return findings and crossings of every rule for every subject that it applies to.

    With an ``owner``, a queue manager, only for it and its parts. ``is_wanted`` tells of the id of
    a rule whether it is evaluated; what supersedes a wanted one at Watch or Act is too.
    """
    rules = [*all_rules().values()]
    rules += (all_rules()[name] for name in site_rule_ids(facts.estate.site_figures))
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


def _deduplicated(verdicts: list[Verdict]) -> list[Verdict]:
    """Suppress a superseded rule while the other reports at least the same severity."""
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
    """Return a rule and its subject: a structure is one in its facility and in its group."""
    kind = all_rules()[finding.rule_id].traits.subject_kind
    if kind not in {SubjectKind.structure, SubjectKind.group_structure}:
        return rule_id, finding.subject
    sysplex, _, name = finding.subject.names
    return rule_id, Subject.of(sysplex, name)


def _subjects(rule: Rule, facts: DayFacts) -> list[str]:
    """Return observed subjects, and configured ones; of the console those that it reported on."""
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
    zone = facts.estate.zones().get(Subject(subject).sysplex) or facts.settings.site.timezone
    states, before = facts.observed.states, facts.forecast_before
    finding = with_console_states(finding, rule, states, before, zone)
    finding = with_archive_time(finding, facts.observed)
    kind, wanted = rule.traits.subject_kind, facts.settings.rules.min_covered_hours
    judged = with_coverage(finding, kind, facts.observed, facts.arrived, wanted)
    if judged is not finding:
        return Verdict(judged, None)
    finding = with_completeness(finding, kind, facts.arrived)
    has_amount = any(change.amount is not None for change in finding.changes)
    if has_amount and (why := no_amount(finding, rule, facts)):
        advice = f"{finding.advice.rstrip('.')}. {why[0].upper()}{why[1:]}."
        finding = finding.model_copy(update={"changes": (), "advice": advice})
    is_assumed = finding.breach is None and finding.severity is Severity.watch
    if is_for_the_owner(finding) or is_assumed:
        crossing = None
    return Verdict(finding, crossing)


def no_amount(finding: Finding, rule: Rule, facts: DayFacts) -> str:
    """Return why no amount is stated for the limit of a rule; empty where it can be.

    Little history, or an incomplete last day, tells that something is wrong and not how much.
    """
    needed, series, forecast = facts.settings.forecast.min_history_days, rule.forecast_series, None
    if series is not None:
        key = (series_id(series.metric, finding.subject), series.statistic)
        forecast = facts.forecasts.get(key)
    if series and forecast and forecast.refusal is not None and forecast.trained_days < needed:
        ready = finding.site_date + timedelta(days=needed - forecast.trained_days)
        return (
            f"{counted(forecast.trained_days, 'day')} of {series.metric} measured, {needed} needed "
            f"for an amount (min_history_days): from {short_day(ready)} on"
        )
    kind, metrics = rule.traits.subject_kind, finding.measured_metrics
    if not data_findings(facts.arrived.today_of(finding.subject, kind, metrics)):
        return ""
    day = short_day(finding.site_date)
    return f"the data of {day} are incomplete: an amount follows once they have arrived"


def finding_of(
    rule: Rule,
    subject: str,
    values: tuple[InputValue, ...],
    facts: DayFacts,
    on: BoundPoint | None = None,
) -> Finding:
    """Return the rule's finding, made once for equal inputs; ``on`` a day of the bound, if any."""

    def judged() -> Finding:
        inputs = values if on is None else inputs_on(rule, values, on)
        return judge(rule, subject, facts.observed.last, inputs, facts.grade_policy(rule.id))

    return facts.kept(("finding", rule.id, subject, values, on), judged)


def _dated_once(
    rule: Rule, subject: str, values: tuple[InputValue, ...], facts: DayFacts
) -> Verdict:
    finding = finding_of(rule, subject, values, facts)
    policy = facts.grade_policy(rule.id)
    estate, day = facts.estate, facts.observed.last
    changes = facts.once(("planned days", Same(estate), day), lambda: estate.changes_after(day))
    planned = planned_limits(rule, finding, facts.observed, estate, policy, changes)
    watched = _watched(rule, finding, facts)

    if watched is None:
        return Verdict(finding, None)

    def dated() -> Verdict:
        crossing = _crossing(rule, finding, facts, watched, planned)
        if crossing is None:
            return Verdict(finding, None)
        graded = grade_with_crossing(finding, crossing, rule, policy)
        if crossing.state in _PASSED and watched.forecast is not None:
            graded = with_planned_change(rule, graded, crossing, watched.forecast)
        return Verdict(graded, crossing)

    basis = (Same(finding), Same(watched.forecast), Same(watched.days), *planned)
    return facts.kept(("dated", *basis, facts.site_figures), dated)


def with_limits_of_knowledge(finding: Finding, rule: Rule, facts: DayFacts) -> Finding:
    """Return the finding with caveats, and no severity above what its figures allow."""
    kind = rule.traits.subject_kind
    finding = with_confidence(finding, kind, facts.observed, facts.estate, facts.uncertain)
    finding = with_assumptions(finding, rule)
    return with_mq_share(finding, facts.observed, facts.estate)


class _Watched(NamedTuple):
    series_id: str
    statistic: Statistic
    limit: float
    forecast: Forecast | None
    days: Sequence[WindowDay]


def _watched(rule: Rule, finding: Finding, facts: DayFacts) -> _Watched | None:
    series, limit, identity = rule.series, finding.crossing_limit, finding.series_id
    if series is None or limit is None or identity is None or rule.traits.limit_is_own_past:
        return None
    key = (identity, series.statistic)
    forecast = facts.forecasts.get(key) if rule.forecast_series else None
    days = facts.observed.days(series.metric, finding.subject, series.days)
    return _Watched(*key, limit, forecast, days)


def _crossing(
    rule: Rule, finding: Finding, facts: DayFacts, watched: _Watched, planned: LimitSteps
) -> Crossing | None:
    identity, statistic, limit, forecast, days = watched
    crossing = crossing_of(
        forecast
        or Forecast(
            series_id=identity,
            statistic=statistic,
            cutoff_date=facts.observed.last,
            model="none",
            horizon_days=0,
            trained_days=0,
            interval_width=0.0,
            refusal="this series is not forecast",
        ),
        list(map(attrgetter("site_date", statistic), days)),
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
