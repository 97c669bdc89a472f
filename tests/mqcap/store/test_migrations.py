"""Each revision down and up again from a store with rows in every table, on both databases."""

import pytest
from alembic import command
from sqlalchemy import Engine, func, select

from mqcap.store.database import newest_revision, stored_revision
from mqcap.store.migrate import config_of, revisions
from mqcap.store.tables import Base
from tests.mqcap.store.postgres import differences_from_models, migration_context
from tests.mqcap.store.test_every_aggregate import write_a_day

pytestmark = pytest.mark.thorough


def test_each_revision_goes_down_and_up_to_the_schema_of_the_tables(engine: Engine) -> None:
    write_a_day(engine)
    with engine.begin() as connection:
        counts = {
            name: connection.scalar(select(func.count()).select_from(table))
            for name, table in Base.metadata.tables.items()
        }
        assert [name for name, count in counts.items() if not count] == []
        config = config_of(connection)
        [*older, newest] = revisions(config)
        for revision in reversed(older):
            command.downgrade(config, revision)
        for revision in (*older, newest):
            command.upgrade(config, revision)
            found = migration_context(connection).get_current_revision()
            assert stored_revision(connection) == found == revision
    assert newest_revision() == newest
    assert differences_from_models(engine) == []
