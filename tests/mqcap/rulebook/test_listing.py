"""The list of all rules, calculators and advice."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.rulebook.listing import Item, items, lines, objects
from sizing.advice import all_advice
from sizing.rulebook.registry import all_rules, entries

ITEM = Item(
    "EXAMPLE-1", "rule", "example", "An example", 'MP16 (14), "Size of logs"', "buffer_pool"
)
SECOND_LINE = '    rule for a buffer pool; example; MP16 (14), "Size of logs"'


def test_the_list_holds_every_rule_calculator_and_advice() -> None:
    assert {item.id for item in items()} == set(entries()) | set(all_advice())


def test_a_topic_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(ConfigurationError, match="log_fill") as caught:
        items("log_fil")
    assert str(caught.value).count("log_fill") == 1


def test_a_topic_narrows_the_list() -> None:
    assert {item.topic for item in items("log_fill")} == {"log_fill"}


@pytest.mark.parametrize("kind", SubjectKind)
def test_a_subject_kind_leaves_the_rules_for_it(kind: SubjectKind) -> None:
    expected = {
        rule.id
        for rule in all_rules().values()
        if kind in {rule.traits.subject_kind, *rule.traits.also_of}
    }
    assert {item.id for item in items(subject_kind=kind)} == expected
    without = {SubjectKind.site_object, SubjectKind.ztpf_queue}
    assert bool(expected) is (kind not in without), "sweeps are judged by system"


def test_chosen_rules_leave_out_all_others() -> None:
    assert [item.id for item in items(rule_ids={"LOG-FILL-30MIN"})] == ["LOG-FILL-30MIN"]
    assert items("advice", rule_ids={"LOG-FILL-30MIN"}) == []


def test_an_entry_has_two_lines() -> None:
    assert lines([ITEM], 80) == ["1 in the list", "EXAMPLE-1: An example", SECOND_LINE]


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (len(SECOND_LINE), SECOND_LINE),
        (len(SECOND_LINE) - 1, '    rule for a buffer pool; example; MP16 (14), "Size of ...'),
    ],
)
def test_a_line_too_long_for_the_terminal_ends_after_a_whole_word(columns: int, shown: str) -> None:
    assert lines([ITEM], columns)[-1] == shown


def test_no_line_of_the_rulebook_is_longer_than_80_columns() -> None:
    assert max(map(len, lines(items(), 80))) <= 80


def test_objects_have_every_field_by_name() -> None:
    [shown] = objects([ITEM])
    assert shown["id"] == "EXAMPLE-1"
    assert shown["subject_kind"] == "buffer_pool"
    assert len(shown) == len(Item._fields)
