"""Free buffers of a buffer pool."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice


def test_15_percent_must_stay_free_and_the_pool_is_watched_on_the_way() -> None:
    assert severities("BP-FREE-15", "used_pct", 72.2, 72.3, 85, 85.1) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act,
    ]  # fmt: skip
    at_limit = finding("BP-FREE-15", used_pct=85)
    assert at_limit.breach is False
    assert at_limit.headroom_ratio == 0
    assert at_limit.changes == ()


def test_the_summary_names_the_free_share_that_mp16_names() -> None:
    judged = finding("BP-FREE-15", used_pct=90)
    assert "10 % of the buffers are free at the lowest; at least 15 % should be." in judged.summary
    assert RULES["BP-FREE-15"].answer({"used_pct": 90})["free_pct"] == 10


def test_the_pool_is_enlarged_until_the_same_pages_are_85_percent_of_it() -> None:
    load = {"used_pct": 95, "buffers": 17_000}
    judged = finding("BP-FREE-15", **load)
    assert typed(judged) == ["BUFFERS(19000)"]  # 95 % x 17,000 = 16,150 = 85 % x 19,000
    [change] = judged.changes
    assert change.effect is Effect.enough
    assert change.side_effects == "7.812 MiB more real storage."  # 2,000 x 4,096 / 1,048,576
    after = after_advice("BP-FREE-15", **load)
    assert after.observed == pytest.approx(85)
    assert after.breach is False


def test_a_part_of_a_buffer_is_rounded_up() -> None:
    judged = finding("BP-FREE-15", used_pct=85.01, buffers=100)
    assert typed(judged) == ["BUFFERS(101)"]  # 85.01 x 100 / 85 = 100.01


def test_a_pool_of_unknown_size_gets_a_share_in_words_instead_of_a_figure() -> None:
    [change] = finding("BP-FREE-15", used_pct=95).changes
    assert change.amount is None
    assert "by 12 % or more" in change.action  # 95 / 85 = 1.1176


def test_a_share_below_0_percent_is_not_judged() -> None:
    judged = finding("BP-FREE-15", used_pct=-1)
    assert judged.severity is Severity.unknown
    assert judged.missing[0].startswith("used_pct: ")
