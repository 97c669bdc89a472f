"""qm.ini of a queue manager: settings that hold from the time at which it was captured.

A capture begins with a line of its own, since the file names neither queue manager nor time::

    # mqcap qm.ini QMGR(QM1) HOST(mq1) NOW(2026-03-14T00:00:00+0000)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from mqcap.domain.datasets import QMGR_SETTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.shown_text import MASK, names_credential
from mqcap.ingest.capture_stamp import keyword, stamp_utc
from mqcap.ingest.text_reading import Omissions, TextInput, TextReading

HEADER: Final = "# mqcap qm.ini"
_STANZA: Final = re.compile(r"^([A-Za-z]\w*):\s*$")
_SETTING: Final = re.compile(r"^\s*([A-Za-z]\w*)\s*=(.*)$")
_KNOWN_STANZA: Final = re.compile(
    r"^(Log|ExitPath|Channels|TuningParameters|Service):[ \t]*$", re.MULTILINE
)
_LISTED: Final = re.compile(r"^QueueManager:[ \t]*$", re.MULTILINE)


@dataclass
class _QmIniReading(TextReading):
    """A pass over one qm.ini, or several; settings hold on all days that follow."""

    def tables(self) -> Iterator[tuple[str, Any]]:
        lines = list(self.text.lines())
        head = self.text.head
        is_ini = head.startswith(HEADER) or _KNOWN_STANZA.search(head) is not None
        if not is_ini and _LISTED.search(head) is not None and "=" in head:
            raise self._list(lines)
        begins = [at for at, line in enumerate(lines) if at == 0 or line.startswith(HEADER)]
        rows = []
        for begin, end in pairwise([*begins, len(lines)]):
            qmgr, host, from_utc = self._stamp(lines[begin])
            self.note(from_utc, from_utc)
            whose = {"qmgr": qmgr, "host": host, "from_utc": from_utc}
            found = _settings(lines[begin:end], self.left_out, begin)
            rows += [whose | setting | {"file_sha256": self.file_sha256} for setting in found]
        if not rows:
            raise self.unusable(
                "a qm.ini without any setting",
                expected="stanzas such as Log: with lines key=value",
                remedy="Send the whole file.",
            )
        yield self.table(QMGR_SETTING.name, rows)

    def _stamp(self, line: str) -> tuple[str, str, datetime]:
        qmgr, now = keyword("QMGR", line), keyword("NOW", line)
        found = line[:100]
        if line.startswith(HEADER) and qmgr and is_mq_name(qmgr) and now:
            try:
                return qmgr, keyword("HOST", line) or "", stamp_utc(now)
            except ValueError as error:
                found = str(error)
        raise InputError(
            "a qm.ini that does not tell whose it is and of when",
            file=self.name,
            found=found,
            expected=f"the first line {HEADER} QMGR(QM1) HOST(mq1) NOW(2026-03-14T00:00:00+0000)",
            remedy="Put that line in front of it, with the time of the capture.",
        )

    def _list(self, lines: list[str]) -> InputError:
        """Return the error for a list of queue managers, with the files that have the settings."""
        listed: list[dict[str, str]] = []
        for setting in _settings(lines, self.left_out):
            if setting["stanza"] == "queuemanager" and setting["key"] == "name":
                listed.append({"prefix": "", "directory": ""})
            if setting["stanza"] == "queuemanager" and listed:
                listed[-1][setting["key"]] = setting["value"]
        shown = listed[:10]
        folders = [
            file.get("datapath") or f"{file['prefix']}/qmgrs/{file['directory']}" for file in shown
        ]
        files = ", ".join(f"{folder}/qm.ini" for folder in folders)
        return InputError(
            "a list of queue managers (dspmqinf, mqs.ini), which has no setting of them",
            file=self.name,
            found=f"queue managers {', '.join(file['name'] for file in shown)}",
            expected=f"a qm.ini with the first line {HEADER} QMGR(QM1) HOST(mq1) NOW(time)",
            remedy=f"Send {files} with that line, or use mqcap capture --kind linux.",
        )


def _settings(
    lines: list[str], left_out: Omissions, lines_before: int = 0
) -> Iterator[dict[str, str]]:
    """Yield stanza and key in lower case, for MQ makes no difference; credentials are masked."""
    stanza = ""
    for number, line in enumerate(lines, start=lines_before + 1):
        if line.lstrip().startswith(("#", ";")):
            left_out.is_other(line, number)
            continue
        if named := _STANZA.match(line):
            stanza = named[1].lower()
        elif stanza and (setting := _SETTING.match(line)):
            key, value = setting[1].lower(), setting[2].strip()
            yield {"stanza": stanza, "key": key, "value": MASK if names_credential(key) else value}
        else:
            left_out.not_understood(line, number)


SOURCE: Final = TextInput(
    name="qm_ini",
    order=60,
    title="qm.ini",
    description="a qm.ini with its line of capture",
    recognises=lambda text: (
        text.head.startswith(HEADER)
        or ("=" in text.head and bool(_KNOWN_STANZA.search(text.head) or _LISTED.search(text.head)))
    ),
    begin=_QmIniReading,
    first_line=r"# mqcap qm\.ini ",
    named_behind="a qm.ini",
)
