from __future__ import annotations

from devtools.benchmarks.large_estate import Size, large_estate
from devtools.simulator.spec import EstateSpec


def test_the_large_estate_has_the_parts_of_its_size() -> None:
    spec = large_estate(Size(sysplexes=3, managers=11, facilities=2, queues=7, minutes=15))
    managers = [qmgr for plex in spec.sysplexes for qmgr in plex.qmgrs]
    facilities = [cf for plex in spec.sysplexes for cf in plex.cfs]
    assert (len(spec.sysplexes), len(managers), len(facilities)) == (3, 33, 6)
    assert len({each.name for each in managers}) == 33
    assert len({each.name for each in facilities}) == 6
    assert {len({sender.queue for sender in each.senders}) for each in managers} == {7}
    assert not any(each.accounting for each in managers)
    assert spec.interval_minutes == 15


def test_the_large_estate_is_one_that_a_file_could_describe() -> None:
    spec = large_estate(Size(queues=2))
    assert EstateSpec.model_validate(spec.model_dump()) == spec


def test_without_other_counts_the_large_estate_has_a_hundred_queue_managers() -> None:
    size = Size()
    assert (size.manager_days, size.sysplexes * size.facilities, size.queues) == (100, 20, 500)
