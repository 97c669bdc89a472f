"""Speed of decoding dumps: ``python -m devtools.benchmarks.decode [--peer mqsmfcsv]``.

All fields of all structures of a made-up dump (115 all subtypes, 116.10) go to Parquet through
the command ``mqcap smf to-parquet``, start of the interpreter included, on one
processor; beside it reading the file, a plain loop that takes every record apart with ``struct``
and writes nothing, and IBM's formatter when its program is given or on the PATH. Every way is a
process of its own.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from devtools.benchmarks.dump import MIB, write_dump_of
from devtools.benchmarks.ratios import table, tell
from mqcap.ingest.smf.dump_file import open_content, view_of
from mqcap.ingest.smf.framers import ContiguousRecords, RdwFramer
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Layout, flat_fields, layouts

READ = """
import sys
file, piece = open(sys.argv[1], "rb", buffering=0), bytearray(1 << 20)
while file.readinto(piece):
    pass
"""
IMPORTED = "mqcap", "spark_apps", "devtools"
LOOP = "plain struct loop"
USUAL_MIB = 400
"""Size whose ratios are compared with those of the last release."""
PEER_ASKED = 0.25
"""At most so much of the peer's CPU seconds."""


class Way(NamedTuple):
    """A way to read the dump."""

    name: str
    command: list[str]
    out: Path | None = None
    """Folder that it writes."""


def main() -> int:
    """Write the dumps, read them in all ways, print one table; 1 when a ratio is worse."""
    arguments = _arguments()
    runs = arguments.runs
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        dump, part = arguments.dump or folder / "bench.smf", folder / "part.smf"
        size = dump.stat().st_size if arguments.dump else write_dump_of(dump, arguments.mib)
        times = size / _write_part(dump, part, size // 4)
        for package in IMPORTED:  # as installing does
            compileall.compile_dir(Path(__file__).parents[2] / package, quiet=2)
        costs = {way.name: run(way, runs) for way in _ways(dump, folder, arguments.peer)}
        written = sum(path.stat().st_size for path in (folder / "out").iterdir())
        costs[LOOP] = _loop(part, times)
        few = run(Way("", _ours(part, folder), out=folder / "out"), runs)
    print(f"{size / MIB:.0f} MiB of 115 (all subtypes) and 116.10, all fields of all structures")
    reading, plain = (costs[name].cpu_seconds for name in ("read the file", LOOP))
    rows = [
        (name, size / MIB / cost.wall_seconds, *cost,
         cost.cpu_seconds / reading, cost.cpu_seconds / plain)
        for name, cost in costs.items()
    ]  # fmt: skip
    columns = ("", "MiB/s", "wall s", "CPU s", "peak MiB", "CPU : read", "CPU : loop")
    print("\n".join(table(columns, rows)))
    print(
        "decode includes the start of the interpreter; the loop took a quarter of the dump, its"
        " figures are scaled; peak MiB is per process"
    )
    single = costs["decode"]
    ratios = {"CPU of decode : plain struct loop": single.cpu_seconds / plain}
    if peer := costs.get("mqsmfcsv"):
        ratios["CPU of decode : mqsmfcsv"] = single.cpu_seconds / peer.cpu_seconds
        ratio = single.cpu_seconds / peer.cpu_seconds
        print(f"decode : mqsmfcsv = {ratio:.2f} of its CPU seconds (at most {PEER_ASKED})")
    else:
        print("mqsmfcsv: not given and not on the PATH; no ratio to it")
    print(
        f"{times:.2f} times the dump: {single.cpu_seconds / few.cpu_seconds:.2f} times the CPU"
        f" seconds, {single.wall_seconds / few.wall_seconds:.2f} times the wall time;"
        f" Parquet written: {written / MIB:.0f} MiB"
    )
    is_usual = arguments.dump is None and arguments.mib == USUAL_MIB
    return min(1, tell("decode", ratios)) if is_usual else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=USUAL_MIB)
    parser.add_argument("--runs", type=int, default=3, help="the median of so many is printed")
    parser.add_argument("--peer", default=shutil.which("mqsmfcsv"), help="IBM's formatter")
    parser.add_argument("--dump", type=Path, help="take this one instead of writing one")
    parser.add_argument("--folder", type=Path, help="where the dump is written")
    return parser.parse_args()


def _write_part(dump: Path, part: Path, size: int) -> int:
    """The first records of the dump, about so many bytes of them."""
    content = open_content(dump)
    end = RdwFramer(view_of(content.data)).read_contiguous(0, size, ContiguousRecords())
    part.write_bytes(content.data[:end].tobytes())
    return end


def _ways(dump: Path, folder: Path, peer: str | None) -> Iterator[Way]:
    yield Way("read the file", [sys.executable, "-c", READ, str(dump)])
    yield Way("decode", _ours(dump, folder), folder / "out")
    if peer:
        (folder / "peer").mkdir()
        yield Way("mqsmfcsv", [peer, "-o", str(folder / "peer"), "-i", str(dump), "-f", "rdw"])


def _ours(dump: Path, folder: Path) -> list[str]:
    code = "from mqcap.cli.entry import main; main()"
    out = str(folder / "out")
    return [sys.executable, "-c", code, "smf", "to-parquet", str(dump), "-o", out]


def _loop(part: Path, times: float) -> Cost:
    """Measure the plain loop on this part; return its cost for a dump ``times`` as large."""
    wall, cpu = time.perf_counter(), time.process_time()
    struct_loop(part)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall * times, cpu * times, float("nan"))


class Cost(NamedTuple):
    """Cost of a process; memory is that of its largest single process."""

    wall_seconds: float
    cpu_seconds: float
    peak_mib: float


def run(way: Way, runs: int) -> Cost:
    """Return the median of some runs; raises RuntimeError when one fails.

    What it writes is removed before every run: deleting that is not part of the work.
    """
    costs = []
    for _ in range(runs):
        if way.out is not None:
            shutil.rmtree(way.out, ignore_errors=True)
        costs.append(_once(way.command))
    return Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))


def _once(command: Sequence[str]) -> Cost:
    chosen = sorted(os.sched_getaffinity(0))[-1:]
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, chosen),  # noqa: PLW1509 - no threads here
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


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
    sys.exit(main())
