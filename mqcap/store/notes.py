"""What people leave behind on the page: annotations of subjects, and named what-ifs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date

from sqlalchemy import Engine, delete, select

from mqcap.domain.delivery import Delivery
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.problem import Acknowledgement
from mqcap.store import tables
from mqcap.store.database import reading, writing
from mqcap.store.models import Annotation, Scenario
from mqcap.store.upsert import upsert

ID_DIGITS = 16


def save_annotation(engine: Engine, note: Annotation) -> None:
    """Keep a note; the same words of the same person about the same days are kept once."""
    parts = (note.subject, note.rule_id, str(note.first_date), str(note.last_date), note.who)
    digest = hashlib.sha256("\n".join((*parts, note.note)).encode()).hexdigest()
    row = {"annotation_id": digest[:ID_DIGITS], **note.model_dump()}
    with writing(engine) as connection:
        upsert(connection, tables.AnnotationRow, [row], keep=frozenset({"noted_at_utc"}))


def notes_on(engine: Engine, subject: str, last: date | None = None) -> list[Annotation]:
    """Notes on a subject and on what it is a part of, by day; up to a day when given."""
    parts = subject.split(SERIES_SEPARATOR)
    above = [SERIES_SEPARATOR.join(parts[:count]) for count in range(1, len(parts) + 1)]
    table = tables.AnnotationRow
    question = (
        select(*table.__table__.columns)
        .where(table.subject.in_(above))
        .order_by(table.first_date, table.noted_at_utc, table.annotation_id)
    )
    if last is not None:
        question = question.where(table.first_date <= last)
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Annotation.model_validate(dict(row)) for row in rows]


def notes_of_day(engine: Engine, day: date) -> list[Annotation]:
    """Notes whose days include this one, by subject."""
    table = tables.AnnotationRow
    question = (
        select(*table.__table__.columns)
        .where(table.first_date <= day, table.last_date >= day)
        .order_by(table.subject, table.noted_at_utc, table.annotation_id)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Annotation.model_validate(dict(row)) for row in rows]


def marks_of(engine: Engine, keys: Iterable[str], last: date) -> list[Acknowledgement]:
    """Everything that people have said about problems up to a day, oldest first."""
    table = tables.ProblemMark
    question = (
        select(*table.__table__.columns)
        .where(table.key.in_(sorted(set(keys))), table.noted_date <= last)
        .order_by(table.noted_date, table.key)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Acknowledgement.model_validate(dict(row)) for row in rows]


def ticket_deliveries(engine: Engine, dedupe_key: str, last: date) -> list[Delivery]:
    """What was written into the ticket of a problem up to a day, oldest first."""
    table = tables.Delivery
    question = (
        select(*table.__table__.columns)
        .where(table.channel == "ticket", table.recipient == dedupe_key, table.site_date <= last)
        .order_by(table.site_date, table.order_number)
    )
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Delivery.model_validate(dict(row)) for row in rows]


def save_scenario(engine: Engine, scenario: Scenario) -> None:
    """Keep a what-if under its name; an older one of that name is replaced."""
    with writing(engine) as connection:
        upsert(connection, tables.SavedScenario, [scenario.model_dump()])


def forget_scenario(engine: Engine, name: str) -> bool:
    """Forget a what-if; whether there was one of that name."""
    table = tables.SavedScenario
    with writing(engine) as connection:
        return connection.execute(delete(table).where(table.name == name)).rowcount > 0


def scenarios(engine: Engine, subject: str = "") -> list[Scenario]:
    """Named what-ifs by name; of one subject when given."""
    table = tables.SavedScenario
    question = select(*table.__table__.columns).order_by(table.name)
    if subject:
        question = question.where(table.subject == subject)
    with reading(engine) as connection:
        rows = connection.execute(question).mappings()
        return [Scenario.model_validate(dict(row)) for row in rows]
