"""Small HTTP servers that answer like ServiceNow or take webhooks, and misbehave on request.

The server itself serves any ``State``; Jira's is in ``jira_server``.
"""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

JsonReply = tuple[int, Any]
FAILED = {"errorMessages": ["made to fail"]}


class State:
    """What a server knows, the faults to inject, and the requests that it saw."""

    def __init__(self) -> None:
        self.faults: list[int | str] = []
        """Statuses or garbage to answer with instead."""
        self.reply_delays: list[float] = []
        """Seconds to stay silent after doing what a change asks for, one for each change."""
        self.requests: list[str] = []
        """Method and path."""
        self.authorizations: set[str | None] = set()
        self.headers: list[dict[str, str]] = []
        self.raw: list[bytes] = []

    @property
    def changes(self) -> list[str]:
        return [request for request in self.requests if not request.startswith("GET")]

    def saw(self, method: str, path: str, headers: dict[str, str], raw: bytes) -> None:
        """Note a request before it is answered."""
        self.requests.append(f"{method} {path}")
        self.authorizations.add(headers.get("Authorization"))
        self.headers.append(headers)
        self.raw.append(raw)

    def serve(self, method: str, path: str, query: dict[str, str], body: Any) -> JsonReply:
        """Return status and document of one request."""
        raise NotImplementedError


class Table(State):
    """ServiceNow's incident table and journal."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[dict[str, Any]] = []
        self.journal: list[dict[str, str]] = []

    def serve(self, method: str, path: str, query: dict[str, str], body: Any) -> JsonReply:
        if path.endswith("/sys_journal_field"):
            return 200, {"result": self.journal}
        if method == "GET":
            match = re.match(r"correlation_id=([\w-]+)\^", query["sysparm_query"])
            wanted = match[1] if match else ""
            result = [item for item in reversed(self.records) if item["correlation_id"] == wanted]
            return 200, {"result": result[:1]}
        if method == "POST":
            number = len(self.records) + 1
            self.records.append({"sys_id": f"id{number}", "number": f"INC{number}", **body})
            self.records[-1].setdefault("state", "1")
            return 201, {"result": self.records[-1]}
        [record] = [item for item in self.records if item["sys_id"] == path.rsplit("/", 1)[1]]
        record.update(body)
        return 200, {"result": record}


class Hook(State):
    """A receiver that does each change once."""

    def __init__(self) -> None:
        super().__init__()
        self.done: dict[str, Any] = {}

    @property
    def events(self) -> list[str]:
        return [document["event"] for document in self.done.values()]

    def serve(self, method: str, path: str, query: dict[str, str], body: Any) -> JsonReply:
        key = self.headers[-1]["Idempotency-Key"]
        self.done.setdefault(key, body)
        return 200, {"reference": f"HOOK-{body['key'][-4:]}"}


class _Handler(BaseHTTPRequestHandler):
    state: ClassVar[State]
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.state.saw(self.command, self.path, dict(self.headers.items()), raw)
        fault = self.state.faults.pop(0) if self.state.faults else None
        if fault is None:
            body = json.loads(raw) if raw else None
            status, document = self.state.serve(self.command, address.path, query, body)
        else:
            status, document = (fault, FAILED) if isinstance(fault, int) else (200, fault)
        if self.command != "GET" and self.state.reply_delays:
            time.sleep(self.state.reply_delays.pop(0))
            self.close_connection = True
            return
        text = document if isinstance(document, str) else json.dumps(document)
        payload = b"" if document is None else text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json;charset=UTF-8")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_POST = do_PUT = do_PATCH = _serve  # noqa: N815 - names that http.server asks for

    def log_message(self, *_args: Any) -> None:
        """Keep the test's output clean."""


@contextmanager
def json_server(state: State) -> Iterator[str]:
    """The address of a server on a free port of this machine."""
    handler = type("Handler", (_Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
