"""Settings of a scenario have an effect, or are refused with the reason.

A rule reads a measured figure before the one of the estate. Of a size, limit or time the typed
value holds on every day. A load is refused in favour of growth, and a size below what is in use.
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
from mqcap.whatif.effects import SeriesEffect, effect, last_day, number, replacing, total_of
from mqcap.whatif.parts import ConfigurationChange, keys_of, kinds_of
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.sizes import COUNTS, KEYS_WITH_EFFECTS
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import all_rules


def refuse_below_use(facts: DayFacts, scenario: Scenario) -> None:
    """Raise a ConfigurationError for a size below what is in use on the last measured day."""
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
    return most * sizes[-1].peak / 100 if sizes else 0.0


_ELSEWHERE: Final = KEYS_WITH_EFFECTS | {"engines"}
"""Keys whose new value changes series in other modules."""
_NOT_READ: Final = {
    "class": "which views show a queue manager",
    "system_class": "which views show a queue manager",
    "ims_bridge_queues": "which queues are measured",
    "log_volumes": "which volumes hold the logs",
    "interval_minutes": "how much data is expected",
}
_SHARES: Final = {
    "dfw_bypass_per_s": "dfw_bypass_pct",
    "dasd_io_per_s": "dfw_bypass_pct",
    "lock_waits": "lock_wait_pct",
    "lock_requests": "lock_wait_pct",
}
_REFUSED: Final = {
    **{key: f"it says {what}, and no rule reads it" for key, what in _NOT_READ.items()},
    **{
        key: f"it counts with another one: set the share itself, {share}"
        for key, share in _SHARES.items()
    },
}
"""Keys of the estate that change no result of a scenario, with the reason."""
_OF_LOSSES: Final = frozenset({"storage_mib", "duplexed", "qsg_spread"})
"""Keys that only the loss of a coupling facility reads."""


class MeasuredSetting(NamedTuple):
    """Series that a rule reads before the key of the estate."""

    metric: str
    subject: str
    is_load: bool
    """Whether a rule watches it, so that it grows; else a size, limit or time."""


def refuse_without_effect(scenario: Scenario) -> None:
    """Raise a ConfigurationError for a setting that can change no result of this scenario."""
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


def typed_settings_of(facts: DayFacts, change: ConfigurationChange) -> Iterator[SeriesEffect]:
    """Yield typed values of measured series; a ConfigurationError where one is a load."""
    for key, value in change.estate_values.items():
        if key in _ELSEWHERE:
            continue
        if key == "dyndisp" and facts.observed.days(DYNDISP, change.subject):
            code = DYNDISP_CODES.index(Dyndisp(value))
            line = f"{Dyndisp(value).upper()}, as stated in the scenario"
            yield effect(DYNDISP, change.subject, line, factor=0.0, addition=code)
        for metric, subject, is_load in measured_settings(facts, change.subject, key):
            if is_load:
                raise ConfigurationError(
                    f"{key} of {subject} is measured, so a scenario cannot set it",
                    found=metric,
                    expected=f"growth: {{subjects: [{subject}], metrics: [{metric}], pct: 20}}",
                )
            yield replacing(metric, subject, last_day(facts, metric, subject).peak, number(value))


def measured_settings(facts: DayFacts, subject: str, key: str) -> list[MeasuredSetting]:
    """Return the measured series that rules of the subject, or its owner, read before this key."""
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


def todays_values(facts: DayFacts, subject: str, kind: SubjectKind) -> dict[str, Any]:
    """Return today's value of each key: read before the estate, configured, else measured."""
    found = {key: next(_todays(facts, subject, kind, key), None) for key in sorted(keys_of(kind))}
    return {key: value for key, value in found.items() if value is not None}


def _todays(facts: DayFacts, subject: str, kind: SubjectKind, key: str) -> Iterator[Any]:
    """Yield what is known of today's value: read before the estate, configured, then measured."""
    if key not in KEYS_WITH_EFFECTS:
        for metric, owner, _ in measured_settings(facts, subject, key):
            yield facts.observed.days(metric, owner)[-1].peak
    for entry, _ in entries_of(subject, kind, facts.estate):
        if (value := getattr(entry, key, None)) is not None:
            yield value
    yield from _measured(facts, subject, key)


def _measured(facts: DayFacts, subject: str, key: str) -> Iterator[float]:
    observed, setting = facts.observed, SETTINGS.get(key)
    metric = "cf_engine_count" if key == "engines" else COUNTS.get(key, "")
    if days := observed.days(metric, subject):
        yield days[-1].peak
    if setting is None or metric:
        return
    if "share_of_size" in setting.effects:
        if observed.days(setting.in_use[0], subject):
            yield 100.0  # per cent of that of today
    elif setting.total is not None:
        total = total_of(facts, subject, setting.total.used, setting.total.share)
        if total is not None:
            yield total / setting.total.each
