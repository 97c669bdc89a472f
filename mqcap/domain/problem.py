"""Problems: what a rule keeps saying about a subject, followed over the days."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict

from mqcap.domain.finding import Severity


class ProblemState(StrEnum):
    """Where a problem stands on one day."""

    pending = "pending"
    """Seen, but not on enough days: nobody is told."""
    new = "new"
    """Told for the first time on this day."""
    worsening = "worsening"
    """Clearly worse than anything told before in this episode."""
    lasting = "lasting"
    """Known and unchanged."""
    acknowledged = "acknowledged"
    """People have said that they know; silent unless it gets worse."""
    improving = "improving"
    """Better than it was told, but not yet in order for long enough; answered or not."""
    resolved = "resolved"
    """In order on enough complete days."""
    reopened = "reopened"
    """Back within the active window, or its acceptance has run out."""

    @property
    def is_open(self) -> bool:
        """Whether people have been told and the matter is not settled."""
        return self not in {ProblemState.pending, ProblemState.resolved}


class MarkKind(StrEnum):
    """What people said about a problem in their tracker."""

    acknowledged = "acknowledged"
    accepted_until = "accepted_until"
    """The risk is accepted until a date."""
    known_project = "known_project"
    """A planned project will settle it."""
    false_alarm = "false_alarm"


class Mark(BaseModel):
    """One statement of people about one problem."""

    model_config = ConfigDict(frozen=True)

    key: str
    kind: MarkKind
    noted_date: date
    """The site date of the run that read it: as-of an earlier day nobody had said it."""
    until_date: date | None = None
    """Last day on which it holds; ``None`` while the episode lasts."""
    note: str = ""
    who: str = ""

    def holds_on(self, day: date) -> bool:
        """Whether it counts on a day."""
        return self.noted_date <= day and (self.until_date is None or day <= self.until_date)


class ProblemDay(BaseModel):
    """One problem on one day. It follows from the day before and the day's findings alone."""

    model_config = ConfigDict(frozen=True)

    key: str
    """``rule_id/subject``"""
    site_date: date
    state: ProblemState
    severity: Severity
    """Severity of the notice, see ``mqcap.notifications.grading``; not that of the rule."""
    over: bool
    """Whether measured values have passed the limit."""
    cause: str
    """Key of the problem that leads this one's group; its own when it stands alone."""
    first_seen_date: date
    """First bad day of the episode; of one that is back, the day on which it came back."""
    raised_date: date | None = None
    """The day on which people were told first; ``None`` while pending."""
    news_date: date | None = None
    """The last day on which it was a reason to write; ``None`` while pending."""
    resolved_date: date | None = None
    recent: str = ""
    """The last judged days, oldest first: ``1`` bad, ``0`` not."""
    clean_days: int = 0
    """Complete days in order since the last that was not."""
    told_severity: Severity = Severity.ok
    """The worst that was told since it was raised or came back, as are the next three."""
    told_over: bool = False
    told_headroom: float | None = None
    told_date: date | None = None
    """The nearest expected crossing date that was told."""
    breach_told_date: date | None = None
    """The day on which people were told that measured values have passed the limit."""
    probability: float | None = None
    """That the limit is passed within ``probability_days``; ``None``: no forecast."""
    probability_days: int | None = None
    """Within how many days one must act, by the grade policy."""
    peak_hour_utc: AwareDatetime | None = None
    """Start of the busiest hour of the worst day of its series; ``None`` without a series."""
    pages: bool = False
    """Whether it may wake somebody on this day."""
    mark: Mark | None = None
    """What people have said about it, as known on the day."""

    @property
    def is_news(self) -> bool:
        """Whether it is a reason to write to people on this day."""
        told = {ProblemState.new, ProblemState.worsening, ProblemState.reopened}
        return self.state in told or self.resolved_date == self.site_date
