from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.domain.console.message import (
    CatalogueEntry,
    ConsoleMessage,
    MessageKind,
    TextCertainty,
    where_reported,
    where_written,
)
from mqcap.domain.resource import ResourceKind
from tests.factories import NOON, console_message


@pytest.mark.parametrize("kind", list(MessageKind))
def test_what_is_exhausted_nearly_exhausted_or_degraded_begins_a_state(kind: MessageKind) -> None:
    entry = CatalogueEntry(
        id="CSQJ111A", resource=ResourceKind.active_log, kind=kind, certainty=TextCertainty.A
    )
    assert entry.begins_state is (kind in {"exhausted", "near_exhaustion", "degraded"})


def test_a_message_has_a_time_with_a_zone() -> None:
    values = console_message().model_dump() | {"at_utc": NOON.replace(tzinfo=None)}
    with pytest.raises(ValidationError, match="timezone"):
        ConsoleMessage.model_validate(values)


def test_a_row_with_an_unknown_column_is_refused() -> None:
    row = {"id": "X", "resource": "active_log", "kind": "event", "certainty": "A", "meaning": "?"}
    with pytest.raises(ValidationError):
        CatalogueEntry.model_validate(row)


def test_messages_of_error_logs_and_rules_about_them_are_apart_from_those_of_consoles() -> None:
    assert (where_written("AMQ7463"), where_written("CSQJ111A"), where_written("IXC585E")) == (
        "in the error log",
        "on the console",
        "on the console",
    )
    assert where_reported("DST-ERRORLOG-LOG") == "in the error log"
    assert where_reported("CONSOLE-LOG") == "on the console"
