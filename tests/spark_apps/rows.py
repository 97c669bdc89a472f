"""Builders of literal rows: a sensible one, with what the test is about changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from spark_apps.qmgr_settings import SettingPeriod
from spark_apps.read import dataset_schema
from spark_apps.registry import datasets_read
from spark_apps.transforms.intervals import Sections

START = datetime(2025, 3, 10, 13, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
MQ = (
    "sysplex string, smfid string, qmgr string, interval_start_utc timestamp, "
    "interval_end_utc timestamp, record_hash bigint, file_sha256 string"
)
CF = MQ.replace("qmgr string", "cf string")
LEVEL = "mq_level string"
PLACE = "section_index int"
QJST = f"{MQ}, {LEVEL}, qjstbffl int, qjstwtb int, qjstllcp int, qjstslptu double, " + ", ".join(
    f"qjsthl{name} bigint" for name in ("sciw", "mciw", "scis", "mcis", "sciwttot", "mciwttot")
)
QPST = f"{MQ}, qpstpool int, qpstnbuf int, qpstcbsl int, " + ", ".join(
    f"qpst{name} int" for name in ("rio", "wio", "tpw", "dwt", "dmc", "stl", "stla", "sos")
)
TASK = f"{MQ}, {PLACE}, qctreqn bigint, qcteltm double, qctwttm double"
QCST = (
    f"{MQ}, {PLACE}, qcstll int, qcstchnm string, qcstcnnm string, qcststrt timestamp, "
    "qcstnmsg bigint, qcstbatc bigint, qcstchty int, qcstcscv bigint, qcstnbyt bigint, "
    f"{LEVEL}"
)
QEST = f"{MQ}, qeststr string, qestcsec bigint, qestcmec bigint, qestrsec bigint, qestrmec bigint"
QESD = f"{MQ}, qesdstr string, " + ", ".join(
    f"qesd{name} bigint" for name in ("smbd", "smmu", "bfto", "bfmf", "bfgb", "bfwp")
)
QIST = f"{MQ}, qistdcre bigint, qistddel bigint"
QMST = f"{MQ}, qmstget int, qmstput int, qmstput1 int"
QQST = (
    f"{MQ}, qqstqnam string, qqstcfst string, qqstqsgn string, qqstbpid int, qqstflag bigint, "
    + ", ".join(
        f"qqst{name} bigint"
        for name in (
            *("puts", "put1", "putb", "pt1b", "gets", "nmag"),
            *("ppt", "pp1", "ppb", "p1b", "getb", "dpth", "dphi"),
        )
    )
)
WTID = (
    f"{MQ}, {PLACE}, wtidlen int, wtidccn string, wtidopid string, wtidchl string, wtidchlc string"
)
WTAS = f"{MQ}, {PLACE}, wtaslen int, wtascmn int, wtasban int, wtasjwb bigint, " + ", ".join(
    f"{name} double" for name in ("wtasotct", "wtascmct", "wtasbact", "wtasprct")
)
WQST = (
    f"{MQ}, {PLACE}, wqll int, cfstrucname string, mqcfreq string, basename string, "
    + ", ".join(
        (
            *(f"{name}n bigint" for name in ("open", "get", "put", "put1")),
            *(f"{name} bigint" for name in ("opencf0", "getsmsg", "validput", "validget")),
            *(
                f"{name}ct double"
                for name in ("open", "close", "get", "put", "put1", "inq", "set", "cb")
            ),
        )
    )
)
QIS1 = f"{MQ}, qis1psno bigint, qis1topg bigint, qis1unpg bigint"
QCCT = (
    f"{MQ}, {LEVEL}, qcctnocc bigint, qcctmxcc bigint, qcctnoac bigint, qcctmxac bigint, "
    "qcctstus bigint, qcctstab bigint, qcctslim bigint"
)
R744F = f"{CF}, r744fflg int"
R744G = f"{CF}, r744gtsd bigint, r744gtsf bigint"
R744P = f"{CF}, r744pnum bigint, r744pbsy bigint, r744pwai bigint, r744ptyp int"
R744S = (
    f"{CF}, r744snam string, r744sver string, r744slel bigint, r744slem bigint, r744smae bigint, "
    "r744scue bigint, r744ssiz bigint, r744sarc double, r744ssrc double, r744sstm bigint, "
    "r744sflg int"
)
R745D = (
    CF.replace("cf string, ", "")
    + ", r745dvol string, r745dfwb double, "
    + ", ".join(
        f"r745d{name} double" for name in ("rcr", "rsr", "rnr", "wrc", "wsr", "wnr", "icl", "bcr")
    )
)
CONSOLE = (
    "sysplex string, smfid string, qmgr string, event_utc timestamp, message_id string, "
    "text string, used_31bit_mib double, free_31bit_mib double, used_64bit_mib double, "
    "free_64bit_mib double, start_rba decimal(20,0), end_rba decimal(20,0), amount double, "
    "file_sha256 string"
)
SAMPLE = (
    "site string, qmgr string, host string, object string, figure string, reading string, "
    "reported_utc timestamp, step_seconds double, scrape_seconds double, value double, "
    "file_sha256 string"
)
SITE = "metric string, subject string, reported_utc timestamp, step_seconds double, value double"
ZTPF_SAMPLE = (
    "site string, zone string, system string, figure string, reported_utc timestamp, "
    "step_seconds double, value double, file_sha256 string"
)
ZTPF_SWEEP = (
    "site string, zone string, system string, queue string, local_date string, "
    "local_time string, file_sha256 string"
)
SCHEMAS: Mapping[str, str] = {
    "qmgr_sample": SAMPLE,
    "site_sample": SITE,
    "ztpf_sample": ZTPF_SAMPLE,
    "ztpf_sweep": ZTPF_SWEEP,
    "section_qjst": QJST,
    "section_qpst": QPST,
    "section_qis1": QIS1,
    "section_qcct": QCCT,
    "section_qctdsp": TASK,
    "section_qctadp": TASK,
    "section_qctssl": TASK,
    "section_qcst": QCST,
    "section_qest": QEST,
    "section_qesd": QESD,
    "section_qist": QIST,
    "section_qmst": QMST,
    "section_qqst": QQST,
    "section_wtid": WTID,
    "section_wtas": WTAS,
    "section_wqst": WQST,
    "section_r744f": R744F,
    "section_r744g": R744G,
    "section_r744p": R744P,
    "section_r744s": R744S,
    "section_r745d": R745D,
    "console_event": CONSOLE,
}
COMMON: Mapping[str, Any] = {
    "sysplex": "PLEX1",
    "smfid": "SYS1",
    "qmgr": "CSQ1",
    "cf": "CF01",
    "interval_start_utc": START,
    "interval_end_utc": START + HALF_HOUR,
    "event_utc": START,
    "message_id": "CSQX004I",
    "text": "",
    "record_hash": 1,
    "file_sha256": "a",
    "section_index": 0,
    "site": "EAST",
    "host": "",
    "object": "",
    "reading": "gauge",
    "reported_utc": START,
    "step_seconds": 300.0,
    "scrape_seconds": 300.0,
}


def frame(spark: SparkSession, dataset: str, rows: Sequence[Mapping[str, Any]]) -> DataFrame:
    """Rows of a dataset; columns that are not given are those of ``COMMON``, else null."""
    schema = SCHEMAS.get(dataset) or dataset_schema(dataset)
    if isinstance(schema, str):
        names = [column.split()[0] for column in schema.split(", ")]
    else:
        names = schema.names
    values = [tuple(_value({**COMMON, **row}, name) for name in names) for row in rows]
    made = spark.createDataFrame(values, schema)
    return made if values else made.limit(0)  # as of a dataset without files


def _value(row: Mapping[str, Any], name: str) -> Any:
    value = row.get(name)
    return Decimal(value) if name.endswith("_rba") and value is not None else value


def sections(
    spark: SparkSession,
    limits: Mapping[str, float] | None = None,
    bridge_queues: Mapping[str, tuple[str, ...]] | None = None,
    log_volumes: Mapping[str, tuple[str, ...]] | None = None,
    **rows: Sequence[Any],
) -> Sections:
    """Sections with the given rows; the other datasets have none."""
    datasets = {*SCHEMAS, *datasets_read()}
    frames = {name: frame(spark, name, rows.get(name, ())) for name in sorted(datasets)}
    return Sections(frames, limits or {}, bridge_queues or {}, log_volumes or {})


def samples(
    spark: SparkSession,
    *rows: Mapping[str, Any],
    periods: tuple[SettingPeriod, ...] = (),
) -> Sections:
    """Sections with samples of queue manager EAST/QM1, reported at 13:00 unless they say else."""
    made = sections(spark, qmgr_sample=[{"qmgr": "QM1", **row} for row in rows])
    return replace(made, setting_periods=periods)


def between(start: datetime, end: datetime) -> dict[str, datetime]:
    """The interval columns."""
    return {"interval_start_utc": start, "interval_end_utc": end}


def levels(intervals: DataFrame) -> dict[tuple[str, str], list[float]]:
    """For each metric and subject: the levels in order of time."""
    ordered = intervals.orderBy("interval_start_utc").collect()
    result: dict[tuple[str, str], list[float]] = {}
    for row in ordered:
        result.setdefault((row.metric, row.subject), []).append(row.level)
    return result
