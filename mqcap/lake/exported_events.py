"""Events of the lake for programs of the site: recognised messages, each once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_EVENT
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.names.columns import Columns, text
from mqcap.lake.file_roots import roots_of_files
from mqcap.lake.layout import rows_paths
from mqcap.lake.location import Location
from mqcap.lake.manifest import manifests
from mqcap.lake.readers import as_utc
from mqcap.lake.tables import shown_batches

EVENT_COLUMNS: Final[Columns] = {
    "subject": text("queue manager, such as PLEX1/CSQ1"),
    "time_utc": text("time of the message in UTC, ISO 8601 to the millisecond"),
    "id": text("id of the message, such as CSQJ110E"),
}


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


def exported_events(lake: Location, estate: Estate) -> Iterator[ExportedEvent]:
    """Yield the messages of queue managers that the estate places, by subject and time.

    A message that several files hold comes once.
    """
    roots = roots_of_files(estate, manifests(lake), frozenset())
    of_consoles = set(_console_events(lake, estate, roots))
    yield from sorted([*of_consoles, *_qmgr_events(lake, estate, roots)])


def _console_events(
    lake: Location, estate: Estate, roots: Mapping[str, str]
) -> Iterator[ExportedEvent]:
    by_smfid = estate.sysplex_by_smfid()
    plexes = {plex.sysplex for plex in estate.sysplexes}
    columns = ["smfid", "qmgr", "event_utc", "message_id", "file_sha256"]
    for row in _each_row(rows_paths(lake, CONSOLE_EVENT.name), columns):
        root = roots.get(row["file_sha256"], "")
        sysplex = root if root in plexes else by_smfid.get(row["smfid"])
        if sysplex and row["qmgr"]:
            subject = SERIES_SEPARATOR.join((sysplex, row["qmgr"]))
            yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _qmgr_events(
    lake: Location, estate: Estate, roots: Mapping[str, str]
) -> Iterator[ExportedEvent]:
    listed = estate.sites_of_qmgrs()
    sites = {place.site for place in estate.places}
    seen = set()
    for row in _each_row(rows_paths(lake, QMGR_EVENT.name), [*QMGR_EVENT.key, "file_sha256"]):
        root = roots.get(row.pop("file_sha256"), "")
        of_qmgr = listed.get(row["qmgr"], ())
        found = [site for site in of_qmgr if root not in sites or site == root]
        key = (*found, *row.values())
        if len(found) == 1 and key not in seen:
            seen.add(key)
            subject = subject_of(found[0], row["qmgr"])
            yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _each_row(paths: Sequence[Location], columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield columns of every row of some files; empty without any file."""
    if not paths:
        return
    for batch in shown_batches(paths, columns):
        yield from batch.to_pylist()
