"""Entry point of the command ``mqcap``: imports only what the given command needs.

``mqcap smf`` works on files alone; importing the store, which the other commands need, takes
longer than decoding a hundred MiB.
"""

import gc
import os
import sys


def main() -> None:
    """Run the command line; print a CapacityError as one line and exit with its code.

    The same where a package of the environment is of a release that does not serve.
    """
    if sys.argv[1:2] == ["smf"]:
        _smf(sys.argv[2:])
        return
    try:
        from mqcap.cli.app import main as main_of_all

        main_of_all()  # which imports the command that is called
    except ImportError as error:
        from mqcap.installation.extras import unsuited_package

        sentence = unsuited_package(error)
        if sentence is None:
            raise
        sys.exit(f"error: {sentence}")


def _smf(arguments: list[str]) -> None:
    """Run ``mqcap smf``; ``to-csv INPUT… -o DIR`` needs no library for command lines."""
    gc.disable()  # while modules are imported: they make no garbage
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # decoding multiplies no matrices
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # memory that all share
    if arguments[:1] in (["to-parquet"], ["to-csv"]):
        from mqcap.cli.smf.rows import plain_arguments, write_rows

        plain = plain_arguments(arguments[1:])
        if plain is not None:
            sys.exit(write_rows(*plain, arguments[0].removeprefix("to-")))
    from mqcap.cli.smf.commands import main as smf_main

    gc.enable()
    smf_main(arguments)
