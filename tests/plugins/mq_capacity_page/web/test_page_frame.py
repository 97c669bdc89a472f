"""The head of every page, and the context that views read."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.page_frame import page_frame
from mqcap.domain.errors import ConfigurationError
from mqcap.store.findings import replace_findings
from tests.plugins import builder

EARLIER = builder.DAY - timedelta(days=3)


def test_without_a_day_the_latest_evaluated_one_is_shown(context: PageContext) -> None:
    frame = page_frame(context, None, "overview")
    assert (frame.day, frame.latest) == (builder.DAY, builder.DAY)
    assert (frame.earlier, frame.later) == (None, None)
    assert frame.site_name == "Test site"
    assert frame.zones == {"PLEX1": "Europe/Copenhagen", "PLEX2": "America/New_York"}


def test_neighbours_are_the_nearest_days_with_findings(context: PageContext) -> None:
    earlier = [builder.finding(site_date=EARLIER)]
    replace_findings(context.engine, EARLIER, earlier)
    assert page_frame(context, builder.DAY, "series").earlier == EARLIER
    assert page_frame(context, EARLIER, "series").later == builder.DAY
    between = page_frame(context, EARLIER + timedelta(days=1), "series")
    assert (between.earlier, between.later) == (EARLIER, builder.DAY)


def test_an_empty_store_has_no_day_unless_one_is_asked_for(empty_context: PageContext) -> None:
    assert page_frame(empty_context, None, "overview").day is None
    asked = page_frame(empty_context, builder.DAY, "overview")
    assert (asked.day, asked.latest) == (builder.DAY, None)


@pytest.mark.parametrize(
    ("subject", "zone"),
    [
        ("PLEX1/CSQ1", "Europe/Copenhagen"),
        ("PLEX2", "America/New_York"),
        ("PLEX9/CSQ9", "Europe/Copenhagen"),
    ],
    ids=["sysplex", "sysplex-itself", "site"],
)
def test_days_are_counted_in_the_zone_of_the_sysplex_else_of_the_site(
    context: PageContext, subject: str, zone: str
) -> None:
    assert context.timezone_of(subject) == zone


def test_a_failure_is_not_cached(context: PageContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_module, "_freeze_loaded_objects", lambda: None)
    current_context.cache_clear()
    with monkeypatch.context() as broken:
        broken.setenv("MQCAP_STORE__URL", "nonsense")
        with pytest.raises(ConfigurationError):
            current_context()
    opened = current_context()
    assert opened is current_context()
    opened.engine.dispose()
    current_context.cache_clear()
