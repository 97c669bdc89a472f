"""Fuzz the readers for a stated time: ``python -m tests.fuzz.run`` (``make fuzz``).

``MQCAP_FUZZ_SECONDS`` says how long (60), ``MQCAP_FUZZ_SEED`` makes a run repeat itself. Inputs
are damaged dumps, and sound records around random sections. A dump that takes a step in the
readers that none before it took is kept and damaged further. What fails is kept in ``var/fuzz/``
and the exit code is 1.
"""

import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from mqcap import ingest
from tests.fuzz.check import check_file, check_report
from tests.fuzz.inputs import mutate, random_dump
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.ingest.mqsmfcsv.test_source import HEAD, line
from tests.mqcap.ingest.rmf.test_source import XML, page
from tests.shared import shared_dir

FRAMINGS = ("rdw", "rdwseg", "bdw", "nordw")
KEPT = Path("var") / "fuzz"
TEXTS = (
    (
        "N 0000000 PRD1     2025069 08:30:00.17 STC04712 00000090  CSQX004I !MQP1 CSQXSTOR Channel"
        " initiator is using 131 MB of local storage, 1457 MB are free\n"
    ),
    page() + page("CFP2"),
    XML,
    HEAD + 3 * line(),
)
"""A console log, RMF reports and a file of the formatter."""
MEMORY_MAX_BYTES = 1 << 30
"""Address space beyond what is in use at the start: no input of the fuzzer needs a tenth."""
REPORTED = 0.1
"""Share of the dumps that are also looked at by ``smf check``."""
LOOKED_AT_AGAIN = "reports printed"
"""Count of inputs that are counted as read already."""
CORPUS_MAX = 2_000
"""Inputs kept to be damaged further."""


READERS = str(Path(ingest.__file__).parent)

Arc = tuple[CodeType, int, int]


@dataclass
class Trace:
    """Steps from line to line inside of the readers that any input so far has taken."""

    arcs: set[Arc] = field(default_factory=set)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Take the steps of what runs inside."""
        earlier = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(earlier)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        """A tracer of its own for every call of a function of the readers."""
        code = frame.f_code
        if not code.co_filename.startswith(READERS):
            return None
        last = 0
        add = self.arcs.add

        def step(inner: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "line":
                line = inner.f_lineno
                add((code, last, line))
                last = line
            return step

        return step


@dataclass
class Fuzzer:
    """A run; ``counts`` are inputs tried by kind and outcome."""

    seed: int
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 - a run must repeat itself
        self.dumps = seeds(self.folder)
        self.trace = Trace()

    def one(self) -> str | None:
        """Try one input; the traceback when it fails, and the input is kept."""
        if self.rng.random() < 0.75:
            content = mutate(self.rng, self.rng.choice(self.dumps), self.dumps)
        else:
            content = random_dump(self.rng)
        path = self.folder / "input.smf"
        path.write_bytes(content)
        known = len(self.trace.arcs)
        try:
            with self.trace.watching():
                accepted = check_file(path)
            if accepted and self.rng.random() < REPORTED:
                check_report(path)
                self.counts[LOOKED_AT_AGAIN] += 1
        except Exception:  # noqa: BLE001 - whatever it is, it is what we look for
            KEPT.mkdir(parents=True, exist_ok=True)
            path = KEPT / f"{self.seed}-{self.counts.total()}-dump.smf"
            path.write_bytes(content)
            self.counts["failed"] += 1
            return f"{path}\n{traceback.format_exc()}"
        if content and len(self.trace.arcs) > known and len(self.dumps) < CORPUS_MAX:
            self.dumps.append(content)
        self.counts["dumps read" if accepted else "dumps refused"] += 1
        return None


def seeds(folder: Path) -> list[bytes]:
    """Sound dumps to damage: our own in every framing and two levels, and the samples if any."""
    result = [
        small_dump(folder, framing, mq_level=level).read_bytes()
        for framing in FRAMINGS
        for level in ("8.0.0", "10.0.0")
    ]
    result.extend(text.encode() for text in TEXTS)
    if shared := shared_dir():
        patterns = (
            "mini*.smf", "console/*.txt", "cf_inputs/*", "expected/mini.csv/*Q[CJP]*.csv"
        )  # fmt: skip
        samples = (sorted((shared / "data" / "smf").glob(pattern)) for pattern in patterns)
        result.extend(path.read_bytes() for several in samples for path in several)
    return result


def fuzz(seconds: float, seed: int) -> tuple[Fuzzer, list[str]]:
    """Try inputs for a time; what was tried, and what failed."""
    failures = []
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(seed, Path(folder))
        while time.monotonic() < end:
            failure = fuzzer.one()
            if failure is not None:
                failures.append(failure)
    return fuzzer, failures


def main() -> int:
    """Fuzz, say what was tried, and fail if anything failed."""
    seconds = float(os.environ.get("MQCAP_FUZZ_SECONDS", "60"))
    seed = int(os.environ.get("MQCAP_FUZZ_SEED") or random.SystemRandom().randrange(1 << 32))
    _limit_memory()
    fuzzer, failures = fuzz(seconds, seed)
    tried = fuzzer.counts.total() - fuzzer.counts[LOOKED_AT_AGAIN]
    tried_counts = ", ".join(f"{count:,} {what}" for what, count in sorted(fuzzer.counts.items()))
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(
        f"{tried:,} inputs in {seconds:g} s, seed {seed}: {tried_counts};"
        f" {len(fuzzer.trace.arcs):,} steps of the readers seen, {len(fuzzer.dumps):,} inputs kept"
        f" for taking a new one, {peak_mib:,.0f} MiB at most\n"
    )
    for failure in failures[:10]:
        sys.stderr.write(f"{failure}\n")
    return 1 if failures else 0


def _limit_memory() -> None:
    """Let an input that needs unbounded memory fail instead of filling the machine."""
    in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (in_use + MEMORY_MAX_BYTES, resource.RLIM_INFINITY))


if __name__ == "__main__":
    sys.exit(main())
