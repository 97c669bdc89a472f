from __future__ import annotations

import pytest

from mqcap.rulebook.describe import unit_of


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("log_rate_mib_per_s", "MiB/s"),
        ("messages_per_s", "per s"),
        ("log_size_mib", "MiB"),
        ("size_gb", "GB"),
        ("used_pct", "%"),
        ("restart_min", "min"),
        ("restart_target_minutes", "min"),
        ("fill_s", "s"),
        ("cf_us", "us"),
        ("schedule_hours", "h"),
        ("QUEUE_PAGES", "pages"),
        ("engines", ""),
        ("dual_logging", ""),
        ("qpstnbuf", ""),
    ],
)
def test_a_name_ends_in_its_unit(name: str, unit: str) -> None:
    assert unit_of(name) == unit
