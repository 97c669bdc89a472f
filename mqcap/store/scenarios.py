"""Saved what-if scenarios by name."""

from __future__ import annotations

from sqlalchemy import Engine, delete

from mqcap.store.database import writing
from mqcap.store.fetch import fetch_models, select_columns
from mqcap.store.models import SavedScenario
from mqcap.store.tables import SavedScenarioRow
from mqcap.store.upsert import upsert


def save_scenario(engine: Engine, scenario: SavedScenario) -> None:
    """Store a scenario under its name; an older one of that name is replaced."""
    with writing(engine, SavedScenarioRow) as connection:
        upsert(connection, SavedScenarioRow, [scenario.model_dump()])


def delete_scenario(engine: Engine, name: str) -> bool:
    """Delete a scenario. Returns ``True`` when there was one of that name."""
    table = SavedScenarioRow
    with writing(engine, SavedScenarioRow) as connection:
        return connection.execute(delete(table).where(table.name == name)).rowcount > 0


def read_scenarios(engine: Engine, subject: str = "") -> list[SavedScenario]:
    """Return saved scenarios by name; of one subject when given."""
    table = SavedScenarioRow
    statement = select_columns(table).order_by(table.name)
    if subject:
        statement = statement.where(table.subject == subject)
    return fetch_models(engine, SavedScenario, statement)
