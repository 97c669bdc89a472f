"""A scenario: changes of load, hardware and settings, with their start.

::

    title: Two more branches
    start: 2027-01-01
    growth:
      - {subjects: [PLEX1/CSQ1], pct: [10, 30]}
    workload:
      - {subject: PLEX1/CSQ1, log_mib_per_s: 0.4}
      - {subject: PLEX1/CSQ1, messages_per_s: [50, 80], message_bytes: 2048, persistent: true,
         moved: sent, batch_size: 5, channels: 200, tls: true}
      - {subject: PLEX1/CSQ1, messages_per_s: 40, message_bytes: 8192, persistent: true,
         structure: PLEX1/CF01/QSG1APPL1, outage_minutes: 30, cfcc_level: 25}
    hardware:
      - {subject: PLEX1/CF01, engines: 2, lspr_ratio: 0.8, cfcc_level_from: 24, cfcc_level: 25}
      - {subject: PLEX1/CSQ1, dasd_class: "DS8900F (RAID 5) 4 stripes", message_bytes: 4096}
    configuration:
      - {subject: PLEX1/CSQ1, active_log_size_mib: 4000, active_logs: 12, dual_logging: true}
      - {subject: PLEX1/CSQ1/CHINIT, sharecnv_from: 10, sharecnv: 1, client_conversations: 900,
         message_bytes: 4096}
      - {subject: PLEX1/CF01/QSG1APPL1, offload: SMDS, message_bytes: 16384}
    lose: PLEX1/CF02

Any amount may be a range ``[low, high]``; the results are then ranges. Without ``start`` the
scenario is in force already. ``lose`` takes a coupling facility or a member of a queue sharing
group, or a list of them, after all other changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError, field_validator

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import near_or_all
from mqcap.whatif.parts import (
    AddedWorkload,
    ConfigurationChange,
    HardwareChange,
    ScenarioGrowth,
    ScenarioPart,
)

RANGES_MAX: Final = 5
"""All rules are evaluated at each corner: five ranges are 32 evaluations of the estate."""
_PARTS: Final[Mapping[str, type[ScenarioPart]]] = {
    "growth": ScenarioGrowth,
    "workload": AddedWorkload,
    "hardware": HardwareChange,
    "configuration": ConfigurationChange,
}
SECTIONS: Final = tuple(_PARTS)


class Scenario(ScenarioPart):
    """Changes to evaluate together. An empty scenario changes nothing."""

    title: str = ""
    start: date | None = None
    growth: tuple[ScenarioGrowth, ...] = ()
    workload: tuple[AddedWorkload, ...] = ()
    hardware: tuple[HardwareChange, ...] = ()
    configuration: tuple[ConfigurationChange, ...] = ()
    lose: tuple[str, ...] = ()
    """Coupling facilities and queue managers that are lost; a single name is a list of one."""

    @field_validator("lose", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    def corners(self) -> Iterator[Scenario]:
        """Yield the scenario at each combination of the ends of its ranges; itself without ranges.

        A ConfigurationError where it has more than ``RANGES_MAX`` ranges.
        """
        document = self.model_dump()
        places = [
            (part, key, tuple(map(float, value)))
            for section in SECTIONS
            for part in document[section]
            for key, value in part.items()
            if _is_range(value)
        ]
        if len(places) > RANGES_MAX:
            raise ConfigurationError(
                "too many ranges in one scenario",
                found=str(len(places)),
                expected=f"at most {RANGES_MAX}",
                remedy="Replace the ranges that matter least by single values.",
            )
        for ends in product((0, 1), repeat=len(places)):
            for (part, key, ends_of), end in zip(places, ends, strict=True):
                part[key] = ends_of[end]
            yield Scenario.model_validate(document)


def read_scenario(file: Path) -> Scenario:
    """Read a scenario from a YAML file; a ConfigurationError where it cannot be read or is none."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"scenario {file} cannot be read", found=str(error), expected="a YAML file"
        ) from error
    return scenario_of(text, str(file))


def scenario_of(text: str, name: str) -> Scenario:
    """Return the scenario of a YAML document; ``name`` identifies it in errors.

    A ConfigurationError where it is not YAML, changes nothing, or has an invalid key or value.
    """
    try:
        document = yaml.safe_load(text)
        scenario = Scenario.model_validate({} if document is None else document)
    except yaml.YAMLError as error:
        raise ConfigurationError(
            f"scenario {name} cannot be read", found=str(error), expected="a YAML file"
        ) from error
    except ValidationError as error:
        problems = "; ".join(_problem(item["loc"], item) for item in error.errors())
        raise ConfigurationError(f"scenario {name} is invalid", found=problems) from error
    if not any(getattr(scenario, change) for change in (*SECTIONS, "lose")):
        raise ConfigurationError(
            f"scenario {name} changes nothing",
            found="no change in it",
            expected=f"at least one of {', '.join(SECTIONS)} or lose",
            remedy="Write a change into it, as docs/plans.md shows, such as "
            "growth: [{subjects: [PLEX1/CSQ1], pct: 20}].",
        )
    return scenario


def _problem(place: tuple[int | str, ...], error: Mapping[str, Any]) -> str:
    where = ".".join(str(part) for part in place)
    if error["type"] != "extra_forbidden":
        return f"{where}: {str(error['msg']).removeprefix('Value error, ')}"
    part = Scenario if len(place) == 1 else _PARTS[str(place[0])]
    return f"{where}: no such key, expected {near_or_all(str(place[-1]), part.model_fields)}"


def _is_range(value: Any) -> bool:
    is_pair = isinstance(value, list | tuple) and len(value) == 2
    return is_pair and all(isinstance(end, int | float) for end in value)
