"""The one rule that gives storage back: a buffer pool that never uses half of its buffers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from mqcap.domain.finding import Severity
from sizing.rulebook.judge import judge
from tests.sizing.builders import DAY, RULES, Policy, finding, severities, typed, values
from tests.sizing.following import after_advice

RULE: Final = "BP-OVERSIZE-50"


def test_a_pool_never_above_half_is_a_suggestion_and_never_a_breach() -> None:
    used = (0, 49.9, 50, 50.1, 100)
    assert severities(RULE, "max_used_pct", *used, observed_days=91) == [
        *3 * [Severity.suggestion], Severity.ok, Severity.ok,
    ]  # fmt: skip
    judged = finding(RULE, max_used_pct=10, observed_days=91)
    assert judged.breach is False
    assert judged.headroom_ratio is None, "there is nothing to run out of"


def test_the_policy_of_a_site_for_breaches_does_not_touch_a_suggestion() -> None:
    policy = replace(Policy(), breach=Severity.act)
    inputs = values(max_used_pct=10, observed_days=91)
    assert judge(RULES[RULE], "PLEX1/CSQ1/BP03", DAY, inputs, policy).severity is (
        Severity.suggestion
    )


@pytest.mark.parametrize(("used_pct", "candidate"), [(50, True), (50.01, False)])
def test_exactly_half_is_a_candidate(used_pct: float, candidate: bool) -> None:
    answer = RULES[RULE].answer({"max_used_pct": used_pct, "observed_days": 91})
    assert answer["reduce_candidate"] is candidate
    assert answer["breach"] is False


@pytest.mark.parametrize(
    ("used_pct", "buffers", "wanted"),
    [
        (30, 1_000, 400),  # 300 buffers are 75 % of 400
        (50, 1_000, 667),  # 666.7
        (1, 5_000, 100),  # 66.7, and ALTER BUFFPOOL takes 100 at least
        (50, 101, 100),
    ],
)
def test_the_smaller_pool_is_75_percent_used_or_of_100_buffers(
    used_pct: float, buffers: float, wanted: int
) -> None:
    inputs = {"max_used_pct": used_pct, "observed_days": 91, "buffers": buffers}
    assert typed(finding(RULE, **inputs)) == [f"BUFFERS({wanted})"]
    after = after_advice(RULE, **inputs)
    assert after.observed == pytest.approx(used_pct * buffers / wanted)
    assert after.breach is False
    assert used_pct * buffers / wanted <= 75


def test_a_pool_that_was_made_smaller_stays_below_the_limit_of_free_buffers() -> None:
    after = after_advice(RULE, max_used_pct=30, observed_days=91, buffers=1_000)
    assert after.severity is Severity.ok
    assert finding("BP-FREE-15", used_pct=after.observed).breach is False


def test_the_real_storage_that_comes_free_is_named() -> None:
    [change] = finding(RULE, max_used_pct=30, observed_days=91, buffers=1_000).changes
    assert change.side_effects == "2.344 MiB of real storage less."  # 600 x 4 KiB


@pytest.mark.parametrize("inputs", [{"max_used_pct": 30}, {"max_used_pct": 0, "buffers": 1_000}])
def test_no_figure_is_typed_without_the_size_or_for_a_pool_that_is_not_used(
    inputs: dict[str, float],
) -> None:
    judged = finding(RULE, observed_days=91, **inputs)
    assert judged.severity is Severity.suggestion
    assert judged.changes == ()


@pytest.mark.parametrize(
    ("values", "applies"),
    [
        ({"observed_days": 55, "buffers": 1_000}, False),
        ({"observed_days": 56, "buffers": 1_000}, True),
        ({"observed_days": 91, "buffers": 100}, False),
        ({"observed_days": 91, "buffers": 101}, True),
        ({"observed_days": 91}, True),
        ({}, True),
    ],
)
def test_eight_weeks_must_be_measured_and_the_smallest_pool_cannot_shrink(
    values: dict[str, object], applies: bool
) -> None:
    assert RULES[RULE].applies_to(values) is applies
