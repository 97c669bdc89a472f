"""The growth of a series is found by metric and subject, or near names are proposed."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.attribution import PartKind
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation.why import as_document, growth_if_known, growth_of_series
from tests.mqcap.lake.parts import CSQ1, FIRST, LAST, METRIC, growing_log, growing_part


def test_by_default_the_span_is_the_last_30_days_with_parts(tmp_path: Path) -> None:
    growing_log(tmp_path)
    growth = growth_of_series(tmp_path, METRIC, CSQ1)
    assert growth.unit == "MiB/s"
    assert growth.attribution.then_days.first == FIRST
    assert growth.attribution.now_days.last == LAST


@pytest.mark.parametrize("storage", ["31bit", "64bit"])
def test_a_percentage_has_the_parts_of_what_is_measured(tmp_path: Path, storage: str) -> None:
    used, chinit = f"chinit_{storage}_used_mib", f"{CSQ1}/CHINIT"
    growing_part(tmp_path, used, chinit, "A.TO.B", "channel", rest=80.0)
    growth = growth_of_series(tmp_path, f"chinit_{storage}_used_pct", chinit)
    assert (growth.metric, growth.unit) == (used, "MiB")


@pytest.mark.parametrize(
    ("metric", "subject", "records"),
    [
        ("structure_elements_used_pct", "PLEX1/CF01/QSG1APPL1", "115.216"),
        ("chinit_64bit_used_pct", f"{CSQ1}/CHINIT", "116.10"),
        ("log_growth_mib_per_s", "PLEX1/CSQ9", "116 class 3"),
    ],
)
def test_where_records_are_missing_they_are_named(
    tmp_path: Path, metric: str, subject: str, records: str
) -> None:
    growing_log(tmp_path)
    with pytest.raises(ConfigurationError, match=f"found {subject}.*{records}") as error:
        growth_of_series(tmp_path, metric, subject)
    assert "a subject without these has none" in error.value.remedy


@pytest.mark.parametrize(
    ("metric", "subject", "expected"),
    [
        ("log_growth", CSQ1, f"expected {METRIC}"),
        ("lgo_growth_mib_per_s", CSQ1, f"expected {METRIC}"),
        ("nothing_of_the_kind", CSQ1, f"expected {METRIC}"),
        (METRIC, "CSQ1", f"expected {CSQ1}"),
        (METRIC, "PLEX1/CSQ7", f"expected {CSQ1}"),
        (METRIC, "plex1/csq1", f"expected {CSQ1}"),
    ],
)
def test_near_names_are_proposed(tmp_path: Path, metric: str, subject: str, expected: str) -> None:
    growing_log(tmp_path)
    with pytest.raises(ConfigurationError, match=expected):
        growth_of_series(tmp_path, metric, subject)


@pytest.mark.parametrize(
    ("since", "last", "by", "words"),
    [
        (date(2026, 10, 30), date(2026, 10, 30), None, "the span has no length"),
        (date(2025, 1, 1), date(2025, 1, 9), None, "no such|no parts"),
        (FIRST, LAST, PartKind.user, "no parts by user at both ends"),
        (LAST - timedelta(days=1), LAST + timedelta(days=9), None, None),
    ],
)
def test_a_span_without_parts_is_an_error_with_a_hint(
    tmp_path: Path, since: date, last: date, by: PartKind | None, words: str | None
) -> None:
    growing_log(tmp_path)
    if words is None:
        assert growth_of_series(tmp_path, METRIC, CSQ1, since=since, last=last).unit == "MiB/s"
        return
    with pytest.raises(ConfigurationError, match=words):
        growth_of_series(tmp_path, METRIC, CSQ1, since=since, last=last, breakdown=by)


def test_an_empty_lake_says_how_parts_come_into_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="mqcap load"):
        growth_of_series(tmp_path, METRIC, CSQ1)
    span: dict[str, Any] = {"since": FIRST, "last": LAST, "window_days": 7}
    assert growth_if_known(tmp_path, METRIC, CSQ1, **span) is None


@pytest.mark.parametrize("days_before", [0, 1, 40])
def test_where_the_first_days_were_not_measured_the_span_begins_later(
    tmp_path: Path, days_before: int
) -> None:
    growing_log(tmp_path)
    since = FIRST - timedelta(days=days_before)
    growth = growth_if_known(tmp_path, METRIC, CSQ1, since=since, last=LAST, window_days=7)
    assert growth == growth_of_series(tmp_path, METRIC, CSQ1, since=since, last=LAST)


def test_the_document_has_parts_with_kind_now_then_and_share(tmp_path: Path) -> None:
    growing_log(tmp_path)
    document = as_document(growth_of_series(tmp_path, METRIC, CSQ1))
    assert document["breakdowns"] == ["queue", "application"]
    parts = document["parts"]
    assert isinstance(parts, list)
    assert set(parts[0]) == {"part", "kind", "now", "then", "share_of_growth_pct"}
    assert (parts[0]["part"], parts[0]["kind"]) == ("PAY.IN", "queue")
    assert parts[0]["share_of_growth_pct"] == pytest.approx(100)
