"""Following the figure that a rule types makes the rule true on the same data."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import assume, given
from hypothesis import strategies as st

from domain.finding import Finding
from domain.units import PAGE_BYTES
from sizing.typed import Typed, TypedKind, parse
from tests.sizing.builders import finding

small = st.floats(0.01, 10.0)


def advised(rule_id: str, inputs: Mapping[str, float]) -> tuple[Finding, Typed]:
    """The finding, which must be a breach, and the parts of its first typed figure."""
    found = finding(rule_id, **inputs)
    assume(found.breach)
    if rule_id in {"CF-SURVIVOR", "SYS-CF-CHECK"}:
        assume(found.changes)  # a facility has sixteen engines at most
    typed = parse(found.changes[0].typed)
    assert typed is not None
    return found, typed


def fine(rule_id: str, inputs: Mapping[str, float]) -> bool:
    return not finding(rule_id, **inputs).breach


@given(
    rate=st.floats(0.01, 2_000.0),
    maxarch=st.integers(10, 1_000),
    size=st.floats(100, 4_096),
    hours=st.floats(1, 400),
)
def test_the_archives_advised_reach_back_to_the_last_backup(
    rate: float, maxarch: int, size: float, hours: float
) -> None:
    inputs = {
        "maxarch": maxarch,
        "log_size_mib": size,
        "backup_hours": hours,
        "day_mean_mib_per_s": rate,
    }
    found, typed = advised("LOG-MAXARCH", inputs)
    assert maxarch <= typed.amount <= 1_000
    new: dict[str, float] = {**inputs, "maxarch": typed.amount}
    for change in found.changes[1:]:
        further = parse(change.typed)
        assert further is not None
        if further.kind is TypedKind.cylinders:
            assert further.amount <= 5_825
            new["log_size_mib"] = further.amount * 737_280 / 2**20
        else:
            new |= followed(further, rate, "backup_hours")
    assert fine("LOG-MAXARCH", new)


def followed(typed: Typed, rate: float, name: str) -> dict[str, float]:
    """The inputs once backups are as often as typed; every hour where the load is spread."""
    if typed.kind is TypedKind.queue_managers:
        return {name: 1, "day_mean_mib_per_s": rate / typed.amount * (1 - 1e-12)}
    return {name: typed.amount if typed.kind is TypedKind.backup_hours else typed.amount / 60}


@given(rate=small, minutes=st.floats(5, 240), hours=st.floats(0.5, 400), read=st.floats(1, 400))
def test_the_backup_interval_advised_is_short_enough(
    rate: float, minutes: float, hours: float, read: float
) -> None:
    inputs = {
        "day_mean_mib_per_s": rate,
        "restart_min": minutes,
        "schedule_hours": hours,
        "log_read_mib_per_s": read,
    }
    _, typed = advised("REC-FORMULA-A", inputs)
    assert fine("REC-FORMULA-A", {**inputs, **followed(typed, rate, "schedule_hours")})


@given(rate=st.floats(0.5, 120.0), hours=st.floats(1, 400))
def test_the_structure_backup_interval_advised_is_short_enough(rate: float, hours: float) -> None:
    inputs = {"day_mean_mib_per_s": rate, "schedule_hours": hours}
    _, typed = advised("CFB-INTERVAL", inputs)
    assert fine("CFB-INTERVAL", {**inputs, **followed(typed, rate, "schedule_hours")})


@given(rate=small, ceiling=st.floats(0.1, 10))
def test_so_many_queue_managers_stay_within_half_of_the_ceiling(
    rate: float, ceiling: float
) -> None:
    inputs = {"log_rate_mib_per_s": rate, "log_ceiling_mib_per_s": ceiling}
    _, typed = advised("LOG-DASD-50PCT", inputs)
    each = rate / typed.amount * (1 - 1e-12)
    assert fine("LOG-DASD-50PCT", {**inputs, "log_rate_mib_per_s": each})


@given(busy=st.floats(1, 400), paths=st.integers(1, 16))
def test_the_paths_advised_are_enough(busy: float, paths: int) -> None:
    inputs = {"busy_pct": busy, "pfids": paths}
    _, typed = advised("ZHL-PFID-BUSY", inputs)
    assert fine("ZHL-PFID-BUSY", {**inputs, "pfids": typed.amount})


@given(used=st.floats(95.01, 100), buffers=st.integers(100, 1_000_000))
def test_a_pool_of_the_size_advised_is_not_written_synchronously(used: float, buffers: int) -> None:
    inputs = {"used_pct": used, "buffers": buffers}
    _, typed = advised("BP-SYNC-5", inputs)
    new = {"used_pct": used * buffers / typed.amount * (1 - 1e-12), "buffers": typed.amount}
    assert fine("BP-SYNC-5", new)


@given(used=st.floats(1, 50), buffers=st.integers(1_000, 1_000_000))
def test_a_pool_shrunk_as_advised_is_used_and_keeps_15_percent_free(
    used: float, buffers: int
) -> None:
    inputs = {"max_used_pct": used, "observed_days": 91, "buffers": buffers}
    _, typed = advised("BP-OVERSIZE-50", inputs)
    assert typed.amount < buffers
    new_used = used * buffers / typed.amount
    assert fine("BP-OVERSIZE-50", {**inputs, "max_used_pct": new_used})
    assert fine("BP-FREE-15", {"used_pct": new_used})


@given(busy=st.floats(0, 100), lost=st.floats(0, 100), engines=st.integers(1, 8))
def test_the_engines_advised_carry_both_facilities(busy: float, lost: float, engines: int) -> None:
    inputs = {"busy_pct": busy, "engines": engines, "lost_busy_pct": lost, "lost_engines": engines}
    _, typed = advised("CF-SURVIVOR", inputs)
    now = busy * engines / typed.amount * (1 - 1e-12)
    assert fine("CF-SURVIVOR", {**inputs, "engines": typed.amount, "busy_pct": now})


@given(busy=st.floats(0, 60), engines=st.integers(1, 8), rate=st.floats(1, 100_000))
def test_the_engines_advised_are_enough_for_the_move(
    busy: float, engines: int, rate: float
) -> None:
    inputs = {"busy_pct": busy, "engines": engines, "transactions_per_s": rate}
    _, typed = advised("SYS-CF-CHECK", inputs)
    now = busy * engines / typed.amount * (1 - 1e-12)
    assert fine("SYS-CF-CHECK", {**inputs, "engines": typed.amount, "busy_pct": now})


@given(entries=st.integers(100, 30_000), managers=st.integers(1, 32), size=st.floats(16, 1_024))
def test_csq_admin_of_the_size_advised_has_the_entries(
    entries: int, managers: int, size: float
) -> None:
    inputs = {"entries": entries, "queue_managers": managers, "size_mib": size}
    _, typed = advised("CFS-ADMIN", inputs)
    more = entries * typed.amount / 1_024 / size
    assert fine("CFS-ADMIN", {**inputs, "entries": more * (1 + 1e-12)})


@given(dispatchers=st.integers(1, 60), others=st.integers(0, 500), limit=st.integers(1, 500))
def test_the_processes_advised_are_enough(dispatchers: int, others: int, limit: int) -> None:
    inputs = {"dispatchers": dispatchers, "other_threads": others, "maxprocuser": limit}
    _, typed = advised("CHI-OMVS", inputs)
    assert fine("CHI-OMVS", {**inputs, "maxprocuser": typed.amount})


@given(adapters=st.integers(1, 119))
def test_adapters_are_added_up_to_120(adapters: int) -> None:
    inputs = {"used": adapters, "adapters": adapters}
    _, typed = advised("CHI-ADAPTER-UNUSED", inputs)
    assert adapters < typed.amount <= 120
    assert fine("CHI-ADAPTER-UNUSED", {**inputs, "adapters": typed.amount})


def test_at_120_adapters_no_more_are_advised() -> None:
    assert finding("CHI-ADAPTER-UNUSED", used=120, adapters=120).changes == ()


@given(channels=st.integers(1_000, 9_999), allowed=st.floats(1, 10))
def test_channels_spread_as_advised_are_back_in_time(channels: int, allowed: float) -> None:
    inputs = {"channels": channels, "restart_max_s": allowed, "syncq_channels": 4_000}
    _, typed = advised("CH-START-STOP", inputs)
    each = channels / typed.amount * (1 - 1e-12)
    assert fine("CH-START-STOP", {**inputs, "channels": each})


@given(rate=st.floats(1, 1_000_000), size=st.floats(100, 100_000))
def test_so_many_queues_carry_the_messages(rate: float, size: float) -> None:
    inputs = {"messages_per_s": rate, "message_bytes": size}
    _, typed = advised("THR-NP-PRIVATE", inputs)
    each = rate / typed.amount * (1 - 1e-12)
    assert fine("THR-NP-PRIVATE", {**inputs, "messages_per_s": each})


@given(blocks=st.integers(1_000, 10_000_000), share=st.floats(0.8, 1.0))
def test_mqm_of_the_size_advised_is_not_swept(blocks: int, share: float) -> None:
    used = int(blocks * share)
    inputs = {"blocks": blocks, "in_use_blocks": used}
    _, typed = advised("TPF-SWEEP-LEVEL", inputs)
    more = int(typed.amount * 1e6 // PAGE_BYTES)
    assert fine("TPF-SWEEP-LEVEL", {**inputs, "blocks": more})


@given(used=st.floats(0.1, 100), line=st.floats(0.1, 100))
def test_the_bandwidth_advised_is_enough(used: float, line: float) -> None:
    inputs = {"used_gigabits": used, "gigabits": line}
    _, typed = advised("LNX-NET", inputs)
    assert fine("LNX-NET", {**inputs, "gigabits": typed.amount * (1 + 1e-12)})


@given(rate=st.floats(0.1, 60), pages=st.integers(64, 65_535))
def test_extents_of_the_pages_advised_last_ten_seconds(rate: float, pages: int) -> None:
    inputs = {"rate_mib_per_s": rate, "log_file_pages": pages}
    found = finding("LNX-LOGEXTENT-10S", **inputs)
    assume(found.breach)
    if not found.changes:
        assert rate * 10 * 256 > 65_535
        return
    typed = parse(found.changes[0].typed)
    assert typed is not None
    assert typed.amount <= 65_535
    assert fine("LNX-LOGEXTENT-10S", {**inputs, "log_file_pages": typed.amount})


@given(need=st.floats(1, 1e6), real=st.floats(1, 1e6))
def test_the_memory_advised_holds_the_working_set(need: float, real: float) -> None:
    inputs = {"working_set_mib": need, "real_mib": real}
    _, typed = advised("LNX-PAGING", inputs)
    assert fine("LNX-PAGING", {**inputs, "real_mib": typed.amount})


@given(clients=st.integers(1, 200_000), most=st.integers(1_000, 100_000))
def test_clients_spread_as_advised_are_few_enough(clients: int, most: int) -> None:
    inputs = {"clients": clients, "clients_max": most}
    _, typed = advised("LNX-CLIENTS", inputs)
    each = clients / typed.amount * (1 - 1e-12)
    assert fine("LNX-CLIENTS", {**inputs, "clients": each})
