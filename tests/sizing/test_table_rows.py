"""A calculator gives back every row of its table as printed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from sizing.rulebook.registry import get
from sizing.table import Row, number, rows


class Asked(NamedTuple):
    """How a table is asked: the rule, names of inputs by column, and names of results."""

    table: str
    rule: str
    inputs: dict[str, str]
    results: dict[str, str]
    where: Mapping[str, str] = MappingProxyType({})


def same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


TABLES = [
    *(
        Asked(
            "log_bytes_by_call",
            f"LOG-BYTES-{call.upper()}-{queue.upper()}",
            same("message_bytes", "pattern"),
            same("log_bytes_per_message"),
            {"queue": queue, "pattern": call},
        )
        for call in ("put", "get")
        for queue in ("local", "shared")
    ),
    Asked(
        "log_bytes_by_flow",
        "LOG-BYTES-FLOW",
        same("message_bytes", "flow"),
        same("log_bytes_per_message"),
    ),
    Asked(
        "log_dasd_ceiling",
        "LOG-DASD-CEILING",
        same("dasd_type", "message_bytes"),
        same("max_mb_per_s"),
    ),
    Asked(
        "zhyperlink_rates",
        "ZHL-RATES",
        same("environment", "log_copies", "striped", "message"),
        same("baseline_mb_per_s", "zhyperlink_mb_per_s"),
    ),
    *(
        Asked(
            table,
            rule,
            {"mq_level": "mq_level", end: "message_bytes_with_headers_except_mqmd"},
            same(result),
        )
        for table, rule, result in (
            ("page_set_pages_per_message", "PS-PAGES-PER-MSG", "pages"),
            ("page_set_messages_per_page", "PS-MSGS-PER-PAGE", "messages_per_page"),
        )
        for end in ("from_bytes", "to_bytes")
    ),
    *(
        Asked(table, rule, same("message_bytes", "cflevel"), same("us_per_message"))
        for table, rule in (("cf_host_cost", "CF-HOST-COST"), ("cf_cf_cost", "CF-CF-COST"))
    ),
    Asked(
        "cf_capacity_half_gb",
        "CFS-CAPACITY-05GB",
        {"message_bytes": "message_bytes_excluding_mqmd", "cfcc_level": "cfcc_level"},
        same("messages"),
    ),
    Asked(
        "svrconn_footprint",
        "CHI-SVRCONN-31",
        same("mq_level", "sharecnv", "message_kb"),
        same("kb_per_channel"),
    ),
    Asked(
        "clients_measured",
        "CHI-CLIENTS-MEASURED",
        same("sharecnv", "message", "mq_level"),
        same("channels"),
    ),
    Asked("tls_start", "CH-TLS-START", same("cipher"), same("cpu_ms", "channels_per_s")),
    Asked(
        "request_reply_private",
        "THR-RR-PRIVATE",
        same("lpar", "queue_pairs", "repliers_per_pair", "requesters_per_pair"),
        same("messages_per_s", "us_per_transaction"),
    ),
    Asked(
        "linux_peak",
        "LNX-PEAK",
        same("test", "version"),
        same("round_trips_per_s", "cpu_pct", "clients"),
    ),
]
TEXT = {"mq_level", "version", "message", "pattern", "flow"}


def chosen(asked: Asked) -> list[Row]:
    return [
        item
        for item in rows(asked.table)
        if all(item[name].startswith(value) for name, value in asked.where.items())
    ]


def cell(name: str, text: str) -> Any:
    if name in TEXT or not text.replace(".", "").isdigit():
        return text
    return number(text)


@pytest.mark.parametrize("asked", TABLES, ids=lambda asked: f"{asked.table}-{asked.rule}")
def test_every_row_comes_back_as_printed(asked: Asked) -> None:
    extra = {"maxshortmsgs": 0} if asked.rule == "PS-MSGS-PER-PAGE" else {}
    assert chosen(asked)
    for item in chosen(asked):
        inputs = {name: cell(name, item[column]) for column, name in asked.inputs.items()}
        given = extra if item.get("mq_level") == "7.0.1+" else {}
        answer = get(asked.rule).answer({**inputs, **given})
        for column, name in asked.results.items():
            assert answer[name] == number(item[column]), item
