"""The one door of text: whatever wraps an input, the same rows come out, or a named error."""

import codecs
import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.ingest.display_output.reading import read_displays
from mqcap.ingest.json_documents import documents
from mqcap.ingest.text import TextFile
from tests.mqcap.ingest.console.samples import JOB_LOG, STORAGE, hardcopy
from tests.mqcap.ingest.distributed_inputs import INPUTS, OTHER_SHAPES
from tests.mqcap.ingest.mqsmfcsv.test_source import HEAD
from tests.mqcap.ingest.mqsmfcsv.test_source import line as formatter_line
from tests.mqcap.ingest.reading import read_all
from tests.mqcap.ingest.rmf.test_source import XML, page

ZONES: Final = {zone_key("qmgr", "QM1"): "UTC", "EAST": "UTC"}
STAMP: Final = "2026-03-19T14:55:47"
_WTID: Final = {
    "recordType": 116, "recordSubType": 1, "structure": "WTID", "date": "2026/05/21",
    "time": "16:34:39.250000", "lpar": "SYS1", "qmgr": "CSQ1", "qsg": "QSG1",
    "mqVersion": "100000", "correlChar": "..XX}..", "channelName": "APP.SVRCONN",
}  # fmt: skip
SAMPLES: Final[Mapping[str, str]] = {
    **INPUTS,
    **{f"{name} {number}": text for name, texts in OTHER_SHAPES.items()
       for number, text in enumerate(texts) if name != "error_log" and "MQSC" not in text},
    "error_log 2": "# mqcap errorlog QMGR(QM1)\n"
    "2026-03-14T03:00:11.501Z Image tag: x\n2026-03-14T03:00:11.501Z AMQ9513E: Maximum reached.\n",
    "console": hardcopy(STORAGE) * 3,
    "console 1": JOB_LOG,
    "formatter": HEAD + formatter_line() * 2,
    "formatter 1": "\n".join(json.dumps(_WTID, indent=1) for _ in range(3)),
    "rmf": page(),
    "rmf 1": XML,
}  # fmt: skip
"""An input of each kind and shape, by name of the source."""
OF_JSON: Final = [name for name, text in SAMPLES.items() if text.lstrip().startswith("{")]
OF_RECORDS: Final = frozenset({"mq_json", "omegamon", "site_figures 0"})
"""Of which each line is a record."""
DISPLAY: Final = (
    "CSQJ322I -CSQ1 DISPLAY LOG report ...\n"
    "Parameter   Initial value                SET value\n"
    "OUTBUFF     4000\nMAXARCH     500\nTWOACTV     YES\n"
    "End of LOG report\n"
)

Rows = dict[str, list[dict[str, Any]]]
_OWN: Final = {"line_number", "record_offset_bytes", "file_sha256", "record_hash", "byte_offset"}


def rows_of(path: Path) -> Rows:
    """The rows of a file without their places in it."""
    return {
        dataset: [{k: v for k, v in row.items() if k not in _OWN} for row in table.to_pylist()]
        for dataset, table in read_all(path, ZONES).tables.items()
    }


