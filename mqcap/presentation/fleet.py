"""The fleet: findings of one site day with their dates and tickets, most urgent first.

Page, reports, command line and REST API list findings in this order.
"""

from datetime import date

from pydantic import BaseModel

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import percent
from mqcap.domain.resource import HeatColumn
from mqcap.domain.ticket import Ticket
from mqcap.domain.urgency import Urgency, is_over, urgency
from mqcap.presentation.crossing_text import CrossingText, crossing_text
from mqcap.presentation.finding_figures import limit_quantity, observed_of_limit, observed_quantity
from mqcap.presentation.quantities import Quantity


class FleetLine(BaseModel, frozen=True):
    """A finding as a row of the table."""

    finding: Finding
    crossing: Crossing | None
    ticket: Ticket | None
    sysplex: str
    names: tuple[str, ...]
    """The subject's path below the sysplex."""
    resource: HeatColumn
    """*Other* for a rule that this release does not have."""
    system_class: SystemClass | None
    """``None`` for what is shared between queue managers, such as a coupling facility."""
    is_production: bool = True
    """Whether production depends on it; what several classes share has the highest of them."""
    qsg: str = ""
    """Queue sharing group of the queue manager; empty for all else."""
    due_date: date | None = None
    """The last day on which the change can be made in time: the earliest crossing less lead time
    and freezes. ``None``: over already, or without a date."""
    limits: str = ""
    """Of a line that stands for a whole loss how many limits that passes, where several."""

    @property
    def key(self) -> tuple[str, str]:
        """Rule and subject."""
        return self.finding.rule_id, self.finding.subject

    @property
    def rule_words(self) -> str:
        """The rule; of a whole loss that of its worst limit, and how many it passes."""
        return "; ".join(filter(None, (self.finding.rule_id, self.limits)))

    @property
    def observed(self) -> Quantity:
        """The observed value, in the units of the reader."""
        return observed_quantity(self.finding)

    @property
    def limit(self) -> Quantity:
        """The limit, in the units of the reader."""
        return limit_quantity(self.finding)

    @property
    def of_limit(self) -> str:
        """Observed and limit in one phrase, such as ``1.9 h of 12 h``."""
        return observed_of_limit(self.finding)

    @property
    def shows_fullness(self) -> bool:
        """Return true if its figure says how much of something that runs out is left."""
        return self.finding.headroom_counts and self.finding.headroom_ratio is not None

    @property
    def observed_when_short(self) -> str:
        """Statistic and day of the observed value, such as ``p95 of 2026-01-05``."""
        source = self.finding.observed_source
        return source.short_when if source is not None else ""

    @property
    def is_over(self) -> bool:
        """Return true if measured values have passed the limit."""
        return is_over(self.finding, self.crossing)

    @property
    def advice(self) -> str:
        """The advice of the rule, which is about the measured day alone.

        What is at Act or Watch before its limit is passed has no change yet, and the reason for
        its severity in place of "nothing to change".
        """
        finding = self.finding
        is_ahead = finding.severity.is_urgent and finding.breach is False
        if finding.changes or not is_ahead:
            return finding.advice
        if self.crossing is not None and self.crossing.state is CrossingState.will_cross:
            return f"No change yet: {self.when.headline}."
        return f"No change yet: {percent(finding.headroom_ratio)} headroom."

    @property
    def when(self) -> CrossingText:
        """The crossing in words."""
        return crossing_text(self.crossing, self.finding)

    @property
    def used_ratio(self) -> float | None:
        """Share of the limit that is used, 0 to 1, for the bar; ``None`` when unknown."""
        ratio = self.finding.headroom_ratio
        return None if ratio is None else min(1.0, max(0.0, 1.0 - ratio))

    @property
    def urgency(self) -> Urgency:
        """The sort key, most urgent first."""
        return urgency(
            self.finding, self.crossing, is_production=self.is_production, due_date=self.due_date
        )
