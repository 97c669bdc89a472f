"""Builder of the manifest of a file of one system and one day."""

from datetime import UTC, date, datetime
from typing import Any

from mqcap.lake.manifest import Manifest

DAY = date(2025, 3, 10)
NEXT = date(2025, 3, 11)


def manifest(sha256: str = "a", **changed: Any) -> Manifest:
    """Return the manifest of a dump of SYS1 with log statistics of ``DAY``."""
    facts: dict[str, Any] = {
        "sha256": sha256,
        "source": "smf",
        "name": f"{sha256}.smf",
        "received_date": NEXT,
        "decoder_version": "1",
        "rows": {"section_qjst": 1},
        "first_interval_utc": datetime(2025, 3, 10, tzinfo=UTC),
        "last_interval_utc": datetime(2025, 3, 11, tzinfo=UTC),
        "hour_dates": (DAY,),
        "smfids": ("SYS1",),
    }
    return Manifest(**{**facts, **changed})
