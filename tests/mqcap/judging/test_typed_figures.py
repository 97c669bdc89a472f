from datetime import date
from typing import Any

import pytest

from mqcap.domain.distributed.site_figure import DeclaredFigure
from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.places import Place
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.judging import log_names
from mqcap.judging.log_names import console_log_names, with_log_names
from mqcap.settings import Settings, load_settings
from mqcap.store.database import Store
from tests.mqcap.judging.observations import findings_of
from tests.mqcap.rulebook.builders import DAY, days, observe

HOST, QMGR = SubjectKind.mq_host, SubjectKind.distributed_queue_manager


def judged(engine: Store, *estate: Any, **more: Any) -> dict[tuple[str, str], Finding]:
    return findings_of(load_settings(estate=estate, **more), engine, DAY)


def site(**changed: Any) -> Place:
    facts = {"site": "EAST", "hosts": [{"name": "mq1"}], "qmgrs": [{"name": "QM1"}], **changed}
    return Place.model_validate(facts)


def test_a_live_figure_wins_over_the_typed_one_and_says_so(engine: Store) -> None:
    observe(engine, "host_cpu_busy_pct", "PLEX1/LNX1", days(5, 40.0), kind=HOST, unit="%")
    plex = Sysplex.model_validate(
        {"sysplex": "PLEX1", "linux": [{"name": "LNX1", "cpu_pct": 97}, {"name": "LNX2"}]}
    )
    finding = judged(engine, plex)["LNX-CPU", "PLEX1/LNX1"]
    assert (finding.observed, finding.breach) == (40.0, False)
    assert finding.caveats[-1] == (
        "cpu_pct = 97 of PLEX1/LNX1 in the settings is not used: host_cpu_busy_pct is measured."
    )
    assert ("LNX-CPU", "PLEX1/LNX2") not in judged(engine, plex)


def test_a_measured_host_of_a_site_is_judged_with_what_settings_say_of_it(engine: Store) -> None:
    name = "host_network_used_gigabits"
    observe(engine, name, "EAST/mq1", days(5, 8.5), kind=HOST, unit="Gbit/s")
    known = site(hosts=[{"name": "mq1", "network_gigabits": 10}])
    finding = judged(engine, known)["LNX-NET", "EAST/mq1"]
    assert (finding.observed, finding.limit_value, finding.series_limit) == (85, 80, 8)
    assert finding.breach
    assert judged(engine, site())["LNX-NET", "EAST/mq1"].severity is Severity.unknown


def test_the_time_to_fill_an_extent_is_that_of_what_the_queue_manager_writes(engine: Store) -> None:
    observe(engine, "mq_log_written_mib_per_s", "EAST/QM1", days(5, 1.7), kind=QMGR)
    pages = days(5, 4_096.0)
    observe(engine, "mq_log_file_pages_count", "EAST/QM1", pages, kind=QMGR, unit="count")
    finding = judged(engine, site())["LNX-LOGEXTENT-10S", "EAST/QM1"]
    assert finding.observed == pytest.approx(16 / 1.7)
    assert (finding.limit_value, finding.series_limit, finding.breach) == (10, 1.6, True)


def test_clients_are_compared_with_the_most_that_were_measured(engine: Store) -> None:
    observe(engine, "mq_client_count", "EAST/Q%2F1", days(5, 90.0), kind=QMGR, unit="count")
    known = site(qmgrs=[{"name": "Q/1", "clients_max": 80}])
    assert judged(engine, known)["LNX-CLIENTS", "EAST/Q%2F1"].breach


def test_waits_for_a_lock_are_the_share_of_both_counts_if_not_measured(engine: Store) -> None:
    plex = {"sysplex": "PLEX1", "linux": [{"name": "A", "lock_waits": 10, "lock_requests": 100}]}
    finding = judged(engine, Sysplex.model_validate(plex))["LNX-LOCK-10", "PLEX1/A"]
    assert (finding.observed, finding.breach) == (10.0, True)


@pytest.mark.parametrize(
    ("metric", "rule", "value", "unit"),
    [
        ("ims_region_occupancy_pct", "IMS-MPR", 96.0, "%"),
        ("ims_checkpoint_minutes_lowest", "IMS-CKPT", 18.0, "min"),  # the mean, 9, is compared
        ("ims_buffer_wait_count", "IMS-BUFFERS", 1.0, "count"),
    ],
)
def test_ims_is_judged_live(metric: str, rule: str, value: float, unit: str, engine: Store) -> None:
    observe(engine, metric, "PLEX1/CSQ1", days(5, value), unit=unit)
    plex = Sysplex.model_validate({"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1"}]})
    assert judged(engine, plex)[rule, "PLEX1/CSQ1"].breach


