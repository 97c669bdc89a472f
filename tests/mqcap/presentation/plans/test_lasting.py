from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanEnd
from mqcap.presentation.plans.lasting import (
    bound_means,
    lasts_text,
    level_text,
    until_text,
    watch_text,
)
from mqcap.presentation.plans.text import change_lines
from tests.plan_factories import plan, plan_rule


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


@pytest.mark.parametrize(
    ("after", "level", "is_forecast", "words"),
    [
        (Severity.watch, "limit 24 h", True, "its limit 24 h; it is at Watch"),
        (Severity.ok, "limit 24 h", True, "limit 24 h"),
        (Severity.ok, "Watch below 30 h", True, "Watch below 30 h"),
        (Severity.watch, "limit 24 h", False, ""),
        (Severity.ok, "", True, ""),
    ],
)
def test_a_rule_at_watch_says_that_its_limit_alone_is_kept(
    after: Severity, level: str, is_forecast: bool, words: str
) -> None:
    rule = plan_rule().model_copy(
        update={"after": after, "level": level, "is_forecast": is_forecast}
    )
    assert level_text(rule) == words


def test_what_ends_a_plan_is_named_with_the_level_that_it_then_passes() -> None:
    end = PlanEnd(rule_id="LOG-DAY-ACTIVE", level="Watch below 30 h")
    lasting = plan(lasts_until=date(2027, 5, 20), ended_by=(end,))
    assert until_text(lasting, lasting) == (
        "lasts until 20 May 2027 (then LOG-DAY-ACTIVE, Watch below 30 h)"
    )


@pytest.mark.parametrize(
    ("lasts_until", "is_named"),
    [(date(2027, 5, 2), False), (date(2027, 5, 3), True), (date(2027, 5, 4), True), (None, True)],
)
def test_a_rule_at_watch_before_the_plan_ends_is_named_with_its_day_and_why(
    lasts_until: date | None, is_named: bool
) -> None:
    excused = plan_rule("LOG-FILL-30MIN").model_copy(
        update={
            "watch_from": date(2027, 5, 3),
            "level": "limit 30 min",
            "watch_why": "CYL(5825) is the largest log",
        }
    )
    lasting = plan(lasts_until=lasts_until, rules=(plan_rule(), excused))
    sentence = (
        "LOG-FILL-30MIN is at Watch from 3 May 2027, within its limit 30 min: no setting keeps it "
        "below Watch for longer; CYL(5825) is the largest log."
    )
    assert watch_text(lasting) == (sentence if is_named else "")
    assert (sentence in change_lines(lasting)[1]) is is_named
    assert watch_text(lasting.model_copy(update={"changes": ()})) == ""


@pytest.mark.parametrize(("confidence", "bound", "beyond"), [(0.9, "90", "10"), (0.95, "95", "5")])
def test_the_bound_of_a_plan_is_a_probability_of_the_figure_of_one_day(
    confidence: float, bound: str, beyond: str
) -> None:
    assert bound_means(confidence) == (
        f"the figure of one day lies beyond the {bound} % bound, towards the limit, with a "
        f"probability of {beyond} %"
    )
