"""Names of active log data sets: those of the console where the estate has others."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.estate import Estate, QueueManager
from mqcap.domain.subject import Subject
from mqcap.ingest.console.catalogue import catalogue
from mqcap.lake.exported_events import message_rows
from mqcap.lake.file_roots import touching
from mqcap.lake.location import open_lake
from mqcap.lake.manifest import manifests
from mqcap.settings import Settings

CURRENT_LOG: Final = "CSQJ001I"
_DAYS: Final = 7
"""Days of consoles that are looked at: each log becomes the current one in turn (ours)."""
_NUMBER: Final = re.compile(r"\d+$")


def console_log_names(settings: Settings, day: date) -> dict[str, tuple[str, ...]]:
    """Return active logs, copy 1 first, of queue managers with other names in the estate."""
    estate, pattern = settings.complete_estate(), re.compile(catalogue()[CURRENT_LOG].pattern)
    if not any(manager.active_log_names for plex in estate.sysplexes for manager in plex.qmgrs):
        return {}
    lake = open_lake(settings.lake)
    end = datetime.combine(day + timedelta(days=2), time(), UTC)
    begin = end - timedelta(days=_DAYS + 2)
    sources = touching(manifests(lake), begin, end)
    found: dict[str, set[tuple[str, str]]] = {}
    for row in message_rows(lake, CONSOLE_EVENT, sources, {CURRENT_LOG}, begin, end):
        match = pattern.search(row["text"])
        subject = _subject(estate, row)
        if match is not None and subject is not None:
            found.setdefault(subject, set()).add((match["log_copy"], match["dataset_name"]))
    names = {subject: tuple(name for _, name in sorted(own)) for subject, own in found.items()}
    return {
        subject: own
        for subject, own in names.items()
        if (manager := estate.queue_manager(*Subject(subject).names))
        and manager.active_log_names
        and not _beginnings(own) <= _beginnings(manager.active_log_names)
    }


def with_log_names(estate: Estate, names: Mapping[str, tuple[str, ...]]) -> Estate:
    """Return the estate with other names of active logs, by queue manager."""
    if not names:
        return estate

    def named(sysplex: str, manager: QueueManager) -> QueueManager:
        own = names.get(Subject.of(sysplex, manager.name))
        return manager.model_copy(update={"active_log_names": own}) if own else manager

    plexes = tuple(
        plex.model_copy(update={"qmgrs": tuple(named(plex.sysplex, one) for one in plex.qmgrs)})
        for plex in estate.sysplexes
    )
    return estate.model_copy(update={"sysplexes": plexes})


def _subject(estate: Estate, row: Mapping[str, Any]) -> str | None:
    plexes = [
        plex
        for plex in estate.sysplexes
        if any(manager.name == row["qmgr"] for manager in plex.qmgrs)
    ]
    named = [plex for plex in plexes if row["smfid"] in plex.smfids] or plexes
    return Subject.of(named[0].sysplex, row["qmgr"]) if len(named) == 1 else None


def _beginnings(names: Iterable[str]) -> set[str]:
    return {_NUMBER.sub("", name) for name in names}
