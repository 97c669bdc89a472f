"""States of resources that the console reported: kept for good, replaced by the day they began."""

from collections.abc import Collection, Iterable
from datetime import date

from sqlalchemy import Engine, delete

from mqcap.domain.console.states import ConsoleState
from mqcap.store.database import writing
from mqcap.store.day_documents import CONSOLE_STATES
from mqcap.store.tables import ConsoleStateRow
from mqcap.store.upsert import key_batches, upsert


def replace_states(
    engine: Engine, site_dates: Collection[date], states: Iterable[ConsoleState]
) -> int:
    """Make these the only states that began on the days. Returns how many.

    One that began on another day is added or replaced: it may have ended since.
    """
    table = ConsoleStateRow
    with writing(engine, ConsoleStateRow) as connection:
        for days in key_batches(site_dates):
            connection.execute(delete(table).where(table.site_date.in_(days)))
        return upsert(connection, table, CONSOLE_STATES.rows(states))


def read_states(engine: Engine, first: date, last: date) -> list[ConsoleState]:
    """Return the states that count on a day from ``first`` to ``last``, by time."""
    table = ConsoleStateRow
    order = (table.first_utc, table.subject, table.message_id)
    return CONSOLE_STATES.read(
        engine, table.site_date <= last, table.last_date >= first, order=order
    )
