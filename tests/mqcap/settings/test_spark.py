from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.settings import SparkSettings


@pytest.mark.parametrize(
    "master",
    [
        "local", "local[*]", "local[2]", "local[2,3]", "yarn", "spark://host:7077",
        "spark://a:7077,b:7077", "k8s://https://host:6443",
    ],
)  # fmt: skip
def test_addresses_that_spark_takes_are_taken(master: str) -> None:
    assert SparkSettings(master=master).master == master


@pytest.mark.parametrize("master", ["", "foo", "local[0]", "local[x]", "host:7077", "spark://"])
def test_another_address_of_the_cluster_is_refused_before_java_starts(master: str) -> None:
    with pytest.raises(ValidationError, match=r"expected local\[\*\]"):
        SparkSettings(master=master)


@pytest.mark.parametrize("size", ["2g", "800m", "1T", "2gb"])
def test_a_heap_has_a_number_and_a_unit(size: str) -> None:
    assert SparkSettings(driver_memory=size).driver_memory == size


@pytest.mark.parametrize("size", ["2", "0g", "lots", "2.5g", "-1g"])
def test_another_heap_is_refused(size: str) -> None:
    with pytest.raises(ValidationError, match="such as 2g"):
        SparkSettings(driver_memory=size)
