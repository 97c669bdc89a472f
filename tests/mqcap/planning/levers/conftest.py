"""Contexts of the resources of one loaded estate, by kind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext
from tests.mqcap.planning.conftest import ContextByKind
from tests.mqcap.planning.levers.distributed import SiteDay

ContextOf = Callable[[ResourceKind], PlanContext]


@pytest.fixture(scope="session")
def context_of(contexts: ContextByKind) -> ContextOf:
    return contexts.__getitem__


@pytest.fixture(scope="session")
def site_day(tmp_path_factory: pytest.TempPathFactory) -> SiteDay:
    return SiteDay.measured(Path(tmp_path_factory.mktemp("site_day")))
