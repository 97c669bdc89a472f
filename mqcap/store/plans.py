"""Plans, and losses of coupling facilities and members of sharing groups, by site day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Engine, delete, func, select

from mqcap.domain.plan import Plan
from mqcap.domain.plan_order import plan_order
from mqcap.losses.model import Loss, loss_order
from mqcap.store.database import writing
from mqcap.store.documents import as_document, parse_loss, parse_plan
from mqcap.store.fetch import fetch_documents, fetch_value, fetch_values, select_document
from mqcap.store.tables import LossRow, PlanRow
from mqcap.store.upsert import insert_rows


def replace_plans(engine: Engine, site_date: date, plans: Iterable[Plan]) -> int:
    """Make these the only plans of a day. Returns how many."""
    table = PlanRow
    with writing(engine, PlanRow) as connection:
        connection.execute(delete(table).where(table.site_date == site_date))
        rows = (
            {
                "resource": plan.resource,
                "site_date": site_date,
                "severity": plan.severity,
                "due_date": plan.due_date,
                "document": as_document(plan),
            }
            for plan in plans
        )
        return insert_rows(connection, table, rows)


def read_plans(engine: Engine, site_date: date) -> list[Plan]:
    """Return the plans of a day, most urgent first; empty when every resource is in order."""
    statement = select_document(PlanRow.document).where(PlanRow.site_date == site_date)
    return sorted(fetch_documents(engine, statement, parse_plan), key=plan_order)


def find_plan(engine: Engine, resource: str, site_date: date) -> Plan | None:
    """Return the plan of a resource on a day; ``None`` where there is none."""
    statement = select_document(PlanRow.document).where(
        PlanRow.site_date == site_date, PlanRow.resource == resource
    )
    return next(iter(fetch_documents(engine, statement, parse_plan)), None)


def plan_resources(engine: Engine, site_date: date) -> set[str]:
    """Return the paths of the resources that have a plan on a day."""
    column = PlanRow.resource
    return set(fetch_values(engine, select(column).where(PlanRow.site_date == site_date)))


def previous_plans(engine: Engine, site_date: date) -> dict[str, Plan]:
    """Return the plans of the last day before ``site_date`` that has any, by resource path."""
    column = PlanRow.site_date
    last = fetch_value(engine, select(func.max(column)).where(column < site_date))
    return {} if last is None else {plan.resource: plan for plan in read_plans(engine, last)}


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
