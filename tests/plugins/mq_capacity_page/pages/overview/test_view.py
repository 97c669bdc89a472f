"""The overview as a model: counts, filters, coverage, changes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.pages.overview.view import (
    FIRST_PLANS,
    FIRST_ROWS,
    overview_view,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.finding import Severity
from mqcap.presentation.fleet import Filters
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.losses import replace_losses
from mqcap.store.plans import replace_plans
from tests.factories import differing_sources
from tests.plan_factories import loss, loss_cell, loss_finding
from tests.plugins import builder

EARLIER = builder.DAY - timedelta(days=1)


def test_the_list_holds_production_and_counts_what_the_class_filter_hides(
    context: PageContext,
) -> None:
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    assert (view.match_count, view.total, view.hidden) == (3, 4, 1)
    assert [line.finding.severity for line in view.lines] == [
        Severity.act,
        Severity.watch,
        Severity.unknown,
    ]


def test_a_filter_by_severity_does_not_change_the_counts(context: PageContext) -> None:
    every = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    watch = overview_view(context, builder.DAY, Filters(severity="watch"), FIRST_ROWS)
    assert watch.counts == every.counts
    assert watch.match_count == 1
    assert sum(every.counts.values()) == every.match_count


def test_the_heat_table_obeys_the_same_filters(context: PageContext) -> None:
    view = overview_view(context, builder.DAY, Filters(resource="CF processor"), FIRST_ROWS)
    assert [row.name for row in view.heat.rows] == ["CF01"]
    assert list(view.heat.resources) == ["CF processor"]


def test_rows_of_the_heat_table_are_in_the_order_of_the_list_with_test_systems_last(
    context: PageContext,
) -> None:
    view = overview_view(context, builder.DAY, Filters(system_class="all"), FIRST_ROWS)
    assert [row.name for row in view.heat.rows] == ["CSQ1", "CF01", "TST1"]


def test_rows_after_the_first_ones_are_counted_not_printed(context: PageContext) -> None:
    view = overview_view(context, builder.DAY, Filters(), 1)
    assert len(view.lines) == 1
    assert view.match_count == 3


def test_the_first_cards_are_shown_until_all_are_requested(context: PageContext) -> None:
    pools = [f"PLEX1/CSQ1/BP{number:02}" for number in range(FIRST_PLANS + 1)]
    replace_findings(
        context.engine,
        builder.DAY,
        [builder.finding(rule_id="BP-FREE-15", subject=pool, series_id=None) for pool in pools],
    )
    replace_plans(context.engine, builder.DAY, [builder.plan(resource=pool) for pool in pools])
    first = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    every = overview_view(context, builder.DAY, Filters(), FIRST_ROWS + 1)
    assert (len(first.cards), first.plan_count) == (FIRST_PLANS, FIRST_PLANS + 1)
    assert (len(every.cards), every.is_complete) == (FIRST_PLANS + 1, True)


def test_cards_are_those_of_the_findings_that_pass_the_filters(context: PageContext) -> None:
    def labels(**filters: str) -> list[str]:
        view = overview_view(context, builder.DAY, Filters(**filters), FIRST_ROWS)
        return [card.plan.label for card in view.cards]

    assert labels() == ["CSQ1 active logs", "CF01 coupling facility"]
    assert labels(resource="CF processor") == ["CF01 coupling facility"]
    assert labels(severity="act") == ["CSQ1 active logs"]
    assert labels(sysplex="PLEX2", system_class="all") == ["TST1 active logs"]


def test_feeds_are_counted_by_state_and_only_incomplete_ones_warn(context: PageContext) -> None:
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    assert {style.word: count for style, count in view.feeds} == {
        "Absent": 1,
        "Never seen": 1,
        "Partial": 1,
        "Stopped": 1,
        "Complete": 1,
    }
    assert (view.incomplete, view.differing) == (3, 0)


def test_sources_that_differ_do_not_count_as_incomplete(context: PageContext) -> None:
    differs = differing_sources().model_copy(update={"site_date": builder.DAY})
    replace_feed_days(context.engine, builder.DAY, builder.DAY, [differs])
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    assert (view.incomplete, view.differing) == (0, 1)


def test_without_an_earlier_day_nothing_is_compared(context: PageContext) -> None:
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    assert view.before is None
    assert list(view.worse) == list(view.better) == []


@pytest.mark.parametrize(
    ("severity", "worse", "better"),
    [(Severity.ok, 1, 0), (Severity.act, 0, 0)],
    ids=["was-ok", "was-the-same"],
)
def test_changes_compare_with_the_evaluated_day_before(
    context: PageContext, severity: Severity, worse: int, better: int
) -> None:
    before = [
        finding.model_copy(
            update={"site_date": EARLIER}
            | ({"severity": severity} if finding.rule_id == "LOG-FILL-30MIN" else {})
        )
        for finding in builder.judged()
    ]
    replace_findings(context.engine, EARLIER, before)
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    assert view.before == EARLIER
    assert (len(view.worse), len(view.better)) == (worse, better)


def test_a_day_without_findings_has_an_empty_overview(context: PageContext) -> None:
    view = overview_view(context, builder.DAY + timedelta(days=20), Filters(), FIRST_ROWS)
    assert (view.total, list(view.lines), view.incomplete) == (0, [], 0)


def test_a_loss_is_one_row_with_its_plan(context: PageContext) -> None:
    due = builder.DAY + timedelta(days=14)
    cells = (loss_cell(), loss_cell(survivor="PLEX1/CF01"))
    lost = loss(site_date=builder.DAY, due_date=due, cells=cells)
    replace_losses(context.engine, builder.DAY, [lost])
    names = ("LOSS-CF-BUSY", "LOSS-CF-STORAGE")
    found = [loss_finding(name, site_date=builder.DAY) for name in names]
    replace_findings(context.engine, builder.DAY, found)
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    [line] = view.lines
    assert line.rule_words == "LOSS-CF-BUSY; 2 limits passed"
    assert view.plans[line.key].due_date == due
    assert view.urgent_words.startswith(
        "0 Act, 0 Watch findings in 2 plans and 0 Act, 1 Watch losses"
    )
    [card] = view.cards
    assert (card.plan.label, card.scenario) == ("loss of CF02", {})
    assert view.plan_words.endswith("; and 1 loss")


def test_a_loss_at_act_has_a_card_before_what_is_to_watch(context: PageContext) -> None:
    due = builder.DAY + timedelta(days=30)
    lost = loss(site_date=builder.DAY, severity=Severity.act, due_date=due)
    replace_losses(context.engine, builder.DAY, [lost])
    found = loss_finding("LOSS-CF-BUSY", site_date=builder.DAY, severity=Severity.act)
    replace_findings(context.engine, builder.DAY, [*builder.judged(), found])
    view = overview_view(context, builder.DAY, Filters(), FIRST_ROWS)
    labels = [card.plan.label for card in view.cards]
    assert labels == ["CSQ1 active logs", "loss of CF02", "CF01 coupling facility"]
