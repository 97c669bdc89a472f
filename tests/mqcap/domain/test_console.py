from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from mqcap.domain.console import (
    CatalogueEntry,
    Certainty,
    ConsoleMessage,
    MessageKind,
)
from mqcap.domain.resource import ResourceKind

AT_UTC = datetime(2026, 1, 5, 9, tzinfo=UTC)


def entry(kind: MessageKind) -> CatalogueEntry:
    return CatalogueEntry(
        id="CSQJ111A", resource=ResourceKind.active_log, kind=kind, certainty=Certainty.A
    )


def message() -> ConsoleMessage:
    return ConsoleMessage(
        message_id="CSQJ111A", at_utc=AT_UTC, subject="PLEX1/CSQ1",
        text="OUT OF SPACE", file_name="a.log", line_number=1,
    )  # fmt: skip


@pytest.mark.parametrize("kind", list(MessageKind))
def test_only_exhaustion_its_approach_and_degradation_begin_a_state(kind: MessageKind) -> None:
    begins = {MessageKind.exhausted, MessageKind.near_exhaustion, MessageKind.degraded}
    assert entry(kind).begins_state is (kind in begins)


def test_a_message_has_a_time_with_a_zone() -> None:
    values = message().model_dump() | {"at_utc": AT_UTC.replace(tzinfo=None)}
    with pytest.raises(ValidationError, match="timezone"):
        ConsoleMessage.model_validate(values)
