"""``mqcap outbox``: pending and unconfirmed deliveries."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from mqcap.cli.outbox import CHANNEL_WORDS
from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.store.outbox import (
    last_notified_date,
    read_deliveries,
    save_delivery,
    waiting_deliveries,
)
from tests.factories import DAY
from tests.mqcap.cli.command_line import invoked, output_of

pytestmark = pytest.mark.thorough


def test_an_unconfirmed_delivery_can_be_sent_again(notified: Settings, engine: Engine) -> None:
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    assert "No notification is pending" in output_of("outbox", "list")
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert mail.delivery_id[:12] in output_of("outbox", "list")
    output_of("outbox", "resend", mail.delivery_id[:12])
    assert [delivery.stage for delivery in waiting_deliveries(engine)] == [Stage.pending]
    with pytest.raises(ConfigurationError, match="does not identify one delivery"):
        output_of("outbox", "resend", "zz")


def test_a_confirmed_delivery_is_not_sent_again(notified: Settings, engine: Engine) -> None:
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    with pytest.raises(ConfigurationError, match="is not waiting for confirmation"):
        output_of("outbox", "confirm", mail.delivery_id)
    save_delivery(engine, mail.model_copy(update={"stage": Stage.unconfirmed}))
    assert last_notified_date(engine, Channel.mail, DAY) is None
    output_of("outbox", "confirm", mail.delivery_id[:12])
    assert last_notified_date(engine, Channel.mail, DAY) == DAY
    assert "No notification is pending" in output_of("outbox", "list")


def test_the_list_shows_why_a_delivery_is_pending(notified: Settings, engine: Engine) -> None:
    mail = mail_of(engine)
    failed = {"stage": Stage.pending, "error": "mail server: no answer", "sent_at_utc": None}
    save_delivery(engine, mail.model_copy(update=failed))
    assert output_of("outbox", "list").strip() == (
        f"{mail.delivery_id[:12]}  {DAY}  email  pending  {mail.subject_line}  "
        "mail server: no answer"
    )


def test_a_delivery_of_a_replay_is_neither_listed_nor_sent(
    notified: Settings, engine: Engine
) -> None:
    mail = mail_of(engine)
    replayed = {"replay": True, "stage": Stage.pending, "delivery_id": "f" * 32}
    save_delivery(engine, mail.model_copy(update=replayed))
    assert "No notification is pending" in output_of("outbox", "list")
    error = invoked("outbox", "resend", "f" * 32).exception
    assert isinstance(error, ConfigurationError)
    assert "found 1 deliveries of a replay" in str(error)


def test_a_prefix_of_several_deliveries_identifies_none(notified: Settings) -> None:
    error = invoked("outbox", "confirm", "").exception
    assert isinstance(error, ConfigurationError)
    assert "found 2 deliveries" in str(error)
    assert "mqcap outbox list" in str(error)


def mail_of(engine: Engine) -> Delivery:
    """Return the one email in the store."""
    [mail] = [delivery for delivery in read_deliveries(engine) if delivery.channel == "mail"]
    return mail


def test_every_channel_has_its_words() -> None:
    assert set(CHANNEL_WORDS) == set(Channel)
