"""Texts of another kind within a file: reported, since the reader of the first kind skips them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mqcap.ingest.console.lines import HARDCOPY
from mqcap.ingest.text import TextFile

_BEGINNINGS: Final = {
    "mq_display": ("captures of DISPLAY commands", r"QMNAME\([^)\n]*\)\s+(?:STATUS|ROLE)\("),
    "amqsrua": ("text of amqsrua", r"Publication received PutDate:\d{8}"),
    "exposition": ("metrics as text", r"ibmmq_\w+(?:\{| [-+\d])"),
    "ztpf": ("text of z/TPF", r"MQSC\d{4}[IWE] \d\d\.\d\d\.\d\d "),
    "error_log": (
        "an error log",
        (r"----- \w+\.c : \d+ -|\{.*\"ibm_messageId\"|\S+ \S+ - Process\(\d"
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
_TELL_THEMSELVES: Final = frozenset({"smf", "formatter", "prometheus", "site_answers"})
"""Sources whose readers refuse what they do not know."""
_TOLD: Final = frozenset({("mq_display", "error_log")})
"""Pairs of which the reader of the first reports the second itself, with the number of records."""


def other_kinds(path: Path, source: str) -> Iterator[str]:
    """Yield a sentence for each other kind of text in a file that a source has read.

    Of a source whose readers refuse what they do not know, none.
    """
    if source in _TELL_THEMSELVES:
        return
    told = {source, *(second for first, second in _TOLD if first == source)}
    for number, line in enumerate(TextFile(path).lines(), start=1):
        found = _SEARCHED.match(line)
        if found is None or found.lastgroup is None or found.lastgroup in told:
            continue
        told.add(found.lastgroup)
        yield (
            f"{path.name}: line {number} begins {_BEGINNINGS[found.lastgroup][0]}, which is left"
            " out: send it as a file of its own."
        )
