"""The share of I/Os to the volumes of the logs that bypass the cache."""

from __future__ import annotations

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
RULE = "LOG-DFWBP"


def test_one_percent_of_the_ios_may_bypass_the_cache() -> None:
    shares = (0.84, 0.86, 1, 1.01)
    assert severities(RULE, "bypass_pct", *shares) == [OK, WATCH, WATCH, ACT]
    assert finding(RULE, bypass_pct=1).breach is False
    over = finding(RULE, bypass_pct=30.3)
    assert (over.observed, over.breach) == (30.3, True)
    assert "zEDC" in over.advice


def test_an_impossible_share_is_named() -> None:
    wrong = finding(RULE, bypass_pct=-0.1)
    assert wrong.severity is Severity.unknown
    assert wrong.missing[0].startswith("bypass_pct")


def test_without_any_figure_the_rule_is_silent_and_says_what_would_supply_one() -> None:
    assert not RULES[RULE].applies_to({})
    assert RULES[RULE].applies_to({"bypass_pct": 0.0})
    [missing] = finding(RULE).missing
    assert "SMF 74 subtype 5 of the volumes in log_volumes" in missing
    assert "set dfw_bypass_pct of this subject in the estate" in missing
