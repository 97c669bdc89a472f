"""Queue managers that are not on z/OS, as inputs and lists of names show them.

An input names a queue manager and often its host, never its site: that comes from the settings, a
list of names, or whoever asks.
"""

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyarrow as pa

from mqcap.domain.datasets import QMGR_EVENT, QMGR_SAMPLE, QMGR_SETTING
from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.errors import InputError
from mqcap.domain.estate.configured import SystemClass
from mqcap.ingest.mq_display.answers import captures
from mqcap.ingest.parquet import plain
from mqcap.ingest.registry import sources
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import Omissions
from mqcap.lake.layout import rows_paths
from mqcap.lake.location import Location
from mqcap.lake.tables import read_table

DATASETS: Final = frozenset({QMGR_SAMPLE.name, QMGR_SETTING.name, QMGR_EVENT.name})
HEADINGS: Final = ("site", "qmgr", "host", "class")
"""Headings of a list of names; only ``qmgr`` is needed."""
_OF_METRICS: Final = frozenset({"prometheus", "exposition", "mq_json"})
_INPUTS: Final = _OF_METRICS | {"mq_display", "amqsrua", "mq_statistics", "error_log", "qm_ini"}


@dataclass
class SeenManager:
    """What is known of a queue manager of one name."""

    sources: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    """True names, as displays and lists have them."""
    host_labels: set[str] = field(default_factory=set)
    """Labels of metrics, which may have a full stop where the name has a hyphen."""
    sites: set[str] = field(default_factory=set)
    system_class: SystemClass | None = None


Seen = defaultdict[str, SeenManager]


def add_file(seen: Seen, path: Path) -> bool:
    """Add what a file tells of them; return whether it does; InputError: it cannot be read."""
    if not path.is_file():
        return False
    headings = {cell.strip().lower() for cell in TextFile(path).first_line.split(",")}
    if "qmgr" in headings and headings <= set(HEADINGS):
        _add_name_list(seen, path)
        return True
    inputs = (source for source in sources() if source.name in _INPUTS and source.accepts(path))
    source = next(inputs, None)
    if source is None:
        return False
    if source.name == "mq_display":
        _add_display(seen, path)
        return True
    for dataset, table in source.read(path, "").tables():
        if dataset in DATASETS:
            rows = plain(table.select(["qmgr", "host"]))
            _add_rows(seen, rows, path.name, are_labels=source.name in _OF_METRICS)
    return True


def add_lake(seen: Seen, lake: Location) -> None:
    """Add the queue managers of which the lake has rows."""
    for dataset in sorted(DATASETS):
        for file in rows_paths(lake, dataset):
            table = read_table(file, columns=["qmgr", "host"])
            _add_rows(seen, plain(table), "the data", are_labels=True)


def _add_name_list(seen: Seen, path: Path) -> None:
    for line, row in enumerate(csv.DictReader(TextFile(path).lines()), start=2):
        cells = {str(key).strip().lower(): str(text or "").strip() for key, text in row.items()}
        name, kind = cells["qmgr"], cells.get("class")
        wrong: tuple[str, ...] = ()
        if not is_mq_name(name):
            wrong = (repr(name), "the name of a queue manager")
        elif kind and kind not in set(SystemClass):
            wrong = (repr(kind), ", ".join(SystemClass))
        if wrong:
            raise InputError(
                f"line {line} of a list of names cannot be used",
                file=path.name,
                found=wrong[0],
                expected=wrong[1],
                remedy="Correct the line.",
            )
        manager = seen[name]
        _note(manager, path.name)
        manager.hosts |= {cells.get("host", "")} - {""}
        manager.sites |= {cells.get("site", "")} - {""}
        manager.system_class = SystemClass(kind) if kind else manager.system_class


def _add_display(seen: Seen, path: Path) -> None:
    found = [
        capture
        for capture in captures(TextFile(path).lines(), Omissions())
        if is_mq_name(capture.qmgr)
    ]
    for capture in found:
        manager = seen[capture.qmgr]
        _note(manager, path.name)
        names = (record.values.get("HOSTNAME", "").strip() for record in capture.records)
        manager.hosts |= {name for name in names if name}
    if not found:
        raise InputError(
            "displays that name no queue manager",
            file=path.name,
            expected="the line of dspmq, QMNAME(QM1) STATUS(RUNNING), in front of each",
            remedy="Capture again with the script of mqcap capture --kind linux.",
        )


def _add_rows(seen: Seen, table: pa.Table, source: str, *, are_labels: bool) -> None:
    """Add queue managers and hosts of rows; a label without a full stop is the true name."""
    for row in table.group_by(["qmgr", "host"]).aggregate([]).to_pylist():
        manager, host = seen[row["qmgr"]], row["host"] or ""
        _note(manager, source)
        known = manager.host_labels if are_labels and "." in host else manager.hosts
        known |= {host} - {""}


def _note(manager: SeenManager, source: str) -> None:
    if source not in manager.sources:
        manager.sources.append(source)
