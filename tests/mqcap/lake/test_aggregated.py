from __future__ import annotations

import os
from datetime import date
from pathlib import Path

from mqcap.lake.aggregated import (
    app_counts,
    metric_catalogue,
    source_digests,
    write_app_counts,
    write_metric_catalogue,
    write_source_digest,
)
from mqcap.lake.layout import metric_catalogue_path

LONG_AGO_NS = 1_700_000_000_000_000_000

DAY = date(2026, 3, 9)


def test_digests_are_kept_by_date(tmp_path: Path) -> None:
    assert source_digests(tmp_path) == {}
    write_source_digest(tmp_path, DAY, "first")
    write_source_digest(tmp_path, date(2026, 3, 8), "other")
    write_source_digest(tmp_path, DAY, "second")
    assert source_digests(tmp_path) == {date(2026, 3, 8): "other", DAY: "second"}


def test_an_unfinished_digest_is_not_read(tmp_path: Path) -> None:
    write_source_digest(tmp_path, DAY, "first")
    (tmp_path / "metric_sources" / ".hour_date=2026-03-10.json.17").write_text("{", "utf-8")
    assert source_digests(tmp_path) == {DAY: "first"}


def test_the_catalogue_is_empty_before_the_first_aggregation(tmp_path: Path) -> None:
    assert metric_catalogue(tmp_path) == []
    write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct", "unit": "%"}])
    assert metric_catalogue(tmp_path) == [{"name": "cf_busy_pct", "unit": "%"}]


def test_the_file_of_an_unchanged_catalogue_is_not_written_again(tmp_path: Path) -> None:
    written = []
    for unit in ("%", "%", "MiB", "MiB"):
        write_metric_catalogue(tmp_path, [{"name": "cf_busy_pct", "unit": unit}])
        file = metric_catalogue_path(tmp_path)
        written.append(file.stat().st_mtime_ns != LONG_AGO_NS)
        os.utime(file, ns=(LONG_AGO_NS, LONG_AGO_NS))
    assert written == [True, False, True, False]


def test_counts_are_those_of_the_app_and_the_day_asked_for(tmp_path: Path) -> None:
    assert app_counts(tmp_path, "forecast", DAY) == {}
    write_app_counts(tmp_path, "forecast", DAY, {"series": 3})
    assert app_counts(tmp_path, "forecast", DAY) == {"series": 3}
    assert app_counts(tmp_path, "forecast", date(2026, 3, 10)) == {}
    assert app_counts(tmp_path, "decode", DAY) == {}


def test_counts_may_be_of_no_day(tmp_path: Path) -> None:
    write_app_counts(tmp_path, "decode", None, {"files": 1})
    assert app_counts(tmp_path, "decode", None) == {"files": 1}
    assert app_counts(tmp_path, "decode", DAY) == {}
