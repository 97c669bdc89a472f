"""The settings file and environment: read, merged, refused."""

import errno
import subprocess
import traceback
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from mqcap.settings.loader import (
    DEFAULT_FILE,
    joined,
    read_environment_file,
    write_environment_file,
)

ESTATE = """
site: {name: North, timezone: Europe/Copenhagen}
estate:
  - sysplex: PLEX1
    timezone: Europe/Copenhagen
    smfids: [SYS1, SYS2]
    qmgrs: [{name: CSQ1, qsg: QSG1, class: test, active_log_size_mib: 2048, active_logs: 6}]
grading:
  default: {watch_below_headroom: 0.2}
  CF-BUSY-1: {act_within_days: 60}
"""


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "platform.yaml"
    file.write_text(ESTATE, encoding="utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))
    return file


def test_the_estate_is_read_from_the_file(settings_file: Path) -> None:
    estate = load_settings().complete_estate()
    qmgr = estate.queue_manager("PLEX1", "CSQ1")
    assert qmgr is not None
    assert (qmgr.system_class, qmgr.active_log_size_mib, qmgr.dual_logging) == ("test", 2048, None)
    assert estate.sysplexes[0].smfids == ("SYS1", "SYS2")


def test_places_stand_beside_sysplexes(settings_file: Path) -> None:
    text = ESTATE.replace(
        "grading:", "  - {site: EAST, scrape_seconds: 300, qmgrs: [{name: q.m}]}\ngrading:"
    )
    settings_file.write_text(text, encoding="utf-8")
    settings = load_settings()
    estate = settings.complete_estate()
    assert [place.scrape_seconds for place in estate.places] == [300]
    assert estate.sites_of_qmgrs() == {"q.m": ("EAST",)}
    assert settings.zones() == {"PLEX1": "Europe/Copenhagen", "EAST": "UTC"}


def test_the_environment_overrides_the_file(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_SITE__NAME", "South")
    monkeypatch.setenv("MQCAP_ALERTS__MAIL_TO", '["a@example.com", "b@example.com"]')
    settings = load_settings()
    assert (settings.site.name, settings.site.timezone) == ("South", "Europe/Copenhagen")
    assert settings.alerts.mail_to == ("a@example.com", "b@example.com")


def test_what_a_rule_does_not_state_is_that_of_the_default(settings_file: Path) -> None:
    text = ESTATE.replace("0.2}", "0.2, breach: watch}")
    settings_file.write_text(text + "  CF-BUSY-N: {breach: null}\n", encoding="utf-8")
    settings = load_settings()
    own = settings.grade_policy("CF-BUSY-1")
    assert (own.act_within_days, own.watch_below_headroom, own.breach) == (60, 0.2, Severity.watch)
    assert settings.grade_policy("CF-BUSY-N").breach is None


def test_the_default_breach_reaches_every_rule_of_the_shipped_file(settings_file: Path) -> None:
    text = DEFAULT_FILE.read_text(encoding="utf-8")
    breach = text.replace("  default: {", "  default: {breach: watch, ", 1)
    settings_file.write_text(breach, encoding="utf-8")
    settings = load_settings()
    assert {settings.grade_policy(name).breach for name in settings.grading} == {Severity.watch}


NO_SUCH = "no such setting, expected one of"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            f"{ESTATE}forecasting_section: {{horizon_days: 90}}\n",
            rf"platform\.yaml .* forecasting_section: {NO_SUCH} alerts .*settings check",
        ),
        (
            ESTATE.replace("active_logs:", "active_log:"),
            rf"estate\.0\.qmgrs\.0\.active_log: {NO_SUCH} .*active_log_size_mib .*name\b",
        ),
        (
            ESTATE.replace("grading:", "  - {site: EAST, smfids: [SYS1]}\ngrading:"),
            r"estate\.1\.smfids: no such .* scrape_seconds",
        ),
        ("grading: {CF-BUSY-1: {act_within: 60}}", rf"{NO_SUCH} .*\bact_within_days\b"),
        ("store: {retention: {daily: 3}}", rf"{NO_SUCH} .*\bdaily_days\b"),
        ("smtp: {hostname: mail}", rf"{NO_SUCH} .*\bhost\b"),
        ("a: 1\nb: [", "is not YAML.* line 3, column 1: did not find expected node content"),
        ("a:\n\tb: 1\n", "line 2, column 1: found character that cannot start any token"),
        ("a: \0", "control characters are not allowed"),
        ("- a\n- b\n", "holds no settings; found a list"),
        ("just words\n", "holds no settings; found a text or a number"),
        ("", "holds no settings; found an empty file"),
        ("# Settings of the site\n", "holds no settings; found an empty file, or only comments"),
        ("site:\n", "site: nothing below it, expected name shifts timezone"),
        ("site: Copenhagen\n", "site: no keys below it, expected name shifts timezone"),
        ("alerts:\n  mail_budget: 3\n", r"alerts\.mail_budget: no keys below it, expected "),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_key_and_reason(
    settings_file: Path, text: str, words: str
) -> None:
    settings_file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=words) as caught:
        load_settings()
    assert "valid dictionary" not in str(caught.value)


def test_a_file_may_state_the_defaults_alone(settings_file: Path) -> None:
    settings_file.write_text("{}\n", encoding="utf-8")
    assert load_settings().estate == ()


