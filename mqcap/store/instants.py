"""Instants as a type of the columns of the store: in UTC on every database."""

from datetime import UTC, datetime

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware and in UTC in Python, on every database.

    SQLite stores no time zone; PostgreSQL returns that of its session.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the instant in UTC; raises TypeError for a value without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise TypeError(f"{dialect.name}: {value.isoformat()} has no time zone; give UTC")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored instant as aware and in UTC."""
        if value is None:
            return None
        stored_without_zone = dialect.name == "sqlite" or value.tzinfo is None
        return value.replace(tzinfo=UTC) if stored_without_zone else value.astimezone(UTC)
