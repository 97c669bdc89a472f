"""Findings with changes, and their change pack."""

from __future__ import annotations

from mqcap.change_pack.pack import change_pack
from mqcap.domain.finding import Change, Citation, Finding, InputValue
from mqcap.domain.typed_amount import TypedAmount
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from tests import factories
from tests.mqcap.rulebook.builders import (
    DAY,
    QUEUE_MANAGER,
)


def finding(rule: str, subject: str, *amounts: TypedAmount, **inputs: float) -> Finding:
    return factories.finding(
        subject,
        rule_id=rule,
        site_date=DAY,
        changes=tuple(Change(action="Change it.", amount=amount) for amount in amounts),
        citation=Citation(document="MP16", edition="14", section="A section"),
        inputs=tuple(InputValue(name=name, value=value) for name, value in inputs.items()),
        arithmetic=("1 + 1 = 2",),
        advice="Do something else.",
        caveats=(),
    )


def pack(engine: Store, *found: Finding) -> str:
    replace_findings(engine, DAY, list(found))
    return change_pack(engine, DAY)


def logs(rule: str, *amounts: TypedAmount, dual: bool | None = True, **changed: float) -> Finding:
    inputs: dict[str, float] = {"active_logs": 4, "log_size_mib": 1_000} | changed
    if dual is not None:
        inputs["dual_logging"] = dual
    return finding(rule, QUEUE_MANAGER, *amounts, **inputs)
