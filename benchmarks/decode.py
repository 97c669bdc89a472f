"""How fast dumps are decoded: ``python benchmarks/decode.py [--mib 64]``.

All fields of all structures of a made-up dump (115 and 116.10) go to Parquet, beside reading the
file and a plain loop that takes every record and section apart with ``struct`` and writes nothing.
CPU seconds are those of this process; one worker.
"""

from __future__ import annotations

import argparse
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ingest.export import Format, export
from ingest.smf.kinds import Kind, decoded_kinds
from ingest.smf.layout import Layout, flat_fields, layouts
from tests.ingest.dumps import mq_dump_records

MIB = 1 << 20
_CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


class Timing(NamedTuple):
    """What one way of reading cost."""

    name: str
    wall_seconds: float
    cpu_seconds: float


def main() -> None:
    """Write the dump, read it in three ways, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=64)
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "bench.smf"
        size = _write(dump, parser.parse_args().mib)
        ways: dict[str, Callable[[], object]] = {
            "read the file": dump.read_bytes,
            "decode to Parquet": lambda: export([dump], Path(folder) / "out", Format.PARQUET),
            "plain struct loop": lambda: _struct_loop(dump),
        }
        timings = [_timed(name, way) for name, way in ways.items()]
    reading, ours, plain = timings
    print(f"{size / MIB:.0f} MiB of 115 and 116.10, every field of every structure")
    for timing in timings:
        print(
            f"{timing.name:20} {size / MIB / timing.wall_seconds:9.1f} MiB/s"
            f" {timing.wall_seconds:8.2f} s {timing.cpu_seconds:8.2f} CPU s"
        )
    print(f"decode : struct loop = {ours.cpu_seconds / plain.cpu_seconds:.2f} CPU seconds")
    print(f"decode : reading     = {ours.cpu_seconds / max(reading.cpu_seconds, 1e-3):.0f}")


def _write(path: Path, mib: int) -> int:
    """A dump of about so many MiB: intervals of some queue managers over and over."""
    records = [
        record
        for number in range(8)
        for record in mq_dump_records(qmgr=f"MQ{number:02d}", mq_level="10.0.0")
    ]
    block = b"".join(records)
    with path.open("wb") as out:
        for _ in range(max(1, mib * MIB // len(block))):
            out.write(block)
    return path.stat().st_size


def _timed(name: str, way: Callable[[], object]) -> Timing:
    wall, cpu = time.perf_counter(), time.process_time()
    way()
    return Timing(name, time.perf_counter() - wall, time.process_time() - cpu)


def _struct_loop(path: Path) -> int:
    """Fields taken apart one section at a time; text is decoded, numbers are not scaled."""
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


_COMPILED: dict[str, tuple[struct.Struct, list[str], list[str]]] = {}


def _compiled(layout: Layout) -> tuple[struct.Struct, list[str], list[str]]:
    if layout.name not in _COMPILED:
        code, names, texts, end = ">", [], [], 0
        for field in sorted(flat_fields(layouts()[layout.name]), key=lambda one: one.offset):
            code += "x" * (field.offset - end)
            text = field.type in {"ebcdic", "bytes", "packed"}
            code += f"{field.length}s" if text else _CODES[field.length]
            names.append(field.column)
            texts.extend([field.column] if field.type == "ebcdic" else [])
            end = field.end
        _COMPILED[layout.name] = struct.Struct(code), names, texts
    return _COMPILED[layout.name]


if __name__ == "__main__":
    main()
