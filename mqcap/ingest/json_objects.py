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
_LINE: Final = re.compile(rb"\n(?=\{)")
"""Where a line may begin an object behind one that was cut."""
_TRUNCATED: Final = "Input data was truncated"
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
                if str(error) == _TRUNCATED:
                    continue  # a brace within a text
                yield from self._lines(text, str(error))
            else:
                self.decoded_bytes += len(text)
                yield made
            self._content.release(position, end.end())
            position = end.end()
        blanks = _BLANKS.match(data, position)
        rest = data[blanks.end() if blanks else position :]
        if rest:
            yield from self._lines(rest, "it ends in the middle")

    def _lines(self, text: memoryview, problem: str) -> Iterator[_Model]:
        """Yield the objects that begin with a line of a text, of which another was cut."""
        begins = [0, *(begin.end() for begin in _LINE.finditer(text))]
        for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
            try:
                made = self._decoder.decode(text[begin:end])
            except (msgspec.DecodeError, UnicodeDecodeError):
                self._note(end - begin, problem)
            else:
                self.decoded_bytes += end - begin
                yield made

    def _note(self, bytes_count: int, problem: str) -> None:
        self.unreadable_bytes += bytes_count
        self.problem = self.problem or problem
