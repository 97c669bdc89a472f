"""What the plan of one resource is made from."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from mqcap.domain.resource import Resource
from mqcap.judging.evaluate import DayFacts, Verdict
from sizing.rulebook.entry import Rule

State = dict[str, float | int | bool | str]
"""Values of the settings of a resource, by key of a scenario's ``configuration``."""


class RuleOfSubject(NamedTuple):
    """A rule of the resource, and a subject that it is evaluated for."""

    rule: Rule
    subject: str


class PlanContext(NamedTuple):
    """A resource on a day: its rules, its facts, and the days that a plan has to last."""

    resource: Resource
    facts: DayFacts
    """Facts of the resource's queue manager, or of the facilities of its sysplex."""
    verdicts: tuple[Verdict, ...]
    """Results of its rules on the day."""
    pairs: tuple[RuleOfSubject, ...]
    earliest_date: date
    horizon_date: date

    @property
    def site_date(self) -> date:
        """The evaluated day."""
        return self.facts.observed.last

    def input_of(self, name: str) -> float | None:
        """Return a number that a rule of the resource used, by name of the input."""
        for verdict in self.verdicts:
            for value in verdict.finding.inputs:
                if value.name == name and isinstance(value.value, int | float):
                    return float(value.value)
        return None
