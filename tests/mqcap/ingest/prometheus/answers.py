"""Answers of Prometheus as text."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FIRST = 1_783_555_500
"""2026-07-09T00:05:00Z"""
PRIMARY = "ibmmq_qmgr_log_current_primary_space_in_use_percentage"


def series(
    name: str = PRIMARY,
    values: Sequence[object] = ("1", "2", "3", "4"),
    step: int = 300,
    **labels: Any,
) -> dict[str, Any]:
    """A series of queue manager QM1, a value for each step."""
    pairs = [[FIRST + step * number, value] for number, value in enumerate(values)]
    return {"metric": {"__name__": name, "qmgr": "QM1", **labels}, "values": pairs}


def answer(*results: dict[str, Any], kind: str = "matrix", **more: Any) -> dict[str, Any]:
    """A successful answer with these series."""
    return {"status": "success", "data": {"resultType": kind, "result": list(results)}, **more}


def written(folder: Path, document: object, *, indent: int | None = None) -> Path:
    """The file with a document, as Prometheus writes it unless indented."""
    path = folder / "answer.json"
    separators = (",", ":") if indent is None else None
    path.write_text(json.dumps(document, indent=indent, separators=separators), encoding="utf-8")
    return path
