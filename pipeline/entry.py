"""Where the command ``mqcap`` begins: only what the given command needs is imported.

``mqcap smf`` works on files alone; the store, which the other commands need, takes longer to
import than decoding a hundred MiB.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> None:
    """Entry point: our own errors become one readable line and exit code 1."""
    if sys.argv[1:2] == ["smf"]:
        _smf(sys.argv[2:])
        return
    from pipeline.cli import main as whole_main  # noqa: PLC0415 - for all others

    whole_main()


def _smf(arguments: list[str]) -> None:
    """``mqcap smf``: dumps whose rows are wanted are hashed while all else is imported."""
    from ingest.digests import Digests  # noqa: PLC0415 - only for it

    with Digests() as digests:
        if arguments[:1] in (["to-parquet"], ["to-csv"]):
            for path in filter(Path.is_file, map(Path, arguments[1:])):
                digests.begin(path)
            from pipeline.commands.rows import plain_arguments, write_rows  # noqa: PLC0415 - beside

            plain = plain_arguments(arguments[1:])
            if plain is not None:
                sys.exit(write_rows(*plain, arguments[0].removeprefix("to-"), digests))
        from pipeline.commands.smf import main as smf_main  # noqa: PLC0415 - beside the hash

        smf_main(arguments, digests)
