"""A worker answers each task with its result or its error, and ends with its input."""

from __future__ import annotations

import json
import logging
import os
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from spark_apps.runtime.worker_process import TaskAnswer, answer


def test_an_answer_is_a_result_or_an_error(tmp_path: Path) -> None:
    assert answer(partial(int, "1")) == TaskAnswer(result=1)
    assert isinstance(answer((tmp_path / "absent").read_bytes).error, FileNotFoundError)
    assert "ValueError" in str(answer(partial(int, "x")).error)


@pytest.mark.thorough
def test_warnings_of_a_task_are_lines_like_those_of_a_command() -> None:
    task = pickle.dumps(partial(logging.warning, "two\nlines of %s", "SYS1"))
    command = [sys.executable, "-m", "spark_apps.runtime.worker_process"]

    def stderr(**environment: str) -> str:
        env = {**os.environ, **environment}
        ended = subprocess.run(command, input=task, capture_output=True, check=True, env=env)
        return ended.stderr.decode()

    assert stderr() == "warning: two\nlines of SYS1\n"
    document = json.loads(stderr(MQCAP_LOG_FORMAT="json"))
    assert (document["level"], document["message"]) == ("warning", "two\nlines of SYS1")


@pytest.mark.thorough
def test_a_worker_ends_with_its_input_and_has_answered_all_of_it() -> None:
    tasks = b"".join(pickle.dumps(partial(int, text)) for text in ("1", "2"))
    command = [sys.executable, "-m", "spark_apps.runtime.worker_process"]
    ended = subprocess.run(command, input=tasks, capture_output=True, check=True)
    answers = pickle.dumps(TaskAnswer(1)) + pickle.dumps(TaskAnswer(2))
    assert ended.stdout == answers
