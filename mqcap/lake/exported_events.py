"""Events of the lake for programs of the site: recognised messages, each once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import pyarrow.compute as pc

from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_EVENT, Dataset
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.names.short_names import Columns, text
from mqcap.domain.subject import Subject
from mqcap.lake.file_roots import roots_of_files, sites_of_qmgr
from mqcap.lake.layout import rows_path, rows_paths
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest, manifests
from mqcap.lake.readers import as_utc, instant
from mqcap.lake.tables import read_rows

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
    """Yield each message of queue managers that the estate places once, by subject and time."""
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
            subject = Subject.of(sysplex, row["qmgr"])
            yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _qmgr_events(
    lake: Location, estate: Estate, roots: Mapping[str, str]
) -> Iterator[ExportedEvent]:
    sites_of = sites_of_qmgr(estate)
    seen = set()
    for row in _each_row(rows_paths(lake, QMGR_EVENT.name), [*QMGR_EVENT.key, "file_sha256"]):
        found = sites_of(row["qmgr"], roots.get(row.pop("file_sha256"), ""))
        key = (*found, *row.values())
        if len(found) == 1 and key not in seen:
            seen.add(key)
            subject = subject_of(found[0], row["qmgr"])
            yield ExportedEvent(subject, as_utc(row["event_utc"]), row["message_id"])


def _each_row(paths: Sequence[Location], columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    for batch in read_rows(paths, columns).to_batches() if paths else ():
        yield from batch.to_pylist()


_COLUMNS: Final = (
    "smfid",
    "qmgr",
    "host",
    "event_utc",
    "message_id",
    "process",
    "inserts",
    "text",
    "object_name",
    "amount",
    "line_number",
    "file_sha256",
)


def message_rows(
    lake: Location,
    dataset: Dataset,
    sources: Collection[Manifest],
    message_ids: Collection[str],
    begin: datetime,
    end: datetime,
) -> list[dict[str, Any]]:
    """Return the messages of these ids in ``[begin, end)`` from delivered files, by time.

    A message that several files of one sysplex or site hold comes once, from the file that has it
    first by name. Keys are the columns of the dataset that tell what, when and where.
    """
    paths = [
        path
        for source in sources
        if dataset.name in source.rows
        and (path := rows_path(lake, dataset.name, source.received_date, source.sha256))
        and path.is_file()
    ]
    if not paths:
        return []
    chosen = (
        pc.field("message_id").isin(sorted(message_ids))
        & (pc.field("event_utc") >= instant(begin))
        & (pc.field("event_utc") < instant(end))
    )
    table = read_rows(paths, [name for name in _COLUMNS if name in dataset.columns], chosen)
    names = {source.sha256: source.name for source in sources}
    rows = [row | {"event_utc": as_utc(row["event_utc"])} for row in table.to_pylist()]
    rows.sort(key=lambda row: (row["event_utc"], names[row["file_sha256"]], row["line_number"]))
    roots = {source.sha256: source.root for source in sources}
    unique = {
        (roots[row["file_sha256"]], *(row[name] for name in dataset.key)): row
        for row in reversed(rows)
    }
    return list(reversed(unique.values()))
