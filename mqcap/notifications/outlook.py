"""What an email says about the forecast behind a plan: a moved date, incomplete data."""

from __future__ import annotations

from typing import Final, NamedTuple

from mqcap.domain.forecast import Forecast


class MailOutlook(NamedTuple):
    """Clauses about a problem's forecast, besides its finding; mostly empty."""

    moved: str = ""
    """Move of the date since the last notification, and its reason."""
    data_note: str = ""
    """That the forecast rests on incomplete data."""


NO_OUTLOOK: Final = MailOutlook()


def data_note_of(forecast: Forecast | None) -> str:
    """Return that a forecast rests on incomplete data; empty without such and without it."""
    if forecast is None or not forecast.data_note:
        return ""
    return f"forecast on incomplete data: {forecast.data_note.rstrip('.')}"
