"""All resources: a table of owners, and what is on and below one of them."""

import pytest

from mq_capacity_page.pages.resources.view import FIRST_OWNERS, ResourcesView, resources_view
from mq_capacity_page.web.context import PageContext
from mqcap.store.console_states import replace_states
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.factories import console_state
from tests.plugins import builder


def view_of(
    context: PageContext, name: str = "", find: str = "", rows: int = FIRST_OWNERS
) -> ResourcesView:
    return resources_view(context, builder.DAY, name, find, rows)


def test_owners_have_a_table_by_kind(context: PageContext) -> None:
    view = view_of(context)
    assert [each.kind for each in view.owners] == ["Queue manager on z/OS", "Coupling facility"]
    assert view.owner_count == sum(len(each.rows) for each in view.owners) == 3
    assert len(view_of(context, rows=1).owners) == 1
    assert view.resources == []


@pytest.mark.parametrize(
    ("name", "paths", "series"),
    [
        ("PLEX1/CSQ1", ["PLEX1/CSQ1/active_log"], [builder.LOG]),
        ("PLEX2", ["PLEX2/TST1/active_log"], [builder.LOG_TEST]),
        ("PLEX1/CSQ", [], []),
    ],
)
def test_a_subject_has_what_is_on_and_below_it(
    context: PageContext, name: str, paths: list[str], series: list[str]
) -> None:
    view = view_of(context, name)
    assert [each.path for each in view.resources] == paths
    assert [each.series_id for each in view.series] == series
    assert view.owners == []


def test_a_resource_has_what_the_console_reported_of_it_beside_its_figure(
    context: PageContext,
) -> None:
    reported = builder.finding(rule_id="CONSOLE-LOG", is_event=True, observed=None)
    replace_findings(context.engine, builder.DAY, [reported, *builder.judged()])
    plan = builder.incident(worst_rule="CONSOLE-LOG")
    replace_plans(context.engine, builder.DAY, [plan])
    of_day = console_state(site_date=builder.DAY, last_date=builder.DAY)
    replace_states(context.engine, [builder.DAY], [of_day])
    [line] = view_of(context, "PLEX1/CSQ1").resources
    assert line.row is not None
    assert line.row.problem == "Out of active log space 12:00"
    assert line.figure.of_limit == "9,000 of 8,100 MB/hour"


@pytest.mark.parametrize(
    ("find", "paths", "count"),
    [
        ("active", ["PLEX1/CSQ1/active_log", "PLEX2/TST1/active_log"], 0),
        ("cf01", ["PLEX1/CF01"], 2),
    ],
)
def test_a_search_finds_resources_and_series(
    context: PageContext, find: str, paths: list[str], count: int
) -> None:
    view = view_of(context, find=find)
    assert [each.path for each in view.resources] == paths
    assert view.series_count == count
