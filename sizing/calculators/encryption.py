"""CPU cost of encrypted data sets and compressed archives."""

from typing import Final, Literal

from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, Amount, Count, Positive
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

SMDS = mp16("Shared message data set encryption")
ZEDC = mp16("IBM MQ and zEnterprise Data Compression (zEDC)")

ARCHIVE_US_PER_MB: Final = 154
ACTIVE_US_PER_MB: Final = 180
GET_US_PER_PAGE: Final = 0.7
IMW_US_PER_PAGE: Final = 0.7
"""For each page written; the text says read (F-42)."""
WRITE_US_PER_PAGE: Final = 2.6
WRITE_US_PER_IO: Final = 41.6
SMDS_US_PER_PAGE: Final = {"put": 0.7, "get_local": 0.7, "get_remote": 0.8, "get_buffer": 0.0}
ZEDC_EFFECT: Final = {
    "4KB": ((4, 4), (0, 0)),
    "32KB": ((4, 4), (0, 4)),
    "1MB": ((5, 7), (44, 72)),
    "4MB": ((4, 10), (50, 94)),
}
"""Queue manager TCB and peak throughput, each from and to, per cent more."""


@calculator("DSE-LOG", "CPU of encrypted logs", mp16("Active and Archive log encryption"))
def page_to_mb(us_per_4kb_page: Amount) -> Figures:
    """Cost of a page as cost of a MB (2^20)."""
    return {"us_per_mb": us_per_4kb_page * (MIB_BYTES / PAGE_BYTES)}


@form_of("DSE-LOG")
def log_cost(
    log_mb: Amount,
    archive_us_per_mb: Amount = ARCHIVE_US_PER_MB,
    archive_factor: Count = 0,
    active_us_per_mb: Amount = ACTIVE_US_PER_MB,
    active_factor: Count = 0,
) -> Figures:
    """Factors are the copies written; active logs once more, because archiving decrypts them."""
    per_mb = archive_us_per_mb * archive_factor + active_us_per_mb * active_factor
    return _cpu(log_mb * per_mb)


@form_of("DSE-LOG")
def log_cost_of_copies(
    log_mb: Amount, active_copies: Literal[1, 2], archive_copies: Literal[0, 1, 2]
) -> Figures:
    """The same from the number of copies."""
    per_mb = ARCHIVE_US_PER_MB * archive_copies + ACTIVE_US_PER_MB * (active_copies + 1)
    return _cpu(log_mb * per_mb)


@calculator("DSE-PSET", "CPU of encrypted page sets", mp16("Page set encryption"))
def page_set_cost(
    get_pages: Count = 0, imw_pages: Count = 0, write_pages: Count = 0, write_ios: Count = 0
) -> Figures:
    """Writes are counted by I/O when that is known, else by page; the two agree."""
    writes = WRITE_US_PER_IO * write_ios if write_ios else WRITE_US_PER_PAGE * write_pages
    return _cpu(GET_US_PER_PAGE * get_pages + IMW_US_PER_PAGE * imw_pages + writes)


@calculator("DSE-SMDS", "CPU of encrypted shared message data sets", SMDS)
def smds_cost(
    operation: Literal["put", "get_local", "get_remote", "get_buffer"], pages: Count
) -> Figures:
    """For each page of 4 KB; a message found in SMDS buffers costs nothing more."""
    return _cpu(SMDS_US_PER_PAGE[operation] * pages)


@calculator("ZEDC-ARCHIVE", "Compressed archive logs", ZEDC)
def compressed_archives(message_size: Literal["4KB", "32KB", "1MB", "4MB"]) -> Figures:
    """Effect by message size; recovery from such archives reads 18 MB/s instead of 60."""
    tcb, throughput = ZEDC_EFFECT[message_size]
    return {
        "tcb_increase_from_pct": tcb[0],
        "tcb_increase_to_pct": tcb[1],
        "throughput_increase_from_pct": throughput[0],
        "throughput_increase_to_pct": throughput[1],
    }


@form_of("ZEDC-ARCHIVE")
def recovery_from_archives(log_mb: Positive, compressed: bool) -> Figures:
    """Elapsed time and CPU of reading archives during recovery."""
    rate, cpu_ms = (18, 2.4) if compressed else (60, 1.7)
    return {"elapsed_s": log_mb / rate, "cpu_ms": log_mb * cpu_ms}


def _cpu(cpu_us: float) -> Figures:
    return {"cpu_us": cpu_us, "cpu_ms": cpu_us / 1e3, "cpu_s": cpu_us / 1e6}
