"""Metrics of z/OS that a monitor samples in near real time, where SMF has none in an hour."""

from typing import Final

import polars as pl

from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.sampled.figures import ZosFigure
from spark_apps.transforms.intervals import (
    MANAGER_SUBJECT,
    Gauge,
    Sections,
    interval_rows,
    numbered,
    path,
    union,
    where_lacking,
)
from spark_apps.transforms.samples import counted_once, side_by_side

ZOS_SAMPLE: Final = "zos_sample"
QPST: Final = "section_qpst"
QIS1: Final = "section_qis1"
QCCT: Final = "section_qcct"
QMST: Final = "section_qmst"
QQST: Final = "section_qqst"
QESD: Final = "section_qesd"
BUFFER_POOL: Final = "odp_buffer_pool_used_pct"
PAGE_SET: Final = "odp_page_set_used_pct"
CHANNELS: Final = "odp_channels_used_pct"
PUTS: Final = "odp_messages_put_per_s"
PRIVATE_PUTS: Final = "odp_private_queue_messages_per_s"
SHARED_DEPTH: Final = "odp_shared_queue_depth_count"
DATA_SETS: Final = "odp_smds_used_pct"
DATA_SET_BUFFERS: Final = "odp_smds_buffers_used_pct"
_BY_FIGURE: Final = {
    ZosFigure.buffer_pool_used_pct: BUFFER_POOL,
    ZosFigure.page_set_used_pct: PAGE_SET,
    ZosFigure.active_log_used_pct: "odp_active_log_used_pct",
    ZosFigure.channels_used_pct: CHANNELS,
    ZosFigure.connection_count: "odp_connection_count",
    ZosFigure.messages_put_per_s: PUTS,
    ZosFigure.private_queue_messages_per_s: PRIVATE_PUTS,
    ZosFigure.shared_queue_depth_count: SHARED_DEPTH,
    ZosFigure.smds_used_pct: DATA_SETS,
    ZosFigure.smds_buffers_used_pct: DATA_SET_BUFFERS,
}
_COUNTS: Final = {
    ZosFigure.buffer_pool_used_pct: (ZosFigure.buffers_total_count, ZosFigure.buffers_free_count),
    ZosFigure.page_set_used_pct: (ZosFigure.pages_total_count, ZosFigure.pages_unused_count),
}
"""Total and unused, where a monitor reports them instead of a share."""


def queue_managers(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, subject and sample; those of hours that SMF covers are left out."""
    key = ["sysplex", "qmgr", "object", "file_sha256"]
    at_one_time = side_by_side(sections[ZOS_SAMPLE], key, ZosFigure)
    manager, has_object = MANAGER_SUBJECT, pl.col("object") != ""
    of_object = pl.when(has_object).then(path(manager, "object"))
    subject = of_object.when(~has_object).then(manager)
    rows = interval_rows(
        at_one_time,
        subject,
        *(Gauge(metric, _level(figure)) for figure, metric in _BY_FIGURE.items()),
    )
    return where_lacking(_measured(sections), counted_once(rows))


def _level(figure: ZosFigure) -> pl.Expr:
    """Return a figure as it was sampled, else the share of both counts where those were."""
    if figure not in _COUNTS:
        return pl.col(str(figure))
    total, free = (pl.col(str(count)) for count in _COUNTS[figure])
    share = pl.when((total > 0) & (free <= total)).then(100 * (total - free) / total)
    return pl.coalesce(pl.col(str(figure)), share)


def _measured(sections: Sections) -> pl.LazyFrame:
    """Return the intervals in which SMF has what is sampled; their level is 0."""
    manager = MANAGER_SUBJECT
    return union(
        _of(sections[QPST], path(manager, numbered("BP", "qpstpool")), BUFFER_POOL),
        _of(sections[QIS1], path(manager, numbered("PS", "qis1psno")), PAGE_SET),
        _of(sections[QCCT], manager, CHANNELS),
        _of(sections[QMST], manager, PUTS),
        _of(sections[QQST], manager, PRIVATE_PUTS, SHARED_DEPTH),
        _of(sections[QESD], manager, DATA_SETS, DATA_SET_BUFFERS),
    )


def _of(rows: pl.LazyFrame, subject: pl.Expr, *metrics: str) -> pl.LazyFrame:
    return interval_rows(rows, subject, *(Gauge(metric, pl.lit(0.0)) for metric in metrics))


R744S: Final = "section_r744s"
_FIGURES: Final = {
    ZosFigure.structure_entries_used_pct: "odp_structure_entries_used_pct",
    ZosFigure.structure_storage_used_pct: "odp_structure_storage_used_pct",
}


def structures(sections: Sections) -> pl.LazyFrame:
    """Return a row per metric, structure and sample: of members the highest at one time."""
    of_structures = sections[ZOS_SAMPLE].filter(pl.col("figure").is_in([*map(str, _FIGURES)]))
    at_one_time = side_by_side(of_structures, ["sysplex", "object", "file_sha256"], _FIGURES)
    rows = interval_rows(
        at_one_time,
        _subject("object"),
        *(Gauge(metric, pl.col(str(figure))) for figure, metric in _FIGURES.items()),
    )
    measured = _of(sections[R744S], _subject("r744snam"), *_FIGURES.values())
    return where_lacking(measured, counted_once(rows))


def _subject(structure: str) -> pl.Expr:
    """Return sysplex, group and structure; the name of a short group is padded in the name."""
    group = pl.col(structure).str.slice(0, GROUP_NAME_LENGTH).str.strip_chars_end("@")
    return path("sysplex", group, structure)
