"""Everything in the sample data that has an expected result, compared and counted.

``python -m tests.spark_apps.expected`` (``make compare``) prints one line per comparison: fields
compared and mismatches. Decoded rows are compared with the values that were written and with the
CSV of IBM's formatter; figures with those derived from the written values, by the metrics of the
aggregation where there is one, else by the formula over decoded rows.
"""

import gzip
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from mqcap.domain.estate import Estate
from mqcap.lake.landed_places import LandedFile
from spark_apps.decode_file import DecodeOptions, decode_file
from spark_apps.digests import placement
from spark_apps.measure import Aggregation, columns_read, every_interval
from spark_apps.read import read_sections
from tests.mqcap.ingest.compared import Comparison, comparisons, whole
from tests.mqcap.ingest.reading import read_all
from tests.shared import shared_dir
from tests.spark_apps.lakes import RECEIVED, land

FIGURES: Final = {
    "mini.rdw.smf": "mini.metrics.json",
    "mini_cf.rdw.smf": "mini_cf.metrics.json",
    "sample_3d.rdw.smf.gz": "sample_3d.metrics.json.gz",
}
TOLERANCE: Final = 0.00006
"""Expected figures have four digits; those of tasks three."""
TASK_TOLERANCE: Final = 0.0006
OF_CHANNELS: Final = {
    "active_channels_peak": "channels_active_count",
    "active_channels_max": "channels_active_limit_count",
    "current_channels_peak": "channels_current_count",
    "current_channels_max": "channels_current_limit_count",
    "chinit_31bit_used_mb": "chinit_31bit_used_mib",
    "chinit_64bit_used_mb": "chinit_64bit_used_mib",
    "chinit_64bit_used_pct": "chinit_64bit_used_pct",
}

Levels = Mapping[tuple[str, str, datetime], float]
Rows = Mapping[tuple[str, str, datetime], list[dict[str, Any]]]
Pair = tuple[str, Any, Any]


def folder() -> Path | None:
    """The sample dumps, if they are at hand."""
    shared = shared_dir()
    return None if shared is None else shared / "data" / "smf"


