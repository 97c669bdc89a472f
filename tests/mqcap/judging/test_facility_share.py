from typing import Any

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.judging.facility_share import is_for_the_owner, with_mq_share
from mqcap.judging.observed import Observed
from mqcap.store.models import WindowDay
from sizing.rulebook.judge import judge
from tests.sizing.builders import DAY, RULES, Policy, values

CF = "PLEX1/CF01"
REQUESTS, SERVICE = "structure_requests_per_s", "structure_sync_us"


def structure(name: str, **figures: float) -> list[WindowDay]:
    kind, subject = SubjectKind.structure, f"{CF}/{name}"
    return [
        WindowDay(metric, subject, kind, "", DAY, value, value, value)
        for metric, value in figures.items()
    ]


def estate(qsg: str | None = None) -> Estate:
    manager = {"name": "CSQ1"} | ({"qsg": qsg} if qsg else {})
    return Estate.model_validate({"sysplexes": [{"sysplex": "PLEX1", "qmgrs": [manager]}]})


def busy(rule_id: str = "CF-BUSY-1", busy_pct: float = 40, engines: int = 1) -> Finding:
    inputs = values(busy_pct=busy_pct, engines=engines)
    return judge(RULES[rule_id], CF, DAY, inputs, Policy())


def shared(finding: Finding, days: list[WindowDay], known: Estate | None = None) -> Finding:
    return with_mq_share(finding, Observed(days, DAY, 35), known or estate("QSG1"))


LOCK = structure("ISGLOCK", **{REQUESTS: 1_000, SERVICE: 10})
QUEUES = structure("QSG1APPL1", **{REQUESTS: 2_000, SERVICE: 15})


@pytest.mark.parametrize(("rule_id", "engines"), [("CF-BUSY-1", 1), ("CF-BUSY-N", 2)])
def test_the_share_of_mq_is_requests_times_service_time(rule_id: str, engines: int) -> None:
    graded = shared(busy(rule_id, 80, engines), [*LOCK, *QUEUES])
    assert "MQ's structures account for about 60 points of it." in graded.summary
    line = "MQ's share = 30,000 / 40,000 us/s x 80 % = 60 %: requests/s x service time of its 1 "
    assert graded.arithmetic[-1].startswith(line)
    assert (graded.severity, graded.breach) == (Severity.act, True)
    assert graded.changes


@pytest.mark.parametrize("busy_pct", [27.0, 40.0])
def test_a_facility_without_a_structure_of_mq_is_a_note_to_its_owner(busy_pct: float) -> None:
    graded = shared(busy(busy_pct=busy_pct), LOCK)
    assert graded.severity is Severity.suggestion
    assert is_for_the_owner(graded)
    assert graded.advice.startswith("For the CF's owner: ")
    assert "MQ has no structure here (ISGLOCK)." in graded.summary
    assert (graded.breach, graded.changes) == (busy_pct > 30, ())


def test_a_facility_in_order_stays_in_order_without_a_structure_of_mq() -> None:
    graded = shared(busy(busy_pct=10), LOCK)
    assert graded.severity is Severity.ok
    assert not is_for_the_owner(graded)


@pytest.mark.parametrize("name", ["QSG1CSQ_ADMIN", "QSG1CSQSYSAPPL"])
def test_the_administration_structure_names_a_group_that_the_estate_does_not(name: str) -> None:
    admin = structure(name, **{REQUESTS: 1, SERVICE: 10})
    assert shared(busy(), [*LOCK, *QUEUES], estate()).severity is Severity.suggestion
    assert shared(busy(), [*LOCK, *QUEUES, *admin], estate()).severity is Severity.act


def test_a_short_name_of_a_group_is_padded() -> None:
    padded = structure("QS@@APPL1", **{REQUESTS: 1, SERVICE: 10})
    assert shared(busy(), padded, estate("QS")).severity is Severity.act


def test_without_measured_structures_the_finding_stays_with_a_caveat() -> None:
    graded = shared(busy(), [])
    assert graded.severity is Severity.act
    assert graded.caveats[-1].startswith("No structure of this facility was measured")
    elsewhere: list[Any] = [day._replace(subject="PLEX1/CF02/ISGLOCK") for day in LOCK]
    assert shared(busy(), elsewhere) == graded


def test_without_service_times_the_share_is_not_known() -> None:
    graded = shared(busy(), structure("QSG1APPL1", **{REQUESTS: 2_000}))
    assert graded.severity is Severity.act
    assert "nor is MQ's share" in graded.caveats[-1]
    assert graded.statement == busy().statement


def test_other_rules_are_left_alone() -> None:
    result = judge(RULES["CFS-FULL"], CF, DAY, values(used_pct=90), Policy())
    assert shared(result, LOCK) == result
    unknown = judge(RULES["CF-BUSY-N"], CF, DAY, [], Policy())
    assert shared(unknown, LOCK) == unknown
