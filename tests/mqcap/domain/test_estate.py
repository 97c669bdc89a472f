"""Look-ups in the estate, and the estate as of a day."""

from datetime import date

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import CouplingFacility, Dyndisp, Estate, QueueManager, Sysplex
from mqcap.domain.estate.places import Place

FIRST, SECOND = date(2026, 4, 1), date(2026, 5, 1)
ESTATE = Estate.model_validate(
    {
        "sysplexes": [
            {
                "sysplex": "PLEX1",
                "timezone": "Europe/Copenhagen",
                "smfids": ["SYS1", "SYS2"],
                "qmgrs": [
                    {
                        "name": "CSQ1",
                        "qsg": "QSG1",
                        "active_logs": 4,
                        "planned": [
                            {"from": SECOND, "active_logs": 12},
                            {"from": FIRST, "active_logs": 8, "dual_logging": True},
                        ],
                    },
                    {"name": "CSQ2", "qsg": "QSG1", "class": "test"},
                ],
                "cfs": [{"name": "CF01", "engines": 2}],
            },
            {"sysplex": "PLEX2"},
        ]
    }
)


@pytest.mark.parametrize(
    ("day", "logs", "dual"),
    [
        (date(2026, 3, 31), 4, None),
        (FIRST, 8, True),
        (date(2026, 4, 30), 8, True),
        (SECOND, 12, True),
    ],
)
def test_planned_changes_are_in_force_from_their_day_on(
    day: date, logs: int, dual: bool | None
) -> None:
    qmgr = ESTATE.as_of(day).queue_manager("PLEX1", "CSQ1")
    assert qmgr is not None
    assert (qmgr.active_logs, qmgr.dual_logging) == (logs, dual)


def test_days_of_later_changes_are_ascending() -> None:
    assert ESTATE.changes_after(date(2026, 1, 1)) == [FIRST, SECOND]
    assert ESTATE.changes_after(FIRST) == [SECOND]
    assert ESTATE.changes_after(SECOND) == []


def test_a_sysplex_and_its_systems_have_its_zone() -> None:
    zone = "Europe/Copenhagen"
    assert ESTATE.zone_by_system() == {"PLEX1": zone, "SYS1": zone, "SYS2": zone, "PLEX2": "UTC"}
    assert ESTATE.sysplex_by_smfid() == {"SYS1": "PLEX1", "SYS2": "PLEX1"}


@pytest.mark.parametrize(
    ("root", "zone"), [("", None), ("PLEXA", "Asia/Tokyo"), ("PLEXB", "UTC"), ("PLEX9", None)]
)
def test_a_system_of_two_sysplexes_has_the_zone_of_the_input(root: str, zone: str | None) -> None:
    tokyo = Sysplex(sysplex="PLEXA", timezone="Asia/Tokyo", smfids=("SYS1",))
    estate = Estate(sysplexes=(tokyo, Sysplex(sysplex="PLEXB", smfids=("SYS1",))))
    assert estate.zone_by_system(root).get("SYS1") == zone
    assert estate.sysplex_by_smfid() == {}
    of_one_zone = (Sysplex(sysplex=name, smfids=("SYS1",)) for name in ("PLEXA", "PLEXB"))
    assert Estate(sysplexes=tuple(of_one_zone)).zone_by_system()["SYS1"] == "UTC"


def test_a_sysplex_is_listed_once_and_no_site_has_its_name() -> None:
    plex = Sysplex(sysplex="PLEXA")
    both = {"sysplexes": (plex,), "places": ({"site": "PLEXA"},)}
    for twice in ({"sysplexes": (plex, plex)}, both):
        with pytest.raises(ValueError, match="need names of their own: PLEXA"):
            Estate.model_validate(twice)


def test_what_the_site_did_not_list_is_not_found() -> None:
    assert ESTATE.queue_manager("PLEX2", "CSQ1") is None
    assert ESTATE.queue_manager("PLEX9", "CSQ1") is None
    assert ESTATE.coupling_facility("PLEX1", "CF02") is None
    assert ESTATE.coupling_facility("PLEX9", "CF01") is None


