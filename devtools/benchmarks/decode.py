"""Speed of decoding dumps: ``python -m devtools.benchmarks.decode [--peer mqsmfcsv]``.

All fields of all structures of a made-up dump (115 all subtypes, 116.10) go to Parquet through
the command ``mqcap smf to-parquet``, start of the interpreter included, on one and on two
processors; beside it reading the file, a plain loop that takes every record apart with ``struct``
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
from devtools.benchmarks.ratios import tell
from mqcap.ingest.smf.contiguous_records import ContiguousRecords, take_contiguous
from mqcap.ingest.smf.dump_file import open_content, view_of
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
PEER_ASKED = 0.25, 0.4
"""At most so much of the peer's CPU seconds, and with two processors of its wall time."""


class Way(NamedTuple):
    """A way to read the dump."""

    name: str
    command: list[str]
    processors: int
    runs: int
    out: Path | None = None


def main() -> int:
    """Write the dumps, read them in all ways, print one table; 1 when a ratio is worse."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        dump, part = arguments.dump or folder / "bench.smf", folder / "part.smf"
        size = dump.stat().st_size if arguments.dump else write_dump_of(dump, arguments.mib)
        part_size = _write_part(dump, part, size // 4)
        _compile()
        costs = {way.name: run(*way[1:]) for way in _ways(dump, folder, arguments)}
        written = sum(path.stat().st_size for path in (folder / "out").iterdir())
        costs[LOOP] = _loop(part, size / part_size)
        few = run(_ours(part, folder), 1, arguments.runs, folder / "out")
    print(f"{size / MIB:.0f} MiB of 115 (all subtypes) and 116.10, all fields of all structures")
    _print_table(size / MIB, costs)
    _print_peer(costs)
    complete = costs["decode, one processor"]
    print(
        f"{size / part_size:.2f} times the dump: {complete.cpu_seconds / few.cpu_seconds:.2f} times"
        f" the CPU seconds, {complete.wall_seconds / few.wall_seconds:.2f} times the wall time;"
        f" Parquet written: {written / MIB:.0f} MiB"
    )
    is_usual = arguments.dump is None and arguments.mib == USUAL_MIB
    return min(1, tell("decode", _ratios(costs))) if is_usual else 0


def _ratios(costs: dict[str, Cost]) -> dict[str, float]:
    """Return what is compared with the last release."""
    single = costs["decode, one processor"].cpu_seconds
    found = {"CPU of decode : plain struct loop": single / costs[LOOP].cpu_seconds}
    if "mqsmfcsv" in costs:
        found["CPU of decode : mqsmfcsv"] = single / costs["mqsmfcsv"].cpu_seconds
    return found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mib", type=int, default=USUAL_MIB)
    parser.add_argument("--runs", type=int, default=3, help="the median of so many is printed")
    parser.add_argument("--peer", default=shutil.which("mqsmfcsv"), help="IBM's formatter")
    parser.add_argument("--dump", type=Path, help="take this one instead of writing one")
    parser.add_argument("--folder", type=Path, help="where the dump is written")
    return parser.parse_args()


def _compile() -> None:
    """Compile what is imported, as installing does."""
    for name in IMPORTED:
        compileall.compile_dir(Path(__file__).parents[2] / name, quiet=2)


def _write_part(dump: Path, part: Path, size: int) -> int:
    """The first records of the dump, about so many bytes of them."""
    content = open_content(dump)
    end = take_contiguous(view_of(content.data), 0, size, len(content.data), ContiguousRecords())
    part.write_bytes(content.data[:end].tobytes())
    return end


def _ways(dump: Path, folder: Path, arguments: argparse.Namespace) -> list[Way]:
    ways = [
        Way("read the file", [sys.executable, "-c", READ, str(dump)], 1, arguments.runs),
        Way("decode, one processor", _ours(dump, folder), 1, arguments.runs, folder / "out"),
        Way("decode, two processors", _ours(dump, folder), 2, arguments.runs, folder / "out"),
    ]
    if arguments.peer:
        (folder / "peer").mkdir()
        peer = [arguments.peer, "-o", str(folder / "peer"), "-i", str(dump), "-f", "rdw"]
        ways.append(Way("mqsmfcsv", peer, 1, arguments.runs))
    return ways


def _loop(part: Path, times: float) -> Cost:
    """Measure the plain loop on this part; return its cost for a dump ``times`` as large."""
    wall, cpu = time.perf_counter(), time.process_time()
    struct_loop(part)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall * times, cpu * times, float("nan"))


def _ours(dump: Path, folder: Path) -> list[str]:
    code = "from mqcap.cli.entry import main; main()"
    out = str(folder / "out")
    return [sys.executable, "-c", code, "smf", "to-parquet", str(dump), "-o", out]


def _print_table(mib: float, costs: dict[str, Cost]) -> None:
    reading = costs["read the file"].cpu_seconds
    plain = costs[LOOP].cpu_seconds
    print(f"{'':25}{'MiB/s':>8}{'wall s':>8}{'CPU s':>8}{'peak MiB':>10}{': read':>8}{': loop':>8}")
    for name, cost in costs.items():
        print(
            f"{name:25}{mib / cost.wall_seconds:8.0f}{cost.wall_seconds:8.2f}"
            f"{cost.cpu_seconds:8.2f}{cost.peak_mib:10.0f}"
            f"{cost.cpu_seconds / reading:8.1f}{cost.cpu_seconds / plain:8.3f}"
        )
    print(
        "(: read, : loop are ratios of CPU seconds; decode includes the start of the interpreter;"
        " the loop took a quarter of the dump, its figures are scaled; peak MiB is per process)"
    )


def _print_peer(costs: dict[str, Cost]) -> None:
    single, double = costs["decode, one processor"], costs["decode, two processors"]
    if "mqsmfcsv" not in costs:
        print("mqsmfcsv: not given and not on the PATH; no ratio to it")
        return
    peer = costs["mqsmfcsv"]
    print(
        f"decode : mqsmfcsv = {single.cpu_seconds / peer.cpu_seconds:.2f} of its CPU seconds"
        f" (at most {PEER_ASKED[0]}), with two processors"
        f" {double.wall_seconds / peer.wall_seconds:.2f} of its wall time"
        f" (at most {PEER_ASKED[1]})"
    )


class Cost(NamedTuple):
    """Cost of a process; memory is that of its largest single process."""

    wall_seconds: float
    cpu_seconds: float
    peak_mib: float


def run(command: Sequence[str], processors: int, runs: int, out: Path | None = None) -> Cost:
    """The median of some runs on so many processors; raises RuntimeError when one fails.

    ``out`` is the folder that it writes, removed before every run: deleting what stood there is
    not part of the work. Modules are compiled already, as they are where a product is installed.
    """
    costs = []
    for _ in range(runs):
        if out is not None:
            shutil.rmtree(out, ignore_errors=True)
        costs.append(_once(command, processors))
    return Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))


def _once(command: Sequence[str], processors: int) -> Cost:
    chosen = sorted(os.sched_getaffinity(0))[-processors:]
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
