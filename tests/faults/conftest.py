"""A site for all tests of the package: two daily runs, the second recorded after each step."""

from collections.abc import Iterator

import pytest

from tests.faults.site import DAY_BEFORE, LAST_DAY, ORDER, Site, inside, simulate
from tests.spark_apps.conftest import spark

__all__ = ["spark"]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, spark: object) -> Iterator[Site]:
    made = simulate(tmp_path_factory.mktemp("site"))
    made.keep("empty")
    with inside(made):
        made.deliver(DAY_BEFORE)
        for step in ORDER:
            made.run(step, DAY_BEFORE)
        made.deliver(LAST_DAY)
        made.keep("nothing")
        for step in ORDER:
            made.run(step)
            made.keep(step)
        yield made
