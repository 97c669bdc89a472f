"""The audit record of a day: only what belongs to it, as it was then."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.notifications.audit_record import audit_record, audit_record_text
from mqcap.store.feeds import upsert_source_files
from mqcap.store.outbox import save_delivery
from mqcap.store.problems import replace_problems, save_acknowledgements
from tests.factories import DAY, acknowledgement, delivery, problem_day, source_file, ticket
from tests.mqcap.steps.notify.builders import fine, judge, over

ONE_DAY = timedelta(days=1)
SECTIONS = {
    "site_date", "ran", "files", "missing_records", "found", "in_order_count", "crossings",
    "problems", "said", "answered", "noted", "tickets",
}  # fmt: skip


def at(day_offset: int, hour: int = 12) -> datetime:
    return datetime(DAY.year, DAY.month, DAY.day, hour, tzinfo=UTC) + day_offset * ONE_DAY


def ticket_delivery(offset: int, *, close: bool = False, **changed: Any) -> Delivery:
    """Return the delivery of a ticket, so many days after the day."""
    day = DAY + offset * ONE_DAY
    written = ticket(last_seen_date=day, **changed)
    return delivery(
        delivery_id=f"ticket {offset}",
        site_date=day,
        channel=Channel.ticket,
        recipient=written.dedupe_key,
        stage=Stage.sent,
        payload={"ticket": written.model_dump(mode="json"), "close": close},
    )


def test_an_empty_day_has_every_section(engine: Engine) -> None:
    document = audit_record(engine, DAY)
    empty: dict[str, Any] = {section: [] for section in SECTIONS}
    assert document == empty | {"site_date": "2026-03-02", "in_order_count": 0}


def test_what_is_in_order_is_only_counted(engine: Engine) -> None:
    judge(engine, DAY, [over(), fine("PLEX1/CSQ2"), fine("PLEX1/CSQ3")])
    document = audit_record(engine, DAY)
    assert [finding["subject"] for finding in document["found"]] == ["PLEX1/CSQ1"]
    assert document["found"][0]["citation"] == 'MP16, "Active logs"'
    assert document["in_order_count"] == 2


def test_files_are_those_with_an_interval_of_the_day_or_a_neighbouring_one(engine: Engine) -> None:
    spans = {
        "on the day": (at(0), at(0)), "the day before": (at(-1, 0), at(-1, 1)),
        "the day after": (at(1, 22), at(1, 23)), "over weeks": (at(-9), at(9)),
        "earlier": (at(-2, 22), at(-2, 23)), "later": (at(2, 0), at(2, 1)),
    }  # fmt: skip
    for name, (first, last) in spans.items():
        times = {"first_interval_utc": first, "last_interval_utc": last}
        upsert_source_files(engine, [source_file(sha256=name, name=name, **times)])
    found = {file["name"] for file in audit_record(engine, DAY)["files"]}
    assert found == {*spans} - {"earlier", "later"}


def test_a_file_without_intervals_belongs_to_the_day_on_which_it_arrived(engine: Engine) -> None:
    upsert_source_files(engine, [source_file()])
    assert len(audit_record(engine, DAY)["files"]) == 1
    assert audit_record(engine, DAY + ONE_DAY)["files"] == []


def test_acknowledgements_are_those_of_the_day_s_problems_up_to_it(engine: Engine) -> None:
    replace_problems(engine, DAY, [problem_day()])
    others = (acknowledgement("OTHER/PLEX1/CSQ9"), acknowledgement(noted_date=DAY + ONE_DAY))
    save_acknowledgements(engine, [acknowledgement(), *others])
    [only] = audit_record(engine, DAY)["answered"]
    assert (only["key"], only["noted_date"]) == ("LOG-FILL-30MIN/PLEX1/CSQ1", "2026-03-02")


def test_a_notification_has_its_text_and_the_hash_of_its_content(engine: Engine) -> None:
    content = "Content-Type: text/plain\r\n\r\nFigures.\r\n"
    save_delivery(engine, delivery(content=content))
    [mail] = audit_record(engine, DAY)["said"]
    assert mail["text"] == "Figures.\n"
    assert mail["content_sha256"] == hashlib.sha256(content.encode()).hexdigest()
    assert {"content", "payload"}.isdisjoint(mail)


def test_a_ticket_is_as_the_last_delivery_up_to_the_day_left_it(engine: Engine) -> None:
    for offset, title, close in ((0, "first", False), (3, "second", False), (5, "second", True)):
        save_delivery(engine, ticket_delivery(offset, title=title, close=close))
    shown = {
        offset: [(item["title"], item["state"]) for item in record["tickets"]]
        for offset in (-1, 0, 2, 3, 5, 6)
        for record in [audit_record(engine, DAY + offset * ONE_DAY)]
    }
    first, second, closed = [("first", "open")], [("second", "open")], [("second", "closed")]
    assert shown == {-1: [], 0: first, 2: first, 3: second, 5: closed, 6: []}


def test_the_keys_of_a_ticket_are_those_of_the_release_before(engine: Engine) -> None:
    save_delivery(engine, ticket_delivery(0))
    [shown] = audit_record(engine, DAY)["tickets"]
    assert set(shown) == {
        "dedupe_key", "severity", "title", "body", "due_date", "first_seen_date", "external_ref",
        "members", "previous_ref", "state", "last_word_date", "last_word_stage",
    }  # fmt: skip


def test_the_text_has_a_hash_of_itself_and_a_fixed_order() -> None:
    text = audit_record_text({"b": 1, "a": "\u00fc"})
    document = json.loads(text)
    digest = document.pop("sha256")
    body = json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)
    assert digest == hashlib.sha256(body.encode()).hexdigest()
    assert text == audit_record_text({"a": "\u00fc", "b": 1})
    assert "\u00fc" in text
