"""Datasets of the lake: columns, key and meaning of a row.

Section datasets (``section_qjst`` and so on) add the columns of their layout behind
``SECTION_COLUMNS``. Columns and types are schema strings of Spark SQL, times are in UTC. Folders
are by ``cutoff_date`` or ``hour_date``, else by the day of receipt (``received_date``).
"""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Dataset:
    """A folder of Parquet files with one schema."""

    name: str
    columns: dict[str, str]
    """Types of Spark SQL by name, in order."""
    key: tuple[str, ...]


def _columns(schema: str) -> dict[str, str]:
    return dict(column.split(" ") for column in schema.split(", "))


def _dataset(name: str, schema: str, *, key: str) -> Dataset:
    return Dataset(name, _columns(schema), tuple(key.split()))


SECTION_COLUMNS: Final = _columns(
    "smfid string, qmgr string, qsg string, mq_level string, record_type int, record_subtype int, "
    "interval_start_utc timestamp, interval_end_utc timestamp, interval_seconds double, "
    "utc_offset_minutes int, record_utc timestamp, section_index int, record_hash bigint, "
    "record_offset_bytes bigint, file_sha256 string"
)
"""Columns in front of those of the layout, for every MQ section (115, 116).

``qsg`` and ``mq_level`` are null where the record has none, ``interval_*`` where no interval is
known: 116.0 has none, 116.1 and 116.2 have that of their task, 115.5, 6 and 7 that of the other
statistics of their queue manager. ``record_utc`` is null when the offset from UTC is not known.
``record_hash`` is equal for byte-identical records alone.
"""

CACHE_SECTION_COLUMNS: Final[dict[str, str]] = {
    **{
        name: kind
        for name, kind in SECTION_COLUMNS.items()
        if name not in {"qmgr", "qsg", "mq_level"}
    },
    "sysplex": "string",
}
"""Columns in front of those of the layout, for every section of a 74.5 record."""

CF_SECTION_COLUMNS: Final[dict[str, str]] = {**CACHE_SECTION_COLUMNS, "cf": "string"}
"""Columns in front of those of the layout, for every section of a 74.4 record."""

CONSOLE_EVENT: Final = _dataset(
    "console_event",
    "smfid string, qmgr string, event_utc timestamp, message_id string, sequence int, text string, "
    "used_31bit_mib double, free_31bit_mib double, used_64bit_mib double, free_64bit_mib double, "
    "log_copy int, dataset_name string, start_rba decimal(20,0), end_rba decimal(20,0), "
    "object_name string, amount double, pool_number int, pages_total bigint, pages_unused bigint, "
    "expansion_count bigint, line_number bigint, file_sha256 string",
    key="smfid qmgr event_utc message_id text",
)
"""One recognised console message."""

QUARANTINE: Final = _dataset(
    "quarantine",
    "file_sha256 string, byte_offset bigint, bytes_count bigint, reason string, raw_hex string",
    key="file_sha256 byte_offset",
)
"""One corrupt range: bytes that could not be read."""

QMGR_SAMPLE: Final = _dataset(
    "qmgr_sample",
    "qmgr string, host string, object string, figure string, reading string, "
    "reported_utc timestamp, step_seconds double, value double, file_sha256 string",
    key="qmgr host object figure reading reported_utc",
)
"""One figure of one object of a distributed queue manager, as reported at one time, in its unit.
``figure`` and ``reading`` are those of ``mqcap.domain.distributed.qmgr_figure``. A value is of the
``step_seconds`` before ``reported_utc``; null: of the site's ``scrape_seconds``. ``object`` is a
queue, an instance of a channel or of Native HA, or empty; of a counter it is its identity. ``host``
is as the input spells it, or empty. The site comes from the settings when dates are aggregated."""

QMGR_ACCOUNTING: Final = _dataset(
    "qmgr_accounting",
    "qmgr string, connection_id string, application string, user string, channel string, "
    "connection string, queue string, interval_start_utc timestamp, interval_end_utc timestamp, "
    "put_count bigint, put_bytes bigint, file_sha256 string",
    key="qmgr connection_id application user channel connection queue interval_start_utc "
    "interval_end_utc",
)
"""One connection to a distributed queue manager, or one queue of it, in one interval. ``queue`` is
empty for what the connection put in all (MQI accounting). Texts are empty where the message states
none. The site comes from the settings, as for QMGR_SAMPLE."""

ZOS_SAMPLE: Final = _dataset(
    "zos_sample",
    "sysplex string, smfid string, qmgr string, object string, figure string, "
    "reported_utc timestamp, step_seconds double, value double, file_sha256 string",
    key="sysplex smfid qmgr object figure reported_utc",
)
"""One figure (``mqcap.domain.sampled.figures``) of one object of a queue manager on z/OS, as a
monitor sampled it, of the ``step_seconds`` before ``reported_utc``. ``object`` is a buffer pool
(``BP03``), a page set (``PS04``) or empty, as are names that the input does not state."""

ZTPF_SAMPLE: Final = _dataset(
    "ztpf_sample",
    "system string, queue string, figure string, reported_utc timestamp, step_seconds double, "
    "value double, file_sha256 string",
    key="system queue figure reported_utc",
)
"""One figure (``mqcap.domain.sampled.figures``) of one z/TPF system, or of a ``queue``, of the
``step_seconds`` before ``reported_utc``. The site comes from the settings, as for QMGR_SAMPLE."""

ZTPF_SWEEP: Final = _dataset(
    "ztpf_sweep",
    "system string, queue string, local_date string, local_time string, sequence int, "
    "file_sha256 string",
    key="system queue local_date local_time sequence",
)
"""One sweep of one queue of a z/TPF system, as the console reported its end. Date (``2026-07-09``)
and time of the day (``14.40.27``) are local, as the console has them."""

