"""Findings: what one rule says about one subject on one day."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.metric import Direction, Statistic, split_series_id


class Severity(StrEnum):
    """How urgent a finding is; ordered by ``rank``."""

    ok = "ok"
    suggestion = "suggestion"
    """Nothing breaks: something could be saved. Never over a limit, never told among problems."""
    unknown = "unknown"
    watch = "watch"
    act = "act"

    @property
    def rank(self) -> int:
        """0 for ok up to 4 for act."""
        return _RANKS[self]


_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}


class Citation(BaseModel):
    """Where a number comes from."""

    model_config = ConfigDict(frozen=True)

    document: str
    edition: str = ""
    section: str = ""

    def __str__(self) -> str:
        edition = f" ({self.edition})" if self.edition else ""
        section = f', "{self.section}"' if self.section else ""
        return f"{self.document}{edition}{section}"


class InputValue(BaseModel):
    """One input of a rule with its source, so that the arithmetic can be redone on paper."""

    model_config = ConfigDict(frozen=True)

    name: str
    value: float | int | str | None
    unit: str = ""
    source: str = ""
    """The series and day, or the settings key, that the value was taken from."""


class Effect(StrEnum):
    """What a change does to its rule, judged again on the same data."""

    enough = "enough"
    """Together with the finding's other changes of this kind, the rule is true."""
    relief = "relief"
    """It gives time or room, but does not by itself make the rule true."""
    measure = "measure"
    """A first step: no record tells how much is needed, so it is tried and measured."""


class Change(BaseModel):
    """One recommended change, ending in a figure that can be typed."""

    model_config = ConfigDict(frozen=True)

    action: str
    """A sentence: what to change and to what."""
    typed: str = ""
    """The figure as it is typed, such as ``CYL(4883)``; empty when there is none."""
    side_effects: str = ""
    effect: Effect = Effect.enough


class Finding(BaseModel):
    """What one rule says about one subject on one day.

    ``headroom_ratio`` is (limit - observed) / limit for upward limits and
    (observed - limit) / limit for downward ones; negative means breached, ``None`` unknown, or
    that there is nothing to run out of (a suggestion).
    """

    model_config = ConfigDict(frozen=True)

    rule_id: str
    subject: str
    site_date: date
    severity: Severity
    title: str
    """The rule's name in a few words."""
    summary: str
    """One sentence with the figures and their units."""
    observed: float | None = None
    limit_value: float | None = None
    unit: str = ""
    direction: Direction = Direction.upward
    breach: bool | None = None
    headroom_ratio: float | None = None
    series_id: str | None = None
    """The series whose forecast the limit is laid over; ``None`` for rules without one."""
    statistic: Statistic | None = None
    series_limit: float | None = None
    """What the limit is for that series, where the observed figure is made of several."""
    arithmetic: tuple[str, ...] = ()
    """Lines of calculation, each readable by itself."""
    advice: str = ""
    changes: tuple[Change, ...] = ()
    caveats: tuple[str, ...] = ()
    citation: Citation
    inputs: tuple[InputValue, ...] = ()
    missing: tuple[str, ...] = ()
    """Names of inputs that could not be found, each with how to supply it."""
    led_by: str = ""
    """A rule with a problem of the same subject and cause: messages name that one only."""

    @property
    def observed_when(self) -> str:
        """Which figure of which day the observed one is, such as ``peak of 2026-01-05``.

        As the input says that came from its series; empty where none did.
        """
        for item in self.inputs:
            if self.series_id and item.source.startswith(self.series_id):
                return item.source.removeprefix(self.series_id).strip(" ,")
        return ""

    @property
    def crossing_limit(self) -> float | None:
        """The value that its series must not pass."""
        return self.limit_value if self.series_limit is None else self.series_limit


_MEASURED: Final = re.compile(r"(?P<metric>[a-z0-9_]+)/[^,\s]+,")


def measured_metrics(finding: Finding) -> set[str]:
    """Metrics behind the finding's figure: the watched one, else those of its inputs."""
    if finding.series_id is not None:
        return {split_series_id(finding.series_id)[0]}
    matches = (_MEASURED.match(value.source) for value in finding.inputs)
    return {match["metric"] for match in matches if match is not None}
