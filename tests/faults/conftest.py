"""A site for all tests of the package: two daily runs, the second recorded after each step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqcap.settings import SparkSettings
from spark_apps.runtime.session import spark_session
from tests.faults.site import DAY_BEFORE, LAST_DAY, ORDER, Site, inside, simulate


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The undisturbed run, with its state after each step."""
    made = simulate(tmp_path_factory.mktemp("site"))
    options = SparkSettings(master="local[2]", shuffle_partitions=2, driver_memory="1g")
    made.keep("empty")
    with inside(made), spark_session("faults", options):
        made.deliver(DAY_BEFORE)
        for step in ORDER:
            made.run(step, DAY_BEFORE)
        made.deliver(LAST_DAY)
        made.keep("nothing")
        for step in ORDER:
            made.run(step)
            made.keep(step)
        yield made
