"""What the plan of one resource is made from: its rules, its facts, and the days it has to last."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind, split_series_id
from mqcap.domain.plan import Plan
from mqcap.domain.resource import Resource
from mqcap.domain.subject import Subject
from mqcap.judging import mandatory as judging
from mqcap.judging.deferred import part_of
from mqcap.judging.evaluate import DayFacts, ForecastKey, Verdict
from mqcap.judging.hours import MeasuredSeries
from mqcap.settings import AlertSettings
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules, watched
from sizing.rulebook.site_rules import watched_site_series

Value = float | int | bool | str
State = Mapping[str, Value]
"""Values of the settings of a resource, by key of a scenario's ``configuration``."""
Grids = Mapping[str, Sequence[Value]]
"""Values of each setting that a person can type, today's first; the last setting is monotone."""


class RuleOfSubject(NamedTuple):
    """A rule of the resource, and a subject that it is evaluated for."""

    rule: Rule
    subject: str


class PlanContext(NamedTuple):
    """A resource on a day: its rules, its facts, and the days that a plan has to last."""

    resource: Resource
    facts: DayFacts
    """Facts of the resource's queue manager, or of the facilities of its sysplex."""
    verdicts: tuple[Verdict, ...]
    """Results of its rules on the day."""
    pairs: tuple[RuleOfSubject, ...]
    earliest_date: date
    horizon_date: date
    others: tuple[Verdict, ...] = ()
    """Results of the day of the other resources of the same queue manager or facilities."""
    counted: tuple[Plan, ...] = ()
    """Plans of other resources that are applied with every state (``Settable.counts_on``)."""
    fixed: frozenset[str] = frozenset()
    """Settings that stay as they are, by key of a scenario's ``configuration``."""

    @property
    def subject(self) -> str:
        """The subject of its first rule."""
        return self.pairs[0].subject

    @property
    def owner_subject(self) -> Subject:
        """The queue manager, facility or structure that it belongs to."""
        return self.resource.owner_subject

    @property
    def counted_parts(self) -> list[dict[str, Any]]:
        """The plans that it counts as the ``configuration`` of a scenario."""
        return [part for plan in self.counted for part in plan.scenario_parts]

    @property
    def site_date(self) -> date:
        """The evaluated day."""
        return self.facts.observed.last

    def is_measured(self, metric: str) -> bool:
        """Return whether the owner has days of a metric."""
        return bool(self.facts.observed.days(metric, self.owner_subject))

    def input_of(self, name: str) -> float | None:
        """Return a number that a rule of the resource used, by name of the input."""
        numbers = (value for value in self._inputs(name) if isinstance(value, int | float))
        return next(map(float, numbers), None)

    def whole_input_of(self, name: str) -> int | None:
        """Return a count that a rule of the resource used, by name of the input."""
        value = self.input_of(name)
        return None if value is None else round(value)

    def whole_of(self, used: str) -> float | None:
        """Return what inputs say is used, in MiB or pages, as the 100 % of ``used_pct``."""
        amount, share = self.input_of(used), self.input_of("used_pct")
        return None if amount is None or not share else 100 * amount / share

    def text_input_of(self, name: str) -> str | None:
        """Return a text that a rule of the resource used, by name of the input."""
        return next((value for value in self._inputs(name) if isinstance(value, str)), None)

    def _inputs(self, name: str) -> Iterator[object]:
        for verdict in self.verdicts:
            yield from (given.value for given in verdict.finding.inputs if given.name == name)

    @property
    def unusable(self) -> dict[str, str]:
        """Why an input that rules of the resource have a value of is of no use, by its name."""
        return {
            name: reason
            for verdict in self.verdicts
            for name, _, reason in (
                sentence.partition(": ") for sentence in verdict.finding.missing
            )
            if name in {value.name for value in verdict.finding.inputs}
        }


