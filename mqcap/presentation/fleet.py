"""The fleet: findings of one site day with their figures, dates and tickets, most urgent first.

Page, reports, command line and REST API list findings in this order and word crossings so.
"""

from datetime import date
from typing import Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.console.states import where_reported
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState, reach_words
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import ABSENT, percent
from mqcap.domain.resource import HeatColumn
from mqcap.domain.subject import Subject
from mqcap.domain.ticket import Ticket
from mqcap.domain.urgency import Urgency, is_over, urgency
from mqcap.losses.cell import LossQuantity
from mqcap.presentation.quantities import Quantity, at_a_glance, of_limit, quantity
from sizing.rulebook.registry import all_rules

NOT_FORECAST = "not forecast"


class CrossingText(NamedTuple):
    """Wording of a crossing: what is printed first, and what explains it."""

    headline: str
    """``over the limit since 2026-01-30``, ``expected 2026-03-01``, ``not within a year``."""
    detail: str = ""
    """``earliest 2026-02-10, latest 2026-05-01``, or the reason of a missing date."""

    def __str__(self) -> str:
        """Return both in one clause."""
        return ", ".join(filter(None, self))


def crossing_text(crossing: Crossing | None, finding: Finding | None = None) -> CrossingText:
    """Return the wording of a crossing; ``None`` for a limit that is compared with no forecast.

    ``finding`` is that of the same rule and subject: it may be in breach without a crossing, and
    says on which side of the limit.
    """
    if finding is not None and finding.is_event:
        return CrossingText(f"reported {where_reported(finding.rule_id)}")
    is_of_loss = finding is not None and finding.is_of_loss
    if is_over(finding, crossing):
        where = f"{side(crossing, finding)} the limit"
        since = "once it is lost" if is_of_loss else since_words(crossing)
        return CrossingText(f"{where} {since}" if since else where)
    if crossing is None:
        return CrossingText("not passed if it were lost today" if is_of_loss else NOT_FORECAST)
    if crossing.state is CrossingState.will_cross:
        return _range(crossing)
    if crossing.state is CrossingState.not_within_horizon:
        return CrossingText(f"not within {reach_words(crossing)}")
    return CrossingText("no date", crossing.reason or "")


def _range(crossing: Crossing) -> CrossingText:
    reach = reach_words(crossing)
    earliest, expected, latest = crossing.dates
    if expected is None:
        return CrossingText(f"earliest {earliest}", f"not expected within {reach}")
    late = f"latest {latest}" if latest else f"perhaps not at all within {reach}"
    return CrossingText(f"expected {expected}", f"earliest {earliest or expected}, {late}")


def since_words(crossing: Crossing | None) -> str:
    """Return ``since 2026-01-30``, or that it was so on the first measured day; else nothing."""
    if crossing is None or crossing.breached_since is None:
        return ""
    if crossing.reason == SINCE_DATA_BEGINS:
        return f"{SINCE_DATA_BEGINS} ({crossing.breached_since})"
    return f"since {crossing.breached_since}"


def side(crossing: Crossing | None, finding: Finding | None) -> str:
    """Return on which side of its limit a breach is: ``over``, ``below`` or ``at``."""
    if finding is not None and finding.headroom_ratio == 0:
        return "at"
    source = finding or crossing
    return "below" if source and source.direction is Direction.downward else "over"


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
        """The observed figure in the units of the reader, with what it is where its rule names it.

        That of a loss with whose it is, and what is lost: neither is its subject.
        """
        finding = self.finding
        lost = f"when {finding.subject.in_sysplex} is lost" if finding.is_of_loss else ""
        words = (_names(finding)[0], whose_text(finding), lost)
        observed = quantity(finding.observed, finding.unit)
        if _is_longest(finding):
            observed = observed.model_copy(update={"unit": f"{observed.unit} {OR_MORE}"})
        return _named(observed, ", ".join(filter(None, words)))

    @property
    def limit(self) -> Quantity:
        """The limit in the units of the reader, with what it is where its rule names it.

        Of a figure within its limit with the level of its severity as well.
        """
        finding = self.finding
        limit = _named(quantity(finding.limit_value, finding.unit), _names(finding)[1])
        if not finding.deciding_words:
            return limit
        note = "; ".join(filter(None, (limit.note, finding.deciding_words)))
        return limit.model_copy(update={"note": note})

    @property
    def of_limit(self) -> str:
        """Both in one phrase: ``1.9 h of 12 h``, ``6.1 days allowed, 7 days scheduled``."""
        now, limit = now_and_limit(self.finding)
        names = _names(self.finding)
        if all(names) and now and limit:
            return f"{now} {names[0]}, {limit} {names[1]}"
        return of_limit(now, limit) or ABSENT

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


OR_MORE: Final = "or more"
SURVIVOR: Final = "survivor"
"""Input of a rule of losses: whose figure it is."""


def whose_text(finding: Finding) -> str:
    """Return what the figure of a loss is, and of which survivor; empty for other findings.

    Such as ``chinit 31-bit storage, CSQ2/CHINIT``.
    """
    if not finding.is_of_loss:
        return ""
    labels = [quantity.label for quantity in LossQuantity if quantity.rule_id == finding.rule_id]
    survivors = [given.value for given in finding.inputs if given.name == SURVIVOR]
    return ", ".join(
        [
            *labels,
            *(Subject(survivor).in_sysplex for survivor in survivors if isinstance(survivor, str)),
        ]
    )


def now_and_limit(finding: Finding) -> tuple[str, str]:
    """Return both as they are read at a glance; empty for what is not known."""
    observed, limit, unit = finding.observed, finding.limit_value, finding.unit
    more = f" {OR_MORE}" if _is_longest(finding) else ""
    return (
        "" if observed is None else f"{at_a_glance(observed, unit, limit)}{more}",
        "" if limit is None else at_a_glance(limit, unit),
    )


def _is_longest(finding: Finding) -> bool:
    """Return whether the figure is the longest time that its rule looks at."""
    rule = all_rules().get(finding.rule_id)
    if rule is None or finding.observed is None:
        return False
    return finding.observed >= max(rule.traits.longest, 2 * (finding.limit_value or 0))


def _named(value: Quantity, name: str) -> Quantity:
    return value.model_copy(update={"note": name}) if name and value.value is not None else value


def _names(finding: Finding) -> tuple[str, str]:
    """Return the names of both figures; empty for a rule that this release does not have."""
    rule = all_rules().get(finding.rule_id)
    return ("", "") if rule is None else (rule.traits.observed_name, rule.traits.limit_name)
