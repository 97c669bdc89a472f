"""All resources and one: owners, what is below one of them, its figure, chart and loss."""

from typing import Any

import pytest

from mq_capacity_page.pages.resources.view import (
    FIRST_OWNERS,
    OwnerCell,
    OwnerTable,
    owner_tables,
    resource_view,
    resources_view,
)
from mq_capacity_page.pages.series.panel import Figure, PanelQuery
from mq_capacity_page.pages.series.sub_daily import Resolution
from mq_capacity_page.pages.whatif.view import option_chart
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.plan import Plan
from mqcap.domain.resource import HeatColumn
from mqcap.presentation.fleet import FleetLine
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import Settings
from mqcap.store.console_states import replace_states
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from tests.factories import console_state, finding
from tests.plan_factories import incident, inputs_missing, loss, plan
from tests.plugins import builder
from tests.plugins.web import TestClient, text_of


def view_of(context: PageContext, name: str = "", find: str = "", rows: int = FIRST_OWNERS) -> View:
    return resources_view(context, builder.DAY, name, find, rows)


def test_owners_have_a_table_by_kind(context: PageContext) -> None:
    view = view_of(context)
    assert [owner.kind for owner in view.owners] == ["Queue manager on z/OS", "Coupling facility"]
    assert view.owner_count == sum(len(owner.rows) for owner in view.owners) == 3
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
    assert [resource.path for resource in view.resources] == paths
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
    assert [resource.path for resource in view.resources] == paths
    assert view.series_count == count


def lines(*changed: dict[str, Any]) -> list[FleetLine]:
    """Return lines by urgency of findings without a crossing."""
    settings = Settings()
    defaults = {"breach": False, "headroom_ratio": 0.5}
    made = [finding(**(defaults | each)) for each in changed]
    return fleet_lines(made, [], [], settings.complete_estate(), settings.alerts)


def table(*changed: dict[str, Any]) -> OwnerTable:
    return owner_tables(lines(*changed), 99)[0][0]


def cell(*changed: dict[str, Any]) -> OwnerCell:
    return next(iter(table(*changed).rows[0].cells.values()))


def test_a_day_without_findings_has_no_table() -> None:
    assert owner_tables([], 99) == ([], 0)


def test_findings_on_parts_of_a_queue_manager_are_in_its_row() -> None:
    made = table(
        {"subject": "PLEX1/CSQ1"},
        {"subject": "PLEX1/CSQ1/BP01", "rule_id": "BP-FREE-15", "series_id": None},
        {"subject": "PLEX1/CSQ2"},
        {"subject": "PLEX2/CSQ2"},
        {"subject": "PLEX1", "rule_id": "LOG-RUNWAY-12H"},
    )
    rows = {row.subject: len(row.cells) for row in made.rows}
    assert rows == {"PLEX1/CSQ1": 2, "PLEX1/CSQ2": 1, "PLEX2/CSQ2": 1, "PLEX1": 1}


def test_columns_are_in_the_order_of_the_resources_and_only_those_that_occur() -> None:
    rules = ("ZZ-OTHER", "CFS-FULL", "BP-FREE-15", "LOG-RUNWAY-12H")
    made = table(*({"rule_id": rule, "series_id": None} for rule in rules))
    assert made.resources == ["Active log", "Buffer pool", "CF structure", "Other"]


@pytest.mark.parametrize("beside", [Severity.suggestion, Severity.ok])
def test_a_suggestion_is_the_severity_of_a_cell_only_where_nothing_else_is(
    beside: Severity,
) -> None:
    made = cell(
        {"rule_id": "LOG-FILL-30MIN", "severity": Severity.suggestion},
        {"rule_id": "LOG-COUNT-MIN", "severity": beside},
    )
    assert made.severity is beside


