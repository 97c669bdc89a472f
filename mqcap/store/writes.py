"""Everything that changes the store. Each function is one transaction and may be repeated.

Daily results are *replaced* by day: what the same day said before is gone, so that a rerun
leaves exactly the rows of a single run. Facts about files, series, tickets and deliveries are
*upserted* by their key. Rows may be given as models or as mappings with their fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, func, select, update

from mqcap.domain.crossing import Crossing
from mqcap.domain.delivery import Delivery
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store import tables
from mqcap.store.beyond import packed
from mqcap.store.database import writing
from mqcap.store.models import Observation, SeriesFacts, SourceFileFacts
from mqcap.store.problems import forget_problems
from mqcap.store.upsert import KEYS_PER_STATEMENT, Row, batches, insert_rows, upsert

_NOT_KEPT: Final = {"first_seen_date", "reopen", "notified_date", "tried", "update_text"}
"""What only the tracker needs of a ticket, and the day that has a column of its own."""
_SPAN: Final = {"first_site_date", "last_site_date"}


def upsert_source_files(engine: Engine, rows: Iterable[SourceFileFacts | Row]) -> int:
    """Remember files by content; a file that is known keeps its first landing instant."""
    with writing(engine) as connection:
        return upsert(
            connection,
            tables.SourceFile,
            [SourceFileFacts.model_validate(row).model_dump() for row in rows],
            keep=frozenset({"landed_at_utc"}),
        )


def upsert_series(engine: Engine, rows: Iterable[SeriesFacts | Row]) -> int:
    """Declare series; their first and last day are read off the observations."""
    documents = [SeriesFacts.model_validate(row).model_dump(exclude=_SPAN) for row in rows]
    with writing(engine) as connection:
        count = upsert(connection, tables.Series, documents)
        _refresh_spans(connection, {document["series_id"] for document in documents})
    return count


def replace_observations(
    engine: Engine,
    site_dates: Iterable[date],
    rows: Iterable[Observation | Row],
    digests: Mapping[date, str | None],
) -> int:
    """Make ``rows`` the only observations of the given days, in one transaction.

    ``digests`` records from which version of each hour_date they were made; ``None`` forgets
    one whose partition is gone. Every row's day must be among ``site_dates``. Returns the
    number of rows.
    """
    days = sorted(set(site_dates))
    table = tables.ObservationDaily
    touched: set[str] = set()
    with writing(engine) as connection:
        for some in batches(days, KEYS_PER_STATEMENT):
            there = select(table.series_id).where(table.site_date.in_(some)).distinct()
            touched.update(connection.scalars(there))
            connection.execute(delete(table).where(table.site_date.in_(some)))
        documents = [Observation.model_validate(row).model_dump() for row in rows]
        count = insert_rows(connection, table, documents)
        touched.update(document["series_id"] for document in documents)
        _refresh_spans(connection, touched)
        _write_digests(connection, digests)
    return count


def replace_forecasts(engine: Engine, cutoff_date: date, forecasts: Iterable[Forecast]) -> int:
    """Make these the only forecasts of a cutoff date. Returns the number of points."""
    with writing(engine) as connection:
        for table in (tables.ForecastPointRow, tables.ForecastRow):
            connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        kept = list(forecasts)
        insert_rows(
            connection,
            tables.ForecastRow,
            (
                one.model_dump(exclude={"points", "beyond"}) | {"beyond": packed(one)}
                for one in kept
            ),
        )
        return insert_rows(
            connection,
            tables.ForecastPointRow,
            (
                {
                    "series_id": one.series_id,
                    "statistic": one.statistic,
                    "cutoff_date": one.cutoff_date,
                    **point.model_dump(),
                }
                for one in kept
                for point in one.points
            ),
        )


def note_forecasts(
    engine: Engine, cutoff_date: date, notes: Mapping[tuple[str, Statistic], str]
) -> int:
    """Make these the only notes on data of the forecasts of a cutoff date. Returns how many."""
    table = tables.ForecastRow
    of_day = update(table).where(table.cutoff_date == cutoff_date)
    with writing(engine) as connection:
        connection.execute(of_day.values(data_note=None))
        for (series_id, statistic), note in sorted(notes.items()):
            one = of_day.where(table.series_id == series_id, table.statistic == statistic)
            connection.execute(one.values(data_note=note))
    return len(notes)


def replace_findings(engine: Engine, site_date: date, findings: Iterable[Finding]) -> int:
    """Make these the only findings of a day. Returns how many.

    Problems of the day and of later days have to be followed again.
    """
    table = tables.FindingRow
    with writing(engine) as connection:
        forget_problems(connection, site_date)
        connection.execute(delete(table).where(table.site_date == site_date))
        return insert_rows(connection, table, (_finding_row(one) for one in findings))


def replace_crossings(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a cutoff date; problems as in ``replace_findings``."""
    table = tables.CrossingRow
    with writing(engine) as connection:
        forget_problems(connection, cutoff_date)
        connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        return insert_rows(connection, table, (one.model_dump() for one in crossings))


