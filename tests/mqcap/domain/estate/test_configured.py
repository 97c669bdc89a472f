"""Keys that a site configures: absent by default, in range, and none unknown."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.estate.configured import (
    ApplicationFacts,
    BufferPoolFacts,
    ChannelFacts,
    Configured,
    LinuxHost,
    LogFacts,
    StructureFacts,
    ZtpfSystem,
)

NAMED: dict[type[Configured], dict[str, object]] = {
    LogFacts: {},
    ChannelFacts: {},
    ApplicationFacts: {},
    BufferPoolFacts: {"number": 3},
    StructureFacts: {"name": "QSG1APPL1"},
    LinuxHost: {"name": "lnx-1.example"},
    ZtpfSystem: {"name": "TPF1"},
}


@pytest.mark.parametrize("kind", NAMED, ids=lambda kind: kind.__name__)
def test_every_key_but_the_name_may_be_absent(kind: type[Configured]) -> None:
    made = kind.model_validate(NAMED[kind])
    values = made.model_dump(exclude=set(NAMED[kind]))
    assert set(values.values()) <= {None}


@pytest.mark.parametrize("kind", NAMED, ids=lambda kind: kind.__name__)
def test_an_unknown_key_is_an_error(kind: type[Configured]) -> None:
    with pytest.raises(ValidationError, match="no_such_key"):
        kind.model_validate(NAMED[kind] | {"no_such_key": 1})


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        (LogFacts, "maxarch", 9),
        (LogFacts, "maxarch", 1_001),
        (LogFacts, "outbuff_kb", 39),
        (LogFacts, "log_ceiling_mib_per_s", 0),
        (BufferPoolFacts, "number", 100),
        (StructureFacts, "name", "lower"),
        (LinuxHost, "cpu_pct", 101),
        (LinuxHost, "name", "a b"),
        (ZtpfSystem, "mqm_blocks", 0),
    ],
)
def test_values_out_of_range_are_refused(kind: type[Configured], key: str, value: object) -> None:
    with pytest.raises(ValidationError):
        kind.model_validate(NAMED[kind] | {key: value})


@pytest.mark.parametrize(
    ("given", "share_pct"),
    [
        ({}, None),
        ({"dfw_bypass_per_s": 20}, None),
        ({"dasd_io_per_s": 1_000}, None),
        ({"dfw_bypass_per_s": 20, "dasd_io_per_s": 1_000}, 2.0),
        ({"dfw_bypass_per_s": 20, "dasd_io_per_s": 1_000, "dfw_bypass_pct": 0.5}, 0.5),
        ({"dfw_bypass_pct": 0}, 0.0),
    ],
)
def test_the_bypass_is_configured_as_a_share_or_as_both_rates(
    given: dict[str, float], share_pct: float | None
) -> None:
    assert LogFacts.model_validate(given).dfw_bypass_pct == share_pct


@pytest.mark.parametrize("serial", ["", "TOOLONG", "mql001", "MQL 01"])
def test_a_volume_of_the_logs_has_a_serial_of_six_characters(serial: str) -> None:
    assert LogFacts.model_validate({"log_volumes": ["MQL001", "A#@$-9"]}).log_volumes
    with pytest.raises(ValidationError, match="log_volumes"):
        LogFacts.model_validate({"log_volumes": [serial]})
