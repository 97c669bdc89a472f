"""Reports: what they are made of, made from the store, written as files.

Every section is a constant of a module of ``mqcap.reports.sections``. Nothing depends on when or
where a report is made.
"""

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mqcap.domain.discovery import load_all
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.plan import LossPlan, Plan
from mqcap.files import write_bytes
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.losses.text.as_plan import one_of_each_loss, plans_of_losses
from mqcap.presentation import dates, display_units, labels
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_text import checks_words, count_words, incident_lines
from mqcap.progress.shown import tracked, work
from mqcap.queries.fleet import fleet_on
from mqcap.queries.summaries import acknowledged_resources, plan_summaries_on
from mqcap.reports import sections
from mqcap.reports.document import Cell, Column, Report, ReportFormat, ReportKind, Section
from mqcap.reports.pdf import as_pdf
from mqcap.reports.xlsx import as_xlsx
from mqcap.settings import Settings
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.step_runs import read_step_runs

Forecasts: TypeAlias = Mapping[tuple[str, Statistic], Forecast]
"""By series and statistic."""


class ReportBasis(NamedTuple):
    """Input of every section of one report."""

    settings: Settings
    engine: Store
    kind: ReportKind
    day: date
    lines: Sequence[FleetLine]
    """The findings of the day, most urgent first; of a loss the most urgent one."""
    forecasts: Forecasts
    """Forecasts of the series that have a limit; empty for the daily report, which shows none."""
    plans: Sequence[Plan] = ()
    """The plans of the day, most urgent first, those of acknowledged resources last."""
    losses: Sequence[LossPlan] = ()
    """What losses need; totals of plans leave it out."""
    rows: Sequence[PlanSummary] = ()
    """What is to be decided, most urgent first."""


class SectionEntry(NamedTuple):
    """Declaration of a section: a constant of its module."""

    order: int
    """Position in every report that has the section; lower ones come first."""
    kinds: frozenset[ReportKind]
    """The reports that have the section."""
    make: Callable[[ReportBasis], Section]
    of_sysplexes: bool = False
    """True for a section about what only sysplexes have."""


def sections_of(kind: ReportKind) -> list[SectionEntry]:
    """Return the sections of a kind of report in their order."""
    entries = [
        entry
        for module in load_all(sections)
        for entry in vars(module).values()
        if isinstance(entry, SectionEntry) and kind in entry.kinds
    ]
    return sorted(entries, key=lambda entry: entry.order)


TITLES: Final = {
    ReportKind.daily: "Daily report",
    ReportKind.weekly: "Weekly report",
    ReportKind.monthly: "Monthly capacity plan",
}


def make_report(settings: Settings, engine: Store, kind: ReportKind, day: date) -> Report:
    """Return the report about a day; ConfigurationError where no rules were evaluated for it."""
    losses = read_losses(engine, day)
    lines = one_of_each_loss(fleet_on(settings, engine, day), losses)
    if not lines:
        raise ConfigurationError(
            f"no report of {day}: no rules were evaluated for that day",
            remedy="Run the daily DAG for this day first, or name another day.",
        )
    labels.use_metric_labels(metric_catalogue(open_lake(settings.lake)))
    display_units.use_zones_of(settings)
    forecasts = {} if kind is ReportKind.daily else _forecasts(engine, day)
    plans = read_plans(engine, day)
    own = {plan.resource: (plan.reason.key,) for plan in plans}
    acknowledged = acknowledged_resources(engine, day, own)
    plans = sorted(plans, key=lambda plan: plan.resource in acknowledged)
    lost = plans_of_losses(losses)
    rows = plan_summaries_on(engine, day, settings)
    basis = ReportBasis(settings, engine, kind, day, lines, forecasts, plans, lost, rows)
    severities = Counter(line.finding.severity for line in lines)
    in_order = severities[Severity.ok] + severities[Severity.suggestion]
    checks = checks_words(in_order, severities[Severity.unknown])
    estate = settings.complete_estate()
    has_sysplexes = bool(estate.sysplexes) or not estate.places
    return Report(
        kind=kind,
        title=TITLES[kind],
        site=settings.site.name,
        day=day,
        lead=(count_words(rows), *incident_lines(rows), checks),
        sections=tuple(
            entry.make(basis)
            for entry in tracked(sections_of(kind), f"{kind} report", "sections")
            if has_sysplexes or not entry.of_sysplexes
        ),
        foot=_foot(basis),
    )


