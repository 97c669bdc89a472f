"""Results that a specification expects of rules."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class PlantedRule(BaseModel):
    """Result expected of a rule for its owner on the last day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    part: str = ""
    """Last part of the subject, such as CHINIT; empty for the owner itself."""
    breach: bool
