"""Read the settings once, from arguments, environment, secret files and the YAML file.

PyYAML's parser in C takes a tenth of the time of the one in Python; it is used where it is there.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from types import NoneType
from typing import IO, Annotated, Any, Final, Self, get_args, get_origin

import yaml
from pydantic import (
    BaseModel,
    Discriminator,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    YamlConfigSettingsSource,
)

from mqcap.domain.distributed.site_figure import LOWEST_SUFFIX, UNITS, DeclaredFigure
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.domain.metric import Direction
from mqcap.domain.shown_text import masked
from mqcap.files import write_text
from mqcap.settings.analysis import (
    AttributionSettings,
    DriverSettings,
    PlanSettings,
    TransportSettings,
    UnitCostSettings,
)
from mqcap.settings.ingest import IngestSettings, InputEntry, PlacedInput, check_places
from mqcap.settings.models import (
    Address,
    AlertSettings,
    ForecastSettings,
    GradePolicy,
    ReportSettings,
    RuleWindow,
    Site,
    SmtpServer,
    SparkSettings,
    StoreSettings,
    policy_of,
)

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(source: str | IO[bytes]) -> Any:
    """Return plain data of YAML, ``None`` when empty; ``yaml.YAMLError`` has file and line."""
    return yaml.load(source, Loader=_LOADER)  # noqa: S506 - one of the two safe loaders


DEFAULT_FILE: Final = Path(__file__).with_name("platform.yaml")
FILE_VARIABLE: Final = "MQCAP_SETTINGS_FILE"
_MAY_BE_SECRET: Final = re.compile(
    r"^smtp\b|ticket_options|pass|secret|token|url|key", re.IGNORECASE
)


def _kind_of_part(part: object) -> str:
    is_place = "site" in part if isinstance(part, dict) else isinstance(part, Place)
    return "site" if is_place else "sysplex"


EstatePart = Annotated[
    Annotated[Sysplex, Tag("sysplex")] | Annotated[Place, Tag("site")], Discriminator(_kind_of_part)
]


class Settings(BaseSettings):
    """All settings of a site. Create it with ``load_settings``."""

    model_config = SettingsConfigDict(
        env_prefix="MQCAP_",
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    site: Site = Site()
    estate: tuple[EstatePart, ...] = ()
    """Sysplexes (key ``sysplex``), and places of other queue managers (key ``site``)."""
    site_figures: tuple[DeclaredFigure, ...] = ()
    """Figures that the site measures itself, beside those that rules know."""
    lake: Address = "var/lake"
    """Folder or object-store address of the datasets."""
    store: StoreSettings = StoreSettings()
    ingest: IngestSettings = IngestSettings()
    spark: SparkSettings = SparkSettings()
    forecast: ForecastSettings = ForecastSettings()
    rules: RuleWindow = RuleWindow()
    grading: dict[str, GradePolicy] = {"default": GradePolicy()}
    alerts: AlertSettings = AlertSettings()
    reports: ReportSettings = ReportSettings()
    plan: PlanSettings = PlanSettings()
    attribution: AttributionSettings = AttributionSettings()
    unit_costs: UnitCostSettings = UnitCostSettings()
    transports: TransportSettings = TransportSettings()
    drivers: DriverSettings = DriverSettings()
    smtp: SmtpServer | None = None

    @model_validator(mode="after")
    def _estate_is_consistent(self) -> Self:
        check_places(self.ingest, self.complete_estate())
        return self

    @field_validator("site_figures")
    @classmethod
    def _figures_once(cls, figures: tuple[DeclaredFigure, ...]) -> tuple[DeclaredFigure, ...]:
        names = [figure.figure for figure in figures]
        twice = sorted({name for name in names if names.count(name) > 1 or name in UNITS})
        if twice:
            raise ValueError(f"declared twice, or known to a rule already: {', '.join(twice)}")
        falling = [figure.figure for figure in figures if figure.direction is Direction.downward]
        lowest = {f"{name}{LOWEST_SUFFIX}" for name in falling}
        if taken := sorted(lowest.intersection(names)):
            raise ValueError(f"the name of the lowest hour of another figure: {', '.join(taken)}")
        return figures

    def complete_estate(self) -> Estate:
        """Return the estate as one object with look-ups."""
        return Estate(
            sysplexes=tuple(part for part in self.estate if isinstance(part, Sysplex)),
            places=tuple(part for part in self.estate if isinstance(part, Place)),
            site_figures=self.site_figures,
        )

    def zones(self) -> dict[str, str]:
        """Return the time zone of each sysplex and place of the estate, by its name."""
        return {part.root: part.timezone for part in self.estate}

    def grade_policy(self, rule_id: str) -> GradePolicy:
        """Return the grade policy of a rule; what it does not state is that of ``default``."""
        return policy_of(self.grading, rule_id)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - fixed signature
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources by precedence: arguments, environment, secret files, YAML file."""
        file = _SettingsFile(settings_cls, yaml_file=settings_file())
        return init_settings, env_settings, file_secret_settings, file


