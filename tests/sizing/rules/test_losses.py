"""Limits of survivors after a loss."""

from __future__ import annotations

import pytest

from mqcap.domain.resource import ResourceKind
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import finding

RULES = sorted(rule.id for rule in all_rules().values() if rule.id.startswith("LOSS-"))


@pytest.mark.parametrize("rule_id", RULES)
def test_a_loss_is_asked_only_where_one_was_computed(rule_id: str) -> None:
    rule = all_rules()[rule_id]
    assert not rule.applies_to({})
    assert rule.applies_to({"with_load": 1.0})
    assert rule.traits.resource is ResourceKind.loss


def test_the_survivor_is_named_with_its_figure_and_limit() -> None:
    judged = finding("LOSS-CF-BUSY", with_load=129.323, limit=30, survivor="PLEX1/CF01")
    assert "when it is lost, PLEX1/CF01: CF busy 129.3 %, limit 30 %." in judged.summary
    backups = finding("LOSS-RECOVERY", with_load=61.4, limit=24, survivor="PLEX1/CSQ1")
    assert "PLEX1/CSQ1: time between page set backups 61.4 h allowed, 24 h scheduled." in (
        backups.summary
    )
    assert "when it is lost, CF busy" in finding("LOSS-CF-BUSY", with_load=1, limit=30).summary
