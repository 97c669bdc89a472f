"""Where the command ``mqcap`` begins: only what the given command needs is imported.

``mqcap smf`` works on files alone; the store, which the other commands need, takes longer to
import than decoding a hundred MiB.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point: our own errors become one readable line and exit code 1."""
    if sys.argv[1:2] == ["smf"]:
        _smf(sys.argv[2:])
        return
    from mqcap.cli.app import main as whole_main  # noqa: PLC0415 - for all others

    whole_main()


def _smf(arguments: list[str]) -> None:
    """``mqcap smf``: a plain line that asks for rows is not worth the library of command lines."""
    if arguments[:1] in (["to-parquet"], ["to-csv"]):
        from mqcap.cli.smf_rows import plain_arguments, write_rows  # noqa: PLC0415 - only here

        plain = plain_arguments(arguments[1:])
        if plain is not None:
            sys.exit(write_rows(*plain, arguments[0].removeprefix("to-")))
    from mqcap.cli.smf import main as smf_main  # noqa: PLC0415 - seldom, and slow

    smf_main(arguments)