def written(folder: Path, content: str | bytes, name: str = "input.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


ENCODED: Final[Mapping[str, Callable[[str], bytes]]] = {
    "mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 LE": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-32": lambda text: codecs.BOM_UTF32_LE + text.encode("utf-32-le"),
    "UTF-16 LE without mark": lambda text: text.encode("utf-16-le"),
    "UTF-16 BE without mark": lambda text: text.encode("utf-16-be"),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "lone CR": lambda text: text.replace("\n", "\r").encode(),
    "X'1A'": lambda text: text.encode() + b"\x1a",
    "padded": lambda text: bytes(300) + text.encode() + bytes(300),
    "all at once": lambda text: gzip.compress(
        codecs.BOM_UTF16_LE + f"{text}\n\x1a\0\0".replace("\n", "\r\n").encode("utf-16-le")
    ),
}
PREFIXES: Final[Mapping[str, str]] = {
    "compose": "mq-1  | ",
    "compose with colours": "\x1b[36mmq-1  | \x1b[0m",
    "Docker Desktop": "2026-03-19 14:55:47 ",
    "timestamps": f"{STAMP}.163456789Z ",
    "timestamps with offset": f"{STAMP}.163456+00:00 ",
    "compose with timestamps": f"mq-1  | {STAMP}.163456789Z ",
    "CRI": f"{STAMP}.163456789Z stdout F ",
    "kubectl --prefix": "[pod/qm1-ibm-mq-0/qmgr] ",
    "Loki": f'{STAMP}+01:00 {{app="mq", pod="qm1-0"}} ',
    "kubetail": "[qm1-0 qmgr] ",
    "Tekton": "[qm1 : run] ",
    "swarm": "mq_qm.1.x7f@node1    | ",
    "modes of a terminal": "\x1b[?2004h",
    "journald": "Mar 19 14:55:47 host1 podman[77]: ",
    "journald, ISO": f"{STAMP}+0100 host1 docker/1f3a[1]: ",
}


ENTRIES: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "json-file": lambda line: {"log": f"{line}\n", "stream": "stdout", "time": f"{STAMP}Z"},
    "Fluent Bit": lambda line: {"stream": "stdout", "logtag": "F", "log": line},
    "Fluent Bit, CRI": lambda line: {"time": STAMP, "stream": "stdout", "_p": "F", "log": line},
    "Filebeat": lambda line: {"@timestamp": STAMP, "message": line},
    "journald": lambda line: {"__REALTIME_TIMESTAMP": "1", "MESSAGE": line},
    "journald, coloured": lambda line: {
        "__REALTIME_TIMESTAMP": "1", "MESSAGE": [*f"\x1b[1m{line}".encode()],
    },
    "Loki": lambda line: {"labels": {}, "line": line, "timestamp": "1"},
    "Splunk": lambda line: {"result": {"_raw": line, "_time": "1"}},
    "Elasticsearch": lambda line: {"_source": {"@timestamp": STAMP, "message": line}},
}  # fmt: skip
"""Entries of collectors, which are a line of JSON for each line."""


@pytest.mark.parametrize("name", SAMPLES)
def test_an_encoding_changes_no_row(name: str, tmp_path: Path) -> None:
    expected = rows_of(written(tmp_path, SAMPLES[name] + "\n"))
    assert sum(map(len, expected.values())) > 0
    for how, encode in ENCODED.items():
        path = written(tmp_path, encode(SAMPLES[name] + "\n"))
        assert rows_of(path) == expected, how
        summary = read_all(path, ZONES).summary
        sizes = (summary.decoded_bytes, summary.skipped_bytes, summary.quarantined_bytes)
        assert summary.content_bytes == sum(sizes) > 0, how


@pytest.mark.parametrize("name", SAMPLES)
def test_what_collectors_put_in_front_of_lines_changes_no_row(name: str, tmp_path: Path) -> None:
    text = SAMPLES[name]
    expected = rows_of(written(tmp_path, text))
    lines = text.splitlines()
    wrapped = {how: [prefix + line for line in lines] for how, prefix in PREFIXES.items()}
    for how, entry in ENTRIES.items():
        wrapped[how] = [json.dumps(entry(line)) for line in lines]
    streams = [{"stream": {"app": "mq"}, "values": [["1", line] for line in lines]}]
    loki = {"status": "success", "data": {"resultType": "streams", "result": streams}}
    wrapped["API of Loki"] = [json.dumps(loki)]
    wrapped["no-break spaces"] = [line.replace("  ", " \xa0") for line in lines]
    wrapped["list of entries"] = [
        json.dumps([{"line": line, "timestamp": "1"} for line in lines], indent=1)
    ]
    wrapped["CloudWatch"] = [
        json.dumps({"events": [{"message": line, "timestamp": 1} for line in lines]}, indent=1)
    ]
    if name in OF_RECORDS:
        for key in ("json", "jsonPayload", "_source", "log_processed"):
            wrapped[key] = [
                json.dumps({"@timestamp": STAMP, "log": line, key: json.loads(line)})
                for line in lines
            ]
    if name not in OF_JSON:
        result = {"rc": 0, "stdout": text, "stdout_lines": lines}
        wrapped["Ansible"] = [json.dumps(result, indent=1)]
    for how, changed in wrapped.items():
        path = written(tmp_path, "\n".join([*changed, ""]))
        assert rows_of(path) == expected, how


