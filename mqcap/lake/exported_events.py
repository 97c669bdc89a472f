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
from mqcap.lake.file_roots import roots_of_files
from mqcap.lake.layout import rows_paths
from mqcap.lake.manifest import manifests
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
    roots = roots_of_files(estate, manifests(lake), frozenset())
    of_consoles = set(_console_events(lake, estate, roots))
    yield from sorted([*of_consoles, *_qmgr_events(lake, estate, roots)])


def _console_events(
    lake: Path, estate: Estate, roots: Mapping[str, str]
) -> Iterator[ExportedEvent]:
    by_smfid = estate.sysplex_by_smfid()
    plexes = {plex.sysplex for plex in estate.sysplexes}
    paths = [str(path) for path in rows_paths(lake, CONSOLE_EVENT.name)]
    if not paths:
        return
    columns = ["smfid", "qmgr", "event_utc", "message_id", "file_sha256"]
    for batch in pds.dataset(paths, format="parquet").to_batches(columns=columns):
        for row in batch.to_pylist():
            root = roots.get(row["file_sha256"], "")
            sysplex = root if root in plexes else by_smfid.get(row["smfid"])
            if sysplex and row["qmgr"]:
                subject = SERIES_SEPARATOR.join((sysplex, row["qmgr"]))
                yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _qmgr_events(lake: Path, estate: Estate, roots: Mapping[str, str]) -> Iterator[ExportedEvent]:
    listed = estate.sites_of_qmgrs()
    sites = {place.site for place in estate.places}
    paths = [str(path) for path in rows_paths(lake, QMGR_EVENT.name)]
    if not paths:
        return
    seen = set()
    columns = [*QMGR_EVENT.key, "file_sha256"]
    for batch in pds.dataset(paths, format="parquet").to_batches(columns=columns):
        for row in batch.to_pylist():
            root = roots.get(row.pop("file_sha256"), "")
            of_qmgr = listed.get(row["qmgr"], ())
            found = [site for site in of_qmgr if root not in sites or site == root]
            key = (*found, *row.values())
            if len(found) == 1 and key not in seen:
                seen.add(key)
                subject = subject_of(found[0], row["qmgr"])
                yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])
