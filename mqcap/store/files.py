"""Files as delivered, by content."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Engine

from mqcap.store.database import writing
from mqcap.store.fetch import fetch_models, select_columns
from mqcap.store.models import SourceFileFacts
from mqcap.store.tables import SourceFileRow
from mqcap.store.upsert import Row, upsert


def upsert_source_files(engine: Engine, rows: Iterable[SourceFileFacts | Row]) -> int:
    """Store files by content; a known file keeps its first landing instant. Returns how many."""
    with writing(engine, SourceFileRow) as connection:
        return upsert(
            connection,
            SourceFileRow,
            [SourceFileFacts.model_validate(row).model_dump() for row in rows],
            keep=frozenset({"landed_at_utc"}),
        )


def read_source_files(engine: Engine) -> list[SourceFileFacts]:
    """Return all files ever delivered, by day of receipt and hash."""
    table = SourceFileRow
    statement = select_columns(table).order_by(table.received_date, table.sha256)
    return fetch_models(engine, SourceFileFacts, statement)


def source_files_between(engine: Engine, begin: datetime, end: datetime) -> list[SourceFileFacts]:
    """Return files with intervals from ``begin`` up to ``end``, by day of receipt and hash."""
    table = SourceFileRow
    statement = (
        select_columns(table)
        .where(table.first_interval_utc < end, table.last_interval_utc >= begin)
        .order_by(table.received_date, table.sha256)
    )
    return fetch_models(engine, SourceFileFacts, statement)
