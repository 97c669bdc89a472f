"""The what-if page: the form, the changed findings, and the series before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.series.panel import ChartPanel, PanelQuery, panel_of
from mq_capacity_page.pages.whatif.chart import scenario_chart
from mq_capacity_page.pages.whatif.evaluation_cache import evaluate_scenario, values_today
from mq_capacity_page.pages.whatif.fields import FieldGroup, groups_of
from mq_capacity_page.pages.whatif.form import as_yaml, form_parameters, scenario_from
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.domain.numbers import figure, percent
from mqcap.losses.carried.carrier import carried_text, marked
from mqcap.losses.cells import carried
from mqcap.store.findings import count_findings
from mqcap.store.series import read_series
from mqcap.whatif.terminal import NOTES, cells, details, present
from sizing.rulebook.registry import all_rules

if TYPE_CHECKING:
    from mqcap.losses.carried.carrier import Carrying
    from mqcap.whatif.comparison import RuleDifference, WhatIfResult

NAVIGATION: Final = NavigationEntry("whatif", "What-if", "whatif", order=30)


class WhatifRequest(NamedTuple):
    """The address of a scenario in parts."""

    subject: str
    day: date
    start: str
    series: str
    """The series that is drawn; empty: the first one that the scenario touches."""
    fields: Mapping[str, str]
    """The fields of the form by name."""


class ChangedFinding(ViewModel):
    """Rule and subject whose result the scenario changes."""

    rule_id: str
    title: str
    subject: str
    severity: Severity
    """The worst that it becomes."""
    is_changed: bool
    """Whether its severity is another one."""
    rank: int
    """Rank of the worst severity before and after."""
    cells: tuple[str, ...]
    """Severity, observed, limit and dates, each before and after."""
    citation: str

    @property
    def matters(self) -> bool:
        """Whether it changes its severity, or is to act on or to watch."""
        return self.is_changed or self.rank >= Severity.watch.rank


class WhatifView(ViewModel):
    """The form, and what the scenario in it changes."""

    subjects: dict[str, list[str]]
    """By kind: everything that is measured."""
    subject: str
    start: str
    can_edit: bool
    groups: list[FieldGroup]
    fields: dict[str, str]
    today: dict[str, str]
    """Today's value by the name of the field, where it is configured or measured."""
    link: dict[str, str]
    """The parameters of the link to this scenario."""
    problem: str = ""
    is_empty: bool = True
    lines: Sequence[ChangedFinding] = ()
    carried: Sequence[str] = ()
    """Who carries each loss best, where any one of several survivors is enough."""
    unchanged: int = 0
    bound: str = ""
    """Share of the forecast below the bound that days are held against, as a percentage."""
    details: Sequence[str] = ()
    yaml: str = ""
    series: Sequence[str] = ()
    """Series that the scenario touches, the one drawn first."""
    panel: ChartPanel | None = None
    """The chart of the first of them, without and with the scenario."""
    notes: tuple[str, ...] = ()


def whatif_view(
    context: PageContext, request: WhatifRequest, *, can_edit: bool = False
) -> WhatifView:
    """Return the form filled in and, once something is changed, the result.

    Raises:
        KeyError: the subject is not measured.
    """
    kinds = subject_kinds(context)
    common: dict[str, Any] = {
        "subjects": _by_kind(kinds),
        "subject": request.subject,
        "start": request.start,
        "can_edit": can_edit,
    }
    if not request.subject:
        return WhatifView(**common, groups=[], fields={}, today={}, link={})
    groups = groups_of(kinds[request.subject])
    fields = form_parameters(groups, request.fields)
    link = {"subject": request.subject, "day": request.day.isoformat(), **fields}
    if request.start:
        link["start"] = request.start
    today = _today(context, request, groups, kinds[request.subject])
    common |= {"groups": groups, "fields": fields, "link": link, "today": today}
    try:
        return WhatifView(**common, **_result(context, request, kinds[request.subject]))
    except ConfigurationError as error:
        return WhatifView(**common, problem=str(error), is_empty=False)


