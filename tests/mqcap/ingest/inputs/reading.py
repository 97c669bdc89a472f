"""What inputs give: contents, or the sentence that says why not."""

import zipfile
from pathlib import Path
from typing import Final

from mqcap.domain.errors import CapacityError
from mqcap.ingest.inputs.archives import UnpackLimits
from mqcap.ingest.inputs.files import input_files

CONTENT: Final = b"a dump, for all that the inputs know"
LIMITS: Final = UnpackLimits()


def dump_at(path: Path, content: bytes = CONTENT) -> Path:
    """A file with this content."""
    path.write_bytes(content)
    return path


def contents(*inputs: str | Path, limits: UnpackLimits = LIMITS) -> dict[str, bytes | str]:
    """The content of each file by name, or the text of its error."""
    contents_by_name: dict[str, bytes | str] = {}
    with input_files(inputs, lambda: limits) as result:
        for file in result:
            try:
                contents_by_name[file.name] = file.local().read_bytes()
            except CapacityError as error:
                contents_by_name[file.name] = str(error)
            file.release()
    return contents_by_name


def error_of(given: str | Path, limits: UnpackLimits = LIMITS) -> str:
    """The text of the error of the only file."""
    (text,) = contents(given, limits=limits).values()
    assert isinstance(text, str)
    return text


def zipped(path: Path, **members: bytes) -> Path:
    """A zip archive of these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path
