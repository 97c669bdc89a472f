"""Keys by which equal rows of a dataset are recognised."""

from __future__ import annotations

import pytest

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema
from spark_apps.transforms.keys import has_declared_key, key_of

MQ = ("smfid", "qmgr", "interval_start_utc")
CACHE = ("smfid", "sysplex", "interval_start_utc", "interval_end_utc")
CF = ("smfid", "sysplex", "cf", "interval_start_utc", "interval_end_utc")


@pytest.mark.parametrize(
    ("dataset", "key"),
    [
        ("section_qjst", MQ),
        ("section_qcct", MQ),
        ("section_qpst", (*MQ, "qpstpool")),
        ("section_qis1", (*MQ, "qis1psno")),
        ("section_qctdsp", (*MQ, "section_index")),
        ("section_qctadp", (*MQ, "section_index")),
        ("section_qctssl", (*MQ, "section_index")),
        ("section_qcst", (*MQ, "qcstchnm", "qcstcnnm", "qcststrt")),
        ("section_qest", (*MQ, "qeststr")),
        ("section_qesd", (*MQ, "qesdstr")),
        ("section_qist", MQ),
        ("section_qmst", MQ),
        ("section_qqst", (*MQ, "qqstqnam")),
        ("section_r744f", CF),
        ("section_r744g", CF),
        ("section_r744p", (*CF, "r744pnum")),
        ("section_r744s", (*CF, "r744snam", "r744sver")),
        ("section_r745d", (*CACHE, "r745dvol", "r745devn")),
        ("console_event", CONSOLE_EVENT.key),
    ],
)
def test_a_key_is_system_subject_interval_and_what_the_layout_declares(
    dataset: str, key: tuple[str, ...]
) -> None:
    assert key_of(dataset) == key
    assert has_declared_key(dataset)


def test_a_section_without_a_declared_key_is_identified_by_its_place_in_its_record() -> None:
    assert layouts()["QSST"].key is None
    assert not has_declared_key("section_qsst")
    assert key_of("section_qsst") == (*MQ, "record_hash", "section_index")


def test_every_declared_key_names_columns_of_its_dataset() -> None:
    for layout in layouts().values():
        assert set(layout.key or ()) <= set(dataset_schema(layout).names), layout.name
