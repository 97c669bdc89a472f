from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.structure import STRUCTURE
from tests.mqcap.planning.levers.conftest import ContextOf


def test_sizes_are_multiples_of_eight_mib_above_today_s(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    today = STRUCTURE.today(context)
    assert today == {"structure_size_mib": 512.0}
    values = [float(value) for value in STRUCTURE.grids(context, today)["structure_size_mib"]]
    assert values[0] == 512
    assert values[1] == 520
    assert values == sorted(set(values))
    assert all(value % 8 == 0 for value in values)


def test_the_storage_of_both_copies_counts(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    before, after = {"structure_size_mib": 512.0}, {"structure_size_mib": 600}
    assert STRUCTURE.cost(context, before, after).cf_storage_mib == 176


def test_each_copy_gets_the_size_in_kib(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.structure)
    changes = STRUCTURE.changes(context, {"structure_size_mib": 512.0}, {"structure_size_mib": 600})
    assert [change.subject for change in changes] == [
        "PLEX1/CF01/QSG1APPL1", "PLEX1/CF02/QSG1APPL1",
    ]  # fmt: skip
    assert {change.typed for change in changes} == {"SIZE(614400K)"}
    assert changes[0].text == "Give structure QSG1APPL1 600 MiB instead of 512 MiB."