def _forecasts(engine: Store, day: date) -> Forecasts:
    """Return the forecasts of series that have a limit."""
    limited = {(crossing.series_id, crossing.statistic) for crossing in read_crossings(engine, day)}
    forecasts = {
        (forecast.series_id, forecast.statistic): forecast
        for forecast in read_forecasts(engine, day)
    }
    return {key: forecast for key, forecast in forecasts.items() if key in limited}


def _foot(basis: ReportBasis) -> tuple[str, ...]:
    plexes = [f"{root} in {zone}" for root, zone in basis.settings.zones().items()]
    runs = [run for run in read_step_runs(basis.engine, basis.day) if run.step == "size"]
    versions = [f"{key} {value}" for key, value in runs[-1].ran_with] if runs else []
    return (
        (
            "1 MB = 1 MiB = 1,048,576 bytes, as in MQ's own messages. Headroom is the share of the "
            "limit that is left; below zero the limit is passed."
        ),
        f"Days are calendar days: {', '.join(plexes) or 'see the settings'}.",
        f"Made from what was known on {dates.day_words(basis.day)}"
        + (f"; evaluated with {', '.join(versions)}." if versions else "."),
    )


MEDIA_TYPES: Final = {
    ReportFormat.html: "text/html; charset=utf-8",
    ReportFormat.pdf: "application/pdf",
    ReportFormat.xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_SUNDAY: Final = 6


def as_bytes(report: Report, form: ReportFormat) -> bytes:
    """Return the report as a file of one format; the same report gives the same bytes."""
    makers = {ReportFormat.html: as_html, ReportFormat.pdf: as_pdf, ReportFormat.xlsx: as_xlsx}
    return makers[form](report)


def write_reports(
    settings: Settings,
    engine: Store,
    day: date,
    kinds: Iterable[ReportKind],
    folder: Path,
    formats: Iterable[ReportFormat] = tuple(ReportFormat),
) -> list[Path]:
    """Write each kind in each format into a folder, made if it is missing, and return the files.

    Each is written completely or not at all; ConfigurationError where no rules were evaluated.
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


_NAME: Final = re.compile(r"[^\s<>&;]*\w[-/]\w[^\s<>&;]*")
"""Rules, subjects and compound words: a browser breaks lines after their hyphens and slashes."""
_WIDE: Final = 1.9
"""Share of the width from which a column holds sentences (ours)."""
_WIDER: Final = 2.5
"""The same for those that hold most of the text of a row (ours)."""
CACHED_TEXTS: Final = 4_096
"""Texts of cells that are kept: rules, units and days are those of many rows (ours)."""
TEMPLATES: Final = Path(__file__).with_name("templates")


def as_html(report: Report) -> bytes:
    """Return the file; the same report gives the same bytes."""
    text = _environment().get_template("report.html").render(report=report)
    return text.encode()


def _column_class(column: Column) -> str:
    """Return the classes of a column: to the right, and wide where it holds sentences."""
    wide = "" if column.right or column.width < _WIDE else "w3" if column.width > _WIDER else "w2"
    return " ".join(filter(None, ("r" if column.right else "", wide)))


@lru_cache(maxsize=CACHED_TEXTS)
def _whole_names(text: str) -> str:
    """Return escaped text whose names, such as PLEX1/CSQ2, and percentages stay on one line."""
    escaped = str(escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
    return _NAME.sub(lambda name: f'<span class="name">{name[0]}</span>', escaped)


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> Markup:
    """Return the cells of a row; made here, because a large site has tens of thousands of them."""
    return Markup("".join(map(_cell, row, columns)))  # noqa: S704 - each text is escaped


def _cell(cell: Cell, column: Column) -> str:
    if cell.png:
        address = f"data:image/png;base64,{base64.b64encode(cell.png).decode()}"
        return f'<td><img src="{address}" alt=""></td>'
    right = "r " if column.right else ""
    figure = "n " if cell.value is not None else ""
    severity = cell.severity.value if cell.severity else ""
    unit = f"\N{NO-BREAK SPACE}{escape(cell.unit)}" if cell.unit else ""
    note = f'<span class="note">{_whole_names(cell.note)}</span>' if cell.note else ""
    return f'<td class="{right}{figure}{severity}">{_whole_names(cell.text)}{unit}{note}</td>'


def html_environment(folder: Path) -> Environment:
    """Return the templates of a folder, with escaping always on."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _environment() -> Environment:
    environment = html_environment(TEMPLATES)
    environment.filters.update(day=dates.day_words, column_class=_column_class, cells=_cells)
    return environment