def contexts_of(facts: DayFacts, verdicts: Sequence[Verdict]) -> Iterator[PlanContext]:
    """Yield the context of each resource that a rule of the day is about, by path."""
    owned = FactsByOwner(facts)
    by_resource: dict[Resource, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        finding = verdict.finding
        by_resource[all_rules()[finding.rule_id].resource_of(finding.subject)].append(verdict)
    by_owner: dict[str, list[Resource]] = defaultdict(list)
    for resource in by_resource:
        by_owner[resource.owner_subject].append(resource)
    for resource in sorted(by_resource, key=lambda resource: resource.path):
        own = tuple(by_resource[resource])
        first = own[0].finding
        rule = all_rules()[first.rule_id]
        yield PlanContext(
            resource=resource,
            facts=owned.of(first.subject, rule.traits.subject_kind),
            verdicts=own,
            pairs=_pairs(resource, own),
            earliest_date=earliest_date(facts.observed.last, own, facts.settings.alerts),
            horizon_date=facts.observed.last + timedelta(days=facts.settings.plan.horizon_days),
            others=tuple(
                verdict
                for other in by_owner[resource.owner_subject]
                if other != resource
                for verdict in by_resource[other]
            ),
        )


def earliest_date(day: date, verdicts: Sequence[Verdict], alerts: AlertSettings) -> date:
    """Return the first day on which a change can be in force: lead time, after change freezes."""
    first = day + timedelta(
        days=max(alerts.lead_time(verdict.finding.rule_id) for verdict in verdicts)
    )
    for freeze in sorted(alerts.change_freezes, key=lambda freeze: freeze.first):
        if freeze.first <= first <= freeze.last:
            first = freeze.last + timedelta(days=1)
    return first


def is_mandatory(context: PlanContext, pair: RuleOfSubject) -> bool:
    """Return whether a breach of the rule breaks something, by the site's policy or its own."""
    return judging.is_mandatory(context.facts.settings, pair.rule)


def _pairs(resource: Resource, verdicts: Sequence[Verdict]) -> tuple[RuleOfSubject, ...]:
    """Return every rule of the resource with every subject: a change may make one apply.

    Rules whose limit is the own past of their series are left out: they observe a change of
    behaviour, which no setting undoes. So are those of the console: what happened has happened.
    """
    own = {verdict.finding.rule_id: all_rules()[verdict.finding.rule_id] for verdict in verdicts}
    subjects: dict[SubjectKind, set[str]] = defaultdict(set)
    for verdict in verdicts:
        kind = own[verdict.finding.rule_id].traits.subject_kind
        subjects[kind].add(verdict.finding.subject)
    resources = {rule.traits.resource for rule in own.values()}
    return tuple(
        RuleOfSubject(rule, subject)
        for rule in {**all_rules(), **own}.values()
        if rule.traits.resource in resources
        and not rule.traits.limit_is_own_past
        and not rule.traits.is_event
        for subject in sorted(subjects.get(rule.traits.subject_kind, ()))
        if rule.resource_of(subject) == resource
    )


_SHARED: Final = {SubjectKind.coupling_facility, SubjectKind.structure}


class FactsByOwner:
    """Facts of a day, divided by queue manager, and by sysplex for what is shared.

    Only forecasts that a rule compares with its limit are kept.
    """

    def __init__(self, facts: DayFacts) -> None:
        self._facts = facts
        self._series: dict[str, list[MeasuredSeries]] = defaultdict(list)
        self._forecasts: dict[str, list[ForecastKey]] = defaultdict(list)
        self._divided: dict[str, DayFacts] = {}
        owners: dict[MeasuredSeries, str] = {}
        for series, kind in facts.observed.kinds.items():
            owners[series] = _owner(series[1], kind)
            self._series[owners[series]].append(series)
        for series, key in _dated(facts):
            if series in owners:
                self._forecasts[owners[series]].append(key)

    def of(self, subject: str, kind: SubjectKind) -> DayFacts:
        """Return the facts of the queue manager of a subject, or of all facilities of its sysplex.

        The estate is that of the sysplex.
        """
        owner, facts = _owner(subject, kind), self._facts
        if owner not in self._divided:
            self._divided[owner] = facts._replace(
                observed=facts.observed.part(self._series.get(owner, ())),
                forecasts=part_of(facts.forecasts, self._forecasts.get(owner, ())),
                estate=_estate_of(facts.estate, Subject(owner).sysplex),
            )
        return self._divided[owner]


def facts_of_sysplex(facts: DayFacts, sysplex: str) -> DayFacts:
    """Return the part of a day's facts that is about one sysplex, with forecasts as above."""
    own = (key for series, key in _dated(facts) if Subject(series[1]).sysplex == sysplex)
    return facts._replace(
        observed=facts.observed.of_subjects(lambda subject: Subject(subject).sysplex == sysplex),
        forecasts=part_of(facts.forecasts, own),
        estate=_estate_of(facts.estate, sysplex),
    )


def _dated(facts: DayFacts) -> Iterator[tuple[MeasuredSeries, ForecastKey]]:
    """Yield series and key of each forecast that a rule compares with its limit."""
    dated = watched() | watched_site_series(facts.estate.site_figures)
    for key in facts.forecasts:
        series = split_series_id(key[0])
        if (series[0], key[1]) in dated:
            yield series, key


def _estate_of(estate: Estate, sysplex: str) -> Estate:
    plexes = tuple(plex for plex in estate.sysplexes if plex.sysplex == sysplex)
    return estate.model_copy(update={"sysplexes": plexes})


def _owner(subject: str, kind: SubjectKind) -> str:
    return Subject(subject).sysplex if kind in _SHARED else Subject(subject).owner
