"""TLS on channels: start, key negotiation, stop, and AT-TLS."""

from typing import Final, Literal

from mqcap.domain.units import Amount, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import figures, number, row

START = mp16("TLS channel start costs")
STOP = mp16("Stopping TLS channels")
ATTLS = mp16("Using AT-TLS to encrypt data flowing over IBM MQ channels")

WITHOUT_TLS: Final = frozenset({"none", "no tls", "no ssl", "unprotected"})
STOP_US: Final = {"none": 340, "AT-TLS": 340, "System SSL": 450}
NEGOTIATION_MS: Final = {"hardware": (2, 7), "software": (70, 133)}


@calculator("CH-TLS-START", "Start of a TLS channel", START)
def tls_start(cipher: str | None, channels_in_syncq: Literal[4000] = 4_000) -> Figures:
    """Measured on z16 with Crypto Express 8S and 2048-bit certificates.

    Without TLS (no cipher, or ``none``) it is the start of CH-START-STOP with as many channels.
    """
    return _start(cipher, channels_in_syncq)


@form_of("CH-TLS-START")
def tls_starts(cipher: str | None, channels: PositiveCount) -> Figures:
    """Time and CPU until so many have started, at the measured rate."""
    measured = _start(cipher, 4_000)
    return {
        "seconds": channels / measured["channels_per_s"],
        "cpu_s": channels * measured["cpu_ms"] / 1_000,
    }


@calculator("CH-TLS-ALIAS", "Start through an alias", mp16("Starting TLS channels using aliases"))
def alias_start(alias: str) -> Figures:
    """The cipher that is negotiated, and what it costs."""
    negotiated = row("tls_alias", alias=alias)["negotiated"]
    return {
        "negotiated": negotiated,
        **figures("tls_alias", ["cpu_ms", "channels_per_s"], alias=alias),
    }


@calculator("CH-TLS-NEG", "Secret key negotiation", mp16("Secret key (re-)negotiation costs"))
def negotiations(
    mb_per_s: Amount, sslrkeyc_mb: Positive, crypto: Literal["hardware", "software"] = "hardware"
) -> Figures:
    """A larger SSLRKEYC negotiates less often (F-41); TLS 1.3 wants SSLRKEYC(0)."""
    rate = mb_per_s / sslrkeyc_mb
    low, high = NEGOTIATION_MS[crypto]
    return {
        "negotiations_per_s": rate,
        "cpu_from_ms_per_s": rate * low,
        "cpu_to_ms_per_s": rate * high,
    }


@form_of("CH-TLS-NEG")
def negotiation_cost(
    cost_with_us: Amount, cost_without_us: Amount, messages_per_negotiation: PositiveCount
) -> Figures:
    """Of one, from two tests of the same load."""
    return {"cpu_us": (cost_with_us - cost_without_us) * messages_per_negotiation}


@calculator("CH-TLS-STOP", "Stop of a TLS channel", STOP)
def tls_stop(protection: Literal["none", "AT-TLS", "System SSL"]) -> Figures:
    """Measured on z16; TCPIP takes 10 to 60 us more."""
    return {"cpu_us": STOP_US[protection]}


@calculator("CH-ATTLS", "AT-TLS against System SSL", ATTLS)
def attls_change(system_ssl_ms: Positive, attls_ms: Positive) -> Figures:
    """Per cent; computed, because one printed value does not follow (F-29)."""
    return {"change_pct": 100 * (attls_ms - system_ssl_ms) / system_ssl_ms}


def _start(cipher: str | None, channels_in_syncq: int) -> dict[str, float]:
    if cipher is not None and cipher.lower() not in WITHOUT_TLS:
        return figures("tls_start", ["cpu_ms", "channels_per_s"], cipher=cipher)
    plain = row("channel_start_stop", channels_in_syncq=channels_in_syncq)
    return {"cpu_ms": number(plain["start_cpu_ms"]), "channels_per_s": number(plain["start_per_s"])}
