"""The what-if page: the form, the changed findings, and the series before and after."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts import Chart
from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.series.panel import PanelQuery
from mq_capacity_page.pages.whatif.chart import scenario_chart
from mq_capacity_page.pages.whatif.fields import FieldGroup, groups_of
from mq_capacity_page.pages.whatif.form import as_yaml, form_parameters, scenario_from
from mq_capacity_page.queries import evaluate_scenario, values_today
from mq_capacity_page.web.context import PageContext, ViewModel
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.domain.numbers import figure, percent
from mqcap.losses.carried.lose import Carrying, carried_text, marked
from mqcap.losses.cells import carried
from mqcap.store.annotations import read_scenarios
from mqcap.store.findings import count_findings
from mqcap.store.models import SavedScenario
from mqcap.store.series import read_series
from mqcap.whatif.comparison import RuleDifference, WhatIfResult
from mqcap.whatif.terminal import NOTES, cells, details, present
from sizing.rulebook.registry import all_rules

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
    """Of the worst severity before and after."""
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
    chart: Chart | None = None
    """The chart of the first of them, without and with the scenario."""
    notes: tuple[str, ...] = ()


def whatif_view(
    context: PageContext, request: WhatifRequest, *, can_edit: bool = False
) -> WhatifView:
    """Return the form filled in, and what changes; KeyError for a subject that is not measured."""
    kinds = subject_kinds(context)
    subjects: dict[str, list[str]] = {}
    for name, kind in sorted(kinds.items()):
        subjects.setdefault(kind.value, []).append(name)
    common: dict[str, Any] = {
        "subjects": subjects,
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
    values = values_today(context, request.day, request.subject, kinds[request.subject])
    today = {
        field.name: _shown(values[field.key])
        for group in groups
        for field in group.fields
        if field.is_of_today and field.key in values
    }
    common |= {"groups": groups, "fields": fields, "link": link, "today": today}
    try:
        return WhatifView(**common, **_result(context, request, kinds[request.subject]))
    except ConfigurationError as error:
        return WhatifView(**common, problem=str(error), is_empty=False)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, int | float) else f"{value}"


def subject_kinds(context: PageContext) -> dict[str, SubjectKind]:
    """Return every measured subject and its kind."""
    return {facts.subject: facts.subject_kind for facts in read_series(context.engine)}


def _result(context: PageContext, request: WhatifRequest, kind: SubjectKind) -> dict[str, Any]:
    """Return what a scenario changes; without a change no rule is evaluated."""
    scenario = scenario_from(request.subject, kind, request.start, request.fields)
    if not scenario.model_dump(exclude_defaults=True, exclude={"start"}):
        return {"unchanged": count_findings(context.engine, request.day)}
    result = evaluate_scenario(context, request.day, scenario)
    every = carried(result)
    lines = [_changed_finding(difference, every) for difference in result.differences]
    touched = [
        f"{effect.metric}/{effect.subject}"
        for corner in result.corners
        for effect in corner.effects
    ]
    limited = [difference.series_id for difference in result.differences if difference.series_id]
    series = _drawn_series(context, request, [*limited, *touched])
    return {
        "is_empty": False,
        # what stays as severe comes behind what does not
        "lines": sorted(
            lines, key=lambda line: (-line.rank, not line.is_changed, line.subject, line.rule_id)
        ),
        "carried": [carried_text(loss) for loss in every],
        "unchanged": result.unchanged_count,
        "bound": percent(result.confidence),
        "details": list(details(result, every)),
        "yaml": as_yaml(scenario),
        "series": series,
        "chart": _chart(context, request, series, result, scenario.start),
        "notes": NOTES,
    }


def rule_title(rule_id: str) -> str:
    """Return the title of a rule; its id where this release does not have it."""
    rule = all_rules().get(rule_id)
    return rule.title if rule else rule_id


def _chart(
    context: PageContext,
    request: WhatifRequest,
    series: Sequence[str],
    result: WhatIfResult,
    start: date | None,
) -> Chart | None:
    """Return the chart of the first series, by the statistic whose limit the scenario decides."""
    if not series:
        return None
    statistics = (
        difference.statistic
        for difference in result.differences
        if difference.series_id == series[0]
    )
    statistic = next(
        (statistic for statistic in statistics if statistic is not None), Statistic.peak
    )
    query = PanelQuery(statistic)
    return scenario_chart(context, series[0], request.day, query, result, start)


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
        is_changed=any(result is not before for result in after),
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


MAX_COMPARED: Final = 4
START: Final = "start"
"""The parameter that holds the first day of a scenario."""


class SavedView(ViewModel):
    """The saved scenarios and the comparison of the selected ones."""

    rows: Sequence[SavedScenario]
    selected: Sequence[SavedScenario]
    comparison: Sequence[Sequence[ChangedFinding | None]]
    """A row for each finding: its result by selected scenario, ``None`` where it stays as today."""
    problems: Sequence[str]
    """Why a selected scenario cannot be evaluated."""
    can_edit: bool
    max_compared: int = MAX_COMPARED


def saved_view(
    context: PageContext, day: date | None, names: Sequence[str], *, can_edit: bool = False
) -> SavedView:
    """Return the saved scenarios, and a comparison of at most ``MAX_COMPARED`` of ``names``."""
    saved = read_scenarios(context.engine)
    selected = [scenario for scenario in saved if scenario.name in names][:MAX_COMPARED]
    problems: list[str] = []
    return SavedView(
        rows=saved,
        selected=selected,
        comparison=compare_scenarios(context, selected, day, problems) if day else [],
        problems=problems,
        can_edit=can_edit,
    )


def compare_scenarios(
    context: PageContext, scenarios: Sequence[SavedScenario], day: date, problems: list[str]
) -> list[list[ChangedFinding | None]]:
    """Return a row for every finding that any of the scenarios changes, the most severe first.

    Adds to ``problems`` why one cannot be evaluated.
    """
    cells: dict[tuple[str, str], list[ChangedFinding | None]] = {}
    for number, scenario in enumerate(scenarios):
        fields = dict(scenario.parameters)
        request = WhatifRequest(scenario.subject, day, fields.pop(START, ""), "", fields)
        try:
            view = whatif_view(context, request)
        except KeyError:
            problems.append(f"{scenario.name}: {scenario.subject} is not measured any more.")
            continue
        if view.problem:
            problems.append(f"{scenario.name}: {view.problem}")
        for line in view.lines:
            key = line.rule_id, line.subject
            cells.setdefault(key, [None] * len(scenarios))[number] = line

    def worst_first(key: tuple[str, str]) -> tuple[int, str, str]:
        rule, subject = key
        return -max(cell.severity.rank for cell in cells[key] if cell), subject, rule

    return [cells[key] for key in sorted(cells, key=worst_first)]