def test_tokens_of_other_users_are_added_to_the_own_ones(engine: Store) -> None:
    tokens = days(5, 50.0)
    observe(engine, "zhyperlink_other_token_count", "PLEX1/CSQ1", tokens, unit="count")
    qmgr = {"name": "CSQ1", "zhyperlink": True, "log_stripes": 8, "zhyperlink_other_tokens": 0}
    plex = Sysplex.model_validate({"sysplex": "PLEX1", "qmgrs": [qmgr]})
    finding = judged(engine, plex)["ZHL-TOKENS", "PLEX1/CSQ1"]
    assert (finding.observed, finding.series_limit, finding.breach) == (66, 48, True)


def test_a_declared_figure_is_judged_by_its_limit(engine: Store) -> None:
    kind = SubjectKind.site_object
    for subject, value in (("EAST/mq1", 91.0), ("EAST/mq2", 20.0)):
        observe(engine, "site_pool", subject, days(5, value), kind=kind, unit="%")
    observe(engine, "site_shown", "EAST/mq1", days(5, 1.0), kind=kind, unit="%")
    declared = (
        DeclaredFigure(figure="pool", label="Pool", unit="%", limit=90),
        DeclaredFigure(figure="shown", label="Shown", unit="%"),
    )
    found = judged(engine, site(), site_figures=declared)
    assert found["SITE-MAX-POOL", "EAST/mq1"].severity is Severity.act
    assert not found["SITE-MAX-POOL", "EAST/mq2"].breach
    assert [rule for rule, _ in found if rule.startswith("SITE-")] == ["SITE-MAX-POOL"] * 2
    assert found["SITE-MAX-POOL", "EAST/mq1"].inputs[1].source.endswith("site_figures: pool")


DAY_OF_LOG_NAMES = date(2026, 11, 28)
PLEXES: Any = (
    {
        "sysplex": "PLEX1",
        "smfids": ["SYS1"],
        "qmgrs": [
            {"name": "CSQ1", "active_log_names": ["MQM.CSQ1.LOGCOPY1.DS01"]},
            {"name": "CSQ2", "active_log_names": ["CSQ2.LOGCOPY1.DS01"]},
            {"name": "CSQ3"},
        ],
    },
)


def row(qmgr: str, number: int, copy: int = 1) -> dict[str, Any]:
    name = f"{qmgr}.LOGCOPY{copy}.DS{number:02}"
    text = f"+{qmgr} CURRENT COPY {copy} ACTIVE LOG DATA SET IS DSNAME={name}, STARTRBA=0 ENDRBA=FF"
    return {"qmgr": qmgr, "smfid": "SYS1", "text": text}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Settings:
    rows = [row(name, number, copy) for name in ("CSQ1", "CSQ2", "CSQ3", "CSQX")
            for copy in (2, 1) for number in (2, 1, 2)]  # fmt: skip
    monkeypatch.setattr(log_names, "message_rows", lambda *_: rows)
    return load_settings(estate=PLEXES)


def test_names_of_the_console_count_where_the_estate_has_others(settings: Settings) -> None:
    """CSQ2 has only fewer names in the estate, CSQ3 none, and CSQX is not in it."""
    expected = tuple(f"CSQ1.LOGCOPY{copy}.DS{number:02}" for copy in (1, 2) for number in (1, 2))
    found = console_log_names(settings, DAY_OF_LOG_NAMES)
    assert found.keys() == {"PLEX1/CSQ1", "PLEX1/CSQ2"}
    assert found["PLEX1/CSQ1"] == expected
    estate = with_log_names(settings.complete_estate(), {"PLEX1/CSQ1": expected})
    [one, two, _] = estate.sysplexes[0].qmgrs
    assert (one.active_log_names, two.active_log_names) == (expected, ("CSQ2.LOGCOPY1.DS01",))


def test_without_names_in_the_estate_no_console_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(log_names, "message_rows")
    assert console_log_names(load_settings(estate=({"sysplex": "PLEX1"},)), DAY_OF_LOG_NAMES) == {}
