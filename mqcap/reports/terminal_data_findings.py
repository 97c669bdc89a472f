"""The data findings of a day, for a terminal: which feeds lack records, and since when."""

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
    "No capacity problem, but no all-clear either: rules that depend on these records are not"
    " said to be in order."
)


def data_table(engine: Store, day: date) -> Table | None:
    """One row per incomplete feed, or ``None`` when all that was expected has arrived."""
    found = data_findings(read_feeds(engine, day))
    if not found:
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
    for one in found:
        result.add_row(
            f"[yellow]{one.state.replace('_', ' ')}[/]",
            plain(f"{one.subject} {one.member}".strip()),
            share(one.ratio),
            plain(one.summary),
            plain(one.remedy),
        )
    return result
