from __future__ import annotations

import pytest

from mqcap.domain.errors import CapacityError, ConfigurationError, InputError, ServiceUnavailable
from mqcap.domain.finding import Citation, Severity
from mqcap.domain.metric import series_id, split_series_id, sysplex_of
from mqcap.domain.units import CYLINDER_3390_BYTES, PAGE_BYTES


def test_a_series_id_is_metric_and_subject() -> None:
    identity = series_id("cf_busy_pct", "PLEX1/CF01")
    assert identity == "cf_busy_pct/PLEX1/CF01"
    assert split_series_id(identity) == ("cf_busy_pct", "PLEX1/CF01")
    assert sysplex_of("PLEX1/CSQ1/CHINIT") == "PLEX1"


def test_severities_rank_from_ok_to_act() -> None:
    words = ["ok", "suggestion", "unknown", "watch", "act"]
    assert sorted(Severity, key=lambda severity: severity.rank) == words


def test_a_cylinder_holds_180_control_intervals() -> None:
    assert CYLINDER_3390_BYTES == 180 * PAGE_BYTES


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


@pytest.mark.parametrize("kind", [InputError, ConfigurationError, ServiceUnavailable])
def test_every_error_of_ours_has_one_root(kind: type[CapacityError]) -> None:
    assert issubclass(kind, CapacityError)


def test_a_citation_reads_as_a_reference() -> None:
    text = str(Citation(document="MP16", edition="14th edition", section="Log data sets"))
    assert text == 'MP16 (14th edition), "Log data sets"'
