"""A queue manager that a monitor samples, and what the product reads of it."""

from pathlib import Path
from typing import Any

from devtools.simulator.mq_statistics import Slice
from tests.devtools.simulator.builders import part_of, queue_manager
from tests.devtools.simulator.site.builders import rows_of


def sampled(**changed: Any) -> Slice:
    """Return a day without a restart."""
    return part_of(queue_manager(1, restart_every_days=None, **changed))


def samples_of(content: bytes, folder: Path) -> dict[tuple[str, str], list[float]]:
    """Return the values by object and figure; nothing may be left out."""
    path = folder / "samples"
    path.write_bytes(content)
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows_of(path)["zos_sample"]:
        assert (row["qmgr"], row["step_seconds"]) == ("MQA1", 900)
        found.setdefault((row["object"], row["figure"]), []).append(row["value"])
    return found
