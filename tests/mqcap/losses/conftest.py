"""The sample group as measured, and its losses: made once."""

import pytest

from mqcap.judging.evaluate import DayFacts
from mqcap.losses.make import losses_of_day
from mqcap.losses.model import Loss
from tests.mqcap.whatif.sharing_group import facts_of


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return facts_of(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sample_losses(sample: DayFacts) -> dict[str, Loss]:
    """The losses of the day by part."""
    return {loss.lost: loss for loss in losses_of_day(sample)}
