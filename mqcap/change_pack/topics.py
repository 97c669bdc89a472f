"""Kinds of change of ``topics.yaml``: names, operands, statements, checks, steps and back-out.

Checked against the product documentation: DEFINE LOG (any time, from the console when the queue
manager waits for log space), CSQJUFMT (a new data set only, never one in use), CSQJU003 DELETE
(queue manager stopped), ALTER BUFFPOOL (asynchronous, CSQP023I; as many buffers as storage
allows), DEFINE BUFFPOOL in CSQINP1, COPYPAGE (target formatted, not smaller), SET LOG (until
restart), CFRM parameters of the administrative data utility (DEFINE POLICY replaces the complete
policy; SIZE 1.5 to 2 times INITSIZE), SETXCF START, channel initiator storage (REGION=0M, MEMLIMIT
at least 2G), MAXCHL 1 to 9999.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel, ConfigDict

from mqcap.domain.numbers import figure
from sizing.operands import OperandRange, operand_ranges
from sizing.sources import mp16

FILE: Final = Path(__file__).with_name("topics.yaml")
_DOCUMENTS: Final = {
    "mq": "IBM MQ reference",
    "zos": "z/OS reference",
    "appliance": "IBM MQ Appliance reference",
}
_RANGES: Final = {each.key: each for each in operand_ranges()}


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Operand(_Declared):
    """Operand of the statements about a topic."""

    operand: str
    takes: str
    """Range or form, or what is not known of it."""
    source: tuple[dict[str, str], ...] = ()
    """Sections by document; empty: found in none, so it is to be checked."""

    @property
    def looked_up_in(self) -> str:
        """Documents and sections as a text; empty without any."""
        return "; ".join(
            str(mp16(section)) if document == "mp16" else f"{_DOCUMENTS[document]}: {section}"
            for cited in self.source
            for document, section in cited.items()
        )


class Topic(_Declared):
    """One kind of change."""

    name: str
    keys: tuple[str, ...]
    """Settings of a plan that it types."""
    operands: tuple[Operand, ...]
    when: str
    checks: tuple[str, ...]
    steps: tuple[str, ...]
    back_out: tuple[str, ...]
    lines: str = ""
    """Statements with ``{value}``, ``{qmgr}``, ``{object}``, ``{number}``; empty: made by code."""


def _topics() -> Iterator[tuple[str, Topic]]:
    for topic, row in yaml.safe_load(FILE.read_text("utf-8")).items():
        keys = row.setdefault("keys", [topic])
        known = _RANGES.get(keys[0]) if keys else None
        if known is not None:
            for operand in row["operands"]:
                operand["takes"] = operand["takes"].format_map(_words_of(known))
        yield topic, Topic(**row)


def _words_of(known: OperandRange) -> dict[str, Any]:
    """Return what a text can say of the range of a setting."""
    return {
        "span": known.span,
        "high": "" if known.high is None else figure(known.high),
        "default": known.default,
        "remark": known.remark,
    }


TOPICS: Final = dict(_topics())
"""By the key of the setting, in the order of the notes."""
