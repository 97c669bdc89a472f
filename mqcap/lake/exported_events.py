"""Events of the lake for programs of the site: recognised messages, each once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import pyarrow.dataset as pds

from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_EVENT
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.lake.layout import rows_paths
from mqcap.lake.readers import as_utc

EVENT_COLUMNS: Final = ("subject", "time_utc", "id")


class ExportedEvent(NamedTuple):
    """One message of one queue manager."""

    subject: str
    at_utc: datetime
    id: str
    """Of the message; a letter of the severity is part of it on z/OS."""

    def row(self) -> Mapping[str, str]:
        """Return the event under the names of EVENT_COLUMNS; the time to the millisecond."""
        time = self.at_utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {"subject": self.subject, "time_utc": time, "id": self.id}


def exported_events(lake: Path, estate: Estate) -> Iterator[ExportedEvent]:
    """Yield the messages of queue managers that the estate places, by subject and time.

    A message that several files hold comes once.
    """
    sites = {name: sites[0] for name, sites in estate.sites_of_qmgrs().items() if len(sites) == 1}
    of_consoles = set(_console_events(lake, estate.sysplex_by_smfid()))
    yield from sorted([*of_consoles, *_qmgr_events(lake, sites)])


def _console_events(lake: Path, sysplexes: Mapping[str, str]) -> Iterator[ExportedEvent]:
    paths = [str(path) for path in rows_paths(lake, CONSOLE_EVENT.name)]
    if not paths:
        return
    columns = ["smfid", "qmgr", "event_utc", "message_id"]
    for batch in pds.dataset(paths, format="parquet").to_batches(columns=columns):
        for row in batch.to_pylist():
            if row["smfid"] in sysplexes and row["qmgr"]:
                subject = SERIES_SEPARATOR.join((sysplexes[row["smfid"]], row["qmgr"]))
                yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _qmgr_events(lake: Path, sites: Mapping[str, str]) -> Iterator[ExportedEvent]:
    paths = [str(path) for path in rows_paths(lake, QMGR_EVENT.name)]
    if not paths:
        return
    seen = set()
    for batch in pds.dataset(paths, format="parquet").to_batches(columns=list(QMGR_EVENT.key)):
        for row in batch.to_pylist():
            key = tuple(row.values())
            if row["qmgr"] in sites and key not in seen:
                seen.add(key)
                subject = subject_of(sites[row["qmgr"]], row["qmgr"])
                yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])
