"""Coupling facilities that are not told by every member, duplexed, shared, or in split records."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from devtools.simulator import generate, small_spec
from devtools.simulator.events import Silence
from devtools.simulator.spec import EstateSpec
from mqcap.domain.estate import Dyndisp
from mqcap.ingest.registry import source_for
from tests.mqcap.ingest.reading import read_all

DAY = date(2026, 3, 4)
Rows = Mapping[str, list[dict[str, Any]]]


def _spec() -> EstateSpec:
    """CFA1 with every oddity; its structure has a secondary copy in CFA2."""
    spec = small_spec()
    plex = spec.sysplexes[0]
    first, second = plex.cfs
    odd = first.model_copy(
        update={
            "engines": 2,
            "shared_engines": 1,
            "dyndisp": Dyndisp.off,
            "master": "TST1",
            "silences": (Silence(system="TST2", day_offset=0, first_hour=9, hours=3),),
            "split_records": True,
            "structures": tuple(
                structure.model_copy(update={"duplexed_in": second.name})
                for structure in first.structures
            ),
        }
    )
    plexes = (plex.model_copy(update={"cfs": (odd, second)}),)
    return spec.model_copy(update={"sysplexes": plexes, "anchor_date": DAY})


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    folder = tmp_path_factory.mktemp("facility")
    result = generate(_spec(), folder, first_date=DAY, last_date=DAY)
    (dump,) = result.dumps
    assert source_for(dump).name == "smf"
    read = read_all(Path(dump))
    assert read.summary.problems == ()
    return {
        name: table.to_pylist()
        for name, table in read.tables.items()
        if name.startswith("section_r744")
    }


def of(rows: Rows, structure: str, **wanted: str) -> list[dict[str, Any]]:
    return [
        row
        for row in rows[f"section_{structure}"]
        if all(row[name] == value for name, value in wanted.items())
    ]


def test_every_piece_of_a_split_record_names_its_facility(rows: Rows) -> None:
    names = {(name, row["cf"]) for name, found in rows.items() for row in found}
    assert all((name, cf) in names for name in rows for cf in ("CFA1", "CFA2"))
    assert not [name for name, cf in names if cf is None]


def test_only_the_master_reports_how_busy_the_facility_is(rows: Rows) -> None:
    masters = {row["r744fflg"] & 0x04 for row in of(rows, "r744f", cf="CFA1", smfid="TST1")}
    others = {row["r744fflg"] & 0x04 for row in of(rows, "r744f", cf="CFA1", smfid="TST2")}
    assert (masters, others) == ({0}, {4})
    assert {row["r744pbsy"] for row in of(rows, "r744p", cf="CFA1", smfid="TST2")} == {0}


def test_shared_engines_that_poll_look_busy_all_the_time(rows: Rows) -> None:
    processors = of(rows, "r744p", cf="CFA1", smfid="TST1")
    assert {row["r744ptyp"] for row in processors} == {0x80, 0x00}
    assert {row["r744pwai"] for row in processors} == {0}
    assert {row["r744fflg"] & 0x18 for row in of(rows, "r744f", cf="CFA1")} == {0}
    assert {row["r744fflg"] & 0x18 for row in of(rows, "r744f", cf="CFA2")} == {0x18}


def test_a_silent_member_has_no_record_in_its_hours(rows: Rows) -> None:
    silent = {row["interval_start_utc"].hour for row in of(rows, "r744f", cf="CFA1", smfid="TST1")}
    silent -= {row["interval_start_utc"].hour for row in of(rows, "r744f", cf="CFA1", smfid="TST2")}
    assert silent == {8, 9, 10}  # 09:00 to 12:00 in Copenhagen
    assert len(of(rows, "r744f", cf="CFA2", smfid="TST2")) == 24


def test_both_copies_of_a_duplexed_structure_say_which_they_are(rows: Rows) -> None:
    flags = {(row["cf"], row["r744snam"]): row["r744sflg"] & 0x1C for row in rows["section_r744s"]}
    assert flags["CFA1", "QSGAAPPL1"] == 0x18
    assert flags["CFA2", "QSGAAPPL1"] == 0x14
    assert flags["CFA2", "QSGACSQ_ADMIN"] == 0