class _SettingsFile(YamlConfigSettingsSource):
    def _read_file(self, file_path: Path | Traversable) -> dict[str, Any]:
        with file_path.open("rb") as file:
            document = parse_yaml(file)
        if not isinstance(document, dict):
            kinds = {list: "a list", NoneType: "an empty file, or only comments"}
            raise ConfigurationError(
                f"settings file {file_path} holds no settings",
                found=kinds.get(type(document), "a text or a number"),
                expected="lines of the form key: value; {} for the defaults alone",
                remedy="Restore it, or remove it: mqcap init writes a first file.",
            )
        return document


def settings_file() -> Path:
    """Return the file named by ``MQCAP_SETTINGS_FILE``, else the one beside this module."""
    return Path(os.environ.get(FILE_VARIABLE) or DEFAULT_FILE)


def load_settings(**overrides: Any) -> Settings:
    """Return the merged settings, ``overrides`` first; ConfigurationError with each wrong key."""
    file = settings_file()
    try:
        if not file.is_file():
            raise ConfigurationError(
                f"settings file {file} cannot be read",
                expected="an existing YAML file",
                remedy=f"Set {FILE_VARIABLE} to its path, or unset it to use the default.",
            )
        return Settings(**overrides)
    except yaml.YAMLError as error:
        found = " ".join(str(error).split())
        if isinstance(error, yaml.MarkedYAMLError) and (mark := error.problem_mark) is not None:
            found = f"line {mark.line + 1}, column {mark.column + 1}: {error.problem or 'an error'}"
        raise ConfigurationError(
            f"settings file {file} is not YAML, or only a part of a file",
            found=found,
            remedy="Correct that line, or restore the file.",
        ) from error
    except PermissionError as error:
        raise ConfigurationError(
            f"settings file {file} cannot be read",
            found=str(error.strerror),
            expected="a file that the user of this command may read",
            remedy=f"Give that user the permission, or set {FILE_VARIABLE} to another file.",
        ) from error
    except SettingsError as error:
        raise ConfigurationError(
            "a variable of the MQCAP_ environment cannot be read",
            found=str(error),
            expected="JSON where the key holds a list or a section",
            remedy="Correct it; `mqcap settings check` prints the merged result.",
        ) from error
    except ValidationError as error:
        raise ConfigurationError(
            f"settings file {file} or MQCAP_ environment: {len(error.errors())} wrong value(s)",
            found=joined(map(_wrong_key, error.errors()), parse_yaml(file.read_text("utf-8"))),
            remedy="Correct the key(s); `mqcap settings check` prints the merged result.",
        ) from error


def _wrong_key(item: ErrorDetails) -> WrongKey:
    """Return the key without the kind of the entry that holds it, and its error."""
    path = item["loc"]
    if path[:1] == ("estate",):
        path = (*path[:2], *path[3:])
    elif path[:2] == ("ingest", "inputs"):
        path = (*path[:3], *path[4:])
    return path, _error_text(item, ".".join(map(str, path)))


