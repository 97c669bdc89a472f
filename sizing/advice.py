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
    found = {}
    for identity, entry in sorted(document.items()):
        section, cited = entry.pop("section"), entry.pop("document", "")
        citation = Citation(document=cited, section=section) if cited else mp16(section)
        found[identity] = Advice(id=identity, citation=citation, **entry)
    return found


def advice_for(rule_id: str) -> tuple[Advice, ...]:
    """Return the entries that help a rule or calculator."""
    return tuple(entry for entry in all_advice().values() if rule_id in entry.helps)
