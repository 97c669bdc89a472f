"""The list of all series as a model."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.pages.series.list_view import OPEN_UP_TO, series_list_view
from mq_capacity_page.web.context import PageContext
from tests.plugins import builder


@pytest.mark.parametrize(
    ("find", "matches"),
    [("", 4), ("cf01", 2), ("LOG GROWTH", 2), ("zzz", 0)],
    ids=["all", "subject", "label", "none"],
)
def test_the_number_of_all_series_is_stated_however_many_match(
    context: PageContext, find: str, matches: int
) -> None:
    view = series_list_view(context, builder.DAY, find)
    assert (len(view.matches), view.total, view.find) == (matches, 4, find)


def test_on_an_earlier_day_later_series_are_neither_listed_nor_counted(
    context: PageContext,
) -> None:
    day = builder.DAY - timedelta(days=builder.HISTORY_DAYS)
    view = series_list_view(context, day, "")
    assert ([facts.series_id for facts in view.matches], view.total) == ([builder.QUIET], 1)


def test_before_the_first_evaluated_day_all_series_are_listed(context: PageContext) -> None:
    assert len(series_list_view(context, None, "").matches) == 4


def test_a_store_without_series_has_an_empty_list(empty_context: PageContext) -> None:
    view = series_list_view(empty_context, None, "cf01")
    assert (view.matches, view.total) == ([], 0)


@pytest.mark.parametrize(
    ("count", "is_open"), [(OPEN_UP_TO - 1, True), (OPEN_UP_TO, True), (OPEN_UP_TO + 1, False)]
)
def test_many_series_are_in_parts_that_open(
    context: PageContext, count: int, is_open: bool
) -> None:
    view = series_list_view(context, builder.DAY, "")
    many = view.model_copy(update={"matches": [view.matches[0]] * count})
    assert many.is_open is is_open


def test_series_are_grouped_by_queue_manager_or_facility(context: PageContext) -> None:
    view = series_list_view(context, builder.DAY, "")
    assert [facts for series in view.by_owner.values() for facts in series] == view.matches
    for owner, series in view.by_owner.items():
        assert all(facts.subject.startswith(owner) for facts in series)
        assert owner.count("/") <= 1
