"""Plans and findings with changes, and their change pack."""

from collections.abc import Sequence
from typing import Any

from mqcap.change_pack.pack import change_pack
from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.finding import Change, Citation, Finding
from mqcap.domain.plan import Plan, PlanChange
from mqcap.domain.typed_amount import TypedAmount
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests import factories, plan_factories
from tests.mqcap.rulebook.builders import DAY


def finding(rule: str, subject: str, *amounts: TypedAmount) -> Finding:
    return factories.finding(
        subject,
        rule_id=rule,
        site_date=DAY,
        changes=tuple(Change(action="Change it.", amount=amount) for amount in amounts),
        citation=Citation(document="MP16", edition="14", section="A section"),
        advice="Do something else.",
    )


def change(subject: str, before: dict[str, Any] | None = None, **settings: Any) -> PlanChange:
    """Return a change of these settings, in words of no importance."""
    return plan_factories.plan_change(
        subject=subject,
        text="Change it.",
        typed=", ".join(f"{key} {value}" for key, value in settings.items()),
        settings=settings,
        before=before or {},
    )


def plan_of(*changes: PlanChange, **changed: Any) -> Plan:
    """Return a plan of these changes, about a resource of its own."""
    subject = changes[0].subject if changes else "PLEX1/CSQ1"
    values = {"resource": subject, "label": subject, "site_date": DAY, "changes": changes}
    return plan_factories.plan(**(values | changed))


def estate_of(*managers: QueueManager) -> Estate:
    return Estate(sysplexes=(Sysplex(sysplex="PLEX1", qmgrs=managers),))


def pack(
    engine: Store,
    plans: Sequence[Plan],
    findings: Sequence[Finding] = (),
    estate: Estate | None = None,
    **options: Any,
) -> str:
    """Store plans and findings of ``DAY`` and return their pack."""
    replace_findings(engine, DAY, list(findings) or [finding("LOG-FILL-30MIN", "PLEX1/CSQ1")])
    replace_plans(engine, DAY, plans)
    return change_pack(engine, estate or estate_of(), DAY, **options)
