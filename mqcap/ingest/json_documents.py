"""JSON objects one after another in a text: one per line, over several lines, or in one list.

The standard parser says where each ends. A window of the text is in memory, which grows to the
longest object. What is no object is told with its reason, and reading goes on with the next line
that begins one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

DOCUMENT_CHARACTERS_MAX: Final = 1 << 26
"""Longest object that is read (ours)."""
_BETWEEN: Final = re.compile(r"[\s,\[\]]*(?:[^\n{}\"]{1,200} => (?=\{))?")
"""What may stand between two objects, also of one list, and in front of a result of Ansible."""
_NEXT_LINE: Final = re.compile(r"\n(?=\{)")
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number of JSON")


_DECODER: Final = msgspec.json.Decoder()
_PARSER: Final = json.JSONDecoder(parse_constant=_refuse)


@dataclass(frozen=True)
class JsonDocument:
    """An object, a text of a list, a comment without value, or what is none with a ``problem``."""

    text: str
    line_number: int
    offset: int
    """Characters in front of it."""
    value: Any = None
    problem: str = ""

    @property
    def bytes_count(self) -> int:
        """Size in UTF-8."""
        return len(self.text) if self.text.isascii() else len(self.text.encode())


def documents(lines: Iterator[str]) -> Iterator[JsonDocument]:
    """Yield the objects of lines in order, and comments (``#``) and what is no JSON."""
    window = _Window(lines)
    while window.begins():
        yield window.taken()


class _Window:
    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._text = ""
        self._place = 0
        self._line_number = 1
        self._offset = 0
        self._is_all = False

    def begins(self) -> bool:
        """Go to the next object; return whether there is one."""
        while True:
            between = _BETWEEN.match(self._text, self._place)
            self._go_to(between.end() if between else self._place)
            if self._place < len(self._text):
                return True
            if not self._grow(1 << 18):
                return False

    def taken(self) -> JsonDocument:
        """Return the object at this place, or what is none up to the next that may be one."""
        end = self._text.index("\n", self._place)
        if self._text.startswith("#", self._place):
            return self._made(end, None)
        try:  # most are of one line
            return self._made(end, _DECODER.decode(self._text[self._place : end]))
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return self._taken_over_lines()

    def _taken_over_lines(self) -> JsonDocument:
        while True:
            try:
                return self._made(*_parsed(self._text, self._place))
            except RecursionError:
                problem, at = "it is nested too deeply", self._place
            except json.JSONDecodeError as error:
                problem, at = error.msg, error.pos
            except ValueError as error:
                problem, at = str(error), self._place
            is_open = not self._text[at:].strip()
            window = len(self._text) - self._place
            if not (is_open and window < DOCUMENT_CHARACTERS_MAX and self._grow(window)):
                found = _NEXT_LINE.search(self._text, self._place + 1)
                end = found.end() if found else len(self._text)
                return self._made(
                    end, None, "it ends in the middle" if is_open and self._is_all else problem
                )

    def _made(self, end: int, value: Any, problem: str = "") -> JsonDocument:
        if not problem and not isinstance(value, dict | str | None):
            value, problem = None, "it is no JSON object"
        text = self._text[self._place : end].rstrip("\n")
        offset = self._offset + self._place
        document = JsonDocument(text, self._line_number, offset, value, problem)
        self._go_to(end)
        return document

    def _go_to(self, place: int) -> None:
        self._line_number += self._text.count("\n", self._place, place)
        self._place = place

    def _grow(self, characters: int) -> bool:
        """Drop what was read and add so many characters or more; return whether there were any."""
        if self._is_all:
            return False
        parts, added = [self._text[self._place :]], 0
        self._offset += self._place
        self._place = 0
        for line in self._lines:
            parts.append(f"{line}\n")
            added += len(line) + 1
            if added >= characters:
                break
        else:
            self._is_all = True
        self._text = "".join(parts)
        return added > 0


def _parsed(text: str, place: int) -> tuple[int, Any]:
    """Return where the value at a place ends, and the value; raises ValueError without any."""
    value, end = _PARSER.raw_decode(text, place)
    if _SURROGATE.search(text, place, end):
        json.dumps(value, ensure_ascii=False).encode()  # half of a pair is no text
    return end, value
