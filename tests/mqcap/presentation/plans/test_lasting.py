from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.plan import PlanEnd
from mqcap.presentation.plans.lasting import (
    bound_means,
    lasts_text,
    until_text,
)
from tests.plan_factories import plan


@pytest.mark.parametrize(
    ("lasts_until", "words"),
    [
        (None, "lasts as far as the forecast reaches"),
        (date(2027, 5, 20), "lasts until 20 May 2027"),
    ],
)
def test_lists_that_state_the_confidence_once_leave_it_out(
    lasts_until: date | None, words: str
) -> None:
    item = plan(lasts_until=lasts_until)
    assert until_text(item, item) == words
    assert lasts_text(item, item) == f"{words} at the 90 % bound of the forecast"


def test_what_ends_a_plan_is_named_with_the_level_that_it_then_passes() -> None:
    end = PlanEnd(rule_id="LOG-DAY-ACTIVE", level="Watch below 30 h")
    lasting = plan(lasts_until=date(2027, 5, 20), ended_by=(end,))
    assert until_text(lasting, lasting) == (
        "lasts until 20 May 2027 (then LOG-DAY-ACTIVE, Watch below 30 h)"
    )


@pytest.mark.parametrize(("confidence", "bound", "beyond"), [(0.9, "90", "10"), (0.95, "95", "5")])
def test_the_bound_of_a_plan_is_a_probability_of_the_figure_of_one_day(
    confidence: float, bound: str, beyond: str
) -> None:
    assert bound_means(confidence) == (
        f"the figure of one day lies beyond the {bound} % bound, towards the limit, with a "
        f"probability of {beyond} %"
    )
