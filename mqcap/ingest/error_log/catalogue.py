"""The catalogue of messages of error logs: which are kept, what they say, and how sure that is.

``catalogue.json`` has a row per message (``CatalogueEntry``), by its id without the letter of its
severity. A message counts by its id in any language, so no row has a pattern. What a queue manager
reports as exhausted is over when it starts or ends. Source: the AMQ messages of IBM MQ 9.2; texts
of certainty A were read there or in a log, of B only the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mqcap.domain.console.message import CatalogueEntry
from mqcap.ingest.console.catalogue import entries_of


@lru_cache(maxsize=1)
def error_log_catalogue() -> Mapping[str, CatalogueEntry]:
    """Return every message of the catalogue by its id; all others of a log are skipped."""
    return entries_of(__package__)


@lru_cache(maxsize=1)
def outcome_messages() -> frozenset[str]:
    """Return the ids of the messages that begin a state of a resource, or end one."""
    begin = [entry for entry in error_log_catalogue().values() if entry.begins_state]
    return frozenset(entry.id for entry in begin) | {
        other for entry in begin for other in entry.ended_by
    }
