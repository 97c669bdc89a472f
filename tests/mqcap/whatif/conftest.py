"""What the scenarios of most tests change."""

import pytest

from mqcap.judging.evaluate import DayFacts
from tests.mqcap.whatif.builders import WITH_SIZES, known_in


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """What is known on the day of the estate."""
    return known_in(tmp_path_factory.mktemp("whatif"))


@pytest.fixture(scope="session")
def sized(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """The same with the sizes and counts that a scenario can change."""
    return known_in(tmp_path_factory.mktemp("sizes"), WITH_SIZES)
