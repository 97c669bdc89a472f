"""The documents that the rulebook cites."""

from mqcap.domain.finding import Citation


def mp16(section: str) -> Citation:
    """Capacity Planning and Tuning for IBM MQ for z/OS, fourteenth edition, September 2024."""
    return Citation(document="MP16", edition="14", section=section)


def messages(section: str) -> Citation:
    """IBM MQ for z/OS messages, and those of z/OS beside them; the catalogue says which."""
    return Citation(document="IBM MQ for z/OS messages", edition="8.0 to 10.0", section=section)


def sysplex(section: str) -> Citation:
    """Moving messages between queue managers in a sysplex (MQ V8 on a z13)."""
    return Citation(document="Moving messages in a sysplex", edition="2019", section=section)


def ztpf(section: str) -> Citation:
    """Deep dive into 64-bit support for IBM MQ on z/TPF."""
    return Citation(document="z/TPF 64-bit MQ", edition="TPFUG 2024", section=section)


def mvs_sysplex(section: str) -> Citation:
    """Setting Up a Sysplex, of z/OS."""
    return Citation(document="z/OS MVS Setting Up a Sysplex", section=section)


def messaging_blog(section: str) -> Citation:
    """IBM's blog on messaging."""
    return Citation(document="IBM Messaging blog, 27 April 2017", section=section)


def linux(section: str) -> Citation:
    """IBM MQ V8.0 for Linux on x86_64 performance report."""
    return Citation(document="MQ V8.0 for Linux performance report", edition="1.1", section=section)


def distributed(section: str) -> Citation:
    """IBM MQ documentation of queue managers that are not on z/OS."""
    return Citation(document="IBM MQ documentation", edition="9.4", section=section)
