"""A scenario: what might change, when, and by how much.

::

    title: Two more branches
    start: 2027-01-01
    growth:
      - {subjects: [PLEX1/CSQ1], pct: [10, 30]}
    workload:
      - {subject: PLEX1/CSQ1, log_mib_per_s: 0.4}
      - {subject: PLEX1/CSQ1/CHINIT, channels: 500}
      - {subject: PLEX1/CF01, cf_busy_points: 5}
    configuration:
      - {subject: PLEX1/CSQ1, active_log_size_mib: 4000, active_logs: 12}
      - {subject: PLEX1/CF01, engines: 2}

Any amount may be a range ``[low, high]``; the answer is then a range. Without ``start`` the
scenario is in force already.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from domain.errors import ConfigurationError

RANGES_MAX: Final = 5
"""Every corner is judged, so five ranges are 32 judgements of the whole estate."""


def _ordered(value: float | tuple[float, float]) -> float | tuple[float, float]:
    if isinstance(value, tuple) and value[0] > value[1]:
        raise ValueError("the first of a range must not be larger than the second")
    return value


Amount = Annotated[float | tuple[float, float], AfterValidator(_ordered)]
"""A number, or the two ends of a range."""


class Part(BaseModel):
    """Base of all parts: an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Growth(Part):
    """So many per cent more (less, when negative) of what is measured and forecast."""

    subjects: Annotated[tuple[str, ...], Field(min_length=1)]
    """Subjects, or patterns such as ``PLEX1/*``."""
    metrics: tuple[str, ...] = ()
    """Names of metrics; empty means every metric that is load."""
    pct: Amount


class Workload(Part):
    """Load that is added at all hours, in the unit in which it is known."""

    subject: str
    log_mib_per_s: Amount | None = None
    cf_busy_points: Amount | None = None
    """Points of CF busy per cent."""
    channels: Amount | None = None


class Configuration(Part):
    """Settings of one queue manager, or the engines of one coupling facility."""

    subject: Annotated[str, Field(pattern=r"^[^/]+/[^/]+$")]
    active_log_size_mib: Amount | None = None
    active_logs: Amount | None = None
    dual_logging: bool | None = None
    engines: Amount | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Configuration:
        logs = (self.active_log_size_mib, self.active_logs, self.dual_logging)
        if self.engines is not None and any(value is not None for value in logs):
            raise ValueError("engines belong to a coupling facility, logs to a queue manager")
        return self


class Scenario(Part):
    """All that might change. An empty scenario changes nothing."""

    title: str = ""
    start: date | None = None
    growth: tuple[Growth, ...] = ()
    workload: tuple[Workload, ...] = ()
    configuration: tuple[Configuration, ...] = ()

    def corners(self) -> Iterator[Scenario]:
        """The scenario at each combination of the ends of its ranges; itself without any.

        Raises:
            ConfigurationError: there are too many ranges.
        """
        places = list(_ranges(self))
        if len(places) > RANGES_MAX:
            raise ConfigurationError(
                "too many ranges in one scenario",
                found=str(len(places)),
                expected=f"at most {RANGES_MAX}",
                remedy="Fix the ones that matter least.",
            )
        document = self.model_dump()
        for ends in product((0, 1), repeat=len(places)):
            for (section, number, key, ends_of), end in zip(places, ends, strict=True):
                document[section][number][key] = ends_of[end]
            yield Scenario.model_validate(document)


def read_scenario(file: Path) -> Scenario:
    """A scenario from YAML.

    Raises:
        ConfigurationError: the file cannot be read, or has a key or value that does not fit.
    """
    try:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        return Scenario.model_validate({} if document is None else document)
    except (OSError, yaml.YAMLError) as error:
        raise ConfigurationError(
            f"scenario {file} cannot be read", found=str(error), expected="a YAML file"
        ) from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors()
        )
        raise ConfigurationError(f"scenario {file} does not fit", found=problems) from error


def _ranges(scenario: Scenario) -> Iterator[tuple[str, int, str, tuple[float, float]]]:
    for section in ("growth", "workload", "configuration"):
        part: Part
        for number, part in enumerate(getattr(scenario, section)):
            values: dict[str, Any] = part.model_dump()
            for key, value in values.items():
                if key in _AMOUNTS and isinstance(value, tuple):
                    yield section, number, key, value


_AMOUNTS: Final = frozenset(
    {
        "pct",
        "log_mib_per_s",
        "cf_busy_points",
        "channels",
        "active_log_size_mib",
        "active_logs",
        "engines",
    }
)
