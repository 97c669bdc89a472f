"""Cost of a load: ``python -m devtools.benchmarks.load``, which prints what that of a night does.

Simulated statistics of 24 sysplexes with three queue managers each, 14 days in half hours, are
landed, decoded, aggregated and rolled up, as ``mqcap load`` does.
"""

from typing import Final

from devtools.benchmarks.estates import Size
from devtools.benchmarks.night import LOAD, main

USUAL: Final = Size(sysplexes=24, managers=3, systems=2, queues=0, minutes=30, days=14)

if __name__ == "__main__":
    raise SystemExit(main("load", USUAL, LOAD))
