"""The plain way to decode: every record and section taken apart with ``struct``, one by one.

Text is decoded, numbers are not scaled, nothing is written.
``python -m devtools.benchmarks.struct_loop FILE``; the file has record descriptor words.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Layout, flat_fields, layouts

_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}
_COMPILED: dict[str, tuple[struct.Struct, list[str], list[str]]] = {}


def struct_loop(path: Path) -> int:
    """Values that were taken out of the file."""
    content = path.read_bytes()
    place = count = 0
    while place < len(content):
        (length,) = struct.unpack_from(">H", content, place)
        for layout, at in _sections(content, place):
            count += len(_fields(content, layout, at))
        place += length
    return count


def _sections(content: bytes, base: int) -> Iterator[tuple[Layout, int]]:
    kind = Kind(content[base + 5], struct.unpack_from(">H", content, base + 22)[0])
    for position, layout in decoded_kinds().get(kind, {}).items():
        first, size, count = struct.unpack_from(">IHH", content, base + 28 + 8 * position)
        for index in range(count if size >= layout.length else 0):
            yield layout, base + first + index * size


def _fields(content: bytes, layout: Layout, at: int) -> dict[str, Any]:
    compiled, names, texts = _compiled(layout)
    values = dict(zip(names, compiled.unpack_from(content, at), strict=True))
    for name in texts:
        values[name] = values[name].decode("cp037").rstrip()
    return values


def _compiled(layout: Layout) -> tuple[struct.Struct, list[str], list[str]]:
    if layout.name not in _COMPILED:
        code, names, texts, end = ">", [], [], 0
        for field in sorted(flat_fields(layouts()[layout.name]), key=lambda item: item.offset):
            code += "x" * (field.offset - end)
            text = field.type in {"ebcdic", "bytes", "packed"}
            code += f"{field.length}s" if text else _CODES[field.length]
            names.append(field.column)
            texts.extend([field.column] if field.type == "ebcdic" else [])
            end = field.end
        _COMPILED[layout.name] = struct.Struct(code), names, texts
    return _COMPILED[layout.name]


if __name__ == "__main__":
    print(struct_loop(Path(sys.argv[1])))
