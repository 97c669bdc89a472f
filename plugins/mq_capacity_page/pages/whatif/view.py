"""What the what-if page shows: the form, the difference, and the series before and after."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from mq_capacity_page.charts.series_figure import SeriesRows
from mq_capacity_page.pages import answers
from mq_capacity_page.pages.whatif.asking import answer_to
from mq_capacity_page.pages.whatif.fields import FieldGroup, groups_of
from mq_capacity_page.pages.whatif.figure import After
from mq_capacity_page.pages.whatif.form import as_yaml, parameters, scenario_from
from mq_capacity_page.web.context import Site
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind, split_series_id
from mqcap.presentation import wording
from mqcap.store.series import read_series

if TYPE_CHECKING:
    from mqcap.whatif.answer import Difference, Outcome


class Asked(NamedTuple):
    """The address in parts."""

    subject: str
    day: date
    start: str
    series: str
    given: Mapping[str, str]
    """The fields of the form by name."""


class ChangedLine(BaseModel):
    """One rule and subject whose answer changes, in words."""

    model_config = ConfigDict(frozen=True)

    rule_id: str
    subject: str
    unit: str
    severity: Severity
    """The worst that it becomes."""
    cells: tuple[str, ...]
    citation: str


class WhatifView(BaseModel):
    """All that the template prints."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    subjects: dict[str, list[str]]
    """By kind: everything that is measured."""
    subject: str
    start: str
    groups: list[FieldGroup]
    given: dict[str, str]
    link: dict[str, str]
    """The parameters of the link to this scenario."""
    problem: str = ""
    is_empty: bool = True
    lines: list[ChangedLine] = []
    unchanged: int = 0
    details: list[str] = []
    yaml: str = ""
    series: list[str] = []
    """Series that the scenario touches, the one drawn first."""
    notes: tuple[str, ...] = ()


def in_shown_units(one: Difference) -> Difference:
    """The same with its figures in the unit that the reader has chosen."""
    factor, unit = wording.chart_scale(one.unit)
    if factor == 1.0:
        return one

    def scaled(outcome: Outcome | None) -> Outcome | None:
        if outcome is None:
            return None
        seen, limit = (None if each is None else each * factor
                       for each in (outcome.observed, outcome.limit))  # fmt: skip
        return outcome._replace(observed=seen, limit=limit)

    return one._replace(
        unit=unit, before=scaled(one.before), after=tuple(scaled(each) for each in one.after)
    )


def whatif_view(site: Site, asked: Asked) -> WhatifView:
    """The form filled in and, once something is changed, the answer to it.

    Raises:
        KeyError: the subject is not measured.
    """
    kinds = subject_kinds(site)
    subjects: dict[str, list[str]] = {}
    for name, kind in sorted(kinds.items()):
        subjects.setdefault(kind.value, []).append(name)
    blank: dict[str, Any] = {"subjects": subjects, "subject": asked.subject, "start": asked.start}
    if not asked.subject:
        return WhatifView(**blank, groups=[], given={}, link={})
    groups = groups_of(kinds[asked.subject])
    given = parameters(groups, asked.given)
    link = {"subject": asked.subject, "day": asked.day.isoformat(), **given}
    if asked.start:
        link["start"] = asked.start
    known: dict[str, Any] = {**blank, "groups": groups, "given": given, "link": link}
    try:
        return WhatifView(**known, **_answered(site, asked, kinds[asked.subject]))
    except ConfigurationError as error:
        return WhatifView(**known, problem=str(error), is_empty=False)


def subject_kinds(site: Site) -> dict[str, SubjectKind]:
    """Every measured subject and its kind."""
    return {one.subject: one.subject_kind for one in read_series(site.engine)}


def figure_rows(site: Site, asked: Asked, statistic: Statistic) -> tuple[SeriesRows, After] | None:
    """What is drawn of the chosen series; ``None`` when it is not known.

    Raises:
        ConfigurationError: the scenario does not fit.
        KeyError: the subject is not measured.
    """
    rows = answers.series_rows(site, asked.series, asked.day, statistic)
    if rows is None:
        return None
    kind = subject_kinds(site)[asked.subject]
    scenario = scenario_from(asked.subject, kind, asked.start, asked.given)
    answer = answer_to(site, asked.day, scenario)
    made = [corner[asked.series, statistic] for corner in answer.forecasts
            if (asked.series, statistic) in corner]  # fmt: skip
    limits = [
        outcome.limit
        for one in answer.differences
        if one.series_id == asked.series
        for outcome in one.after
        if outcome is not None and outcome.limit is not None
        if one.before is None or one.before.limit != outcome.limit
    ]
    return rows, After(made, limits, scenario.start)


def _answered(site: Site, asked: Asked, kind: SubjectKind) -> dict[str, Any]:
    from mqcap.whatif.terminal import (  # noqa: PLC0415 - only when it is asked for
        NOTES,
        cells,
        details,
        present,
    )

    scenario = scenario_from(asked.subject, kind, asked.start, asked.given)
    answer = answer_to(site, asked.day, scenario)
    lines = [
        ChangedLine(
            rule_id=one.rule_id,
            subject=one.subject,
            unit=one.unit,
            severity=max((each.severity for each in present(one)), key=lambda level: level.rank,
                         default=Severity.ok),
            cells=tuple(cells(one)),
            citation=str(one.citation),
        )
        for one in map(in_shown_units, answer.differences)
    ]  # fmt: skip
    touched = [f"{effect.metric}/{effect.subject}" for corner in answer.effects
               for effect in corner]  # fmt: skip
    limited = [one.series_id for one in answer.differences if one.series_id]
    return {
        "is_empty": not scenario.model_dump(exclude_defaults=True, exclude={"start"}),
        "lines": sorted(lines, key=lambda line: (-line.severity.rank, line.subject, line.rule_id)),
        "unchanged": answer.unchanged_count,
        "details": list(details(answer)),
        "yaml": as_yaml(scenario),
        "series": _drawn(site, asked, [*limited, *touched]),
        "notes": NOTES,
    }


def _drawn(site: Site, asked: Asked, found: list[str]) -> list[str]:
    """The touched series that exist, of the subject first, the chosen one at the head."""
    known = {one.series_id for one in read_series(site.engine) if one.forecast}
    names = [name for name in dict.fromkeys(found) if name in known]
    names.sort(key=lambda name: split_series_id(name)[1] != asked.subject)
    if asked.series in names:
        names.remove(asked.series)
        names.insert(0, asked.series)
    return names
