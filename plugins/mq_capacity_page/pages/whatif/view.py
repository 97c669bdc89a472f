"""The what-if page: the form, the changed findings, and the series before and after."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

from mq_capacity_page.charts import Chart, Limit, Line, Role, position
from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.series.panel import (
    Figure,
    PanelQuery,
    SeriesDays,
    chart_of,
    series_days,
    stating,
)
from mq_capacity_page.pages.whatif.form import as_yaml, form_parameters, groups_of, scenario_from
from mq_capacity_page.web.context import PageContext, View, evaluate_scenario, values_today
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity, stated_figure
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.domain.numbers import figure, percent, quantity
from mqcap.domain.plan import Plan, PlanVariant
from mqcap.losses.carried.lose import Carrying, carried_text, marked
from mqcap.losses.cells import carried
from mqcap.presentation import display_units
from mqcap.presentation.summary_words import typed_words
from mqcap.queries.courses import weekly
from mqcap.store.annotations import read_scenarios
from mqcap.store.findings import count_findings, findings_about
from mqcap.store.models import SavedScenario
from mqcap.store.plans import find_plan
from mqcap.store.series import find_series, read_series
from mqcap.whatif.comparison import RuleDifference, WhatIfResult
from mqcap.whatif.scenario import Scenario
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


class ChangedFinding(NamedTuple):
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

    @property
    def matters(self) -> bool:
        """Whether it changes its severity, or is to act on or to watch."""
        return self.is_changed or self.rank >= Severity.watch.rank


def whatif_view(context: PageContext, request: WhatifRequest, *, can_edit: bool = False) -> View:
    """Return the form filled in, and what changes; KeyError for a subject that is not measured.

    ``subjects`` are by kind, ``today`` has today's value by the name of the field, ``link`` the
    parameters of the link to this scenario.
    """
    kinds = subject_kinds(context)
    empty: dict[str, Any] = {"subjects": {}, "groups": [], "fields": {}, "today": {}, "link": {}}
    asked = {"subject": request.subject, "start": request.start, "can_edit": can_edit}
    view = View(**empty, **asked, lines=(), problem="", is_empty=True)
    for name, kind in sorted(kinds.items()):
        view.subjects.setdefault(kind.value, []).append(name)
    if not request.subject:
        return view
    kind = kinds[request.subject]
    view.groups = groups_of(kind)
    view.fields = form_parameters(view.groups, request.fields)
    view.link = {"subject": request.subject, "day": request.day.isoformat(), **view.fields}
    if request.start:
        view.link["start"] = request.start
    values = values_today(context, request.day, request.subject, kind)
    view.today = {
        field.name: _shown(values[field.key])
        for group in view.groups
        for field in group.fields
        if field.is_of_today and field.key in values
    }
    try:
        vars(view).update(_result(context, request, kind))
    except ConfigurationError as error:
        view.problem, view.is_empty = str(error), False
    return view


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
    """Return the first series with the scenario, by the statistic whose limit that decides."""
    facts = find_series(context.engine, series[0]) if series else None
    if facts is None:
        return None
    statistics = (
        difference.statistic
        for difference in result.differences
        if difference.series_id == facts.series_id and difference.statistic is not None
    )
    query = PanelQuery(next(statistics, Statistic.peak))
    of = series_days(context, facts, request.day, query.statistic)
    chart = chart_of(context, of, query)
    option = Line(name="With the scenario", role=Role.option, points=())
    return chart and with_option(chart, of, query, result, option, start)


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


def saved_view(
    context: PageContext, day: date | None, names: Sequence[str], *, can_edit: bool = False
) -> View:
    """Return the saved scenarios, and a comparison of at most ``MAX_COMPARED`` of ``names``."""
    saved = read_scenarios(context.engine)
    selected = [scenario for scenario in saved if scenario.name in names][:MAX_COMPARED]
    problems: list[str] = []
    return View(
        rows=saved,
        selected=selected,
        comparison=compare_scenarios(context, selected, day, problems) if day else [],
        problems=problems,
        can_edit=can_edit,
        max_compared=MAX_COMPARED,
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


Convert = Callable[[float], float | None]
Worst = Callable[[float, float], float]
MOST_OPTIONS: Final = 2
"""Options that a chart has room for (ours)."""


def option_chart(context: PageContext, path: str, day: date, query: PanelQuery) -> Chart | None:
    """Return the chart of a resource with the options of its plan; ``None`` without a chart.

    ConfigurationError where a scenario of the plan does not fit the day any more.
    """
    plan = find_plan(context.engine, path, day)
    findings = findings_about(
        context.engine, day, [verdict[1] for verdict in plan.judged] if plan else []
    )
    named = [finding for finding in findings if finding.rule_id == query.rule and finding.series_id]
    facts = find_series(context.engine, named[0].series_id or "") if named else None
    if plan is None or facts is None:
        return None
    shown = query._replace(statistic=named[0].statistic or query.statistic)
    of = series_days(context, facts, day, shown.statistic)
    chart = chart_of(context, of, shown)
    if chart is None:
        return None
    scenarios = [(tier, _scenario(plan, tier)) for tier in (plan.base, *plan.tiers, *plan.options)]
    drawn = [scenario for scenario in scenarios[:MOST_OPTIONS] if scenario[1].configuration]
    for role, (variant, scenario) in zip((Role.option, Role.option_2), drawn, strict=False):
        result = evaluate_scenario(context, day, scenario)
        option = Line(name=typed_words(variant), role=role, points=())
        chart = with_option(chart, of, shown, result, option, plan.dates.earliest_date)
    return chart


def _scenario(plan: Plan, variant: PlanVariant) -> Scenario:
    parts = [part for change in plan.tried(variant) for part in change.scenario_parts]
    return Scenario.model_validate({"configuration": parts})


def with_option(
    chart: Chart,
    of: SeriesDays,
    query: PanelQuery,
    result: WhatIfResult,
    option: Line,
    start: date | None,
) -> Chart:
    """Return a chart with the lines, like ``option``, or the limit that a scenario brings, if any.

    ``start`` is its first day; ``None``: it is in force already.
    """
    key = (of.facts.series_id, query.statistic)
    every = (corner.facts.forecasts for corner in result.corners)
    forecasts = [corner[key] for corner in every if key in corner]
    begin = max(start or of.day, of.day)
    finding = stating(of, query.rule) if query.figure is Figure.stated else None
    stated = stated_figure(finding) if finding else None
    new: list[Limit] = []
    if finding is not None and stated is not None:
        moved = _limits(result, of.facts.series_id, query.statistic, finding.rule_id)
        ahead = forecasts or ([of.forecast] if of.forecast else [])
        figure = replace(stated, series_limit=moved[0]) if moved else stated
        lines = _lines(ahead, begin, figure.of, option, min) if moved or forecasts else []
    else:
        factor, unit = display_units.scale(of.facts.unit)
        lines = _lines(forecasts, begin, lambda value: value * factor, option, max)
        known = {crossing.limit_value for crossing in of.crossings}
        moved = _limits(result, of.facts.series_id, query.statistic)
        for value in (value * factor for value in moved if value not in known):
            words = quantity(value, unit)
            new.append(Limit(value=value, words=words, first=position(begin), is_option=True))
    return chart.model_copy(
        update={"lines": (*chart.lines, *lines), "limits": (*chart.limits, *new)}
    )


def _lines(
    forecasts: Sequence[Forecast], begin: date, convert: Convert, option: Line, worst: Worst
) -> list[Line]:
    """Return the expected weeks of each corner of a scenario, from its first day on."""
    lines = []
    for place, forecast in enumerate(forecasts[:MOST_OPTIONS]):
        days = [
            (point.site_date, value)
            for point in forecast.points
            if point.site_date >= begin and (value := convert(point.expected)) is not None
        ]
        points = tuple(
            (position(at), value) for at, value in weekly(days, forecast.cutoff_date, worst)
        )
        if points:
            corner = f" ({'low' if place == 0 else 'high'})" if len(forecasts) > 1 else ""
            lines.append(Line(name=f"{option.name}{corner}", role=option.role, points=points))
    return lines


def _limits(
    result: WhatIfResult, series_id: str, statistic: Statistic, rule_id: str = ""
) -> list[float]:
    """Return the limits on a statistic of a series that a scenario moves, lowest first."""
    found = {
        outcome.limit_in_series
        for difference in result.differences
        if difference.series_id == series_id
        and difference.statistic is statistic
        and rule_id in {"", difference.rule_id}
        for outcome in difference.after
        if outcome is not None
        and outcome.limit_in_series is not None
        and (
            difference.before is None
            or difference.before.limit_in_series != outcome.limit_in_series
        )
    }
    return sorted(found)