def test_parts_of_a_line_are_joined_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    cri = f"{STAMP}.1Z stdout P abc\n{STAMP}.2Z stdout F def\n{STAMP}.3Z stdout F x\n"
    assert list(TextFile(written(tmp_path, cri)).lines()) == ["", "abcdef", "x"]
    long = "x" * (1 << 14)
    parts = [{"log": log, "stream": "stdout", "time": STAMP} for log in (long, "def\n", "end")]
    text = "\n".join(map(json.dumps, parts))
    assert list(TextFile(written(tmp_path, text)).lines()) == ["", f"{long}def", "end"]


def test_times_are_part_of_a_line_where_its_source_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, f"mq-1  | {STAMP} depth 5\n{STAMP}Z depth 6\n")
    assert list(TextFile(file).lines()) == ["depth 5", "depth 6"]
    own = TextFile(file, has_own_times=True)
    assert list(own.lines()) == [f"{STAMP} depth 5", f"{STAMP}Z depth 6"]


def shuffled(value: Any, order: random.Random) -> Any:
    """A document with its keys in another order."""
    if isinstance(value, list):
        return [shuffled(each, order) for each in value]
    if not isinstance(value, dict):
        return value
    keys = order.sample(sorted(value), len(value))
    return {key: shuffled(value[key], order) for key in keys}


@pytest.mark.parametrize("name", OF_JSON)
def test_order_of_keys_white_space_and_unknown_keys_change_no_row(
    name: str, tmp_path: Path
) -> None:
    expected = rows_of(written(tmp_path, SAMPLES[name]))
    found = [document.value for document in documents(iter(SAMPLES[name].split("\n")))]
    for seed in range(6):
        order = random.Random(seed)  # noqa: S311 - figures of a test
        changed = [shuffled(each, order) for each in found]
        if "omegamon" not in name:  # it names every field that IBM's does not have
            changed = [{"zz": "]} {", **each, "yy": {"a": [1, {"b": "}"}]}} for each in changed]
        forms = {
            "lines": "\n".join(map(json.dumps, changed)),
            "nothing between": "".join(map(json.dumps, changed)),
            "indented": "\n".join(json.dumps(each, indent=seed) for each in changed),
            "compact": "\n".join(json.dumps(each, separators=(",", ":")) for each in changed),
            "far": json.dumps({"a": " " * 70_000, **changed[0]})
            + "\n".join(map(json.dumps, changed[1:])),
        }
        if len(changed) > 1:
            forms["one list"] = json.dumps(changed)
        for how, text in forms.items():
            if how != "far" or "omegamon" not in name:
                assert rows_of(written(tmp_path, text)) == expected, how


@pytest.mark.parametrize("name", ["prometheus", "site_answers"])
def test_an_answer_with_a_line_for_each_series_has_the_rows_whatever_its_size(
    name: str, tmp_path: Path
) -> None:
    document = json.loads(SAMPLES[name])
    first = document["data"]["result"][0]
    document["data"]["result"] += [
        {"metric": first["metric"] | {"note": f"{number} {'x' * 900}"}, "values": []}
        for number in range(200)
    ]
    text = json.dumps(document)
    lines = text.replace('{"metric"', '\n{"metric"')
    assert rows_of(written(tmp_path, lines)) == rows_of(written(tmp_path, text)) != {}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values within a document."""
    listed = enumerate(value) if isinstance(value, list) else ()
    for key, each in value.items() if isinstance(value, dict) else listed:
        yield (*path, key)
        yield from places(each, (*path, key))


def changed_at(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A document with another value at a place."""
    if not path:
        return new
    copied = value.copy()
    copied[path[0]] = changed_at(value[path[0]], path[1:], new)
    return copied


