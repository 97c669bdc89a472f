r"""What terminals and collectors put around the lines of a text.

======================================================== ===========================================
``mq-1  | `` (with or without colours)                   docker compose
``2026-03-19 14:55:47 ``                                 Docker Desktop
``2026-03-19T14:55:47.163456789Z ``, ``...+00:00 ``      ``--timestamps`` of docker and kubectl
``2026-03-19T14:55:47.163Z stdout F ``                   CRI; ``P`` is a part of a line
``{"log":"...\n","stream":"stdout","time":"..."}``       json-file, Fluent Bit, fluentd
``{"@timestamp":"...","message":"..."}``                  Filebeat, Logstash
``Mar 19 14:55:47 host1 podman[77]: ``                   journald, syslog; ISO times too
``{"MESSAGE":"...","__REALTIME_TIMESTAMP":"..."}``       journald as JSON
``[pod/qm1-0/qmgr] ``, ``qm1-0 ``, ``qm1-0 qmgr ``       ``kubectl logs --prefix``, stern
======================================================== ===========================================

Other words go where a message of a container or a JSON object follows them. The time of a message
of MQ itself is no prefix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

_TIME: Final = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_SYSLOG: Final = rf"(?:<\d+>1? ?)?(?:[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d|{_TIME})"
_OF_MQ: Final = r"(?:AMQ\d{4}|- Process\()"
_PREFIX: Final = re.compile(
    rf"{_TIME} (?:stdout|stderr) (?P<part>[FP])(?: |$)"
    r"|\[pod/[^\]\s]+\] ?"
    r"|[\w.-]+ *\| ?(?!=)"
    rf"|{_SYSLOG} (?!{_OF_MQ})[\w.-]+ [\w./()-]+(?:\[\d+\])?: "
    rf"|{_TIME}[ \t](?!{_OF_MQ})(?:\{{\w+=\"[^}}]*\"\}} )?"
    r"|[a-z0-9]+(?:-[a-z0-9]+)+ (?:[a-z][a-z0-9-]* )?(?= *[\"{}\[\]]| *[A-Z]+\(|AMQ\d{4}|#)"
)
_OUTER_TIME: Final = re.compile(rf"{_TIME}[ \t](?={_OF_MQ})")
_TIMELESS: Final = re.compile(rf"{_TIME}[ \t](?:QMNAME\(|\d.* - Process\()")
_WRAPPING: Final = re.compile(r'"(?:log|MESSAGE|@timestamp)"')
_WORDS: Final = re.compile(
    rf"[^\s\"{{}}\[\]=][^\"{{}}=]{{0,200}}?[ \t](?=\{{\"|{_TIME} AMQ\d{{4}}[IWEST]?: )"
)
"""Any words in front of a JSON object or a message of a container."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LINES_KEYS: Final = ("stdout_lines", "content", "text", "stdout")
"""Keys of lists of lines, and of texts of lines; of an object that has several the first counts."""


class _Logged(msgspec.Struct):
    """A line of json-file, of Fluent Bit or of the log driver fluentd."""

    log: str
    stream: str = ""
    source: str = ""
    time: str = ""
    logtag: str = ""


class _Journal(msgspec.Struct):
    """An entry of ``journalctl -o json``."""

    message: str = msgspec.field(name="MESSAGE")
    time: str = msgspec.field(name="__REALTIME_TIMESTAMP")


class _Shipped(msgspec.Struct):
    """A line as Filebeat and Logstash ship it."""

    message: str
    time: str = msgspec.field(name="@timestamp")


_LOGGED: Final = msgspec.json.Decoder(_Logged)
_JOURNAL: Final = msgspec.json.Decoder(_Journal)
_SHIPPED: Final = msgspec.json.Decoder(_Shipped)


@dataclass
class Collected:
    """Takes off what a collector put around the lines of one file; parts of lines are joined.

    In place of a part an empty line comes, so that lines keep their numbers.
    """

    has_outer_times: bool = False
    part: str = ""

    def line(self, text: str) -> str:
        """Return the line as it was written."""
        if "\x1b" in text:
            text = _COLOURS.sub("", text)
        bare, is_part = _unwrapped(text)
        if self.has_outer_times and (time := _OUTER_TIME.match(bare)):
            bare = bare[time.end() :]
        if is_part:
            self.part += bare
            return ""
        if self.part:
            bare, self.part = self.part + bare, ""
        return bare


def has_outer_times(text: str) -> bool:
    """Return whether times stand in front of a text whose messages have none of their own."""
    return _TIMELESS.search(text) is not None


def wrapped_lines(value: Any) -> Iterator[str]:
    """Yield the lines that a JSON document of Ansible or of the REST API of MQ (mqweb) wraps."""
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, list):
        for each in value:
            yield from wrapped_lines(each)
    elif isinstance(value, dict):
        key = next((key for key in _LINES_KEYS if value.get(key)), None)
        if key is not None:
            yield from wrapped_lines(value[key])
            return
        for each in value.values():
            if isinstance(each, dict | list):
                yield from wrapped_lines(each)


def _unwrapped(text: str) -> tuple[str, bool]:
    """Return a line without what is in front of it, and whether it is a part of one."""
    is_part, place = False, 0
    while found := _PREFIX.match(text, place):
        place = found.end()
        is_part = is_part or found["part"] == "P"
    bare = text[place:] if place else text
    if bare.startswith("{") and _WRAPPING.search(bare):
        return _logged(bare)
    if (' {"' in bare or " AMQ" in bare) and (words := _WORDS.match(bare)):
        bare = bare[words.end() :]
    return bare, is_part


def _logged(text: str) -> tuple[str, bool]:
    try:
        logged = _LOGGED.decode(text)
    except msgspec.DecodeError:
        logged = _Logged("")
    if logged.stream or logged.source or logged.time:
        inner, is_part = _unwrapped(logged.log.rstrip("\r\n"))
        is_open = bool(logged.stream and logged.time) and not logged.log.endswith("\n")
        return inner, is_part or (logged.logtag == "P" if logged.logtag else is_open)
    for decoder in (_JOURNAL, _SHIPPED):
        try:
            return _unwrapped(decoder.decode(text).message)
        except msgspec.DecodeError:
            continue
    return text, False
