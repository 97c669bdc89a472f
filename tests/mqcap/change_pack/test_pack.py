"""Change packs: items, targets and playbooks."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.change_pack.pack import BY_HAND, WIDTH, change_pack, item_of_finding, pairs
from mqcap.change_pack.statements import NewValue, Target, values_of_findings, values_of_plan
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import QueueManager
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost, PlanEnd, PlanTier, total_cost
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.losses.model import Loss, SurvivorChanges
from mqcap.presentation.summary_words import cost_text
from mqcap.reports.sections.plans import totals_by_owner
from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.database import Store
from mqcap.store.plans import read_plans, replace_losses
from tests import plan_factories
from tests.mqcap.change_pack.builders import change, estate_of, finding, pack, plan_of
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER, days, observe, run, settings_of
from tests.plan_factories import plan_rule

LOGS = {"active_log_size_mib": 2_048.0, "active_logs": 4}
MANAGERS = [QueueManager(name=name, dual_logging=True, **LOGS) for name in ("CSQ1", "CSQ2")]


def log_plan(name: str = "CSQ1", logs: int = 6) -> Plan:
    cylinders = 2 * (logs * 5_825 - 4 * 2_913)
    return plan_of(
        change(f"PLEX1/{name}", LOGS, active_log_size_mib=4_095.7, active_logs=logs),
        resource=f"PLEX1/{name}/active_log",
        cost=PlanCost(cylinders=cylinders, dasd_mib=1, work_hours=2),
    )


def test_the_header_says_that_nothing_was_executed_and_lists_the_order(engine: Store) -> None:
    later = plan_of(change("PLEX1/CF01", engines=2), due_date=DAY + timedelta(days=300))
    text = pack(engine, [later, log_plan()])
    assert "It was never executed" in text.splitlines()[0]
    assert re.search(r"^//\* 1\. now, Payments MQ team: PLEX1/CSQ1:", text, re.MULTILINE)
    assert re.search(r"^//\* 2\. .*: PLEX1/CF01: engines 2$", text, re.MULTILINE)
    assert text.index("======== 1. PLEX1/CSQ1") < text.index("======== 2. PLEX1/CF01")


def test_the_pack_takes_what_the_monthly_plan_takes_and_what_its_statements_define(
    engine: Store,
) -> None:
    plans = [log_plan("CSQ1", 6), log_plan("CSQ2", 9)]
    text = pack(engine, plans, estate=estate_of(*MANAGERS))
    total = total_cost(plan.base.cost for plan in plans)
    joined = re.sub(r"\s+(//\*)?\s*", " ", text)
    assert f"Takes in all {cost_text(total)}." in joined
    [every] = totals_by_owner(plans).rows
    assert every[2].value == total.cylinders
    defined = sum(map(int, re.findall(r"CYLINDERS\((\d+)\)\) -$", text, re.MULTILINE)))
    assert defined - text.count("\n  DELETE DSNAME=") * 2_913 == total.cylinders


def test_what_has_no_statement_is_done_by_hand(engine: Store) -> None:
    by_hand = pack(engine, [plan_of(change("PLEX1/CSQ1", page_set_backup_hours=24))])
    assert BY_HAND in by_hand.splitlines()
    unknown = pack(engine, [plan_of(change("PLEX1/CSQ1", {"active_logs": 4}, active_logs=6))])
    assert BY_HAND in unknown.splitlines()
    assert BY_HAND not in pack(engine, [plan_of(change("PLEX1/CSQ1/CHINIT", adapters=30))])


def test_chosen_findings_have_the_plans_of_their_resources_each_once(engine: Store) -> None:
    result = [
        finding("LOG-FILL-30MIN", "PLEX1/CSQ1"),
        finding("LOG-RUNWAY-12H", "PLEX1/CSQ1"),
        finding("CHI-MAXCHL", "PLEX1/CSQ2/CHINIT", TypedAmount.of("maxchl", 900)),
    ]
    chosen = [(item.rule_id, item.subject) for item in result]
    plans = [log_plan(), plan_of(change("PLEX1/CSQ1/BP01", buffers=9_000))]
    text = pack(engine, plans, result, estate_of(*MANAGERS), chosen=chosen)
    assert text.count("EXEC PGM=IDCAMS") == 1
    assert "ALTER BUFFPOOL" not in text
    assert "ALTER QMGR MAXCHL(900)" in text


def test_a_plan_that_judges_a_finding_is_that_of_its_resource(engine: Store) -> None:
    made = plan_of(change("PLEX1/CF01", engines=2), rules=(plan_rule("OWN-RULE", "PLEX1/CSQ1"),))
    result = [finding("OWN-RULE", "PLEX1/CSQ1")]
    text = pack(engine, [made], result, chosen=[("OWN-RULE", "PLEX1/CSQ1")])
    assert "engines 2" in text


def test_a_chosen_finding_must_exist(engine: Store) -> None:
    with pytest.raises(ConfigurationError):
        pack(engine, [log_plan()], chosen=[("CHI-MAXCHL", "PLEX1/CSQ9/CHINIT")])


def test_a_day_in_order_has_an_empty_pack(engine: Store) -> None:
    calm = finding("LOG-FILL-30MIN", "PLEX1/CSQ1").model_copy(update={"severity": Severity.ok})
    text = pack(engine, [], [calm])
    assert "0 resources. Takes in all no cost." in text
    assert "========" not in text


@pytest.mark.thorough
def test_an_evaluated_day_gives_statements_that_fit_before_the_sequence_numbers(
    engine: Store,
) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 3.0))
    settings = settings_of(Path(str(engine.url.database)).parent, dual_logging=None)
    evaluate_rules(settings, engine, DAY)
    assert read_plans(engine, DAY)
    text = change_pack(engine, settings.complete_estate(), DAY)
    assert "DEFINE CLUSTER" in text
    assert max(len(line) for line in text.splitlines()) <= WIDTH


def unwrapped(text: str) -> str:
    """Return a pack with its comments in one line."""
    return re.sub(r"\n//\*\s+", " ", text)


def test_the_command_takes_findings_and_what_is_recommended(engine: Store, tmp_path: Path) -> None:
    more = PlanTier(
        changes=(change("PLEX1/CSQ1/CHINIT", maxchl=1_200),),
        cost=PlanCost(work_hours=3),
        buys=(PlanEnd(rule_id="CH-START-STOP", level="limit 1"),),
    )
    least = PlanCost(work_hours=2)
    pack(engine, [plan_of(change("PLEX1/CSQ1/CHINIT", maxchl=900), cost=least, tiers=(more,))])
    result = run(tmp_path, settings_of(tmp_path), "change-pack", "--recommended", "--day", str(DAY))
    assert result.exit_code == 0, result.output
    assert "with what is recommended" in result.output
    assert "ALTER QMGR MAXCHL(1200)" in result.output
    assert "Takes in all 3 h of work." in unwrapped(result.output)
    assert "Buys beyond the limits: limit 1." in result.output
    every = run(tmp_path, settings_of(tmp_path), "change-pack", "--day", str(DAY))
    assert "ALTER QMGR MAXCHL(900)" in every.output
    assert "Takes in all 2 h of work." in unwrapped(every.output)
    assert "Buys" not in every.output


def test_a_rule_without_its_subject_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="without its subject"):
        pairs(["CHI-MAXCHL"])


def lost(name: str, logs: int) -> Loss:
    """The loss of a member, for which CSQ1 needs so many logs."""
    needed = SurvivorChanges(
        resource="PLEX1/CSQ1/active_log",
        label="CSQ1 active logs",
        changes=(change("PLEX1/CSQ1", {"active_logs": 6}, active_logs=logs),),
        cost=PlanCost(cylinders=(logs - 6) * 11_650, dasd_mib=1, weighted=logs),
    )
    return plan_factories.loss(lost=f"PLEX1/{name}", site_date=DAY, by_resource=(needed,))


def test_what_losses_need_comes_once_after_the_plans_and_goes_on_with_their_logs(
    engine: Store,
) -> None:
    """Four logs of 2 GiB become six of 4 GiB by the plan, numbers 5 to 10; then 11 and 12."""
    replace_losses(engine, DAY, [lost("CSQ2", 7), lost("CSQ3", 8)])
    text = pack(engine, [log_plan(logs=6)], estate=estate_of(*MANAGERS))
    joined = re.sub(r"\s+(//\*)?\s*", " ", text)
    assert "; 1 resource. Takes in all +46,596 cylinders" in joined
    assert "For losses, beside the plans of the day: 1 resource, +23,300 cylinders" in joined
    assert "2. CSQ1 active logs, for the loss of CSQ2 and CSQ3" in joined
    assert "New: 4 data sets x 5,825 cylinders" in joined
    names = re.findall(r"^DEFINE LOG\('.*LOGCOPY1.DS(\d+)'\)", text, re.MULTILINE)
    assert names == ["05", "06", "07", "08", "09", "10", "11", "12"]


def test_a_finding_without_a_plan_has_its_changes_else_its_advice() -> None:
    made = item_of_finding(
        finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of("maxchl", 900))
    )
    assert made.topics == ["maxchl"]
    assert made.reasons[1:] == (
        'source: MP16 (14), "A section"',
        "change: Change it. [MAXCHL(900)]",
    )
    assert made.due is None
    advised = item_of_finding(finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"))
    assert advised.reasons[-1] == "Do something else."


@pytest.mark.parametrize(
    "settings",
    [{"engines": 2}, {"channels_moved": 40}, {"sharecnv": 1, "sharecnv_from": 1},
     {"page_set_backup_hours": 24}, {"structure_backup_hours": 1},
     {"active_logs": 9, "active_log_size_mib": 4_095.7}],
)  # fmt: skip
def test_what_is_done_by_hand_what_stays_and_active_logs_have_no_value(
    settings: dict[str, Any],
) -> None:
    assert values_of_plan([change("PLEX1/CSQ1", **settings)]) == []


def test_both_copies_of_a_structure_are_one_entry_of_the_policy() -> None:
    copies = [change(f"PLEX1/{name}/QSG1APPL1", structure_size_mib=4_000) for name in ("A", "B")]
    assert len(values_of_plan(copies)) == 1


def test_changes_of_findings_are_typed_but_for_active_logs() -> None:
    cylinders = TypedAmount.of(TypedKind.cylinders, 700)
    result = [
        finding("PS-EXPAND-90", "PLEX1/CSQ1/PS03", cylinders),
        finding("LOG-FILL-30MIN", "PLEX1/CSQ1", cylinders),
        finding("LOG-OUTBUFF-WTB", "PLEX1/CSQ1", TypedAmount.of("outbuff_kb", 4_000)),
        finding("CF-BUSY-1", "PLEX1/CF01", TypedAmount.of("engines", 2)),
        finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"),
    ]
    assert values_of_findings(result) == [
        NewValue(Target("PLEX1", ("CSQ1", "PS03"), "page_set"), 700),
        NewValue(Target("PLEX1", ("CSQ1",), "outbuff_kb"), 4_000),
    ]


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("CSQ1", "BP01"), 1),
        (("CSQ1", "BP00"), 0),
        (("CSQ1", "PS12"), 12),
        (("CSQ1", "CHINIT"), None),
        (("CSQ1",), None),
    ],
)
def test_a_pool_or_page_set_is_numbered_by_its_name(
    names: tuple[str, ...], number: int | None
) -> None:
    assert Target("PLEX1", names, "buffers").number == number
    assert Target("PLEX1", names, "buffers").owner == "CSQ1"
