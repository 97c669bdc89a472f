"""One page for management: by sysplex, by team and month, what moved in a month."""

from datetime import date, timedelta

from mq_capacity_page.pages.reports.view import management_view
from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.settings.analysis import PlanPrices
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.plan_factories import with_base
from tests.plugins import builder


def priced(context: PageContext, currency: str = "EUR") -> PageContext:
    plan = context.settings.plan.model_copy(update={"prices": PlanPrices(currency=currency)})
    return context._replace(settings=context.settings.model_copy(update={"plan": plan}))


def test_money_is_the_sum_of_what_has_a_price_and_says_what_has_none(
    context: PageContext,
) -> None:
    first, *others = builder.plans()
    cost = first.base.cost.model_copy(update={"money": 1_500.0, "currency": "EUR"})
    made = [with_base(first, cost=cost), *others]
    replace_plans(context.engine, builder.DAY, made)
    view = management_view(priced(context), builder.DAY)
    assert view.money(view.found.sites[0].money) == "1,500 EUR and 1 without a price"
    assert view.money(view.found.sites[1].money) == "1 without a price"


def test_after_what_is_decided_stand_limits_passed_later_and_changes_that_are_used_up(
    context: PageContext,
) -> None:
    later = builder.crossing(
        rule_id="PS-SAMPLED-90", subject="PLEX1/CSQ1/PS01", state=CrossingState.will_cross,
        breached_since=None, expected_date=date(2026, 11, 20),
    )  # fmt: skip
    far = later.model_copy(update={"subject": "PLEX1/CSQ1/PS02", "expected_date": date(2027, 9, 1)})
    replace_crossings(context.engine, builder.DAY, [*builder.dated(), later, far])
    ahead = management_view(context, builder.DAY).found.ahead
    shown = [(f"{month:%b %Y}", [each.name for each in of.passes]) for month, of in ahead.items()]
    assert shown == [("Aug 2026", []), ("Nov 2026", ["CSQ1 page set PS01"])]
    assert [each.name for each in ahead[date(2026, 8, 1)].ends] == [
        "CSQ1 active logs",
        "TST1 active logs",
    ]


def test_without_an_earlier_day_nothing_has_moved(context: PageContext) -> None:
    assert management_view(context, builder.DAY).found.month_ago is None


def test_what_was_used_up_in_a_month_and_what_is_new_since_then_is_named(
    context: PageContext,
) -> None:
    ago = builder.DAY - timedelta(days=30)
    calm = {"site_date": ago, "severity": Severity.ok, "breach": False, "headroom_ratio": 0.4}
    was = [each.model_copy(update=calm) for each in builder.judged()[:3]]
    replace_findings(context.engine, ago, was)
    view = management_view(context, builder.DAY)
    found = view.found
    assert found.month_ago == ago
    name, _, *shares = view.moved(found.movers[0])
    assert (name, shares) == ("PLEX1 CSQ1 active logs", ["60 %", "111 %"])
    assert "PLEX1/CSQ1/active_log" in [each.path for each in found.added]
    assert found.gone == []
