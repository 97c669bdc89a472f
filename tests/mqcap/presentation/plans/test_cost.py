"""The cost of a plan in words."""

from __future__ import annotations

from mqcap.domain.plan import PlanCost
from mqcap.presentation.plans.cost import cost_text


def test_dasd_that_is_needed_until_old_data_sets_are_deleted_is_beside_the_difference() -> None:
    cost = PlanCost(
        cylinders=139_792, dasd_mib=98_291, replaced_cylinders=46_608, replaced_dasd_mib=32_771
    )
    assert cost_text(cost) == (
        "+139,792 cylinders (+98,291 MiB) of DASD, "
        "+186,400 cylinders until the old data sets are deleted"
    )
    freed = PlanCost(cylinders=-8, dasd_mib=-6, replaced_cylinders=8, replaced_dasd_mib=6)
    assert cost_text(freed) == "-8 cylinders (-6 MiB) of DASD"


def test_only_parts_of_a_cost_that_are_not_nothing_are_named() -> None:
    assert cost_text(PlanCost()) == "no cost"
    assert cost_text(PlanCost(real_storage_mib=40, chinit_restarts=1)) == (
        "+40 MiB of real storage, 1 restart of a channel initiator"
    )
    assert cost_text(PlanCost(chinit_31bit_mib=3.96)) == (
        "+3.96 MiB of 31-bit storage of a channel initiator"
    )
    assert cost_text(PlanCost(ipls=1, file_system_mib=112)) == "1 IPL, +112 MiB in file systems"
    assert cost_text(PlanCost(file_system_mib=112, unsized=("+80 % of the data file system",))) == (
        "+112 MiB in file systems, +80 % of the data file system (size not known)"
    )
    assert cost_text(PlanCost(engines=2, queue_manager_restarts=1, work_hours=1.5)) == (
        "2 CF engines, 1 restart of a queue manager, 1.5 h of work"
    )


def test_storage_that_memlimit_allows_is_no_real_storage() -> None:
    text = cost_text(PlanCost(above_bar_mib=1_024, chinit_restarts=1))
    assert text.startswith("+1,024 MiB of virtual storage above the bar (MEMLIMIT), 1 restart")
    assert "real storage" not in text
