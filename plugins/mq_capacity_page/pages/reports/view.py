"""Reports of a day, its emails and tickets, and how forecasts have done."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.pages.reports.accuracy import AccuracyView, accuracy_view
from mq_capacity_page.pages.reports.mail import MailPreview, mail_preview
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.delivery import Delivery
from mqcap.notifications.ticket_list import ListedTicket, listed_tickets
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.store.outbox import read_deliveries
from mqcap.store.tickets import read_tickets

NAVIGATION: Final = NavigationEntry("reports", "Reports", "reports", order=40)


OPTIONS: Final = (
    (ReportKind.daily, "Daily", "For operations in the morning."),
    (ReportKind.weekly, "Weekly", "What changed in a week, with charts."),
    (ReportKind.monthly, "Monthly plan", "For the change advisory board."),
)


class ReportsView(ViewModel):
    """What can be taken along of a day."""

    options: tuple[tuple[ReportKind, str, str], ...] = OPTIONS
    """Kind, title and what it is for."""
    formats: tuple[ReportFormat, ...] = tuple(ReportFormat)
    deliveries: Sequence[tuple[Delivery, MailPreview]]
    tickets: Sequence[ListedTicket]
    """Open ones first, the most severe of them first."""
    open_tickets: int
    accuracy: AccuracyView


def reports_view(context: PageContext, day: date, days: int) -> ReportsView:
    """Return what can be taken along of a day, and the accuracy of the last ``days`` days."""
    stored = read_deliveries(context.engine, day)
    of_day = read_tickets(context.engine, as_of=day)
    tickets = listed_tickets(context.engine, context.settings, of_day, day)
    return ReportsView(
        deliveries=[(each, mail_preview(each.content)) for each in stored],
        tickets=tickets,
        open_tickets=sum(each.is_open for each in tickets),
        accuracy=accuracy_view(context, day, days),
    )
