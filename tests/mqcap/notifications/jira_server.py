"""A small HTTP server that answers like Jira's REST interface for the calls that we make."""

import re
from typing import Any

from tests.mqcap.notifications.json_server import JsonReply, State

STATUSES = {"Open": "new", "In Progress": "indeterminate", "Done": "done"}
WAYS = {"11": "Open", "21": "Done"}
"""Names of statuses by the number of the transition."""


class JiraState(State):
    """The issues, and what people and the search do."""

    def __init__(self) -> None:
        super().__init__()
        self.issues: dict[str, dict[str, Any]] = {}
        self.lagging_search = False
        self.blind_searches = 0
        """Number of searches that do not find anything yet."""
        self.answers: list[str] = []
        """Comments of people."""

    def search(self, jql: str) -> JsonReply:
        match = re.search(r'project = "(\w+)" AND labels = "([\w-]+)"', jql)
        if match is None:
            return 400, {"errorMessages": [f"cannot read {jql}"]}
        if self.blind_searches:
            self.blind_searches -= 1
            return 200, {"issues": []}
        result = [
            issue
            for issue in reversed(self.issues.values())
            if match[2] in issue["fields"]["labels"] and not self.lagging_search
        ]
        return 200, {"issues": [{"key": issue["key"]} for issue in result]}

    def create(self, fields: dict[str, Any]) -> JsonReply:
        if fields["project"]["key"] != "CAP":
            return 400, {"errorMessages": [], "errors": {"project": "project is required"}}
        key = f"CAP-{len(self.issues) + 1}"
        self.issues[key] = {"key": key, "fields": {**fields, "comments": []}}
        self.set_status(key, "Open")
        return 201, {"key": key, "id": str(len(self.issues))}

    def change(self, key: str, body: dict[str, Any]) -> JsonReply:
        fields = self.issues[key]["fields"]
        fields.update(body.get("fields", {}))
        fields["comments"] += [item["add"]["body"] for item in body["update"]["comment"]]
        return 204, None

    def transition(self, key: str, body: dict[str, Any]) -> JsonReply:
        self.set_status(key, WAYS[body["transition"]["id"]])
        fields = self.issues[key]["fields"]
        comments = body.get("update", {}).get("comment", [])
        fields["comments"] += [comment["add"]["body"] for comment in comments]
        return 204, None

    def set_status(self, key: str, name: str) -> None:
        category = {"key": STATUSES[name]}
        self.issues[key]["fields"]["status"] = {"name": name, "statusCategory": category}

    def serve(self, method: str, path: str, query: dict[str, str], body: Any) -> JsonReply:
        parts = re.sub(r"^/rest/api/\d/", "", path).split("/")
        if parts[0] == "search":
            return self.search(query["jql"])
        if len(parts) == 1:
            return self.create(body["fields"])
        if parts[1] not in self.issues:
            return 404, {"errorMessages": ["Issue Does Not Exist"]}
        return self.issue(method, parts, body)

    def issue(self, method: str, parts: list[str], body: Any) -> JsonReply:
        if parts[2:] == ["transitions"] and method == "POST":
            return self.transition(parts[1], body)
        if parts[2:] == ["transitions"]:
            ways = [
                {"id": number, "name": name, "to": {"name": name}} for number, name in WAYS.items()
            ]
            return 200, {"transitions": ways}
        if parts[2:] == ["comment"]:
            words = self.issues[parts[1]]["fields"]["comments"] + self.answers
            return 200, {"comments": [{"body": w, "author": {"displayName": "P"}} for w in words]}
        return self.change(parts[1], body) if method == "PUT" else (200, self.issues[parts[1]])
