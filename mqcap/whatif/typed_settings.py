"""Settings of a scenario have an effect, or are refused with the reason.

A rule reads a measured figure before the one of the estate. A size, limit or time that is measured
takes the typed value on every day. A load does not: one value for all days would take its growth
away, so it is refused in favour of growth in per cent. So is a size below what is in use: what is
stored there has to be somewhere. Limits and memory may be: what is above them waits, as rules say.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Dyndisp
from mqcap.domain.estate.entries import entries_of
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.subject import Subject
from mqcap.judging.confidence import DYNDISP, DYNDISP_CODES
from mqcap.judging.evaluate import DayFacts
from mqcap.operands.declared import SETTINGS, Setting
from mqcap.whatif.effects import (
    PartEffects,
    SeriesChange,
    SeriesEffect,
    last_day,
    number,
    total_of,
)
from mqcap.whatif.parts import ConfigurationChange, keys_of, kinds_of
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.sizes import COUNTS, KEYS_WITH_EFFECTS
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import all_rules

_PCT: Final = 100


def refuse_below_use(facts: DayFacts, scenario: Scenario) -> None:
    """Check that no size of a scenario is below what is in use on the last measured day.

    Raises:
        ConfigurationError: one is.
    """
    for change in scenario.configuration:
        for key, setting in SETTINGS.items():
            if not setting.in_use or key not in change.settings:
                continue
            after, used = number(change.settings[key]), _used(facts, change, setting)
            if after < used:
                raise ConfigurationError(
                    f"{key} of {change.subject} is less than what is in use",
                    found=figure(after),
                    expected=f"at least {quantity(used, setting.unit)}, the highest use of the "
                    "last measured day",
                )


def _used(facts: DayFacts, change: ConfigurationChange, setting: Setting) -> float:
    """Return the highest use of the last measured day; 0 where it is not measured."""
    days = [facts.observed.days(metric, change.subject) for metric in setting.in_use]
    most = max((of_metric[-1].peak for of_metric in days if of_metric), default=0.0)
    if not setting.measured:
        return most
    sizes = facts.observed.days(setting.measured, change.subject)
    return most * sizes[-1].peak / _PCT if sizes else 0.0


_ELSEWHERE: Final = KEYS_WITH_EFFECTS | {"engines"}
"""Keys whose new value changes series in other modules."""
_SHARE_OF_COUNTS: Final = "it counts with another one: set the share itself, {key}"
_REFUSED: Final = {
    "class": "it says which views show a queue manager, and no rule reads it",
    "system_class": "it says which views show a queue manager, and no rule reads it",
    "ims_bridge_queues": "it says which queues are measured, and no rule reads it",
    "log_volumes": "it says which volumes hold the logs, and no rule reads it",
    "interval_minutes": "it says how much data is expected, and no rule reads it",
    "dfw_bypass_per_s": _SHARE_OF_COUNTS.format(key="dfw_bypass_pct"),
    "dasd_io_per_s": _SHARE_OF_COUNTS.format(key="dfw_bypass_pct"),
    "lock_waits": _SHARE_OF_COUNTS.format(key="lock_wait_pct"),
    "lock_requests": _SHARE_OF_COUNTS.format(key="lock_wait_pct"),
}
"""Keys of the estate that change no result of a scenario, with the reason."""
_DYNDISP: Final = "dyndisp"
_OF_LOSSES: Final = frozenset({"storage_mib", "duplexed", "qsg_spread"})
"""Keys that only the loss of a coupling facility reads."""


class MeasuredSetting(NamedTuple):
    """Series that a rule reads before the key of the estate."""

    metric: str
    subject: str
    is_load: bool
    """Whether a rule watches it, so that it grows; else a size, limit or time."""


def refuse_without_effect(scenario: Scenario) -> None:
    """Check that every setting of a scenario can change a result.

    Raises:
        ConfigurationError: one cannot, or only with a loss, and the scenario loses nothing.
    """
    for change in scenario.configuration:
        for key in change.estate_values:
            if key in _REFUSED:
                raise ConfigurationError(
                    f"{key} of {change.subject} changes no result: {_REFUSED[key]}",
                    expected="a setting that a rule reads",
                )
            if key in _OF_LOSSES and not scenario.lose:
                raise ConfigurationError(
                    f"{key} of {change.subject} counts only when something is lost",
                    found="a scenario without lose",
                    expected="lose, with a coupling facility or a member of a group",
                )


def typed_settings_of(facts: DayFacts, change: ConfigurationChange) -> PartEffects:
    """Return the effects of typed values on series that are measured.

    Raises:
        ConfigurationError: the typed value is one of a load that is measured.
    """
    return PartEffects(tuple(_effects(facts, change)))


def _effects(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    for key, value in change.estate_values.items():
        if key in _ELSEWHERE:
            continue
        if key == _DYNDISP and facts.observed.days(DYNDISP, change.subject):
            code = DYNDISP_CODES.index(Dyndisp(value))
            line = f"{Dyndisp(value).upper()}, as stated in the scenario"
            yield SeriesEffect(DYNDISP, change.subject, SeriesChange(0.0, code), (line,))
        for metric, subject, is_load in measured_settings(facts, change.subject, key):
            if is_load:
                raise ConfigurationError(
                    f"{key} of {subject} is measured, so a scenario cannot set it",
                    found=metric,
                    expected=f"growth: {{subjects: [{subject}], metrics: [{metric}], pct: 20}}",
                )
            before, after = last_day(facts, metric, subject).peak, number(value)
            line = f"{figure(after)} instead of {figure(before)}, as stated in the scenario"
            yield SeriesEffect(metric, subject, SeriesChange(0.0, after), (line,))


def measured_settings(facts: DayFacts, subject: str, key: str) -> list[MeasuredSetting]:
    """Return the measured series that rules of the subject read before this key.

    A key of a channel initiator is that of its queue manager.
    """
    kinds = kinds_of(subject)
    if kinds == (SubjectKind.channel_initiator,):
        kinds, subject = (SubjectKind.queue_manager,), Subject(subject).owner
    return [
        MeasuredSetting(metric, subject, is_load)
        for kind in kinds
        for metric, is_load in _by_key().get((kind, key), {}).items()
        if facts.observed.days(metric, subject)
    ]


@cache
def _by_key() -> Mapping[tuple[SubjectKind, str], dict[str, bool]]:
    """Return the metrics that are read before a key of a kind, each with whether it is a load."""
    rules = all_rules().values()
    loads = {
        source.metric
        for rule in rules
        if rule.traits.watches is not None
        for source in value_sources_of(rule.inputs).get(rule.traits.watches, ())
        if isinstance(source, FromMetric)
    }
    found: dict[tuple[SubjectKind, str], dict[str, bool]] = defaultdict(dict)
    for rule in rules:
        for sources in value_sources_of(rule.inputs).values():
            metrics: dict[str, bool] = {}
            for source in sources:
                if isinstance(source, FromMetric) and not source.of:
                    metrics[source.metric] = source.metric in loads
                if isinstance(source, FromEstate):
                    found[rule.traits.subject_kind, source.key] |= metrics
    return found


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
