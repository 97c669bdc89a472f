"""Advice of MP16 that has no figure to compare: cited text that explains findings."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel

from mqcap.domain.finding import Citation
from sizing.sources import mp16

FILE: Final = Path(__file__).with_name("advice.yaml")


class Advice(BaseModel, frozen=True, extra="forbid"):
    """An entry of the advice catalogue: a recommendation and the rules it helps."""

    id: str
    title: str
    text: str
    citation: Citation
    helps: tuple[str, ...]
    """Ids of rules and calculators."""


@cache
def all_advice() -> Mapping[str, Advice]:
    """Return all entries by id."""
    document: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    return {identity: _advice(identity, **entry) for identity, entry in sorted(document.items())}


def advice_for(rule_id: str) -> tuple[Advice, ...]:
    """Return the entries that help a rule or calculator."""
    return tuple(entry for entry in all_advice().values() if rule_id in entry.helps)


def _advice(identity: str, *, section: str, document: str = "", **entry: Any) -> Advice:
    citation = Citation(document=document, section=section) if document else mp16(section)
    return Advice(id=identity, citation=citation, **entry)
