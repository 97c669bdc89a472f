"""The page of a resource: its figure, its chart with the options of its plan, its loss."""

import pytest

from mq_capacity_page.pages.resource.view import resource_view
from mq_capacity_page.pages.series.panel import Figure, PanelQuery
from mq_capacity_page.pages.series.sub_daily import Resolution
from mq_capacity_page.pages.whatif.chart import option_chart
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.plan import Plan
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from tests.plan_factories import incident, inputs_missing, loss, plan
from tests.plugins import builder
from tests.plugins.web import TestClient, text_of

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


def view_of(context: PageContext, path: str = LOGS, query: PanelQuery = QUERY) -> View:
    view = resource_view(context, path, builder.DAY, query)
    assert view is not None
    return view


def test_a_resource_without_a_plan_is_there_and_an_unknown_one_is_not(context: PageContext) -> None:
    assert resource_view(context, "PLEX1/NONE/active_log", builder.DAY, QUERY) is None
    view = view_of(context, "PLEX1/CF01")
    assert view.plan is not None
    assert view.block is not None


def test_the_chart_shows_the_time_that_the_rule_states_unless_measured_is_asked(
    context: PageContext,
) -> None:
    lasting(context)
    block = view_of(context).block
    assert block is not None
    assert block.has_stated
    assert block.chart is not None
    assert block.chart.unit == "min"
    assert ("limit", "Limit 30 min") in block.chart.legend
    block = view_of(context, query=QUERY._replace(figure=Figure.measured)).block
    assert block is not None
    assert block.chart is not None
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
