"""JSON objects one after another."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mqcap.ingest.json_objects import JsonObjects
from mqcap.ingest.smf.dump_file import open_content


class Example(msgspec.Struct):
    a: int
    text: str = ""
    parts: list[dict[str, int]] = []


DECODER = msgspec.json.Decoder(Example)


def read(folder: Path, text: str) -> tuple[list[Example], JsonObjects[Example]]:
    path = folder / "objects.json"
    path.write_text(text, encoding="utf-8")
    objects = JsonObjects(open_content(path), DECODER)
    return list(objects), objects


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}\n{"a":2}\n',
        '{"a":1}{"a":2}',
        '{\n "a": 1,\n "parts": [\n  {\n   "b": 1\n  },\n  {\n  }\n ]\n}\n{\n "a": 2\n}\n\n',
        '\r\n{"a":1}\r\n\r\n{"a":2}\r\n',
    ],
)
def test_objects_are_found_however_they_are_laid_out(tmp_path: Path, text: str) -> None:
    found, objects = read(tmp_path, text)
    assert [each.a for each in found] == [1, 2]
    assert (objects.unreadable_bytes, objects.problem) == (0, "")


def test_braces_within_a_text_end_no_object(tmp_path: Path) -> None:
    found, _ = read(tmp_path, '{"a":1,"text":"x} {y"}\n{"a":2}')
    assert [each.text for each in found] == ["x} {y", ""]


@pytest.mark.parametrize("rest", ['{"a":', '{"a":3', '{"a":3,"parts":[{"b":1}'])
def test_an_object_that_ends_in_the_middle_leaves_the_others(tmp_path: Path, rest: str) -> None:
    found, objects = read(tmp_path, f'{{"a":1}}\n{{"a":2}}\n{rest}')
    assert [each.a for each in found] == [1, 2]
    assert objects.unreadable_bytes == len(rest)
    assert objects.problem == "it ends in the middle"


def test_an_object_of_another_shape_is_counted_and_left_out(tmp_path: Path) -> None:
    found, objects = read(tmp_path, '{"a":"x"}\n{"a":2}\n{"b":1}\n')
    assert [each.a for each in found] == [2]
    assert objects.unreadable_bytes == len('{"a":"x"}') + len('\n{"b":1}')
    assert "Expected `int`" in objects.problem


def test_an_object_with_a_text_that_is_no_utf_8_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "objects.json"
    path.write_bytes(b'{"a":1,"text":"\xff"}\n{"a":2}\n')
    objects = JsonObjects(open_content(path), DECODER)
    assert [each.a for each in objects] == [2]
    assert objects.unreadable_bytes == len(b'{"a":1,"text":"\xff"}')


def test_an_object_behind_one_that_was_cut_is_read(tmp_path: Path) -> None:
    text = '{"a":1}\n{"a":2,"te\n{"a":3}\n{"a":4,"parts":[\n{"a":5}\n{"a":6,"x'
    found, objects = read(tmp_path, text)
    assert [each.a for each in found] == [1, 3, 5]
    assert objects.unreadable_bytes == len('\n{"a":2,"te\n{"a":4,"parts":[\n{"a":6,"x')
