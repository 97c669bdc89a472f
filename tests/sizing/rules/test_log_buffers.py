"""Log buffers: a task that waits for one is held up by the log's I/O."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Effect, Severity
from sizing.rulebook.registry import get
from tests.sizing.builders import RULES, finding, severities, typed


def test_no_task_may_wait_for_a_log_buffer() -> None:
    graded = severities("LOG-OUTBUFF-WTB", "log_buffer_waits_per_h", 0, 0.001, 900, outbuff_kb=40)
    assert graded == [Severity.ok, Severity.act, Severity.act]
    none = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=0, outbuff_kb=40)
    assert none.breach is False
    assert none.headroom_ratio is None, "a limit of 0 has no share of it"
    assert none.changes == ()


@pytest.mark.parametrize("outbuff_kb", [40, 3_999])
def test_outbuff_is_set_to_its_maximum_as_a_first_step(outbuff_kb: int) -> None:
    judged = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=2, outbuff_kb=outbuff_kb)
    assert typed(judged) == ["OUTBUFF=4000"]
    [change] = judged.changes
    assert change.effect is Effect.measure
    assert "1000 buffers" in change.action  # 4,000 KB / 4 KB
    assert "takes effect at restart" in change.side_effects


def test_at_its_maximum_the_io_of_the_log_is_the_limit() -> None:
    judged = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=2, outbuff_kb=4_000)
    assert judged.breach
    assert judged.changes == ()
    assert "LOG-DASD-50PCT" in judged.advice
    assert "LOG-LOGGER-BUSY" in judged.advice


@pytest.mark.parametrize(
    ("waits", "outbuff_kb", "applies"),
    [(0, None, False), (1, None, True), (1, 4_000, False), (1, 3_999, True), (0, 3_999, True)],
)
def test_waits_are_reported_only_where_outbuff_can_be_raised(
    waits: float, outbuff_kb: int | None, applies: bool
) -> None:
    result = {"log_buffer_waits_per_h": waits, "outbuff_kb": outbuff_kb}
    known = {name: value for name, value in result.items() if value is not None}
    assert RULES["LOG-OUTBUFF-WTB"].applies_to(known) is applies


def test_an_outbuff_that_is_not_known_is_asked_for_and_nothing_is_advised() -> None:
    judged = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=2)
    assert (judged.severity, judged.changes) == (Severity.unknown, ())
    assert [line.partition(":")[0] for line in judged.missing] == ["outbuff_kb"]


def test_an_outbuff_above_the_maximum_is_refused() -> None:
    judged = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=2, outbuff_kb=4_001)
    assert judged.severity is Severity.unknown
    assert judged.missing[0].startswith("outbuff_kb: ")


@pytest.mark.parametrize(("outbuff_kb", "buffers"), [(4_000, 1_000), (400, 100), (43, 10), (3, 0)])
def test_a_buffer_holds_4_kb_and_a_part_of_one_is_none(outbuff_kb: int, buffers: int) -> None:
    answer = get("LOG-OUTBUFF-BUFFERS").answer({"outbuff_kb": outbuff_kb})
    assert answer == {"log_buffers": buffers}


@pytest.mark.parametrize("outbuff_kb", [0, 4_001])
def test_no_buffers_are_counted_for_an_impossible_outbuff(outbuff_kb: int) -> None:
    with pytest.raises(ConfigurationError, match="outbuff_kb"):
        get("LOG-OUTBUFF-BUFFERS").answer({"outbuff_kb": outbuff_kb})
