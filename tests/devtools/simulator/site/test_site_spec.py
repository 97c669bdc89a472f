"""Specification of a site: what does not fit is refused."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from devtools.simulator.site.site_spec import FileSystemUse, Producer, SiteSpec
from devtools.simulator.spec import sample_spec
from tests.devtools.simulator.site.builders import site_spec


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"step_minutes": 25}, "divides the hour"),
        ({"hosts": ()}, "host of PAY.QM, qm_web is none of"),
        ({"timezone": "Europe/Nowhere"}, "Nowhere"),
        ({"qmgrs": [{"name": "A B"}]}, "name"),
    ],
)
def test_a_site_that_does_not_fit_is_refused(changed: dict[str, Any], said: str) -> None:
    document = site_spec().model_dump() | changed
    with pytest.raises((ValidationError, KeyError), match=said):
        SiteSpec.model_validate(document)


def test_a_file_system_has_the_same_use_at_all_hours_and_on_all_days() -> None:
    load = FileSystemUse(at_anchor=80)
    assert (load.profile, set(load.weekday_ratio), load.month_end_ratio) == ("flat", {1.0}, 1.0)


def test_the_sample_has_a_site_with_four_queue_managers_one_of_them_in_a_container() -> None:
    [site] = sample_spec().sites
    assert [qmgr.name for qmgr in site.qmgrs] == ["ORDERS", "PAY.QM", "qm_web", "TEST1"]
    in_container = [qmgr.name for qmgr in site.qmgrs if qmgr.seen_by is Producer.container]
    assert in_container == ["qm_web"]
