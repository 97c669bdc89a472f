"""Labels at the lines of limits."""

from __future__ import annotations

from datetime import date

import pytest

from mq_capacity_page.charts.limit_labels import limit_labels
from mq_capacity_page.charts.themes import PALETTES, Theme
from mq_capacity_page.charts.value_range import Trace, TraceRole, with_role

DAY = date(2026, 3, 1)


def limit(value: float) -> Trace:
    return with_role({"y": [value / 2, value]}, TraceRole.limit)


def labels(*traces: Trace) -> list[str]:
    return [label["text"] for label in limit_labels(traces, 100.0, DAY, "%", PALETTES[Theme.light])]


def test_a_limit_is_labelled_where_its_line_ends() -> None:
    [label] = limit_labels([limit(80.0)], 100.0, DAY, "%", PALETTES[Theme.light])
    assert (label["x"], label["y"], label["text"]) == ("2026-03-01", 80.0, "limit 80 %")


@pytest.mark.parametrize(
    ("value", "count"), [(99.9, 1), (100.0, 1), (100.1, 0)], ids=["below", "at", "above"]
)
def test_a_limit_above_the_chart_has_no_label(value: float, count: int) -> None:
    assert len(labels(limit(value))) == count


def test_other_lines_have_no_label() -> None:
    assert labels({"y": [50.0]}) == []


@pytest.mark.parametrize(
    ("other", "shown"),
    [(60.0, ["limit 60 %"]), (63.9, ["limits 60 %, 63.9 %"]), (64.0, ["limit 60 %", "limit 64 %"])],
    ids=["equal", "close", "apart"],
)
def test_limits_that_are_close_share_a_label(other: float, shown: list[str]) -> None:
    assert labels(limit(other), limit(60.0)) == shown


def test_a_shared_label_is_above_the_highest_line() -> None:
    [label] = limit_labels([limit(60.0), limit(62.0)], 100.0, DAY, "%", PALETTES[Theme.light])
    assert label["y"] == 62.0


def test_limits_that_print_alike_are_named_once() -> None:
    assert labels(limit(60.0), limit(60.0001)) == ["limit 60 %"]
