"""Lines of OMEGAMON Data Provider as the tests write them."""

import json
from datetime import datetime, timedelta
from typing import Any

FIRST = datetime.fromisoformat("2026-07-09T00:05:00-05:00")
FIGURES: dict[str, dict[str, Any]] = {
    "qmlhbm": {"buffer_pool_id": 3, "number_of_buffers": 50_000, "available_buffers": 45_060},
    "qmps_lh": {"page_set_id": 4, "percent_pages_in_use": 22},
    "qmlhlm": {"current_active_log_percent_full": 7},
    "qmcurstat": {
        "maximum_channels": 800,
        "current_channel_connections": 100,
        "connection_count": 138,
    },
    "qmlhmm": {"mqputs_per_second": 40.5, "mqput1s_per_second": 2},
    "qmq_lh": {"queue_name": "APP.IN", "page_set_id": 4, "messages_put_per_second": 8},
    "lh_smds": {
        "cf_structure_name": "APPL1",
        "data_block_used_percent": 61,
        "buffers_in_use_percent": 30,
    },
    "qsg_cfstr": {
        "mq_manager_name": None,
        "qsg_name": "QSG1",
        "cf_structure_name": "APPL1",
        "percent_storage_used": 71,
        "percent_list_entries_used": 64,
    },
}


def row(table: str = "qmps_lh", number: int = 0, **changed: Any) -> dict[str, Any]:
    """The line of a table, every five minutes from midnight on; a field that is None is missing."""
    written = FIRST + timedelta(minutes=5 * number)
    made = {
        "write_time": written.strftime("%Y-%m-%dT%H:%M:%S.000000000-05:00"),
        "product_code": "kmq",
        "table_name": table,
        "interval_seconds": 300,
        "smf_id": "SYS1",
        "sysplex_name": "PLEX1",
        "mq_manager_name": "CSQ1",
        **FIGURES.get(table, {}),
        **changed,
    }
    return {name: value for name, value in made.items() if value is not None}


def text(*rows: dict[str, Any] | str) -> str:
    """Lines without blanks; a text is a line as it is."""
    lines = (
        each if isinstance(each, str) else json.dumps(each, separators=(",", ":")) for each in rows
    )
    return "".join(f"{line}\n" for line in lines)
