"""What pasted answers say of queue managers, laid beside the data and the settings.

Values that differ are shown with their sources and none of them is taken; only the site can
say which one holds.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mqcap.domain.estate import QueueManager
from mqcap.ingest.display_output.facts import Fact, Value

KEYS: Final = frozenset(QueueManager.model_fields) - {"name", "system_class"}
"""What the estate file has a place for; the rest is told as a comment."""
ALL_COPIES: Final = "active_logs_all_copies"
SETTINGS: Final = "settings"
RECORDS: Final = "SMF records"


class Said(NamedTuple):
    """One value of a key and who says so."""

    value: Value
    sources: tuple[str, ...]


class Manager(NamedTuple):
    """All that is known of one queue manager."""

    values: dict[str, Said]
    """What all sources agree on."""
    contradictions: dict[str, tuple[Said, ...]]
    others: tuple[str, ...]
    """Sentences for what the estate file has no place for."""


def told_by_manager(facts: Iterable[Fact], only: str | None = None) -> dict[str, list[Fact]]:
    """Facts by the name of the queue manager; those without a name belong to ``only``."""
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[fact.queue_manager or only or ""].append(fact)
    return dict(found)


def merged(
    facts: Sequence[Fact], configured: Mapping[str, Any], group_of_records: str | None
) -> Manager:
    """One queue manager from pasted answers, settings and records."""
    said: dict[str, dict[Value, list[str]]] = defaultdict(dict)
    for key, value in configured.items():
        if key not in {"name", "class"} and not isinstance(value, list):
            said[key].setdefault(value, []).append(SETTINGS)
    if group_of_records:
        said["qsg"].setdefault(group_of_records, []).append(RECORDS)
    for key, value, source in _in_estate(facts):
        said[key].setdefault(value, []).append(source)
    ways = {
        key: tuple(Said(value, tuple(dict.fromkeys(who))) for value, who in values.items())
        for key, values in said.items()
    }
    return Manager(
        {key: found[0] for key, found in sorted(ways.items()) if len(found) == 1},
        {key: found for key, found in sorted(ways.items()) if len(found) > 1},
        tuple(_others(facts)),
    )


def lines_of(manager: Manager, configured: Mapping[str, Any]) -> Iterator[str]:
    """YAML lines: agreed values with their sources, contradictions as comments."""
    for key, said in manager.values.items():
        yield f"        {key}: {json.dumps(said.value)}{_source(said)}"
    for key, value in configured.items():
        if isinstance(value, list) and value:
            yield f"        {key}: {json.dumps(value)}   # settings"
    for key, ways in manager.contradictions.items():
        yield f"        # CONTRADICTION about {key}:"
        for said in ways:
            yield f"        #   {json.dumps(said.value)}   ({'; '.join(said.sources)})"
        if key in configured:
            yield f"        {key}: {json.dumps(configured[key])}   # of the settings"
        else:
            yield f"        # {key}:   (left out until you decide)"
    for sentence in manager.others:
        yield f"        # {sentence}"


def _source(said: Said) -> str:
    """Settings and records need no word; pasted answers do."""
    pasted = [one for one in said.sources if one not in {SETTINGS, RECORDS}]
    return f"   # {'; '.join(pasted)}" if pasted else ""


def _in_estate(facts: Sequence[Fact]) -> Iterator[tuple[str, Value, str]]:
    """Key, value and source of what has a place; a count over all copies only where that is one."""
    dual = {fact.value for fact in facts if fact.key == "dual_logging"}
    for fact in facts:
        if fact.thing:
            continue
        if fact.key == ALL_COPIES and dual == {False}:
            yield "active_logs", fact.value, fact.source
        elif fact.key in KEYS:
            yield fact.key, fact.value, fact.source


def _others(facts: Sequence[Fact]) -> Iterator[str]:
    placed = {(key, source) for key, _, source in _in_estate(facts)}
    for fact in facts:
        key = "active_logs" if fact.key == ALL_COPIES else fact.key
        if not fact.thing and (key, fact.source) in placed:
            continue
        of = f"{fact.thing}: " if fact.thing else ""
        note = ", all copies together" if fact.key == ALL_COPIES else ""
        yield f"also told: {of}{fact.key} = {json.dumps(fact.value)}{note} ({fact.source})"
