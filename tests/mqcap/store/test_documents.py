from __future__ import annotations

import json
from datetime import timedelta

import pytest

from mqcap.domain.finding import InputValue
from mqcap.store.documents import (
    RUN_AGAIN,
    as_document,
    dump_json,
    parse_feed_day,
    parse_finding,
    parse_problem,
    unreadable,
    unreadable_rows,
)
from tests.factories import DAY, acknowledgement, feed_day, finding, problem_day


def test_the_same_content_is_the_same_text() -> None:
    assert dump_json({"b": [1, 2.5], "a": "Ä"}) == '{"a": "Ä", "b": [1, 2.5]}'
    assert dump_json({"a": 1, "b": 2}) == dump_json({"b": 2, "a": 1})


@pytest.mark.parametrize("figure", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_cannot_hold_is_refused(figure: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_json({"figure": figure})


def test_a_model_with_such_a_number_becomes_a_document_with_null() -> None:
    document = as_document(finding(inputs=(InputValue(name="rate", value=float("inf")),)))
    assert document["inputs"][0]["value"] is None
    assert json.loads(dump_json(document)) == document


def test_each_kind_of_document_is_read_as_it_was_written() -> None:
    problem = problem_day(acknowledgement=acknowledgement())
    assert parse_finding(dump_json(as_document(finding()))) == finding()
    assert parse_problem(dump_json(as_document(problem))) == problem
    assert parse_feed_day(dump_json(as_document(feed_day()))) == feed_day()


def test_equal_findings_share_one_object() -> None:
    text = dump_json(as_document(finding("PLEX1/SHARED")))
    assert parse_finding(text) is parse_finding(str(text))


@pytest.mark.parametrize("text", ["{}", "nonsense", "[]"])
def test_a_document_that_holds_something_else_is_a_value_error(text: str) -> None:
    for parse in (parse_problem, parse_feed_day):
        with pytest.raises(ValueError, match="validation error"):
            parse(text)


@pytest.mark.parametrize("text", ["{}", "nonsense"])
def test_a_document_that_holds_no_finding_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"validation error|expected ident"):
        parse_finding(text)


def test_a_row_is_counted_with_its_table_and_its_day() -> None:
    assert unreadable_rows("loss", [DAY]) == "1 row of loss cannot be read, on 2026-03-02"


def test_days_are_named_once_and_at_most_five() -> None:
    days = [DAY + timedelta(days=number // 2) for number in range(12)]
    words = unreadable_rows("plan", days)
    assert words.startswith("12 rows of plan cannot be read, on 2026-03-02, 2026-03-03, ")
    assert words.count("2026") == 5
    assert str(unreadable("plan", days)) == f"{words}. {RUN_AGAIN}"
