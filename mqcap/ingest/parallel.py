"""Decode and write on several processors, with the same files as on one.

Every process walks all of the input, which is cheap, and decodes and writes only the datasets
that are its own. Which those are follows from the input alone, so that all processes deal them
out in the same way without communication, and one process always writes a dataset, in order.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar, runtime_checkable

from mqcap.domain.source import Reading

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Decode = Callable[[], Any]
"""Decodes one table; its texts are dictionaries."""
Write = Callable[[str, Any], None]
Result = TypeVar("Result")

SHARED_BYTES_MIN: Final = 8 << 20
"""Content from which a second process is worth its start (ours)."""


class Piece(NamedTuple):
    """A table that is not decoded yet."""

    dataset: str
    decode: Decode
    work: int
    """Cost of decoding and writing, as a number of values."""


@runtime_checkable
class ParallelReading(Reading, Protocol):
    """A reading whose tables are decoded only by the process that writes them."""

    def pieces(self) -> Iterator[Piece]:
        """Yield a decoder of each table, in order."""


@dataclass
class WorkShares:
    """Distribution of datasets to processes: a new one goes to the process with the least work."""

    processes: int
    process: int = 0
    """Number of this process; the first is 0."""
    _owner: dict[str, int] = field(default_factory=dict)
    _work: list[int] = field(default_factory=list)

    def is_ours(self, piece: Piece) -> bool:
        """Return whether this process decodes the piece; call it for all pieces in their order."""
        if not self._work:
            self._work = [0] * self.processes
        least = self._work.index(min(self._work))
        owner = self._owner.setdefault(piece.dataset, least)
        self._work[owner] += piece.work
        return owner == self.process


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def write_share(reading: Reading, write: Write, shares: WorkShares) -> None:
    """Read to the end and hand every table that is ours and has rows to ``write``."""
    for piece in _pieces(reading):
        if shares.is_ours(piece):
            table = piece.decode()
            if table.num_rows:
                write(piece.dataset, table)


def in_processes(work: Callable[[int], Result], processes: int) -> list[Result]:
    """Return the results of ``work`` for 0, 1, … ``processes - 1``; all but 0 in forked processes.

    Results must be picklable. Raises the first error of any of them, after all have ended, and
    OSError when one ends without a result.
    """
    if processes <= 1 or not hasattr(os, "fork"):
        return [work(number) for number in range(processes)]
    context = multiprocessing.get_context("fork")
    started = []
    for number in range(1, processes):
        ours, theirs = context.Pipe(duplex=False)
        copy = context.Process(target=_send_result, args=(work, number, theirs))
        copy.start()
        theirs.close()
        started.append((copy, ours))
    try:
        first = work(0)
    finally:
        others = [_received(ours) for _, ours in started]
        for copy, _ in started:
            copy.join()
    for result in others:
        if isinstance(result, Exception):
            raise result
    return [first, *others]


def _send_result(work: Callable[[int], Any], number: int, connection: Connection) -> None:
    """Send the result, or the error, to the parent process."""
    try:
        connection.send(work(number))
    except Exception as error:  # noqa: BLE001 - raised again where it is received
        connection.send(error)


def _received(connection: Connection) -> Any:
    try:
        return connection.recv()
    except EOFError:
        return OSError("a process that decoded a part of the input was killed; is memory short?")


def _pieces(reading: Reading) -> Iterator[Piece]:
    if isinstance(reading, ParallelReading):
        yield from reading.pieces()
        return
    for dataset, table in reading.tables():
        yield Piece(dataset, partial(_same, table), table.num_rows * table.num_columns)


def _same(table: Any) -> Any:
    """Return a table that is decoded already."""
    return table
