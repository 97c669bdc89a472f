"""What the scenarios of most tests change."""

import pytest

from mqcap.judging.evaluate import DayFacts
from tests.mqcap.whatif.builders import known_in


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """What is known on the day of the estate."""
    return known_in(tmp_path_factory.mktemp("whatif"))
