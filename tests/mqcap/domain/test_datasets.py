"""Declarations of the datasets of the lake."""

from __future__ import annotations

import pytest

from mqcap.domain import datasets
from mqcap.domain.datasets import (
    CACHE_SECTION_COLUMNS,
    CF_SECTION_COLUMNS,
    SECTION_COLUMNS,
    Dataset,
)

DATASETS = [value for value in vars(datasets).values() if isinstance(value, Dataset)]
TYPES = {"string", "int", "bigint", "double", "date", "timestamp", "decimal(20,0)"}


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda dataset: dataset.name)
def test_key_and_partitions_are_columns_and_types_are_those_of_spark(dataset: Dataset) -> None:
    assert set(dataset.key) <= set(dataset.columns)
    written = set(dataset.columns) | {"received_date"}  # added when a landed file is decoded
    assert set(dataset.partitions) <= written
    assert set(dataset.columns.values()) <= TYPES
    assert dataset.one_row_is.startswith("one ")


def test_names_are_unique() -> None:
    names = [dataset.name for dataset in DATASETS]
    assert len(set(names)) == len(names) == 19


def test_the_schema_lists_the_columns_in_order() -> None:
    dataset = Dataset(name="x", one_row_is="one x", columns={"a": "int", "b": "date"}, key=("a",))
    assert dataset.spark_schema == "a int, b date"


def test_sections_of_coupling_facilities_have_no_queue_manager() -> None:
    assert set(SECTION_COLUMNS) - set(CF_SECTION_COLUMNS) == {"qmgr", "qsg", "mq_level"}
    assert set(CF_SECTION_COLUMNS) - set(SECTION_COLUMNS) == {"sysplex", "cf"}


def test_sections_of_devices_have_only_a_system_and_its_sysplex() -> None:
    assert set(CF_SECTION_COLUMNS) - set(CACHE_SECTION_COLUMNS) == {"cf"}
    assert set(CACHE_SECTION_COLUMNS) < set(CF_SECTION_COLUMNS)
