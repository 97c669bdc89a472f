"""Queries that several pages share."""

from datetime import timedelta

import pytest

from mq_capacity_page import queries
from mq_capacity_page.queries import fleet_lines_on, search_series, series_ids_matching
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
    matches = search_series(context, part, builder.DAY)
    assert [facts.series_id for facts in matches] == found
    assert series_ids_matching(context, part) == found


def test_a_search_with_a_day_leaves_out_series_that_began_later(context: PageContext) -> None:
    before_the_first = builder.DAY - timedelta(days=builder.HISTORY_DAYS)
    assert len(search_series(context, "", builder.DAY)) == 4
    matches = search_series(context, "", before_the_first)
    assert [facts.series_id for facts in matches] == [builder.QUIET]  # never measured
