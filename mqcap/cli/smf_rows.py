"""``mqcap smf to-csv|to-parquet`` itself, without what reads command lines and settings.

Importing those takes as long as decoding a hundred MiB.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mqcap.cli.zones import ZonesOfSettings
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.ingest.inputs.files import input_files

if TYPE_CHECKING:
    from mqcap.ingest.export import Exported
    from mqcap.ingest.inputs.archives import UnpackLimits

_OUT = ("-o", "--out")
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


def plain_arguments(arguments: Sequence[str]) -> tuple[list[str], Path] | None:
    """Inputs and folder of ``INPUT… -o DIR``; None for a line with anything else."""
    inputs: list[str] = []
    folder = None
    left = iter(arguments)
    for one in left:
        if one in _OUT:
            folder = next(left, None)
        elif one.startswith("-"):
            return None
        else:
            inputs.append(one)
    return None if folder is None or not inputs else (inputs, Path(folder))


def write_rows(inputs: Sequence[str], folder: Path, form: str) -> int:
    """Write what can be read, tell the rest; the exit code, 1 when there was any."""
    readable: dict[Path, str] = {}
    failed = False
    with input_files(inputs, limits) as found:
        for file in found:
            try:
                _refuse_unknown(file.local())
                readable[file.local()] = file.name
            except CapacityError as error:
                failed = True
                say(error)
        try:
            if readable:
                _tell(_exported(readable, folder, form))
        except CapacityError as error:
            failed = True
            say(error)
        except OSError as error:
            failed = True
            say(_unwritten(folder, error))
    return 1 if failed or not readable else 0


def limits() -> UnpackLimits:
    """What the settings allow to be unpacked; plain files are read without them."""
    from mqcap.ingest.inputs.archives import UnpackLimits  # noqa: PLC0415 - slow to import
    from mqcap.settings import load_settings  # noqa: PLC0415 - slow to import

    return UnpackLimits.of_settings(load_settings())


def say(error: CapacityError) -> None:
    """One line for one of our own errors."""
    word = f"{_RED}error:{_PLAIN}" if sys.stderr.isatty() else "error:"
    sys.stderr.write(f"{word} {error}\n")


def _unwritten(folder: Path, error: OSError) -> CapacityError:
    return ConfigurationError(
        f"{folder}: the rows cannot be written",
        found=str(error),
        remedy="Check the folder, its permissions and the space on its disk.",
    )


def _refuse_unknown(path: Path) -> None:
    """Raise InputError when no source reads the file."""
    from mqcap.ingest.registry import source_for  # noqa: PLC0415 - slow to import

    source_for(path)


def _exported(files: dict[Path, str], folder: Path, form: str) -> Exported:
    from mqcap.ingest.export import Format, export  # noqa: PLC0415 - slow to import

    gc.freeze()  # what is imported by now stays: not worth to be looked through again
    return export(files, folder, Format(form), ZonesOfSettings())


def _tell(done: Exported) -> None:
    for path, rows in done.rows.items():
        sys.stderr.write(f"{path}: {rows:,} rows\n")
    for summary in done.summaries:
        for problem in summary.problems:
            sys.stderr.write(f"{problem}\n")
