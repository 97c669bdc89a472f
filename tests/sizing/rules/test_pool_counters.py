"""Buffer pool counters as MP16's own diagnosis reads them."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


def test_one_size_of_a_pool_satisfies_both_rules_of_its_free_buffers() -> None:
    load = {"used_pct": 98, "buffers": 8_500}
    judged = finding("BP-SYNC-5", **load)
    assert typed(judged) == ["BUFFERS(9800)"]  # 98 x 8,500 / 85
    assert judged.changes == finding("BP-FREE-15", **load).changes
    assert judged.changes[0].side_effects == "5.078 MiB more real storage."  # 1,300 x 4 KiB
    for rule_id in ("BP-SYNC-5", "BP-FREE-15"):
        assert after_advice(rule_id, **load).breach is False
    [in_words] = finding("BP-SYNC-5", used_pct=98).changes
    assert in_words == finding("BP-FREE-15", used_pct=98).changes[0], "its size is not known"
    assert in_words.amount is None


def test_no_task_may_be_short_of_a_buffer() -> None:
    assert severities("BP-SHORT", "short_per_h", 0, 0.01, 1e6) == [OK, ACT, ACT]
    judged = finding("BP-SHORT", short_per_h=0.01)
    assert judged.breach
    assert judged.headroom_ratio is None
    assert judged.arithmetic == ("observed = QPSTSOS + QPSTSTLA + QPSTDMC, limit = 0",)


@pytest.mark.parametrize(
    ("subject", "short_lived", "applies"),
    [
        ("PLEX1/CSQ1/BP00", None, True),
        ("PLEX1/CSQ1/BP03", "yes", True),
        ("PLEX1/CSQ1/BP03", "no", False),
        ("PLEX1/CSQ1/BP03", None, False),
    ],
)
def test_pool_0_and_pools_that_the_estate_names_hold_short_lived_messages(
    subject: str, short_lived: str | None, applies: bool
) -> None:
    result = {"deferred_per_h": 4.0, "short_lived": short_lived}
    assert RULES["BP-DWT-ZERO"].applies_to(result, subject) is applies


def test_page_io_is_watched_above_one_and_a_half_times_the_usual() -> None:
    assert severities("BP-IO-RATE", "recent", 0, 15, 15.1, usual=10) == [OK, OK, WATCH]
    assert (
        "observed = (QPSTRIO + QPSTWIO) / interval"
        in finding("BP-IO-RATE", recent=15, usual=10).arithmetic
    )
    assert not RULES["BP-IO-RATE"].applies_to({"recent": 15.0})


def test_a_page_may_be_read_twice_for_each_time_that_it_was_written() -> None:
    assert severities("BP-REREAD", "read_per_s", 0, 10, 20, 20.1, written_per_s=10) == [
        OK, OK, OK, WATCH,
    ]  # fmt: skip
    judged = finding("BP-REREAD", read_per_s=35, written_per_s=10)
    assert judged.observed == 3.5
    assert "Index queues" in judged.advice


@pytest.mark.parametrize(
    ("written_per_s", "applies"), [(0, False), (0.009, False), (0.01, True), (None, True)]
)
def test_a_pool_that_writes_next_to_nothing_has_no_ratio(
    written_per_s: float | None, applies: bool
) -> None:
    assert RULES["BP-REREAD"].applies_to({"written_per_s": written_per_s}) is applies
