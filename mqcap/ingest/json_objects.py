"""JSON objects one after another in a file: one per line, or each over several lines.

Only one object is decoded at a time. Between two objects there are only blanks, which within one
never stand between a closing and an opening brace; so the end of an object is found in the bytes,
and decoding proves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

import msgspec

from mqcap.ingest.smf.dump_file import Content, view_of

_END: Final = re.compile(rb"\}(?=\s*(?:\{|\Z))")
_BLANKS: Final = re.compile(rb"\s*")
_Model = TypeVar("_Model")


class JsonObjects(Generic[_Model]):
    """Objects of one model in the order of the file.

    ``unreadable_bytes`` and ``problem`` (the parser's words about the first) tell, once all were
    yielded, of what could not be read: the rest of a line or of the file. ``decoded_bytes`` are
    those of all others.
    """

    def __init__(self, content: Content, decoder: msgspec.json.Decoder[_Model]) -> None:
        self._content = content
        self._decoder = decoder
        self.decoded_bytes = 0
        self.unreadable_bytes = 0
        self.problem = content.problem or ""

    def __iter__(self) -> Iterator[_Model]:
        data = view_of(self._content.data)
        position = 0
        for end in _END.finditer(data):
            text = data[position : end.end()]
            try:
                made = self._decoder.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                if str(error) == "Input data was truncated":
                    continue  # a brace within a text
                self._note(len(text), str(error))
            else:
                self.decoded_bytes += len(text)
                yield made
            self._content.release(position, end.end())
            position = end.end()
        blanks = _BLANKS.match(data, position)
        rest_bytes = len(data) - (blanks.end() if blanks else position)
        if rest_bytes:
            self._note(rest_bytes, "it ends in the middle")

    def _note(self, bytes_count: int, problem: str) -> None:
        self.unreadable_bytes += bytes_count
        self.problem = self.problem or problem
