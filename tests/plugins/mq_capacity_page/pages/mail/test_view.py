"""The emails of a day as a model."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mq_capacity_page.pages.mail.view import mail_view
from mq_capacity_page.web.context import PageContext
from mqcap.store.outbox import save_delivery
from tests.plugins import builder


def test_the_mails_of_a_day_are_listed_with_their_text(context: PageContext) -> None:
    [(delivery, shown)] = mail_view(context, builder.DAY).deliveries
    assert delivery.subject_line == "ACT PLEX1 CSQ1 log"
    assert shown.text == "One thing needs action."


@pytest.mark.parametrize("day", [builder.DAY - timedelta(days=1), None])
def test_another_day_and_no_day_have_no_mails(context: PageContext, day: date | None) -> None:
    assert mail_view(context, day).deliveries == []


def test_each_mail_of_a_day_has_its_own_preview(context: PageContext) -> None:
    second = builder.delivery(delivery_id="d2", content="<p>Two</p>", recipient="b@example.com")
    save_delivery(context.engine, second)
    shown = {
        delivery.delivery_id: (preview.text, preview.html)
        for delivery, preview in mail_view(context, builder.DAY).deliveries
    }
    assert shown == {"d1": ("One thing needs action.", None), "d2": ("", "<p>Two</p>")}
