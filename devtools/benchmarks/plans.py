"""Time of plans, and their properties over many estates; both are printed as tables.

``python -m devtools.benchmarks.plans`` times an estate of 72 queue managers and puts the plans of
random loads, growths and settings into what-if. With ``--day`` it takes days of the configured
store. Printed are estates, resources, plans and what they violate; 1 when anything is violated.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

from devtools.benchmarks.ratios import loop_seconds, tell
from mqcap.judging.evaluate import DayFacts, facts_of_day, judge_facts
from mqcap.planning.make import plans_of_day
from mqcap.settings import load_settings
from mqcap.store.database import Store, open_store
from tests.mqcap.planning.estates import Load, facts_of_many, facts_under
from tests.mqcap.planning.properties import checked
from tests.stores import new_store

SIZES_MIB: Final = (512, 1_024, 2_048, 3_000, 4_095)
COLUMNS: Final = ("", "estates", "resources", "plans", "feasible", "infeasible", "violated", "s")


def main() -> int:
    """Measure and print; 1 when a property is violated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--estates", type=int, default=30, help="Random estates.")
    parser.add_argument("--managers", type=int, default=72, help="Queue managers that are timed.")
    parser.add_argument("--states", type=int, default=40, help="Cheaper states tried per plan.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--day", nargs="*", type=date.fromisoformat, default=[])
    arguments = parser.parse_args()
    print("".join(f"{column:>14}" for column in COLUMNS))
    if arguments.day:
        settings = load_settings()
        store = open_store(settings.store.url.get_secret_value())
        return sum(
            _checked(f"{day}", [facts_of_day(settings, store, day)], arguments.states)
            for day in arguments.day
        )
    drawn = random.Random(arguments.seed)  # noqa: S311 - loads, not secrets
    with tempfile.TemporaryDirectory() as folder:
        store = new_store(Path(folder) / "store.db")
        violated = _checked("random", _estates(arguments.estates, drawn, store), arguments.states)
        many = facts_of_many([_load(drawn) for _ in range(arguments.managers)], store)
        worse = _timed(f"{arguments.managers} managers", many)
        store.dispose()
    return min(violated + worse, 1)


def _load(drawn: random.Random) -> Load:
    return Load(drawn.uniform(0.02, 2.2), drawn.uniform(0.2, 0.97), drawn.uniform(0.0, 0.003))


def _estates(count: int, drawn: random.Random, store: Store) -> Iterator[DayFacts]:
    for _ in range(count):
        qmgr: dict[str, Any] = {
            "active_log_size_mib": drawn.choice(SIZES_MIB),
            "active_logs": drawn.randint(3, 20),
            "dual_logging": drawn.choice((True, False, None)),
            "archive_minutes": drawn.choice((1, 2, 10)),
            "maxarch": drawn.choice((100, 500, 1_000)),
            "page_set_backup_hours": drawn.choice((24, 168)),
        }
        yield facts_under(_load(drawn), store, **qmgr)


def _checked(name: str, estates: Iterable[DayFacts], states: int) -> int:
    """Print one row, and below it what is violated; returns how much."""
    found = checked(estates, states)
    cells = [name, *found[:5], len(found.violated), f"{found.seconds:.2f}"]
    print("".join(f"{cell!s:>14}" for cell in cells))
    for line in found.violated:
        print(f"  {line}")
    return len(found.violated)


def _timed(name: str, facts: DayFacts) -> int:
    """Print the time of rules and plans; return how many of their ratios are worse."""
    loop = loop_seconds()
    start, cpu = time.perf_counter(), time.process_time()
    verdicts = judge_facts(facts)
    judged, judged_cpu = time.perf_counter(), time.process_time()
    plans = plans_of_day(facts, verdicts)
    made, made_cpu = time.perf_counter(), time.process_time()
    print(
        f"{name}: {len(verdicts)} results in {judged - start:.2f} s, "
        f"{len(plans)} plans in {made - judged:.2f} s"
    )
    ratios = {
        f"CPU of rules, {name} : plain loop": (judged_cpu - cpu) / loop,
        f"CPU of plans, {name} : plain loop": (made_cpu - judged_cpu) / loop,
    }
    return tell("plans", ratios)


if __name__ == "__main__":
    sys.exit(main())
