"""Typed figures of the rules outside logs: feasible, and enough when followed."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from mqcap.domain.finding import Finding
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import finding


def number(result: Finding) -> int:
    """The figure that the first change types."""
    amount = result.changes[0].amount
    assert amount is not None
    return amount.value


@given(busy=st.floats(30.5, 100.0), engines=st.integers(1, 16))
def test_the_engines_advised_are_enough_by_the_estimate(busy: float, engines: int) -> None:
    rule_id = "CF-BUSY-1" if engines == 1 else "CF-BUSY-N"
    judged = finding(rule_id, busy_pct=busy, engines=engines)
    assume(judged.breach)
    if not judged.changes:
        assert max(busy * engines / 60, engines + 1) > 16
        return
    wanted = number(judged)
    assert engines < wanted <= 16
    again = finding("CF-BUSY-N", busy_pct=busy * engines / wanted, engines=wanted)
    assert again.observed is not None
    assert again.observed <= 60 + 1e-9


def test_one_more_engine_is_estimated_from_the_busy_of_now() -> None:
    answer = all_rules()["CF-BUSY-N"].answer({"busy_pct": 75, "engines": 4})
    assert answer["busy_with_one_more_engine_pct"] == 60
    judged = finding("CF-BUSY-N", busy_pct=75, engines=4)
    assert judged.changes[0].typed == "ICF engines: 5"
    assert any("DYNDISP" in caveat for caveat in judged.caveats)


@given(available=st.floats(500, 1_700), share=st.floats(0.81, 1.0))
def test_moving_the_channels_advised_frees_enough_31bit_storage(
    available: float, share: float
) -> None:
    used = available * share
    judged = finding("CHI-80-31BIT", used_pct=100 * share, used_mib=used)
    freed = number(judged) * 90 / 1_024
    again = finding("CHI-80-31BIT", used_pct=100 * (used - freed) / available)
    assert again.observed is not None
    assert again.observed <= 80 + 1e-9


@given(available=st.floats(1_024, 65_536), share=st.floats(0.81, 1.0))
def test_the_memlimit_advised_is_large_enough_and_never_below_two_gigabytes(
    available: float, share: float
) -> None:
    used = available * share
    judged = finding("CHI-80-64BIT", used_pct=100 * share, used_mib=used)
    gib = number(judged)
    assert gib >= 2
    assert not finding("CHI-80-64BIT", used_pct=100 * used / (gib * 1_024)).breach


@given(channels=st.integers(1, 20_000), maxchl=st.integers(1, 9_999))
def test_maxchl_is_raised_to_9999_at_most(channels: int, maxchl: int) -> None:
    judged = finding("CHI-MAXCHL", channels=channels, maxchl=maxchl)
    assume(judged.breach)
    if "MAXCHL" in judged.changes[0].typed:
        assert maxchl < number(judged) <= 9_999
    else:
        assert channels / number(judged) <= 0.8 * 9_999


@given(used=st.floats(85.1, 100.0), buffers=st.integers(50, 5_000_000))
def test_the_buffers_advised_leave_15_percent_free(used: float, buffers: int) -> None:
    rule = all_rules()["BP-FREE-15"]
    judged = rule.answer({"used_pct": used, "buffers": buffers})
    wanted = judged["changes"][0]["amount"]["value"]
    assert used * buffers / wanted <= 85 + 1e-9


def test_a_pool_of_unknown_size_is_enlarged_by_a_percentage() -> None:
    assert "by 18 % or more" in finding("BP-FREE-15", used_pct=100).changes[0].action


@given(used=st.floats(90.1, 100.0), pages=st.integers(1_000, 14_000_000))
def test_the_page_set_advised_has_room_again(used: float, pages: int) -> None:
    judged = finding("PS-EXPAND-90", used_pct=used, used_pages=pages)
    allocated = number(judged) * 180
    assert allocated * 4_096 <= 64 * 2**30
    assert not finding("PS-EXPAND-90", used_pct=100 * pages / allocated).breach


def test_a_page_set_at_its_maximum_is_not_advised_to_grow() -> None:
    judged = finding("PS-EXPAND-90", used_pct=97, used_pages=16_000_000)
    assert judged.changes == ()
    assert "64 GB" in judged.advice
    assert "more page sets" in judged.advice


@given(used=st.floats(80.0, 100.0), size=st.floats(16, 100_000))
def test_the_structure_size_advised_is_below_the_first_offload_tier(
    used: float, size: float
) -> None:
    for rule_id in ("CFS-FULL", "CFS-FULL-ELEMENTS"):
        judged = finding(rule_id, used_pct=used, size_mib=size)
        assert used * size / (number(judged) / 1_024) < 70


def test_a_structure_of_unknown_size_gets_words_only() -> None:
    assert finding("CFS-FULL", used_pct=90).changes == ()


def test_buffers_at_their_maximum_point_to_the_logs_io() -> None:
    small = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=3, outbuff_kb=40)
    assert small.changes[0].typed == "OUTBUFF=4000"
    largest = finding("LOG-OUTBUFF-WTB", log_buffer_waits_per_h=3, outbuff_kb=4_000)
    assert largest.changes == ()
    assert "LOG-DASD-50PCT" in largest.advice


def test_at_9999_channels_only_more_queue_managers_help() -> None:
    judged = finding("CHI-MAXCHL", channels=9_999, maxchl=9_999)
    assert judged.changes[0].typed == "2 queue managers"
    assert "more queue managers" in judged.advice
