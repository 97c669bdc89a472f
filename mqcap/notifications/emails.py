"""DailyEmails of a day: which mails there are to write, with charts, references and outlooks."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from mqcap.domain.delivery import Channel, Delivery
from mqcap.domain.forecast import Forecast
from mqcap.domain.problem import Problem
from mqcap.notifications.charts import chart_data, draw
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_message import MessageContext, chart_problems, detailed, render
from mqcap.notifications.email_subject import MailTopic
from mqcap.notifications.oncall_page import page_message, paging_problems
from mqcap.notifications.outbox import (
    plan_mail,
    recipients_of,
)
from mqcap.notifications.outlook import MailOutlook, forecast_lines
from mqcap.notifications.undelivered_alerts import with_undelivered_alerts
from mqcap.presentation.date_changes_since_alert import SinceTold
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.forecasts import find_forecast
from mqcap.store.observations import read_observations
from mqcap.store.outbox import last_notified_date, undelivered_dates
from mqcap.store.scores import recent_accuracy
from mqcap.store.tickets import read_tickets

CHART_DAYS: Final = 200
"""Days of history read for a chart (ours); it draws the last 180."""
_WEEKDAYS: Final = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
)  # fmt: skip


class DailyEmails:
    """The mails of one digest, each to its own people."""

    def __init__(self, settings: Settings, engine: Store, said: Digest, *, replay: bool) -> None:
        self._settings = settings
        self._alerts = settings.alerts
        self._engine = engine
        self._said = said
        self._replay = replay

    def all(self) -> list[Delivery]:
        """Pages, the mail about capacity and the one about data; those that have a reason."""
        return [*self._pages(), *self._capacity(), *self._data()]

    def _capacity(self) -> list[Delivery]:
        data_is_ours = not self._alerts.data_mail_to
        news = self._said.has_changes or (data_is_ours and self._said.data_changed)
        first = self._said.previous_date is None
        if not (
            news
            or first
            or self._was_missed()
            or is_weekly(self._said.site_date, self._alerts.weekly_digest)
        ):
            return []
        letterhead = self._letterhead(self._alerts.mail_to, Channel.mail)
        self._said = with_undelivered_alerts(self._engine, self._said, letterhead.untold)
        message = render(
            self._said,
            letterhead,
            charts=self._charts(),
            references=self._references(),
            outlooks=self._outlooks(),
        )
        return [plan_mail(self._said, message, replay=self._replay)]

    def _was_missed(self) -> bool:
        """Whether an open problem was news on days that were only replayed: nobody knows it."""
        if self._replay:
            return False
        told = last_notified_date(self._engine, Channel.mail, self._said.site_date)
        dates = [problem.status.notified_date for problem in self._said.problems]
        return any(day is not None and (told is None or day > told) for day in dates)

    def _data(self) -> list[Delivery]:
        if not self._alerts.data_mail_to or not self._said.data_changed:
            return []
        changes = {"groups": (), "resolved": (), "unknown": (), "unseen": ()}
        only_data = self._said.model_copy(update=changes)
        letterhead = self._letterhead(self._alerts.data_mail_to, Channel.data)
        message = render(only_data, letterhead, about=MailTopic.data)
        return [plan_mail(only_data, message, replay=self._replay, channel=Channel.data)]

    def _pages(self) -> list[Delivery]:
        if not self._alerts.page_to:
            return []
        return [
            plan_mail(
                self._said,
                page_message(problems, self._alerts),
                replay=self._replay,
                channel=Channel.page,
                alerts_sha256=problems[0].status.cause,
            )
            for problems in paging_problems(self._said)
        ]

    def _letterhead(self, to: tuple[str, ...], channel: Channel) -> MessageContext:
        day = self._said.site_date
        return MessageContext(
            site_name=self._settings.site.name,
            mail_from=self._alerts.mail_from,
            mail_to=to,
            page_url=self._alerts.page_url,
            alerts=self._alerts,
            untold=()
            if self._replay
            else undelivered_dates(self._engine, channel, recipients_of(to), day),
        )

    def _references(self) -> dict[str, str]:
        """By problem: the ticket of that time, as far as it is known."""
        day = self._said.site_date
        tickets = read_tickets(self._engine, self._alerts.ticket_backend)
        return {
            key: ticket.external_ref
            for ticket in tickets
            if ticket.first_seen_date <= day <= ticket.last_seen_date
            for key in (ticket.members or (ticket.dedupe_key,))
        }

    def _charts(self) -> dict[str, bytes]:
        told = chart_problems(self._said, self._alerts.mail_budget)
        drawn = {problem.key: self._chart(problem) for problem in told}
        return {key: png for key, png in drawn.items() if png is not None}

    def _chart(self, problem: Problem) -> bytes | None:
        crossing = problem.crossing
        if crossing is None:
            return None
        last = crossing.cutoff_date
        first = last - timedelta(days=CHART_DAYS)
        days = read_observations(self._engine, crossing.series_id, first, last)
        history = [(day.site_date, float(getattr(day, crossing.statistic))) for day in days]
        data = chart_data(problem, history, self._forecast(problem))
        return None if data is None else draw(data)

    def _outlooks(self) -> dict[str, MailOutlook]:
        """What is said of those told in full, and the moved dates of all that are listed."""
        budget = self._alerts.mail_budget
        told = {problem.key: self._lines(problem) for problem in detailed(self._said, budget)}
        since = SinceTold(self._settings, self._engine, self._said.site_date)
        listed = [one for group in self._said.groups[: budget.lines] for one in group.problems]
        moved = {one.key: since.words(one.crossing) for one in listed if one.crossing}
        return {
            key: MailOutlook(lines=told.get(key, ()), moved=moved.get(key, ""))
            for key in sorted({*told, *moved})
        }

    def _lines(self, problem: Problem) -> tuple[str, ...]:
        crossing = problem.crossing
        if crossing is None:
            return ()
        kept = recent_accuracy(
            self._engine, crossing.series_id, crossing.statistic, crossing.cutoff_date
        )
        return forecast_lines(problem, self._forecast(problem), kept)

    def _forecast(self, problem: Problem) -> Forecast | None:
        crossing = problem.crossing
        if crossing is None:
            return None
        return find_forecast(
            self._engine, crossing.series_id, crossing.statistic, crossing.cutoff_date
        )


def is_weekly(day: date, weekly: str) -> bool:
    """Whether a mail is sent of this day even when nothing has changed."""
    return _WEEKDAYS[day.weekday()] == weekly
