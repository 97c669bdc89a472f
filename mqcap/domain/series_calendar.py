"""What the estate says about the days of a series: holidays, business calendar, known changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mqcap.domain.calendar import SiteCalendar
from mqcap.domain.estate import Sysplex
from mqcap.domain.metric import split_series_id, sysplex_of


def estate_facts(estate: Sequence[Sysplex], identity: str, day: date) -> dict[str, str | None]:
    """What the estate says about the days of one series; changes after ``day`` are not known."""
    subject = split_series_id(identity)[1]
    plex = next((one for one in estate if one.sysplex == sysplex_of(subject)), None)
    if plex is None:
        return {"country": None, "calendar": None, "known_changes": None}
    changes = sorted(
        {one.day for one in plex.known_changes if one.day <= day and one.concerns(subject)}
    )
    own = plex.calendar != SiteCalendar()
    return {
        "country": plex.holidays,
        "calendar": plex.calendar.model_dump_json() if own else None,
        "known_changes": ",".join(one.isoformat() for one in changes) or None,
    }
