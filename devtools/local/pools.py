"""The pools that the DAGs need, from the file that ``airflow pools import`` reads too."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DeclaredPool:
    """One pool."""

    name: str
    slots: int
    description: str


def declared_pools(dags: Path) -> list[DeclaredPool]:
    """The pools of ``pools.json`` in the DAG folder."""
    declared = json.loads((dags / "pools.json").read_text(encoding="utf-8"))
    return [
        DeclaredPool(name, int(pool["slots"]), str(pool["description"]))
        for name, pool in declared.items()
    ]
