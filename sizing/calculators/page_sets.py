"""Messages in page sets. Sizes are user data with all headers except the MQMD."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import Row, figures, number, rows

SIZES = mp16("Size of page sets for a given number of messages")
CSQUTIL = mp16("IBM MQ Utilities: CSQUTIL")

FIRST_PAGE_BYTES: Final = 3_635
FURTHER_PAGE_BYTES: Final = 4_048
V6_EIGHT_PAGES_BYTES: Final = 32_040
V6_FURTHER_PAGE_BYTES: Final = 4_049
PAGES_PER_4GB: Final = 1_000_000
"""The printed table counts in round millions, not 1,048,576."""
WARN_PCT: Final = 80
EXPANSION_PCT: Final = 90
OBJECT_BYTES: Final = 2_660

Level = Literal["6.0", "7.0.1+"]


@calculator("PS-PAGES-PER-MSG", "Pages of a message", SIZES)
def pages_per_message(
    message_bytes_with_headers_except_mqmd: Count, mq_level: Level = "7.0.1+"
) -> Figures:
    """Return one page up to 3635 bytes and one for each 4048 begun; more than 8 pages is ours."""
    size = message_bytes_with_headers_except_mqmd
    if mq_level == "7.0.1+":
        return {"pages": 1 + max(0, math.ceil((size - FIRST_PAGE_BYTES) / FURTHER_PAGE_BYTES))}
    return {"pages": _pages_v6(size)}


@calculator("PS-MSGS-PER-PAGE", "Small messages of a page", SIZES)
def messages_per_page(
    message_bytes_with_headers_except_mqmd: Count,
    mq_level: Level = "7.0.1+",
    maxshortmsgs: Literal[0] | None = None,
) -> Figures:
    """Return one message as shipped from 7.0.1; several only with MAXSHORTMSGS 0 (F-25)."""
    size = message_bytes_with_headers_except_mqmd
    row_of_size = _range_of("page_set_messages_per_page", mq_level, size)
    if row_of_size is None:
        raise ConfigurationError(
            "the message takes more than a page", found=f"{size} bytes", expected="PS-PAGES-PER-MSG"
        )
    shipped = mq_level == "7.0.1+" and maxshortmsgs is None
    return {"messages_per_page": 1 if shipped else number(row_of_size["messages_per_page"])}


@calculator("PS-MSGS-PER-PAGESET", "Messages of a page set", SIZES)
def messages_of_long(
    pages_per_message: PositiveCount, page_set_gb: Annotated[float, Field(gt=0, le=64)]
) -> Figures:
    """A million pages for each 4 GB, divided by the pages of a message."""
    return {"messages": math.floor(PAGES_PER_4GB * page_set_gb / 4 / pages_per_message)}


@form_of("PS-MSGS-PER-PAGESET")
def messages_of_short(
    messages_per_page: PositiveCount, page_set_gb: Annotated[float, Field(gt=0, le=64)]
) -> Figures:
    """A million pages for each 4 GB, times the messages of a page."""
    return {"messages": math.floor(PAGES_PER_4GB * page_set_gb / 4 * messages_per_page)}


@form_of("PS-DEPTH-FORECAST")
def occupancy(total_pages: PositiveCount, unused_pages: Count) -> Figures:
    """Warn above 80 % (ours); above 90 % it expands, and then puts fail with 2192."""
    used = total_pages - unused_pages
    share = 100 * used / total_pages
    return {
        "used_pages": used,
        "used_pct": share,
        "warn": share > WARN_PCT,
        "breach": share > EXPANSION_PCT,
    }


@form_of("PS-DEPTH-FORECAST")
def pages_of_outage(
    arrivals_per_s: Amount, outage_s: Amount, pages_per_message: Positive
) -> Figures:
    """Pages that pile up while the consumer is away."""
    messages = arrivals_per_s * outage_s
    return {"messages": messages, "pages": math.ceil(messages * pages_per_message)}


@calculator("PS-MAX-SIZE", "Limits of page sets", mp16("Size of page sets"))
def limits(mq_level: Literal["before 6.0", "6.0 to 7.1", "8.0+"] = "8.0+") -> Figures:
    """Page sets are numbered 0 to 99."""
    return {
        "page_set_gb": 4 if mq_level == "before 6.0" else 64,
        "page_sets": 100,
        "buffer_pools": 100 if mq_level == "8.0+" else 16,
    }


@calculator("PS-CSQUTIL", "Time of page set utilities", CSQUTIL)
def utility_time(
    function: Literal["FORMAT", "COPYPAGE", "RESETPAGE", "RESETPAGE FORCE"], gb: Positive
) -> Figures:
    """Linear in the size of the page set, whatever it holds."""
    rates = figures("csqutil", ["cpu_s_per_gb", "elapsed_s_per_gb"], function=function)
    return {"cpu_s": rates["cpu_s_per_gb"] * gb, "elapsed_s": rates["elapsed_s_per_gb"] * gb}


@calculator("PS-OBJ0", "Objects in page set 0", mp16("Impact of number of objects defined"))
def objects_in_page_set_0(local_queues: Count) -> Figures:
    """2660 bytes for each local queue; other types are charted only."""
    return {"bytes": local_queues * OBJECT_BYTES}


def _pages_v6(size: int) -> int:
    if size > V6_EIGHT_PAGES_BYTES:
        return 8 + math.ceil((size - V6_EIGHT_PAGES_BYTES) / V6_FURTHER_PAGE_BYTES)
    row_of_size = _range_of("page_set_pages_per_message", "6.0", size)
    return int(row_of_size["pages"]) if row_of_size else 1


def _range_of(table: str, mq_level: str, size: int) -> Row | None:
    for item in rows(table):
        inside = int(item["from_bytes"]) <= size <= int(item["to_bytes"])
        if item["mq_level"] == mq_level and inside:
            return item
    return None
