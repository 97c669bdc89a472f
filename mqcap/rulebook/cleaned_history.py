"""Days of a series that its forecast leaves out, and where it finds a level shift."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pandas as pd

from forecasting.cleaned import Cleaned, cleaned
from forecasting.history import history_of
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
