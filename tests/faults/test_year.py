"""Days that arrive at once are, byte for byte, what they are when each arrives by itself."""

import pytest

from mqcap.settings import load_settings
from mqcap.steps.backfill import backfill
from tests.faults.notified import comparable, sent, sent_otherwise
from tests.faults.site import DAY_BEFORE, LAST_DAY, Site, contents, differences

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]


def test_a_backfill_stores_the_results_of_daily_runs_and_sends_nothing(site: Site) -> None:
    site.back_to("empty")
    site.deliver(LAST_DAY)
    backfill(load_settings(), DAY_BEFORE, LAST_DAY, lambda _: None)
    replayed, lived = contents(site.work), site.left_after("alert")
    ours, theirs = (comparable(item) for item in (replayed, lived))
    assert differences(ours, theirs) == []
    assert sent(replayed) == sent_otherwise(lived) == []
    assert len(sent(lived)) >= 2
