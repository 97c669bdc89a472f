"""The growth of a series is found by metric and subject, or near names are proposed."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.attribution import PartKind
from mqcap.domain.errors import ConfigurationError
from mqcap.queries.why import (
    as_document,
    begin_of_month_before,
    growth_if_known,
    growth_of_series,
)
from mqcap.settings.analysis import AttributionSettings
from tests.mqcap.lake.parts import (
    CSQ1,
    FIRST,
    LAST,
    METRIC,
    growing_log,
    growing_part,
    row,
    write_parts,
)


def test_by_default_the_span_begins_with_the_month_before(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("subject", ["CSQ1", "csq1", "plex1/csq1", "PLEX1"])
def test_a_part_of_the_path_is_enough_where_one_subject_has_it(
    tmp_path: Path, subject: str
) -> None:
    growing_log(tmp_path)
    assert growth_of_series(tmp_path, METRIC, subject).subject == CSQ1


def test_the_cost_of_a_channel_is_asked_for_the_subject_that_was_found(tmp_path: Path) -> None:
    metric, chinit = "chinit_31bit_used_mib", f"{CSQ1}/CHINIT"
    growing_part(tmp_path, metric, chinit, "A.TO.B", "channel", rest=0.0)
    asked: list[tuple[str, str]] = []

    def cost_of(of: str, subject: str, _day: date) -> None:
        asked.append((of, subject))

    growth = growth_of_series(tmp_path, "chinit_31bit_used_pct", "csq1", cost_of=cost_of)
    assert growth.subject == chinit
    assert asked == [(metric, chinit)]


@pytest.mark.parametrize(
    ("since", "last", "by", "words"),
    [
        (date(2026, 10, 30), date(2026, 10, 30), None, "the span has no length"),
        (date(2025, 1, 1), date(2025, 1, 9), None, "no subject has parts"),
        (FIRST, LAST, PartKind.user, "no parts by user at both ends.*--by queue or application"),
        (LAST - timedelta(days=7), LAST + timedelta(days=9), None, None),
        (LAST - timedelta(days=6), LAST, None, "no answer yet.*Ask again after 31 Oct 2026"),
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
    span: dict[str, Any] = {"since": FIRST, "last": LAST}
    assert growth_if_known(tmp_path, METRIC, CSQ1, **span) is None


@pytest.mark.parametrize("days_before", [0, 1, 40])
def test_where_the_first_days_were_not_measured_the_span_begins_later(
    tmp_path: Path, days_before: int
) -> None:
    growing_log(tmp_path)
    since = FIRST - timedelta(days=days_before)
    growth = growth_if_known(tmp_path, METRIC, CSQ1, since=since, last=LAST)
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


def test_a_figure_that_hardly_changed_has_no_shares_by_the_setting_of_the_site(
    tmp_path: Path,
) -> None:
    growing_log(tmp_path)
    for least, share in ((20.0, 100.0), (20.1, None)):
        settings = AttributionSettings(least_growth_pct=least)
        [first, *_] = growth_of_series(tmp_path, METRIC, CSQ1, settings=settings).attribution.parts
        assert first.share_of_growth_pct == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize("last", [date(2026, 11, 30), date(2026, 12, 1), date(2026, 10, 30)])
def test_command_page_and_mail_have_the_same_span(tmp_path: Path, last: date) -> None:
    """Also where the newest UTC date of the lake is in another month than the last site date."""
    growing_log(tmp_path, last=last)
    later = last + timedelta(days=1)
    write_parts(tmp_path, [row(last, hour_date=later, value=0.0, covered_seconds=0.0)])
    shown = growth_if_known(tmp_path, METRIC, CSQ1, since=begin_of_month_before(last), last=last)
    assert growth_of_series(tmp_path, METRIC, CSQ1) == shown
