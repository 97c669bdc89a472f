"""Records of a coupling facility (74.4): split where asked for, none while a system is silent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

import numpy as np

from devtools.simulator.facility.coupling_facility import CouplingFacilitySlice, facility_groups
from devtools.simulator.timeline import day_number
from mqcap.ingest.smf.encode import Bytes2D, CouplingFacilityRecords, Intervals, cf_records
from mqcap.ingest.smf.encode.rmf_product import SplitPiece

_PIECES: Final = ("FXG", "QS", "P")
"""Sections of each piece of a split record."""


def facility_records(part: CouplingFacilitySlice) -> Iterator[tuple[Intervals, Bytes2D]]:
    """Batches of records with their intervals; the pieces of a record come in their order."""
    for run in _runs(part):
        groups = facility_groups(run)
        kinds = _PIECES if run.facility.spec.split_records else ("",)
        for number, names in enumerate(kinds, 1):
            content = CouplingFacilityRecords(
                run.system.smfid,
                run.system.name,
                run.facility.plex.name,
                {name: group for name, group in groups.items() if name in names or not names},
                SplitPiece(number, len(kinds)) if names else None,
            )
            yield run.intervals, cf_records(content, run.intervals)


def _runs(part: CouplingFacilitySlice) -> Iterator[CouplingFacilitySlice]:
    """The stretches of a slice in which its system reports."""
    grid, facility = part.facility.grid, part.facility
    speaks = np.ones(len(part), dtype=np.bool_)
    span = slice(part.low, part.high)
    for silence in facility.spec.silences:
        if silence.system != part.system.smfid:
            continue
        day = day_number(facility.anchor + timedelta(days=silence.day_offset))
        hours = grid.local_hour[span] - silence.first_hour
        speaks &= ~((grid.local_day[span] == day) & (hours >= 0) & (hours < silence.hours))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], speaks, [False]]).astype(np.int8)))
    for low, high in edges.reshape(-1, 2).tolist():
        yield replace(part, low=part.low + low, high=part.low + high)
