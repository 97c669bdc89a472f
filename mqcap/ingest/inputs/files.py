"""Local files for the inputs that a user names: plain or gzip, one for each member of an archive.

Listing raises nothing; ``local`` raises InputError (the file is bad), ConfigurationError (a package
for the address is missing) or ServiceUnavailable (a retry may help): the others go on. Copies and
members are in a temporary folder until ``release``, or until the ``with`` block ends. A gzip file
stays as it is, since every source reads gzip.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipInfo

from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.ingest.inputs.archives import (
    Archive,
    UnpackLimits,
    check_packing,
    is_zip,
    member_name,
    open_archive,
)
from mqcap.ingest.inputs.locations import (
    InputLocation,
    LocalLocation,
    UnlistedLocation,
    input_locations,
    is_address,
    safe_name,
)

if TYPE_CHECKING:
    from mqcap.settings.ingest import PlacedInput


@dataclass
class InputFile:
    """A file to read, or the error that it raises when it is opened."""

    name: str
    """Name for messages: path, address, or ``archive!member``."""
    make: Callable[[], Path]
    is_copy: bool
    """True for a local file that is a temporary one of ours."""
    _local: Path | None = field(default=None, init=False)

    def local(self) -> Path:
        """Return a readable local file; raises a CapacityError when there is none."""
        if self._local is None:
            self._local = self.make()
        return self._local

    def release(self) -> None:
        """Remove the temporary copy, if there is one. The file is not to be used after that."""
        if self.is_copy and self._local is not None:
            self._local.unlink(missing_ok=True)


@contextmanager
def input_files(
    inputs: Iterable[str | Path], limits: Callable[[], UnpackLimits] = UnpackLimits
) -> Iterator[Iterator[InputFile]]:
    """Yield every file that the inputs name, one after another; see the module's text.

    An archive is fetched when its turn comes; its members are unpacked one by one.
    """
    with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
        opener = Opener(Path(folder), limits)
        yield (file for location in input_locations(inputs) for file in opener.files(location))


@dataclass
class Opener:
    """Opens locations in a temporary folder, which the caller removes."""

    folder: Path
    limits: Callable[[], UnpackLimits]
    """Called when something is packed."""

    def files(self, location: InputLocation) -> Iterator[InputFile]:
        """Yield the file of a location, or the members of its archive. Raises nothing."""
        is_copy = not isinstance(location, LocalLocation)
        try:
            path = location.fetch(
                Path(tempfile.mkdtemp(dir=self.folder)) if is_copy else self.folder
            )
            archive = open_archive(path, location.name, self.limits()) if is_zip(path) else None
        except CapacityError as error:
            yield InputFile(
                location.name,
                partial(UnlistedLocation(location.name, error).fetch, self.folder),
                is_copy=False,
            )
            return
        if archive is None:
            yield InputFile(location.name, partial(self._checked, path, location.name), is_copy)
            return
        for member in archive.members:
            yield InputFile(
                member_name(location.name, member),
                partial(self._member, archive, member),
                is_copy=True,
            )

    def _member(self, archive: Archive, member: ZipInfo) -> Path:
        names = safe_name(archive.name), safe_name(member.filename)
        target = Path(tempfile.mkdtemp(dir=self.folder), "!".join(names))
        try:
            archive.extract(member, target)
            return self._checked(target, member_name(archive.name, member), in_archive=True)
        except CapacityError:
            target.unlink(missing_ok=True)
            raise

    def _checked(self, path: Path, name: str, *, in_archive: bool = False) -> Path:
        check_packing(path, name, self.limits, in_archive=in_archive)
        return path


class InputPlaces:
    """The locations of inputs that have a place, as they are now."""

    def __init__(self, entries: Mapping[str, PlacedInput], *, addresses: bool = True) -> None:
        """List inputs by their key of the settings, those of object stores only with ``addresses``.

        What cannot be listed has no locations. Raises nothing.
        """
        self._entries: dict[str, list[tuple[str, PlacedInput]]] = defaultdict(list)
        for key, entry in entries.items():
            if addresses or not is_address(entry.path):
                for location in input_locations([entry.path], may_be_empty=True):
                    if not isinstance(location, UnlistedLocation):
                        self._entries[_identity(location)].append((key, entry))

    def root_of(self, location: InputLocation) -> str:
        """Return the sysplex or site of a location; empty when no input with a place has it.

        Raises:
            ConfigurationError: inputs of two places have it.
        """
        found = self._entries.get(_identity(location), [])
        roots = sorted({entry.root for _, entry in found})
        if len(roots) > 1:
            raise ConfigurationError(
                f"{location.name}: inputs of {' and of '.join(roots)} have this file",
                found="; ".join(f"{key}: {entry}" for key, entry in found),
                expected="a file in the inputs of one sysplex or site",
                remedy="Make the folders or patterns of ingest.inputs distinct.",
            )
        return "".join(roots)


def _identity(location: InputLocation) -> str:
    """Return a name that does not depend on how the location was named."""
    if isinstance(location, LocalLocation):
        return str(Path(location.path).resolve())
    return location.name
