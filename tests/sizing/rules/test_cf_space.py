"""Space around shared queues: CSQ_ADMIN, shared message data sets, storage class memory."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_csq_admin_needs_1000_entries_for_each_queue_manager() -> None:
    entries = (3_999, 4_000, 4_001)
    assert severities("CFS-ADMIN", "entries", *entries, queue_managers=4) == [ACT, OK, OK]
    judged = finding("CFS-ADMIN", entries=3_999, queue_managers=4)
    assert judged.breach
    assert "CSQE038E" in judged.advice


def test_csq_admin_grows_in_step_with_the_entries() -> None:
    inputs = {"entries": 3_000, "queue_managers": 4, "size_mib": 20}
    assert typed(finding("CFS-ADMIN", **inputs)) == ["SIZE(27648K)"]  # 20 x 4 / 3 = 26.7, 27 MiB
    after = after_advice("CFS-ADMIN", **inputs)
    assert after.observed == pytest.approx(4_050)
    assert after.severity is OK


@pytest.mark.parametrize("inputs", [{"entries": 3_000}, {"entries": 0, "size_mib": 20}])
def test_csq_admin_gets_no_size_without_its_size_or_its_entries(inputs: dict[str, float]) -> None:
    judged = finding("CFS-ADMIN", queue_managers=4, **inputs)
    assert judged.breach
    assert judged.changes == ()


@pytest.mark.parametrize(
    ("used_pct", "waits_pct", "severity"),
    [(100, 0, OK), (99.9, 5, OK), (100, 0.01, WATCH), (100, 40, WATCH)],
)
def test_waits_for_a_buffer_count_only_while_all_of_them_are_used(
    used_pct: float, waits_pct: float, severity: Severity
) -> None:
    judged = finding("SMDS-BUFS-WAIT", used_pct=used_pct, waits_pct=waits_pct)
    assert judged.severity is severity
    assert judged.breach is (severity is WATCH)
    assert judged.changes == (), "the number of buffers is not known"


@pytest.mark.parametrize(
    ("buffers", "waits_pct", "wanted"),
    [(200, 5, 211), (200, 0.1, 201), (9_990, 50, 9_999)],
)
def test_buffers_are_raised_by_the_share_that_waited_and_one_as_a_first_step(
    buffers: float, waits_pct: float, wanted: int
) -> None:
    judged = finding("SMDS-BUFS-WAIT", used_pct=100, waits_pct=waits_pct, buffers=buffers)
    assert typed(judged) == [f"DSBUFS({wanted})"]
    assert judged.changes[0].effect is Effect.measure


def test_at_9999_buffers_no_more_are_typed() -> None:
    judged = finding("SMDS-BUFS-WAIT", used_pct=100, waits_pct=5, buffers=9_999)
    assert judged.breach
    assert judged.changes == ()


def test_a_shared_message_data_set_must_stay_below_90_percent() -> None:
    assert severities("SMDS-LIMITS", "used_pct", 76, 77, 89.9, 90) == [OK, WATCH, WATCH, ACT]
    assert finding("SMDS-LIMITS", used_pct=89.9).breach is False
    assert "DSEXPAND" in finding("SMDS-LIMITS", used_pct=90).advice
