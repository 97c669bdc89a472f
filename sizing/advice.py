"""Remarks on rules: advice of MP16 without a figure to compare, and misprints of the documents."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel

from mqcap.domain.finding import Citation
from sizing.sources import mp16
from sizing.table import rows

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


class Misprint(BaseModel, frozen=True, extra="forbid"):
    """An ambiguity, inconsistency or misprint of a document."""

    flag: str
    ids: tuple[str, ...]
    """The entries that it concerns."""
    finding: str
    reading: str
    """The reading that the entries follow."""
    source: str


@cache
def all_misprints() -> tuple[Misprint, ...]:
    """Return every flag of the catalogue."""
    return tuple(
        Misprint.model_validate({**item, "ids": item["ids"].split()}) for item in rows("misprints")
    )


def misprints_of(rule_id: str) -> tuple[Misprint, ...]:
    """Return the flags that concern one rule, calculator or advice."""
    return tuple(item for item in all_misprints() if rule_id in item.ids)
