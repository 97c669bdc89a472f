"""The board: filters, order, pictures of a row, and how little a row says."""

from datetime import date, timedelta
from typing import Any

import pytest

from mq_capacity_page.pages.board.view import (
    AHEAD_DAYS,
    WIDTH,
    BoardFilters,
    axis_months,
    axis_svg,
    board_view,
)
from mq_capacity_page.web.context import PageContext, current_context
from mqcap.domain.finding import Severity
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.plugins import builder
from tests.plugins.web import TestClient

DAY = builder.DAY


def titles(context: PageContext, **filters: Any) -> list[str]:
    return [row.row.title for row in board_view(context, DAY, BoardFilters(**filters)).rows]


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        ({"site": "PLEX2"}, ["TST1 active logs"]),
        ({"severity": "watch"}, ["CF01 coupling facility"]),
        ({"team": "Payments MQ team"}, ["CSQ1 active logs", "TST1 active logs"]),
        ({"find": "cf01"}, ["CF01 coupling facility"]),
        ({"find": "nothing"}, []),
        ({"sort": "resource"}, ["CF01 coupling facility", "CSQ1 active logs", "TST1 active logs"]),
        ({"sort": "owner"}, ["CSQ1 active logs", "TST1 active logs", "CF01 coupling facility"]),
        ({"sort": "owner", "start": 2}, ["CF01 coupling facility"]),
        ({"sort": "nonsense", "site": "PLEX2", "start": -1}, ["TST1 active logs"]),
    ],
    ids=["site", "severity", "team", "find", "none", "by-name", "by-owner", "start", "negative"],
)
def test_a_reader_filters_and_sorts(
    context: PageContext, filters: dict[str, Any], shown: list[str]
) -> None:
    assert titles(context, **filters) == shown


def test_choices_are_those_of_the_day_whatever_is_chosen(context: PageContext) -> None:
    view = board_view(context, DAY, BoardFilters(site="PLEX2"))
    assert view.sites == ["PLEX1", "PLEX2"]
    assert "Payments MQ team" in view.teams
    assert (view.total, view.every) == (1, 3)


def test_a_day_of_which_little_is_known_is_not_said_to_be_in_order(filled: TestClient) -> None:
    assert "No row passes these filters" in filled.get("/?find=nothing").text
    engine = current_context().engine
    replace_plans(engine, DAY, [])
    replace_findings(engine, DAY, [builder.unknown_finding()])
    assert "1 of 1 checks could not be made" in filled.get("/").text
    replace_findings(engine, DAY, [builder.finding(severity=Severity.ok, breach=False)])
    assert "Every limit that was checked is kept" in filled.get("/").text


def test_a_row_has_the_line_of_its_series_with_history_forecast_and_limit(
    context: PageContext,
) -> None:
    first = board_view(context, DAY, BoardFilters()).rows[0]
    assert 'class="strong"' in first.spark
    assert 'class="forecast"' in first.spark
    assert 'class="limit"' in first.spark


def summary(**changed: Any) -> PlanSummary:
    values: dict[str, Any] = {
        "kind": SummaryKind.change,
        "resource": "P/Q/active_log",
        "title": "Q active logs",
        "problem": "Near its limit",
        "severity": Severity.watch,
    }
    return PlanSummary(**values | changed)


def test_the_axis_has_the_range_the_expected_day_the_freeze_and_the_day_to_begin() -> None:
    row = summary(
        early_date=DAY + timedelta(days=30),
        expected_date=DAY + timedelta(days=60),
        late_date=DAY + timedelta(days=90),
        due_date=DAY + timedelta(days=16),
    )
    text = str(axis_svg(row, DAY, [(DAY + timedelta(days=5), DAY + timedelta(days=9))]))
    step = WIDTH / AHEAD_DAYS
    assert f'class="range" x="{30 * step:.0f}" width="{60 * step:.0f}"' in text
    assert f'class="expected" cx="{60 * step:.0f}"' in text
    assert f'class="freeze" x="{5 * step:.0f}"' in text
    assert 'class="due"' in text
    assert 'class="over"' not in text


@pytest.mark.parametrize(
    ("changed", "present", "absent"),
    [
        ({"is_over": True, "early_date": DAY}, "over", "range"),
        ({"early_date": DAY}, "range", "expected"),
        ({"is_due_at_once": True}, "due", "over"),
        ({}, "grid", "due"),
    ],
)
def test_the_axis_shows_no_day_that_is_not_known(
    changed: dict[str, Any], present: str, absent: str
) -> None:
    text = str(axis_svg(summary(**changed), DAY, []))
    assert f'class="{present}"' in text
    assert f'class="{absent}"' not in text


@pytest.mark.parametrize("ended", [DAY - timedelta(days=9), date(2025, 1, 1)])
def test_a_freeze_that_is_over_is_not_drawn(ended: date) -> None:
    assert 'class="freeze"' not in str(axis_svg(summary(), DAY, [(ended, ended)]))


def test_six_months_are_named_above_the_axis() -> None:
    assert [name for _, name in axis_months(date(2026, 11, 28))] == [
        "Dec", "Jan", "Feb", "Mar", "Apr", "May",
    ]  # fmt: skip
