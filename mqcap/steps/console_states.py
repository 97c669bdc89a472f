"""States that consoles and error logs reported, from the messages of the lake to the store."""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from mqcap.domain.console.states import OPEN_DAYS_MAX, CatalogueEntry, ConsoleMessage, states_of
from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_EVENT
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.console.messages import is_of_capacity
from mqcap.ingest.error_log.records import error_log_catalogue, outcome_messages
from mqcap.lake.exported_events import message_rows
from mqcap.lake.file_roots import sites_of_qmgr, touching
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest, manifests
from mqcap.settings import Settings
from mqcap.store.console_states import replace_states
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from mqcap.store.series import read_series
from spark_apps.digests import Placement, placement


def _message(
    row: Mapping[str, Any], entry: CatalogueEntry, subject: str, file_name: str
) -> ConsoleMessage:
    inserts = " ".join(f"{key}({value})" for key, value in json.loads(row["inserts"]).items())
    return ConsoleMessage(
        message_id=entry.id,
        at_utc=row["event_utc"],
        resource_kind=entry.resource,
        subject=subject,
        owner=subject,
        text=f"{entry.id} {inserts}".rstrip(),
        file_name=file_name,
        line_number=row["line_number"],
    )


_log = logging.getLogger(__name__)
_CHINIT: Final = "CHINIT"
_NUMBERED: Final = {ResourceKind.buffer_pool: "BP", ResourceKind.page_set: "PS"}
_OF_CHINIT: Final = {
    ResourceKind(f"chinit_{name}") for name in ("storage_31bit", "tasks", "channels")
}
_OF_ANY_OWNER: Final = ("IXC", "IEC")
"""Messages of z/OS about structures and data sets, of which only some are MQ's."""
_NAMES_NOTHING: Final = "names no queue manager or structure of the estate"


Placed = Callable[[Mapping[str, Any], CatalogueEntry, str], ConsoleMessage | str | None]
"""What makes the message of a row, its entry and the name of its file; a text where it begins a
state and cannot be placed, ``None`` where it does not count."""


class Places(NamedTuple):
    """Where messages belong: systems and queue managers, and the structures that were measured."""

    placement: Placement
    estate: Estate
    structures: frozenset[str]
    """Subjects, such as ``PLEX1/CF01/QSG1APPL1``."""


def record_states(
    settings: Settings, engine: Store, lake: Location, site_dates: Collection[date]
) -> dict[str, int]:
    """Replace states that began on the days, close older ones, log unplaced messages; counts."""
    every = manifests(lake)
    # whatever begins or ends states of the days, in any time zone
    begin = datetime.combine(min(site_dates) - timedelta(days=OPEN_DAYS_MAX + 1), time(), UTC)
    end = datetime.combine(max(site_dates) + timedelta(days=2), time(), UTC)
    sources, estate = touching(every, begin, end), settings.complete_estate()
    structures = frozenset(
        series.subject
        for series in read_series(engine)
        if series.subject_kind is SubjectKind.structure
    )
    names = {source.sha256: source.name for source in sources}
    names |= {file.sha256: file.name for file in read_source_files(engine)}
    entries = {**catalogue(), **error_log_catalogue()}
    console_ids = {entry.id for entry in catalogue().values() if entry.begins_state}
    console_ids |= {other for entry in catalogue().values() for other in entry.ended_by}
    found: dict[tuple[Any, ...], ConsoleMessage] = {}
    unplaced = 0
    places = Places(placement(estate, every), estate, structures)
    for dataset, ids, placed in (
        (QMGR_EVENT, outcome_messages(), _of_error_logs(estate, sources)),
        (CONSOLE_EVENT, console_ids, _of_consoles(places)),
    ):
        for row in message_rows(lake, dataset, sources, ids, begin, end):
            entry, name = entries[row["message_id"]], names[row["file_sha256"]]
            message = placed(row, entry, name)
            if isinstance(message, str):
                unplaced += 1
                _log.warning("%s: line %d: %s %s.", name, row["line_number"], entry.id, message)
            elif message is not None:
                found.setdefault((message.owner, *map(row.get, dataset.key)), message)

    def date_of(moment: datetime, subject: str) -> date:
        zone = estate.zones().get(Subject(subject).sysplex) or settings.site.timezone
        return moment.astimezone(ZoneInfo(zone)).date()

    count = replace_states(engine, site_dates, states_of(found.values(), entries, date_of))
    return {"console_states": count, "console_unplaced": unplaced}


