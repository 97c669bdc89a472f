"""Cut off shared libraries what only debuggers read: all that is behind the last loaded part.

``strip`` does it where there are build tools; base images of Python have none.
"""

import struct
import sys
from pathlib import Path

SECTIONS_AT, HOW_MANY_AT = slice(40, 48), slice(60, 64)


def main(folder: str) -> None:
    for file in Path(folder).rglob("*.so*"):
        content = bytearray(file.read_bytes())
        if content[:5] != b"\x7fELF\x02":
            continue
        (parts_at,) = struct.unpack_from("<Q", content, 32)
        part_bytes, parts = struct.unpack_from("<HH", content, 54)
        end = max(
            sum(struct.unpack_from("<Q16xQ", content, parts_at + part * part_bytes + 8))
            for part in range(parts)
        )
        if end < len(content):  # a file that is written again is in one more layer of the image
            content[SECTIONS_AT], content[HOW_MANY_AT] = bytes(8), bytes(4)
            file.write_bytes(content[:end])


if __name__ == "__main__":
    main(sys.argv[1])
