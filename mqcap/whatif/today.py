"""Values that the keys of a configuration change have today."""

from typing import Any, Final

from mqcap.domain.estate.entries import entries_of
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS
from mqcap.whatif.effects import total_of
from mqcap.whatif.setting_keys import keys_of
from mqcap.whatif.sizes import COUNTS, KEYS_WITH_EFFECTS
from mqcap.whatif.typed_settings import measured_settings

_AS_IT_IS_PCT: Final = 100.0


def todays_values(facts: DayFacts, subject: str, kind: SubjectKind) -> dict[str, Any]:
    """Return today's value of each key that is configured or measured.

    Sizes are those of the last measured day; what rules read before the estate comes first. What is
    neither configured nor measured is left out.
    """
    values: dict[str, Any] = {}
    for key in sorted(keys_of(kind)):
        value = _read_first(facts, subject, key)
        value = _configured(facts, subject, kind, key) if value is None else value
        value = _measured(facts, subject, key) if value is None else value
        if value is not None:
            values[key] = value
    return values


def _read_first(facts: DayFacts, subject: str, key: str) -> float | None:
    """Return the last measured figure that rules read before the key; ``None`` without one."""
    settings = () if key in KEYS_WITH_EFFECTS else measured_settings(facts, subject, key)
    days = [facts.observed.days(each.metric, each.subject)[-1].peak for each in settings]
    return days[0] if days else None


def _configured(facts: DayFacts, subject: str, kind: SubjectKind, key: str) -> Any:
    for entry, _ in entries_of(subject, kind, facts.estate):
        value = getattr(entry, key, None)
        if value is not None:
            return value
    return None


def _measured(facts: DayFacts, subject: str, key: str) -> float | None:
    metric = {**COUNTS, "engines": "cf_engine_count"}.get(key)
    if metric is not None:
        days = facts.observed.days(metric, subject)
        return days[-1].peak if days else None
    setting = SETTINGS.get(key)
    if setting is not None and "share_of_size" in setting.effects:
        return _AS_IT_IS_PCT if facts.observed.days(setting.in_use[0], subject) else None
    if setting is None or setting.total is None:
        return None
    total = total_of(facts, subject, setting.total.used, setting.total.share)
    return None if total is None else total / setting.total.each
