from mqcap.ingest.display_output.reading import ActiveLog, ResponseLine, active_logs

TEXT = """ACTIVE LOG COPY 1 DATA SETS
000000000000 00000FFFFFFF  2025.069 08:30:00.1
  DSN=CSQ1.LOGCOPY1.DS01
  STATUS=REUSABLE
000010000000 00001FFFFFFF DSN=CSQ1.LOGCOPY1.DS02 STATUS=TRUNCATED, REUSABLE
ARCHIVE LOG COPY 1 DATA SETS
000000000000 00000FFFFFFF DSN=CSQ1.ARCHIVE.A1
COPY 2 ACTIVE LOG
00000000000000000000 no range
0000000000000000 000000000FFFFFFF DSN=CSQ1.LOGCOPY2.DS01 STATUS=NOTREUSABLE
"""


def read(text: str) -> list[ActiveLog]:
    return active_logs([ResponseLine(n, line) for n, line in enumerate(text.splitlines(), 1)])


def test_active_logs_of_both_copies_are_read_and_archives_are_not() -> None:
    logs = read(TEXT)
    assert [(log.copy, log.data_set) for log in logs] == [
        (1, "CSQ1.LOGCOPY1.DS01"),
        (1, "CSQ1.LOGCOPY1.DS02"),
        (2, "CSQ1.LOGCOPY2.DS01"),
    ]
    assert [log.line.number for log in logs] == [2, 5, 10]
