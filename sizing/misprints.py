"""Contradictions and misprints of the documents, and how each is read here."""

from functools import cache

from pydantic import BaseModel

from sizing.table import rows


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
