"""Copies of duplexed structures under a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, facts_of_day
from mqcap.whatif.copies import copies_of
from tests.mqcap.rulebook.builders import DAY, days, observe, settings_of
from tests.mqcap.whatif.builders import CF, OTHER_CF, STRUCTURE, filled, messages, peak, world

COPY = f"{OTHER_CF}/QSG1APPL1"
ENTRIES = "structure_entries_used_pct"


def duplexed_in(folder: Path, role: float) -> DayFacts:
    """The small estate with another copy, of half the size, in the other facility."""
    engine = filled(folder)
    for metric, unit, value in (
        ("structure_size_mib", "MiB", 256.0),
        (ENTRIES, "%", 20.0),
        ("structure_duplex_role", "", role),
    ):
        observe(engine, metric, COPY, days(3, value), kind=SubjectKind.structure, unit=unit)
    return facts_of_day(settings_of(folder), engine, DAY)


@pytest.mark.parametrize(
    ("role", "also_in", "found"),
    [
        (2, None, (STRUCTURE, COPY)),
        (0, None, (STRUCTURE,)),
        (0, OTHER_CF, (STRUCTURE, COPY)),
        (0, "PLEX1/CF09", (STRUCTURE,)),
    ],
)
def test_a_copy_is_known_by_its_role_or_by_the_scenario(
    tmp_path: Path, role: float, also_in: str | None, found: tuple[str, ...]
) -> None:
    assert copies_of(duplexed_in(tmp_path, role).observed, STRUCTURE, also_in) == found


def test_waiting_messages_fill_both_copies_each_by_its_own_size(tmp_path: Path) -> None:
    outage = {"outage_minutes": 5, "cfcc_level": 25}
    workload = messages(structure=STRUCTURE, duplexed_in=OTHER_CF, **outage)
    seen = world(duplexed_in(tmp_path, 2), workload=[workload])
    first, second = (peak(seen, ENTRIES, copy) - 20 for copy in (STRUCTURE, COPY))
    assert first > 0
    assert second == pytest.approx(2 * first)
    assert not [figure for figure in seen.computed if "copy" in figure.name]


def test_growth_of_one_copy_is_growth_of_the_other(tmp_path: Path) -> None:
    growth = {"subjects": [STRUCTURE], "pct": 500}
    seen = world(duplexed_in(tmp_path, 2), growth=[growth])
    assert [peak(seen, ENTRIES, copy) for copy in (STRUCTURE, COPY)] == [120, 120]


def test_a_copy_that_no_record_shows_needs_the_storage_of_the_first(tmp_path: Path) -> None:
    engine = filled(tmp_path)
    known = facts_of_day(settings_of(tmp_path), engine, DAY)
    workload = messages(structure=STRUCTURE, duplexed_in=OTHER_CF)
    [copy] = [
        figure for figure in world(known, workload=[workload]).computed if figure.unit == "MiB"
    ]
    assert (copy.subject, copy.before, copy.after) == (OTHER_CF, None, 512)
    assert copy.lines[0].startswith(f"512 MiB, the size of {CF}/QSG1APPL1")


def test_a_larger_structure_takes_its_storage_in_both_facilities(tmp_path: Path) -> None:
    change = {"subject": STRUCTURE, "structure_size_mib": 1_024}
    seen = world(duplexed_in(tmp_path, 2), configuration=[change])
    storage = {figure.subject: figure.after for figure in seen.computed if figure.unit == "MiB"}
    assert storage == {CF: 1_024, OTHER_CF: 1_024}
