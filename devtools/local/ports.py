"""A port of this machine for one run, also when another run starts in the same second.

A server binds its port seconds after it was chosen. Until then, and as long as the run lasts, the
UDP port of the same number is the mark that it is taken: nothing is sent there, and the system
frees it with the process, however that ends.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from mqcap.domain.errors import ServiceUnavailable

FIRST_PORT: Final = 8080
RESERVED_PORTS: Final = frozenset({8793, 8794})
"""Airflow's own log servers use these by default."""
_HOST: Final = "127.0.0.1"
_TRIES: Final = 500


@contextmanager
def own_port(first: int) -> Iterator[int]:
    """Hold the first port from ``first`` on that nobody uses and Airflow does not reserve.

    Raises:
        ServiceUnavailable: none of the next 500 ports is free.
    """
    for port in range(first, first + _TRIES):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mark:
            if port not in RESERVED_PORTS and _bound(mark, port) and _is_free(port):
                yield port
                return
    raise ServiceUnavailable(
        f"no free port between {first} and {first + _TRIES - 1}",
        remedy="Stop a server that listens there.",
    )


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return _bound(probe, port)


def _bound(end: socket.socket, port: int) -> bool:
    try:
        end.bind((_HOST, port))
    except OSError:
        return False
    return True
