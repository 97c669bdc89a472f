"""Section of the assumptions behind the plan: lead times, freezes, planned changes, forecasts."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from mqcap.domain.numbers import percent
from mqcap.reports.document import ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.settings import Settings


def assumptions(basis: ReportBasis) -> Section:
    """Return the assumptions in sentences, each with its "none" where nothing is configured."""
    forecast, alerts = basis.settings.forecast, basis.settings.alerts
    leads = (f"{rule} {days} days" for rule, days in sorted(alerts.lead_time_days.items()))
    freezes = [
        f"Freeze {freeze.name or 'of changes'}: {freeze.first} to {freeze.last}."
        for freeze in alerts.change_freezes
        if freeze.last >= basis.day
    ]
    planned = list(_planned(basis.settings, basis.day))
    refused = sum(forecast.refusal is not None for forecast in basis.forecasts.values())
    removed = sum(forecast.removed_count for forecast in basis.forecasts.values())
    return Section(
        is_detail=True,
        heading="Assumptions",
        sentences=(
            f"Lead times: {', '.join(leads) or 'none stated'}.",
            *(freezes or ["No change freeze is stated."]),
            *(planned or ["No change is planned in the estate."]),
            (
                f"Forecasts reach {forecast.horizon_days} days; the nominal coverage of their "
                f"prediction interval is {percent(forecast.interval_width)}."
            ),
            (
                f"{len(basis.forecasts)} forecasts, {refused} refused; {removed} days were left "
                "out as outliers or artefacts."
            ),
        ),
    )


def _planned(settings: Settings, day: date) -> Iterator[str]:
    """Yield the changes that the estate plans for days after the day."""
    for plex in settings.complete_estate().sysplexes:
        for qmgr in plex.qmgrs:
            for change in qmgr.planned:
                if change.first_day > day:
                    values = (f"{key} = {value}" for key, value in change.values().items())
                    note = f" ({change.note})" if change.note else ""
                    yield (
                        f"Planned: {plex.sysplex}/{qmgr.name} from {change.first_day}: "
                        f"{', '.join(values)}{note}."
                    )


SECTION: Final = SectionEntry(50, frozenset({ReportKind.monthly}), assumptions)
