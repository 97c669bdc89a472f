"""How full a page set is."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

both_rules = pytest.mark.parametrize("rule_id", ["PS-EXPAND-90", "PS-DEPTH-FORECAST"])


@both_rules
def test_exactly_90_percent_may_be_used(rule_id: str) -> None:
    assert severities(rule_id, "used_pct", 76, 77, 90, 90.1) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act,
    ]  # fmt: skip
    assert finding(rule_id, used_pct=90).breach is False
    assert finding(rule_id, used_pct=90, used_pages=16_200).changes == ()


@both_rules
@pytest.mark.parametrize(
    ("used_pages", "cylinders"),
    [
        (16_200, 100),  # 18,000 pages of 180 a cylinder
        (16_201, 101),  # 18,002
        (1, 1),
    ],
)
def test_the_page_set_advised_holds_the_pages_in_90_percent(
    rule_id: str, used_pages: float, cylinders: int
) -> None:
    inputs = {"used_pct": 95, "used_pages": used_pages}
    judged = finding(rule_id, **inputs)
    assert typed(judged) == [f"CYL({cylinders})"]
    assert f"Allocate {cylinders * 180:,} pages" in judged.changes[0].action
    assert judged.changes[0].effect is Effect.enough
    after = after_advice(rule_id, **inputs)
    assert after.observed == pytest.approx(100 * used_pages / (cylinders * 180))
    assert after.breach is False


@both_rules
def test_a_page_set_whose_pages_are_not_counted_gets_advice_without_a_figure(rule_id: str) -> None:
    judged = finding(rule_id, used_pct=95)
    assert judged.breach
    assert judged.changes == ()
    assert "64 GB" not in judged.advice


def test_no_page_set_above_64_gb_is_advised() -> None:
    # 93,206 cylinders are 16,777,080 pages, of which 90 % are 15,099,372
    fits = finding("PS-EXPAND-90", used_pct=95, used_pages=15_099_372)
    assert typed(fits) == ["CYL(93206)"]
    assert fits.advice.startswith("Allocate the page set at its largest size")
    full = finding("PS-EXPAND-90", used_pct=95, used_pages=15_099_373)
    assert full.changes == ()
    assert full.advice.startswith("The page set is near its maximum of 64 GB")


def test_the_two_rules_report_one_cause_once() -> None:
    assert RULES["PS-DEPTH-FORECAST"].traits.superseded_by == "PS-EXPAND-90"
    assert RULES["PS-EXPAND-90"].series == RULES["PS-DEPTH-FORECAST"].series


@pytest.mark.parametrize("used_pct", [None, -0.1])
def test_without_a_possible_share_the_page_set_is_unknown(used_pct: float | None) -> None:
    judged = finding("PS-EXPAND-90", used_pct=used_pct)
    assert judged.severity is Severity.unknown
    assert judged.breach is None
    assert judged.missing[0].startswith("used_pct: ")
