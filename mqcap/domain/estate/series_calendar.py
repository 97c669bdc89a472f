"""Calendar of a series from the estate: holidays, business days, known changes."""

from collections.abc import Sequence
from datetime import date

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.calendar import SiteCalendar
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import split_series_id


def estate_facts(
    estate: Sequence[Sysplex | Place], identity: str, day: date
) -> dict[str, str | None]:
    """Return country, calendar and known changes up to ``day`` for a series.

    They are those of its sysplex or place. The calendar is JSON, the changes are ISO dates joined
    by commas; each is ``None`` where the estate has none.
    """
    subject = split_series_id(identity)[1]
    plex = next((part for part in estate if part.root == subject.sysplex), None)
    if plex is None:
        return {"country": None, "calendar": None, "known_changes": None}
    changes = sorted(
        {
            change.day
            for change in plex.known_changes
            if change.day <= day and change.concerns(subject)
        }
    )
    own = plex.calendar != SiteCalendar()
    return {
        "country": plex.holidays,
        "calendar": plex.calendar.model_dump_json() if own else None,
        "known_changes": ",".join(change.isoformat() for change in changes) or None,
    }
