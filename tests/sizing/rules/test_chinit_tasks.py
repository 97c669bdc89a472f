"""Tasks of the channel initiator: adapters, dispatchers, TLS tasks, and its threads."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_one_adapter_should_serve_nothing_even_at_the_peak() -> None:
    assert severities("CHI-ADAPTER-UNUSED", "used", 6, 7, 8, adapters=8) == [OK, OK, WATCH]
    assert finding("CHI-ADAPTER-UNUSED", used=7, adapters=8).breach is False
    assert "8 of 8 adapters" in finding("CHI-ADAPTER-UNUSED", used=8, adapters=8).summary


@pytest.mark.parametrize(
    ("used", "adapters", "wanted"),
    [
        (3, 3, 30),  # MP16's number with up to four processors, at once
        (8, 8, 30),
        (29, 29, 30),
        (30, 30, 38),  # and 8 more for each processor above four
        (30, 8, 38),  # more were used than there are now
        (115, 115, 120),  # 120 at most
    ],
)
def test_adapters_become_30_at_once_and_then_8_more_up_to_120(
    used: float, adapters: float, wanted: int
) -> None:
    inputs = {"used": used, "adapters": adapters}
    assert typed(finding("CHI-ADAPTER-UNUSED", **inputs)) == [f"CHIADAPS({wanted})"]
    assert after_advice("CHI-ADAPTER-UNUSED", **inputs).breach is False


def test_120_adapters_are_the_most() -> None:
    judged = finding("CHI-ADAPTER-UNUSED", used=120, adapters=120)
    assert judged.breach
    assert judged.changes == ()


def test_a_dispatcher_may_be_95_percent_busy() -> None:
    busy = (80.7, 80.8, 95, 95.1)
    assert severities("CHI-DISP-BUSY", "busiest_pct", *busy) == [OK, WATCH, WATCH, ACT]
    assert finding("CHI-DISP-BUSY", busiest_pct=95).breach is False
    over = finding("CHI-DISP-BUSY", busiest_pct=95.1)
    assert "Raise CHIDISPS" in over.advice
    assert over.changes == (), "no figure follows from the busiest of them alone"


def test_a_tls_task_may_be_90_percent_busy() -> None:
    busy = (76, 77, 90, 90.1)
    assert severities("CHI-SSLTASK-BUSY", "busiest_pct", *busy) == [OK, WATCH, WATCH, ACT]
    assert finding("CHI-SSLTASK-BUSY", busiest_pct=90).breach is False
    assert "Restart the slow channel" in finding("CHI-SSLTASK-BUSY", busiest_pct=91).advice


def test_the_threads_must_stay_below_maxprocuser() -> None:
    tasks = {"dispatchers": 5, "ssltasks": 8, "other_threads": 84}  # and 3 of its own: 100
    limits = (118, 117, 101, 100)
    assert severities("CHI-OMVS", "maxprocuser", *limits, **tasks) == [OK, WATCH, WATCH, WATCH]
    assert finding("CHI-OMVS", maxprocuser=101, **tasks).breach is False
    reached = finding("CHI-OMVS", maxprocuser=100, **tasks)
    assert (reached.observed, reached.breach) == (100, True)
    assert typed(reached) == ["MAXPROCUSER(101)"]
    assert after_advice("CHI-OMVS", maxprocuser=100, **tasks).breach is False


@pytest.mark.parametrize(("others", "expected"), [(32_758, ["MAXPROCUSER(32767)"]), (32_759, [])])
def test_no_more_processes_are_typed_than_the_parameter_takes(
    others: float, expected: list[str]
) -> None:
    judged = finding("CHI-OMVS", dispatchers=5, maxprocuser=200, other_threads=others)
    assert typed(judged) == expected  # one more than 8 of its own and the others
