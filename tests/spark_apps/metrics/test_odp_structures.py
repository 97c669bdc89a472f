"""Structures as a group samples them: SMF of whichever facility decides where it has the hour."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from spark_apps.metrics import sampled
from tests.spark_apps.rows import START, between, levels, sections

HOUR = timedelta(hours=1)
SUBJECT = "PLEX1/QSG1/QSG1APPL1"
ENTRIES = ("odp_structure_entries_used_pct", SUBJECT)
STORAGE = ("odp_structure_storage_used_pct", SUBJECT)


def share(figure: str, value: float, name: str = "QSG1APPL1", **changed: Any) -> dict[str, Any]:
    made = {"qmgr": "", "object": name, "figure": f"structure_{figure}_used_pct", "value": value}
    return {**made, "reported_utc": START, **changed}


def found(rows: Sequence[Any], **smf: Sequence[Any]) -> dict[tuple[str, str], list[float]]:
    made = sections(None, None, None, zos_sample=rows, **smf)
    return levels(sampled.structures(made))


def test_entries_and_storage_are_series_of_the_structure_in_its_group() -> None:
    assert found([share("entries", 64.0), share("storage", 71.0)]) == {
        ENTRIES: [64.0],
        STORAGE: [71.0],
    }


@pytest.mark.parametrize(
    ("name", "subject"),
    [("QS@@APPL1", "PLEX1/QS/QS@@APPL1"), ("QSG1CSQ_ADMIN", "PLEX1/QSG1/QSG1CSQ_ADMIN")],
)
def test_a_short_name_of_a_group_is_padded_in_that_of_its_structures(
    name: str, subject: str
) -> None:
    assert [each for _, each in found([share("entries", 64.0, name)])] == [subject]


def test_members_that_sample_at_one_time_count_once_with_the_highest() -> None:
    assert found([share("entries", 64.0), share("entries", 65.0, smfid="SYS2")]) == {
        ENTRIES: [65.0]
    }
    twice = [{**share("entries", 64.0), "file_sha256": name} for name in ("a", "b")]
    assert found(twice) == {ENTRIES: [64.0]}


@pytest.mark.parametrize(
    ("name", "left"),
    [("QSG1APPL1", {}), ("QSG1APPL2", {ENTRIES: [64.0]}), ("QSG2APPL1", {ENTRIES: [64.0]})],
)
def test_smf_of_the_structure_decides_in_whichever_facility_it_is(
    name: str, left: dict[tuple[str, str], list[float]]
) -> None:
    measured = [{"cf": "CF07", "r744snam": name, **between(START - HOUR, START)}]
    assert found([share("entries", 64.0)], section_r744s=measured) == left


def test_structures_are_no_samples_of_a_queue_manager() -> None:
    made = sections(None, None, None, zos_sample=[share("entries", 64.0)])
    assert levels(sampled.queue_managers(made)) == {}
