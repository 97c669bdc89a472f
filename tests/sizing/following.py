"""Inputs of a rule once its advice is in place."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mqcap.domain.finding import Effect, Finding
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import PAGE_BYTES
from sizing.log_space import MIB_PER_CYLINDER

Given = dict[str, Any]
Step = Callable[[Given, TypedAmount], Given]

EDGE: Final = 1 - 1e-12
"""Takes away what a division rounds up."""
CHANNEL_KIB: Final = 90
PAGES_PER_CYLINDER: Final = 180


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
    "BP-FREE-15": {"buffers": _fills("used_pct", "buffers")},
    "BP-OVERSIZE-50": {"buffers": _fills("max_used_pct", "buffers")},
    "BP-SYNC-5": {"buffers": _fills("used_pct", "buffers")},
    "CF-BUSY-1": {"engines": _fills("busy_pct", "engines")},
    "CF-BUSY-N": {"engines": _fills("busy_pct", "engines")},
    "CF-SURVIVOR": {"engines": _fills("busy_pct", "engines")},
    "CFB-INTERVAL": _backups("schedule_hours"),
    "CFS-ADMIN": {"structure_kib": _structure},
    "CFS-FULL": {"structure_kib": _structure},
    "CFS-FULL-ELEMENTS": {"structure_kib": _structure},
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
    "PS-DEPTH-FORECAST": {TypedKind.cylinders: _page_set},
    "PS-EXPAND-90": {TypedKind.cylinders: _page_set},
    "REC-FORMULA-A": _backups("schedule_hours"),
    "SYS-CF-CHECK": {"engines": _fills("busy_pct", "engines")},
    "THR-NP-PRIVATE": {TypedKind.queues: _spread("messages_per_s")},
    "TPF-HWM": {"mqm_mb": _blocks},
    "TPF-SWEEP-LEVEL": {"mqm_mb": _blocks},
    "ZHL-PFID-BUSY": {"zhyperlink_paths": _set("pfids")},
}
"""By rule and kind of figure: how it changes what was measured, all else as it is."""