def test_a_cell_in_order_shows_how_full_the_resource_is() -> None:
    full = {"unit": "%", "observed": 42.9, "limit_value": 80.0, "headroom_ratio": 0.464}
    made: list[dict[str, Any]] = [
        {"rule_id": "CF-RESPONSE", "severity": Severity.ok, "headroom_ratio": None},
        {"rule_id": "CFS-ADMIN", "severity": Severity.ok, "headroom_counts": False},
        {"rule_id": "CFS-FULL", "severity": Severity.ok, **full},
    ]
    for each in (made, made[::-1]):
        assert cell(*each).figure == "43 %"


def test_a_column_in_which_all_is_only_in_order_is_left_out() -> None:
    quiet = {"rule_id": "CF-RESPONSE", "severity": Severity.ok, "headroom_ratio": None}
    assert table({"subject": "PLEX1/CF01"}, {"subject": "PLEX1/CF01", **quiet}).resources == [
        HeatColumn.active_log
    ]


UNKNOWN = {"severity": Severity.unknown}


@pytest.mark.parametrize(
    ("changed", "shown", "figure"),
    [
        ([{"rule_id": "CHI-SCAV-75", "severity": Severity.watch, "headroom_counts": False,
           "headroom_ratio": 0.031}], "CHI-SCAV-75", "4,320 of 2,002 MB/hour"),
        ([{"rule_id": "LOG-RATE-MBH", "severity": Severity.watch, "headroom_ratio": None},
          {"rule_id": "LOG-RUNWAY-12H", "severity": Severity.ok}], "LOG-RATE-MBH", "Watch"),
        ([{"rule_id": "LOG-FILL-30MIN", **UNKNOWN, "headroom_ratio": None},
          {"rule_id": "LOG-COUNT-MIN", **UNKNOWN, "headroom_ratio": 0.4}],
         "LOG-COUNT-MIN", "4,320 of 2,002 MB/hour"),
        *(([{"rule_id": "LOG-FILL-30MIN", "severity": severity, "headroom_ratio": 0.3},
            {"rule_id": "LOG-COUNT-MIN", "severity": severity, "headroom_ratio": 0.1}],
           "LOG-COUNT-MIN", "4,320 of 2,002 MB/hour")
          for severity in (Severity.act, Severity.watch, Severity.ok)),
    ],
    ids=["not-graded", "its-own-past", "unknown-with-headroom", "act", "watch", "ok"],
)  # fmt: skip
def test_a_cell_shows_its_most_urgent_finding_and_where_one_has_it_a_figure(
    changed: list[dict[str, Any]], shown: str, figure: str
) -> None:
    made = cell(*changed)
    assert (made.worst.finding.rule_id, made.figure) == (shown, figure)


def test_rows_of_each_kind_are_a_table_with_the_columns_that_they_have() -> None:
    made = lines(
        {"subject": "EAST/QM1", "rule_id": "DST-CHANNELS", "series_id": None},
        {"subject": "PLEX1/CF01", "rule_id": "CF-BUSY-1", "series_id": None},
        {"subject": "PLEX1/CSQ1"},
        {"subject": "PLEX1/CSQ1", "rule_id": "BP-FREE-15", "series_id": None},
        {"subject": "PLEX1/CSQ2", "rule_id": "ZZ-OTHER", "series_id": None},
    )
    tables, count = owner_tables(made, 99)
    assert count == 4
    assert {table.kind: [row.subject for row in table.rows] for table in tables} == {
        "Queue manager on z/OS": ["PLEX1/CSQ1", "PLEX1/CSQ2"],
        "Coupling facility": ["PLEX1/CF01"],
        "Other platforms": ["EAST/QM1"],
    }
    assert [table.resources for table in tables] == [
        [HeatColumn.active_log, HeatColumn.buffer_pool, HeatColumn.other],
        [HeatColumn.cf_processor],
        [HeatColumn.max_channels],
    ]


LOGS = "PLEX1/CSQ1/active_log"
QUERY = PanelQuery(Statistic.peak)


