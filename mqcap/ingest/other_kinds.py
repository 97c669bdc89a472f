"""Texts of another kind within a file: reported, since the reader of the first kind skips them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mqcap.ingest.smf.dump_file import open_content, view_of

_BEGINNINGS: Final = {
    "mq_display": ("captures of DISPLAY commands", rb"QMNAME\([^)\n]*\)\s+(?:STATUS|ROLE)\("),
    "amqsrua": ("text of amqsrua", rb"Publication received PutDate:\d{8}"),
    "mq_statistics": ("statistics messages", rb"MonitoringType: (?:MQI|Queue|Channel)[SA]"),
    "ztpf": ("text of z/TPF", rb"MQSC\d{4}[IWE] \d\d\.\d\d\.\d\d "),
    "error_log": ("an error log", rb"----- \w+\.c : \d+ -|\{\"ibm_messageId\":"),
    "qm_ini": ("a qm.ini", rb"# mqcap qm\.ini "),
    "mq_json": ("output of mq_json", rb"\{\"collectionTime\":"),
    "prometheus": ("an answer of Prometheus", rb"\{\"status\":\"success\",\"data\":"),
}
"""What a line of a text begins with, by name of the source."""
_SEARCHED: Final = {
    name: (what, re.compile(rb"\n(?:" + beginning + rb")"))
    for name, (what, beginning) in _BEGINNINGS.items()
}
_TEXTS: Final = frozenset(
    {"mq_display", "amqsrua", "mq_statistics", "ztpf", "error_log", "qm_ini", "mq_json"}
)
"""Sources whose readers skip what they do not know."""
_TOLD: Final = frozenset({("mq_display", "error_log")})
"""Pairs of which the reader of the first reports the second itself, with the number of records."""


def other_kinds(path: Path, source: str) -> Iterator[str]:
    """Yield a sentence for each other kind of text in a file that a source has read.

    Of a source whose readers refuse what they do not know, none.
    """
    if source not in _TEXTS:
        return
    data = view_of(open_content(path).data)
    for name, (what, beginning) in _SEARCHED.items():
        if name == source or (source, name) in _TOLD:
            continue
        if found := beginning.search(data):
            line = bytes(data[: found.start() + 1]).count(b"\n") + 1
            yield (
                f"{path.name}: line {line} begins {what}, which is left out: send it as a file of "
                "its own."
            )