def _error_text(item: ErrorDetails, key: str) -> str:
    """Return what is wrong, with the value unless that may be a secret."""
    if item["type"] == "extra_forbidden":
        names = " ".join(_names_in(Settings, item["loc"][:-1]))
        return "no such setting" + (f", expected one of {names}" if names else "")
    value = item.get("input")
    if item["type"] == "model_type":
        names = " ".join(_names_in(Settings, item["loc"]))
        found = "nothing below it" if value is None else "no keys below it"
        return found + (f", expected {names}" if names else "")
    if not key:
        return str(item["msg"]).removeprefix("Value error, ")
    is_plain = isinstance(value, str | int | float) and not _MAY_BE_SECRET.search(key)
    return f"{item['msg']}" + (f" (found {masked(repr(value))})" if is_plain else "")


def _names_in(section: Any, path: Sequence[str | int]) -> list[str]:
    """Return the keys of the section at a path below a type; empty where there is no section."""
    if section is EstatePart:
        return _names_in(Place if path[0] == "site" else Sysplex, path[1:]) if path else []
    if section is InputEntry:
        return _names_in(PlacedInput, path[1:]) if path else []
    if isinstance(section, type) and issubclass(section, BaseModel):
        fields = {field.alias or name: field for name, field in section.model_fields.items()}
        if not path:
            return sorted(fields)
        field = fields.get(str(path[0]))
        return _names_in(field.annotation, path[1:]) if field else []
    inside = path[1:] if get_origin(section) in {dict, list, tuple} else path
    names = (_names_in(part, inside) for part in get_args(section))
    return next(filter(None, names), [])


WrongKey = tuple[Sequence[str | int], str]
"""Path of a key, and its error without the key."""


def joined(errors: Iterable[WrongKey], document: Any) -> str:
    """Return errors with their keys, the same of several entries once, with names or numbers."""
    groups: dict[tuple[str, str], list[Sequence[str | int]]] = {}
    for path, text in errors:
        general = ".".join("*" if isinstance(part, int) else part for part in path)
        groups.setdefault((general, text), []).append(path)
    return "; ".join(
        ": ".join(filter(None, (".".join(map(str, paths[0])), text)))
        if len(paths) == 1
        else f"{general} of {', '.join(_entry(path, document) for path in paths)}: {text}"
        for (general, text), paths in groups.items()
    )


def _entry(path: Sequence[str | int], document: Any) -> str:
    """Return the name of the innermost entry of a list that a path leads through."""
    name = ""
    for part in path:
        is_list = isinstance(document, list) and isinstance(part, int) and part < len(document)
        inside = document.get(part) if isinstance(document, Mapping) else None
        document = document[part] if is_list else inside
        if isinstance(part, int):
            own = document if isinstance(document, Mapping) else {}
            name = next(
                (str(own[key]) for key in ("name", "sysplex", "site") if key in own), str(part)
            )
    return name


_EXPORTED: Final = re.compile(r"export (?P<name>MQCAP_[A-Z0-9_]+)=(?P<value>.*)")


def write_environment_file(path: Path, variables: Mapping[str, str]) -> None:
    """Write one line per variable; an older file is replaced."""
    lines = (f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    write_text(path, "".join(lines))


def read_environment_file(path: Path) -> dict[str, str]:
    """Return the variables of a file with remarks and blank lines; else a ConfigurationError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return dict(_variable(line) for line in lines if line.strip() and line[0] != "#")
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"the settings in {path} cannot be read",
            found=str(error),
            expected="lines of the form: export MQCAP_NAME=value",
            remedy="`make run` writes the file again; MQCAP_SETTINGS_FILE names other settings.",
        ) from error


def _variable(line: str) -> tuple[str, str]:
    found = _EXPORTED.fullmatch(line.rstrip())
    words = shlex.split(found["value"]) if found else []
    if found is None or len(words) > 1:
        raise ValueError(f"the line {line.partition('=')[0]!r}")
    return found["name"], "".join(words)
