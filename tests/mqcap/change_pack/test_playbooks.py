from __future__ import annotations

import pytest

from mqcap.change_pack.playbooks import PLAYBOOKS, Playbook
from mqcap.change_pack.statements import WRITTEN
from mqcap.change_pack.targets import TOPIC_NAMES


def test_every_topic_with_statements_has_a_playbook() -> None:
    assert set(PLAYBOOKS) == set(TOPIC_NAMES) == WRITTEN | {"logs"}


@pytest.mark.parametrize("plan", PLAYBOOKS.values(), ids=PLAYBOOKS)
def test_every_kind_of_change_says_what_to_check_its_steps_and_the_back_out(
    plan: Playbook,
) -> None:
    assert plan.checks
    assert plan.steps
    assert plan.back_out
    assert plan.when


def test_only_a_page_set_needs_the_queue_manager_stopped() -> None:
    stopped = {topic for topic, plan in PLAYBOOKS.items() if plan.when.startswith("with the queue")}
    assert stopped == {"page_set"}
