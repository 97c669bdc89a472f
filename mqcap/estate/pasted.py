"""Pasted displays of queue managers, merged with the data and the settings.

Values that differ are listed with their sources and none of them is used; only the site can decide
which one is correct.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mqcap.domain.estate import QueueManager
from mqcap.ingest.display_output.reading import LOG_NAME, Fact, Value

KEYS: Final = frozenset(QueueManager.model_fields) - {"name", "system_class"}
"""Keys of the estate; all other values are listed as comments."""
LOG_NAMES: Final = "active_log_names"
ALL_COPIES: Final = "active_logs_all_copies"
SETTINGS: Final = "settings"
RECORDS: Final = "SMF records"


class AttributedValue(NamedTuple):
    """Value of a key and its sources."""

    value: Value
    sources: tuple[str, ...]


class MergedManager(NamedTuple):
    """The merged values of one queue manager."""

    values: dict[str, AttributedValue]
    """Keys on which all sources agree."""
    contradictions: dict[str, tuple[AttributedValue, ...]]
    others: tuple[str, ...]
    """Comments on values without a key in the estate."""
    log_names: tuple[str, ...] = ()
    """Pasted names of active logs, those of copy 1 first; empty where the settings have them."""
    names_source: str = ""
    """Where the names were read."""


def facts_by_manager(facts: Iterable[Fact], only: str | None = None) -> dict[str, list[Fact]]:
    """Return facts by the name of the queue manager; those without a name belong to ``only``."""
    by_manager: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_manager[fact.queue_manager or only or ""].append(fact)
    return dict(by_manager)


def merged(
    facts: Sequence[Fact], configured: Mapping[str, Any], group_of_records: str | None
) -> MergedManager:
    """Return one queue manager from pasted displays, settings and records."""
    sources: dict[str, dict[Value, list[str]]] = defaultdict(dict)
    for key, value in configured.items():
        if key not in {"name", "class"} and not isinstance(value, list):
            sources[key].setdefault(value, []).append(SETTINGS)
    if group_of_records:
        sources["qsg"].setdefault(group_of_records, []).append(RECORDS)
    for key, value, source in _in_estate(facts):
        sources[key].setdefault(value, []).append(source)
    candidates = {
        key: tuple(
            AttributedValue(value, tuple(dict.fromkeys(who))) for value, who in values.items()
        )
        for key, values in sources.items()
    }
    named = sorted((fact for fact in facts if fact.key == LOG_NAME), key=lambda fact: fact.thing)
    names = tuple(dict.fromkeys(str(fact.value) for fact in named))
    is_known = set(names) <= set(configured.get(LOG_NAMES, ()))
    return MergedManager(
        {key: values[0] for key, values in sorted(candidates.items()) if len(values) == 1},
        {key: values for key, values in sorted(candidates.items()) if len(values) > 1},
        tuple(_others(facts)),
        () if is_known else names,
        "" if is_known else named[0].source,
    )


def lines_of(manager: MergedManager, configured: Mapping[str, Any]) -> Iterator[str]:
    """Yield YAML lines: agreed values with their sources, contradictions as comments."""
    for key, merged_value in manager.values.items():
        yield f"        {key}: {json.dumps(merged_value.value)}{_source(merged_value)}"
    yield from _lists(manager, configured)
    for key, values in manager.contradictions.items():
        yield f"        # CONTRADICTION about {key}:"
        for value in values:
            yield f"        #   {json.dumps(value.value)}   ({'; '.join(value.sources)})"
        if key in configured:
            yield f"        {key}: {json.dumps(configured[key])}   # of the settings"
        else:
            yield f"        # {key}:   (left out until you decide)"
    for sentence in manager.others:
        yield f"        # {sentence}"


def _lists(manager: MergedManager, configured: Mapping[str, Any]) -> Iterator[str]:
    if manager.log_names:
        yield f"        {LOG_NAMES}:   # {manager.names_source}"
        yield from (f"          - {json.dumps(name)}" for name in manager.log_names)
    for key, listed in configured.items():
        if not isinstance(listed, list) or not listed:
            continue
        if key == LOG_NAMES and manager.log_names:
            yield f"        # {key} of the settings: {json.dumps(listed)}"
        else:
            yield f"        {key}: {json.dumps(listed)}   # settings"


def _source(value: AttributedValue) -> str:
    """Return a comment that names pasted sources; settings and records need none."""
    pasted = [source for source in value.sources if source not in {SETTINGS, RECORDS}]
    return f"   # {'; '.join(pasted)}" if pasted else ""


def _in_estate(facts: Sequence[Fact]) -> Iterator[tuple[str, Value, str]]:
    """Yield key, value and source of estate keys; a count over all copies only for one copy."""
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
        if key == LOG_NAME or (not fact.thing and (key, fact.source) in placed):
            continue
        of = f"{fact.thing}: " if fact.thing else ""
        note = ", all copies together" if fact.key == ALL_COPIES else ""
        yield f"not an estate key: {of}{fact.key} = {json.dumps(fact.value)}{note} ({fact.source})"
