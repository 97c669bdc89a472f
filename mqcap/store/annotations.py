"""Annotations: what people wrote down about a subject and some of its days."""

import hashlib
from datetime import date
from typing import Final

from sqlalchemy import Engine, delete

from mqcap.domain.subject import Subject
from mqcap.store.database import writing
from mqcap.store.fetch import read_models
from mqcap.store.models import Annotation, SavedScenario
from mqcap.store.tables import AnnotationRow, SavedScenarioRow
from mqcap.store.upsert import upsert

ID_DIGITS: Final = 16


def save_annotation(engine: Engine, annotation: Annotation) -> None:
    """Store an annotation; the same words of the same person on the same days are stored once."""
    row = annotation.model_dump()
    parts = (row[name] for name in ("subject", "rule_id", "first_date", "last_date", "who", "note"))
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
    row["annotation_id"] = digest[:ID_DIGITS]
    with writing(engine, AnnotationRow) as connection:
        upsert(connection, AnnotationRow, [row], keep=frozenset({"noted_at_utc"}))


def annotations_of(engine: Engine, subject: str, last: date | None = None) -> list[Annotation]:
    """Return annotations on a subject and on what it is a part of, by day; up to ``last``."""
    table = AnnotationRow
    until = [] if last is None else [table.first_date <= last]
    above = table.subject.in_(Subject(subject).and_above)
    order = (table.first_date, table.noted_at_utc, table.annotation_id)
    return read_models(engine, Annotation, table, above, *until, order=order)


def annotations_on(engine: Engine, day: date) -> list[Annotation]:
    """Return annotations whose days include this one, by subject."""
    table = AnnotationRow
    on_day = (table.first_date <= day, table.last_date >= day)
    order = (table.subject, table.noted_at_utc, table.annotation_id)
    return read_models(engine, Annotation, table, *on_day, order=order)


def save_scenario(engine: Engine, scenario: SavedScenario) -> None:
    """Store a scenario under its name; an older one of that name is replaced."""
    with writing(engine, SavedScenarioRow) as connection:
        upsert(connection, SavedScenarioRow, [scenario.model_dump()])


def delete_scenario(engine: Engine, name: str) -> bool:
    """Delete a scenario. Returns ``True`` when there was one of that name."""
    table = SavedScenarioRow
    with writing(engine, SavedScenarioRow) as connection:
        return connection.execute(delete(table).where(table.name == name)).rowcount > 0


def read_scenarios(engine: Engine) -> list[SavedScenario]:
    """Return saved scenarios by name."""
    return read_models(engine, SavedScenario, SavedScenarioRow, order=(SavedScenarioRow.name,))
