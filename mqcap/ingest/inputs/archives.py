"""Zip archives and gzip files as inputs, unpacked within limits.

The sizes that an archive states are not trusted: bytes are counted while they are unpacked.
Names of members are shown and never used as paths. Archives inside archives are refused, as are
packings that are not read here; a gzip file inside a zip archive is read.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mqcap.domain.errors import InputError
from mqcap.domain.shown_text import printable
from mqcap.ingest.smf.dump_file import GZIP_MAGIC, content_chunks, is_packed, read_head

if TYPE_CHECKING:
    from mqcap.settings import Settings

MIB_BYTES: Final = 1 << 20
RATIO_FLOOR_BYTES: Final = 64 * MIB_BYTES
"""Below this the ratio is not checked: small files of zeros are harmless."""
_CHUNK_BYTES: Final = 1 << 18
_ZIP_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_MAGICS: Final = {
    **dict.fromkeys(_ZIP_MAGICS, "zip"),
    GZIP_MAGIC: "gzip",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"Rar!\x1a\x07": "RAR",
    b"\x1f\x9d": "compress (.Z)",
}
_OFFICE_MEMBER: Final = "[Content_Types].xml"
_TAR_MAGIC_OFFSET: Final = 257
_ENCRYPTED: Final = 0x1
_RESEND: Final = "Pack the files again and transfer the archive in binary."


@dataclass(frozen=True)
class UnpackLimits:
    """Limits of unpacking one archive or gzip file (ours): a protection against zip bombs."""

    total_mib: int = 65_536
    """Unpacked MiB of one gzip file, or of all members of one archive together."""
    ratio: float = 250.0
    """Unpacked bytes per packed byte, once more than 64 MiB were unpacked."""
    members: int = 10_000
    """Files in one archive."""

    @classmethod
    def of_settings(cls, settings: Settings) -> UnpackLimits:
        """Return the limits of ``ingest.unpacked_max_mib`` and ``ingest.unpacked_max_ratio``."""
        return cls(settings.ingest.unpacked_max_mib, settings.ingest.unpacked_max_ratio)


@dataclass
class UnpackBudget:
    """Counter of the bytes unpacked from one archive, against its limits."""

    name: str
    limits: UnpackLimits
    spent_bytes: int = 0

    def counted(self, chunks: Iterable[bytes], packed: int) -> Iterator[bytes]:
        """Yield what a member of so many packed bytes unpacks to.

        Raises InputError when the total or the ratio is above its limit.
        """
        unpacked = 0
        for chunk in chunks:
            unpacked += len(chunk)
            self.spent_bytes += len(chunk)
            if self.spent_bytes > self.limits.total_mib * MIB_BYTES:
                raise self._too_much(
                    f"more than {self.limits.total_mib} MiB",
                    f"at most {self.limits.total_mib} MiB (ingest.unpacked_max_mib)",
                )
            if unpacked > max(RATIO_FLOOR_BYTES, self.limits.ratio * packed):
                raise self._too_much(
                    f"{unpacked:,} bytes and more from {packed:,}",
                    f"at most {self.limits.ratio:g} times as much (ingest.unpacked_max_ratio)",
                )
            yield chunk

    def _too_much(self, found: str, expected: str) -> InputError:
        return InputError(
            "it unpacks to more than is allowed",
            file=self.name,
            found=found,
            expected=expected,
            remedy="Raise the setting if the file is what it should be, or send smaller ones.",
        )


@dataclass
class Archive:
    """An opened zip archive."""

    name: str
    budget: UnpackBudget
    zip_file: zipfile.ZipFile
    members: list[zipfile.ZipInfo]

    def extract(self, member: zipfile.ZipInfo, target: Path) -> None:
        """Unpack one member to ``target``; raises InputError when it cannot be unpacked."""
        name = member_name(self.name, member)
        if member.flag_bits & _ENCRYPTED:
            raise InputError(
                "the member is encrypted",
                file=name,
                expected="an archive without a password",
                remedy="Pack the files again without a password.",
            )
        try:
            with self.zip_file.open(member) as packed, target.open("wb") as file:
                chunks = iter(lambda: packed.read(_CHUNK_BYTES), b"")
                file.writelines(self.budget.counted(chunks, member.compress_size))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise InputError(
                "the member cannot be unpacked", file=name, found=str(error), remedy=_RESEND
            ) from error


def is_zip(path: Path) -> bool:
    """Return whether the file is a zip archive, by its first bytes."""
    with path.open("rb") as file:
        return file.read(4).startswith(_ZIP_MAGICS)


def open_archive(path: Path, name: str, limits: UnpackLimits) -> Archive:
    """Open an archive with the members that are files, in order of their names.

    Raises InputError for an archive that is corrupt or holds no files.
    """
    try:
        zip_file = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            "the zip archive is truncated or corrupt", file=name, found=str(error), remedy=_RESEND
        ) from error
    members = [member for member in zip_file.infolist() if not member.is_dir()]
    if any(member.filename == _OFFICE_MEMBER for member in members):
        raise InputError(
            "a document of an office program, not an archive of files",
            file=name,
            expected="dumps, logs and reports as they are",
            remedy="Send what the mainframe wrote, or CSV as mqsmfcsv wrote it.",
        )
    if not members:
        raise InputError("the zip archive holds no files", file=name, remedy=_RESEND)
    if len(members) > limits.members:
        raise InputError(
            "the zip archive holds too many files",
            file=name,
            found=f"{len(members):,}",
            expected=f"at most {limits.members:,}",
            remedy="Send them in several archives.",
        )
    members.sort(key=lambda member: (member.filename, member.header_offset))
    return Archive(name, UnpackBudget(name, limits), zip_file, members)


def member_name(archive: str, member: zipfile.ZipInfo) -> str:
    """Return ``week.zip!SYS1.smf``, as it is printed and stored."""
    return f"{archive}!{printable(member.filename)}"


def check_packing(
    path: Path, name: str, limits: Callable[[], UnpackLimits], *, in_archive: bool
) -> None:
    """Raise InputError when a file is packed in a way that is not read, or above the limits.

    A gzip file is unpacked once and counted, nothing is stored; a truncated or corrupt one passes,
    since it is read as far as possible.
    """
    is_gzip = is_packed(path)
    inside = is_gzip or in_archive
    if packing := _packing_of(read_head(path)):
        raise InputError(
            f"a {packing} file inside an archive" if inside else f"packed with {packing}",
            file=name,
            expected="a dump, log or report, as it is, gzip, or in a zip archive",
            remedy="Unpack it first: archives inside archives are not opened."
            if inside
            else "Unpack it, or pack it with gzip or zip.",
        )
    if is_gzip:
        chunks = (chunk for chunk in content_chunks(path) if isinstance(chunk, bytes))
        for _ in UnpackBudget(name, limits()).counted(chunks, path.stat().st_size):
            pass


def _packing_of(head: bytes) -> str:
    """Return the name of the packing of a content or nothing; gzip only inside another packing."""
    if head[_TAR_MAGIC_OFFSET:].startswith(b"ustar"):
        return "tar"
    return next((name for magic, name in _MAGICS.items() if head.startswith(magic)), "")
