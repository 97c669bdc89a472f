"""Table of the data findings of a day for a terminal: which feeds lack records."""

from __future__ import annotations

from datetime import date

from mqcap.domain.feed import data_findings
from mqcap.domain.numbers import share
from mqcap.presentation.listing import Listing
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds

NO_ALL_CLEAR = (
    "Not a capacity problem, but no all-clear either: rules that depend on these records are"
    " not graded ok."
)


def data_table(engine: Store, day: date) -> Listing | None:
    """Return one row per incomplete feed; ``None`` when all expected records have arrived."""
    findings = data_findings(read_feeds(engine, day))
    if not findings:
        return None
    return Listing(
        title=f"Data: records that have not arrived, {day.isoformat()}",
        headings=("state", "feed", "arrived", "what is known", "what to do"),
        rows=tuple(
            (
                feed.state.replace("_", " "),
                f"{feed.subject} {feed.member}".strip(),
                share(feed.ratio),
                feed.summary,
                feed.remedy,
            )
            for feed in findings
        ),
        caption=NO_ALL_CLEAR,
        styles={feed.state.replace("_", " "): "yellow" for feed in findings},
        name_count=1,
    )
