"""What the overview says of a day, kept until a step ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page import queries
from mq_capacity_page.pages.overview import selection
from mq_capacity_page.pages.overview.selection import plan_words, selection_on, series_coverage
from mq_capacity_page.web.context import PageContext
from mqcap.presentation.fleet import Filters
from mqcap.store.plans import replace_plans
from mqcap.store.step_runs import save_step_run
from tests.factories import step_run
from tests.plugins import builder


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (2, "2 plans (production); all: 3"),
        (1, "2 plans (production); all: 3; 1 of these filters"),
    ],
)
def test_the_count_of_plans_says_of_what(shown: int, words: str) -> None:
    plans = sorted(builder.plans(), key=lambda plan: not plan.is_production)
    assert plan_words(plans, plans[:shown]) == words


def test_coverage_counts_series_with_a_value_on_the_day(context: PageContext) -> None:
    on_the_day = series_coverage(context, builder.DAY)
    assert (on_the_day.measured, on_the_day.known) == (3, 3)
    gap = series_coverage(context, builder.DAY.replace(day=10))
    assert (gap.measured, gap.known) == (0, 3)


def test_a_selection_is_made_once_for_its_filters_until_a_step_ends(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "current_context", lambda: context)
    monkeypatch.setattr(queries, "current_context", lambda: context)
    ended = step_run()
    save_step_run(context.engine, ended)
    every = selection_on(context, builder.DAY, Filters())
    assert selection_on(context, builder.DAY, Filters()) is every
    others = selection_on(context, builder.DAY, Filters(severity="watch"))
    assert others.day is every.day
    assert len(others.matches) < len(every.matches)
    replace_plans(context.engine, builder.DAY, [])
    assert selection_on(context, builder.DAY, Filters()).day.plans
    later = ended.ended_at_utc + timedelta(seconds=1)
    save_step_run(context.engine, ended.model_copy(update={"ended_at_utc": later}))
    assert not selection_on(context, builder.DAY, Filters()).day.plans