@pytest.mark.parametrize("name", OF_JSON)
@pytest.mark.parametrize("new", [None, [], {}, "", True])
def test_a_value_that_is_null_or_of_another_kind_makes_no_figure_and_ends_no_run(
    name: str, new: Any, tmp_path: Path
) -> None:
    first, *others = (document.value for document in documents(iter(SAMPLES[name].split("\n"))))

    def figures(document: Any) -> set[tuple[Any, ...]]:
        text = "\n".join(map(json.dumps, [document, *others]))
        rows = [row for found in rows_of(written(tmp_path, text)).values() for row in found]
        return {(row["figure"], row["value"]) for row in rows if "figure" in row}

    expected = figures(first)
    for path in places(first):
        try:
            assert figures(changed_at(first, path, new)) <= expected, path
        except InputError as error:
            assert "input.txt" in str(error)


@pytest.mark.parametrize("name", OF_JSON)
def test_lines_in_front_of_json_change_no_row_and_are_told(name: str, tmp_path: Path) -> None:
    expected = rows_of(written(tmp_path, SAMPLES[name]))
    for before in ("HTTP/1.1 200 OK\nAMQ0000 x: y\n\n", '{"level": "info", "x": "starting"}\n'):
        if before.startswith("{") and name in {"prometheus", "site_answers"}:
            continue
        path = written(tmp_path, before + SAMPLES[name])
        rows = rows_of(path)
        rows.pop("quarantine", None)
        assert rows == expected, before
        assert read_all(path, ZONES).summary.problems, before


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_that_is_doubled_or_cut_has_the_rows_or_says_why_not(
    name: str, tmp_path: Path
) -> None:
    text = SAMPLES[name] + "\n"
    count = sum(map(len, rows_of(written(tmp_path, text)).values()))
    lines = text.splitlines(keepends=True)
    for content in (text * 2, *("".join(lines[:end]) for end in range(1, len(lines)))):
        try:
            read = read_all(written(tmp_path, content), ZONES)
        except InputError as error:
            assert "input.txt" in str(error)
            assert error.found
        else:
            rows = sum(table.num_rows for table in read.tables.values())
            assert rows >= count or content != text * 2


@pytest.mark.parametrize("name", sorted(INPUTS.keys() - {"prometheus", "site_answers"}))
def test_a_line_that_is_neither_data_nor_known_is_counted_with_the_first_one(
    name: str, tmp_path: Path
) -> None:
    path = written(tmp_path, f"{SAMPLES[name]}\n<%junk%>\n<%junk%>{'x' * 90}\n")
    problems = "; ".join(read_all(path, ZONES).summary.problems)
    if '"' in SAMPLES[name][:3] or SAMPLES[name].startswith(("{", "subject")):
        assert "left out" in problems
    else:
        line = SAMPLES[name].count("\n") + 2
        assert f'2 lines not understood, first line {line}: "<%junk%>".' in problems


@pytest.mark.parametrize(
    "name", sorted(INPUTS.keys() - {"prometheus", "site_answers", "error_log"})
)
def test_nothing_is_said_of_a_whole_file_and_something_of_one_that_is_cut(
    name: str, tmp_path: Path
) -> None:
    assert read_all(written(tmp_path, SAMPLES[name]), ZONES).summary.problems == ()
    cut = SAMPLES[name].rstrip()[:-4]
    assert read_all(written(tmp_path, cut, "cut.txt"), ZONES).summary.problems != ()


