"""Channels and their storage are divided by channel name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.spark_apps.attribution.parts import parts_of, values
from tests.spark_apps.rows import START, between


@pytest.mark.thorough
def test_channels_are_counted_by_instances_and_their_storage_by_the_book() -> None:
    quarter = timedelta(minutes=15)
    channels = [
        {"qcstchnm": "A.TO.B", "qcstcnnm": "10.0.0.1"},
        {"qcstchnm": "A.TO.B", "qcstcnnm": "10.0.0.2"},
        {"qcstchnm": "APP.SVRCONN", "qcstcnnm": "10.0.0.3", **between(START, START + quarter)},
    ]
    control = [{"qcctnocc": 4, "qcctstus": 100}]
    rows = parts_of(section_qcst=channels, section_qcct=control)
    assert values(rows, "channels_current_count") == {
        ("", "whole", ""): 4.0,
        ("channel", "channel", "A.TO.B"): 2.0,
        ("channel", "channel", "APP.SVRCONN"): 0.5,
    }
    assert values(rows, "chinit_31bit_used_mib") == {
        ("", "whole", ""): 100.0,
        ("channel", "channel", "A.TO.B"): round(2 * 90 / 1_024, 9),
        ("channel", "channel", "APP.SVRCONN"): round(45 / 1_024 + 1e-12, 9),
    }


@pytest.mark.thorough
def test_client_channels_are_divided_above_the_bar_by_their_message_buffers() -> None:
    client: dict[str, Any] = {"qcstchty": 7, "mq_level": "9.4.0", "qcstcscv": 1}
    channels = [
        {"qcstchnm": "APP", "qcstcnnm": "1", **client, "qcstnmsg": 9, "qcstnbyt": 9 * 300_000},
        {"qcstchnm": "APP", "qcstcnnm": "2", **client, "qcstcscv": 0},
        {"qcstchnm": "SMALL", "qcstcnnm": "3", **client, "qcstcscv": 10},
        {"qcstchnm": "A.TO.B", "qcstcnnm": "4", **client, "qcstchty": 1},
        {"qcstchnm": "OLD", "qcstcnnm": "5", "qmgr": "CSQ2", **client, "mq_level": "9.3.5"},
    ]
    control = [{"qcctnocc": 4, "qcctstus": 100, "qcctstab": 80}]
    rows = parts_of(section_qcst=channels, section_qcct=control)
    assert values(rows, "chinit_64bit_used_mib") == {
        ("", "whole", ""): 80.0,
        ("channel", "channel", "APP"): 1.5,  # three buffers of 512 KiB
        ("channel", "channel", "SMALL"): round(11 * 4 / 1_024, 9),
    }
