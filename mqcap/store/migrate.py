"""Bring the schema of a store to the newest revision, by Alembic."""

import logging
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from mqcap.domain.errors import ConfigurationError
from mqcap.store.database import BEGIN_OPTION, MIGRATIONS, stored_revision, take_turns
from mqcap.store.tables import Base

_MIGRATION_LOCK: Final = 0x6D71636170  # any constant number, here "mqcap" in ASCII
_MIGRATED: Final = (
    "The store of another release was migrated from schema %s to %s; all its rows are kept."
)
_log = logging.getLogger(__name__)


def migrate(engine: Engine) -> None:
    """Make the tables of an empty store, or upgrade those of an older release, under a lock.

    Raises ConfigurationError for a schema of a newer release, or of one before 0.2.0.
    """
    with engine.execution_options(**{BEGIN_OPTION: "EXCLUSIVE"}).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            take_turns(connection, Base.metadata.tables)
        current, config = stored_revision(connection), config_of(connection)
        if current is None:
            Base.metadata.create_all(connection)
            command.stamp(config, "head")
            return
        known = revisions(config)
        if current not in known:
            raise _of_another_release(engine, current, known)
        command.upgrade(config, "head")
    if current != known[-1]:
        _log.warning(_MIGRATED, current, known[-1])


def config_of(connection: Connection) -> Config:
    """Return Alembic's configuration for commands on a connection."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def revisions(config: Config) -> list[str]:
    """Return all revisions of the schema, oldest first."""
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    return [script.revision for script in scripts][::-1]


def _of_another_release(engine: Engine, found: str, known: list[str]) -> ConfigurationError:
    is_older = found < known[0]
    return ConfigurationError(
        f"the store {engine.url.render_as_string(hide_password=True)} has the schema of "
        + ("a release before 0.2.0" if is_older else "a newer release of mqcap"),
        found=f"revision {found}",
        expected=f"at {'least' if is_older else 'most'} revision {known[0 if is_older else -1]}",
        remedy="Keep it as a backup, name a new store (store.url), and load the files again."
        if is_older
        else "Install the release that migrated it, or restore the backup made before that.",
    )