def _of_error_logs(estate: Estate, sources: Iterable[Manifest]) -> Placed:
    roots, sites_of = {source.sha256: source.root for source in sources}, sites_of_qmgr(estate)

    def placed(
        row: Mapping[str, Any], entry: CatalogueEntry, file_name: str
    ) -> ConsoleMessage | str | None:
        sites = sites_of(row["qmgr"], roots.get(row["file_sha256"], ""))
        if len(sites) == 1:
            return _message(row, entry, subject_of(sites[0], row["qmgr"]), file_name)
        if not entry.begins_state:
            return None
        why = f"the sites {' '.join(sites)} list" if sites else "no site lists"
        return f"of queue manager {row['qmgr']}, which {why}"

    return placed


def _of_consoles(places: Places) -> Placed:
    def placed(
        row: Mapping[str, Any], entry: CatalogueEntry, file_name: str
    ) -> ConsoleMessage | str | None:
        if entry.begins_state and not is_of_capacity(entry, row["text"]):
            return None
        message = message_of(row, entry, places, file_name)
        if message or not entry.begins_state or entry.id.startswith(_OF_ANY_OWNER):
            return message
        return f"is not judged: {entry.not_judged}" if entry.not_judged else _NAMES_NOTHING

    return placed


def message_of(
    row: Mapping[str, Any], entry: CatalogueEntry, places: Places, file_name: str
) -> ConsoleMessage | None:
    """Return the message of a row with its resource, else its queue manager, else ``None``."""
    place = places.placement.for_file(row["file_sha256"])
    sysplex = (
        place.sysplex
        or place.sysplex_by_smfid.get(row["smfid"])
        or place.sysplex_by_qmgr.get(row["qmgr"] or "")
    )
    if sysplex is None:
        return None
    name = row["object_name"] or ""
    owner = Subject.of(sysplex, row["qmgr"]) if row["qmgr"] else sysplex
    kind, subject = entry.resource, _subject(entry.resource, owner, name, places)
    if subject is None:
        if not row["qmgr"]:
            return None
        kind, subject = ResourceKind.queue_manager, owner
    return ConsoleMessage(
        message_id=entry.id,
        at_utc=row["event_utc"],
        resource_kind=kind,
        subject=subject,
        owner=owner,
        object_name=name,
        amount=row["amount"],
        text=row["text"],
        file_name=file_name,
        line_number=row["line_number"],
    )


def _subject(kind: ResourceKind, owner: str, name: str, places: Places) -> str | None:
    if kind is ResourceKind.structure:
        return next(_structures_named(owner, name, places), None)
    if not Subject(owner).in_sysplex:
        return None
    if kind in _NUMBERED:
        return Subject.of(owner, f"{_NUMBERED[kind]}{int(name):02d}") if name.isdigit() else None
    return Subject.of(owner, _CHINIT) if kind in _OF_CHINIT else owner


def _structures_named(owner: str, name: str, places: Places) -> Iterator[str]:
    """Yield the measured structures that a message means, its facility's own first.

    MQ names a structure without its queue sharing group, z/OS with its facility and the group.
    """
    sysplex, qmgr = Subject(owner).sysplex, Subject(owner).in_sysplex
    if not name:
        return
    if Subject(name).in_sysplex:
        if (subject := Subject.of(sysplex, name)) in places.structures:
            yield subject
        return
    manager = places.estate.queue_manager(sysplex, qmgr)
    group = manager.qsg if manager is not None else None
    if group:
        full = f"{group.ljust(GROUP_NAME_LENGTH, '@')}{name}"
        in_facilities = map(Subject, places.structures)
        yield from sorted(
            facility
            for facility in in_facilities
            if (facility.sysplex, facility.name) == (sysplex, full)
        )
