"""Cells hold the text of the page and the figure behind it."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.numbers import ABSENT
from mqcap.presentation import display_units
from mqcap.presentation.display_units import DisplayPreferences, Rate
from mqcap.reports.document import (
    Cell,
    ReportKind,
    count_cell,
    day_cell,
    percent_cell,
    probability_cell,
    quantity_cell,
    text_cell,
)
from tests.mqcap.reports.builders import report


def test_a_rate_of_logs_is_shown_and_stored_in_mb_per_hour() -> None:
    cell = quantity_cell(2.5, "MiB/s")
    assert (cell.line, cell.note, cell.value) == ("9,000 MB/hour", "2.5 MiB/s", 9_000.0)


def test_a_rate_follows_the_preferences_of_the_reader() -> None:
    with display_units.as_in_reports():
        display_units.choose(DisplayPreferences(rate=Rate.mib_per_s))
        cell = quantity_cell(2.5, "MiB/s")
    assert (cell.line, cell.note, cell.value) == ("2.5 MiB/s", "9,000 MB/hour", 2.5)


@pytest.mark.parametrize(
    "cell",
    [text_cell(None), text_cell(""), quantity_cell(None, "MiB/s"), percent_cell(None),
     day_cell(None), probability_cell(None)],
    ids=["text", "empty", "quantity", "percent", "day", "probability"],
)  # fmt: skip
def test_an_absent_figure_is_a_dash_without_value_or_unit(cell: Cell) -> None:
    assert (cell.line, cell.value, cell.unit) == (ABSENT, None, "")


def test_a_ratio_is_shown_as_a_percentage_and_stored_as_a_ratio() -> None:
    assert (percent_cell(-0.111).text, percent_cell(-0.111).value) == ("-11.1 %", -0.111)


def test_a_probability_is_never_printed_as_certain() -> None:
    assert [probability_cell(ratio).text for ratio in (0.0, 0.37, 1.0)] == [
        "under 1 %", "37 %", "over 99 %",
    ]  # fmt: skip


def test_counts_and_days_keep_their_value() -> None:
    assert (count_cell(1_234).text, count_cell(1_234).value) == ("1,234", 1_234.0)
    assert (day_cell(date(2026, 3, 2)).text, day_cell(date(2026, 3, 2)).value) == (
        "2 Mar 2026", date(2026, 3, 2),
    )  # fmt: skip


def test_the_name_of_a_file_has_kind_and_day() -> None:
    assert report(kind=ReportKind.weekly).stem == "mqcap-weekly-2026-03-02"
