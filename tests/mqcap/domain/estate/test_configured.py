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
