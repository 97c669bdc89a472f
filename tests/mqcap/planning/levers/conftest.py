"""Contexts of the resources of one loaded estate, by kind."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.planning.levers.distributed import SiteDay
from tests.mqcap.rulebook.builders import new_store

ContextOf = Callable[[ResourceKind], PlanContext]


@pytest.fixture(scope="session")
def context_of(tmp_path_factory: pytest.TempPathFactory) -> ContextOf:
    engine = new_store(Path(tmp_path_factory.mktemp("levers")))
    facts = facts_under(Load(0.9, 0.85, 0.0005), engine)
    contexts = {
        context.resource.kind: context for context in contexts_of(facts, judge_facts(facts))
    }
    return lambda kind: contexts[kind]


@pytest.fixture(scope="session")
def site_day(tmp_path_factory: pytest.TempPathFactory) -> SiteDay:
    return SiteDay.measured(Path(tmp_path_factory.mktemp("site_day")))
