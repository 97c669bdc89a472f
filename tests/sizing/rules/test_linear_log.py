"""Extents of a linear log that nothing reclaims."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding

RULE = "DST-LINEAR-RECLAIM"


def made(unreclaimed: float, mean_extent: float = 12.0) -> Any:
    return finding(
        RULE,
        unreclaimed_per_day=unreclaimed,
        counted_days=7,
        media_days=7,
        media_extent=12,
        mean_media_extent=mean_extent,
    )


@pytest.mark.parametrize(
    ("unreclaimed", "severity"),
    [(-3.0, Severity.ok), (0.0, Severity.ok), (0.2, Severity.watch)],
)
def test_extents_that_stay_are_to_watch_where_no_media_image_was_recorded(
    unreclaimed: float, severity: Severity
) -> None:
    assert made(unreclaimed).severity is severity


@pytest.mark.parametrize(("mean_extent", "breach"), [(12.0, True), (11.999, False), (8.0, False)])
def test_a_week_in_which_the_oldest_extent_moved_is_in_order(
    mean_extent: float, breach: bool
) -> None:
    assert made(5.0, mean_extent).breach is breach


def test_the_finding_names_the_extent_and_what_to_do() -> None:
    found = made(5.0)
    assert "5 extents a day" in found.summary
    assert "stayed S0000012.LOG" in found.summary
    assert "rcdmqimg" in found.advice
    assert "moved to S0000012.LOG" in made(5.0, 11).summary
    assert "Nothing to change" in made(5.0, 11).advice


@pytest.mark.parametrize(("days", "applies"), [(4, False), (5, True), (7, True), (None, False)])
def test_most_of_the_week_has_to_be_measured(days: int | None, applies: bool) -> None:
    for other in ("counted_days", "media_days"):
        values = {"counted_days": 7, "media_days": 7, other: days}
        assert RULES[RULE].applies_to(values) is applies
