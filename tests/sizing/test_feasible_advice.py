"""Advice of every rule, for any inputs it takes: typed as known, possible, and enough."""

from __future__ import annotations

import math
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin

import pytest
from annotated_types import Ge, Gt, Le, Lt
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from domain.finding import Finding
from domain.metric import SubjectKind
from sizing.entry import Rule
from sizing.log_space import LOG_CAP_CYLINDERS, LOGS_MAX
from sizing.registry import all_rules, get
from sizing.rules.page_set import PAGE_SET_MAX_CYLINDERS
from sizing.typed import Typed, TypedKind, parse
from tests.sizing.builders import finding

RULES = all_rules()
MOST: Final = {
    TypedKind.maxchl: 9_999,
    TypedKind.outbuff_kb: 4_000,
    TypedKind.maxarch: 1_000,
    TypedKind.adapters: 120,
    TypedKind.smds_buffers: 9_999,
    TypedKind.batch_interval_ms: 299_999,
    TypedKind.processes: 32_767,
    TypedKind.ims_buffers: 9_999,
    TypedKind.log_file_pages: 65_535,
    TypedKind.engines: 16,
}
"""What the products take at most."""
FIRST_STEPS: Final = frozenset({"LOG-OUTBUFF-WTB", "IMS-BUFFERS"})
"""Counted waits do not tell how many buffers end them: the advice says to look again."""
PROVEN: Final = frozenset(
    {"LOG-FILL-30MIN", "LOG-RUNWAY-12H", "LOG-DAY-ACTIVE", "LOG-COUNT-MIN", "LOG-COUNT-OVERLAP"}
    | {"LOG-MAXARCH", "LOG-DASD-50PCT", "REC-FORMULA-A", "CFB-INTERVAL", "ZHL-PFID-BUSY"}
    | {"BP-FREE-15", "BP-SYNC-5", "BP-OVERSIZE-50", "PS-EXPAND-90", "PS-DEPTH-FORECAST"}
    | {"CF-BUSY-1", "CF-BUSY-N", "CF-SURVIVOR", "SYS-CF-CHECK", "CFS-FULL", "CFS-FULL-ELEMENTS"}
    | {"CFS-ADMIN", "SMDS-BUFS-WAIT", "CHI-80-31BIT", "CHI-80-64BIT", "CHI-MAXCHL", "CHI-OMVS"}
    | {"CHI-ADAPTER-UNUSED", "CH-START-STOP", "CH-BATCH-ACHIEVED", "THR-NP-PRIVATE", "IMS-MPR"}
    | {"TPF-SWEEP-LEVEL", "TPF-HWM", "LNX-NET", "LNX-LOGEXTENT-10S", "LNX-PAGING", "LNX-CLIENTS"}
)
"""Following the figure makes the rule true: here, and in the modules on advice and log stories."""


def taken(annotation: Any, metadata: tuple[Any, ...]) -> SearchStrategy[Any]:
    """Any value that a field takes, by its type and limits."""
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return taken(parts[0], (*metadata, *parts[1:]))
    if NoneType in parts:
        [known] = [part for part in parts if part is not NoneType]
        return st.none() | taken(known, metadata)
    if annotation is bool:
        return st.booleans()
    if annotation is str:
        return st.just("QSG1")
    low = max((0.0, *bounds(metadata, Ge, "ge"), *bounds(metadata, Gt, "gt")))
    high = min((1e5, *bounds(metadata, Le, "le"), *bounds(metadata, Lt, "lt")))
    above = any(isinstance(one, Gt) for one in metadata)
    if annotation is int:
        return st.integers(math.ceil(low) + above, int(high))
    return st.floats(max(low, 1e-3) if above else low, high, allow_subnormal=False)


def bounds(metadata: tuple[Any, ...], kind: type, name: str) -> list[float]:
    """The limits of one kind among the marks of a field."""
    return [float(getattr(one, name)) for one in metadata if isinstance(one, kind)]


def inputs_of(rule: Rule) -> SearchStrategy[dict[str, Any]]:
    fields = rule.inputs.model_fields.items()
    return st.fixed_dictionaries(
        {name: taken(field.annotation, tuple(field.metadata)) for name, field in fields}
    )


def most_cylinders(rule: Rule) -> int:
    is_page_set = rule.traits.subject_kind is SubjectKind.page_set
    return PAGE_SET_MAX_CYLINDERS if is_page_set else LOG_CAP_CYLINDERS


def possible(rule: Rule, typed: Typed, inputs: dict[str, Any]) -> None:
    if typed.kind in {TypedKind.cylinders, TypedKind.more_data_sets}:
        assert 0 < typed.amount <= most_cylinders(rule)
    if typed.kind is TypedKind.more_data_sets:
        assert 0 < typed.data_sets <= LOGS_MAX - (inputs.get("active_logs") or 0)
    assert typed.amount <= MOST.get(typed.kind, math.inf)
    assert typed.amount > 0 or typed.kind is TypedKind.log_compression


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
@settings(max_examples=20)
@given(data=st.data())
def test_no_rule_ever_types_what_is_not_possible(rule: Rule, data: st.DataObject) -> None:
    inputs = data.draw(inputs_of(rule))
    found = finding(rule.id, **inputs)
    for change in found.changes:
        if not change.typed:
            continue
        typed = parse(change.typed)
        assert typed is not None, change.typed
        possible(rule, typed, inputs)
        assert rule.id in PROVEN | FIRST_STEPS
        assert change.side_effects
        assert rule.id in PROVEN or "look again" in change.action