QMGR_SETTING: Final = _dataset(
    "qmgr_setting",
    "qmgr string, host string, from_utc timestamp, stanza string, key string, value string, "
    "file_sha256 string",
    key="qmgr from_utc stanza key",
)
"""One setting of a distributed queue manager, in force from the time of its capture. Stanza and key
are those of qm.ini in lower case."""

QMGR_EVENT: Final = _dataset(
    "qmgr_event",
    "qmgr string, host string, event_utc timestamp, message_id string, process string, "
    "inserts string, line_number bigint, file_sha256 string",
    key="qmgr event_utc message_id process inserts",
)
"""One message of the error log of a distributed queue manager. ``message_id`` is without the letter
of its severity; ``process`` is process and thread, or the sequence number of JSON, and empty in the
output of a container; ``inserts`` is their JSON."""

SITE_SAMPLE: Final = _dataset(
    "site_sample",
    "subject string, figure string, unit string, reported_utc timestamp, step_seconds double, "
    "value double, file_sha256 string",
    key="subject figure reported_utc",
)
"""One site figure of one subject, as reported at one time. ``figure`` is as the site names it;
``unit`` is empty where the file states none. A value is of the ``step_seconds`` before
``reported_utc``; null where the file has one value of the subject."""

METRIC_HOURLY: Final = _dataset(
    "metric_hourly",
    "metric string, subject string, series_id string, hour_utc timestamp, value double, "
    "peak double, peak_interval_start_utc timestamp, total double, covered_seconds double, "
    "interval_count bigint, hour_date date",
    key="series_id hour_utc",
)
"""One metric of one subject in one UTC hour; an hour not measured has no row. ``value`` is the mean
over the covered time, ``peak`` the busiest interval that touches the hour, ``total`` the counter's
sum in its base unit (bytes for log growth; null for gauges)."""

METRIC_INTERVAL: Final = _dataset(
    "metric_interval",
    "series_id string, interval_start_utc timestamp, interval_end_utc timestamp, level double, "
    "hour_date date",
    key="series_id interval_start_utc interval_end_utc",
)
"""One metric of one subject over one measured interval, as the records give it. ``level`` is the
value over the interval in the metric's unit; ``hour_date`` the UTC date of the start. Hours are
made of the same rows; intervals are kept for shorter than those."""

METRIC_PART: Final = _dataset(
    "metric_part",
    "metric string, subject string, site_date date, breakdown string, kind string, part string, "
    "value double, covered_seconds double, hour_date date",
    key="metric subject site_date breakdown kind part",
)
"""One part of a metric of one subject on one site date, in its unit, as a mean over
``covered_seconds``, the measured time of the metric. ``breakdown`` and ``kind`` are those of
``mqcap.domain.attribution``; the row of kind ``whole`` has neither. An interval belongs to the site
date and the UTC date (``hour_date``) on which it begins, so that a site date may have two rows. Of
each partition the largest parts of a breakdown have rows (``attribution.parts_per_day``), the
others one of kind ``other``. The parts of ``private_queue_messages_per_s`` are the highest rates of
the day, without a whole."""

SOURCE_PAIR: Final = _dataset(
    "source_pair",
    "pair string, subject string, site_date date, first double, second double, "
    "covered_seconds double, hour_date date",
    key="pair subject site_date",
)
"""One figure of one subject on one site date, as two sources have it (``pair``, see
``mqcap.domain.attribution``): sums over the hours in which both have records, ``covered_seconds``
in all. Divided by it they are in the unit of the pair."""

FEED_INTERVAL: Final = _dataset(
    "feed_interval",
    "kind string, subject string, smfid string, interval_start_utc timestamp, "
    "interval_end_utc timestamp, mq_level string, utc_offset_minutes int, hour_date date",
    key="kind subject smfid interval_start_utc interval_end_utc mq_level",
)
"""One interval that one system has reported for one feed (mqcap.domain.feed). ``hour_date`` is the
UTC date of the start. ``smfid`` is empty where a printed report names no system. ``mq_level`` is
the version of MQ that the record states; null where it states none, and for facilities.
``utc_offset_minutes`` is how far the clock of the system was ahead of UTC; null where the record
has none, and in print, which has local times only."""

TRAINING: Final = _dataset(
    "training",
    "series_id string, statistic string, site_date date, value double, ceiling double, "
    "country string, series_number int, calendar string, known_changes string, cutoff_date date",
    key="series_id statistic site_date",
)
"""One daily value of one series, as known on the cutoff date. ``series_number`` counts series and
statistics from 0 in key order; rows are sorted by it, so that a series is one stretch of the file.
``calendar`` is the JSON of the site's own calendar, ``known_changes`` the days of its known changes
joined by commas; both null for none. Where the site names a business driver, ``driver`` is its
JSON, in a statistic's first row."""

FORECAST_RESULT: Final = _dataset(
    "forecast_result",
    "series_id string, statistic string, document string, model string, cutoff_date date",
    key="series_id statistic",
)
"""One forecast of one series as a JSON document (mqcap.domain.forecast.Forecast). ``model`` is the
leading model as Prophet's JSON; null where another model made the forecast."""

HOLD_OUT_TRAINING: Final = replace(TRAINING, name="hold_out_training")
"""The same of rolling origins, while their forecasts are not made."""

HOLD_OUT_RESULT: Final = replace(FORECAST_RESULT, name="hold_out_result")
"""The same of rolling origins, until their crossings are stored."""
