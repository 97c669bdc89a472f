"""Channels between queue managers of a sysplex, and the transports that they could move to."""

from enum import StrEnum

from pydantic import AwareDatetime, BaseModel


class Transport(StrEnum):
    """A way to move messages between queue managers, as SYS-COST names it."""

    tcp_ip = "TCP/IP"
    smc_r = "SMC-R"
    smc_d = "SMC-D"
    igq = "IGQ"
    shared_queue = "Shared queue"


class CandidateState(StrEnum):
    """Whether the facts of the estate allow a transport."""

    allowed = "allowed"
    refused = "refused"
    not_known = "not known"
    """A fact is missing; ``missing_keys`` names it."""
    now = "now"
    """It is the transport of today."""


class ChannelTraffic(BaseModel, frozen=True):
    """What one channel moved from one queue manager to another, over the days looked at."""

    sysplex: str
    sender: str
    receiver: str
    channel: str
    measured_by: str
    """The queue manager whose records count: the sender, or the receiver where that has none."""
    sender_system: str | None
    """SMF id of the newest records; ``None`` without any."""
    receiver_system: str | None
    messages: int
    persistent_messages: int
    message_bytes: int
    measured_seconds: float
    """Time in which ``measured_by`` sent 116.10, whether the channel ran or not; above 0."""
    busiest_per_s: float
    """Messages a second in the busiest interval."""
    busiest_start_utc: AwareDatetime
    uses_tls: bool

    @property
    def pair(self) -> str:
        """Both queue managers, the sending one first."""
        return f"{self.sysplex}/{self.sender} > {self.receiver}"

    @property
    def messages_per_s(self) -> float:
        """Mean over the measured time."""
        return self.messages / self.measured_seconds

    @property
    def bytes_per_message(self) -> float:
        """Mean size of a message."""
        return self.message_bytes / self.messages

    @property
    def persistent_pct(self) -> float:
        """Share of persistent messages."""
        return 100 * self.persistent_messages / self.messages


class FacilityEffect(BaseModel, frozen=True):
    """The coupling facility with most room, before and after a move (SYS-CF-CHECK)."""

    facility: str
    busy_pct: float
    """Highest of the days that rules look at, with the moves counted before."""
    after_pct: float
    limit_pct: float
    breach: bool
    counted_moves: int = 0
    """Channels further up the list whose favoured move to it is counted in both figures."""


class MoveFigures(BaseModel, frozen=True):
    """CPU of a transport against that of today, half of SYS-COST's request and reply a message."""

    cpu_us_per_message: float
    """Of z/OS: queue managers, channel initiators, TCP/IP and applications."""
    cf_us_per_message: float
    saved_cpu_s_per_day: float
    """Of z/OS at the mean rate; below 0: it costs more."""
    saved_engine_pct: float
    """Of one z/OS engine in the busiest interval; below 0: it costs more."""
    added_cf_s_per_day: float
    """Time of the coupling facility at the mean rate; below 0: less of it."""


class TransportCandidate(BaseModel, frozen=True):
    """A transport for a channel."""

    transport: Transport
    state: CandidateState = CandidateState.allowed
    reason: str = ""
    """Why it is not allowed; empty where it is."""
    missing_keys: tuple[str, ...] = ()
    """Keys of the settings that would decide."""
    figures: MoveFigures | None = None
    """``None`` where it is not allowed, or the traffic is not like that of the table."""
    facility: FacilityEffect | None = None
    """``None`` where it does not load a coupling facility, or how busy these are is not known."""


class ChannelMove(BaseModel, frozen=True):
    """A channel with its candidates and the one that the rules favour."""

    traffic: ChannelTraffic
    mib_per_s: float
    """By SYS-BANDWIDTH, in the one direction of the channel."""
    now: Transport | None
    """``None``: nothing tells whether SMC is in use."""
    compared_with: Transport
    """Transport of today, TCP/IP where that is not known."""
    figures_refused: tuple[str, ...]
    """Why SYS-COST does not apply to this traffic; empty where it does."""
    candidates: tuple[TransportCandidate, ...]
    move_to: Transport | None
    """By SYS-CHOICE; ``None`` where it favours none, or the one in use."""

    @property
    def favoured(self) -> TransportCandidate | None:
        """The candidate of ``move_to``."""
        return next(
            (candidate for candidate in self.candidates if candidate.transport == self.move_to),
            None,
        )

    @property
    def most_saving(self) -> TransportCandidate | None:
        """The allowed candidate that saves most CPU of z/OS; ``None`` where none saves any."""
        saving = [
            (candidate.figures.saved_cpu_s_per_day, candidate)
            for candidate in self.candidates
            if candidate.state is CandidateState.allowed and candidate.figures
        ]
        saved, best = max(saving, key=lambda item: item[0], default=(0.0, None))
        return best if saved > 0 else None

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """Keys of the settings that its candidates wait for, each once."""
        return tuple(
            dict.fromkeys(key for candidate in self.candidates for key in candidate.missing_keys)
        )
