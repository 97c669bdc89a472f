"""Tables of the catalogue, row by row, against the calculators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from sizing.rulebook.registry import entries, get
from sizing.verify import Tolerance, Vector, compare
from tests.shared import shared_cases, shared_dir

LEVELS = {"V6 size range": "6.0", "V7.0.1+ MAXSHORTMSGS 0": "7.0.1+"}
AS_SHIPPED = {"V6 size range": "6.0", "V7.0.1+ as shipped": "7.0.1+"}
MESSAGE_BYTES = {"1KB": 1_024, "5KB": 5_120, "1MB": 1_048_576}
THOUSANDS = {"K": 1_000, "M": 1_000_000}

Row = dict[str, str]
Figures = dict[str, Any]


class Example(NamedTuple):
    """What a cell of a table says."""

    rule: str
    inputs: Figures
    expected: Figures
    within: float = 0.0
    """Relative: the catalogue shortens the round millions of page sets."""


def tables(text: str, rule: str) -> list[list[Row]]:
    """All tables of a rule, rows by heading; printed examples are not lookup tables."""
    section = (
        text.split(f"\n### {rule}\n")[1]
        .split("\n### ", maxsplit=1)[0]
        .split("\n## ", maxsplit=1)[0]
    )
    result = []
    for block in re.findall(r"(?:^\|.*\|\n)+", section + "\n", re.MULTILINE):
        lines = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
        ]
        if lines[0][0] != "Inputs":
            result.append([dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]])
    return result


def figure(cell: str) -> float:
    text = cell.replace(",", "")
    factor = THOUSANDS.get(text[-1], 1)
    return float(text.rstrip("KM")) * factor


def by_column(text: str, rule: str, name: str, result: str) -> Iterator[Example]:
    """Rows by message size; every further column is a kind of use."""
    for row in tables(text, rule)[0]:
        size = int(row.pop("message_bytes"))
        for kind, cell in row.items():
            yield Example(rule, {"message_bytes": size, name: kind}, {result: figure(cell)})


def by_cflevel(text: str, rule: str) -> Iterator[Example]:
    for row in tables(text, rule)[0]:
        size = {"message_bytes": int(row["message_bytes"])}
        four, five = figure(row["CFLEVEL(4)"]), figure(row["CFLEVEL(5) SMDS"])
        yield Example(rule, {**size, "cflevel": 4}, {"us_per_message": four})
        yield Example(rule, {**size, "cflevel": 5, "offload": "SMDS"}, {"us_per_message": five})


def dasd(text: str) -> Iterator[Example]:
    for row in tables(text, "LOG-DASD-CEILING")[0]:
        for name, size in MESSAGE_BYTES.items():
            cell = row[f"{name} messages MB/s"]
            if cell:
                yield Example(
                    "LOG-DASD-CEILING",
                    {"dasd_type": row["dasd_type"], "message_bytes": size},
                    {"max_mb_per_s": figure(cell), "planning_limit_mb_per_s": figure(cell) / 2},
                )


def zhyperlink(text: str) -> Iterator[Example]:
    for row in tables(text, "ZHL-RATES")[0]:
        where = {
            "environment": row["environment"],
            "log_copies": row["copies"],
            "striped": row["striped"],
        }
        for message, head in (("1KB", "1KB"), ("peak (large)", "peak")):
            yield Example(
                "ZHL-RATES",
                {**where, "message": message},
                {
                    "baseline_mb_per_s": figure(row[f"{head} baseline MB/s"]),
                    "zhyperlink_mb_per_s": figure(row[f"{head} zHyperLink MB/s"]),
                },
            )


def page_sets(text: str) -> Iterator[Example]:
    """Both ends of every range of sizes, and the messages of the two sizes of page set."""
    size = "message_bytes_with_headers_except_mqmd"
    for row in tables(text, "PS-PAGES-PER-MSG")[0]:
        pages = int(row["pages_per_message"])
        for column, level in AS_SHIPPED.items():
            for end in row[column].split(" - "):
                given = {size: int(end), "mq_level": level}
                yield Example("PS-PAGES-PER-MSG", given, {"pages": pages})
        for gb in (4, 64):
            messages = figure(row[f"msgs per {gb}GB page set"])
            given = {"pages_per_message": pages, "page_set_gb": gb}
            yield Example("PS-MSGS-PER-PAGESET", given, {"messages": messages}, 0.01)
    for row in tables(text, "PS-MSGS-PER-PAGE")[0]:
        for column, level in LEVELS.items():
            for end in row[column].split(" - ") if row[column] != "N/A" else []:
                given = {size: int(end), "mq_level": level}
                extra = {"maxshortmsgs": 0} if level == "7.0.1+" else {}
                number = int(row["messages_per_page"])
                yield Example("PS-MSGS-PER-PAGE", {**given, **extra}, {"messages_per_page": number})


def structures(text: str) -> Iterator[Example]:
    for row in tables(text, "CFS-CAPACITY-05GB")[0]:
        for column, level in (("CFCC 17-24 messages", 24), ("CFCC 25 messages", 25)):
            given = {"message_bytes_excluding_mqmd": int(row["message_bytes"]), "cfcc_level": level}
            yield Example("CFS-CAPACITY-05GB", given, {"messages": figure(row[column])})


def channels(text: str) -> Iterator[Example]:
    for row in tables(text, "CHI-SVRCONN-31")[0]:
        for kb in (1, 32, 64):
            given = {
                "mq_level": row["version"],
                "sharecnv": int(row["SHARECNV"]),
                "message_kb": kb,
            }
            yield Example("CHI-SVRCONN-31", given, {"kb_per_channel": figure(row[f"{kb}KB"])})
    for row in tables(text, "CHI-CLIENTS-MEASURED")[0]:
        for level in ("9.3", "9.4"):
            cell = row[f"MQ {level} channels"]
            given = {"sharecnv": int(row["SHARECNV"]), "message": row["message size"]}
            limit = {"mq_level": level, "local_limit_mb": 1_200}
            if not cell.startswith("<"):
                yield Example(
                    "CHI-CLIENTS-MEASURED", {**given, **limit}, {"channels": figure(cell)}
                )
    for row in tables(text, "CH-TLS-START")[0]:
        yield Example(
            "CH-TLS-START",
            {"cipher": row["cipher"], "channels_in_syncq": 4_000},
            {
                "cpu_ms": figure(row["CPU ms per start"]),
                "channels_per_s": figure(row["channels/s"]),
            },
        )


def throughput(text: str) -> Iterator[Example]:
    for row in tables(text, "THR-RR-PRIVATE")[0]:
        rate = figure(row["messages/s"])
        yield Example(
            "THR-RR-PRIVATE",
            {
                "lpar": row["LPAR"],
                "queue_pairs": int(row["queue pairs"]),
                "repliers_per_pair": int(row["repliers per pair"]),
                "requesters_per_pair": int(row["requesters per pair (printed heading)"]),
            },
            {
                "messages_per_s": rate,
                "transactions_per_s": rate / 2,
                "us_per_transaction": figure(row["CPU us/transaction"]),
            },
        )
    for row in tables(text, "LNX-PEAK")[0]:
        for level in ("8", "7.5"):
            yield Example(
                "LNX-PEAK",
                {"test": row["test"], "version": "8.0" if level == "8" else level},
                {
                    "round_trips_per_s": figure(row[f"V{level} round trips/s"]),
                    "cpu_pct": figure(row[f"V{level} CPU%"]),
                    "clients": figure(row[f"V{level} clients"]),
                },
            )


def every_example() -> Iterator[Example]:
    folder = shared_dir()
    if folder is None:
        return
    text = (folder / "reference" / "rules.md").read_text("utf-8")
    for call in ("PUT", "GET"):
        for queue in ("LOCAL", "SHARED"):
            rule = f"LOG-BYTES-{call}-{queue}"
            yield from by_column(text, rule, "pattern", "log_bytes_per_message")
    yield from by_column(text, "LOG-BYTES-FLOW", "flow", "log_bytes_per_message")
    yield from by_cflevel(text, "CF-HOST-COST")
    yield from by_cflevel(text, "CF-CF-COST")
    for source in (dasd, zhyperlink, page_sets, structures, channels, throughput):
        yield from source(text)


EXAMPLES = list(every_example())


@pytest.mark.parametrize("rule", shared_cases(sorted({example.rule for example in EXAMPLES})))
def test_every_row_of_the_tables_of_the_catalogue(rule: str) -> None:
    for example in EXAMPLES:
        if example.rule == rule:
            answer = get(rule).answer(example.inputs)
            result = {name: answer[name] for name in example.expected}
            assert result == pytest.approx(example.expected, rel=example.within, abs=0), example


ROUNDED = Tolerance(rel=5e-4, abs=5e-4)
LINE = re.compile(r"^### ([A-Z0-9-]+)$|^\| (.*=.*) \| (.*=.*) \| .* \| .* \|$", re.MULTILINE)
NAME = re.compile(r"\s*,?\s*([A-Za-z0-9_]+)=")
CUT_OFF = {"2.275556"}
"""Printed to six digits and so beyond the limit; the vectors have it in full."""


def assignments(text: str) -> dict[str, Any]:
    """``a=1, b="x"`` as a dictionary."""
    result: dict[str, Any] = {}
    position = 0
    while match := NAME.match(text, position):
        value, position = json.JSONDecoder().raw_decode(text, match.end())
        result[match[1]] = value
    return result


def examples() -> list[Vector]:
    folder = shared_dir()
    if folder is None:
        return []
    result = []
    rule = ""
    for heading, inputs, expected in LINE.findall(
        (folder / "reference" / "rules.md").read_text("utf-8")
    ):
        rule = heading or rule
        if not heading and not any(text in inputs for text in CUT_OFF):
            vector = Vector(
                rule=rule,
                inputs=assignments(inputs),
                expected=assignments(expected),
                tolerance=ROUNDED,
            )
            result.append(vector)
    return result


EXAMPLES_OF_CATALOGUE_TABLES = examples()


@pytest.mark.parametrize(
    "rule", shared_cases(sorted({example.rule for example in EXAMPLES_OF_CATALOGUE_TABLES}))
)
def test_the_printed_examples_of_a_rule(rule: str) -> None:
    for example in EXAMPLES_OF_CATALOGUE_TABLES:
        if example.rule == rule:
            assert compare(entries()[rule].answer(example.inputs), example) == ""


def test_assignments_are_read_as_printed() -> None:
    assert assignments('a=1, b="x y", c=[[1, 2]], d=false') == {
        "a": 1,
        "b": "x y",
        "c": [[1, 2]],
        "d": False,
    }
