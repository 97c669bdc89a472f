"""The source files as a model: sums over all, pages of the list."""

from datetime import UTC, date, datetime, timedelta

import pytest

from mq_capacity_page.pages.data.view import FILES_PER_PAGE, files_view
from mq_capacity_page.web.context import PageContext
from mqcap.store.feeds import upsert_source_files
from tests.plugins import builder


def test_the_sums_are_over_all_files_even_when_only_problems_are_listed(
    context: PageContext,
) -> None:
    every, troubled = (files_view(context, builder.DAY, only, 0) for only in (False, True))
    assert (every.total, troubled.total) == (2, 1)
    assert troubled.delivered_bytes == every.delivered_bytes == 2_469_134
    assert troubled.with_problems == every.with_problems == 1
    assert troubled.files[0].problem is not None


def test_a_file_that_is_not_decoded_yet_is_waiting_and_has_no_decoded_bytes(
    context: PageContext,
) -> None:
    before = files_view(context, builder.DAY, False, 0)
    waiting = builder.source_file(
        sha256="e" * 64, decoded_bytes=None, skipped_bytes=None, quarantined_bytes=None
    )
    upsert_source_files(context.engine, [waiting])
    after = files_view(context, builder.DAY, False, 0)
    assert (before.waiting, after.waiting) == (0, 1)
    assert after.decoded_bytes == before.decoded_bytes


def test_the_list_is_cut_into_pages(context: PageContext) -> None:
    more = [
        builder.source_file(sha256=f"{number:064x}", name=f"file {number}")
        for number in range(FILES_PER_PAGE)
    ]
    upsert_source_files(context.engine, more)
    first, second = (
        files_view(context, builder.DAY, False, start) for start in (0, FILES_PER_PAGE)
    )
    assert (len(first.files), len(second.files)) == (FILES_PER_PAGE, 2)
    assert first.total == second.total == FILES_PER_PAGE + 2
    assert not {file.sha256 for file in first.files} & {file.sha256 for file in second.files}


@pytest.mark.parametrize(
    ("begin", "end", "day", "count"),
    [
        (0, 1, date(2026, 1, 31), 1),
        (-48, -40, date(2026, 1, 31), 0),
        (-48, 48, date(2026, 1, 31), 1),
        (40, 48, date(2026, 1, 31), 0),
    ],
    ids=["inside", "before", "around", "after"],
)
def test_files_about_a_day_have_intervals_of_it_in_any_zone_of_the_estate(
    context: PageContext, begin: int, end: int, day: date, count: int
) -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    file = builder.source_file(
        sha256="f" * 64,
        first_interval_utc=noon + timedelta(hours=begin),
        last_interval_utc=noon + timedelta(hours=end),
    )
    upsert_source_files(context.engine, [file])
    view = files_view(context, builder.DAY, False, 0, day)
    assert view.total == count
    assert view.about == day


def test_files_are_listed_by_the_time_of_landing_then_of_their_intervals_newest_first(
    context: PageContext,
) -> None:
    noon = datetime(2027, 1, 31, 12, tzinfo=UTC)
    hashes_by_name = {
        "late.smf": ("1", noon, noon),
        "b.smf": ("9", noon - timedelta(hours=1), noon - timedelta(hours=1)),
        "a.smf": ("0", noon - timedelta(hours=1), noon - timedelta(hours=1)),
        "earlier intervals.smf": ("f", noon - timedelta(hours=1), noon - timedelta(hours=2)),
    }
    upsert_source_files(
        context.engine,
        [
            builder.source_file(
                sha256=digit * 64,
                name=name,
                received_date=noon.date(),
                landed_at_utc=landed,
                last_interval_utc=last,
            )
            for name, (digit, landed, last) in hashes_by_name.items()
        ],
    )
    names = [file.name for file in files_view(context, builder.DAY, False, 0).files]
    assert names[:4] == ["late.smf", "b.smf", "a.smf", "earlier intervals.smf"]
