"""The head of every page, and the context that views read."""

from __future__ import annotations

from datetime import timedelta

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import page_frame
from mqcap.store.findings import replace_findings
from tests.plugins import builder

EARLIER = builder.DAY - timedelta(days=3)


def test_without_a_day_the_latest_evaluated_one_is_shown(context: PageContext) -> None:
    frame = page_frame(context, None, "overview")
    assert (frame.day, frame.latest) == (builder.DAY, builder.DAY)
    assert (frame.earlier, frame.later) == (None, None)
    assert frame.site_name == "Test site"


def test_neighbours_are_the_nearest_days_with_findings(context: PageContext) -> None:
    earlier = [builder.finding(site_date=EARLIER)]
    replace_findings(context.engine, EARLIER, earlier)
    assert page_frame(context, builder.DAY, "series").earlier == EARLIER
    assert page_frame(context, EARLIER, "series").later == builder.DAY
    between = page_frame(context, EARLIER + timedelta(days=1), "series")
    assert (between.earlier, between.later) == (EARLIER, builder.DAY)


def test_an_empty_store_has_no_day_unless_one_is_asked_for(empty_context: PageContext) -> None:
    assert page_frame(empty_context, None, "overview").day is None
    asked = page_frame(empty_context, builder.DAY, "overview")
    assert (asked.day, asked.latest) == (builder.DAY, None)
