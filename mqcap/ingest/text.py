"""The one door for text: every text input as lines or JSON documents, however it was sent.

Known are UTF-8 and UTF-16 with and without mark (what is neither is taken as Windows-1252), line
ends of all systems, X'1A' at the end, padding with X'00', colours of terminals, what collectors
put in front of each line (``collectors``), and JSON whose texts are the lines of a command
(``wrapped_lines``). A line keeps the number that it has in the file.
"""

import codecs
import io
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Final

import msgspec

from mqcap.ingest.collectors import Collected, wrapped_lines, wraps_lines
from mqcap.ingest.json_documents import DOCUMENT_CHARACTERS_MAX, JsonDocument, documents
from mqcap.ingest.smf.dump_file import (
    HEAD_BYTES,
    Content,
    content_chunks,
    open_content,
    read_head,
    view_of,
)

LINE_CHARACTERS_MAX: Final = 1 << 18
"""A longer line comes in pieces, which bounds the memory whatever the file holds (ours)."""
_PADDING: Final = "\0"
_END_OF_FILE: Final = "\x1a"
_MARK: Final = "\ufeff"
_NO_BREAK: Final = "\xa0"
"""A blank of text that was copied from a page."""
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_SAMPLED_BYTES: Final = 256
"""What follows may be of another encoding, as a shell appends it."""
_ZEROS_MOST, _ZEROS_LEAST = 0.6, 0.1
"""Shares of zeros in the bytes of UTF-16 that are zero for ASCII, and in the others (ours)."""
_CONTROLS: Final = re.compile(r"[\x01-\x08\x0e-\x19\x1c-\x1f]")
_CONTROLS_MAX_RATIO: Final = 0.02
"""Share of control characters above which a content is no text (ours)."""
_FALLBACK: Final = "mqcap-windows-1252"
_JSON: Final = re.compile(r'\s*(?:[^\n{}"]{1,200} => )?(?:\{|\[\s*["{\[]|\[\s*$)')
_NAMES: Final = re.compile(r'"(\w+)"\s*:')
_WRAPPED_LINES: Final = 2_000
"""Lines of a wrapped text by which its kind is known (ours)."""
_OBJECTS_TRIED: Final = 20
"""Objects by whose names a kind is known: others may stand in front of them (ours)."""
_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _windows_text(error: UnicodeError) -> tuple[str, int]:
    """Return bytes that are not of the encoding as Windows-1252, with where to go on."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - the handler of decoders only
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_FALLBACK, _windows_text)


def encoding_of(head: bytes) -> str:
    """Return the encoding of a content by its mark, else by where its zeros are."""
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    sample = head[:_SAMPLED_BYTES]
    first, second = (part.count(0) / max(1, len(part)) for part in (sample[0::2], sample[1::2]))
    if second >= _ZEROS_MOST and first <= _ZEROS_LEAST:
        return "utf-16-le"
    if first >= _ZEROS_MOST and second <= _ZEROS_LEAST:
        return "utf-16-be"
    return "utf-8"


@dataclass
class TextFile:
    """A text input. ``content_bytes`` and ``problem`` are complete once it has been read."""

    path: Path
    has_own_times: bool = False
    """Lines begin with a time of their own, which is not one that a collector put there."""
    content_bytes: int = 0
    """Of the file as it was sent, unpacked."""
    problem: str = ""
    """Why unpacking ended early; empty where it did not."""
    open_line: str = ""
    """The last line where it has no end; it may be cut."""
    lines_before: list[str] = field(default_factory=list)
    """In front of a JSON document that was mapped."""

    @property
    def name(self) -> str:
        """The name as it was sent."""
        return self.path.name

    @cached_property
    def _head_bytes(self) -> bytes:
        return read_head(self.path)

    @cached_property
    def encoding(self) -> str:
        """The encoding of the file."""
        return encoding_of(self._head_bytes)

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as clean lines; empty where the content is no text."""
        if self._is_wrapped:
            return "\n".join(islice(self.lines(), _WRAPPED_LINES))
        return self._file_head

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return next((line for line in self.head.split("\n") if line.strip()), "")

    @cached_property
    def is_json(self) -> bool:
        """Whether the text begins with JSON; set where JSON follows lines that are none."""
        return _begins_json(self.head)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Names of the first JSON objects; of one that is cut all names in the head."""
        found = (document.value for document in documents(iter(self.head.split("\n"))))
        objects = islice((value for value in found if isinstance(value, dict)), _OBJECTS_TRIED)
        return frozenset(self.first_object).union(*objects)

    @cached_property
    def first_object(self) -> Mapping[str, Any]:
        """The first object, else empty; of a large one values are raw, of a cut one null."""
        of_head = documents(iter(self.head.split("\n")))
        is_json = _begins_json(self._file_head) and not self._is_wrapped
        is_cut = is_json and len(self._head_bytes) >= HEAD_BYTES
        if is_cut:
            of_head = takewhile(lambda line: not line.problem, of_head)  # the first may go on
        if (found := _first_object(of_head)) or not is_json:
            return found or {}
        if is_cut:
            try:
                return _OBJECT.decode(self.mapped()[1])
            except (msgspec.DecodeError, UnicodeDecodeError):
                found = _first_object(documents(self._document_lines()))
        return found or dict.fromkeys(_NAMES.findall(self._file_head))

    def lines(self) -> Iterator[str]:
        """Yield the lines without their ends; those that JSON wraps in its place."""
        if not self._is_wrapped:
            yield from self._file_lines()
            return
        document = None
        for document in documents(self._document_lines()):
            if document.value is None:  # a comment, or what is none of JSON
                yield from document.text.splitlines()
            yield from wrapped_lines(document.value)
        if document is not None and not document.problem:
            self.open_line = ""

    def table_text(self) -> str:
        """Return all of a table as text; nothing is put around its lines."""
        return "".join(self._decoded()).strip(_MARK + _PADDING + _END_OF_FILE)

    def ended_lines(self) -> Iterator[str]:
        """Yield the lines but for one without end, of which the last number may be cut."""
        before: list[str] = []
        for line in self.lines():
            yield from before
            before = [line]
        if not self.open_line:
            yield from before

    def documents(self) -> Iterator[JsonDocument]:
        """Yield the JSON objects of the text, and what is none of it with the reason."""
        return documents(self._json_lines())

    def mapped(self) -> tuple[Content, memoryview]:
        """Return a file of one JSON document, mapped into memory, with the document as UTF-8."""
        content = open_content(self.path)
        self.lines_before = []
        self.content_bytes, self.problem = len(content.data), content.problem or ""
        view = view_of(content.data)
        begin, end = len(codecs.BOM_UTF8) if bytes(view[:3]) == codecs.BOM_UTF8 else 0, len(view)
        while begin < end and not view[begin]:
            begin += 1
        first = bytes(view[begin : begin + 64]).decode("utf-8", "replace")
        is_clean = self._file_head.startswith(first.partition("\n")[0].rstrip("\r\ufffd\0\x1a"))
        if not is_clean or self._is_wrapped or not _JSON.match(self._file_head):
            content = self._clean_copy()
            view, begin = view_of(content.data), 0
            end = len(view)
        while end > begin and view[end - 1] in b"\0\x1a":
            end -= 1
        return content, view[begin:end]

    @cached_property
    def _plain_head(self) -> str:
        text = self._head_bytes.decode(self.encoding, _FALLBACK)
        if len(_CONTROLS.findall(text)) > _CONTROLS_MAX_RATIO * len(text):
            return ""
        return io.StringIO(text, newline=None).read()

    @cached_property
    def _file_head(self) -> str:
        collected = Collected(self._plain_head)
        lines = self._plain_head.split("\n")
        return "\n".join(collected.line(_clean(line)) for line in lines)

    @cached_property
    def _is_wrapped(self) -> bool:
        if not _begins_json(self._file_head):
            return False
        found = documents(iter(self._file_head.split("\n")))
        first = next((document for document in found if not document.text.startswith("#")), None)
        return first is not None and wraps_lines(first, self._file_head)

    def _clean_copy(self) -> Content:
        """Return the lines from the first of a JSON document on, as UTF-8."""
        is_begun = False
        with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
            copy = Path(folder) / self.name
            with copy.open("w", encoding="utf-8") as file:
                for line in self._json_lines():
                    is_begun = is_begun or _JSON.match(line) is not None
                    if is_begun:
                        file.write(f"{line}\n")
                    elif line.strip() and not line.startswith("#"):
                        self.lines_before.append(line[:_SAMPLED_BYTES])
            return open_content(copy)

    def _json_lines(self) -> Iterator[str]:
        return self.lines() if self._is_wrapped else self._document_lines()

    def _document_lines(self) -> Iterator[str]:
        return self._file_lines(DOCUMENT_CHARACTERS_MAX)

    def _file_lines(self, characters_max: int = LINE_CHARACTERS_MAX) -> Iterator[str]:
        collected = Collected(self._plain_head, self.has_own_times)
        for line in self._raw_lines(characters_max):
            yield collected.line(_clean(line))
        if collected.part:
            yield collected.part

    def _raw_lines(self, characters_max: int) -> Iterator[str]:
        self.open_line = ""
        rest: list[str] = []
        rest_characters = 0
        for part in self._decoded():
            first, *others = part.split("\n")
            rest.append(first)
            rest_characters += len(first)
            if others:
                yield "".join(rest)
                yield from others[:-1]
                rest, rest_characters = [others[-1]], len(others[-1])
            elif rest_characters >= characters_max:
                yield "".join(rest)
                rest, rest_characters = [], 0
        last = "".join(rest)
        self.open_line = last if last.strip(_PADDING + _END_OF_FILE) else ""
        if self.open_line:
            yield last

    def _decoded(self) -> Iterator[str]:
        """Yield the text in parts, with the line ends of this system."""
        decoder = io.IncrementalNewlineDecoder(
            codecs.getincrementaldecoder(self.encoding)(_FALLBACK), translate=True
        )
        self.content_bytes = 0
        for chunk in content_chunks(self.path):
            if isinstance(chunk, str):
                self.problem = chunk
                continue
            self.content_bytes += len(chunk)
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)


def _begins_json(text: str) -> bool:
    lines = (line for line in text.split("\n") if line.strip())
    first = next((line for line in lines if not line.startswith("#")), "")
    return _JSON.match(first) is not None


def _first_object(found: Iterator[JsonDocument]) -> dict[str, Any] | None:
    return next((document.value for document in found if isinstance(document.value, dict)), None)


def _clean(line: str) -> str:
    if _MARK in line:
        line = line.replace(_MARK, "")
    if _NO_BREAK in line:
        line = line.replace(_NO_BREAK, " ")
    if _PADDING in line:
        line = line.strip(_PADDING)
        is_wide = line.count(_PADDING) > len(line) * 0.4  # UTF-16 behind other text
        line = line.replace(_PADDING, "" if is_wide else " ").rstrip(" ")
    return line.rstrip(_END_OF_FILE) if line.endswith(_END_OF_FILE) else line


@lru_cache(maxsize=4)
def _opened(path: Path, size: int, mtime_ns: int, inode: int) -> TextFile:  # noqa: ARG001 - key
    return TextFile(path)


def opened(path: Path) -> TextFile:
    """Return a text input to be recognised; all kinds that are asked share what was looked at."""
    status = path.stat()
    return _opened(path, status.st_size, status.st_mtime_ns, status.st_ino)
