"""Problems: the findings of one rule about one subject, tracked from day to day.

An alias is the key under which older releases stored a field.
"""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, Field

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.subject import Subject
from mqcap.domain.urgency import Urgency, is_over, urgency


class ProblemState(StrEnum):
    """The state of a problem on one day."""

    pending = "pending"
    """Bad on too few days to raise it: no notification."""
    new = "new"
    """Raised on this day: the first notification."""
    worsening = "worsening"
    """Clearly worse than anything notified before in this episode."""
    lasting = "lasting"
    """Notified earlier and unchanged."""
    acknowledged = "acknowledged"
    """Covered by an acknowledgement: no notification unless it gets worse."""
    improving = "improving"
    """Better than it was notified, but not yet in order for long enough; acknowledged or not."""
    resolved = "resolved"
    """In order on enough complete days."""
    reopened = "reopened"
    """Back within the reopening window, or its acceptance has expired."""

    @property
    def is_open(self) -> bool:
        """True from the first notification until the problem is resolved."""
        return self not in {ProblemState.pending, ProblemState.resolved}

    @property
    def has_begun(self) -> bool:
        """True on the first day of an episode: new or back."""
        return self in {ProblemState.new, ProblemState.reopened}


class AcknowledgementKind(StrEnum):
    """The ways to acknowledge a problem."""

    acknowledged = "acknowledged"
    accepted_until = "accepted_until"
    """The risk is accepted until a date."""
    known_project = "known_project"
    """A planned project will resolve it."""
    false_alarm = "false_alarm"


class Acknowledgement(BaseModel, frozen=True):
    """A person's acknowledgement of one problem."""

    key: str
    kind: AcknowledgementKind
    noted_date: date
    """The site date of the run that read it; it does not count on earlier days."""
    until_date: date | None = None
    """Last day on which it holds; ``None`` for as long as the episode lasts."""
    note: str = ""
    who: str = ""

    def holds_on(self, day: date) -> bool:
        """Return True when it counts on a day."""
        return self.noted_date <= day and (self.until_date is None or day <= self.until_date)


class ProblemDay(BaseModel, frozen=True, populate_by_name=True, serialize_by_alias=True):
    """Problem on a day of its episode, made of the day before and the day's findings alone."""

    key: str
    site_date: date
    state: ProblemState
    severity: Severity
    """Severity of the alert, see ``mqcap.notifications.grading``; not that of the rule."""
    over: bool
    resource: Subject = Field(alias="cause")
    first_seen_date: date
    """First bad day of the episode; of a problem that is back, the day on which it came back."""
    raised_date: date | None = None
    """The day of the first notification; ``None`` while pending."""
    notified_date: date | None = Field(default=None, alias="news_date")
    resolved_date: date | None = None
    in_estate: bool | None = None
    """Whether the settings described its subject on that day; ``None`` where that is not known."""
    left_date: date | None = None
    """The day on which it was resolved because its subject is no longer in the estate."""
    recent: str = ""
    """The last judged days, oldest first: ``1`` bad, ``0`` not."""
    clean_days: int = 0
    """Complete days in order since the last that was not."""
    notified_severity: Severity = Field(default=Severity.ok, alias="told_severity")
    """The worst notified in this episode, as are the next three."""
    notified_over: bool = Field(default=False, alias="told_over")
    notified_headroom: float | None = Field(default=None, alias="told_headroom")
    """Ratio of the limit."""
    notified_crossing_date: date | None = Field(default=None, alias="told_date")
    """The nearest expected crossing date that was notified."""
    breach_notified_date: date | None = Field(default=None, alias="breach_told_date")
    """The day of the notification that measured values are over the limit."""
    probability: float | None = None
    """Of passing the limit within ``probability_days``, 0 to 1; ``None`` without a forecast."""
    probability_days: int | None = None
    """Within how many days one must act, by the grade policy."""
    peak_hour_utc: AwareDatetime | None = None
    """Start of the busiest hour of the worst day of its series; ``None`` without a series."""
    pages: bool = False
    """True when it may page the on-call staff on this day."""
    acknowledgement: Acknowledgement | None = Field(default=None, alias="mark")

    @property
    def is_new_or_changed(self) -> bool:
        """True when the day calls for a notification: raised, worse, back or resolved."""
        is_worse = self.state is ProblemState.worsening
        return self.state.has_begun or is_worse or self.resolved_date == self.site_date


class Problem(BaseModel, frozen=True):
    """An open problem with the finding and the crossing of the day."""

    finding: Finding
    crossing: Crossing | None
    """``None`` when the finding has no series to forecast."""
    status: ProblemDay
    is_production: bool = Field(default=True, exclude=True)
    """True when production depends on the subject. Not part of the identity of a digest."""
    due_date: date | None = Field(default=None, exclude=True)

    @property
    def key(self) -> str:
        """The key, ``rule_id/subject``."""
        return self.status.key

    @property
    def severity(self) -> Severity:
        """Severity of the alert, which also considers its probability and the system's class."""
        return self.status.severity

    @property
    def state(self) -> ProblemState:
        """The state on the day."""
        return self.status.state

    @property
    def over(self) -> bool:
        """True when measured values are over the limit."""
        return is_over(self.finding, self.crossing)

    @property
    def becomes_ticket(self) -> bool:
        """True when it was one to act on in this episode and is not a false alarm."""
        acknowledgement = self.status.acknowledgement
        if acknowledgement and acknowledgement.kind is AcknowledgementKind.false_alarm:
            return False
        return self.status.notified_severity is Severity.act

    @property
    def expected_date(self) -> date | None:
        """The day to plan for; ``None`` when over already or not expected to cross."""
        return planned_for(self.finding, self.crossing)

    @property
    def urgency(self) -> Urgency:
        """Sort key, most urgent first."""
        return urgency(
            self.finding,
            self.crossing,
            severity=self.severity,
            is_production=self.is_production,
            due_date=self.due_date,
        )


def planned_for(finding: Finding, crossing: Crossing | None) -> date | None:
    """Return the day to plan for; ``None`` when over already or not expected to cross."""
    if is_over(finding, crossing) or crossing is None:
        return None
    return crossing.expected_date or crossing.earliest_date
