"""Texts of another kind within a file, which its reader does not know."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from mqcap.ingest.console.lines import HARDCOPY

_BEGINNINGS: Final = {
    "mq_display": ("captures of DISPLAY commands", r"QMNAME\([^)\n]*\)\s+(?:STATUS|ROLE)\("),
    "amqsrua": ("text of amqsrua", r"Publication received PutDate:\d{8}"),
    "exposition": ("metrics as text", r"ibmmq_\w+(?:\{| [-+\d])"),
    "ztpf": ("text of z/TPF", r"MQSC\d{4}[IWE] \d\d\.\d\d\.\d\d "),
    "error_log": (
        "an error log",
        (r"----- \w+\.c : \d+ -|\{.*\"ibm_messageId\"|\S+ \S+(?: [AP]M)? - Process\(\d"
        r"|\d{4}-\S+ AMQ\d{4}[IWEST]?: "),
    ),
    "qm_ini": ("a qm.ini", r"# mqcap qm\.ini "),
    "site_figures": ("site figures", r"subject,figure,time,|\{(?=.*\"subject\").*\"figure\""),
    "console": ("a console log", HARDCOPY.pattern.removeprefix("^").replace("(", "(?:")),
    "rmf": ("an RMF report", r".{0,8}C O U P L I N G   F A C I L"),
    "mq_json": ("output of mq_json", r"\{.*\"collectionTime\""),
    "omegamon": ("lines of OMEGAMON Data Provider", r"\{(?=.*\"table_name\").*\"write_time\""),
    "prometheus": ("an answer of Prometheus", r"\{(?=.*\"status\").*\"data\""),
    "mq_statistics": (
        "statistics messages", r"MonitoringType: (?:MQI|Queue|Channel)[SA]|\{.*\"eventSource\"",
    ),
}  # fmt: skip
"""What a line of a text begins with, by name of the source."""
_SEARCHED: Final = re.compile(
    "|".join(f"(?P<{name}>{beginning})" for name, (_, beginning) in _BEGINNINGS.items())
)


class OtherKind(NamedTuple):
    """The kind of text that a line begins."""

    source: str
    what: str


def other_kind(line: str, source: str) -> OtherKind | None:
    """Return the kind of text that a line begins, where it is not that of its file."""
    found = _SEARCHED.match(line)
    name = found.lastgroup if found else None
    return OtherKind(name, _BEGINNINGS[name][0]) if name and name != source else None
