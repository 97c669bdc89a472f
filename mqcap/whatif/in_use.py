"""Sizes of a scenario that are below what is in use: what is stored there has to be somewhere.

Limits and memory are not among them: what is above another limit is refused or waits, and the rules
say by how much it is passed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure, quantity
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.distributed import FILE_SYSTEMS
from mqcap.whatif.effects import number
from mqcap.whatif.parts import ConfigurationChange
from mqcap.whatif.scenario import Scenario

_PCT: Final = 100


class _InUse(NamedTuple):
    """What is in use of a size, in the unit of its setting."""

    metrics: tuple[str, ...]
    """Series of the amount in use, or of its share of ``size``; the highest counts."""
    unit: str
    size: str = ""
    """Series of the size of today; empty where the series are amounts."""


_SIZES: Final = {
    "mqm_blocks": _InUse(("tpf_mqm_in_use_blocks",), "blocks"),
    "pages": _InUse(("page_set_used_pages",), "pages"),
    "structure_size_mib": _InUse(
        ("structure_entries_used_pct", "structure_elements_used_pct"), "MiB", "structure_size_mib"
    ),
    "smds_size_pct": _InUse(("smds_used_pct",), "% of the size of today"),
    **{key: _InUse((metric,), "% of the size of today") for key, metric in FILE_SYSTEMS.items()},
}
"""By setting."""


def refuse_below_use(facts: DayFacts, scenario: Scenario) -> None:
    """Check that no size of a scenario is below what is in use on the last measured day.

    Raises:
        ConfigurationError: one is.
    """
    for change in scenario.configuration:
        for key, known in _SIZES.items():
            if key not in change.settings:
                continue
            after, used = number(change.settings[key]), _used(facts, change, known)
            if after < used:
                raise ConfigurationError(
                    f"{key} of {change.subject} is less than what is in use",
                    found=figure(after),
                    expected=f"at least {quantity(used, known.unit)}, the highest use of the last "
                    "measured day",
                )


def _used(facts: DayFacts, change: ConfigurationChange, known: _InUse) -> float:
    """Return the highest use of the last measured day; 0 where it is not measured."""
    days = [facts.observed.days(metric, change.subject) for metric in known.metrics]
    most = max((each[-1].peak for each in days if each), default=0.0)
    if not known.size:
        return most
    sizes = facts.observed.days(known.size, change.subject)
    return most * sizes[-1].peak / _PCT if sizes else 0.0
