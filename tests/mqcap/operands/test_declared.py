"""Declared settings: ranges, and that each is complete wherever it is used."""

from typing import Final, cast

import pytest
from pydantic import ValidationError

from mqcap.change_pack.statements import statements, values_of_plan
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import QueueManager
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange
from mqcap.operands.declared import (
    SETTINGS,
    TOPICS,
    RangeCertainty,
    Restart,
    Setting,
    ValueForm,
    setting_of,
)
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import operand, settable_of
from mqcap.whatif.parts import check_keys, kinds_of
from mqcap.whatif.sizes import EFFECTS

SUBJECTS: Final = {
    SubjectKind.queue_manager: "PLEX1/CSQ1",
    SubjectKind.channel_initiator: "PLEX1/CSQ1/CHINIT",
    SubjectKind.buffer_pool: "PLEX1/CSQ1/BP01",
    SubjectKind.page_set: "PLEX1/CSQ1/PS01",
    SubjectKind.structure: "PLEX1/CF01/QSG1APPL1",
    SubjectKind.coupling_facility: "PLEX1/CF01",
    SubjectKind.distributed_queue_manager: "EAST/QM1",
    SubjectKind.distributed_queue: "EAST/QM1/APP.IN",
    SubjectKind.distributed_channel: "EAST/QM1/CHANNEL/APP",
}
CHINIT = SubjectKind.channel_initiator
MANAGER = SubjectKind.queue_manager


def entry(kind: SubjectKind, key: str) -> Setting:
    operand = setting_of(kind, key)
    assert operand is not None
    return operand


@pytest.mark.parametrize(
    ("kind", "key", "value", "fits"),
    [
        (MANAGER, "maxarch", 9, False),
        (MANAGER, "maxarch", 10, True),
        (MANAGER, "maxarch", 1_000, True),
        (MANAGER, "maxarch", 1_001, False),
        (MANAGER, "maxarch", 10.5, False),
        (MANAGER, "active_log_size_mib", 0, False),
        (MANAGER, "active_log_size_mib", 0.1, True),
        (MANAGER, "active_log_size_mib", 4_096, True),
        (MANAGER, "active_log_size_mib", 4_096.1, False),
        (MANAGER, "page_set_backup_hours", 0, False),
        (MANAGER, "page_set_backup_hours", 1e6, True),
        (CHINIT, "channels_moved", -1, False),
        (CHINIT, "channels_moved", 0, True),
        (CHINIT, "adapters", True, False),
        (CHINIT, "adapters", "many", False),
        (MANAGER, "dual_logging", True, True),
        (MANAGER, "dual_logging", 1, False),
    ],
)
def test_a_value_fits_from_the_lowest_to_the_highest(
    kind: SubjectKind, key: str, value: object, fits: bool
) -> None:
    assert (entry(kind, key).refusal(value) == "") is fits


@pytest.mark.parametrize(
    ("kind", "key", "value", "text"),
    [
        (
            MANAGER,
            "maxarch",
            5_000,
            (
                "maxarch is out of range: found 5,000, expected whole number, 10 to 1,000 volumes "
                "(IBM MQ 8.0 and 9.2, CSQ6LOGP)"
            ),
        ),
        (
            MANAGER,
            "dual_logging",
            2,
            "dual_logging is out of range: found 2, expected true or false (IBM MQ 8.0, CSQ6LOGP)",
        ),
    ],
)
def test_a_refusal_names_key_value_range_and_source(
    kind: SubjectKind, key: str, value: object, text: str
) -> None:
    assert entry(kind, key).refusal(value) == text


def test_a_kind_of_subject_has_its_own_settings_alone() -> None:
    assert setting_of(MANAGER, "buffers") is None
    assert setting_of(MANAGER, "nothing") is None


def test_a_default_lies_in_its_range() -> None:
    numeric = [
        setting
        for setting in SETTINGS.values()
        if setting.form is not ValueForm.switch and setting.default
    ]
    outside = [each.key for each in numeric if each.refusal(float(each.default))]
    assert len(numeric) >= 10
    assert outside == ["ssltasks"], "its default starts none, which is no size to plan with"


def test_only_what_no_document_has_is_to_be_checked() -> None:
    unsure = {setting.key for setting in SETTINGS.values() if setting.certainty is RangeCertainty.C}
    assert unsure == {"actchl", "ssltasks"}


