"""JSON documents of the store: how models are written as one, and read again."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, TypeAdapter

from mqcap.domain.finding import Finding
from mqcap.domain.numbers import counted
from mqcap.domain.plan import Plan, PlanDates, PlanEvidence, PlanReason, PlanTopic, PlanVariant

CACHED_FINDINGS: Final = 20_480
"""Two days of a fleet of 10,000 series; more are parsed again each time."""


_PLAN: Final = TypeAdapter[Plan](Annotated[Plan, Field(discriminator="form")])
_PARTS: Final[Mapping[str, type[BaseModel]]] = {
    "about": PlanTopic,
    "dates": PlanDates,
    "reason": PlanReason,
    "evidence": PlanEvidence,
    "base": PlanVariant,
}
_DAYS_SHOWN: Final = 5
RUN_AGAIN: Final = "Run these days again."
"""What to do about documents that cannot be read."""


def dump_json(document: Any) -> str:
    """Return the text of a JSON column, one for equal content; ValueError for NaN and infinity."""
    return json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False)


def as_document(model: BaseModel) -> dict[str, Any]:
    """Return a model as the value of a JSON column; NaN and infinity become ``null``."""
    document: dict[str, Any] = json.loads(model.model_dump_json())
    return document


@lru_cache(maxsize=CACHED_FINDINGS)
def parse_finding(document: str) -> Finding:
    """Return the finding in a JSON document, one object for equal ones; ValueError for none."""
    return Finding.model_validate_json(document)


def parse_plan(document: str) -> Plan:
    """Return the plan in a JSON document; raises ValueError if it holds none."""
    values = json.loads(document)
    return plan_of_fields(values) if "worst_rule" in values else _PLAN.validate_python(values)


def plan_of_fields(fields: Mapping[str, Any]) -> Plan:
    """Return the plan of all fields side by side, as release 0.2.0 stored them."""
    named = {"worst_rule": "rule_id", "worst_subject": "subject"}
    named["worst_headroom_ratio"] = "headroom_ratio"
    values = {named.get(name, name): value for name, value in fields.items()}
    parts = {name: model for name, model in _PARTS.items() if name not in values}
    for name, model in parts.items():
        values[name] = {key: values[key] for key in model.model_fields if key in values}
    is_waiting = not (fields.get("changes") or fields.get("is_feasible", True))
    values["form"] = "changes"
    if fields.get("is_event"):
        values |= {"form": "incident", "is_over": fields.get("event_has_ended", False)}
        values["advice"] = fields.get("event_advice", "")
    elif is_waiting and fields.get("missing"):
        values["form"] = "inputs_missing"
    return _PLAN.validate_python(values)


def unreadable_rows(table: str, days: Sequence[date]) -> str:
    """Return how many rows of a table cannot be read, with their first days, from that of each."""
    shown = ", ".join(map(str, sorted(set(days))[:_DAYS_SHOWN]))
    return f"{counted(len(days), 'row')} of {table} cannot be read, on {shown}"