def advised(rule_id: str, **inputs: Any) -> tuple[Finding, Typed]:
    found = finding(rule_id, **inputs)
    assume(found.breach and found.changes)
    typed = parse(found.changes[0].typed)
    assert typed is not None
    return found, typed


@given(busy=st.floats(95, 100), regions=st.integers(1, 500))
def test_regions_as_advised_wait_for_work_again(busy: float, regions: int) -> None:
    _, typed = advised("IMS-MPR", busiest_pct=busy, regions=regions)
    each = busy * regions / typed.amount
    assert not finding("IMS-MPR", busiest_pct=each, regions=typed.amount).breach


@given(buffers=st.integers(1, 4_000), waits=st.floats(0.001, 100))
def test_smds_buffers_as_advised_leave_one_free(buffers: int, waits: float) -> None:
    _, typed = advised("SMDS-BUFS-WAIT", used_pct=100, waits_pct=waits, buffers=buffers)
    wanted_at_once = buffers * (1 + waits / 100)
    used = 100 * wanted_at_once / typed.amount
    assert used < 100
    again = finding("SMDS-BUFS-WAIT", used_pct=used, waits_pct=0, buffers=typed.amount)
    assert not again.breach


@given(batch=st.floats(1, 1.999))
def test_batches_gathered_as_advised_hold_two_messages(batch: float) -> None:
    found, typed = advised("CH-BATCH-ACHIEVED", messages_per_batch=batch)
    assert "20 messages a second or more" in found.changes[0].action
    rule = get("CH-BATCH-ACHIEVED")
    asked = {"messages_per_s": 20, "batchint_ms": typed.amount, "batchsz": 50}
    reached = rule.answer(asked)["achieved_batch"]
    assert not finding("CH-BATCH-ACHIEVED", messages_per_batch=reached).breach


@given(logs=st.integers(2, 3))
def test_logs_as_advised_are_as_many_as_recommended(logs: int) -> None:
    _, typed = advised("LOG-COUNT-MIN", active_logs=logs)
    assert not finding("LOG-COUNT-MIN", active_logs=logs + typed.data_sets).breach


@given(size=st.floats(100, 4_096), minutes=st.floats(1, 240), rate=st.floats(0.1, 60))
def test_archiving_as_fast_as_advised_keeps_up(size: float, minutes: float, rate: float) -> None:
    inputs = {"log_size_mib": size, "log_rate_mib_per_s": rate}
    found = finding("LOG-COUNT-OVERLAP", **inputs, archive_time_min=minutes)
    assume(found.breach)
    assert found.changes[0].action.startswith("Bring the time to archive one log below")
    target_s = max(math.floor(0.8 * size / rate), 1)
    again = finding("LOG-COUNT-OVERLAP", **inputs, archive_time_min=target_s / 60)
    assert not again.breach


@given(rate=st.floats(15, 500))
def test_a_day_that_no_ring_can_hold_is_spread(rate: float) -> None:
    ring = {"log_size_mib": 5_825 * 737_280 / 2**20, "active_logs": 310}
    _, typed = advised("LOG-DAY-ACTIVE", **ring, day_mean_mib_per_s=rate)
    each = rate / typed.amount * (1 - 1e-12)
    assert not finding("LOG-DAY-ACTIVE", **ring, day_mean_mib_per_s=each).breach


@given(channels=st.integers(1, 9_998), maxchl=st.integers(1, 9_998))
def test_channels_stay_below_the_maxchl_advised(channels: int, maxchl: int) -> None:
    _, typed = advised("CHI-MAXCHL", channels=channels, maxchl=maxchl)
    assert typed.kind is TypedKind.maxchl
    assert not finding("CHI-MAXCHL", channels=channels, maxchl=typed.amount).breach


@given(used=st.floats(90.1, 100), pages=st.integers(1_000, 14_000_000))
def test_a_page_set_as_advised_has_room_for_what_is_put(used: float, pages: int) -> None:
    _, typed = advised("PS-DEPTH-FORECAST", used_pct=used, used_pages=pages)
    now = 100 * pages / (typed.amount * 180)
    assert not finding("PS-DEPTH-FORECAST", used_pct=now).breach


@given(blocks=st.integers(1_000, 10_000_000), share=st.floats(0.8, 1))
def test_mqm_as_advised_keeps_its_high_water_below_the_level(blocks: int, share: float) -> None:
    high = int(blocks * share)
    _, typed = advised("TPF-HWM", blocks=blocks, high_water_blocks=high)
    more = int(typed.amount * 1e6 // 4_096)
    assert not finding("TPF-HWM", blocks=more, high_water_blocks=high).breach


def test_more_engines_than_a_facility_has_are_not_advised() -> None:
    found = finding("CF-BUSY-N", busy_pct=100, engines=12)
    assert found.breach
    assert found.changes == ()
    assert "16 at most" in found.advice
