"""Spark app: decode and aggregate in one session, as the daily run and ``mqcap load`` do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

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
            modules = (decode.WORKERS_IMPORT, *aggregate.WORKERS_IMPORT)
            stack.enter_context(spark_session(APP, args.settings.spark, *modules))
        return {**decode.main(argv), **aggregate.main(argv)}


if __name__ == "__main__":
    leave_counts(APP, main())