def _today(
    context: PageContext, request: WhatifRequest, groups: Sequence[FieldGroup], kind: SubjectKind
) -> dict[str, str]:
    values = values_today(context, request.day, request.subject, kind)
    return {
        field.name: _shown(values[field.key])
        for group in groups
        for field in group.fields
        if field.is_of_today and field.key in values
    }


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, int | float) else f"{value}"


def subject_kinds(context: PageContext) -> dict[str, SubjectKind]:
    """Return every measured subject and its kind."""
    return {facts.subject: facts.subject_kind for facts in read_series(context.engine)}


def _by_kind(kinds: Mapping[str, SubjectKind]) -> dict[str, list[str]]:
    subjects: dict[str, list[str]] = {}
    for name, kind in sorted(kinds.items()):
        subjects.setdefault(kind.value, []).append(name)
    return subjects


def _result(context: PageContext, request: WhatifRequest, kind: SubjectKind) -> dict[str, Any]:
    """Return what a scenario changes; without a change no rule is evaluated."""
    scenario = scenario_from(request.subject, kind, request.start, request.fields)
    if not scenario.model_dump(exclude_defaults=True, exclude={"start"}):
        return {"unchanged": count_findings(context.engine, request.day)}
    result = evaluate_scenario(context, request.day, scenario)
    every = carried(result)
    lines = [_changed_finding(each, every) for each in result.differences]
    touched = [
        f"{effect.metric}/{effect.subject}"
        for corner in result.corners
        for effect in corner.effects
    ]
    limited = [each.series_id for each in result.differences if each.series_id]
    series = _drawn_series(context, request, [*limited, *touched])
    return {
        "is_empty": False,
        "lines": sorted(lines, key=_worst_first),
        "carried": [carried_text(each) for each in every],
        "unchanged": result.unchanged_count,
        "bound": percent(result.confidence),
        "details": list(details(result, every)),
        "yaml": as_yaml(scenario),
        "series": series,
        "panel": _panel(context, request, series, result, scenario.start),
        "notes": NOTES,
    }


def rule_title(rule_id: str) -> str:
    """Return the title of a rule; its id where this release does not have it."""
    rule = all_rules().get(rule_id)
    return rule.title if rule else rule_id


def _worst_first(line: ChangedFinding) -> tuple[int, bool, str, str]:
    """Return the sort key: the worst change first, what stays as severe behind what does not."""
    return -line.rank, not line.is_changed, line.subject, line.rule_id


def _panel(
    context: PageContext,
    request: WhatifRequest,
    series: Sequence[str],
    result: WhatIfResult,
    start: date | None,
) -> ChartPanel | None:
    """Return the chart of the first series, by the statistic whose limit the scenario decides."""
    if not series:
        return None
    statistics = (each.statistic for each in result.differences if each.series_id == series[0])
    statistic = next((each for each in statistics if each is not None), Statistic.peak)
    query = PanelQuery(statistic)
    return panel_of(scenario_chart(context, series[0], request.day, query, result, start))


def _changed_finding(difference: RuleDifference, every: Sequence[Carrying]) -> ChangedFinding:
    after = [outcome.severity for outcome in present(difference)]
    before = difference.before.severity if difference.before else None
    severities, observed, limit, _headroom, *dates = cells(difference)
    worst = max(after, key=lambda level: level.rank, default=Severity.ok)
    return ChangedFinding(
        rule_id=difference.rule_id,
        title=rule_title(difference.rule_id),
        subject=marked(difference.subject, every),
        severity=worst,
        is_changed=any(each is not before for each in after),
        rank=max(worst.rank, before.rank if before else 0),
        cells=(severities, observed, limit, *dates),
        citation=str(difference.citation),
    )


def _drawn_series(
    context: PageContext, request: WhatifRequest, candidates: Sequence[str]
) -> list[str]:
    """Return touched series with forecasts: the chosen one first, then those of the subject."""
    forecast = {facts.series_id for facts in read_series(context.engine) if facts.forecast}
    names = [name for name in dict.fromkeys(candidates) if name in forecast]
    names.sort(key=lambda name: split_series_id(name)[1] != request.subject)
    if request.series in names:
        names.remove(request.series)
        names.insert(0, request.series)
    return names
