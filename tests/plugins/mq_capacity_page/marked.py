"""What is marked in the chart of a series: a note, a stop and a release of MQ."""

from datetime import UTC, date, datetime
from typing import Any

from mqcap.domain.feed import FeedDay, VersionChange
from mqcap.store.models import Annotation
from tests import factories
from tests.plugins import builder


def note(**changed: Any) -> Annotation:
    """A note about two days of a sysplex."""
    values: dict[str, Any] = {
        "subject": "PLEX1",
        "first_date": date(2026, 1, 20),
        "last_date": date(2026, 1, 21),
        "note": "Batch ran twice",
        "noted_at_utc": datetime(2026, 1, 22, tzinfo=UTC),
    }
    return factories.annotation(**values | changed)


def stopped() -> FeedDay:
    """A channel initiator that stopped for an hour."""
    return next(day for day in builder.feed_days() if day.state == "stopped")


def upgraded(day: date = builder.DAY) -> FeedDay:
    """A queue manager that came back with another release."""
    change = VersionChange(
        at_utc=datetime(day.year, day.month, day.day, 2, 17, tzinfo=UTC),
        before="9.3.5",
        after="9.4.5",
    )
    feed = next(feed_day for feed_day in builder.feed_days() if feed_day.kind == "statistics")
    return feed.model_copy(
        update={"subject": "PLEX1/CSQ1", "site_date": day, "level_changes": (change,)}
    )
