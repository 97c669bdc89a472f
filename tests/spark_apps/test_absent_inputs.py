"""Absence is never a figure: of every metric, whatever input is taken away.

``COMPLETE`` has rows of which every metric has a value. A cell, a column or a dataset at a time is
taken from it: each row that is still made must be one of those that complete rows give.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from zlib import crc32

import polars as pl
import pytest
from polars.io.plugins import register_io_source

from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.sampled.figures import ZosFigure, ZtpfFigure
from spark_apps.qmgr_settings import EPOCH, FOREVER, SettingPeriod
from spark_apps.read import row_schema
from spark_apps.registry import MetricFamily, all_metrics, datasets_read, families
from spark_apps.transforms.intervals import INTERVAL_COLUMNS, Sections
from spark_apps.transforms.keys import INTERVAL, key_of
from tests.spark_apps.rows import HALF_HOUR, START, frame

Frames = Mapping[str, pl.LazyFrame]
Row = tuple[Any, ...]
OURS: Final = frozenset({"record_hash", "file_sha256", "section_index"})
"""Columns that the decoder fills whatever a file holds."""
WHOSE: Final = frozenset(
    {"sysplex", "smfid", "qmgr", "cf", "site", "host", "metric", "subject", "message_id"}
    | {"reported_utc", "step_seconds", "scrape_seconds", "event_utc", "text", *INTERVAL}
)
"""Columns that tell whose row it is, of what and when."""
FIGURE: Final = pl.col("figure")
COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "accounting_mib_per_day": ("section_wtid", "section_wtas", "section_wqst", "section_qcst")
}
"""By the first metric of a module: datasets whose rows themselves are counted."""
STAND_IN: Final[Mapping[str, tuple[tuple[str, pl.Expr], ...]]] = {
    "chinit_31bit_used_mib": (("console_event", pl.lit(False)), ("section_qcct", pl.lit(False))),
    "mq_log_fs_used_pct": (("qmgr_sample", FIGURE != "log_fs_used_bytes"),),
    "mq_log_primary_used_pct": (("qmgr_sample", FIGURE != "log_primary_files_count"),),
    "odp_buffer_pool_used_pct": (("zos_sample", FIGURE != "buffer_pool_used_pct"),),
}
"""By the first metric of a module: the rows of a dataset that are left where another measured input
stands in for the rest."""
COUNTERS: Final = frozenset(
    {
        QmgrFigure.log_written_bytes,
        QmgrFigure.put_count,
        QmgrFigure.put_bytes,
        QmgrFigure.log_extents_grown_count,
        QmgrFigure.log_extents_unreclaimed_count,
        QmgrFigure.queue_put_count,
        QmgrFigure.queue_put_bytes,
    }
)
SPECIAL: Final[Mapping[str, Mapping[str, Any]]] = {
    "section_qjst": {"qjstslptu": 300_000},
    "section_qcct": {"qcctslim": 4_096},
    "section_qqst": {"qqstflag": 0},
    "section_r744f": {"r744fflg": 0x10},
    "section_r744p": {"r744ptyp": 0x80},
    "section_r744s": {
        "r744sflg": 0,
        "r744snam": "QSG1APPL1",
        "r744slem": 90,
        "r744slel": 120,
        "r744scue": 80,
        "r744smae": 110,
        "r744ssiz": 512,
    },
    "section_r745d": {"r745dvol": "LOG001"},
    "section_wqst": {"cfstrucname": "APPL1", "mqcfreq": "0000000A" * 100},
}
"""Values of columns that are not any number."""
TWICE: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "section_qesd": ({"qesdstr": "APPL1"}, {"qesdstr": "APPL2"}),
    "section_qest": ({"qeststr": "APPL1"}, {"qeststr": "APPL2"}),
    "section_qcst": ({"qcstchnm": "TO.A"}, {"qcstchnm": "TO.B"}),
    "section_qctdsp": ({"section_index": 0}, {"section_index": 1}),
    "section_qctadp": ({"section_index": 0}, {"section_index": 1}),
    "section_qctssl": ({"section_index": 0}, {"section_index": 1}),
    "section_qqst": tuple(
        {"qqstqnam": f"Q{number}", "qqstcfst": structure}
        | dict.fromkeys(("qqstdphi", "qqstdpth"), 500 + number)
        for number, structure in enumerate(["", "", "APPL1", "APPL1"])
    ),
    "section_r744p": ({"r744pnum": 0}, {"r744pnum": 1}),
    "section_r744s": ({"smfid": "SYS1"}, {"smfid": "SYS2"}),
    "section_wqst": ({"section_index": 2}, {"section_index": 3}),
    "section_wtas": ({"record_hash": 1}, {"record_hash": 2}),
    "section_r745d": ({"r745devn": 1}, {"r745devn": 2}),
}
"""What tells the rows apart of a dataset with several of one subject and interval."""


def console() -> Iterator[dict[str, Any]]:
    """Messages of each kind that gives a figure."""
    yield {"used_31bit_mib": 900.0, "free_31bit_mib": 600.0} | {
        "used_64bit_mib": 50.0,
        "free_64bit_mib": 70.0,
    }
    for message in ("CSQW133E", "CSQJ160I"):
        yield {"message_id": message}
    yield {"message_id": "CSQE121I", "amount": 12.0}
    yield {"message_id": "CSQJ002I", "start_rba": 0, "end_rba": 999_999, "event_utc": START}
    later = START + timedelta(minutes=20)
    yield {"message_id": "CSQJ001I", "start_rba": 9_000_000, "event_utc": later}
    yield {"message_id": "CSQJ139I", "event_utc": START + timedelta(minutes=5)}
    for hour, end in enumerate((5_000, 700_000)):
        begin = START + timedelta(hours=hour)
        for minute, message, places in (
            (1, "CSQR030I", {"start_rba": 1, "end_rba": end}),
            (2, "CSQR031I", {"start_rba": 1_000}),
            (4, "CSQR031I", {"start_rba": 2_000}),
        ):
            yield {"message_id": message, **places, "event_utc": begin + timedelta(minutes=minute)}


def records() -> Iterator[tuple[str, dict[str, Any]]]:
    """Sections with a number in each column that has one."""
    for dataset in datasets_read():
        for number, own in enumerate(TWICE.get(dataset, ({},))):
            numbers = {
                name: 100 + crc32(f"{name}{number}".encode()) % 1_000
                for name, kind in row_schema(dataset).items()
                if kind.is_numeric() and name not in OURS
            }
            if dataset.startswith("section_"):
                yield dataset, numbers | dict(SPECIAL.get(dataset, {})) | dict(own)


def sampled() -> Iterator[tuple[str, dict[str, Any]]]:
    """A row of each figure, of z/TPF queues two."""
    for figure in QmgrFigure:
        value = 1.0 if figure is QmgrFigure.channel_status else value_of(figure)
        own = {"figure": str(figure), "value": value, "host": "host1"}
        reading = "delta" if figure in COUNTERS else "gauge"
        yield "qmgr_sample", {"qmgr": "QM1", "reading": reading, **own}
    for zos_figure in ZosFigure:
        own = {"figure": str(zos_figure), "value": value_of(zos_figure), "object": "QSG1APPL1"}
        yield "zos_sample", {"reported_utc": START - HALF_HOUR, **own}
    for ztpf_figure in ZtpfFigure:
        for queue in ("Q1", "Q2") if ztpf_figure.startswith("queue_") else ("",):
            own = {"figure": str(ztpf_figure), "value": value_of(f"{ztpf_figure}{queue}")}
            yield "ztpf_sample", {"system": "TPF1", "queue": queue, **own}
    for metric in all_metrics():
        if "site_sample" in metric.reads:
            own = {"metric": metric.name, "subject": "EAST/QM1", "value": 41.0}
            yield "site_sample", {"reported_utc": START + timedelta(hours=3), **own}


def value_of(name: str) -> float:
    """A value of its own for each figure."""
    return 40.0 + crc32(name.encode()) % 17


def complete() -> Frames:
    """Rows of every dataset, from which every metric has a value."""
    table: dict[str, list[dict[str, Any]]] = defaultdict(list)
    sweep = {"system": "TPF1", "queue": "Q1", "local_time": "14.40.27"}
    messages = (("console_event", message) for message in console())
    for dataset, row in (*records(), *sampled(), *messages, ("ztpf_sweep", sweep)):
        table[dataset].append(row)
    return {name: frame(name, table[name]) for name in datasets_read()}


def made(family: MetricFamily, frames: Frames) -> set[Row]:
    """The interval rows of a table."""
    given = Sections(
        frames,
        {"PLEX1/CSQ1": 1_500.0},
        {"PLEX1/CSQ1": ("Q0", "Q1")},
        {"PLEX1/CSQ1": ("LOG001",)},
        (SettingPeriod("EAST", "QM1", EPOCH, FOREVER, 3, 2, 400, 4_096, 300),),
    )
    return set(family.intervals(given).select(*INTERVAL_COLUMNS).collect().rows())


def columns_read(family: MetricFamily, frames: Frames) -> dict[str, list[str]]:
    """The columns of each dataset that a family reads, as polars asks for them."""
    read: dict[str, set[str]] = defaultdict(set)

    def watched(dataset: str) -> pl.LazyFrame:
        whole = frames[dataset].collect()

        def batches(
            with_columns: list[str] | None,
            predicate: pl.Expr | None,
            n_rows: int | None,
            batch_size: int | None,
        ) -> Iterator[pl.DataFrame]:
            del n_rows, batch_size
            names = whole.columns if with_columns is None else with_columns
            read[dataset] |= set(names)
            rows = whole.select(names)
            yield rows if predicate is None else rows.filter(predicate)

        return register_io_source(batches, schema=whole.schema)

    used = {name for metric in family.metrics for name in metric.reads}
    made(family, {**frames, **{name: watched(name) for name in used}})
    return {dataset: sorted(names - OURS) for dataset, names in read.items()}


def without(frames: Frames, dataset: str, column: str, number: int | None = None) -> Frames:
    """The table with one cell of a column null, or all of them."""
    is_absent = pl.lit(True) if number is None else pl.int_range(pl.len()) == number
    kept = pl.when(~is_absent).then(pl.col(column)).alias(column)
    return {**frames, dataset: frames[dataset].with_columns(kept)}


def taken_away(family: MetricFamily, frames: Frames) -> Iterator[tuple[str, Frames]]:
    """Each thing that can be absent, and the table without it.

    A cell that tells whose row it is, or when, is not: that would be a row of another, or none.
    """
    counted = COUNTED.get(family.metrics[0].name, ())
    for dataset, columns in columns_read(family, frames).items():
        if dataset not in counted:
            yield dataset, {**frames, dataset: frames[dataset].clear()}
        whose = WHOSE | {*key_of(dataset)}
        for column in columns if dataset not in counted else {*columns} - whose:
            yield f"{dataset}.{column}", without(frames, dataset, column)
        height = frames[dataset].collect().height
        for column in {*columns} - whose if height > 1 else ():
            for number in range(height):
                what = f"{dataset}.{column} of row {number}"
                yield what, without(frames, dataset, column, number)


def measured(family: MetricFamily, frames: Frames) -> set[Row]:
    """The rows of complete input, and of those inputs that stand in for others."""
    rows = made(family, frames)
    for dataset, left in STAND_IN.get(family.metrics[0].name, ()):
        rows |= made(family, {**frames, dataset: frames[dataset].filter(left)})
    return rows


@pytest.mark.thorough
def test_whatever_input_of_a_metric_is_absent_no_figure_appears_that_was_not_measured() -> None:
    frames = complete()
    false: dict[str, set[str]] = defaultdict(set)
    lacking = set()
    for family in families():
        known = measured(family, frames)
        lacking |= {metric.name for metric in family.metrics} - {row[0] for row in known}
        for what, rest in taken_away(family, frames):
            for row in made(family, rest) - known:
                false[what].add(f"{row[0]} {row[1]} {row[4]}")
    assert {name for name in lacking if not name.endswith("_lowest")} == set()
    assert dict(false) == {}
