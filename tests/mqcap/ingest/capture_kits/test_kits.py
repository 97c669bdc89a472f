"""Capture kits: what they run, and that readers take what they write."""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from mqcap.domain.estate import zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.capture_kits import KitKind, kit_text
from mqcap.ingest.capture_stamp import keyword, stamp_utc
from mqcap.ingest.prometheus.names import MEANINGS, ZOS_MEANINGS
from tests.mqcap.ingest.error_log.test_records import TEXT as ERROR_LOG
from tests.mqcap.ingest.prometheus.answers import answer, series
from tests.mqcap.ingest.reading import read_all

CHANGING = re.compile(
    r"^\s*(ALTER|DEFINE|DELETE|CLEAR|RESET|START|STOP|SET|MOVE|PURGE|REFRESH|RECOVER|ARCHIVE|SUSPEND"
    r"|rm|mv|kill|strmqm|endmqm|crtmqm|dltmqm|setmqm)\b|OPTIONS\((CLEAR|ALL)\)|curl .*-X|-d ",
    re.MULTILINE,
)
SECRET = re.compile(r"passw|token|secret|bearer|[a-z]+:[^ /]+@", re.IGNORECASE)
SCRIPTS = (KitKind.linux, KitKind.container, KitKind.ztpf)
STATUS = (
    "AMQ8705I: Display Queue Manager Status Details.\n"
    "   QMNAME({0})                             TYPE(QMGR)\n"
    "   CONNS(42)                               LOGINUSE(14)\n"
    "   LOGPRIM(3)                              LOGSEC(2)\n"
    "AMQ8417I: Display Channel Status details.\n"
    "   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)\n"
    "   CONNAME(10.1.0.4)                       CURRENT\n"
    "   STATUS(RUNNING)                         SUBSTATE(RECEIVE)\n"
    "AMQ8414I: Display Channel details.\n"
    "   CHANNEL(APP.SVRCONN)                    CHLTYPE(SVRCONN)\n"
    "   MAXINST(50)                             MAXINSTC(999999999)\n"
)
SETTINGS = (
    "ExitPath:\n   ExitsDefaultPath=/var/mqm/exits\nLog:\n   LogPrimaryFiles=9\n"
    "   LogFilePages=8192\nSSL:\n   KeyRepositoryPassword=hidden\nChannels:\n   MaxChannels=500\n"
)


@pytest.mark.parametrize("kind", KitKind)
def test_a_kit_displays_and_copies_and_holds_no_secret(kind: KitKind) -> None:
    lines = [line for line in kit_text(kind).splitlines() if not line.startswith(("#", "//*"))]
    text = "\n".join(lines)
    assert not CHANGING.search(text)
    assert not SECRET.search(text)
    assert "@" not in re.sub(r'"\$@"', "", text)
    assert all(len(line) < 110 or "ibmmq_" in line for line in lines)


def test_every_command_of_mq_is_a_display() -> None:
    linux, zos = kit_text(KitKind.linux), kit_text(KitKind.zos)
    mqsc = linux.partition("<<'MQSC'\n")[2].partition("\nMQSC\n")[0].splitlines()
    mqsc += zos.partition("//CMDS     DD *\n")[2].partition("\n/*")[0].splitlines()
    assert len(mqsc) == 12
    assert all(line.strip().startswith("DISPLAY ") for line in mqsc)


def test_the_job_copies_records_that_are_read_in_lines_that_a_card_holds() -> None:
    text = kit_text(KitKind.zos)
    assert "OPTIONS(DUMP)" in text
    assert "TYPE(74(4,5),115,116)" in text
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert max(len(line) for line in lines if not line.startswith("//*")) <= 71


def test_prometheus_is_asked_for_exactly_the_names_that_are_read() -> None:
    asked = re.search(r"ibmmq_\(([^)]*)\)", kit_text(KitKind.container))
    assert asked is not None
    assert set(asked[1].split("|")) == {*MEANINGS, *ZOS_MEANINGS}


def script(folder: Path, kind: KitKind, commands: Mapping[str, str]) -> Path:
    """The script of a kind, beside commands that answer with these shell lines."""
    for name, body in commands.items():
        command = folder / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f"#!/bin/sh\n{body}\n", encoding="ascii")
        command.chmod(0o755)
    path = folder / "kit.sh"
    path.write_text(kit_text(kind), encoding="ascii")
    return path


def run(folder: Path, kit: Path, *arguments: str, given: str = "", **variables: str) -> Path:
    """Run a script; return the folder with what it has written."""
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", **variables}
    out = folder / "out"
    subprocess.run(
        ["/bin/sh", str(kit), str(out), *arguments],
        env=environment, input=given, text=True, check=True, timeout=60,
    )  # fmt: skip
    return out


def summary_of(path: Path, *qmgrs: str) -> SourceSummary:
    return read_all(path, {zone_key("qmgr", name): "UTC" for name in qmgrs}).summary


