"""Devices of the log: MP16, "Upper bound on persistent message capacity - DASD log data rate"."""

from __future__ import annotations

from tests.sizing.builders import refusal


def test_an_unknown_device_names_the_measured_ones() -> None:
    text = refusal("LOG-DASD-CEILING", dasd_type="DS9999", message_bytes=1)
    assert text.startswith("the document has no such row in log_dasd_ceiling; found DS9999")
    assert "DS8900F (RAID 5) 4 stripes + zHPF" in text
