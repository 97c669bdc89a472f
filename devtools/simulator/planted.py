"""What a specification says that rules must find."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class PlantedRule(BaseModel):
    """What a rule of the rulebook must say of its owner on the last day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    part: str = ""
    """Last part of the subject, such as CHINIT; empty for the owner itself."""
    breach: bool
