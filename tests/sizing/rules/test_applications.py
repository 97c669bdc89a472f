"""What applications do: the rate of one queue, units of work, opens and selectors."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_more_queues_are_advised_until_each_carries_its_share() -> None:
    load = {"messages_per_s": 250_000, "message_bytes": 1_000}
    assert typed(finding("THR-NP-PRIVATE", **load)) == ["3 queues"]  # 250,000 / 114,060 = 2.19
    after = after_advice("THR-NP-PRIVATE", **load)
    assert after.observed == pytest.approx(250_000 / 3)
    assert after.severity is OK


def test_a_unit_of_work_may_hold_exactly_200_messages() -> None:
    assert severities("APP-UOW-MAX", "messages", 169, 171, 200, 201) == [OK, WATCH, WATCH, WATCH]
    assert finding("APP-UOW-MAX", messages=200).breach is False
    over = finding("APP-UOW-MAX", messages=201)
    assert over.breach
    assert over.advice == "Commit more often."


@pytest.mark.parametrize("rule_id", ["APP-SKIPS", "APP-SELECTOR-SHARED", "APP-OPEN-CF"])
def test_a_figure_without_a_level_is_watched_above_one_and_a_half_times_the_usual(
    rule_id: str,
) -> None:
    assert severities(rule_id, "recent", 0, 29, 30, 30.1, usual=20) == [OK, OK, OK, WATCH]
    assert any(
        "MP16 gives no level" in line for line in finding(rule_id, recent=1, usual=1).caveats
    )


def test_what_an_earlier_accounting_report_had_must_be_in_the_estate() -> None:
    for rule_id, key in (
        ("APP-SKIPS", "skips_per_get_usual"),
        ("APP-OPEN-CF", "opens_at_cf_usual_pct"),
    ):
        unknown = finding(rule_id, recent=40)
        assert unknown.severity is Severity.unknown
        assert key in unknown.missing[0]


def test_deletes_count_as_twice_the_creates_from_1_9_on() -> None:
    ratios = (1.6, 1.7, 1.89, 1.9)
    assert severities("APP-TEMPDYN", "deletes_per_create", *ratios) == [OK, WATCH, WATCH, WATCH]
    assert finding("APP-TEMPDYN", deletes_per_create=1.89).breach is False
    reached = finding("APP-TEMPDYN", deletes_per_create=1.9)
    assert reached.breach
    assert "before MQCLOSE" in reached.advice


@pytest.mark.parametrize("rule_id", ["APP-SKIPS", "APP-OPEN-CF"])
def test_a_configured_figure_asks_for_the_earlier_one_and_a_measured_one_waits_for_days(
    rule_id: str,
) -> None:
    assert RULES[rule_id].applies_to({"configured": 4.0, "recent": 4.0})
    assert not RULES[rule_id].applies_to({"recent": 4.0})
    assert RULES[rule_id].applies_to({"recent": 4.0, "usual": 2.0})
