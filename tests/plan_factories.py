"""Plans and losses for tests, each with plausible values that a test may change."""

from datetime import timedelta
from typing import Any, TypeVar

from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import (
    ChangePlan,
    Decision,
    Incident,
    InputsMissing,
    NotKept,
    Plan,
    PlanChange,
    PlanCost,
    PlanRule,
)
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.model import Loss
from mqcap.store.documents import plan_of_fields
from tests.factories import DAY, finding

_AnyPlan = TypeVar("_AnyPlan", bound=Decision)


def plan_change(**changed: Any) -> PlanChange:
    """Return a change to more and larger active logs."""
    values: dict[str, Any] = {
        "subject": "PLEX1/CSQ1",
        "text": "Define 16 active logs of CYL(5825) in each of the two copies instead of 8 of "
        "2,048 MiB.",
        "typed": "16 x CYL(5825)",
        "settings": {"active_log_size_mib": 4_095.7, "active_logs": 16},
        "before": {"active_log_size_mib": 2_048.0, "active_logs": 8},
    }
    return PlanChange(**(values | changed))


def plan_rule(rule_id: str = "LOG-RUNWAY-12H", subject: str = "PLEX1/CSQ1") -> PlanRule:
    """Return a mandatory rule that is at Act without its plan."""
    return PlanRule(
        rule_id=rule_id, subject=subject, title="Time until all logs are full", is_mandatory=True,
        before=Severity.act, after=Severity.ok, before_text="4.1 h of 12 h", after_text="13 h",
    )  # fmt: skip


def plan(**changed: Any) -> ChangePlan:
    """Return a plan of the active logs of one queue manager, of fields side by side."""
    made = _plan(**changed)
    assert isinstance(made, ChangePlan)
    return made


def with_base(made: _AnyPlan, **changed: Any) -> _AnyPlan:
    """Return a plan whose base has other fields."""
    return made.model_copy(update={"base": made.base.model_copy(update=changed)})


def incident(*, has_ended: bool = False, advice: str = "", **changed: Any) -> Incident:
    """Return what the console reported of the active logs, with the changes of ``plan``."""
    made = _plan(is_event=True, event_has_ended=has_ended, event_advice=advice, **changed)
    assert isinstance(made, Incident)
    return made


def inputs_missing(*missing: str, **changed: Any) -> InputsMissing:
    """Return the plan of active logs whose inputs are not known."""
    nothing = {"changes": (), "cost": PlanCost(), "is_feasible": False, "missing": missing}
    made = _plan(**nothing | changed)
    assert isinstance(made, InputsMissing)
    return made


def _plan(**changed: Any) -> Plan:
    if not changed.get("is_feasible", True) and not changed.get("missing"):
        changed = {"not_kept": (not_kept(),)} | changed
    values: dict[str, Any] = {
        "resource": "PLEX1/CSQ1/active_log",
        "label": "CSQ1 active logs",
        "kind": "active_log",
        "owner_subject": "PLEX1/CSQ1",
        "site_date": DAY,
        "severity": Severity.act,
        "is_feasible": True,
        "summary": "the active logs last 4.1 h of 12 h when archiving stops.",
        "worst_rule": "LOG-RUNWAY-12H",
        "worst_subject": "PLEX1/CSQ1",
        "made_on": DAY,
        "earliest_date": DAY + timedelta(days=14),
        "due_date": DAY + timedelta(days=14),
        "horizon_date": DAY + timedelta(days=180),
        "confidence": 0.9,
        "owner": "Payments MQ team",
        "changes": (plan_change(),),
        "cost": PlanCost(cylinders=139_792, dasd_mib=98_291, work_hours=10, weighted=143_792),
        "lasts_until": DAY + timedelta(days=190),
    }
    return plan_of_fields(values | changed)


def not_kept(rule_id: str = "LOG-RUNWAY-12H") -> NotKept:
    """Return a rule that no state keeps."""
    return NotKept(rule_id=rule_id, subject="PLEX1/CSQ1", fails_from=DAY, why="More space.")


def loss_cell(**changed: Any) -> LossCell:
    """Return CF busy of a survivor over its limit, caused by the loss."""
    values: dict[str, Any] = {
        "survivor": "PLEX1/CF03",
        "quantity": LossQuantity.cf_processor,
        "subject": changed.get("survivor", "PLEX1/CF03"),
        "rule_id": "CF-BUSY-N",
        "unit": "%",
        "limit": 60.0,
        "before": 21.5,
        "today": 72.93,
        "at_horizon": 80.0,
        "fails_before": False,
        "fails_today": True,
        "fails_from": None,
        "minutes_to_failure": None,
    }
    return LossCell(**(values | changed))


def loss(**changed: Any) -> Loss:
    """Return the loss of CF02, which CF03 has to carry."""
    values: dict[str, Any] = {
        "lost": "PLEX1/CF02",
        "kind": SubjectKind.coupling_facility,
        "site_date": DAY,
        "horizon_date": DAY + timedelta(days=180),
        "confidence": 0.9,
        "severity": Severity.watch,
        "is_production": True,
        "survivors": ("PLEX1/CF03",),
        "is_any_enough": False,
        "cells": (loss_cell(),),
    }
    return Loss(**(values | changed))


def loss_finding(rule_id: str, lost: str = "PLEX1/CF02", **changed: Any) -> Finding:
    """Return a finding at Watch about what survivors carry when a part is lost."""
    origin = LossSource(lost=lost)
    inputs = (InputValue(name="with_load", value=72.93, origin=origin),)
    values = {"rule_id": rule_id, "severity": Severity.watch, "inputs": inputs}
    return finding(lost, **values | changed)
