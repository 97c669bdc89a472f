"""Decoding and writing tables on several threads, with the same result as on one.

NumPy, Arrow and the hash leave the interpreter lock while they work, so that threads are enough
for all processors. Tables of one dataset are written in their order, whoever decoded them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol, runtime_checkable

from domain.source import Reading

Decode = Callable[[], Any]
Write = Callable[[str, Any], None]


@runtime_checkable
class ParallelReading(Reading, Protocol):
    """A reading whose tables may be decoded on any thread."""

    def pieces(self) -> Iterator[tuple[str, Decode]]:
        """What decodes the tables, in their order."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def write_all(reading: Reading, write: Write, threads: int) -> None:
    """Read to the end and hand every table that has rows to ``write``.

    ``write`` is called on any of ``threads`` threads, never twice at a time for one dataset, and
    for each dataset in the order of the reading. Not more than ``4 * threads`` tables are waiting
    or in work, which bounds the memory.
    """
    if threads <= 1:
        for dataset, decode in _pieces(reading):
            _write(decode(), dataset, write)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="decode") as pool:
        _submit_all(pool, _pieces(reading), write, 4 * threads)


def _submit_all(
    pool: ThreadPoolExecutor, pieces: Iterable[tuple[str, Decode]], write: Write, limit: int
) -> None:
    """Run the pieces on the pool; the first error is raised and ends it all."""
    last: dict[str, Future[None]] = {}
    waiting: deque[Future[None]] = deque()
    try:
        for dataset, decode in pieces:
            if len(waiting) >= limit:
                waiting.popleft().result()
            last[dataset] = pool.submit(_run, decode, dataset, write, last.get(dataset))
            waiting.append(last[dataset])
        while waiting:
            waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _run(decode: Decode, dataset: str, write: Write, before: Future[None] | None) -> None:
    """Decode one piece, and write it when the one before it is written.

    A piece only waits for one that was submitted earlier, which is in work by then.
    """
    table = decode()
    if before is not None:
        before.result()
    _write(table, dataset, write)


def _write(table: Any, dataset: str, write: Write) -> None:
    if table.num_rows:
        write(dataset, table)


def _pieces(reading: Reading) -> Iterator[tuple[str, Decode]]:
    if isinstance(reading, ParallelReading):
        yield from reading.pieces()
        return
    for dataset, table in reading.tables():
        yield dataset, partial(_same, table)


def _same(table: Any) -> Any:
    """A table that is decoded already."""
    return table
