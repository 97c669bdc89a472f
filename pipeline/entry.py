"""Where the command ``mqcap`` begins: only what the given command needs is imported.

``mqcap smf`` works on files alone; the store, which the other commands need, takes longer to
import than decoding a hundred MiB.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point: our own errors become one readable line and exit code 1."""
    if sys.argv[1:2] == ["smf"]:
        from pipeline.commands.smf import main as smf_main  # noqa: PLC0415 - only for it

        smf_main(sys.argv[2:])
        return
    from pipeline.cli import main as whole_main  # noqa: PLC0415 - for all others

    whole_main()
