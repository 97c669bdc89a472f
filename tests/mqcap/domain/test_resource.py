"""Paths, labels and owners of resources."""

from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.resource import ResourceKind, resource_of

CSQ1 = "PLEX1/CSQ1"
CHINIT = f"{CSQ1}/CHINIT"


@pytest.mark.parametrize(
    ("kind", "subject", "path", "label", "owner"),
    [
        (ResourceKind.active_log, CSQ1, f"{CSQ1}/active_log", "CSQ1 active logs", CSQ1),
        (ResourceKind.recovery, CSQ1, f"{CSQ1}/recovery", "CSQ1 recovery", CSQ1),
        (ResourceKind.buffer_pool, f"{CSQ1}/BP03", f"{CSQ1}/BP03", "CSQ1 buffer pool BP03", CSQ1),
        (ResourceKind.page_set, f"{CSQ1}/PS04", f"{CSQ1}/PS04", "CSQ1 page set PS04", CSQ1),
        (
            ResourceKind.chinit_storage_31bit,
            CHINIT,
            f"{CHINIT}/storage_31bit",
            "CSQ1 chinit 31-bit storage",
            CSQ1,
        ),
        (
            ResourceKind.chinit_adapters,
            CHINIT,
            f"{CHINIT}/adapters",
            "CSQ1 chinit adapters",
            CSQ1,
        ),
        (
            ResourceKind.coupling_facility,
            "PLEX1/CF01",
            "PLEX1/CF01",
            "CF01 coupling facility",
            "PLEX1/CF01",
        ),
        (
            ResourceKind.structure,
            "PLEX1/CF01/QSG1APPL1",
            "PLEX1/QSG1APPL1",
            "structure QSG1APPL1",
            "PLEX1/CF01",
        ),
        (
            ResourceKind.smds,
            "PLEX1/CF01/QSG1APPL1",
            "PLEX1/QSG1APPL1/SMDS",
            "QSG1APPL1 shared message data sets",
            "PLEX1/CF01",
        ),
        (ResourceKind.smds, CSQ1, f"{CSQ1}/SMDS", "CSQ1 shared message data sets", CSQ1),
        (ResourceKind.queue_manager, CSQ1, f"{CSQ1}/queue_manager", "CSQ1 queue manager", CSQ1),
        (ResourceKind.storage_31bit, CSQ1, f"{CSQ1}/storage_31bit", "CSQ1 31-bit storage", CSQ1),
        (ResourceKind.loss, "PLEX1/CF02", "PLEX1/CF02/loss", "loss of CF02", "PLEX1/CF02"),
        (ResourceKind.linux_log, "EAST/QM1", "EAST/QM1/log", "QM1 log", "EAST/QM1"),
        (ResourceKind.mq_queue, "EAST/QM1/A", "EAST/QM1/A", "QM1 queue A", "EAST/QM1"),
        (
            ResourceKind.mq_channel,
            "EAST/QM1/CHANNEL/A",
            "EAST/QM1/CHANNEL/A",
            "QM1 channel A",
            "EAST/QM1",
        ),
        (ResourceKind.ztpf_mqm, "TPFA/TPF1", "TPFA/TPF1/mqm", "TPF1 MQM", "TPFA/TPF1"),
    ],
)
def test_a_resource_has_a_path_a_label_and_an_owner(
    kind: ResourceKind, subject: str, path: str, label: str, owner: str
) -> None:
    resource = resource_of(kind, subject)
    assert (resource.path, resource.label, resource.owner_subject) == (path, label, owner)
    assert resource.kind is kind


def test_both_copies_of_a_duplexed_structure_are_one_resource() -> None:
    first = resource_of(ResourceKind.structure, "PLEX1/CF01/QSG1APPL1")
    second = resource_of(ResourceKind.structure, "PLEX1/CF02/QSG1APPL1")
    assert first == second
    assert len({first, second}) == 1
    assert (first.owner_subject, second.owner_subject) == ("PLEX1/CF01", "PLEX1/CF02")


def test_structures_of_one_name_in_two_sysplexes_are_two_resources() -> None:
    first = resource_of(ResourceKind.structure, "PLEX1/CF01/QSG1APPL1")
    assert first != resource_of(ResourceKind.structure, "PLEX2/CF01/QSG1APPL1")


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        (ResourceKind.active_log, "PLEX1"),
        (ResourceKind.structure, "PLEX1/CF01"),
    ],
)
def test_a_subject_that_has_no_such_resource_is_refused(kind: ResourceKind, subject: str) -> None:
    with pytest.raises(ConfigurationError, match="too short"):
        resource_of(kind, subject)


def test_every_kind_has_a_label_of_its_own() -> None:
    labels = [kind.label for kind in ResourceKind]
    assert all(labels)
    assert len(set(labels)) == len(labels)
