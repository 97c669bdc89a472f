"""Plans, and losses of coupling facilities and members of sharing groups, by site day."""

from collections.abc import Iterable
from datetime import date

from sqlalchemy import Engine, select

from mqcap.domain.plan import Plan
from mqcap.domain.urgency import plan_order
from mqcap.losses.model import Loss, loss_order
from mqcap.store.day_documents import LOSSES, PLANS
from mqcap.store.fetch import fetch_values
from mqcap.store.tables import LossRow, PlanRow


def replace_plans(engine: Engine, site_date: date, plans: Iterable[Plan]) -> int:
    """Make these the only plans of a day. Returns how many."""
    return PLANS.replace(engine, site_date, site_date, plans, site_date=site_date)


def read_plans(engine: Engine, site_date: date) -> list[Plan]:
    """Return the plans of a day, most urgent first; empty when every resource is in order."""
    return sorted(PLANS.read(engine, PlanRow.site_date == site_date), key=plan_order)


def find_plan(engine: Engine, resource: str, site_date: date) -> Plan | None:
    """Return the plan of a resource on a day; ``None`` where there is none."""
    found = PLANS.read(engine, PlanRow.site_date == site_date, PlanRow.resource == resource)
    return next(iter(found), None)


def plan_resources(engine: Engine, site_date: date) -> set[str]:
    """Return the paths of the resources that have a plan on a day."""
    column = PlanRow.resource
    return set(fetch_values(engine, select(column).where(PlanRow.site_date == site_date)))


def previous_plans(engine: Engine, site_date: date) -> dict[str, Plan]:
    """Return the plans of the last day before ``site_date`` that has any, by resource path."""
    last = PLANS.last_day_before(engine, site_date)
    return {} if last is None else {plan.resource: plan for plan in read_plans(engine, last)}


def replace_losses(engine: Engine, site_date: date, losses: Iterable[Loss]) -> int:
    """Make these the only losses of a day. Returns how many."""
    return LOSSES.replace(engine, site_date, site_date, losses, site_date=site_date)


def read_losses(engine: Engine, site_date: date) -> list[Loss]:
    """Return the losses of a day, most urgent first; empty where nothing can be lost."""
    return sorted(LOSSES.read(engine, LossRow.site_date == site_date), key=loss_order)
