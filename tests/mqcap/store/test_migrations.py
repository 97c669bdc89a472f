"""Each revision down and up again from a store with rows in every table, on both databases."""

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, select

from mqcap.store.database import MIGRATIONS, VERSION_TABLE, newest_revision, stored_revision
from mqcap.store.migrate import migrate
from mqcap.store.tables import Base
from tests.mqcap.store.postgres import differences_from_models, migration_context
from tests.mqcap.store.test_every_aggregate import write_a_day

pytestmark = pytest.mark.thorough

Rows = list[dict[str, object]]


def revisions() -> list[str]:
    """Return all revisions, oldest first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    result = ScriptDirectory.from_config(config).walk_revisions("base", "head")
    return [item.revision for item in result][::-1]


def rows_of(engine: Engine) -> dict[str, Rows]:
    """Return everything in the database by table."""
    schema = MetaData()
    schema.reflect(engine)
    with engine.connect() as connection:
        return {
            name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for name, table in schema.tables.items()
            if name != VERSION_TABLE
        }


def test_each_revision_goes_down_and_up_and_the_schema_is_that_of_the_tables(
    engine: Engine,
) -> None:
    write_a_day(engine)
    filled = rows_of(engine)
    assert set(filled) == set(Base.metadata.tables)
    assert [name for name, rows in filled.items() if not rows] == []
    for older in [*revisions()[-2::-1], "base"]:
        migrate(engine, older)
    assert rows_of(engine) == {}
    for newer in revisions():
        migrate(engine, newer)
    assert set(rows_of(engine)) == set(Base.metadata.tables)
    assert differences_from_models(engine) == []


def test_the_newest_revision_is_that_of_alembic_and_is_stored_by_it(engine: Engine) -> None:
    assert newest_revision() == revisions()[-1]
    for revision in (revisions()[0], revisions()[-1]):
        migrate(engine, revision)
        with engine.connect() as connection:
            found = migration_context(connection).get_current_revision()
            assert stored_revision(connection) == found == revision
