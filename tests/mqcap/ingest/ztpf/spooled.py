"""Text and tables of z/TPF as the tests write them."""

from datetime import datetime, timedelta

FIRST = datetime.fromisoformat("2026-07-09T00:15:00-04:00")
COLUMNS = (
    "system,time_utc,queue,interval_s,add_persistent_rate,add_nonpersistent_rate,persistent_length,"
    "nonpersistent_length,mqm_total,mqm_in_use,mqm_high_water,sweep_level_pct,sweep_target_pct,depth"
)


def stamp(number: int = 0, system: str = "TPF1") -> str:
    """The line of the automation, every quarter of an hour."""
    moment = FIRST + timedelta(minutes=15 * number)
    return f"NOW({moment:%Y-%m-%dT%H:%M:%S%z}) SYSTEM({system})\n"


def display(in_use: object = 19_347, total: object = 127_997, high_water: object = 61_000) -> str:
    """A display of the queue manager, as ZMQSC prints it."""
    return (
        "MQSC0283I 00.15.00 QUEUE MANAGER DISPLAY\n"
        "          QMNAME - TPFQM0\n"
        "          ...\n"
        f"          Total MQM - {total}\n"
        f"          In Use MQM - {in_use}\n"
        f"          HW In Use Count MQM - {high_water}\n"
        "          HW In Use Time MQM - 2026-07-09 16:53:04\n"
        "          Some Other Line - 12\n"
        "          MQMSWPL (%) - 80\n"
        "          MQMSWPT (%) - 60\n"
        "          END OF DISPLAY+\n"
    )


def queue_display(queue: str = "RES.IN", depth: object = 10, blocks: object = "12 _") -> str:
    """A display of the statistics of a queue."""
    return (
        "MQSC0285I 00.15.00 LOCAL QUEUE STATISTICS DISPLAY: -\n"
        f"{queue}\n"
        "          ...\n"
        f"          Current Depth - {depth}\n"
        "          Num of SWBs in use - NONE\n"
        f"          Num of MQMs in use - {blocks}\n"
        "          Time Last 64Bit Swp - 2023/11/12 15.34\n"
        "          END OF DISPLAY+\n"
    )


def sweep(time: str = "14.40.27", queue: str = "RES.IN") -> str:
    """The console line of a sweep."""
    return f"MQSC0801I {time} SWEEP FOR {queue} COMPLETED+\n"


def table(*rows: str, columns: str = COLUMNS) -> str:
    """The table with its header."""
    return "\n".join((columns, *rows)) + "\n"


def row(
    number: int = 0,
    queue: str = "RES.IN",
    *,
    interval: str = "1800",
    in_use: str = "19105",
    high_water: str = "61000",
    rates: str = "27.29,,2048,512",
    depth: str = "238",
) -> str:
    """A line of the table, every half hour."""
    moment = FIRST + timedelta(minutes=30 * number)
    utc = (moment - (moment.utcoffset() or timedelta())).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = f"TPF2,{utc},{queue},{interval},{rates}"
    return f"{head},126997,{in_use},{high_water},80,60,{depth}"
