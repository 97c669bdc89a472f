"""Keys of a scenario's configuration by kind of subject."""

from __future__ import annotations

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.whatif.setting_keys import check_keys, estate_keys_of, keys_of, kinds_of
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import all_rules
from tests.mqcap.whatif.builders import CF, CHINIT, PAGE_SET, POOL, STRUCTURE


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        (CHINIT, SubjectKind.channel_initiator),
        (POOL, SubjectKind.buffer_pool),
        (PAGE_SET, SubjectKind.page_set),
    ],
)
def test_a_part_is_known_by_its_form(subject: str, kind: SubjectKind) -> None:
    assert kinds_of(subject) == (kind,)


def test_another_part_is_a_structure_or_a_queue() -> None:
    both = (SubjectKind.structure, SubjectKind.distributed_queue)
    assert kinds_of(STRUCTURE) == kinds_of("EAST/QM1/APP.IN") == both


def test_a_channel_is_behind_its_part_of_the_path() -> None:
    assert kinds_of("EAST/QM1/CHANNEL/A") == (SubjectKind.distributed_channel,)
    assert SubjectKind.distributed_queue in kinds_of("EAST/QM1/CHANNEL")


def test_a_name_alone_can_be_a_queue_manager_or_a_facility_and_a_sysplex_is_neither() -> None:
    assert {SubjectKind.queue_manager, SubjectKind.coupling_facility} <= set(kinds_of(CF))
    assert kinds_of("PLEX1") == ()


def test_every_estate_key_of_a_rule_can_be_set() -> None:
    asked = {
        (rule.traits.subject_kind, source.key)
        for rule in all_rules().values()
        for sources in value_sources_of(rule.inputs).values()
        for source in sources
        if isinstance(source, FromEstate)
    }
    of_group = {(SubjectKind.structure, "group_queue_managers")}
    assert len(asked) > 50
    assert {pair for pair in asked if pair[1] not in keys_of(pair[0])} == of_group


def test_an_unknown_key_is_answered_with_the_near_ones_else_the_keys_of_the_subject() -> None:
    with pytest.raises(ValueError, match="no such setting") as caught:
        check_keys(POOL, {"buffer": 2_000})
    assert str(caught.value) == "no such setting: buffer; expected buffers"
    with pytest.raises(ValueError, match=r"expected .*offload.*structure_size_mib"):
        check_keys(STRUCTURE, {"xyz": 1})


@pytest.mark.parametrize(("buffers", "fits"), [(99, False), (100, True), (101, True)])
def test_a_value_out_of_range_is_refused_at_either_end(buffers: int, fits: bool) -> None:
    ranges = [buffers, [buffers, 5_000]]
    for value in ranges:
        if fits:
            check_keys(POOL, {"buffers": value})
        else:
            with pytest.raises(ValueError, match=r"buffers is out of range: found 99"):
                check_keys(POOL, {"buffers": value})


def test_a_subject_without_settings_is_refused() -> None:
    check_keys("PLEX1", {})
    with pytest.raises(ValueError, match="such as PLEX1/CSQ1"):
        check_keys("PLEX1", {"engines": 2})


def test_names_and_lists_of_the_estate_are_no_settings() -> None:
    every = {key for kind in SubjectKind for key in keys_of(kind)}
    assert not every & {"name", "number", "planned", "buffer_pools", "structures"}
    assert estate_keys_of(SubjectKind.page_set) == frozenset()
