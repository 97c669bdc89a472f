"""``mqcap smf to-csv|to-parquet`` without the libraries for command lines and settings.

Importing those takes as long as decoding a hundred MiB.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mqcap.cli.shared.local_run import site_settings
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.domain.shown_text import harmless
from mqcap.ingest.inputs.files import input_files
from mqcap.progress.json_log import json_line, json_wanted
from mqcap.progress.shown import shown_as_lines, shown_on

if TYPE_CHECKING:
    from mqcap.ingest.inputs.archives import UnpackLimits

_OUT = ("-o", "--out")
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


class ConfiguredZones(Mapping[str, str]):
    """Time zone of each SMF id and sysplex; the settings are read at the first access.

    That access raises ConfigurationError when they contradict themselves. Dumps carry their own
    time zone and never ask.
    """

    def __getitem__(self, name: str) -> str:
        return self._zones[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._zones)

    def __len__(self) -> int:
        return len(self._zones)

    @cached_property
    def _zones(self) -> Mapping[str, str]:
        return site_settings(with_store=False).complete_estate().zone_by_system()


def plain_arguments(arguments: Sequence[str]) -> tuple[list[str], Path] | None:
    """Return inputs and folder of ``INPUT… -o DIR``; None for a line with anything else."""
    inputs: list[str] = []
    folder = None
    remaining = iter(arguments)
    for argument in remaining:
        if argument in _OUT:
            folder = next(remaining, None)
        elif argument.startswith("-"):
            return None
        else:
            inputs.append(argument)
    return None if folder is None or not inputs else (inputs, Path(folder))


def write_rows(inputs: Sequence[str], folder: Path, form: str) -> int:
    """Write the rows of all readable inputs, print an error for each other one.

    Returns the exit code: 1 after any error or without a readable input, else 0.
    """
    from mqcap.ingest.registry import source_for

    readable: dict[Path, str] = {}
    failed = False
    with input_files(inputs, unpack_limits_of_settings) as files:
        for file in files:
            try:
                source_for(file.local())
                readable[file.local()] = file.name
            except CapacityError as error:
                failed = True
                print_plain_error(error)
        try:
            if readable:
                _export(readable, folder, form)
        except CapacityError as error:
            failed = True
            print_plain_error(error)
        except OSError as error:
            failed = True
            unwritten = ConfigurationError(
                f"{folder}: the rows cannot be written",
                found=str(error),
                expected="a writable folder",
                remedy="Check the folder, its permissions and the free space of its disk.",
            )
            print_plain_error(unwritten)
    return 1 if failed or not readable else 0


def unpack_limits_of_settings() -> UnpackLimits:
    """Return how much the settings allow an archive to unpack; plain files never ask."""
    from mqcap.ingest.inputs.archives import UnpackLimits

    return UnpackLimits.of_settings(site_settings(with_store=False))


def progress_shown() -> AbstractContextManager[None]:
    """Show long work on standard error meanwhile: as bars on a terminal, else as lines."""
    if json_wanted() or not sys.stderr.isatty():
        return shown_as_lines(_print_line)
    from rich.console import Console

    return shown_on(Console(stderr=True))


def print_plain_error(error: CapacityError) -> None:
    """Print an error to standard error as one line, without the library for terminals."""
    if json_wanted():
        line = json_line("error", harmless(str(error)), error=type(error).__name__)
        sys.stderr.write(f"{line}\n")
        return
    word = f"{_RED}error:{_PLAIN}" if sys.stderr.isatty() else "error:"
    sys.stderr.write(f"{word} {error}\n")


def _export(files: dict[Path, str], folder: Path, form: str) -> None:
    with progress_shown():
        from mqcap.ingest.export import ExportFormat, export

        keep_freed_memory()
        gc.freeze()  # imported modules stay: the collector need not scan them again
        gc.enable()
        exported = export(files, folder, ExportFormat(form), ConfiguredZones())
    for path, rows in exported.rows.items():
        _print_line(f"{path}: {rows:,} rows")
    for summary in exported.summaries:
        for problem in summary.problems:
            _print_line(str(problem))


def _print_line(text: str) -> None:
    sys.stderr.write(f"{json_line('info', harmless(text)) if json_wanted() else text}\n")


_TRIM_THRESHOLD: Final = -1
_MAPPED_FROM: Final = -3
"""Numbers that the C library gives to its parameters (malloc.h)."""
_KEPT_BYTES: Final = 1 << 30
_MAPPED_FROM_BYTES: Final = 32 << 20
"""The highest value that the C library takes."""


def keep_freed_memory() -> None:
    """Keep freed memory in this process and those that it forks; without glibc nothing happens.

    The tables of a batch are as large as those of the batch before. Without this the C library
    gives memory back after each, and the kernel has to fill it with zeros again. Where Arrow
    allocates by the C library too (``ARROW_DEFAULT_MEMORY_POOL=system``, read when it is imported),
    that is a tenth of the CPU time of decoding, and a tenth of its memory.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_MAPPED_FROM, _MAPPED_FROM_BYTES)
