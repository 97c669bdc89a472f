"""Following the figures that a rule types makes the rule true on the same data.

Which kinds of amounts a rule can emit is declared among its traits, so that a new one cannot be
forgotten: it is either proved here or declares its figure a first step to be measured.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from mqcap.domain.finding import Effect, Finding, Severity
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import PAGE_BYTES
from sizing.log_space import MIB_PER_CYLINDER
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules, get
from tests.sizing.builders import finding

pytestmark = pytest.mark.thorough

Given = dict[str, Any]
Step = Callable[[Given, TypedAmount], Given]

EDGE: Final = 1 - 1e-12
"""Takes away what a division rounds up."""
CHANNEL_KIB: Final = 90
PAGES_PER_CYLINDER: Final = 180
FACILITIES: Final = ("CF-BUSY-1", "CF-BUSY-N", "CF-SURVIVOR", "SYS-CF-CHECK")
STRUCTURES: Final = ("CFS-ADMIN", "CFS-FULL", "CFS-FULL-ELEMENTS")


def typed_by(result: Finding, effect: Effect) -> list[TypedAmount]:
    """The figures of one effect that a finding types."""
    return [
        change.amount
        for change in result.changes
        if change.amount is not None and change.effect is effect
    ]


def followed(rule_id: str, inputs: Given, figures: Iterable[TypedAmount]) -> Given:
    """The inputs once all these figures are in place; a kind that is not known is an error."""
    now = dict(inputs)
    for typed in figures:
        now = STEPS[rule_id][typed.kind](now, typed)
    return now


def _set(name: str) -> Step:
    return lambda given, typed: {**given, name: typed.value}


def _spread(name: str, **also: Any) -> Step:
    """Each of so many has its share."""
    return lambda given, typed: {**given, **also, name: given[name] / typed.value * EDGE}


def _fills(used_pct: str, capacity: str) -> Step:
    """The same load is a smaller share of what is there."""

    def step(given: Given, typed: TypedAmount) -> Given:
        share = given[used_pct] * given[capacity] / typed.value * EDGE
        return {**given, used_pct: share, capacity: typed.value}

    return step


def _structure(given: Given, typed: TypedAmount) -> Given:
    size = typed.value / 1_024
    if "entries" in given:
        more = given["entries"] * size / given["size_mib"] / EDGE
        return {**given, "entries": more, "size_mib": size}
    return {**given, "used_pct": given["used_pct"] * given["size_mib"] / size, "size_mib": size}


def _hours(name: str, each: float) -> Step:
    return lambda given, typed: {**given, name: typed.value / each}


def _log_size(given: Given, typed: TypedAmount) -> Given:
    return {**given, "log_size_mib": typed.value * MIB_PER_CYLINDER}


def _more_logs(given: Given, typed: TypedAmount) -> Given:
    return {**given, "active_logs": given["active_logs"] + typed.data_sets}


def _moved_channels(given: Given, typed: TypedAmount) -> Given:
    available = 100 * given["used_mib"] / given["used_pct"]
    each = given.get("channel_kib") or CHANNEL_KIB
    used = max(given["used_mib"] - typed.value * each / 1_024, 0) * EDGE
    return {**given, "used_mib": used, "used_pct": 100 * used / available}


def _memlimit(given: Given, typed: TypedAmount) -> Given:
    return {**given, "used_pct": 100 * given["used_mib"] / (typed.value * 1_024)}


def _page_set(given: Given, typed: TypedAmount) -> Given:
    return {**given, "used_pct": 100 * given["used_pages"] / (typed.value * PAGES_PER_CYLINDER)}


def _blocks(given: Given, typed: TypedAmount) -> Given:
    return {**given, "blocks": math.floor(typed.value * 1e6 / PAGE_BYTES)}


def _logs_of(rate: str) -> dict[str, Step]:
    return {
        TypedKind.cylinders: _log_size,
        TypedKind.more_data_sets: _more_logs,
        TypedKind.queue_managers: _spread(rate),
    }


def _backups(name: str) -> dict[str, Step]:
    return {
        TypedKind.backup_hours: _hours(name, 1),
        TypedKind.backup_minutes: _hours(name, 60),
        TypedKind.queue_managers: _spread("day_mean_mib_per_s", **{name: 1}),
    }


STEPS: Final[Mapping[str, Mapping[str, Step]]] = {
    **{name: {"buffers": _fills("used_pct", "buffers")} for name in ("BP-FREE-15", "BP-SYNC-5")},
    "BP-OVERSIZE-50": {"buffers": _fills("max_used_pct", "buffers")},
    **{name: {"engines": _fills("busy_pct", "engines")} for name in FACILITIES},
    "CFB-INTERVAL": _backups("schedule_hours"),
    **{name: {"structure_kib": _structure} for name in STRUCTURES},
    "CH-START-STOP": {TypedKind.queue_managers: _spread("channels")},
    "CHI-80-31BIT": {TypedKind.channels: _moved_channels},
    "CHI-80-64BIT": {"memlimit_gib": _memlimit},
    "CHI-ADAPTER-UNUSED": {"adapters": _set("adapters")},
    "CHI-MAXCHL": {"maxchl": _set("maxchl"), TypedKind.queue_managers: _spread("channels")},
    "CHI-OMVS": {"processes": _set("maxprocuser")},
    "IMS-MPR": {TypedKind.ims_regions: _fills("busiest_pct", "regions")},
    "LNX-CLIENTS": {TypedKind.queue_managers: _spread("clients")},
    "LNX-LOGEXTENT-10S": {"log_file_pages": _set("log_file_pages")},
    "LNX-NET": {TypedKind.network_gigabits: _set("gigabits")},
    "LNX-PAGING": {TypedKind.memory_mib: _set("real_mib")},
    "LOG-COUNT-MIN": {TypedKind.more_data_sets: _more_logs},
    "LOG-COUNT-OVERLAP": {},  # the figure is a time: below, in a test of its own
    "LOG-DASD-50PCT": {TypedKind.queue_managers: _spread("log_rate_mib_per_s")},
    "LOG-DAY-ACTIVE": _logs_of("day_mean_mib_per_s"),
    "LOG-FILL-30MIN": _logs_of("log_rate_mib_per_s"),
    "LOG-MAXARCH": {
        "maxarch": _set("maxarch"),
        TypedKind.cylinders: _log_size,
        **_backups("backup_hours"),
    },
    "LOG-RUNWAY-12H": _logs_of("sustained_rate_mib_per_s"),
    **{name: {TypedKind.cylinders: _page_set} for name in ("PS-DEPTH-FORECAST", "PS-EXPAND-90")},
    "REC-FORMULA-A": _backups("schedule_hours"),
    "THR-NP-PRIVATE": {TypedKind.queues: _spread("messages_per_s")},
    **{name: {"mqm_mb": _blocks} for name in ("TPF-HWM", "TPF-SWEEP-LEVEL")},
    "ZHL-PFID-BUSY": {"zhyperlink_paths": _set("pfids")},
}
"""By rule and kind of figure: how it changes what was measured, all else as it is."""


ADVISING: Final = [rule for rule in all_rules().values() if rule.traits.amounts]
FIRST_STEPS: Final = {"LOG-OUTBUFF-WTB", "IMS-BUFFERS", "SMDS-BUFS-WAIT", "CH-BATCH-ACHIEVED"}
"""Counted waits, and batches of all channels together, do not tell how much is needed."""

rates = st.floats(0.001, 500)
hours = st.floats(0.5, 400)
busy = st.floats(0, 100)
over_half = st.floats(50, 100)
log_sizes = st.floats(10, 4_096)
logs = st.integers(2, 310)
buffers = st.integers(50, 5_000_000)
blocks = st.integers(1_000, 10_000_000)
engines = st.integers(1, 16)
ACTIVE_LOGS: Final[dict[str, SearchStrategy[Any]]] = {
    "log_size_mib": log_sizes,
    "active_logs": logs,
}
STORAGE: Final[dict[str, SearchStrategy[Any]]] = {
    "used_pct": st.floats(75, 100),
    "used_mib": st.floats(400, 60_000),
}
PAGES: Final[dict[str, SearchStrategy[Any]]] = {
    "used_pct": st.floats(85, 100),
    "used_pages": st.integers(1_000, 16_000_000),
}
MEASURED: Final[dict[str, dict[str, SearchStrategy[Any]]]] = {
    "BP-FREE-15": {"used_pct": st.floats(80, 100), "buffers": buffers},
    "BP-OVERSIZE-50": {
        "max_used_pct": st.floats(0, 60),
        "observed_days": st.integers(56, 91),
        "buffers": buffers,
    },
    "BP-SYNC-5": {"used_pct": st.floats(90, 100), "buffers": buffers},
    "CF-BUSY-1": {"busy_pct": busy, "engines": st.just(1)},
    "CF-BUSY-N": {"busy_pct": over_half, "engines": st.integers(2, 16)},
    "CF-SURVIVOR": {
        "busy_pct": busy,
        "engines": engines,
        "lost_busy_pct": busy,
        "lost_engines": engines,
    },
    "CFB-INTERVAL": {"day_mean_mib_per_s": rates, "schedule_hours": hours},
    "CFS-ADMIN": {
        "entries": st.integers(100, 30_000),
        "queue_managers": st.integers(1, 32),
        "size_mib": st.floats(16, 1_024),
    },
    "CFS-FULL": {"used_pct": over_half, "size_mib": st.floats(16, 100_000)},
    "CFS-FULL-ELEMENTS": {"used_pct": over_half, "size_mib": st.floats(16, 100_000)},
    "CH-START-STOP": {
        "channels": st.integers(1_000, 9_999),
        "restart_max_s": st.floats(0.1, 20),
        "syncq_channels": st.none() | st.integers(0, 9_999),
    },
    **dict.fromkeys(("CHI-80-31BIT", "CHI-80-64BIT"), STORAGE),
    "CHI-ADAPTER-UNUSED": {"used": st.integers(1, 120), "adapters": st.integers(1, 120)},
    "CHI-MAXCHL": {"channels": st.integers(1, 20_000), "maxchl": st.integers(1, 9_999)},
    "CHI-OMVS": {
        "dispatchers": st.integers(1, 60),
        "maxprocuser": st.integers(1, 500),
        "ssltasks": st.integers(0, 40),
        "other_threads": st.integers(0, 500),
    },
    "IMS-MPR": {"busiest_pct": st.floats(90, 100), "regions": st.integers(1, 500)},
    "LNX-CLIENTS": {"clients": st.integers(1, 200_000), "clients_max": st.integers(1_000, 100_000)},
    "LNX-LOGEXTENT-10S": {
        "rate_mib_per_s": st.floats(0.1, 60),
        "log_file_pages": st.integers(64, 65_535),
    },
    "LNX-NET": {"used_gigabits": st.floats(0.1, 100), "gigabits": st.floats(0.1, 100)},
    "LNX-PAGING": {"working_set_mib": st.floats(1, 1e6), "real_mib": st.floats(1, 1e6)},
    "LOG-COUNT-MIN": {"active_logs": st.integers(2, 4)},
    "LOG-COUNT-OVERLAP": {
        **ACTIVE_LOGS,
        "archive_time_min": st.floats(1, 240),
        "log_rate_mib_per_s": rates,
    },
    "LOG-DASD-50PCT": {"log_rate_mib_per_s": rates, "log_ceiling_mib_per_s": st.floats(0.1, 400)},
    "LOG-DAY-ACTIVE": {**ACTIVE_LOGS, "day_mean_mib_per_s": rates},
    "LOG-FILL-30MIN": {**ACTIVE_LOGS, "log_rate_mib_per_s": rates},
    "LOG-MAXARCH": {
        "maxarch": st.integers(10, 1_000),
        "log_size_mib": log_sizes,
        "backup_hours": hours,
        "day_mean_mib_per_s": st.floats(0.01, 2_000),
    },
    "LOG-RUNWAY-12H": {**ACTIVE_LOGS, "sustained_rate_mib_per_s": rates},
    **dict.fromkeys(("PS-DEPTH-FORECAST", "PS-EXPAND-90"), PAGES),
    "REC-FORMULA-A": {
        "day_mean_mib_per_s": rates,
        "restart_min": st.floats(5, 240),
        "schedule_hours": hours,
        "log_read_mib_per_s": st.floats(1, 400),
    },
    "SYS-CF-CHECK": {
        "busy_pct": busy,
        "engines": engines,
        "transactions_per_s": st.floats(0, 100_000),
    },
    "THR-NP-PRIVATE": {
        "messages_per_s": st.floats(1, 1_000_000),
        "message_bytes": st.floats(100, 100_000),
    },
    "TPF-HWM": {"blocks": blocks, "high_water_blocks": blocks},
    "TPF-SWEEP-LEVEL": {"blocks": blocks, "in_use_blocks": blocks},
    "ZHL-PFID-BUSY": {"busy_pct": st.floats(1, 400), "pfids": st.integers(1, 16)},
}
"""What a site could have measured, mostly beyond the limit."""
JUDGED_BY: Final = {"CF-BUSY-1": "CF-BUSY-N"}
"""The rule that speaks once the advice is followed: a second engine has another limit."""


def test_every_rule_that_can_type_a_figure_is_proved_or_says_that_it_is_a_first_step() -> None:
    advising = {rule.id for rule in ADVISING}
    assert set(STEPS) | FIRST_STEPS == advising
    assert set(MEASURED) == set(STEPS)
    assert {rule.id for rule in ADVISING if rule.traits.first_step} == FIRST_STEPS
    assert not set(STEPS) & FIRST_STEPS


@pytest.mark.parametrize("rule_id", sorted(set(STEPS) - {"LOG-COUNT-OVERLAP"}))
@settings(max_examples=25)
@given(data=st.data())
def test_a_rule_whose_advice_is_followed_is_true(rule_id: str, data: st.DataObject) -> None:
    inputs = data.draw(st.fixed_dictionaries(MEASURED[rule_id]))
    judged = finding(rule_id, **inputs)
    figures = typed_by(judged, Effect.enough)
    assume(figures)
    assert not typed_by(judged, Effect.measure) or rule_id == "LOG-FILL-30MIN"
    again = followed(rule_id, inputs, figures)
    judge = get(JUDGED_BY.get(rule_id, rule_id))
    assert isinstance(judge, Rule)
    if judge.applies_to(again):
        after = finding(judge.id, **again)
        assert not after.breach
        assert after.severity is not Severity.suggestion


@given(size=log_sizes, minutes=st.floats(1, 240), rate=rates)
def test_archiving_as_fast_as_advised_keeps_up(size: float, minutes: float, rate: float) -> None:
    inputs = {"log_size_mib": size, "log_rate_mib_per_s": rate}
    judged = finding("LOG-COUNT-OVERLAP", **inputs, archive_time_min=minutes)
    assume(judged.breach)
    assert judged.changes[0].action.startswith("Bring the time to archive one log below")
    assert not typed_by(judged, Effect.enough)
    target_s = max(math.floor(0.8 * size / rate), 1)
    assume(target_s < size / rate)  # no archive is made in less than a second
    again = finding("LOG-COUNT-OVERLAP", **inputs, archive_time_min=target_s / 60)
    assert not again.breach


@given(size=log_sizes, count=logs, rate=rates)
def test_what_only_gives_time_is_not_among_the_figures_that_are_enough(
    size: float, count: int, rate: float
) -> None:
    judged = finding(
        "LOG-FILL-30MIN", log_size_mib=size, active_logs=count, log_rate_mib_per_s=rate
    )
    effects = {TypedKind.more_data_sets: Effect.relief, "log_compression": Effect.measure}
    for change in judged.changes:
        if change.amount is not None and change.amount.kind in effects:
            assert change.effect is effects[change.amount.kind]


@given(
    waits=st.floats(0.001, 1e6), qbuf=st.integers(1, 9_999), regions=st.none() | st.integers(1, 999)
)
def test_queue_buffers_are_doubled_until_there_are_no_more(
    waits: float, qbuf: int, regions: int | None
) -> None:
    inputs: dict[str, Any] = {"waits": waits, "qbuf": qbuf, "regions": regions}
    for _ in range(8):
        judged = finding("IMS-BUFFERS", **inputs)
        assert judged.breach, "the count of waits does not follow from QBUF, so nothing is proved"
        if not judged.changes:
            break
        [typed] = typed_by(judged, Effect.measure)
        assert typed.value > inputs["qbuf"]
        assert typed.value >= (regions or 1)
        inputs["qbuf"] = typed.value
    assert inputs["qbuf"] == 9_999
    assert "at its maximum" in judged.advice


@given(rate=st.floats(20, 10_000))
def test_channels_that_are_busy_enough_gather_two_messages(rate: float) -> None:
    [typed] = typed_by(finding("CH-BATCH-ACHIEVED", messages_per_batch=1.5), Effect.measure)
    asked = {"messages_per_s": rate, "batchint_ms": typed.value, "batchsz": 50}
    reached = get("CH-BATCH-ACHIEVED").answer(asked)["achieved_batch"]
    assert not finding("CH-BATCH-ACHIEVED", messages_per_batch=reached).breach