def lasting(context: PageContext) -> None:
    """Make the rule of the logs one that states a time: 27 of 30 minutes."""
    stated = {
        "observed": 27.0,
        "limit_value": 30.0,
        "unit": "min",
        "direction": Direction.downward,
        "series_direction": Direction.upward,
        "series_limit": 2.25,
        "statistic": Statistic.peak,
        "inputs": (),
    }
    others = [each for each in builder.judged() if each.subject != "PLEX1/CSQ1"]
    replace_findings(context.engine, builder.DAY, [builder.finding(**stated), *others])


def resource_of(context: PageContext, path: str = LOGS, query: PanelQuery = QUERY) -> View:
    view = resource_view(context, path, builder.DAY, query)
    assert view is not None
    return view


def test_a_resource_without_a_plan_is_there_and_an_unknown_one_is_not(context: PageContext) -> None:
    assert resource_view(context, "PLEX1/NONE/active_log", builder.DAY, QUERY) is None
    view = resource_of(context, "PLEX1/CF01")
    assert view.plan is not None
    assert view.block is not None


def test_the_chart_shows_the_time_that_the_rule_states_unless_measured_is_asked(
    context: PageContext,
) -> None:
    lasting(context)
    block = resource_of(context).block
    assert block.has_stated
    assert block.chart.unit == "min"
    assert ("limit", "Limit 30 min") in block.chart.legend
    block = resource_of(context, query=QUERY._replace(figure=Figure.measured)).block
    assert block.chart.unit == "MB/hour"


def test_options_of_the_plan_are_lines_of_the_chart(context: PageContext) -> None:
    chart = option_chart(context, LOGS, builder.DAY, QUERY._replace(rule="LOG-FILL-30MIN"))
    assert chart is not None
    names = {line.name for line in chart.lines} | {limit.words for limit in chart.limits}
    assert len(names) > 3
    assert option_chart(context, "PLEX1/NONE", builder.DAY, QUERY) is None


@pytest.mark.parametrize("grain", list(Resolution))
def test_a_chart_that_nothing_was_measured_for_says_so(
    filled: TestClient, grain: Resolution
) -> None:
    answer = filled.get(f"/resource?path={LOGS}&grain={grain}")
    assert answer.status_code == 200
    assert ("Nothing is measured in this time" in text_of(answer)) is (grain != "daily")


def test_the_part_with_options_is_no_page_of_its_own(filled: TestClient) -> None:
    address = f"/options?path={LOGS}&rule=LOG-FILL-30MIN&day={builder.DAY}"
    answer = filled.get(address)
    assert answer.status_code == 200
    assert "<nav" not in answer.text
    assert "chart-svg" in answer.text


def test_a_loss_has_its_survivors_and_leads_to_what_if(
    filled: TestClient, context: PageContext
) -> None:
    lost = loss().model_copy(update={"site_date": builder.DAY})
    replace_losses(context.engine, builder.DAY, [lost])
    answer = filled.get(f"/resource?path={lost.lost}/loss")
    assert answer.status_code == 200
    words = text_of(answer)
    assert "Lose it in what-if" in words
    worst = max(lost.decisive_cells, key=lambda cell: cell.shown_rank)
    first = f"With the plans {worst.survivor.rpartition('/')[2]} {worst.quantity.label}"
    assert first in words


@pytest.mark.parametrize(
    "stored",
    [
        plan(site_date=builder.DAY, arithmetic=("16 x 5825 cylinders",), affected=("CSQ2 logs",)),
        incident(site_date=builder.DAY, arithmetic=("16 x 5825 cylinders",), advice="Archive"),
        inputs_missing("log_read_mib_per_s", site_date=builder.DAY, arithmetic=("16 x 5825",)),
    ],
    ids=lambda plan: plan.form,
)
def test_a_plan_of_each_form_has_its_arithmetic(
    filled: TestClient, context: PageContext, stored: Plan
) -> None:
    replace_plans(context.engine, builder.DAY, [stored])
    answer = filled.get(f"/resource?path={LOGS}")
    assert answer.status_code == 200
    assert stored.evidence.arithmetic[0] in text_of(answer)
