"""The IMS bridge: regions, bridge queues, checkpoints and queue buffers."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH = Severity.ok, Severity.watch


@pytest.mark.parametrize(
    ("busiest_pct", "regions", "wanted"),
    [(95, 10, 11), (100, 10, 11), (100, 95, 101), (95, 1, 2)],
)
def test_regions_are_added_until_each_is_below_95_percent(
    busiest_pct: float, regions: int, wanted: int
) -> None:
    inputs = {"busiest_pct": busiest_pct, "regions": regions}
    assert typed(finding("IMS-MPR", **inputs)) == [f"{wanted} regions"]
    after = after_advice("IMS-MPR", **inputs)
    assert after.observed == pytest.approx(busiest_pct * regions / wanted)
    assert after.breach is False


def test_an_unknown_number_of_regions_gets_advice_in_words() -> None:
    judged = finding("IMS-MPR", busiest_pct=99)
    assert "Add a message processing region" in judged.advice
    assert judged.changes == ()


@pytest.mark.parametrize(
    ("depth", "idle", "severity"), [(0, 3, OK), (500, 0, OK), (1, 1, WATCH), (500, 3, WATCH)]
)
def test_requests_that_wait_are_a_fault_of_the_bridge_only_while_regions_are_idle(
    depth: int, idle: int, severity: Severity
) -> None:
    judged = finding("IMS-TPIPE", request_high_depth=depth, idle_regions=idle)
    assert judged.severity is severity
    assert judged.breach is (severity is WATCH)
    assert ("TPIPE" in judged.advice) is (severity is WATCH)


def test_checkpoints_should_be_ten_minutes_apart() -> None:
    assert severities("IMS-CKPT", "minutes", 20, 10, 9.99) == [OK, OK, WATCH]
    assert "Raise CPLOG" in finding("IMS-CKPT", minutes=9.99).advice


@pytest.mark.parametrize(
    ("qbuf", "regions", "wanted"),
    [
        (300, None, 600),  # twice as many
        (300, 900, 900),  # one a region
        (50, 10, 200),  # a smaller figure becomes 200
        (6_000, None, 9_999),  # four digits
    ],
)
def test_queue_buffers_are_doubled_as_a_first_step(
    qbuf: int, regions: int | None, wanted: int
) -> None:
    judged = finding("IMS-BUFFERS", waits=3, qbuf=qbuf, regions=regions)
    assert typed(judged) == [f"QBUF={wanted}"]
    assert judged.changes[0].effect is Effect.measure


def test_at_9999_queue_buffers_the_work_goes_to_another_subsystem() -> None:
    judged = finding("IMS-BUFFERS", waits=3, qbuf=9_999)
    assert judged.changes == ()
    assert "another IMS subsystem" in judged.advice
    assert finding("IMS-BUFFERS", waits=3).changes == (), "QBUF is not known"


@pytest.mark.parametrize(
    ("rule_id", "key"),
    [
        ("IMS-MPR", "busiest_pct"),
        ("IMS-TPIPE", "idle_regions"),
        ("IMS-CKPT", "minutes"),
        ("IMS-BUFFERS", "waits"),
    ],
)
def test_a_site_without_the_bridge_is_asked_for_nothing(rule_id: str, key: str) -> None:
    assert not RULES[rule_id].applies_to({"regions": 10})
    assert RULES[rule_id].applies_to({key: 10})
