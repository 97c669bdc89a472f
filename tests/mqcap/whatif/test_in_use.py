"""Sizes below what is in use."""

from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.observed import Observed
from mqcap.settings import load_settings
from mqcap.store.models import WindowDay
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import refuse_below_use
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, new_store
from tests.mqcap.whatif.builders import CHINIT, PAGE_SET, POOL, STRUCTURE

TPF, QMGR = "EAST/TPF1", "EAST/QM1"
ZTPF, DISTRIBUTED = SubjectKind.ztpf_system, SubjectKind.distributed_queue_manager
IN_USE = [
    ("tpf_mqm_in_use_blocks", TPF, ZTPF, 96_000.0),
    ("page_set_used_pages", PAGE_SET, SubjectKind.page_set, 50_000.0),
    ("structure_size_mib", STRUCTURE, SubjectKind.structure, 500.0),
    ("structure_entries_used_pct", STRUCTURE, SubjectKind.structure, 20.0),
    ("structure_elements_used_pct", STRUCTURE, SubjectKind.structure, 88.0),
    ("smds_used_pct", QUEUE_MANAGER, SubjectKind.queue_manager, 60.0),
    ("mq_log_fs_used_pct", QMGR, DISTRIBUTED, 78.0),
    ("mq_qmgr_fs_used_pct", QMGR, DISTRIBUTED, 70.0),
    ("buffer_pool_used_pct", POOL, SubjectKind.buffer_pool, 96.0),
    ("chinit_64bit_used_mib", CHINIT, SubjectKind.channel_initiator, 3_000.0),
]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """Today's use, and twice of it the day before."""
    days = [
        WindowDay(metric, subject, kind, "", DAY - timedelta(days=back), *(value * (1 + back),) * 3)
        for metric, subject, kind, value in IN_USE
        for back in (1, 0)
    ]
    engine = new_store(tmp_path_factory.mktemp("in_use"))
    return DayFacts(Observed(days, DAY, 35), {}, Estate(), load_settings(), engine)


def scenario(subject: str, settings: dict[str, Any]) -> Scenario:
    return Scenario.model_validate({"configuration": [{"subject": subject, **settings}]})


@pytest.mark.parametrize(
    ("subject", "key", "least"),
    [
        (TPF, "mqm_blocks", 96_000),
        (PAGE_SET, "pages", 50_000),
        (STRUCTURE, "structure_size_mib", 440),
        (QUEUE_MANAGER, "smds_size_pct", 60),
        (QMGR, "log_file_system_size_pct", 78),
        (QMGR, "data_file_system_size_pct", 70),
    ],
)
def test_a_size_below_what_is_in_use_today_is_refused(
    facts: DayFacts, subject: str, key: str, least: int
) -> None:
    for enough in (least, least + 1):
        refuse_below_use(facts, scenario(subject, {key: enough}))
    with pytest.raises(ConfigurationError, match=f"{key} of {subject} is less than") as refused:
        refuse_below_use(facts, scenario(subject, {key: least - 1}))
    assert f"at least {least:,} " in str(refused.value)


def test_limits_and_memory_may_be_below_what_is_in_use(facts: DayFacts) -> None:
    refuse_below_use(facts, scenario(POOL, {"buffers": 100}))
    refuse_below_use(facts, scenario(CHINIT, {"memlimit_gib": 1}))


def test_a_size_whose_use_is_not_measured_is_not_refused(facts: DayFacts) -> None:
    refuse_below_use(facts, scenario("EAST/TPF2", {"mqm_blocks": 100}))
    refuse_below_use(facts, scenario(f"{QUEUE_MANAGER}/PS04", {"pages": 100}))
