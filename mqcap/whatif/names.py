"""Names in a scenario: the end of a subject is enough where only one subject ends so."""

from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.subject import SERIES_SEPARATOR, Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.scenario import Scenario

_WORKLOAD: Final = ("subject", "structure", "duplexed_in", "page_set")


def with_full_names(facts: DayFacts, scenario: Scenario) -> Scenario:
    """Return the scenario with ``PLEX1/CF02`` for ``CF02`` in its workload, hardware and losses.

    A name that no subject ends in stays as it is.

    Raises:
        ConfigurationError: several subjects end in a name.
    """
    if not scenario.workload and not scenario.hardware and not scenario.lose:
        return scenario
    subjects = _subjects(facts)
    workload = tuple(
        part.model_copy(
            update={
                key: _full(name, subjects)
                for key in _WORKLOAD
                if (name := getattr(part, key)) is not None
            }
        )
        for part in scenario.workload
    )
    hardware = tuple(
        part.model_copy(update={"subject": _full(part.subject, subjects)})
        for part in scenario.hardware
    )
    lose = tuple(_full(name, subjects) for name in scenario.lose)
    return scenario.model_copy(update={"workload": workload, "hardware": hardware, "lose": lose})


def _subjects(facts: DayFacts) -> set[str]:
    configured = {
        Subject.of(plex.sysplex, name)
        for plex in facts.estate.sysplexes
        for name in (*(each.name for each in plex.qmgrs), *(each.name for each in plex.cfs))
    }
    return configured | {subject for _, subject in facts.observed.series}


def _full(name: str, subjects: set[str]) -> str:
    if name in subjects:
        return name
    matches = sorted(each for each in subjects if each.endswith(f"{SERIES_SEPARATOR}{name}"))
    if len(matches) > 1:
        raise ConfigurationError(f"{name} is not unique", expected=f"one of: {' '.join(matches)}")
    return matches[0] if matches else name
