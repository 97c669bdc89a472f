"""Findings of losses."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanVariant
from mqcap.losses.cell import PLACE_RULE, LossQuantity
from mqcap.losses.findings import loss_findings
from mqcap.settings import Settings, load_settings
from sizing.rulebook.registry import all_rules
from tests.plan_factories import loss, loss_cell, plan_change


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load_settings()


def test_every_quantity_has_a_rule_of_the_resource_of_the_loss() -> None:
    names = [PLACE_RULE, *(quantity.rule_id for quantity in LossQuantity)]
    paths = {all_rules()[name].resource_of("PLEX1/CF02").path for name in names}
    assert paths == {"PLEX1/CF02/loss"}


def test_a_limit_that_is_passed_is_a_finding_of_the_lost_part(settings: Settings) -> None:
    [finding] = loss_findings(settings, [loss()])
    assert (finding.rule_id, finding.subject) == ("LOSS-CF-BUSY", "PLEX1/CF02")
    assert (finding.observed, finding.limit_value, finding.breach) == (72.93, 60, True)
    assert finding.severity is Severity.watch
    assert finding.statement == "when it is lost, PLEX1/CF03: CF busy 72.93 %, limit 60 %."


@pytest.mark.parametrize(
    ("minutes", "is_production", "severity"),
    [(0.0, True, Severity.act), (0.0, False, Severity.watch), (43.0, True, Severity.watch)],
)
def test_only_work_of_production_that_stops_at_once_is_act(
    settings: Settings, minutes: float, is_production: bool, severity: Severity
) -> None:
    cells = (loss_cell(minutes_to_failure=minutes),)
    [finding] = loss_findings(settings, [loss(cells=cells, is_production=is_production)])
    assert finding.severity is severity


def test_a_limit_that_is_kept_is_in_order(settings: Settings) -> None:
    cell = loss_cell(today=43.1, fails_today=False)
    [finding] = loss_findings(settings, [loss(cells=(cell,))])
    assert (finding.severity, finding.breach, finding.changes) == (Severity.ok, False, ())


def test_a_limit_that_is_passed_ahead_is_watch_with_its_day(settings: Settings) -> None:
    cell = loss_cell(today=55.0, at_horizon=64.0, fails_today=False, fails_from=date(2027, 1, 5))
    [finding] = loss_findings(settings, [loss(cells=(cell,))])
    assert (finding.severity, finding.breach) == (Severity.watch, False)
    words = "fails from 5 Jan 2027 on: 64 % at the bound of the forecast."
    assert finding.statement.endswith(f" It {words}")
    [planned] = loss_findings(settings, [loss(cells=(cell,), planned_cells=(cell,))])
    assert planned.statement.endswith(f" Without the plans of the day it {words}")


def test_what_fails_without_the_loss_and_what_is_not_known_is_left_out(settings: Settings) -> None:
    cells = (
        loss_cell(fails_before=True),
        loss_cell(quantity=LossQuantity.cf_storage, limit=None, fails_today=False),
    )
    assert loss_findings(settings, [loss(cells=cells)]) == []


def test_what_fails_without_the_loss_but_stops_with_it_is_a_finding(settings: Settings) -> None:
    cell = loss_cell(
        quantity=LossQuantity.chinit_31bit,
        before=84.6,
        today=103.1,
        limit=80.0,
        fails_before=True,
        minutes_to_failure=0.0,
    )
    [finding] = loss_findings(settings, [loss(lost="PLEX1/CSQ1", cells=(cell,))])
    assert (finding.rule_id, finding.severity) == ("LOSS-CHINIT-31BIT", Severity.act)


@pytest.mark.parametrize(
    ("severity", "expected"),
    [(Severity.suggestion, [Severity.suggestion]), (Severity.ok, [])],
)
def test_the_only_facility_of_a_sysplex_is_no_alert(
    settings: Settings, severity: Severity, expected: list[Severity]
) -> None:
    found = loss(
        nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=(), is_only_facility=True, severity=severity
    )
    assert [finding.severity for finding in loss_findings(settings, [found])] == expected


def test_of_several_pools_the_worst_is_the_finding(settings: Settings) -> None:
    pools = [
        loss_cell(
            quantity=LossQuantity.buffer_pool, subject=f"PLEX1/CSQ1/{name}", today=today, limit=85.0
        )
        for name, today in (("BP01", 122.0), ("BP02", 94.0))
    ]
    [finding] = loss_findings(settings, [loss(lost="PLEX1/CSQ2", cells=tuple(pools))])
    assert (finding.rule_id, finding.observed) == ("LOSS-BUFFER-POOL", 122)


def test_structures_without_a_place_are_named_and_act(settings: Settings) -> None:
    found = loss(nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=())
    [finding] = loss_findings(settings, [found])
    assert (finding.rule_id, finding.severity) == (PLACE_RULE, Severity.act)
    assert finding.statement.endswith("ISGLOCK")


def test_the_changes_of_the_loss_are_those_of_its_findings(settings: Settings) -> None:
    variant = PlanVariant(changes=(plan_change(subject="PLEX1/CF03", text="Give it 3 engines."),))
    [finding] = loss_findings(settings, [loss(changes=variant)])
    assert finding.changes[0].action.startswith("PLEX1/CF03: Give it 3 engines.")


def test_the_limit_is_stated_once_where_the_rule_of_the_survivor_states_it(
    settings: Settings,
) -> None:
    both = ("limit = 60 % of 3 engines", "observed = 72.93 %")
    [stated] = loss_findings(settings, [loss(cells=(loss_cell(arithmetic=both),))])
    assert [line for line in stated.arithmetic if line.startswith("limit =")] == [both[0]]
    [plain] = loss_findings(settings, [loss(cells=(loss_cell(arithmetic=both[1:]),))])
    assert [line for line in plain.arithmetic if line.startswith("limit =")] == ["limit = 60 %"]