@dataclass
class Figures:
    """The figures of one dump: metrics of the aggregation, and decoded rows for the rest."""

    levels: Levels
    rows: Rows
    compared: int = 0
    mismatches: list[str] = field(default_factory=list)

    def level(self, metric: str, subject: str, start: datetime) -> float | None:
        """What the aggregation says; subjects are given without their sysplex."""
        return self.levels.get((metric, subject, start))

    def check(self, expected: Mapping[str, Any]) -> Comparison:
        """Compare all figures of one file."""
        for kind, pairs in (("mq", self._queue_manager), ("cf", self._facility)):
            for stated in expected[kind]:
                start = datetime.fromisoformat(stated["start_utc"]).astimezone(UTC)
                for name, result, wanted in pairs(stated, start):
                    self.compared += 1
                    limit = TASK_TOLERANCE if name.startswith("qct") else TOLERANCE
                    if result is None or abs(result - wanted) > limit:
                        whose = stated.get("qmgr", stated.get("cf"))
                        self.mismatches.append(f"{whose} {start} {name}: {result}, not {wanted}")
        return Comparison(self.compared, self.mismatches)

    def _queue_manager(self, stated: Mapping[str, Any], start: datetime) -> Iterator[Pair]:
        qmgr = stated["qmgr"]
        growth = self.level("log_growth_mib_per_s", qmgr, start)
        yield "log growth", _times(growth, 3600), stated["log_growth_mb_per_hour"]
        for pool, lowest in stated["bufferpool_lowest_stealable_pct"].items():
            used = self.level("buffer_pool_used_pct", f"{qmgr}/BP{int(pool):02d}", start)
            yield f"pool {pool}", None if used is None else 100 - used, lowest
        for name, metric in OF_CHANNELS.items():
            if name in stated:
                yield name, self.level(metric, f"{qmgr}/CHINIT", start), stated[name]
        yield from self._log(stated, start)
        yield from self._tasks(stated, start)

    def _log(self, stated: Mapping[str, Any], start: datetime) -> Iterator[Pair]:
        """Physical writes: section 4 of the record description."""
        (row,) = self.rows["section_qjst", stated["qmgr"], start]
        per_hour = 4096 / 2**20 / stated["hours"]
        yield "written", row["qjstciwr"] * per_hour, stated["log_written_mb_per_hour_all_copies"]
        copy = sum(row[f"qjstio_0_qjstiotype_{kind}_qjstioci"] for kind in (0, 1))
        yield "copy 1", copy * per_hour, stated["log_written_mb_per_hour_copy1"]
        second = sum(row[f"qjstio_1_qjstiotype_{kind}_qjstioci"] for kind in (0, 1))
        yield "dual", second > 0, stated["dual_logging"]
        for number in (1, 2):
            yield "switches", row[f"qjstcp{number}n"], stated[f"log_switches_copy{number}"]

    def _tasks(self, stated: Mapping[str, Any], start: datetime) -> Iterator[Pair]:
        for name in ("qctdsp", "qctadp", "qctssl"):
            rows = self.rows.get((f"section_{name}", stated["qmgr"], start), [])
            busy = [100 * row["qcteltm"] / (row["qcteltm"] + row["qctwttm"]) for row in rows]
            wanted = stated.get(f"{name}_busy_pct", [])
            yield f"{name} tasks", len(busy), len(wanted)
            yield from (
                (f"{name} busy", computed, other)
                for computed, other in zip(busy, wanted, strict=True)
            )

    def _facility(self, stated: Mapping[str, Any], start: datetime) -> Iterator[Pair]:
        cf = stated["cf"]
        yield "busy", self.level("cf_busy_pct", cf, start), stated["busy_pct"]
        yield "engines", self.level("cf_engine_count", cf, start), stated["logical_processors"]
        yield "storage", self.level("cf_storage_used_pct", cf, start), stated["storage_used_pct"]
        engines = self.rows["section_r744p", cf, start]
        once = [row for row in engines if row["smfid"] == engines[0]["smfid"]]
        used = sum(row["r744pbsy"] + row["r744pwai"] for row in once)
        yield "effective", used / once[0]["interval_seconds"] / 1e6, stated["effective_processors"]
        for name, structure in stated["structures"].items():
            yield from self._structure(f"{cf}/{name}", structure, start)

    def _structure(self, path: str, stated: Mapping[str, Any], start: datetime) -> Iterator[Pair]:
        cf, _, name = path.partition("/")
        entries = self.level("structure_entries_used_pct", path, start)
        yield f"{name} entries", entries, stated["entries_pct"]
        yield f"{name} size", self.level("structure_size_mib", path, start), stated["size_mb"]
        rows = [row for row in self.rows["section_r744s", cf, start] if row["r744snam"] == name]
        per_s = self.level("structure_requests_per_s", path, start)
        requests = _times(per_s, rows[0]["interval_seconds"])
        yield f"{name} requests", requests, stated["sync"] + stated["async"]
        fields = {"sync": "ssrc", "async": "sarc", "sync_us": "sstm", "async_us": "satm"}
        for figure, column in fields.items():
            total = sum(row[f"r744{column}"] for row in rows)
            yield f"{name} {figure}", total, stated[figure]


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def levels_of(lake: Path, dumps: list[Path]) -> dict[Any, float]:
    """Every metric of the dumps by name, subject (without sysplex) and interval start."""
    manifests = []
    for path in land(lake, dumps):
        sha256 = path.name.partition(".")[0]
        landed = LandedFile(path=path, sha256=sha256, received_date=RECEIVED, bytes_count=1)
        manifests.append(decode_file(landed, DecodeOptions(lake, 0.0)))
    dates = sorted({day for manifest in manifests for day in manifest.hour_dates})
    place = placement(Estate(), manifests)
    of = Aggregation(lake, {}, tuple(manifests), place, dates[0])
    files = of.files(dates)
    sections = read_sections(files, place, columns_read())
    return {
        (row["metric"], row["subject"].partition("/")[2], row["interval_start_utc"]): row["level"]
        for row in every_interval(sections, files).iter_rows(named=True)
    }


def rows_of(tables: Mapping[str, pa.Table]) -> Rows:
    """Decoded rows by dataset, queue manager or facility, and interval start."""
    result: dict[tuple[str, str, datetime], list[dict[str, Any]]] = defaultdict(list)
    for dataset in ("section_qjst", "section_qctdsp", "section_qctadp", "section_qctssl",
                    "section_r744p", "section_r744s"):  # fmt: skip
        for row in tables[dataset].to_pylist() if dataset in tables else ():
            subject = row.get("qmgr", row.get("cf"))
            result[dataset, subject, row["interval_start_utc"]].append(row)
    return result


def figures(lake: Path) -> Iterator[tuple[str, Comparison]]:
    """Every file of expected figures with what was compared."""
    samples = folder()
    dumps = [] if samples is None else [samples / name for name in FIGURES]
    levels = levels_of(lake, dumps) if dumps else {}
    for dump in dumps:
        path = dump.parent / "expected" / FIGURES[dump.name]
        raw = path.read_bytes()
        expected = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
        yield path.name, Figures(levels, rows_of(read_all(dump).tables)).check(expected)


def main() -> int:
    """Print all comparisons and their sum; 1 when anything differs."""
    result = [*comparisons()]
    with tempfile.TemporaryDirectory() as lake:
        result.extend(figures(Path(lake)))
    for name, compared in [*result, ("together", whole(result))]:
        wrong = len(compared.mismatches)
        sys.stdout.write(f"{name:60} {compared.fields:>10,} compared {wrong:>6,} differ\n")
        sys.stdout.writelines(f"    {text}\n" for text in compared.mismatches[:10])
    return 1 if whole(result).mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
