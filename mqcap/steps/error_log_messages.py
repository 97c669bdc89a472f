"""Messages of error logs of distributed queue managers, with the resource that each is about."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from mqcap.domain.console.message import CatalogueEntry, ConsoleMessage
from mqcap.domain.datasets import QMGR_EVENT
from mqcap.domain.distributed.mq_name import subject_of
from mqcap.domain.estate import Estate
from mqcap.ingest.error_log.catalogue import error_log_catalogue, outcome_messages
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest
from mqcap.lake.message_rows import Wanted, message_rows

_log = logging.getLogger(__name__)
_COLUMNS: Final = (*QMGR_EVENT.columns,)


class PlacedMessages(NamedTuple):
    """Messages of queue managers that one site lists, and how many of others began a state."""

    messages: list[ConsoleMessage]
    unplaced_count: int


def messages_of_error_logs(
    lake: Location,
    sources: Collection[Manifest],
    estate: Estate,
    names: Mapping[str, str],
    wanted: Wanted,
) -> PlacedMessages:
    """Return the messages that begin or end states, of the queue managers of the estate.

    Those of a queue manager that no site lists, or several, are logged with file and line.

    Args:
        lake: The lake.
        sources: Files to read.
        estate: The sites and their queue managers.
        names: Names of files by hash.
        wanted: The time; its ids are not used.
    """
    entries = error_log_catalogue()
    chosen = wanted._replace(message_ids=outcome_messages())
    sites = estate.sites_of_qmgrs()
    estate_sites = {place.site for place in estate.places}
    roots = {source.sha256: source.root for source in sources}
    messages, unplaced_count = [], 0
    seen: set[tuple[Any, ...]] = set()
    for row in message_rows(lake, QMGR_EVENT, _COLUMNS, sources, chosen):
        entry, listed = entries[row["message_id"]], sites.get(row["qmgr"], ())
        if (root := roots.get(row["file_sha256"])) in estate_sites:
            listed = tuple(site for site in listed if site == root)
        file_name = names[row["file_sha256"]]
        if len(listed) == 1:
            known = (listed[0], *(row[name] for name in QMGR_EVENT.key))
            if known not in seen:
                seen.add(known)
                subject = subject_of(listed[0], row["qmgr"])
                messages.append(_message(row, entry, subject, file_name))
        elif entry.begins_state:
            unplaced_count += 1
            _log.warning(
                "%s: line %d: %s of queue manager %s, which %s.",
                file_name,
                row["line_number"],
                entry.id,
                row["qmgr"],
                f"the sites {' '.join(listed)} list" if listed else "no site lists",
            )
    return PlacedMessages(messages, unplaced_count)


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
