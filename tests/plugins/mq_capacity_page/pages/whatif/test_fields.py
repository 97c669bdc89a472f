"""The fields of the what-if form, and their words."""

from typing import get_args

import pytest

from mq_capacity_page.pages.whatif.fields import (
    AMOUNT,
    CHOICE,
    GROUPS,
    LOSE,
    field_words,
    groups_of,
)
from mqcap.domain.metric import SubjectKind
from mqcap.whatif.effects import calculate
from mqcap.whatif.parts import GetPattern, PutPattern, keys_of


def test_a_saved_scenario_is_shown_in_the_words_of_the_form() -> None:
    given = {"growth": "20", "put": "put_then_commit", "kind": "client", "persistent": "on",
             "sharecnv": "1", "start": "2027-01-01"}  # fmt: skip
    assert field_words(given) == [
        "Growth of everything measured 20 %",
        "Kind client",
        "Persistent",
        "start 2027-01-01",
    ]


def test_every_field_has_a_name_of_its_own_within_a_kind_of_subject() -> None:
    for kind in SubjectKind:
        names = [field.name for group in groups_of(kind) for field in group.fields]
        assert len(names) == len(set(names)), kind


def test_every_kind_of_subject_can_grow() -> None:
    assert all(GROUPS[0] in groups_of(kind) for kind in SubjectKind)


def test_a_field_that_the_form_no_longer_has_is_shown_by_its_name() -> None:
    assert field_words({"gone": "7", "logs": "4"}) == ["gone 7", "Active logs per copy 4"]


def test_an_amount_has_its_unit_and_an_option_no_underscores() -> None:
    given = {"logsize": "4000", "put": "put10_commit", "offload": "SMDS"}
    assert field_words(given) == ["Active log 4000 MiB", "Put put10 commit", "Offload to SMDS"]


def test_only_fields_to_choose_from_have_choices_and_all_of_them_do() -> None:
    fields = [field for group in GROUPS for field in group.fields]
    assert {field.name for field in fields if field.choices} == {
        field.name for field in fields if field.kind == CHOICE
    }


def choices(*keys: str) -> set[str]:
    """What can be chosen for a key of a scenario; blank, which leaves it as it is, left out."""
    fields = [field for group in GROUPS for field in group.fields if field.key in keys]
    return {choice for field in fields for choice in field.choices} - {""}


@pytest.mark.parametrize("dasd", sorted(choices("dasd_class", "dasd_class_from")))
def test_mp16_has_a_log_rate_of_every_dasd_to_choose_from(dasd: str) -> None:
    ceiling = calculate("LOG-DASD-CEILING", dasd_type=dasd, message_bytes=4_096)
    assert ceiling.figures["max_mb_per_s"] > 0


def test_the_ways_to_put_and_get_are_those_of_a_scenario() -> None:
    assert choices("put") == set(get_args(PutPattern))
    assert choices("get") == set(get_args(GetPattern))


def test_names_of_subjects_are_suggested_by_a_kind_that_exists() -> None:
    suggested = {field.suggests for group in GROUPS for field in group.fields if field.suggests}
    assert suggested <= set(SubjectKind)
    assert suggested != set()


def test_every_setting_of_the_form_is_one_of_a_scenario() -> None:
    for kind in SubjectKind:
        fields = [field for group in groups_of(kind) for field in group.fields]
        keys = {field.key for field in fields if field.part == "configuration"}
        assert keys - {"offload", "message_bytes"} <= keys_of(kind), kind


def test_every_amount_has_a_unit_beside_it_and_a_loss_says_what_is_typed() -> None:
    fields = [field for group in GROUPS for field in group.fields]
    bare = {field.key for field in fields if field.kind == AMOUNT and not field.unit}
    assert bare == {"cfcc_level", "cfcc_level_from", "engines"}  # their labels say what they are
    assert next(field.unit for field in fields if field.name == LOSE).startswith("names")
    assert field_words({"adapters": "1", LOSE: "CF02"})[0] == "CHIADAPS 1 adapter"
    assert field_words({LOSE: "CF02"}) == ["Lost coupling facilities or members CF02"]
