"""Days of a series that its forecast leaves out, and where it finds a level shift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

import pandas as pd

from forecasting.history import History, history_of
from forecasting.prepare import clean, without_outages
from forecasting.sawtooth import sawtooth_of
from forecasting.specification import specification
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.series_calendar import estate_facts
from mqcap.domain.metric import Statistic
from mqcap.settings import Settings
from mqcap.store.models import Observation, SeriesFacts


def cleaning(
    settings: Settings,
    facts: SeriesFacts,
    statistic: Statistic,
    days: Sequence[Observation],
    day: date,
) -> Cleaned:
    """Return how a forecast made on ``day`` treats the measured days up to it.

    Computed from the days as they are in the store now; late data may have changed one since the
    forecast was made. Settings that no forecast can be made with leave nothing out.
    """
    calendar = estate_facts(settings.estate, facts.series_id, day)
    rows = pd.DataFrame(
        {
            "site_date": [day_facts.site_date for day_facts in days],
            "value": [float(getattr(day_facts, statistic)) for day_facts in days],
        }
    ).assign(**calendar)
    if rows.empty:
        return Cleaned()
    history = history_of(rows, facts.series_id, statistic, day, settings.forecast.lookback_days)
    try:
        return cleaned(history)
    except ConfigurationError:
        return Cleaned()


class LeftOut(StrEnum):
    """Reason for which a measured day is left out of the training."""

    outage = "outage"
    """Not above zero in a series that otherwise is: an outage or a counter that began anew."""
    spike = "spike"
    """Far from the weeks around it, single, and not at the same place of most months."""


@dataclass(frozen=True)
class Cleaned:
    """Days left out with their reasons, and first days after level shifts, each in order."""

    removed: tuple[tuple[date, LeftOut], ...] = ()
    shifts: tuple[date, ...] = ()
    known: frozenset[date] = frozenset()
    """Those of ``shifts`` that the estate declares in ``known_changes``."""


def cleaned(history: History) -> Cleaned:
    """Return how a forecast of this history treats its days; an empty one has nothing left out."""
    plain = without_outages(history)
    is_modelled = plain.observed_count and sawtooth_of(plain) is None
    kept = clean(history) if is_modelled else plain
    days = history.days.astype(object)
    removed = [
        (day, LeftOut.spike if is_seen else LeftOut.outage)
        for day, is_seen in zip(days[history.observed & ~kept.observed],
                                plain.observed[history.observed & ~kept.observed], strict=True)
    ]  # fmt: skip
    places = list(specification(kept, 0).regressors.shifts) if is_modelled else []
    shifts = tuple(days[places])
    return Cleaned(tuple(removed), shifts, frozenset(shifts) & frozenset(history.known_changes))
