"""Models that the store keeps as JSON documents by day, with columns to find them by."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Connection, Engine, Select, Text, cast, delete, func, select

from mqcap.domain.console.states import ConsoleState
from mqcap.domain.errors import InputError
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding
from mqcap.domain.plan import Plan
from mqcap.domain.problem import ProblemDay
from mqcap.losses.model import Loss
from mqcap.store.database import writing
from mqcap.store.documents import RUN_AGAIN, as_document, parse_finding, parse_plan, unreadable_rows
from mqcap.store.fetch import fetch_all, fetch_value
from mqcap.store.tables import ConsoleStateRow, FeedDayRow, FindingRow, LossRow, PlanRow, ProblemRow
from mqcap.store.upsert import Row, insert_rows

_Model = TypeVar("_Model", bound=BaseModel)
Table = type[ConsoleStateRow | FeedDayRow | FindingRow | LossRow | PlanRow | ProblemRow]


class DayDocuments(Generic[_Model]):
    """Documents of one model in a table; columns are attributes unless ``columns`` say more."""

    def __init__(
        self, table: Table, parse: Callable[[str], _Model], **columns: Callable[[_Model], Any]
    ) -> None:
        self.table = table
        self.parse = parse
        self._columns = columns

    def rows(self, models: Iterable[_Model], **same: Any) -> Iterator[Row]:
        """Yield a row for each model; ``same`` has columns that are the same in all of them."""
        names = [
            column.name
            for column in self.table.__table__.columns
            if column.name not in {"document", *self._columns, *same}
        ]
        for model in models:
            own = {name: getattr(model, name) for name in names}
            computed = {name: value_of(model) for name, value_of in self._columns.items()}
            yield own | computed | same | {"document": as_document(model)}

    def put(self, connection: Connection, first: date, last: date, rows: Iterable[Row]) -> int:
        """Make these the only rows from ``first`` to ``last``, both included. Returns how many."""
        own_days = self.table.site_date.between(first, last)
        connection.execute(delete(self.table).where(own_days))
        return insert_rows(connection, self.table, rows)

    def replace(
        self, engine: Engine, first: date, last: date, models: Iterable[_Model], **same: Any
    ) -> int:
        """Make these the only documents from ``first`` to ``last``. Returns how many."""
        with writing(engine, self.table) as connection:
            return self.put(connection, first, last, self.rows(models, **same))

    def read(
        self, engine: Engine, *conditions: ColumnElement[bool], order: Sequence[Any] = ()
    ) -> list[_Model]:
        """Return the documents that fulfil all conditions; InputError where one cannot be read."""
        texts = fetch_all(engine, self.texts().where(*conditions).order_by(*order))
        bad: list[date] = []
        found = list(self.parsed(texts, bad))
        if bad:
            raise InputError(unreadable_rows(self.table.__tablename__, bad), remedy=RUN_AGAIN)
        return found

    def texts(self) -> Select[str, date]:
        """Return what selects the text of each document and its day."""
        return select(cast(self.table.document, Text), self.table.site_date)

    def parsed(self, texts: Iterable[Any], bad: list[date]) -> Iterator[_Model]:
        """Yield documents one by one; days of those that cannot be read are added to ``bad``."""
        for text, day in texts:
            try:
                document = self.parse(text)
            except ValueError:
                bad.append(day)
            else:
                yield document

    def last_day_before(self, engine: Engine, day: date) -> date | None:
        """Return the last day before ``day`` that has any; ``None`` where none has."""
        column = self.table.site_date
        return fetch_value(engine, select(func.max(column)).where(column < day))


FINDINGS: Final = DayDocuments[Finding](FindingRow, parse_finding)
PROBLEMS: Final = DayDocuments[ProblemDay](
    ProblemRow, ProblemDay.model_validate_json, cause=lambda problem: problem.resource
)
PLANS: Final = DayDocuments[Plan](PlanRow, parse_plan)
LOSSES: Final = DayDocuments[Loss](LossRow, Loss.model_validate_json)
CONSOLE_STATES: Final = DayDocuments[ConsoleState](
    ConsoleStateRow, ConsoleState.model_validate_json, resource=lambda state: state.resource.path
)
FEEDS: Final = DayDocuments[FeedDay](FeedDayRow, FeedDay.model_validate_json)
EVERY: Final = (FINDINGS, PROBLEMS, PLANS, LOSSES, CONSOLE_STATES, FEEDS)
