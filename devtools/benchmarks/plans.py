"""Time of the rules and plans of 72 queue managers: ``python -m devtools.benchmarks.plans``."""

import random
import tempfile
from pathlib import Path
from typing import Final

from devtools.benchmarks.ratios import COST_COLUMNS, StepCost, loop_seconds, measured, table, tell
from mqcap.judging.evaluate import judge_facts
from mqcap.planning.make import plans_of_day
from tests.mqcap.planning.estates import Load, facts_of_many
from tests.stores import new_store

MANAGERS: Final = 72


def main() -> int:
    """Judge and plan random loads; 1 when a ratio is worse."""
    drawn = random.Random(1)  # noqa: S311 - loads, not secrets
    loads = [
        Load(drawn.uniform(0.02, 2.2), drawn.uniform(0.2, 0.97), drawn.uniform(0.0, 0.003))
        for _ in range(MANAGERS)
    ]
    costs: list[StepCost] = []
    with tempfile.TemporaryDirectory() as folder:
        store = new_store(Path(folder) / "store.db")
        facts = facts_of_many(loads, store)
        with measured(costs, "rules"):
            verdicts = judge_facts(facts)
        with measured(costs, "plans"):
            plans = plans_of_day(facts, verdicts)
        store.dispose()
    print(f"{MANAGERS} queue managers, {len(verdicts)} results, {len(plans)} plans")
    print("\n".join(table(COST_COLUMNS, costs)))
    loop = loop_seconds()
    return tell(
        "plans",
        {
            f"CPU of {cost.name}, {MANAGERS} managers : plain loop": cost.cpu_seconds / loop
            for cost in costs
        },
    )


if __name__ == "__main__":
    raise SystemExit(main())
