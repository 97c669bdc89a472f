"""Channels: batches that are reached, restart after a failure, and common storage."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH = Severity.ok, Severity.watch


def test_a_batch_should_hold_two_messages() -> None:
    assert severities("CH-BATCH-ACHIEVED", "messages_per_batch", 50, 2, 1.99, 1) == [
        OK, OK, WATCH, WATCH,
    ]  # fmt: skip
    assert finding("CH-BATCH-ACHIEVED", messages_per_batch=2).changes == ()


def test_the_batch_interval_is_a_first_step_because_channels_are_not_measured_apart() -> None:
    judged = finding("CH-BATCH-ACHIEVED", messages_per_batch=1.2)
    [change] = judged.changes
    assert change.typed == "BATCHINT(100)"
    assert change.effect is Effect.measure
    assert "20 messages a second or more" in change.action  # 2 messages / 100 ms
    assert "2,000 ms divided by" in change.action


def test_the_limit_in_channels_is_where_the_restart_takes_the_time_allowed() -> None:
    known = finding("CH-START-STOP", channels=100, restart_max_s=10, syncq_channels=1_000)
    assert known.series_limit == 6_490
    all_of_them = finding("CH-START-STOP", channels=100, restart_max_s=4_000 / 428)
    assert all_of_them.series_limit == pytest.approx(4_000)
    at_limit = finding("CH-START-STOP", channels=4_000, restart_max_s=4_000 / 428)
    assert at_limit.headroom_ratio == pytest.approx(0)


def test_channels_are_spread_until_each_queue_manager_is_back_in_time() -> None:
    load = {"channels": 8_000, "restart_max_s": 10}  # 8,000 / 428 = 18.7 s
    judged = finding("CH-START-STOP", **load)
    assert typed(judged) == ["2 queue managers"]
    assert "about 4,000 each" in judged.changes[0].action
    after = after_advice("CH-START-STOP", **load)
    assert after.observed == pytest.approx(4_000 / 428)
    assert after.breach is False


def test_the_connections_must_fit_a_second_time_into_the_common_storage_that_is_free() -> None:
    free = {"ecsa_free_mib": 24.7}  # x 1,024 / 2.47 KB = 10,240 connections
    counts = (8_700, 8_710, 10_240, 10_241)
    assert severities("VS-CSA-CONN", "connections", *counts, **free) == [OK, WATCH, WATCH, WATCH]
    assert finding("VS-CSA-CONN", connections=10_240, **free).breach is False
    over = finding("VS-CSA-CONN", connections=10_241, **free)
    assert over.breach
    assert over.advice.startswith("Share conversations")
    assert not RULES["VS-CSA-CONN"].applies_to({"connections": 100})
