"""The emails about one day, with what can be shown of each."""

from __future__ import annotations

from datetime import date

from mq_capacity_page.pages.mail.preview import MailPreview, mail_preview
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.delivery import Delivery
from mqcap.store.outbox import read_deliveries


class MailView(ViewModel):
    """The deliveries about one day."""

    deliveries: list[tuple[Delivery, MailPreview]]


def mail_view(context: PageContext, day: date | None) -> MailView:
    """Return the deliveries about a day; none before the first evaluated day."""
    stored = read_deliveries(context.engine, day) if day else []
    return MailView(deliveries=[(each, mail_preview(each.content)) for each in stored])
