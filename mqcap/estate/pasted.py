"""Pasted displays of queue managers, merged with the data and the settings.

Values that differ are listed with their sources and none of them is used; only the site can decide
which one is correct.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mqcap.domain.estate import QueueManager
from mqcap.ingest.display_output.reading import LOG_NAME, Fact, Value

KEYS: Final = frozenset(QueueManager.model_fields) - {"name", "system_class"}
"""Keys of the estate; all other values are listed as comments."""
_LOG_NAMES: Final = "active_log_names"
_ALL_COPIES: Final = "active_logs_all_copies"
_SETTINGS: Final = "settings"
_RECORDS: Final = "SMF records"

SourcedValues = dict[str, dict[Value, dict[str, None]]]
"""Keys of the estate in order, each with its values, and the sources of each."""


def sourced_values(
    facts: Sequence[Fact], configured: Mapping[str, Any], group_of_records: str | None
) -> SourcedValues:
    """Return what pasted displays, settings and records say of one queue manager."""
    sourced: SourcedValues = {}
    plain = [
        (key, value, _SETTINGS)
        for key, value in configured.items()
        if key not in {"name", "class"} and not isinstance(value, list)
    ]
    of_records = [("qsg", group_of_records, _RECORDS)] if group_of_records else []
    for key, value, source in (*plain, *of_records, *_in_estate(facts)):
        sourced.setdefault(key, {}).setdefault(value, {})[source] = None
    return dict(sorted(sourced.items()))


def lines_of(
    facts: Sequence[Fact], configured: Mapping[str, Any], sourced: SourcedValues
) -> Iterator[str]:
    """Yield YAML lines: agreed values with what was pasted of them, contradictions as comments."""
    for key, values in sourced.items():
        for value, sources in values.items() if len(values) == 1 else ():
            pasted = "; ".join(name for name in sources if name not in {_SETTINGS, _RECORDS})
            yield f"        {key}: {json.dumps(value)}{f'   # {pasted}' if pasted else ''}"
    yield from _lists(facts, configured)
    for key, values in sourced.items():
        if len(values) > 1:
            yield f"        # CONTRADICTION about {key}:"
            for value, sources in values.items():
                yield f"        #   {json.dumps(value)}   ({'; '.join(sources)})"
            if key in configured:
                yield f"        {key}: {json.dumps(configured[key])}   # of the settings"
            else:
                yield f"        # {key}:   (left out until you decide)"
    yield from _others(facts)


def _lists(facts: Sequence[Fact], configured: Mapping[str, Any]) -> Iterator[str]:
    """Yield pasted names of active logs, those of copy 1 first, unless the settings have them."""
    named = sorted((fact for fact in facts if fact.key == LOG_NAME), key=lambda fact: fact.thing)
    names = dict.fromkeys(str(fact.value) for fact in named)
    are_new = not set(names) <= set(configured.get(_LOG_NAMES, ()))
    if are_new:
        yield f"        {_LOG_NAMES}:   # {named[0].source}"
        yield from (f"          - {json.dumps(name)}" for name in names)
    for key, listed in configured.items():
        if isinstance(listed, list) and listed:
            of_settings = f"# {key} of the settings: {json.dumps(listed)}"
            kept = f"{key}: {json.dumps(listed)}   # settings"
            yield f"        {of_settings if key == _LOG_NAMES and are_new else kept}"


def _in_estate(facts: Sequence[Fact]) -> Iterator[tuple[str, Value, str]]:
    """Yield key, value and source of estate keys; a count over all copies only for one copy."""
    dual = {fact.value for fact in facts if fact.key == "dual_logging"}
    for fact in facts:
        if fact.thing:
            continue
        if fact.key == _ALL_COPIES and dual == {False}:
            yield "active_logs", fact.value, fact.source
        elif fact.key in KEYS:
            yield fact.key, fact.value, fact.source


def _others(facts: Sequence[Fact]) -> Iterator[str]:
    """Yield comments on values without a key in the estate."""
    placed = {(key, source) for key, _, source in _in_estate(facts)}
    for fact in facts:
        key = "active_logs" if fact.key == _ALL_COPIES else fact.key
        if key == LOG_NAME or (not fact.thing and (key, fact.source) in placed):
            continue
        of = f"{fact.thing}: " if fact.thing else ""
        note = ", all copies together" if fact.key == _ALL_COPIES else ""
        comment = f"{of}{fact.key} = {json.dumps(fact.value)}{note} ({fact.source})"
        yield f"        # not an estate key: {comment}"
