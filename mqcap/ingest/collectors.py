"""What terminals and collectors put around the lines of a text.

In front of a line: docker compose (``mq-1  | ``), Docker Desktop and ``--timestamps`` of docker and
kubectl (a time), CRI (``TIME stdout F ``; ``P`` is a part of a line), journald and syslog (``Mar 19
14:55:47 host1 podman[77]: ``), ``kubectl logs --prefix``, stern and kubetail (``[pod/qm1-0/qmgr]
``). Around it as JSON: json-file, Fluent Bit and fluentd (``log``), Filebeat, Logstash, Loki,
Vector and Splunk (``message`` and the like), journald (``MESSAGE``, of bytes where coloured),
Google Cloud and Elasticsearch (a whole record, ``jsonPayload`` and the like). Other words go where
a message of a container or a JSON object follows them. The time of a message of MQ itself is no
prefix.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from mqcap.ingest.json_documents import JsonDocument

_TIME: Final = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_SYSLOG: Final = rf"(?:<\d+>1? ?)?(?:[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d|{_TIME})"
_OF_MQ: Final = r"(?:AMQ\d{4}|- Process\()"
_PREFIX: Final = re.compile(
    rf"{_TIME} (?:stdout|stderr) (?P<part>[FP])(?: |$)"
    r"|\[pod/[^\]\s]+\] ?|\[[a-z0-9][\w.:/-]*(?: :? ?[\w.:/-]+)*\] (?:\| )?"
    r"|[\w.@-]+ *\| ?(?!=)"
    rf"|{_SYSLOG} (?!{_OF_MQ})[\w.-]+ [\w./()-]+(?:\[\d+\])?: "
    rf"|{_TIME}[ \t](?!{_OF_MQ})(?:\{{\w+=\"[^}}]*\"\}} )?"
    r"|[a-z0-9]+(?:-[a-z0-9]+)+ (?:[a-z][a-z0-9-]* )?(?= *[\"{}\[\]]| *[A-Z]+\(|AMQ\d{4}|#)"
)
_OWN_TIME: Final = re.compile(rf"{_TIME}[ \t]")
_OUTER_TIME: Final = re.compile(rf"{_TIME}[ \t](?={_OF_MQ})")
_TIMELESS: Final = re.compile(rf"{_TIME}[ \t](?:QMNAME\(|\d.* - Process\()")
_TEXT_KEYS: Final = ("log", "MESSAGE", "message", "msg", "line", "textPayload", "_raw", "LogEntry")
_INNER: Final = ("_source", "result", "json", "jsonPayload", "structured", "log_processed")
_WRAPPING: Final = re.compile(
    rf'"(?:{"|".join(_TEXT_KEYS)})"\s*:|"(?:{"|".join(_INNER)})"\s*:\s*{{'
)
_WRAPPING_MAX: Final = 1 << 18
"""A longer line is none of a collector (ours)."""
_PART_BYTES: Final = 1 << 14
"""Docker writes a longer line in parts of this size (defaultBufSize of its copier.go)."""
_BESIDE: Final = frozenset(
    {
        "stream",
        "source",
        "source_type",
        "time",
        "timestamp",
        "@timestamp",
        "_time",
        "date",
        "__REALTIME_TIMESTAMP",
        "TimeGenerated",
        "labels",
        "fields",
    }
)
"""Keys of which a collector has at least one beside the text."""
_OWN_KEYS: Final = (
    "ibm_messageId",
    "ibm_datetime",
    "recordType",
    "collectionTime",
    "eventSource",
    "table_name",
    "figure",
)
"""Of records that are read themselves."""
_OWN_TEXT: Final = re.compile(r"AMQ\d{4}[IWEST]?: ")
_LEVELS: Final = ("level", "loglevel")
"""Beside a message of MQ they are those of its record, whose time stands beside it too."""
_WORDS: Final = re.compile(
    rf"(?:\[[^\"{{}}\]]{{1,100}}\]|[^\s\"{{}}\[\]=])[^\"{{}}=]{{0,200}}?[ \t]"
    rf"(?=\{{\"|{_TIME} AMQ\d{{4}}[IWEST]?: )"
)
"""Any words in front of a JSON object or a message of a container."""
_COLOURS: Final = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
"""And other sequences for terminals, such as titles of windows."""
_LINES_KEYS: Final = ("stdout_lines", "content", "cmd-response", "text", "stdout")
"""Keys of lists of lines, and of texts of lines; of an object that has several the first counts."""
_WRAPPERS: Final = frozenset(
    {"commandResponse", "cmd-response", "content", "stdout", "stdout_lines", "results", "plays"}
)
"""Keys of which one, anywhere in a document, tells that it wraps lines."""
_LISTS_OF_ENTRIES: Final = frozenset({"events", "hits"})
_NAMES: Final = re.compile(r'"([\w-]+)"\s*:')
_LOKI: Final = re.compile(r'"resultType"\s*:\s*"streams"')
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])


@dataclass
class Collected:
    """Takes off what a collector put around lines; in place of joined parts empty lines come."""

    head: str
    """Of the file; shows whether times stand in front of messages without any of their own."""
    has_own_times: bool = False
    """A time at the begin of a line is part of it."""
    part: str = ""

    def __post_init__(self) -> None:
        self._has_outer_times = _TIMELESS.search(self.head) is not None

    def line(self, text: str) -> str:
        """Return the line as it was written."""
        if "\x1b" in text:
            text = _COLOURS.sub("", text)
        bare, is_part = _unwrapped(text, has_own_times=self.has_own_times)
        if self._has_outer_times and (time := _OUTER_TIME.match(bare)):
            bare = bare[time.end() :]
        if is_part:
            self.part += bare
            return ""
        if self.part:
            bare, self.part = self.part + bare, ""
        return bare


def wraps_lines(document: JsonDocument, head: str) -> bool:
    """Return whether texts of a document are lines; of one that is cut, names of the head tell."""
    value = document.value
    if isinstance(value, dict):
        if not value.keys().isdisjoint(_OWN_KEYS):
            return False
        head = document.text
        if collected_text(value) is not None or value.keys() & _LISTS_OF_ENTRIES:
            return True
    names = _NAMES.findall(head)
    return (
        isinstance(value, str)
        or not _WRAPPERS.isdisjoint(names)
        or (value is None and not _LISTS_OF_ENTRIES.isdisjoint(names[:1]))
        or _LOKI.search(head) is not None
    )


def wrapped_lines(value: Any) -> Iterator[str]:
    """Yield the lines that a JSON document of Ansible, mqweb, z/OSMF or Loki wraps."""
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, list):
        for entry in value:
            yield from wrapped_lines(entry)
    elif isinstance(value, dict):
        if not value.keys().isdisjoint(_OWN_KEYS):
            yield msgspec.json.encode(value).decode()
        elif (logged := collected_text(value)) is not None:
            yield from logged.splitlines()
        else:
            yield from wrapped_lines(_inside(value))


def _inside(entry: Mapping[str, Any]) -> list[Any]:
    if "stream" in entry and isinstance(pairs := entry.get("values"), list):  # Loki
        return [pair[1:] for pair in pairs]
    key = next((key for key in _LINES_KEYS if entry.get(key)), None)
    if key is not None:
        return [entry[key]]
    return [item for item in entry.values() if isinstance(item, dict | list)]


def _unwrapped(text: str, *, has_own_times: bool = False) -> tuple[str, bool]:
    """Return a line without what is in front of it, and whether it is a part of one."""
    is_part, place = False, 0
    while found := _PREFIX.match(text, place):
        if has_own_times and _OWN_TIME.match(found[0]):
            break
        place = found.end()
        is_part = is_part or found["part"] == "P"
    bare = text[place:] if place else text
    if bare.startswith("{") and len(bare) < _WRAPPING_MAX and _WRAPPING.search(bare):
        return _logged(bare)
    if (' {"' in bare or " AMQ" in bare) and (words := _WORDS.match(bare)):
        bare = bare[words.end() :]
    return bare, is_part


def _logged(text: str) -> tuple[str, bool]:
    try:
        entry = _OBJECT.decode(text)
    except msgspec.DecodeError:
        return text, False
    logged = collected_text(entry)
    if logged is None:
        return text, False
    inner, is_part = _unwrapped(_COLOURS.sub("", logged).rstrip("\r\n"))
    tag = entry.get("logtag", entry.get("_p"))
    size = len(logged.encode("utf-8", "replace"))
    is_open = "log" in entry and not logged.endswith("\n") and size >= _PART_BYTES
    return inner, is_part or (is_open if tag is None else tag == "P")


def collected_text(entry: Mapping[str, Any]) -> str | None:
    """Return the line that an entry of a collector carries; ``None`` where it is no such entry."""
    if not entry.keys().isdisjoint(_OWN_KEYS):
        return None
    key = next((key for key in _INNER if isinstance(entry.get(key), dict)), None)
    if key is not None:
        inner = entry[key]
        is_record = not inner.keys().isdisjoint(_OWN_KEYS)
        return msgspec.json.encode(inner).decode() if is_record else _text_beside(inner)
    return None if entry.keys().isdisjoint(_BESIDE) else _text_beside(entry)


def _text_beside(entry: Mapping[str, Any]) -> str | None:
    found = next((entry[key] for key in _TEXT_KEYS if key in entry), None)
    if isinstance(found, list):  # journald: of bytes, where the text has colours
        try:
            found = bytes(found).decode("utf-8", "replace")
        except (TypeError, ValueError):
            return None
    if not isinstance(found, str):
        return None
    is_record = _OWN_TEXT.match(found) and not entry.keys().isdisjoint(_LEVELS)
    return None if is_record else found
