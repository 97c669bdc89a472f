"""Bring the schema of a store to the newest revision, or to another one, by Alembic."""

import logging
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from mqcap.domain.errors import ConfigurationError
from mqcap.store.database import BEGIN_OPTION, MIGRATIONS, stored_revision, take_turns
from mqcap.store.tables import Base

_MIGRATION_LOCK: Final = 0x6D71636170  # any constant number, here "mqcap" in ASCII
_MIGRATED: Final = (
    "The store of another release was migrated from schema %s to %s; all its rows are kept."
)
_log = logging.getLogger(__name__)


def migrate(engine: Engine, revision: str = "head") -> None:
    """Upgrade (or, for an older revision, downgrade) the schema under a lock.

    Raises ConfigurationError for a schema of a newer release, or of one before 0.2.0.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    with engine.execution_options(**{BEGIN_OPTION: "EXCLUSIVE"}).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            take_turns(connection, Base.metadata.tables)
        config.attributes["connection"] = connection
        history = list(scripts.walk_revisions("base", "head"))
        revisions = [script.revision for script in reversed(history)]
        current = stored_revision(connection)
        if current is not None and current not in revisions:
            raise _of_another_release(engine, current, revisions)
        target = revisions[-1] if revision == "head" else revision
        if _position(revisions, target) >= _position(revisions, current):
            command.upgrade(config, target)
        else:
            command.downgrade(config, target)
    if current not in {None, target}:
        _log.warning(_MIGRATED, current, target)


def _position(revisions: list[str], revision: str | None) -> int:
    return -1 if revision in {None, "base"} else revisions.index(str(revision))


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
