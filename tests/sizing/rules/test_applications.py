"""What applications do: the rate of one queue, units of work, opens and selectors."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_a_private_queue_carries_exactly_the_rate_that_was_measured_for_its_message_size() -> None:
    rates = (96_000, 97_000, 114_060, 114_061)
    assert severities("THR-NP-PRIVATE", "messages_per_s", *rates, message_bytes=1_000) == [
        OK, WATCH, WATCH, ACT,
    ]  # fmt: skip
    assert finding("THR-NP-PRIVATE", messages_per_s=114_060, message_bytes=1_000).breach is False


@pytest.mark.parametrize(
    ("message_bytes", "limit"),
    [
        (100, 114_060),  # below the first size that was measured
        (1_000, 114_060),
        (20_000, (102_600 + 82_720) / 2),  # half of the way from 10,000 to 30,000
        (65_000, (82_720 + 49_520) / 2),  # half of the way from 30,000 to 100,000
        (1e6, 49_520),  # above the last one
    ],
)
def test_the_rate_of_a_queue_is_interpolated_between_the_sizes_that_were_measured(
    message_bytes: float, limit: float
) -> None:
    judged = finding("THR-NP-PRIVATE", messages_per_s=1, message_bytes=message_bytes)
    assert judged.limit_value == pytest.approx(limit)


def test_more_queues_are_advised_until_each_carries_its_share() -> None:
    load = {"messages_per_s": 250_000, "message_bytes": 1_000}
    assert typed(finding("THR-NP-PRIVATE", **load)) == ["3 queues"]  # 250,000 / 114,060 = 2.19
    after = after_advice("THR-NP-PRIVATE", **load)
    assert after.observed == pytest.approx(250_000 / 3)
    assert after.severity is OK


def test_a_queue_manager_without_queue_statistics_is_not_asked_for_its_busiest_queue() -> None:
    assert not RULES["THR-NP-PRIVATE"].applies_to({"message_bytes": 1_000})


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


def test_list_reads_without_earlier_days_are_not_compared() -> None:
    assert not RULES["APP-SELECTOR-SHARED"].applies_to({"recent": 4.0})
    assert RULES["APP-SELECTOR-SHARED"].applies_to({"recent": 4.0, "usual": 2.0})


def test_deletes_count_as_twice_the_creates_from_1_9_on() -> None:
    ratios = (1.6, 1.7, 1.89, 1.9)
    assert severities("APP-TEMPDYN", "deletes_per_create", *ratios) == [OK, WATCH, WATCH, WATCH]
    assert finding("APP-TEMPDYN", deletes_per_create=1.89).breach is False
    reached = finding("APP-TEMPDYN", deletes_per_create=1.9)
    assert reached.breach
    assert "before MQCLOSE" in reached.advice


@pytest.mark.parametrize(("task_messages", "caveats"), [(None, 0), (20, 0), (150, 1)])
def test_a_measured_unit_of_work_is_a_mean_of_its_task(
    task_messages: float | None, caveats: int
) -> None:
    judged = finding("APP-UOW-MAX", messages=150, task_messages=task_messages)
    assert len(judged.caveats) == caveats


@pytest.mark.parametrize("rule_id", ["APP-SKIPS", "APP-OPEN-CF"])
def test_a_configured_figure_asks_for_the_earlier_one_and_a_measured_one_waits_for_days(
    rule_id: str,
) -> None:
    assert RULES[rule_id].applies_to({"configured": 4.0, "recent": 4.0})
    assert not RULES[rule_id].applies_to({"recent": 4.0})
    assert RULES[rule_id].applies_to({"recent": 4.0, "usual": 2.0})
