"""Plans and losses for tests, each with plausible values that a test may change."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanRule
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.model import Loss
from tests.factories import DAY, finding


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


def plan(**changed: Any) -> Plan:
    """Return a plan of the active logs of one queue manager."""
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
    return Plan(**(values | changed))


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
