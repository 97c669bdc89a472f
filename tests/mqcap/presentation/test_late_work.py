"""Work that is not done by the due day, in words."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.plan import PlanVariant
from mqcap.presentation.late_work import late_text
from tests.factories import plan_change, work_schedule

BEGIN = (
    "That is not done by 16 Mar 2026 at 20 h a week (plan.week_hours), but by 23 Mar 2026. First, "
    "by 16 Mar 2026: 8 logs (40 h)"
)
MORE = "more hours a week are needed."


@pytest.mark.parametrize(
    ("lasts_until", "words"),
    [
        (None, "which keeps LOG-RUNWAY-12H as far as the forecast reaches."),
        (date(2026, 3, 23), "which keeps LOG-RUNWAY-12H until 23 Mar 2026."),
        (date(2026, 3, 22), f"which keeps LOG-RUNWAY-12H only until 22 Mar 2026: {MORE}"),
        (date(2026, 3, 16), f"which keeps LOG-RUNWAY-12H only until 16 Mar 2026: {MORE}"),
        (date(2026, 3, 15), f"which does not keep LOG-RUNWAY-12H: {MORE}"),
    ],
)
def test_what_is_done_first_keeps_its_limits_until_all_is_done_or_not(
    lasts_until: date | None, words: str
) -> None:
    first = PlanVariant(changes=(plan_change(),), lasts_until=lasts_until)
    assert late_text(work_schedule(first=first), "8 logs (40 h)") == f"{BEGIN}, {words}"


def test_where_nothing_is_done_by_then_more_hours_are_needed() -> None:
    text = late_text(work_schedule(first=PlanVariant()), "no change (no cost)")
    assert text.endswith(f"Nothing of it is done by 16 Mar 2026: {MORE}")
