"""Saved scenarios: the list, and several of them side by side."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.whatif.fields import field_words
from mq_capacity_page.pages.whatif.view import (
    ChangedFinding,
    WhatifRequest,
    rule_title,
    whatif_view,
)
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mq_capacity_page.web.rendering import link
from mqcap.store.annotations import read_scenarios
from mqcap.store.models import SavedScenario

MAX_COMPARED: Final = 4
START: Final = "start"
"""The parameter that holds the first day of a scenario."""


class ListedScenario(ViewModel):
    """Saved scenario as listed."""

    scenario: SavedScenario
    address: str
    words: list[str]
    """Changes of the scenario, in the words of the form."""
    selected: bool


class ComparisonRow(ViewModel):
    """Finding, and its result under each scenario."""

    rule_id: str
    title: str
    subject: str
    cells: tuple[ChangedFinding | None, ...]
    """By scenario; ``None`` where the finding stays as it is today."""


class SavedView(ViewModel):
    """The saved scenarios and the comparison of the selected ones."""

    rows: Sequence[ListedScenario]
    selected: Sequence[SavedScenario]
    comparison: Sequence[ComparisonRow]
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
        rows=[
            ListedScenario(
                scenario=scenario,
                address=scenario_address(scenario, day),
                words=field_words(scenario.parameters),
                selected=scenario in selected,
            )
            for scenario in saved
        ],
        selected=selected,
        comparison=compare_scenarios(context, selected, day, problems) if day else [],
        problems=problems,
        can_edit=can_edit,
    )


def scenario_address(scenario: SavedScenario, day: date | None) -> str:
    """Return the link to a scenario; everyone who opens it sees the same result."""
    return link("whatif", subject=scenario.subject, day=day, **scenario.parameters)


def compare_scenarios(
    context: PageContext, scenarios: Sequence[SavedScenario], day: date, problems: list[str]
) -> list[ComparisonRow]:
    """Return every finding that any of the scenarios changes, the most severe first.

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
    rows = [
        ComparisonRow(
            rule_id=key[0],
            title=rule_title(key[0]),
            subject=key[1],
            cells=tuple(of_key),
        )
        for key, of_key in cells.items()
    ]
    return sorted(rows, key=lambda row: (-_worst_rank(row), row.subject, row.rule_id))


def _worst_rank(row: ComparisonRow) -> int:
    return max(cell.severity.rank for cell in row.cells if cell)
