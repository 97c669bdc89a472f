"""Coupling facilities: engines, shares of systems, structures and their copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import numpy as np
import pytest

from devtools.simulator import SimulationResult, generate
from devtools.simulator.events import Silence
from devtools.simulator.facility.coupling_facility import (
    CouplingFacilitySlice,
    facility_groups,
    simulate_coupling_facility,
)
from devtools.simulator.generate import facility_records
from devtools.simulator.spec import EstateSpec
from mqcap.domain.estate import Dyndisp
from mqcap.ingest.registry import source_for
from tests.devtools.simulator.builders import (
    estate_spec,
    facility_part,
    period,
    plex_spec,
    steady,
)
from tests.devtools.simulator.reading import Record, records_in, records_of_kind
from tests.mqcap.ingest.reading import read_all

HOUR_US: Final = 3_600_000_000
DAY: Final = date(2026, 3, 4)
Rows = Mapping[str, list[dict[str, Any]]]


def odd_spec() -> EstateSpec:
    """CFA1 with every oddity; its structure has a secondary copy in CFA2."""
    first, second = plex_spec().cfs
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
    return estate_spec(sysplexes=(plex_spec(cfs=(odd, second)),), anchor_date=DAY)


def records(part: CouplingFacilitySlice) -> list[Record]:
    return [record for _, rows in facility_records(part) for record in records_in(rows)]


def busy_ratios(**changed: Any) -> list[float]:
    """Return how busy each engine is in the busiest hour."""
    [processors] = [
        record.sections(6) for record in records(facility_part(**changed))
        if record.local_us // HOUR_US % 24 == 11
    ]  # fmt: skip
    total = processors["r744pbsy"].astype(np.int64) + processors["r744pwai"]
    ratios: list[float] = (processors["r744pbsy"] / total).tolist()
    assert total.tolist() == [HOUR_US] * len(processors)
    return ratios


@pytest.mark.parametrize("engines", [1, 2, 5])
def test_the_mean_of_the_engines_is_the_load_of_the_facility(engines: int) -> None:
    ratios = busy_ratios(engines=engines, busy_pct=steady(40))
    assert len(ratios) == engines
    assert np.mean(ratios) == pytest.approx(0.4)
    assert len(set(ratios)) == engines


@pytest.mark.parametrize(("load_pct", "busiest"), [(98, 0.9898), (99.1, 1.0), (150, 1.0)])
def test_no_engine_is_busier_than_all_of_the_time(load_pct: float, busiest: float) -> None:
    assert max(busy_ratios(engines=2, busy_pct=steady(load_pct))) == pytest.approx(busiest)


@pytest.mark.parametrize(
    ("dyndisp", "shared", "polls"),
    [
        (Dyndisp.off, 0, False),
        (Dyndisp.off, 1, True),
        (Dyndisp.on, 1, False),
        (Dyndisp.thin, 1, False),
    ],
)
def test_only_shared_engines_without_dyndisp_look_busy_all_the_time(
    dyndisp: Dyndisp, shared: int, polls: bool
) -> None:
    ratios = busy_ratios(engines=2, busy_pct=steady(40), shared_engines=shared, dyndisp=dyndisp)
    assert (ratios == [1.0, 1.0]) is polls


@pytest.mark.parametrize(("shared", "kinds"), [(0, [0x80, 0x80]), (1, [0x80, 0]), (2, [0, 0])])
def test_the_last_engines_are_the_shared_ones(shared: int, kinds: list[int]) -> None:
    [first, *_] = records(facility_part(engines=2, shared_engines=shared))
    assert first.sections(6)["r744ptyp"].tolist() == kinds


def test_the_systems_share_the_requests_of_a_structure() -> None:
    """900 requests a second at the busiest hour of the anchor day, of two systems."""
    part = facility_part(busy_pct=steady(26))
    busiest = records(part)[10].sections(5)[0]
    assert busiest["r744sstm"] == 0.95 * 900 * 3600 / 2 * 9  # 95 % synchronous, 9 us each


def test_only_the_first_system_reports_how_the_facility_is_connected() -> None:
    first, second = (facility_groups(facility_part(system=system)) for system in (0, 1))
    assert first.keys() - second.keys() == {"X"}
    assert first["X"].count == 2


@pytest.mark.parametrize(("offset", "intervals"), [(-1, 48), (0, 24), (1, None)])
def test_a_facility_that_starts_after_the_last_day_does_not_exist(
    offset: int, intervals: int | None
) -> None:
    spec = plex_spec().cfs[0].model_copy(update={"first_day_offset": offset})
    made = simulate_coupling_facility(plex_spec(), spec, period())
    assert (None if made is None else len(made.grid)) == intervals


@pytest.mark.parametrize(("used_ratio", "free_mib"), [(0.0, 1_024), (0.75, 256), (1.0, 0)])
def test_storage_that_is_not_used_is_free(used_ratio: float, free_mib: int) -> None:
    [first, *_] = records(facility_part(storage_mib=1_024, storage_used_ratio=used_ratio))
    storage = first.sections(3)[0]
    assert (storage["r744gtsd"], storage["r744gtsf"]) == (1_024 * 256, free_mib * 256)


def test_entries_follow_the_load_of_the_structure_and_elements_stay_within_it() -> None:
    structure = plex_spec().cfs[0].structures[0].model_copy(
        update={
            "entries": 1_000, "elements": 900, "elements_per_entry": 2.0,
            "entries_used_pct": steady(60),
        }
    )  # fmt: skip
    busiest = records(facility_part(structures=(structure,)))[10].sections(5)[0]
    assert (busiest["r744slel"], busiest["r744slem"]) == (1_000, 600)
    assert (busiest["r744smae"], busiest["r744scue"]) == (900, 900)  # not 1,200


def test_every_system_reports_the_same_engines(estate: SimulationResult) -> None:
    seen: dict[tuple[int, str], set[bytes]] = defaultdict(set)
    for record in records_of_kind(list(estate.dumps), (74, 4), "RMF"):
        name = record.sections(1)[0]["r744fnam"].decode("cp037")
        seen[record.local_us, name].add(record.sections(6).tobytes())
    assert {len(rows) for rows in seen.values()} == {1}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    folder = tmp_path_factory.mktemp("facility")
    result = generate(odd_spec(), folder, first_date=DAY, last_date=DAY)
    (dump,) = result.dumps
    assert source_for(dump).name == "smf"
    read = read_all(dump)
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
    names = {(name, row["cf"]) for name, sections in rows.items() for row in sections}
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


def test_both_copies_of_a_duplexed_structure_say_which_they_are(rows: Rows) -> None:
    flags = {(row["cf"], row["r744snam"]): row["r744sflg"] & 0x1C for row in rows["section_r744s"]}
    assert flags["CFA1", "QSGAAPPL1"] == 0x18
    assert flags["CFA2", "QSGAAPPL1"] == 0x14
    assert flags["CFA2", "QSGACSQ_ADMIN"] == 0