def save_ticket(engine: Engine, ticket: Ticket, backend: str) -> None:
    """Write one ticket of a backend over what was known of it.

    ``closed_date`` becomes the last day on which the ticket was seen when it is closed.
    """
    closed = ticket.last_seen_date if ticket.state is TicketState.closed else None
    row = ticket.model_dump(exclude=_NOT_KEPT) | {
        "members": list(ticket.members),
        "backend": backend,
        "opened_date": ticket.first_seen_date,
        "closed_date": closed,
    }
    with writing(engine) as connection:
        upsert(connection, tables.TicketRow, [row])


def save_delivery(engine: Engine, delivery: Delivery) -> None:
    """Write what was said, tried or would have been said, over the earlier row of that id."""
    with writing(engine) as connection:
        upsert(connection, tables.Delivery, [delivery.model_dump()])


def replace_replayed(
    engine: Engine, site_date: date, channel: str, deliveries: Iterable[Delivery]
) -> int:
    """Make these the only replayed deliveries of a day and channel; what was sent stays.

    A delivery whose id was really sent keeps its record. Returns how many rows were written.
    """
    table = tables.Delivery
    with writing(engine) as connection:
        connection.execute(
            delete(table).where(
                table.site_date == site_date, table.channel == channel, table.replay
            )
        )
        of_day = select(table.delivery_id).where(table.site_date == site_date)
        real = set(connection.scalars(of_day))
        rows = [one.model_dump() for one in deliveries if one.delivery_id not in real]
        return insert_rows(connection, table, rows)


def _finding_row(finding: Finding) -> dict[str, Any]:
    return {
        "rule_id": finding.rule_id,
        "subject": finding.subject,
        "site_date": finding.site_date,
        "severity": finding.severity,
        "observed": finding.observed,
        "limit_value": finding.limit_value,
        "unit": finding.unit,
        "headroom_ratio": finding.headroom_ratio,
        "document": json.loads(finding.model_dump_json()),
    }


def _refresh_spans(connection: Connection, series_ids: Iterable[str]) -> None:
    series, observed = tables.Series, tables.ObservationDaily
    dates = observed.site_date
    of_series = observed.series_id == series.series_id
    for some in batches(sorted(series_ids), KEYS_PER_STATEMENT):
        connection.execute(
            update(series)
            .where(series.series_id.in_(some))
            .values(
                first_site_date=select(func.min(dates)).where(of_series).scalar_subquery(),
                last_site_date=select(func.max(dates)).where(of_series).scalar_subquery(),
            )
        )


def _write_digests(connection: Connection, digests: Mapping[date, str | None]) -> None:
    table = tables.ObservedHourDate
    gone = sorted(day for day, digest in digests.items() if digest is None)
    for some in batches(gone, KEYS_PER_STATEMENT):
        connection.execute(delete(table).where(table.hour_date.in_(some)))
    upsert(
        connection,
        table,
        [
            {"hour_date": day, "sources_digest": digest}
            for day, digest in sorted(digests.items())
            if digest is not None
        ],
    )