def test_the_truth_values_of_yaml_are_understood_as_on_and_off() -> None:
    for value, dyndisp in ((True, Dyndisp.on), (False, Dyndisp.off), ("thin", Dyndisp.thin)):
        facility = CouplingFacility.model_validate({"name": "CF01", "dyndisp": value})
        assert facility.dyndisp is dyndisp


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("PLEX1/CSQ1", "production"),
        ("PLEX1/CSQT/BP00", "test"),
        ("PLEX1/CSQD", "disaster_recovery"),
        ("PLEX1/CF01", "production"),
        ("PLEX2/CF01", "test"),
        ("PLEX9/CSQ9", "production"),
    ],
)
def test_the_class_is_that_of_the_queue_manager_or_of_the_most_important_user(
    subject: str, kind: str
) -> None:
    test = {"name": "CSQT", "class": "test"}
    recovery = {"name": "CSQD", "class": "disaster_recovery"}
    estate = Estate.model_validate(
        {
            "sysplexes": [
                {"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1"}, test, recovery]},
                {"sysplex": "PLEX2", "qmgrs": [test]},
            ]
        }
    )
    assert estate.class_of(subject) == kind


@pytest.mark.parametrize(
    ("name", "is_valid"),
    [
        ("MQM.CSQ1.LOGCOPY1.DS01", True),
        (f"{'A' * 8}." * 4 + "A" * 8, True),
        (f"{'A' * 8}." * 5, False),
        (f"{'A' * 8}." * 4 + "AAAAAAA.A", False),
        ("A" * 9, False),
        ("1A", False),
        ("A..B", False),
        ("mqm.log", False),
        ("", False),
    ],
)
def test_names_of_active_logs_are_names_of_data_sets(name: str, is_valid: bool) -> None:
    if is_valid:
        assert QueueManager(name="CSQ1", active_log_names=(name,)).active_log_names == (name,)
        return
    with pytest.raises(ValidationError, match="active_log_names"):
        QueueManager(name="CSQ1", active_log_names=(name,))


@pytest.mark.parametrize(
    ("subject", "volumes"),
    [
        ("PLEX1/CSQ1", {"MQL001", "MQL002"}),
        ("PLEX1/CSQ1/CHINIT", {"MQL001", "MQL002"}),
        ("PLEX1/CSQ2", set()),
        ("PLEX2/CSQ1", set()),
        ("PLEX1", set()),
    ],
)
def test_the_volumes_of_the_logs_are_those_of_the_queue_manager(
    subject: str, volumes: set[str]
) -> None:
    named = {"name": "CSQ1", "log_volumes": ["MQL001", "MQL002"]}
    plex = {"sysplex": "PLEX1", "qmgrs": [named, {"name": "CSQ2"}]}
    assert Estate.model_validate({"sysplexes": [plex]}).log_volumes_of(subject) == volumes


@pytest.mark.parametrize(
    ("subject", "is_named"),
    [
        ("PLEX1/CSQ1/PS04", True),
        ("PLEX1/QSG1/APPL1", True),
        ("PLEX1", True),
        ("PLEX1/CSQ9", False),
        ("PLEX2/CSQ1", None),
        ("PLEX9/CSQ1", False),
        ("EAST/PAY.QM", True),
    ],
)
def test_a_subject_is_described_beside_others_or_nothing_is(
    subject: str, is_named: bool | None
) -> None:
    estate = Estate(
        sysplexes=(
            Sysplex(sysplex="PLEX1", qmgrs=(QueueManager(name="CSQ1", qsg="QSG1"),)),
            Sysplex(sysplex="PLEX2"),
        ),
        places=(Place.model_validate({"site": "EAST", "qmgrs": [{"name": "PAY.QM"}]}),),
    )
    assert estate.names(subject) is is_named
    assert Estate(sysplexes=()).names(subject) is None
