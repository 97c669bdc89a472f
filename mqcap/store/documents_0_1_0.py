"""Findings as release 0.1.0 stored them: sources, typed amounts and missing records were text.

The only module that reads such text; from later releases on the parts are stored beside it. Text
of no known form is kept as text, so that a past day shows what it showed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from mqcap.domain.errors import CapacityError
from mqcap.domain.input_source import (
    EstateSource,
    MeasuredDaySource,
    MeasuredWindowSource,
    TextSource,
    WindowFigure,
)
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.domain.typed_amount import TypedAmount, TypedKind

Document = Mapping[str, Any]
"""A stored finding as JSON has it."""
_INCOMPLETE_DATA: Final = "all records of the day: data are incomplete"
"""The missing input of a finding that was unknown only because records of the day were missing."""

_FLAG_KEY: Final = 'is_data_incomplete":'

_STATISTICS: Final = {
    "peak": Statistic.peak,
    "95th percentile": Statistic.p95,
    "mean": Statistic.mean,
}
_STATISTIC: Final = rf"(?P<statistic>{'|'.join(_STATISTICS)})"
_DAYS: Final = r"(?P<first>\d{4}-\d\d-\d\d) to (?P<last>\d{4}-\d\d-\d\d)"
_DAY: Final = re.compile(rf"(?P<series>\S+), {_STATISTIC} of (?P<day>\d{{4}}-\d\d-\d\d)")
_WINDOW: Final = re.compile(
    rf"(?P<series>\S+), (?P<figure>median|mean) of the daily {_STATISTIC}, {_DAYS}"
)
_COUNTED: Final = re.compile(rf"(?P<series>\S+), {_DAYS}")
_ESTATE: Final = re.compile(r"settings, estate (?P<place>.+): (?P<key>\w+)")

_TYPED: Final = (
    (TypedKind.more_data_sets, re.compile(r"(?P<data_sets>\d+) x CYL\((?P<value>\d+)\)")),
    (TypedKind.cylinders, re.compile(r"CYL\((?P<value>\d+)\)")),
    (TypedKind.buffers, re.compile(r"BUFFERS\((?P<value>\d+)\)")),
    (TypedKind.structure_kib, re.compile(r"SIZE\((?P<value>\d+)K\)")),
    (TypedKind.memlimit_gib, re.compile(r"MEMLIMIT=(?P<value>\d+)G")),
    (TypedKind.maxchl, re.compile(r"MAXCHL\((?P<value>\d+)\)")),
    (TypedKind.outbuff_kb, re.compile(r"OUTBUFF=(?P<value>\d+)")),
    (TypedKind.log_compression, re.compile(r"COMPLOG=RLE")),
    (TypedKind.engines, re.compile(r"ICF engines: (?P<value>\d+)")),
    (TypedKind.channels, re.compile(r"(?P<value>\d+) channels?")),
    (TypedKind.queue_managers, re.compile(r"(?P<value>\d+) queue managers?")),
    (TypedKind.maxarch, re.compile(r"MAXARCH=(?P<value>\d+)")),
    (TypedKind.backup_hours, re.compile(r"every (?P<value>\d+) h")),
    (TypedKind.backup_minutes, re.compile(r"every (?P<value>\d+) min")),
    (TypedKind.adapters, re.compile(r"CHIADAPS\((?P<value>\d+)\)")),
    (TypedKind.smds_buffers, re.compile(r"DSBUFS\((?P<value>\d+)\)")),
    (TypedKind.batch_interval_ms, re.compile(r"BATCHINT\((?P<value>\d+)\)")),
    (TypedKind.processes, re.compile(r"MAXPROCUSER\((?P<value>\d+)\)")),
    (TypedKind.zhyperlink_paths, re.compile(r"(?P<value>\d+) PFIDs")),
    (TypedKind.queues, re.compile(r"(?P<value>\d+) queues")),
    (TypedKind.ims_buffers, re.compile(r"QBUF=(?P<value>\d+)")),
    (TypedKind.ims_regions, re.compile(r"(?P<value>\d+) regions")),
    (TypedKind.mqm_mb, re.compile(r"MQM (?P<value>\d+) MB")),
    (TypedKind.network_gigabits, re.compile(r"(?P<value>\d+) Gb/s")),
    (TypedKind.log_file_pages, re.compile(r"LogFilePages=(?P<value>\d+)")),
    (TypedKind.memory_mib, re.compile(r"(?P<value>\d+) MiB")),
    (TypedKind.log_primary_files, re.compile(r"LogPrimaryFiles=(?P<value>\d+)")),
    (TypedKind.max_channels, re.compile(r"MaxChannels=(?P<value>\d+)")),
    (TypedKind.max_depth, re.compile(r"MAXDEPTH\((?P<value>\d+)\)")),
    (TypedKind.max_file_mib, re.compile(r"MAXFSIZE\((?P<value>\d+)\)")),
    (TypedKind.max_instances, re.compile(r"MAXINST\((?P<value>\d+)\)")),
    (TypedKind.max_client_instances, re.compile(r"MAXINSTC\((?P<value>\d+)\)")),
    (TypedKind.file_system_pct, re.compile(r"(?P<value>\d+) % of the size of today")),
)


def is_as_written_now(text: str) -> bool:
    """Return whether the text of a finding has the parts already, so that it can be read as it is.

    The flag came after sources and amounts. Within a text of JSON its last quote would be escaped.
    """
    return _FLAG_KEY in text


def upgraded(document: Document) -> dict[str, Any]:
    """Return a stored finding with the parts of its sources and amounts and its flags.

    A document that has the parts, or no text to take them from, is returned as it is.
    """
    return {
        "is_data_incomplete": _INCOMPLETE_DATA in document.get("missing", ()),
        **document,
        "inputs": [_with_origin(item) for item in document.get("inputs", ())],
        "changes": [_with_amount(item) for item in document.get("changes", ())],
    }


def input_source(
    text: str,
) -> MeasuredDaySource | MeasuredWindowSource | EstateSource | TextSource:
    """Return the source that a text of release 0.1.0 names."""
    try:
        return _measured(text) or _estate(text) or TextSource(text=text)
    except (ValueError, CapacityError):  # a date or series that there cannot be
        return TextSource(text=text)


def typed_amount(text: str) -> TypedAmount:
    """Return the amount that a text of release 0.1.0 types."""
    for kind, form in _TYPED:
        match = form.fullmatch(text)
        if match is not None:
            parts = match.groupdict()
            return TypedAmount.of(kind, int(parts.get("value", 0)), int(parts.get("data_sets", 1)))
    return TypedAmount(kind=TypedKind.other, words=text)


def _with_origin(item: Document) -> Document:
    text = item.get("source")
    if not text or item.get("origin") is not None:
        return item
    return {**item, "origin": input_source(text).model_dump(mode="json")}


def _with_amount(item: Document) -> Document:
    text = item.get("typed")
    if not text or item.get("amount") is not None:
        return item
    return {**item, "amount": typed_amount(text).model_dump(mode="json")}


def _measured(text: str) -> MeasuredDaySource | MeasuredWindowSource | None:
    if (match := _DAY.fullmatch(text)) is not None:
        metric, subject = split_series_id(match["series"])
        return MeasuredDaySource(
            metric=metric,
            subject=subject,
            statistic=_STATISTICS[match["statistic"]],
            site_date=date.fromisoformat(match["day"]),
        )
    match = _WINDOW.fullmatch(text) or _COUNTED.fullmatch(text)
    if match is None:
        return None
    metric, subject = split_series_id(match["series"])
    parts = match.groupdict()
    return MeasuredWindowSource(
        metric=metric,
        subject=subject,
        figure=WindowFigure(parts.get("figure", "day_count")),
        statistic=_STATISTICS[parts["statistic"]] if "statistic" in parts else None,
        first_date=date.fromisoformat(match["first"]),
        last_date=date.fromisoformat(match["last"]),
    )


def _estate(text: str) -> EstateSource | None:
    match = _ESTATE.fullmatch(text)
    return EstateSource(place=match["place"], key=match["key"]) if match is not None else None
