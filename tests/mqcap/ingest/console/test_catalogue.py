"""The catalogue of console messages, row by row."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from mqcap.domain.console.states import (
    CatalogueEntry,
    ConsoleMessage,
    MessageKind,
    TextCertainty,
    states_of,
)
from mqcap.domain.finding import Severity
from mqcap.ingest.console.catalogue import catalogue, kept_messages
from mqcap.ingest.console.messages import is_of_capacity, recognise
from sizing.rules.plain import ROWS, Reported
from tests.factories import console_message
from tests.many_values import for_each
from tests.mqcap.ingest.console.samples import hardcopy, read_text
from tests.shared import shared_cases, shared_dir

TEXTS = yaml.safe_load(Path(__file__).with_name("texts.yaml").read_text())
ENTRIES = list(catalogue().values())


@for_each("row", TEXTS, ids=lambda row: row["text"][:8])
def test_the_figures_of_each_documented_text(row: Mapping[str, Any]) -> None:
    message = recognise(row["text"])
    assert message is not None
    assert (message.figures, message.note) == (row["figures"], "")
    assert message.qmgr == row.get("qmgr", "MQP1")


def test_every_pattern_has_a_text_that_it_is_tested_with() -> None:
    tested = {row["text"].split()[0] for row in TEXTS}
    assert {entry.id for entry in ENTRIES if entry.pattern} <= tested


def test_of_certainty_c_the_number_alone_is_relied_on() -> None:
    assert not [
        entry.id for entry in ENTRIES if entry.pattern and entry.certainty is TextCertainty.C
    ]
    message = recognise("CSQE239I !MQP1 any words at all")
    assert message is not None
    assert (message.qmgr, message.figures, message.note) == ("MQP1", {}, "")


def test_a_message_begins_a_state_with_a_severity_and_words_or_none() -> None:
    for entry in ENTRIES:
        assert entry.begins_state is bool(entry.state) is (entry.severity is not None), entry.id
        assert entry.begins_state or not entry.ended_by
        if entry.kind is MessageKind.exhausted:
            assert entry.severity is Severity.act


def test_what_begins_a_state_is_judged_or_has_a_reason() -> None:
    """Messages of MQ name their queue manager, those of XES their structure, others may not."""
    topics = {row.resource for row in ROWS if isinstance(row, Reported)}
    for entry in ENTRIES:
        if entry.begins_state:
            assert entry.resource in topics, entry.id
            assert bool(entry.not_judged) is entry.id.startswith("BPX"), entry.id


def test_every_message_is_kept_but_answers_and_settings_without_use() -> None:
    left = [entry for entry in ENTRIES if entry.id not in kept_messages()]
    assert {entry.kind for entry in left} == {MessageKind.configuration}
    assert {"CSQX004I", "CSQY220I", "CSQI010I"} <= kept_messages()
    assert recognise("CSQX072I !MQP1 CSQXGIP MAXCHL=300, ACTCHL=200") is None


def test_a_message_of_ibm_in_another_language_counts_and_is_reported(tmp_path: Path) -> None:
    text = hardcopy("IEF403I JOB1") + hardcopy("*CSQJ111A !MQP1 PLUS DE PLACE")
    read = read_text(tmp_path, text)
    [event] = read.tables["console_event"].to_pylist()
    assert (event["message_id"], event["qmgr"]) == ("CSQJ111A", "MQP1")
    words = "its text is not the known one, so it counts by its number without figures"
    assert read.summary.problems == (
        f"log.txt: line 2: CSQJ111A: {words}.",
        "Messages are read in English (MQ: language feature U or E).",
    )


@pytest.mark.parametrize(
    ("above", "figures", "is_noted"),
    [
        ("above bar: used 3GB, free 5GB", (3072.0, 5120.0), False),
        ("above bar - used 254MB, free 512KB", (254.0, 0.5), False),
        ("Above bar: used 1TB, free 15EB", (2.0**20, 15 * 2.0**40), False),
        ("above bar: used 3GB, free 5", (3072.0, None), True),
        ("above bar: much", (None, None), True),
        ("", (None, None), False),
    ],
)
def test_figures_above_the_bar_that_are_not_understood_are_reported(
    above: str, figures: tuple[float | None, float | None], is_noted: bool
) -> None:
    message = recognise(
        f"CSQY220I !MQP1 Queue manager storage usage: local storage: used 512MB, free 1GB: {above}"
    )
    assert message is not None
    assert message.figures is not None
    assert message.figures["used_31bit_mib"] == 512.0
    found = tuple(message.figures.get(f"{name}_64bit_mib") for name in ("used", "free"))
    assert found == figures
    assert bool(message.note) is is_noted


@pytest.mark.parametrize(
    ("text", "is_capacity"),
    [
        ("CSQX548E !MQP1 Messages sent to local dead-letter queue, channel C, reason=2192", True),
        ("CSQX548E !MQP1 Messages sent to local dead-letter queue, channel C, reason=2053", True),
        ("CSQX548E !MQP1 Messages sent to local dead-letter queue, channel C, reason=2119", False),
        ("CSQV086E !MQP1 QUEUE MANAGER ABNORMAL TERMINATION REASON=00D10257", True),
        ("CSQV086E !MQP1 QUEUE MANAGER ABNORMAL TERMINATION REASON=00F30420", False),
        ("CSQX112E !MQP1 CSQXSUPR Dispatcher process error, TCB=7F reason=878000-00000010", True),
        ("CSQX112E !MQP1 CSQXSUPR Dispatcher process error, TCB=7F reason=5C6000-00E70008", False),
        ("IEC070I 34(4)-220,MQP1MSTR,MQP1MSTR,CSQP0004,8A00,VOL001,A,B", True),
        ("IEC070I 209(4)-220,PAYROLL,STEP1,OUTFILE,8A00,VOL001,PAY.DATA,PAY.DATA.DATA", False),
        ("CSQJ111A !MQP1 OUT OF SPACE IN ACTIVE LOG DATA SETS", True),
    ],
)
def test_some_messages_are_of_capacity_only_with_certain_reasons(
    text: str, is_capacity: bool
) -> None:
    message = recognise(text)
    assert message is not None
    assert is_of_capacity(catalogue()[message.message_id], message.text) is is_capacity


@pytest.mark.parametrize("text", ["RESTART INITIATED", "3 OF 4 ACTIVE LOGS ARE FULL, MQP1 NEEDS"])
def test_first_words_of_a_text_are_no_queue_manager(text: str) -> None:
    message_id = "CSQR001I" if text.startswith("R") else "CSQJ008E"
    message = recognise(f"{message_id} {text}")
    assert message is not None
    assert message.qmgr is None


STATES = [entry for entry in ENTRIES if entry.begins_state]
WORDS: dict[str, str] = {row["text"].split()[0]: row["text"] for row in TEXTS}
AT = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def text_of(message_id: str) -> str:
    """The documented text of a message; any words for one of which the number alone is known."""
    return WORDS.get(message_id, f"{message_id} !MQP1 any words at all")


def message(message_id: str, minute: int) -> ConsoleMessage:
    read = recognise(text_of(message_id))
    assert read is not None, message_id
    assert read.figures is not None, message_id
    return console_message(
        message_id,
        at_utc=AT + timedelta(minutes=minute),
        resource_kind=catalogue()[message_id].resource,
        line_number=minute + 1,
    )


@for_each("entry", STATES, ids=lambda entry: entry.id)
def test_each_message_begins_its_state_and_each_of_its_ends_ends_it(entry: CatalogueEntry) -> None:
    [alone] = states_of([message(entry.id, 0)], catalogue(), lambda at, _: at.date())
    assert (alone.message_id, alone.state, alone.ended_by) == (entry.id, entry.state, "")
    assert alone.severity is entry.severity
    for end in entry.ended_by:
        both = [message(entry.id, 0), message(end, 5)]
        ended = states_of(both, catalogue(), lambda at, _: at.date())[0]
        assert (ended.message_id, ended.ended_by) == (entry.id, end)
        assert ended.ended_utc == AT + timedelta(minutes=5)


@pytest.mark.parametrize("folder", shared_cases([shared_dir()]))
def test_the_catalogue_has_all_messages_of_the_reference_with_kind_and_certainty(
    folder: Path,
) -> None:
    reference = json.loads((folder / "reference" / "console-messages.json").read_text("utf-8"))
    assert {row["id"]: (row["kind"], row["certainty"]) for row in reference} == {
        entry.id: (entry.kind, entry.certainty) for entry in ENTRIES
    }
    left = {entry.id for entry in ENTRIES} - kept_messages()
    assert {row["kind"] for row in reference if row["id"] in left} == {"configuration"}
    for row in reference:
        ends = catalogue()[row["id"]].ended_by
        pair = catalogue().get(row["pairs_with"] or "")
        if catalogue()[row["id"]].begins_state and pair and pair.kind is MessageKind.recovered:
            assert pair.id in ends, row["id"]
