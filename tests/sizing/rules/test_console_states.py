"""Rules about what the console reports and what a loss means."""

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.error_log.records import error_log_catalogue
from sizing.rulebook.registry import all_rules
from sizing.rules.console_states import TOPICS
from tests.sizing.builders import RULES, finding, severities

IDS = [topic.rule_id for topic in TOPICS]


@pytest.mark.parametrize("rule_id", IDS)
def test_the_first_state_of_a_day_is_a_breach(rule_id: str) -> None:
    assert severities(rule_id, "states", 0, 1, 2) == [Severity.ok, Severity.act, Severity.act]
    judged = finding(rule_id, states=1)
    assert judged.is_event
    assert judged.advice != finding(rule_id, states=0).advice
    assert judged.headroom_ratio is None
    assert not finding(rule_id, states=0).is_event


@pytest.mark.parametrize("rule_id", IDS)
def test_a_rule_applies_where_the_console_reported_something_within_the_window(
    rule_id: str,
) -> None:
    rule = RULES[rule_id]
    assert rule.applies_to({"states": 0})
    assert not rule.applies_to({})
    assert rule.forecast_series is None


def test_every_kind_of_resource_that_a_message_is_about_has_one_rule() -> None:
    entries = [*catalogue().values(), *error_log_catalogue().values()]
    kinds = {entry.resource for entry in entries if entry.begins_state}
    assert {topic.resource for topic in TOPICS} >= kinds
    assert len({topic.resource for topic in TOPICS}) == len(TOPICS)
    assert ResourceKind.queue_manager in {topic.resource for topic in TOPICS}


RULES_OF_LOSSES = sorted(rule.id for rule in all_rules().values() if rule.id.startswith("LOSS-"))


@pytest.mark.parametrize("rule_id", RULES_OF_LOSSES)
def test_a_loss_is_asked_only_where_one_was_computed(rule_id: str) -> None:
    rule = all_rules()[rule_id]
    assert not rule.applies_to({})
    assert rule.applies_to({"with_load": 1.0})
    assert rule.traits.resource is ResourceKind.loss
