"""Queries that several pages share."""

from datetime import timedelta

import pytest

from mq_capacity_page import queries
from mq_capacity_page.queries import (
    fleet_lines_on,
    history,
    search_series,
)
from mq_capacity_page.web.context import PageContext
from mqcap.store.findings import replace_findings
from mqcap.store.step_runs import save_step_run
from tests.factories import step_run
from tests.plugins import builder


def test_lines_of_a_site_are_read_once_until_a_step_ends(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "current_context", lambda: context)
    fleet_lines_on(context, builder.DAY)
    ended = step_run()
    save_step_run(context.engine, ended)
    lines = fleet_lines_on(context, builder.DAY)
    assert len(lines) > 0
    replace_findings(context.engine, builder.DAY, [])
    assert fleet_lines_on(context, builder.DAY) == lines
    later = ended.ended_at_utc + timedelta(seconds=1)
    save_step_run(context.engine, ended.model_copy(update={"ended_at_utc": later}))
    assert fleet_lines_on(context, builder.DAY) == []


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("", [builder.CF, builder.QUIET, builder.LOG, builder.LOG_TEST]),
        ("  cf01 ", [builder.CF, builder.QUIET]),
        ("log growth", [builder.LOG, builder.LOG_TEST]),
        ("nothing", []),
    ],
    ids=["all", "subject", "label", "none"],
)
def test_a_series_is_found_by_id_or_label(
    context: PageContext, part: str, found: list[str]
) -> None:
    matches, total = search_series(context, part)
    assert [facts.series_id for facts in matches] == found
    assert total == 4


def test_a_search_with_a_day_leaves_out_series_that_began_later(context: PageContext) -> None:
    before_the_first = builder.DAY - timedelta(days=builder.HISTORY_DAYS)
    assert search_series(context, "", builder.DAY)[1] == 4
    matches, total = search_series(context, "", before_the_first)
    assert [facts.series_id for facts in matches] == [builder.QUIET]  # never measured
    assert total == 1


def test_the_history_ends_at_the_day_and_has_no_row_for_a_day_that_was_not_measured(
    context: PageContext,
) -> None:
    days = [each.site_date for each in history(context, builder.LOG, builder.DAY)]
    assert len(days) == builder.HISTORY_DAYS - 1
    assert days[-1] == builder.DAY
    assert days == sorted(days)
    earlier = history(context, builder.LOG, builder.DAY - timedelta(days=30))
    assert earlier[-1].site_date == builder.DAY - timedelta(days=30)
