"""What is lost in turn, in words that fit what the estate has."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.losses.text.tables import loss_words
from tests.plan_factories import loss

SITE = {"site": "EAST", "qmgrs": [{"name": "QM1"}]}
MEMBER = {"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1", "qsg": "QSG1"}]}
ALONE = {"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1"}]}
FACILITY = {"sysplex": "PLEX2", "cfs": [{"name": "CF01"}]}
OF_FACILITY, OF_MEMBER = "coupling facility", "member of a queue sharing group"


def estate(*parts: dict[str, Any]) -> Estate:
    return Estate(
        sysplexes=[part for part in parts if "sysplex" in part],
        places=[part for part in parts if "site" in part],
    )


@pytest.mark.parametrize(
    ("parts", "facility", "member"),
    [
        ((), True, True),
        ((ALONE,), True, True),
        ((MEMBER,), False, True),
        ((FACILITY,), True, False),
        ((MEMBER, FACILITY, SITE), True, True),
        ((SITE,), False, False),
    ],
)
def test_only_what_the_estate_has_is_named(
    parts: tuple[dict[str, Any], ...], facility: bool, member: bool
) -> None:
    words = loss_words(estate(*parts))
    assert (OF_FACILITY in words.lead, OF_MEMBER in words.lead) == (facility, member)
    assert ("coupling" in words.nothing, "sharing group" in words.nothing) == (facility, member)


def test_sites_alone_say_why_nothing_is_lost() -> None:
    assert loss_words(estate(SITE)).nothing == (
        "Queue managers of a site share no queues, so none of them takes the work of another "
        "that is lost."
    )


def test_a_loss_of_the_day_is_named_though_the_estate_does_not_list_its_part() -> None:
    of_facility = loss()
    of_member = loss(lost="PLEX1/CSQ1", kind=SubjectKind.queue_manager)
    assert OF_FACILITY in loss_words(estate(MEMBER), [of_facility]).lead
    assert OF_MEMBER in loss_words(estate(FACILITY), [of_member]).lead


def test_the_sentences_begin_with_a_capital() -> None:
    words = loss_words(estate(MEMBER, FACILITY))
    assert words.lead.startswith("Each coupling facility and each member of a queue sharing group")
    assert words.nothing.startswith("No coupling facility with a structure of MQ and no queue")
