"""Registry of report sections: modules of ``mqcap.reports.sections`` declare them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from mqcap.domain.discovery import load_all
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.plan import LossPlan, Plan
from mqcap.domain.problem import Acknowledgement
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.reports import sections
from mqcap.reports.document import ReportKind, Section
from mqcap.settings import Settings
from mqcap.store.database import Store

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
    acknowledged: Mapping[str, Acknowledgement] = MappingProxyType({})
    """By resource, of the plans."""
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