DISPLAYS: Final[Mapping[str, str]] = {
    "mark": "\ufeff" + DISPLAY,
    "SDSF ULOG": re.sub(
        r"(?m)^(?!CSQ)", " " * 43,
        "CSQ9999I\n".join(["", DISPLAY]).replace("CSQ9999I\n", ""),
    ).replace("CSQJ322I", "SYS1      2026105  10:15:01.12  STC18668   CSQJ322I"),
    "opercmd": re.sub(
        r"(?m)^(?=.)", "SYS1      2026105  10:15:01.12             ", DISPLAY
    ),
    "Ansible": json.dumps({"rc": 0, "changed": True, "content": DISPLAY.splitlines()}, indent=4),
    "Ansible on a terminal": "host1 | SUCCESS => "
    + json.dumps({"content": DISPLAY.splitlines()}, indent=4),
    "registered": json.dumps({"response": {"content": DISPLAY.splitlines()}}),
    "spool": json.dumps({"jobs": [{"ddnames": [{"content": DISPLAY.splitlines()}]}]}),
    "z/OSMF": json.dumps({"cmd-response-key": "C1", "cmd-response": DISPLAY.replace("\n", "\r")}),
    "results of a loop": json.dumps({"results": [{"item": 1, "stdout": DISPLAY}]}),
    "mqweb": json.dumps(
        {"commandResponse": [{"completionCode": 0, "text": DISPLAY.splitlines()}],
         "overallCompletionCode": 0}
    ),
    "list": json.dumps(DISPLAY.splitlines()),
}  # fmt: skip


@pytest.mark.parametrize("how", DISPLAYS)
def test_answers_to_commands_are_the_same_in_every_wrapping(how: str, tmp_path: Path) -> None:
    def facts(text: str) -> list[tuple[object, ...]]:
        found = read_displays(written(tmp_path, text))
        return [(each.queue_manager, each.key, each.value, each.command) for each in found]

    expected = facts(DISPLAY)
    assert len(expected) == 3
    assert facts(DISPLAYS[how]) == expected


def test_bytes_of_no_encoding_are_windows_text_and_binary_content_is_no_text(
    tmp_path: Path,
) -> None:
    assert list(TextFile(written(tmp_path, b"f\xfcr \x80 1\n")).lines()) == ["für € 1"]
    assert TextFile(written(tmp_path, bytes(range(256)))).head == ""


def test_text_that_a_shell_appended_as_utf_16_and_titles_of_its_window_are_read(
    tmp_path: Path,
) -> None:
    text = b"\x1b]0;user@host1\x07first\n" + "second\r\nthird\r\n".encode("utf-16-le")
    lines = TextFile(written(tmp_path, text)).lines()
    assert [line for line in lines if line] == ["first", "second", "third"]


def test_a_very_long_line_comes_in_pieces(tmp_path: Path) -> None:
    pieces = list(TextFile(written(tmp_path, "x" * 1_000_000 + "\ny")).lines())
    assert len(pieces) > 2
    assert "".join(pieces) == "x" * 1_000_000 + "y"


def objects(text: str) -> Iterator[tuple[object, str]]:
    for document in documents(iter(text.split("\n"))):
        yield (document.value["a"] if document.value else None), document.problem


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a":1}\n{"a":2,"te\n{"a":3}\n{"a":4,"parts":[\n{"a":5}', [1, None, 3, None, 5]),
        ('{"a":1}\n{"a":"\\ud800"}\n{"a":NaN}\n{"a":2}', [1, None, None, 2]),
        ("{" * 9 + '\n{"a":2}', [None, 2]),
        ('{"a":' + "[" * 100_000 + '\n{"a":2}', [None, 2]),
        ('{"a":1}\nno\nmore\n{"a":2', [1, None, None]),
    ],
)
def test_what_is_no_object_is_told_and_the_next_one_is_read(
    text: str, found: list[int | None]
) -> None:
    made = list(objects(text))
    assert [value for value, _ in made] == found
    assert all(bool(problem) is (value is None) for value, problem in made)


def test_an_object_larger_than_the_window_is_one(tmp_path: Path) -> None:
    large = json.dumps({"b": ["}{" * 10] * 50_000, "a": 1}, indent=0)
    assert list(objects(f"{large}\n{large}")) == [(1, ""), (1, "")]
