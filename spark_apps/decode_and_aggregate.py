"""Spark app: decode and aggregate in one session, as the daily run and ``mqcap load`` do."""

from collections.abc import Sequence

from spark_apps import aggregate, decode
from spark_apps.runtime.session import kept_session


def main(argv: Sequence[str] | None = None) -> dict[str, int]:
    """Decode what is pending, then rewrite the stale dates; returns the counts of both apps."""
    with kept_session():
        return {**decode.main(argv), **aggregate.main(argv)}


if __name__ == "__main__":
    main()