@pytest.mark.parametrize("operation", ["is_file", "open"])
def test_a_file_that_may_not_be_read_is_refused(
    settings_file: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    def refused(*_args: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(settings_file))

    monkeypatch.setattr(Path, operation, refused)
    with pytest.raises(ConfigurationError, match="cannot be read; found Permission denied"):
        load_settings()


def test_a_missing_file_says_which_variable_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", "nowhere.yaml")
    with pytest.raises(ConfigurationError, match="MQCAP_SETTINGS_FILE"):
        load_settings()


def test_the_shipped_settings_file_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    settings = load_settings()
    assert settings.estate == ()
    assert settings.grade_policy("CHI-80-31BIT").watch_below_headroom == pytest.approx(
        1 - 75 / 80, abs=1e-9
    )


SECRET = "hunter2"
WRONG = {
    "MQCAP_SMTP__PASSWORD": SECRET,
    "MQCAP_SMTP": f'{{"hosts": "mail", "password": "{SECRET}"}}',
    "MQCAP_ALERTS__TICKET_OPTIONS": f'{{"token": ["{SECRET}"]}}',
    "MQCAP_ALERTS": f'{{"raise_days": 0, "ticket_option": {{"token": "{SECRET}"}}}}',
    "MQCAP_STORE": f'{{"urls": "postgresql://mqcap:{SECRET}@db/store"}}',
    "MQCAP_STORE__URL": f'["{SECRET}"]',
    "MQCAP_LAKE": f"s3://mqcap:{SECRET}@bucket/lake",
    "MQCAP_INGEST__INPUTS": f'["s3://mqcap:{SECRET}@bucket/smf"]',
    "MQCAP_GRADING": f"http://mqcap:{SECRET}@tracker",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_named_and_no_secret_with_it(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    monkeypatch.setenv(name, WRONG[name])
    try:
        shown = load_settings().model_dump_json()
    except ConfigurationError as error:
        shown = "".join(traceback.format_exception(error))
    assert SECRET not in shown


FIGURE = {"figure": "pool", "label": "Pool", "unit": "%"}


def test_the_estate_knows_the_figures_that_the_settings_declare() -> None:
    [declared] = load_settings(site_figures=[FIGURE]).complete_estate().site_figures
    assert (declared.metric, declared.limit) == ("site_pool", None)


@pytest.mark.parametrize(
    "figures", [[FIGURE, FIGURE], [{**FIGURE, "figure": "ims_checkpoint_minutes"}]]
)
def test_a_figure_is_declared_once_and_not_under_a_name_that_a_rule_knows(
    figures: list[dict[str, str]],
) -> None:
    with pytest.raises(ConfigurationError, match="declared twice, or known to a rule already"):
        load_settings(site_figures=figures)


def test_the_name_of_the_lowest_hour_of_a_figure_is_taken() -> None:
    other = {**FIGURE, "figure": f"{FIGURE['figure']}_lowest"}
    assert len(load_settings(site_figures=[FIGURE, other]).site_figures) == 2
    with pytest.raises(ConfigurationError, match="lowest hour of another figure: pool_lowest"):
        load_settings(site_figures=[{**FIGURE, "direction": "downward"}, other])


VARIABLES = {"MQCAP_LAKE": "/a/la ke", "MQCAP_STORE__URL": "db://x/?host=/run/it's&port=1"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_environment_file(tmp_path / "mqcap.env", VARIABLES)
    return tmp_path / "mqcap.env"


def test_what_was_written_is_read(file: Path) -> None:
    assert read_environment_file(file) == VARIABLES


def test_a_shell_that_sources_the_file_has_the_variables(file: Path) -> None:
    shell = subprocess.run(
        ["sh", "-c", f". {file}; env"], capture_output=True, text=True, check=True, env={}
    )
    assert {f"{name}={value}" for name, value in VARIABLES.items()} <= set(
        shell.stdout.splitlines()
    )


def test_blank_lines_and_remarks_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.env").write_text("# mine\n\nexport MQCAP_LAKE=\n", encoding="utf-8")
    assert read_environment_file(tmp_path / "a.env") == {"MQCAP_LAKE": ""}


@pytest.mark.parametrize(
    "line", ["rm -r x", "export PATH=/x", "export MQCAP_LAKE=a b", "export MQCAP_LAKE='a"]
)
def test_any_other_line_is_an_error(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.env").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"a\.env cannot be read; found .*; expected"):
        read_environment_file(tmp_path / "a.env")


MANAGERS = ("estate", 0, "qmgrs")


def test_errors_of_entries_without_names_have_numbers_and_of_one_its_own_key() -> None:
    errors = [((*MANAGERS, number, "maxarc"), "no such setting") for number in (0, 1)]
    assert joined(errors, None) == "estate.*.qmgrs.*.maxarc of 0, 1: no such setting"
    shown = joined([((*MANAGERS, 0, "a"), "no such setting"), ((), "They contradict.")], {})
    assert shown == "estate.0.qmgrs.0.a: no such setting; They contradict."


def test_the_known_keys_are_listed_once_for_all_entries_with_the_same_wrong_one(
    settings_file: Path,
) -> None:
    managers = "[{name: CSQ1, maxarc: 9}, {name: CSQ2, maxarc: 9}]"
    settings_file.write_text(f"estate: [{{sysplex: PLEX1, qmgrs: {managers}}}]\n", "utf-8")
    with pytest.raises(
        ConfigurationError, match=r"qmgrs\.\*\.maxarc of CSQ1, CSQ2: no s"
    ) as raised:
        load_settings()
    assert str(raised.value).count("active_log_size_mib") == 1
