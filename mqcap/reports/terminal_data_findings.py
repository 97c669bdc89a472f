"""Table of the data findings of a day for a terminal: which feeds lack records."""

from __future__ import annotations

from datetime import date

from rich import box
from rich.table import Table

from mqcap.domain.feed import data_findings
from mqcap.domain.numbers import share
from mqcap.presentation.terminal import plain
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds

NO_ALL_CLEAR = (
    "Not a capacity problem, but no all-clear either: rules that depend on these records are"
    " not graded ok."
)


def data_table(engine: Store, day: date) -> Table | None:
    """Return one row per incomplete feed; ``None`` when all expected records have arrived."""
    findings = data_findings(read_feeds(engine, day))
    if not findings:
        return None
    result = Table(
        title=f"Data: records that have not arrived, {day.isoformat()}",
        caption=NO_ALL_CLEAR,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        caption_justify="left",
    )
    for heading in ("state", "feed", "arrived", "what is known", "what to do"):
        result.add_column(heading, overflow="fold")
    for feed in findings:
        result.add_row(
            f"[yellow]{feed.state.replace('_', ' ')}[/]",
            plain(f"{feed.subject} {feed.member}".strip()),
            share(feed.ratio),
            plain(feed.summary),
            plain(feed.remedy),
        )
    return result