@pytest.mark.thorough
def test_what_the_linux_script_writes_is_read_without_any_complaint(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "errors").mkdir(parents=True)
    (data / "qm.ini").write_text(SETTINGS)
    (data / "errors" / "AMQERR01.LOG").write_text(ERROR_LOG)
    status = f"cat <<X\n{STATUS.format('$2')}X"
    kit = script(
        tmp_path,
        KitKind.linux,
        {
            "dspmq": 'case "$*" in *nativeha*) echo "QMNAME(QM1) ROLE(ACTIVE)"\n'
            'echo " INSTANCE(b) ROLE(REPLICA) BACKLOG(0) INSYNC(YES)";;\n'
            '*-m*) echo "QMNAME($3)   STATUS(RUNNING) ";;\n'
            '*) echo "QMNAME(QM1)  STATUS(RUNNING)"; echo "QMNAME(A/B%)  STATUS(RUNNING)";; esac',
            "dspmqinf": f'echo "QueueManager:"; echo "   Name=$3"; echo "   DataPath={data}"',
            "runmqsc": f"cat > {tmp_path}/asked\n{status}",
        },
    )
    run(tmp_path, kit)
    out = run(tmp_path, kit)
    names = sorted(path.name for path in out.iterdir())
    assert [re.sub(r"-\d{8}", "", name) for name in names] == [
        "AMQERR01-A%2FB%25.LOG",
        "AMQERR01-QM1.LOG",
        "mqdisplay-A%2FB%25.txt",
        "mqdisplay-QM1.txt",
        "qm-A%2FB%25.ini",
        "qm-QM1.ini",
    ]
    asked = (tmp_path / "asked").read_text()
    assert "DISPLAY QMSTATUS ALL" in asked
    assert "DISPLAY CHANNEL(*) TYPE(SVRCONN) MAXINST MAXINSTC" in asked
    for path in out.iterdir():
        assert "hidden" not in path.read_text()
    capture = next(out.glob("mqdisplay-QM1-*"))
    text = capture.read_text()
    assert text.count("NOW(") == 2
    assert stamp_utc(keyword("NOW", text) or "")
    summary = summary_of(capture, "QM1")
    assert summary.problems == ()
    of_qmgr, of_channels, of_replicas = 4, 5, 1
    rows = {"qmgr_sample": 2 * (of_qmgr + of_channels + of_replicas)}
    assert summary.rows_by_dataset == rows
    assert text.count("\n INSTANCE(b) ROLE(REPLICA)") == 2
    assert "ROLE(ACTIVE)" not in text
    settings = next(out.glob("qm-QM1-*"))
    assert summary_of(settings).rows_by_dataset == {"qmgr_setting": 3}
    assert summary_of(out / "AMQERR01-QM1.LOG").rows_by_dataset.keys() == {"qmgr_event"}


@pytest.mark.thorough
@pytest.mark.parametrize(("scrape", "windows"), [("60", 1), ("8", 2)])
def test_what_the_container_script_writes_is_read(
    scrape: str, windows: int, tmp_path: Path
) -> None:
    document = json.dumps(answer(series(), series("ibmmq_queue_depth", queue="A")))
    kit = script(
        tmp_path,
        KitKind.container,
        {
            "curl": f"for last; do :; done\nprintf '%s\\n' \"$@\" >> {tmp_path}/asked\n"
            f"cat > \"$last\" <<'X'\n{document}\nX",
            "kubectl": f'case "$1" in exec) cat <<X\n{SETTINGS}X\n;;\n'
            "logs) echo '2026-03-14T03:00:11.501Z AMQ9513E: Maximum reached.';; esac",
        },
    )
    out = run(tmp_path, kit, "QM2", "mq-0", PROM="http://prom:9090", SCRAPE=scrape)
    answers = sorted(out.glob("prometheus-*.json"))
    assert len(answers) == windows
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked.count(f"step={scrape}") == windows
    begin, end = (
        next(line for line in lines if line.startswith(f"{name}="))
        for name, lines in (("start", asked), ("end", asked[::-1]))
    )
    assert int(end.removeprefix("end=")) - int(begin.removeprefix("start=")) == 86_400
    assert summary_of(answers[0]).rows_by_dataset.keys() == {"qmgr_sample"}
    assert summary_of(next(out.glob("qm-QM2-*"))).rows_by_dataset == {"qmgr_setting": 3}
    assert summary_of(next(out.glob("errorlog-*"))).rows_by_dataset == {"qmgr_event": 1}


@pytest.mark.thorough
def test_the_script_of_z_tpf_stamps_what_it_is_given(tmp_path: Path) -> None:
    kit = script(tmp_path, KitKind.ztpf, {})
    display = "MQSC0283I 00.15.00 QUEUE MANAGER DISPLAY\nQMNAME - TPFQM\nEND OF DISPLAY+\n"
    for _ in range(2):
        out = run(tmp_path, kit, "TPF1", "display", given=display)
    lines = next(out.glob("zmqsc-TPF1-*")).read_text().splitlines()
    assert [keyword("SYSTEM", line) for line in lines[::4]] == ["TPF1", "TPF1"]
    assert stamp_utc(keyword("NOW", lines[0]) or "")
    swept = "CSMP0097I 14.40\nMQSC0801I 14.40.27 SWEEP FOR MYQ COMPLETED+\n"
    for _ in range(2):
        run(tmp_path, kit, "TPF1", "console", given=swept)
    stamp, *events = next(out.glob("console-TPF1-*")).read_text().splitlines()
    assert "T00:00:00" in stamp
    assert events == ["MQSC0801I 14.40.27 SWEEP FOR MYQ COMPLETED+"] * 2


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SCRIPTS)
def test_a_script_without_a_folder_says_how_it_is_called(kind: KitKind, tmp_path: Path) -> None:
    kit = script(tmp_path, kind, {})
    made = subprocess.run(
        ["/bin/sh", str(kit)], capture_output=True, text=True, check=False, timeout=60
    )
    assert made.returncode != 0
    assert "usage: " in made.stderr
