"""Answers of Prometheus and the names in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.prometheus.answer import AnswerReading, AnswerSeries, samples_of
from mqcap.ingest.prometheus.names import MEANINGS, known_names
from mqcap.ingest.text import TextFile
from tests.mqcap.ingest.prometheus.answers import FIRST, answer, series, written


def read(path: Path) -> list[AnswerSeries]:
    return [found for found, _ in AnswerReading(TextFile(path), "f" * 64).series()]


def test_an_instant_query_has_one_value(tmp_path: Path) -> None:
    one = {"metric": {"__name__": "ibmmq_x"}, "value": [FIRST, "+Inf"]}
    [found] = read(written(tmp_path, answer(one, kind="vector")))
    assert [list(part) for part in samples_of(found)] == [[FIRST * 1_000_000], [float("inf")]]


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_an_answer_that_ends_in_the_middle_is_an_error(tmp_path: Path, share: float) -> None:
    text = json.dumps(answer(series(), series()), separators=(",", ":"))
    path = tmp_path / "cut.json"
    path.write_text(text[: int(share * len(text))], encoding="utf-8")
    with pytest.raises(InputError, match="ends in the middle"):
        read(path)


@pytest.mark.parametrize(
    "broken",
    [
        {"metric": {"__name__": "a"}, "values": [[1, "x"]]},
        {"metric": {"__name__": "a"}, "values": [["soon", "1"]]},
        {"metric": {"__name__": 1}, "values": [[1, "1"]]},
        {"values": [[1, "1"]]},
    ],
)
def test_a_series_of_another_shape_is_an_error(tmp_path: Path, broken: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read(written(tmp_path, answer(series(), broken)))


def test_what_is_no_json_is_an_error_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    text = json.dumps(answer(*[series()] * 3)).replace('"1"', "1x", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        read(path)


def test_an_error_of_prometheus_is_reported_with_its_text(tmp_path: Path) -> None:
    error = {"status": "error", "errorType": "bad_data", "error": "exceeded maximum resolution"}
    with pytest.raises(InputError, match="bad_data: exceeded maximum resolution"):
        read(written(tmp_path, error))


def test_samples_are_in_order_and_each_time_has_the_value_of_the_last() -> None:
    found = AnswerSeries({}, [(2.5, 1), (1, 2), (2.5, 3)])
    assert [list(part) for part in samples_of(found)] == [[1_000_000, 2_500_000], [2, 3]]


def test_a_time_that_is_no_number_is_one_that_is_left_out() -> None:
    reported_us, _ = samples_of(AnswerSeries({}, [(float("nan"), 1), (1e300, 2)]))
    assert list(reported_us) == [0, 10**17]


def test_every_name_with_a_meaning_is_published() -> None:
    assert MEANINGS.keys() <= known_names()
