"""Losses of coupling facilities and members of queue sharing groups by site day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Engine, delete

from mqcap.losses.model import Loss, loss_order
from mqcap.store.database import writing
from mqcap.store.documents import as_document, parse_loss
from mqcap.store.fetch import fetch_documents, select_document
from mqcap.store.tables import LossRow
from mqcap.store.upsert import insert_rows


def replace_losses(engine: Engine, site_date: date, losses: Iterable[Loss]) -> int:
    """Make these the only losses of a day. Returns how many."""
    table = LossRow
    with writing(engine, LossRow) as connection:
        connection.execute(delete(table).where(table.site_date == site_date))
        rows = (
            {
                "lost": loss.lost,
                "site_date": site_date,
                "severity": loss.severity,
                "document": as_document(loss),
            }
            for loss in losses
        )
        return insert_rows(connection, table, rows)


def read_losses(engine: Engine, site_date: date) -> list[Loss]:
    """Return the losses of a day, most urgent first; empty where nothing can be lost."""
    statement = select_document(LossRow.document).where(LossRow.site_date == site_date)
    return sorted(fetch_documents(engine, statement, parse_loss), key=loss_order)
