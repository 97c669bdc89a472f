"""Reports as files: bytes for the page, files in a folder for the command line and the DAG."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from mqcap.domain.atomic import write_bytes
from mqcap.progress.shown import work
from mqcap.reports.document import Report, ReportFormat, ReportKind
from mqcap.reports.make import make_report
from mqcap.settings import Settings
from mqcap.store.database import Store

MEDIA_TYPES: Final = {
    ReportFormat.html: "text/html; charset=utf-8",
    ReportFormat.pdf: "application/pdf",
    ReportFormat.xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_SUNDAY: Final = 6


def as_bytes(report: Report, form: ReportFormat) -> bytes:
    """Return the report as a file of one format; the same report gives the same bytes."""
    if form is ReportFormat.pdf:
        from mqcap.reports.pdf import as_pdf  # noqa: PLC0415 - a large library

        return as_pdf(report)
    if form is ReportFormat.xlsx:
        from mqcap.reports.xlsx import as_xlsx  # noqa: PLC0415 - as above

        return as_xlsx(report)
    from mqcap.reports.html import as_html  # noqa: PLC0415 - as above

    return as_html(report)


def write_reports(
    settings: Settings,
    engine: Store,
    day: date,
    kinds: Iterable[ReportKind],
    folder: Path,
    formats: Iterable[ReportFormat] = tuple(ReportFormat),
) -> list[Path]:
    """Write each kind in each format into a folder and return the files.

    Each file is written completely or not at all; the folder is made if it is missing.

    Raises:
        ConfigurationError: no rules were evaluated for that day.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    wanted, every = tuple(formats), tuple(kinds)
    with work("write reports", len(every) * len(wanted), "files") as shown:
        for kind in every:
            report = make_report(settings, engine, kind, day)
            for form in wanted:
                target = folder / f"{report.stem}.{form}"
                write_bytes(target, as_bytes(report, form))
                written.append(target)
                shown.advance()
    return written


def due_kinds(day: date) -> tuple[ReportKind, ...]:
    """Return the kinds due on a day: weekly on Sundays, monthly on the last day of a month."""
    kinds = [ReportKind.daily]
    if day.weekday() == _SUNDAY:
        kinds.append(ReportKind.weekly)
    if (day + timedelta(days=1)).day == 1:
        kinds.append(ReportKind.monthly)
    return tuple(kinds)
