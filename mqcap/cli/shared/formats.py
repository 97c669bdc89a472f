"""Forms of a list on standard output: a table to read, JSON, CSV; the same for every command."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from mqcap.cli.common import print_json, print_text
from mqcap.presentation.tabular import as_csv, flat


class ListForm(StrEnum):
    """Form of a list."""

    table = "table"
    json = "json"
    csv = "csv"

    @property
    def is_for_programs(self) -> bool:
        """Return whether it is one of objects rather than of lines to read."""
        return self in {ListForm.json, ListForm.csv}


FormatOption = Annotated[
    ListForm,
    typer.Option(
        "--format",
        metavar=f"[{'|'.join(ListForm)}]",
        help="table: lines to read; json: a list of objects; csv: one row for each object.",
    ),
]


def print_objects(
    form: ListForm, objects: Iterable[BaseModel | Mapping[str, Any]], columns: Sequence[str] = ()
) -> None:
    """Print objects as a JSON list, or as CSV with the same keys as columns.

    In CSV an object within an object is JSON in its cell, a list has ``; `` between its items;
    ``columns`` are its headings where there is no object.
    """
    documents = [
        row.model_dump(mode="json") if isinstance(row, BaseModel) else dict(row) for row in objects
    ]
    if form is ListForm.json:
        print_json(documents)
        return
    keys = list(dict.fromkeys(key for document in documents for key in document)) or list(columns)
    rows = [{key: flat(value) for key, value in document.items()} for document in documents]
    print_text(as_csv(rows, keys).removesuffix("\n"))
