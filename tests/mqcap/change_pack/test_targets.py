from __future__ import annotations

from typing import Any

import pytest

from mqcap.change_pack.targets import NewValue, Target, values_of_findings, values_of_plan
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from tests.mqcap.change_pack.builders import change, finding

CHINIT = ("CSQ1", "CHINIT")


@pytest.mark.parametrize(
    ("subject", "settings", "names", "topic", "value"),
    [
        ("PLEX1/CSQ1/BP01", {"buffers": 60_000}, ("CSQ1", "BP01"), "buffers", 60_000),
        ("PLEX1/CSQ1/PS03", {"pages": 180}, ("CSQ1", "PS03"), "page_set", 1),
        ("PLEX1/CSQ1/PS03", {"pages": 181}, ("CSQ1", "PS03"), "page_set", 2),
        ("PLEX1/CF01/QSG1APPL1", {"structure_size_mib": 4_000}, ("QSG1APPL1",), "structure_kib",
         4_096_000),
        ("PLEX1/CSQ1/CHINIT", {"memlimit_gib": 3}, CHINIT, "memlimit_gib", 3),
        ("PLEX1/CSQ1/CHINIT", {"maxchl": 900}, CHINIT, "maxchl", 900),
        ("PLEX1/CSQ1/CHINIT", {"adapters": 30}, CHINIT, "adapters", 30),
        ("PLEX1/CSQ1/CHINIT", {"dispatchers": 20}, CHINIT, "dispatchers", 20),
        ("PLEX1/CSQ1/CHINIT", {"ssltasks": 8}, CHINIT, "ssltasks", 8),
        ("PLEX1/CSQ1/CHINIT", {"omvs_maxprocuser": 90}, CHINIT, "processes", 90),
        ("PLEX1/CSQ1", {"maxarch": 800}, ("CSQ1",), "maxarch", 800),
        ("PLEX1/CSQ1", {"smds_buffers": 200}, ("CSQ1",), "smds_buffers", 200),
        ("PLEX1/CSQ1", {"smds_size_pct": 150}, ("CSQ1",), "smds_size_pct", 150),
        ("PLEX1/CSQ1/CHINIT", {"sharecnv": 0, "sharecnv_from": 1}, CHINIT, "sharecnv", 0),
    ],
)  # fmt: skip
def test_each_setting_of_a_plan_is_typed_for_its_target(
    subject: str, settings: dict[str, Any], names: tuple[str, ...], topic: str, value: int
) -> None:
    assert values_of_plan([change(subject, **settings)]) == [
        NewValue(Target("PLEX1", names, topic), value)
    ]


@pytest.mark.parametrize(
    "settings",
    [{"engines": 2}, {"channels_moved": 40}, {"sharecnv": 1, "sharecnv_from": 1},
     {"page_set_backup_hours": 24}, {"structure_backup_hours": 1},
     {"active_logs": 9, "active_log_size_mib": 4_095.7}],
)  # fmt: skip
def test_what_is_done_by_hand_what_stays_and_active_logs_have_no_value(
    settings: dict[str, Any],
) -> None:
    assert values_of_plan([change("PLEX1/CSQ1", **settings)]) == []


def test_both_copies_of_a_structure_are_one_entry_of_the_policy() -> None:
    copies = [change(f"PLEX1/{name}/QSG1APPL1", structure_size_mib=4_000) for name in ("A", "B")]
    assert len(values_of_plan(copies)) == 1


def test_changes_of_findings_are_typed_but_for_active_logs() -> None:
    cylinders = TypedAmount.of(TypedKind.cylinders, 700)
    result = [
        finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", cylinders),
        finding("LOG-FILL-30MIN", "PLEX1/CSQ1", cylinders),
        finding("LOG-OUTBUFF-WTB", "PLEX1/CSQ1", TypedAmount.of(TypedKind.outbuff_kb, 4_000)),
        finding("CF-BUSY-1", "PLEX1/CF01", TypedAmount.of(TypedKind.engines, 2)),
        finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"),
    ]
    assert values_of_findings(result) == [
        NewValue(Target("PLEX1", ("CSQ1", "PS03"), "page_set"), 700),
        NewValue(Target("PLEX1", ("CSQ1",), "outbuff_kb"), 4_000),
    ]


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("CSQ1", "BP01"), 1),
        (("CSQ1", "BP00"), 0),
        (("CSQ1", "PS12"), 12),
        (("CSQ1", "CHINIT"), None),
        (("CSQ1",), None),
    ],
)
def test_a_pool_or_page_set_is_numbered_by_its_name(
    names: tuple[str, ...], number: int | None
) -> None:
    assert Target("PLEX1", names, "buffers").number == number
    assert Target("PLEX1", names, "buffers").owner == "CSQ1"
