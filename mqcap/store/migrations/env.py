"""Alembic's entry point: always on the connection that ``mqcap.store.migrate.migrate`` holds."""

from alembic import context

from mqcap.store.database import VERSION_TABLE
from mqcap.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
