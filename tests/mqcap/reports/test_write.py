"""Reports as files: their names, their formats, and the days on which they are due."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.write import MEDIA_TYPES, as_bytes, due_kinds, write_reports
from tests.factories import DAY, finding
from tests.mqcap.reports.builders import basis, report

STARTS = {
    ReportFormat.html: b"<!doctype html>",
    ReportFormat.pdf: b"%PDF-",
    ReportFormat.xlsx: b"PK",
}


@pytest.mark.parametrize("form", ReportFormat)
def test_each_format_has_its_bytes_and_its_media_type(form: ReportFormat) -> None:
    assert as_bytes(report(), form).startswith(STARTS[form])
    assert form in MEDIA_TYPES


@pytest.mark.thorough
def test_files_are_written_by_kind_and_format_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "reports"
    with basis(tmp_path, [finding()]) as made:
        kinds, formats = [ReportKind.daily, ReportKind.weekly], [ReportFormat.html]
        files = write_reports(made.settings, made.engine, DAY, kinds, folder, formats)
        again = write_reports(made.settings, made.engine, DAY, kinds, tmp_path / "b", formats)
    assert [file.name for file in files] == [
        "mqcap-daily-2026-03-02.html", "mqcap-weekly-2026-03-02.html",
    ]  # fmt: skip
    assert sorted(folder.iterdir()) == sorted(files)
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in again]


def test_a_day_without_findings_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    with (
        basis(tmp_path) as made,
        pytest.raises(ConfigurationError, match="no rules were"),
    ):
        write_reports(made.settings, made.engine, DAY, [ReportKind.daily], folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("day", "kinds"),
    [
        (date(2026, 3, 2), ["daily"]),
        (date(2026, 3, 1), ["daily", "weekly"]),
        (date(2026, 3, 31), ["daily", "monthly"]),
        (date(2026, 5, 31), ["daily", "weekly", "monthly"]),
        (date(2028, 2, 28), ["daily"]),
        (date(2028, 2, 29), ["daily", "monthly"]),
        (date(2026, 12, 31), ["daily", "monthly"]),
    ],
)
def test_reports_are_due_by_the_calendar(day: date, kinds: list[str]) -> None:
    assert [str(kind) for kind in due_kinds(day)] == kinds
