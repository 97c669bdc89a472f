"""SYS-COST and SYS-BANDWIDTH on measured traffic: Table 1 of the blog, within its validity."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from mqcap.settings.analysis import TransportSettings
from mqcap.transports.channel_move import Transport
from mqcap.transports.moves import (
    mib_per_s,
    move_figures,
    transactions_per_s,
    us_per_message,
    why_not_applicable,
)
from tests.mqcap.transports.builders import traffic

SETTINGS = TransportSettings()


@pytest.mark.parametrize(
    ("transport", "cpu_us", "cf_us"),
    [
        (Transport.tcp_ip, 120.9, 0.47),
        (Transport.smc_r, 134.54, 0.14),
        (Transport.smc_d, 132.6, 0.13),
        (Transport.igq, 119.73, 51.1),
        (Transport.shared_queue, 122.34, 48.01),
    ],
)
def test_a_message_costs_half_of_the_printed_transaction(
    transport: Transport, cpu_us: float, cf_us: float
) -> None:
    assert list(us_per_message(transport)) == approx([cpu_us / 2, cf_us / 2], abs=0.01)


def test_a_move_to_igq_saves_cpu_and_loads_the_facility() -> None:
    # (120.91 - 119.72) / 2 us x 8,640,000 messages; (51.1 - 0.47) / 2 us in the facility.
    figures = move_figures(traffic(), Transport.tcp_ip, Transport.igq)
    assert figures.saved_cpu_s_per_day == approx(5.1408)
    assert figures.saved_engine_pct == approx(100 * 200 * 0.595e-6)
    assert figures.added_cf_s_per_day == approx(218.7216)


def test_a_move_to_smc_d_costs_cpu() -> None:
    figures = move_figures(traffic(), Transport.tcp_ip, Transport.smc_d)
    assert figures.saved_cpu_s_per_day == approx(-50.5008)


def test_no_move_saves_nothing() -> None:
    figures = move_figures(traffic(), Transport.igq, Transport.igq)
    assert (figures.saved_cpu_s_per_day, figures.added_cf_s_per_day) == (0, 0)


def test_the_data_rate_is_that_of_the_blog() -> None:
    # 21,000 a second of 64 KB: 1312.5 MiB/s (SYS-BANDWIDTH).
    messages = 21_000 * 86_400
    assert mib_per_s(traffic(messages=messages, message_bytes=messages * 65_536)) == approx(1_312.5)
    assert mib_per_s(traffic(message_bytes=0)) == 0


def test_two_messages_are_a_transaction() -> None:
    assert transactions_per_s(traffic(busiest_per_s=200)) == 100


@pytest.mark.parametrize(
    ("size", "reasons"), [(1_023, 1), (1_024, 0), (2_048, 0), (4_096, 0), (4_097, 1)]
)
def test_the_table_is_of_about_2_kb(size: int, reasons: int) -> None:
    found = why_not_applicable(traffic(messages=1_000, message_bytes=1_000 * size), SETTINGS)
    assert len(found) == reasons
    assert all("SYS-COST is of 2 KB, used from 1 to 4 KiB" in each for each in found)


@pytest.mark.parametrize(("persistent", "reasons"), [(0, 0), (49, 0), (50, 0), (51, 1)])
def test_the_table_is_of_messages_that_are_not_persistent(persistent: int, reasons: int) -> None:
    made = traffic(messages=1_000, message_bytes=2_048_000, persistent_messages=persistent)
    assert len(why_not_applicable(made, SETTINGS)) == reasons


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"uses_tls": True}, "the channel uses TLS: SYS-COST is without"),
        (
            {"receiver_system": "SYS1"},
            "both queue managers run on SYS1: SYS-COST is of two systems",
        ),
    ],
)
def test_the_table_is_without_tls_and_between_two_systems(
    changed: dict[str, Any], reason: str
) -> None:
    assert why_not_applicable(traffic(**changed), SETTINGS) == (reason,)


def test_unknown_systems_are_not_one_system() -> None:
    made = traffic(sender_system=None, receiver_system=None)
    assert why_not_applicable(made, SETTINGS) == ()
