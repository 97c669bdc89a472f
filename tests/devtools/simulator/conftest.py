"""The small estate on disk, for the tests that read it."""

import pytest

from devtools.simulator import SimulationResult, generate
from tests.devtools.simulator.builders import FIRST, LAST, estate_spec


@pytest.fixture(scope="package")
def estate(tmp_path_factory: pytest.TempPathFactory) -> SimulationResult:
    """Return twenty days up to the anchor; not to be written to."""
    folder = tmp_path_factory.mktemp("estate")
    return generate(estate_spec(), folder, first_date=FIRST, last_date=LAST)
