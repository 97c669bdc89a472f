"""Table of the data findings of a day: feeds that lack records, and sources that differ."""

from __future__ import annotations

from datetime import date
from typing import Final

from mqcap.domain.feed import data_findings
from mqcap.domain.numbers import ABSENT, share
from mqcap.presentation.listing import Listing
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds

NO_ALL_CLEAR = (
    "Not a capacity problem, but no all-clear either: rules that depend on these records are"
    " not graded ok."
)
DIFFERENT: Final = (
    "Not a capacity problem: two sources of one figure differ by more than is tolerated."
)


def data_table(engine: Store, day: date) -> Listing | None:
    """Return one row per finding; ``None`` when all has arrived and no two sources differ."""
    findings = data_findings(read_feeds(engine, day))
    if not findings:
        return None
    is_missing = any(feed.is_incomplete for feed in findings)
    what = "records that have not arrived" if is_missing else "sources that differ"
    return Listing(
        title=f"Data: {what}, {day.isoformat()}",
        headings=("state", "feed", "arrived", "what is known", "what to do"),
        rows=tuple(
            (
                feed.state.replace("_", " "),
                f"{feed.subject} {feed.system}".strip(),
                share(feed.ratio) if feed.is_incomplete else ABSENT,
                feed.summary,
                feed.remedy,
            )
            for feed in findings
        ),
        caption=NO_ALL_CLEAR if is_missing else DIFFERENT,
        styles={feed.state.replace("_", " "): "yellow" for feed in findings},
        name_count=1,
    )
