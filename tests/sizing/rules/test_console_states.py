"""Rules about what the console reports and what a loss means."""

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.ingest.error_log.records import error_log_catalogue
from sizing.rules.plain import ROWS, Reported
from tests.sizing.builders import RULES

TOPICS = [row for row in ROWS if isinstance(row, Reported)]
ASKED = {topic.id: "states" for topic in TOPICS} | {
    rule_id: "with_load" for rule_id in RULES if rule_id.startswith("LOSS-")
}


@pytest.mark.parametrize(("rule_id", "figure"), ASKED.items())
def test_a_rule_applies_where_something_was_reported_or_a_loss_computed(
    rule_id: str, figure: str
) -> None:
    assert RULES[rule_id].applies_to({figure: 0})
    assert not RULES[rule_id].applies_to({})


def test_every_kind_of_resource_that_a_message_is_about_has_one_rule() -> None:
    entries = [*catalogue().values(), *error_log_catalogue().values()]
    kinds = {entry.resource for entry in entries if entry.begins_state}
    assert {topic.resource for topic in TOPICS} >= kinds
    assert len({topic.resource for topic in TOPICS}) == len(TOPICS)
    assert ResourceKind.queue_manager in {topic.resource for topic in TOPICS}
