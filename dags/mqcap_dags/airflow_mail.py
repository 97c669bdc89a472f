"""The mail server of Airflow's connection, reached as Airflow's own notifier reaches it.

The hook of the SMTP provider reads the keys of the connection: ``disable_ssl``, ``disable_tls``,
``ssl_context``, ``timeout``, ``retry_limit``, ``auth_type`` and the keys of OAuth 2.
"""

from __future__ import annotations

import smtplib
from functools import partial
from typing import TYPE_CHECKING, cast

from airflow.providers.smtp.hooks.smtp import SmtpHook
from mqcap_dags.airflow_names import AirflowException

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications.smtp import MailServer

if TYPE_CHECKING:
    from airflow.sdk import Connection


class _Hook(SmtpHook):
    """The hook, also for the machine itself and for a port with TLS from the start.

    On such a port the hook would ask for STARTTLS, and sign in by OAuth 2 before it has greeted.
    """

    @property
    def host(self) -> str:
        return super().host or "localhost"

    @property
    def smtp_starttls(self) -> bool:
        return super().smtp_starttls and not self.use_ssl

    def _build_client(self) -> smtplib.SMTP_SSL | smtplib.SMTP:
        client = super()._build_client()
        client.ehlo()
        return client

    def get_conn(self) -> SmtpHook:
        try:
            return super().get_conn()
        except BaseException:
            if self._smtp_client is not None:
                self._smtp_client.close()
            raise


def mail_server(conn: Connection) -> MailServer:
    """Return the mail server of a connection."""
    port = f":{conn.port}" if conn.port else ""
    place = f"{conn.host or 'localhost'}{port} (Airflow connection {conn.conn_id})"
    return MailServer(place, partial(_connect, conn.conn_id))


def _connect(conn_id: str) -> smtplib.SMTP:
    """Connect and sign in.

    Raises what smtplib and sockets raise, and ConfigurationError for the connection's own keys.
    """
    hook = _Hook(conn_id)
    try:
        hook.get_conn()
    except OSError:  # also each error of smtplib and TLS, some of which are ValueError too
        raise
    except (AirflowException, RuntimeError, ValueError, ImportError) as error:
        if isinstance(error.__context__, smtplib.SMTPException):
            raise error.__context__ from error
        raise ConfigurationError(
            f"the Airflow connection {conn_id} cannot be used",
            found=str(error),
            remedy="Correct its extras, or install what they need (OAuth 2 with client_id: msal).",
        ) from error
    return cast("smtplib.SMTP", hook._smtp_client)  # noqa: SLF001 - the hook sends only its own
