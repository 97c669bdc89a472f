"""Keys of the datasets that metrics read."""

from functools import lru_cache
from typing import Final

from mqcap.domain.datasets import (
    CONSOLE_EVENT,
    QMGR_ACCOUNTING,
    QMGR_SAMPLE,
    SITE_SAMPLE,
    ZOS_SAMPLE,
    ZTPF_SAMPLE,
    ZTPF_SWEEP,
)
from mqcap.ingest.smf.layout import layouts, structure_name
from mqcap.ingest.smf.sections import dataset_schema

INTERVAL: Final = ("interval_start_utc", "interval_end_utc")
MANAGER: Final = ("sysplex", "qmgr")
"""Columns of a queue manager of z/OS."""
INTERVAL_MAX_US: Final = 25 * 3_600 * 1_000_000
"""A record may cover a day at most (STATIME 1440 minutes), an hour more when clocks change.

A longer interval is a corrupt time stamp and would give thousands of hours; it is left out.
"""
_MQ: Final = ("smfid", "qmgr", INTERVAL[0])
"""A queue manager begins one interval at a time; output of the formatter truncates the end's
fraction of a second, so the end is no part of the key."""
_CACHE: Final = ("smfid", "sysplex", *INTERVAL)
_CF: Final = ("smfid", "sysplex", "cf", *INTERVAL)
CARRY_FORWARD_HOURS: Final = 2
"""The value of a storage message is carried forward to the next one, over no longer gap than this
(ours)."""
PLAIN: Final = {
    dataset.name: dataset
    for dataset in (
        CONSOLE_EVENT,
        QMGR_ACCOUNTING,
        QMGR_SAMPLE,
        SITE_SAMPLE,
        ZOS_SAMPLE,
        ZTPF_SAMPLE,
        ZTPF_SWEEP,
    )
}
"""Datasets that metrics read beside sections, by name."""
TASKS: Final = ("section_wtas", "section_wtid", "section_wqst")
"""Of accounting, whose records have no key of their own."""
_UNDECLARED: Final = ("record_hash", "section_index")
"""Place of a section without a declared key: copies of a record are one, all else is distinct."""


@lru_cache(maxsize=256)
def key_of(dataset: str) -> tuple[str, ...]:
    """Return the columns by which equal rows are recognised; a section's layout declares some."""
    if dataset in PLAIN:
        return PLAIN[dataset].key
    layout = layouts()[structure_name(dataset)]
    columns = dataset_schema(layout).names
    head = _MQ if "qmgr" in columns else _CF if "cf" in columns else _CACHE
    return (*head, *(_UNDECLARED if layout.key is None else layout.key))


@lru_cache(maxsize=256)
def task_key_of(dataset: str) -> tuple[str, ...]:
    """Return system, queue manager and interval of a section of a task; none of others."""
    return (*_MQ, INTERVAL[1], "record_subtype") if dataset in TASKS else ()


@lru_cache(maxsize=256)
def has_declared_key(dataset: str) -> bool:
    """Return True for console messages and for sections whose layout declares their key."""
    layout = layouts().get(structure_name(dataset))
    return dataset == CONSOLE_EVENT.name or (layout is not None and layout.key is not None)
