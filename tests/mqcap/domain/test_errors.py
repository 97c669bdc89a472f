"""Errors, and problems and tickets of a day."""

import errno
from datetime import timedelta

import pytest

from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    InputError,
    ServiceUnavailable,
    file_error,
)
from mqcap.domain.finding import Severity
from mqcap.domain.problem import ProblemDay, ProblemState
from mqcap.domain.ticket import Ticket
from tests.factories import DAY, acknowledgement, problem_day, ticket


def test_an_input_error_names_file_record_and_byte() -> None:
    error = InputError(
        "the length is wrong",
        file="SYS1.smf",
        record=1_204,
        byte_offset=3_889_152,
        found="12",
        expected="at least 18",
        remedy="Ask for a binary transfer with RDW.",
    )
    assert str(error) == (
        "SYS1.smf record 1204 at byte 3889152: the length is wrong; found 12; "
        "expected at least 18. Ask for a binary transfer with RDW."
    )
    assert (error.file, error.record, error.byte_offset) == ("SYS1.smf", 1_204, 3_889_152)


def test_an_error_without_a_place_is_its_problem_alone_with_one_full_stop() -> None:
    assert str(InputError("nothing to read")) == "nothing to read."
    assert str(CapacityError("It failed.", remedy="Run it again.")) == "It failed. Run it again."


@pytest.mark.parametrize("field", ["problem", "found", "expected"])
def test_no_part_of_an_error_shows_a_password_or_a_control_character(field: str) -> None:
    parts = {"problem": "x"} | {field: "http://anna:secret@host/\x1b[31m"}
    error = CapacityError(parts.pop("problem"), **parts)
    assert "secret" not in str(error)
    assert "anna" not in str(error)
    assert "\x1b" not in str(error)
    assert "http://**********@host/?[31m" in str(error)


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [
        (errno.ENOSPC, ServiceUnavailable, "export cannot write /out/a.csv; found words; expected"),
        (errno.EDQUOT, ServiceUnavailable, "Free space (`mqcap store prune` deletes old data)"),
        (errno.EFBIG, ServiceUnavailable, "Free space (`mqcap store prune` deletes old data)"),
        (errno.EROFS, ServiceUnavailable, "a disk that can be written. Mount it for writing"),
        (errno.EACCES, ConfigurationError, "export may not use /out/a.csv; found words; expected"),
        (errno.EPERM, ConfigurationError, "Give that user the permission, or name another"),
        (errno.ENOTDIR, ConfigurationError, "export cannot use /out/a.csv; found words; expected"),
        (errno.ENAMETOOLONG, ConfigurationError, "Name another file or folder."),
    ],
)
def test_what_happened_and_what_to_do_are_named(
    number: int, kind: type[CapacityError], sentence: str
) -> None:
    known = file_error(OSError(number, "words", "/out/a.csv"), "export")
    assert type(known) is kind
    assert sentence in str(known)


def test_a_disk_that_is_full_while_a_file_is_written_need_not_name_it() -> None:
    known = file_error(OSError(errno.ENOSPC, "full"), "export")
    assert str(known).startswith("export cannot write its result; found full")
    assert "lake, store, inbox and temporary files (TMPDIR, SPARK_LOCAL_DIRS)" in str(known)


def test_an_error_of_another_kind_is_not_explained() -> None:
    assert file_error(ConnectionResetError(errno.ECONNRESET, "reset"), "export") is None
    assert file_error(FileNotFoundError(errno.ENOENT, "none", "/a"), "export") is None


def test_of_a_copy_that_finds_no_space_the_target_is_named_and_a_name_may_be_bytes() -> None:
    text = str(file_error(OSError(errno.ENOSPC, "no space", "inbox/a.smf", None, "lake/a"), "land"))
    assert text.startswith("land cannot write lake/a; found no space")
    known = file_error(PermissionError(errno.EACCES, "refused", b"/tmp/a"), "run")
    assert str(known).startswith("run may not use /tmp/a; found refused")


def test_the_name_of_a_file_is_on_one_line_whatever_is_in_it() -> None:
    assert str(InputError("is empty", file="M\udcc5N\nED.smf")) == "M\\xc5N\\nED.smf: is empty."


@pytest.mark.parametrize("state", list(ProblemState))
def test_a_problem_is_open_from_its_first_notification_until_it_is_resolved(
    state: ProblemState,
) -> None:
    assert state.is_open is (state not in {ProblemState.pending, ProblemState.resolved})


def test_the_day_on_which_it_is_resolved_calls_for_one_and_later_days_do_not() -> None:
    resolved = problem_day(state=ProblemState.resolved, resolved_date=DAY)
    assert resolved.is_new_or_changed
    later = resolved.model_copy(update={"site_date": DAY + timedelta(days=1)})
    assert not later.is_new_or_changed


def test_a_document_has_the_keys_of_the_older_release_and_is_read_by_both_names() -> None:
    made = problem_day(notified_severity=Severity.act, notified_date=DAY)
    document = made.model_dump(mode="json")
    assert (document["told_severity"], document["news_date"]) == ("act", "2026-03-02")
    assert ProblemDay.model_validate(document) == made


def test_an_acknowledgement_holds_from_its_day_to_its_last_day() -> None:
    until = DAY + timedelta(days=30)
    made = acknowledgement()
    days = [DAY - timedelta(days=1), DAY, until, until + timedelta(days=1)]
    assert [made.holds_on(day) for day in days] == [False, True, True, False]
    endless = made.model_copy(update={"until_date": None})
    assert endless.holds_on(DAY + timedelta(days=10_000))


def test_a_comment_is_the_changes_or_else_the_body() -> None:
    assert ticket(body="Figures.").comment == "Figures."
    assert ticket(body="Figures.", update_text="Worse.").comment == "Worse."


def test_a_ticket_has_the_keys_of_the_older_release_and_is_read_by_both_names() -> None:
    made = ticket(update_text="Worse.", notified_date=DAY)
    document = made.model_dump(mode="json")
    assert (document["news"], document["told_date"]) == ("Worse.", "2026-03-02")
    assert Ticket.model_validate(document) == made


def test_a_ticket_without_members_is_about_the_problem_it_is_named_after() -> None:
    assert ticket(dedupe_key="A/B", members=()).problem_keys == ("A/B",)
    assert ticket(dedupe_key="A/B", members=("A/B", "A/C")).problem_keys == ("A/B", "A/C")