def test_a_channel_initiator_reads_its_tasks_when_it_starts() -> None:
    assert {
        entry(CHINIT, key).restart for key in ("adapters", "dispatchers", "memlimit_gib", "maxchl")
    } == {Restart.channel_initiator}
    assert entry(SubjectKind.buffer_pool, "buffers").restart is Restart.none
    assert entry(MANAGER, "outbuff_kb").restart is Restart.queue_manager


def in_estate(key: str, value: float) -> bool:
    """Whether a queue manager of the estate may have the value."""
    try:
        QueueManager.model_validate({"name": "CSQ1", key: value})
    except ValidationError:
        return False
    return True


def test_the_estate_takes_every_value_of_a_range() -> None:
    ends = [
        (setting.key, end)
        for setting in SETTINGS.values()
        if setting.key in QueueManager.model_fields
        for end in (setting.low, setting.high)
        if end is not None
    ]
    assert len(ends) > 10
    assert [(key, end) for key, end in ends if not in_estate(key, end)] == []


@pytest.mark.parametrize("key", ["active_logs", "maxarch", "outbuff_kb", "logload"])
def test_the_estate_refuses_what_is_out_of_range(key: str) -> None:
    own = entry(MANAGER, key)
    assert own.low is not None
    assert own.high is not None
    assert not in_estate(key, own.low - 1)
    assert not in_estate(key, own.high + 1)


def test_ends_of_a_range_are_whole_numbers_or_an_error() -> None:
    assert (SETTINGS["maxarch"].lowest, SETTINGS["maxarch"].highest) == (10, 1_000)
    with pytest.raises(ConfigurationError, match="archive_minutes has no lowest value"):
        _ = SETTINGS["archive_minutes"].lowest
    with pytest.raises(ConfigurationError, match="archive_minutes has no highest value"):
        _ = SETTINGS["archive_minutes"].highest


def test_every_effect_of_a_setting_is_known_and_every_one_is_declared() -> None:
    declared = {effect for setting in SETTINGS.values() for effect in setting.effects}
    assert declared == EFFECTS.keys()


DECLARED: Final = [(kind, setting) for setting in SETTINGS.values() for kind in setting.of]


@pytest.mark.parametrize(
    ("kind", "setting"), DECLARED, ids=[f"{kind}-{setting.key}" for kind, setting in DECLARED]
)
def test_a_scenario_takes_a_declared_setting_in_its_range_alone(
    kind: SubjectKind, setting: Setting
) -> None:
    subject = SUBJECTS[kind]
    assert kind in kinds_of(subject)
    inside = True if setting.form is ValueForm.switch else setting.low or setting.high or 1
    check_keys(subject, {setting.key: inside})
    with pytest.raises(ValueError, match=f"{setting.key} is out of range"):
        check_keys(subject, {setting.key: -1})


PACKED: Final = [setting for setting in SETTINGS.values() if setting.pack is not None]


@pytest.mark.parametrize("setting", PACKED, ids=[setting.key for setting in PACKED])
def test_what_a_plan_sets_is_typed_by_a_statement_and_can_be_backed_out(setting: Setting) -> None:
    topic = setting.pack
    assert topic is not None
    assert topic.back_out
    for key in topic.keys:
        change = PlanChange(subject="PLEX1/CSQ1/BP01", text="", typed="", settings={key: 40})
        [new] = values_of_plan([change])
        assert new.target.topic == topic.topic
        assert list(statements(new))


LEVERS: Final = [setting for setting in SETTINGS.values() if setting.plan is not None]


@pytest.mark.parametrize("setting", LEVERS, ids=[setting.key for setting in LEVERS])
def test_what_a_plan_changes_is_said_typed_proved_by_what_if_and_backed_out(
    setting: Setting,
) -> None:
    lever = setting.plan
    assert lever is not None
    settable = settable_of(lever.kind)
    assert settable is not None
    assert settable.ways_out
    assert settable.needs
    [kind, *_] = setting.of
    highest, context = setting.high or 64, cast("PlanContext", None)  # no declared text needs one
    change = operand(setting.key).change(context, SUBJECTS[kind], 1, highest)
    assert figure(highest) in change.text
    assert str(highest) in change.typed
    check_keys(change.subject, change.settings)
    typed = values_of_plan([change])
    assert len(typed) == (setting.key != "engines"), "engines are ordered"
    for new in typed:
        assert list(statements(new))
        assert TOPICS[new.target.topic].back_out
