"""Coupling facility names for the pieces of 74.4 records that RMF had to split.

Only one piece has the local facility section with the name. RMF writes the pieces of a record one
after the other; the reassembly area of the product section numbers them. So a piece without name
is about the facility of the piece before it, when that has the same system, interval and number
of pieces, and the number before its own. Otherwise it stays without name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from mqcap.ingest.smf.arrow import column, strings, taken
from mqcap.ingest.smf.kinds import PRODUCT_STRUCTURE
from mqcap.ingest.smf.layout import field_of
from mqcap.ingest.smf.record_heads import Heads, triplets
from mqcap.ingest.smf.sections import Deferred, Span
from mqcap.ingest.smf.strided_read import field_numbers, strided_rows

REMEMBERED_MAX: Final = 256
"""Unfinished records remembered from batch to batch: a few for each system are enough."""
_FACILITY: Final = "cf"


class _Piece(NamedTuple):
    file_offset: int
    group: int
    row: int
    writer: tuple[str, int]
    """System and end of the interval."""
    pieces: int
    number: int


@dataclass
class SplitRecords:
    """The 74.4 records of a batch, deferred until all of its pieces have been read."""

    unnamed_count: int = 0
    """Pieces so far whose coupling facility is not known."""
    _deferred: list[Deferred] = field(default_factory=list)
    _last: dict[tuple[str, int], tuple[str, int, int]] = field(default_factory=dict)
    """Facility, total number and own number of the last piece of each writer."""

    def defer(self, heads: Heads, spans: list[Span]) -> None:
        """Defer records of coupling facilities until the end of their batch."""
        self._deferred.append((heads, spans))

    def end_batch(self) -> Iterator[Deferred]:
        """End a batch; yields its records, with the names of the facilities that pieces lack."""
        deferred, self._deferred = self._deferred, []
        names_of = [heads.columns[_FACILITY].to_pylist() for heads, _ in deferred]
        pieces = [
            piece for group, (heads, _) in enumerate(deferred) for piece in _pieces(group, heads)
        ]
        for piece in sorted(pieces):
            names = names_of[piece.group]
            name, *before = self._last.get(piece.writer, (None, 0, 0))
            if names[piece.row] is None and before == [piece.pieces, piece.number - 1]:
                names[piece.row] = name
            if names[piece.row] is None:
                self.unnamed_count += 1
                continue
            self._last.pop(piece.writer, None)  # the newest one stands last
            self._last[piece.writer] = names[piece.row], piece.pieces, piece.number
        for oldest in list(self._last)[:-REMEMBERED_MAX]:
            del self._last[oldest]
        for (heads, spans), names in zip(deferred, names_of, strict=True):
            yield replace(heads, columns={**heads.columns, _FACILITY: strings(names)}), spans

    def problems(self) -> Iterator[str]:
        """Yield a sentence for the operator when the facility of some pieces is not known."""
        if self.unnamed_count:
            yield (
                f"{self.unnamed_count} pieces of split 74.4 records name no coupling facility, as"
                " the piece before them is not in the file; no figure counts them."
            )


def _pieces(group: int, heads: Heads) -> Iterator[_Piece]:
    records, product = heads.records, triplets(heads.records, 0)
    at = records.base + product.offset
    is_piece = field_numbers(records.buffer, at, field_of(PRODUCT_STRUCTURE, "smf74ran")) == 1
    area = at + field_numbers(records.buffer, at, field_of(PRODUCT_STRUCTURE, "smf74rao"))
    inside = area + 4 <= records.base + records.size
    rows = np.flatnonzero(heads.faults.sound & is_piece & inside)
    numbers = strided_rows(records.buffer, area[rows], 4).view(">u2").tolist()
    systems = taken(heads.columns["smfid"], column(rows)).to_pylist()
    for row, system, (pieces, number) in zip(rows.tolist(), systems, numbers, strict=True):
        writer = system, int(heads.interval.end_us[row])
        yield _Piece(int(records.file_offset[row]), group, row, writer, pieces, number)
