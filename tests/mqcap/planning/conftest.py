"""Contexts of the resources of one loaded estate, by kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import judge_facts
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.store.database import Store
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.rulebook.builders import new_store

ContextByKind = dict[ResourceKind, PlanContext]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = new_store(Path(tmp_path_factory.mktemp("plans")))
    yield opened
    opened.dispose()


@pytest.fixture(scope="session")
def contexts(tmp_path_factory: pytest.TempPathFactory) -> ContextByKind:
    engine = new_store(Path(tmp_path_factory.mktemp("contexts")))
    facts = facts_under(Load(0.9, 0.85, 0.0005), engine)
    return {context.resource.kind: context for context in contexts_of(facts, judge_facts(facts))}
