"""Spark app: decode and aggregate in one session, as the daily run and ``mqcap load`` do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from mqcap.lake.location import open_lake
from mqcap.lake.locks import LakePart
from mqcap.locks import exclusive
from mqcap.settings import Settings
from spark_apps import aggregate, decode
from spark_apps.runtime.session import arguments, leave_counts, spark_session

APP: Final = "decode_and_aggregate"


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Decode what is pending, then rewrite the stale dates; returns the counts of both apps.

    Without a file to decode no session is started for both; where nothing is stale, none at all.
    """
    args = arguments("Decode landed files and rewrite the hourly metrics they touch.", argv)
    with ExitStack() as stack:
        if decode.pending(args.lake):
            stack.enter_context(spark_session(APP, args.settings.spark))
        return {**decode.main(argv), **aggregate.main(argv)}


def without_spark(settings: Settings) -> dict[str, int] | None:
    """Return the counts of ``main`` where no file is pending and no date stale; else ``None``.

    Writes the catalogue of metrics, as ``main`` does, and starts no process.
    """
    if decode.pending(open_lake(settings.lake)):
        return None
    with exclusive(settings, LakePart.hourly):
        plan = aggregate.declared_plan(settings)
    return None if plan.stale else {**decode.NOTHING, **aggregate.NOTHING}


if __name__ == "__main__":
    leave_counts(APP, main())
