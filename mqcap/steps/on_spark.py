"""Spark application of a day: decode, aggregate, roll up and forecast in one session.

``spark-submit on_spark.py --day 2026-11-20``, as the task ``measure_and_forecast`` does.
"""

import sys
from collections.abc import Sequence
from typing import Final

from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.progress.json_log import records_on_stderr
from mqcap.progress.shown import LogLines, show_on
from spark_apps.runtime.job_progress import write_line
from spark_apps.runtime.session import arguments, early_session

REFUSED: Final = 65
"""Exit code where an input or a setting must be corrected first (EX_DATAERR of sysexits.h)."""
IN_WORKERS: Final = ("spark_apps.forecast", "prophet")
"""What forecasts need of Spark's Python workers, which take seconds to import it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the steps for ``--day``; returns the exit code. Raises what may succeed later."""
    args = arguments("Decode, aggregate, roll up and forecast a day.", argv)
    if args.day is None:
        raise ConfigurationError("--day is missing", expected="the day, YYYY-MM-DD")
    with (
        show_on(LogLines(write_line)),
        records_on_stderr(),
        early_session(args.settings.spark, IN_WORKERS),
    ):
        from mqcap.steps import runner  # noqa: PLC0415 - a second, in which Java starts the session
        from mqcap.steps.step_words import step_line  # noqa: PLC0415 - likewise

        for step in (*runner.LOAD[1:], *runner.FORECAST):
            name = step.__name__
            try:
                counts = step(args.settings, args.day)
            except (InputError, ConfigurationError) as error:
                write_line(f"{name}: {error}", "error", error=type(error).__name__)
                return REFUSED
            write_line(step_line(name, counts), step=name, counts=counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
