"""Answers of Prometheus with site figures."""

from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.registry import source_for
from tests.mqcap.ingest.prometheus.answers import FIRST, answer, written

LABELS = {"subject": "EAST/mq1", "figure": "host_network_used_gigabits"}


def series(*values: str, **labels: str) -> dict[str, Any]:
    pairs = [[FIRST + 60 * number, value] for number, value in enumerate(values)]
    return {"metric": {"instance": "mq1:9100", **labels}, "values": pairs}


def loaded(folder: Path, *results: dict[str, Any]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    path = written(folder, answer(*results))
    source = source_for(path)
    assert source.name == "site_answers"
    reading = source.read(path, "f" * 64)
    rows = [row for _, table in reading.tables() for row in table.to_pylist()]
    return rows, reading.summary().problems


def test_a_series_is_the_figure_that_its_labels_name(tmp_path: Path) -> None:
    rows, problems = loaded(tmp_path, series("0.5", "NaN", "0.7", **LABELS, unit="Gbit/s"))
    assert [row["value"] for row in rows] == [0.5, 0.7]
    assert {(row["subject"], row["figure"], row["unit"]) for row in rows} == {
        ("EAST/mq1", "host_network_used_gigabits", "Gbit/s")
    }
    assert {row["step_seconds"] for row in rows} == {60.0}
    assert problems == ()


def test_series_without_those_labels_are_told(tmp_path: Path) -> None:
    rows, problems = loaded(
        tmp_path,
        series("1", **LABELS),
        series("1", subject="EAST/mq1"),
        series("1", __name__="node_load1"),
        series("1", **{**LABELS, "subject": "EAST"}),
    )
    assert [row["step_seconds"] for row in rows] == [None]
    assert problems == (
        "answer.json: 1 series left out: a series without the labels subject and figure.",
        "answer.json: 1 series left out: node_load1 without the labels subject and figure.",
        ("answer.json: 1 series left out: 'EAST' is no subject such as EAST/mq1 or PLEX1/CSQ1."),
    )


def test_an_answer_of_which_nothing_can_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"answer\.json.*is no name of a figure"):
        loaded(tmp_path, series("1", **{**LABELS, "figure": "Disk-1"}))
