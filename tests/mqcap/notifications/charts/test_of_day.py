"""Pictures of the stored emails of a day, by the key of what they show."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

from sqlalchemy import Engine

from mqcap.domain.delivery import Channel
from mqcap.notifications.charts.of_day import stored_charts
from mqcap.store.outbox import save_delivery
from tests.factories import DAY, delivery
from tests.mqcap.presentation.test_charts import KEYED, png

KEYED_PNG = png((b"IHDR", bytes(13)), KEYED)
FORMER_PNG = png((b"IHDR", bytes(13)))


def content(*pictures: bytes) -> str:
    message = EmailMessage()
    message.set_content("text")
    for picture in pictures:
        message.add_attachment(picture, "image", "png", filename="a.png")
    return message.as_string()


def test_pictures_with_a_key_are_those_of_the_capacity_emails_of_the_day(engine: Engine) -> None:
    other = png((b"IHDR", bytes(13)), (b"tEXt", KEYED[1] + b"other"))
    days = (
        (DAY, Channel.mail, (KEYED_PNG, FORMER_PNG)),
        (DAY, Channel.data, (other,)),
        (DAY, Channel.ticket, (other,)),
        (DAY - timedelta(days=1), Channel.mail, (other,)),
    )
    for number, (day, channel, pictures) in enumerate(days):
        row = {"site_date": day, "channel": channel, "content": content(*pictures)}
        save_delivery(engine, delivery(delivery_id=str(number), **row))
    assert stored_charts(engine, DAY) == {"abc": KEYED_PNG}


def test_without_an_email_there_is_no_picture(engine: Engine) -> None:
    assert stored_charts(engine, DAY) == {}
    save_delivery(engine, delivery(content="no message at all"))
    assert stored_charts(engine, DAY) == {}
