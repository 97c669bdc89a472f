"""Rules of figures that a site declares."""

from __future__ import annotations

import pytest

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.metric import Direction, Statistic
from sizing.rulebook.registry import all_rules
from sizing.rulebook.site_rules import (
    site_rule,
    site_rule_id,
    site_rule_ids,
    watched_site_series,
)

POOL = DeclaredFigure(figure="pool_pct", label="Pool", unit="%", limit=85)
FREE = DeclaredFigure(
    figure="free_pct", label="Free", unit="%", limit=10, direction=Direction.downward
)
SHOWN = DeclaredFigure(figure="shown", label="Shown", unit="count")


def test_a_rule_follows_from_its_id_and_is_not_listed() -> None:
    rules = all_rules()
    assert site_rule_id(POOL) == "SITE-MAX-POOL_PCT"
    assert rules["SITE-MAX-POOL_PCT"].traits.watches == "value"
    assert "SITE-MAX-POOL_PCT" not in list(rules)
    assert rules.get("SITE-MAX-pool") is None
    with pytest.raises(KeyError):
        rules["SITE-AVG-POOL_PCT"]
    assert len(list(rules)) == len(rules)


def test_only_figures_with_a_limit_have_a_rule() -> None:
    assert site_rule_ids([POOL, FREE, SHOWN]) == ("SITE-MAX-POOL_PCT", "SITE-MIN-FREE_PCT")
    assert watched_site_series([POOL, FREE, SHOWN]) == {
        ("site_pool_pct", Statistic.peak),
        ("site_free_pct_lowest", Statistic.mean),
    }


@pytest.mark.parametrize(
    ("declared", "value", "is_breach"),
    [
        (POOL, 84.9, False),
        (POOL, 85, False),
        (POOL, 85.1, True),
        (FREE, 10.1, False),
        (FREE, 10, False),
        (FREE, 9.9, True),
    ],
)
def test_a_value_at_the_limit_is_allowed(
    declared: DeclaredFigure, value: float, is_breach: bool
) -> None:
    rule = site_rule(site_rule_id(declared))
    assert rule is not None
    values = {"value": value, "limit": declared.limit, "unit": declared.unit}
    made = rule.assess(rule.inputs.model_validate(values))
    assert (made.breach, made.unit, made.limit) == (is_breach, "%", declared.limit)
    assert made.arithmetic[0].endswith("% (ours, in the settings)")


def test_the_series_is_that_of_the_figure() -> None:
    rule = site_rule("SITE-MIN-FREE_PCT")
    assert rule is not None
    assert rule.series is not None
    assert (rule.series.metric, rule.series.statistic) == ("site_free_pct_lowest", Statistic.mean)
    assert rule.direction is Direction.downward
    assert rule.resource_of("EAST/mq1").path == "EAST/mq1/site_figures"
