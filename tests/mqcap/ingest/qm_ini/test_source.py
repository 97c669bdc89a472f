"""qm.ini as settings."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.shown_text import MASK
from tests.mqcap.ingest.reading import read_text

HEADER = "# mqcap qm.ini QMGR(QM1) HOST(mq1) NOW(2026-03-14T00:00:00+0100)\n"
TEXT = """#* Module Name: qm.ini
; a comment
ExitPath:
   ExitsDefaultPath=/var/mqm/exits
Log:
   LogPrimaryFiles=3
   LogPath=/var/mqm/log/a=b/
Channels:
   maxchannels = 500
"""


loaded = partial(read_text, name="qm.ini")


def test_settings_have_stanza_and_key_in_lower_case_and_touch_no_date(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, HEADER + TEXT)
    assert [(row["stanza"], row["key"], row["value"]) for row in rows] == [
        ("exitpath", "exitsdefaultpath", "/var/mqm/exits"),
        ("log", "logprimaryfiles", "3"),
        ("log", "logpath", "/var/mqm/log/a=b/"),
        ("channels", "maxchannels", "500"),
    ]
    assert {(row["qmgr"], row["host"], row["from_utc"]) for row in rows} == {
        ("QM1", "mq1", datetime(2026, 3, 13, 23, tzinfo=UTC))
    }
    assert (summary.hour_dates, summary.record_count) == ((), 4)
    assert summary.content_bytes == summary.decoded_bytes == len(HEADER + TEXT)


def test_a_credential_is_not_stored(tmp_path: Path) -> None:
    [row], _ = loaded(tmp_path, f"{HEADER}SSL:\n   KeyRepositoryPassword=hunter2\n")
    assert (row["key"], row["value"]) == ("keyrepositorypassword", MASK)


@pytest.mark.parametrize(
    "header",
    [
        "",
        HEADER.replace("QMGR(QM1)", ""),
        HEADER.replace("QM1", "Q M"),
        HEADER.replace("+0100", ""),
        HEADER.replace("+0100", "+9900"),
        HEADER + TEXT + HEADER.replace("QMGR(QM1)", ""),
    ],
)
def test_a_file_that_does_not_tell_whose_it_is_and_of_when_is_an_error(
    tmp_path: Path, header: str
) -> None:
    with pytest.raises(InputError, match="whose it is and of when"):
        loaded(tmp_path, header + TEXT)


LISTED = """QueueManager:
   Name=a/b
   Directory=a&b
   Prefix=/var/mqm
   InstallationName=Installation1

QueueManager:
   Name=QM2
   Directory=QM2
   Prefix=/var/mqm
   DataPath=/shared/QM2
"""


@pytest.mark.parametrize("before", ["", "AllQueueManagers:\n   DefaultPrefix=/var/mqm\n"])
def test_a_list_of_queue_managers_is_answered_with_the_files_that_count(
    tmp_path: Path, before: str
) -> None:
    with pytest.raises(InputError, match="which has no setting of them") as caught:
        loaded(tmp_path, before + LISTED)
    text = str(caught.value)
    assert "queue managers a/b, QM2" in text
    assert "Send /var/mqm/qmgrs/a&b/qm.ini, /shared/QM2/qm.ini with that line" in text


def test_captures_one_after_another_are_each_of_their_own_queue_manager(tmp_path: Path) -> None:
    other = HEADER.replace("QM1", "QM2").replace("2026-03-14", "2026-03-15")
    rows, summary = loaded(tmp_path, HEADER + TEXT + other + TEXT.replace("=3", "=7"))
    of_log = [row for row in rows if row["key"] == "logprimaryfiles"]
    assert [(row["qmgr"], row["value"], row["from_utc"].day) for row in of_log] == [
        ("QM1", "3", 13),
        ("QM2", "7", 14),
    ]
    assert len(rows) == 8
    assert (summary.first_interval_utc, summary.last_interval_utc) == (
        of_log[0]["from_utc"],
        of_log[1]["from_utc"],
    )
