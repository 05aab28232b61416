#!/usr/bin/env python3
"""`pawl mcp` from outside: a small client of the Model Context Protocol orchestrates agents with it, and tries to break it.
With PAWL_MCP_SCHEMAS=DIR (the protocol's own DIR/REVISION.json, and Python's jsonschema) every message is held against its schema."""
import json
import os
import queue
import signal
import subprocess
import threading
import unittest

from fleet import PATIENCE, PAWL, FleetCase, alive, until

NEWEST = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}


class Schema:
    """What the protocol's own schema says of a server's messages; nothing when it is not there."""

    def __init__(self, revision):
        self.validate = lambda name, value: None
        path = os.path.join(os.environ.get("PAWL_MCP_SCHEMAS", ""), f"{revision}.json")
        if os.path.isabs(path) and os.path.exists(path):
            import jsonschema
            with open(path, encoding="utf-8") as file:
                whole = json.load(file)
            key = "$defs" if "$defs" in whole else "definitions"
            self.error = "JSONRPCErrorResponse" if "JSONRPCErrorResponse" in whole[key] else "JSONRPCError"
            self.validate = lambda name, value: jsonschema.validate(value, {**whole, "$ref": f"#/{key}/{name}"})

    def check(self, message, method):
        if "error" in message:
            if "id" in message:  # of a message that could not be read nobody knows the id: the oldest schema has no form for that
                self.validate(getattr(self, "error", ""), message)
        elif "method" in message:
            self.validate("ServerNotification", message)
        else:
            self.validate("JSONRPCMessage", message)
            self.validate(RESULTS.get(method, "Result"), message["result"])


RESULTS = {"initialize": "InitializeResult", "server/discover": "DiscoverResult", "tools/list": "ListToolsResult",
           "tools/call": "CallToolResult", "resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
           "resources/templates/list": "ListResourceTemplatesResult", "prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult"}


class McpClient:
    """Speaks with one `pawl mcp`; whatever it says has to be a message."""

    def __init__(self, environment, folder, revision="2025-11-25"):
        self.process = subprocess.Popen([PAWL, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment, cwd=folder)
        self.messages = queue.Queue()
        self.kept = []  # read while something else was looked for
        self.id = 0
        self.methods = {}  # of requests, by their id
        self.schema = Schema(revision or "2026-07-28")
        threading.Thread(target=self.read, daemon=True).start()
        if revision:
            self.began = self.ask("initialize", protocolVersion=revision, capabilities={}, clientInfo={"name": "t", "version": "1"})
            self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0", line
            self.messages.put(message)

    def write(self, message):
        self.write_line(json.dumps(message).encode())

    def write_line(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def begin(self, method, **params):
        self.id += 1
        self.methods[self.id] = method
        self.write({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        return self.id

    def find(self, wanted):
        """The next message like that; others are kept for later."""
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        while True:
            message = self.messages.get(timeout=PATIENCE)
            self.schema.check(message, self.methods.get(message.get("id")))
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, request):
        return self.find(lambda message: message.get("id") == request)

    def told(self, method):
        return self.find(lambda message: message.get("method") == method)

    def ask(self, method, **params):
        message = self.answer(self.begin(method, **params))
        assert "result" in message, message
        return message["result"]

    def error(self, method, **params):
        return self.answer(self.begin(method, **params))["error"]["code"]

    def call(self, tool, /, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments)

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=PATIENCE)
        complaints = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, complaints


class McpTest(FleetCase):
    def client(self, revision="2025-11-25", **more):
        client = McpClient({**self.environment, **more}, self.folder, revision)
        self.addCleanup(lambda: client.process.stdin.closed or client.close())
        return client

    def test_an_orchestrator_lists_starts_waits_and_reads(self):
        self.sh("docs", "echo hello; exec cat")
        for revision in ("2025-06-18", "2025-11-25"):
            with self.subTest(revision):
                client = self.client(revision)
                self.assertEqual(client.began["protocolVersion"], revision)
                names = {tool["name"] for tool in client.ask("tools/list")["tools"]}
                self.assertLess({"ls", "task_start", "task_wait", "task_output", "screen", "stop"}, names)
                listed = client.call("ls")
                self.assertEqual([agent["name"] for agent in listed["structuredContent"]["agents"] if agent["name"] == "docs"], ["docs"])
                task = "t-" + revision
                started = client.call("task_start", name=task, prompt="seven", command=["sh", "-c", "read it; echo got $it"])
                self.assertFalse(started.get("isError"), started)
                waited = client.call("task_wait", names=[task])
                self.assertEqual(waited["structuredContent"]["tasks"][0]["status"], "completed")
                said = client.call("task_output", name=task)
                self.assertIn("got seven", said["content"][0]["text"])
                self.assertIn("got seven", said["structuredContent"]["text"])
                self.assertEqual(client.close(), (0, ""))

    def test_the_newest_revision_needs_no_beginning(self):
        self.sh("docs", "exec cat")
        client = self.client(None)
        found = client.ask("server/discover", _meta=NEWEST)
        self.assertIn("2026-07-28", found["supportedVersions"])
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            self.assertEqual(client.ask(method, _meta=NEWEST)["cacheScope"], "private")
        client.ask("resources/read", _meta=NEWEST, uri="pawl://report")
        client.ask("prompts/get", _meta=NEWEST, name="morning-report", arguments={"since": "1h"})
        called = client.ask("tools/call", _meta=NEWEST, name="ls", arguments={})
        self.assertEqual(called["resultType"], "complete")
        self.assertIn("docs", called["content"][0]["text"])
        listen = client.begin("subscriptions/listen", _meta=NEWEST,
                              notifications={"resourceSubscriptions": ["pawl://agent/docs/why"], "toolsListChanged": True})
        taken = client.told("notifications/subscriptions/acknowledged")["params"]
        self.assertEqual(taken["notifications"], {"resourceSubscriptions": ["pawl://agent/docs/why"]})
        self.assertEqual(taken["_meta"]["io.modelcontextprotocol/subscriptionId"], listen)
        client.ask("tools/call", _meta=NEWEST, name="stop", arguments={"names": ["docs"]})
        updated = client.told("notifications/resources/updated")["params"]
        self.assertEqual((updated["uri"], updated["_meta"]["io.modelcontextprotocol/subscriptionId"]), ("pawl://agent/docs/why", listen))
        self.assertEqual(client.close(), (0, ""))

    def test_a_wait_holds_up_nothing_tells_how_long_and_can_be_cancelled(self):
        self.sh("docs", "exec cat")
        client = self.client()
        wait = client.begin("tools/call", name="wait", arguments={"names": ["docs"], "until": "exited", "timeout": "1h"},
                            _meta={"progressToken": "p"})
        self.assertEqual(client.told("notifications/progress")["params"]["progressToken"], "p")
        self.assertIn("docs", client.call("ls")["content"][0]["text"])
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": wait}})
        short = client.call("wait", names=["docs"], until="exited", timeout="1s")
        self.assertTrue(short["structuredContent"]["still_running"])
        self.assertFalse(short.get("isError"))
        self.assertEqual([message for message in client.kept if message.get("id") == wait], [])
        task = client.call("task_start", name="long", prompt="x", command=["sleep", "1000"])
        self.assertFalse(task.get("isError"), task)
        client.begin("tools/call", name="task_wait", arguments={"names": ["long"]})
        cancelled = client.call("task_cancel", name="long")["structuredContent"]
        self.assertEqual(cancelled["status"], "cancelled")
        client.begin("tools/call", name="wait", arguments={"names": ["docs"], "until": "exited", "timeout": "1h"})
        self.assertEqual(client.close(), (0, ""), "the end of standard input ends waits, too")

    def test_resources_are_read_and_watched(self):
        self.sh("docs", "echo some words; exec cat")
        client = self.client()
        until("the words are on the screen", lambda: "some words" in self.screen("docs"))
        uris = [row["uri"] for row in client.ask("resources/list")["resources"]]
        self.assertIn("pawl://agent/docs/screen", uris)
        self.assertEqual(len(client.ask("resources/templates/list")["resourceTemplates"]), 5)
        for uri in uris:
            text = client.ask("resources/read", uri=uri)["contents"][0]["text"]
            if uri.endswith(("screen", "log")):
                self.assertIn("some words", text)
            else:
                json.loads(text)
        self.assertEqual(client.ask("resources/subscribe", uri="pawl://agent/docs/screen"), {})
        self.pawl("stop", "docs")
        self.assertEqual(client.told("notifications/resources/updated")["params"]["uri"], "pawl://agent/docs/screen")
        self.assertEqual(client.ask("prompts/list")["prompts"][0]["name"], "morning-report")
        self.assertIn("report", client.ask("prompts/get", name="morning-report")["messages"][0]["content"]["text"])

    def test_a_task_is_watched(self):
        client = self.client()
        client.call("task_start", name="t", prompt="x", command=["sh", "-c", "read it; exec sleep 1000"])
        self.assertEqual(client.ask("resources/subscribe", uri="pawl://task/t/result"), {})
        client.call("task_cancel", name="t")
        self.assertEqual(client.told("notifications/resources/updated")["params"]["uri"], "pawl://task/t/result")

    def test_twenty_malformed_messages(self):
        client = self.client()
        lines = {b"{": -32700, b"\xff\xfe": -32700, b'{"jsonrpc":"2.0",}': -32700, b"[]": -32600, b"7": -32600, b"null": -32600,
                 b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]': -32600, b'{"id":1,"method":"ping"}': -32600,
                 b'{"jsonrpc":"1.0","id":1,"method":"ping"}': -32600, b'{"jsonrpc":"2.0","id":1}': -32600,
                 b'{"jsonrpc":"2.0","id":1,"method":[]}': -32600, b'{"jsonrpc":"2.0","id":null,"method":"ping"}': -32600,
                 b'{"jsonrpc":"2.0","id":1,"method":"ping","params":3}': -32602,
                 b'{"jsonrpc":"2.0","id":"' + b"x" * 10_000_000 + b'","method":"ping"}': -32600,
                 b"[" * 100_000: -32700}
        for line, code in lines.items():
            client.write_line(line)
            self.assertEqual(client.find(lambda message: "error" in message)["error"]["code"], code, line[:80])
        self.assertEqual(client.error("no/such/method"), -32601)
        self.assertEqual(client.error("tools/call", name="no_such_tool"), -32602)
        self.assertEqual(client.error("tools/call", name="ls", arguments=[1]), -32602)
        self.assertEqual(client.error("resources/read", uri="pawl://agent/docs/nothing"), -32002)
        self.assertEqual(client.error("server/discover", _meta={**NEWEST, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}), -32022)
        wrong = client.call("show", nam="docs")
        self.assertTrue(wrong["isError"])
        self.assertIn("did you mean 'name'?", wrong["content"][0]["text"])
        client.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}})
        self.assertEqual(client.error("resources/read", uri="pawl://agent/nobody/why"), -32002)
        gone = client.call("show", name="nobody")
        self.assertTrue(gone["isError"])
        self.assertIn("nobody", gone["content"][0]["text"])
        self.assertEqual(client.ask("ping"), {})
        self.assertEqual(client.close(), (0, ""))

    def test_a_daemon_that_dies_in_the_middle(self):
        self.sh("docs", "exec cat")
        client = self.client()
        wait = client.begin("tools/call", name="wait", arguments={"names": ["docs"], "until": "exited"}, _meta={"progressToken": 1})
        client.told("notifications/progress")
        pid = json.loads(self.pawl("status", "--json").stdout)["pid"]
        os.kill(pid, signal.SIGKILL)
        until("the daemon is gone", lambda: not alive(pid))
        answer = client.answer(wait)["result"]
        self.assertTrue(answer["isError"])
        self.assertIn("the daemon ended while it was at this", answer["content"][0]["text"])
        self.assertIn("docs", client.call("ls")["content"][0]["text"])

    def test_who_asks_is_the_agent_it_runs_in(self):
        """By the kernel, not by what it says: an agent may look and start tasks, and may not stop another."""
        self.sh("docs", "exec cat")
        asks = "\n".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/call",
                                     "params": {"_meta": NEWEST, "name": name, "arguments": arguments}})
                         for i, (name, arguments) in enumerate([("ls", {}), ("stop", {"names": ["docs"]})]))
        with open(self.folder + "/asks", "w", encoding="utf-8") as file:
            file.write(asks + "\n")
        self.sh("boss", f"(cat {self.folder}/asks; sleep 5) | {PAWL} mcp > {self.folder}/answers; exec cat")

        def answers():
            if not os.path.exists(self.folder + "/answers"):
                return None
            with open(self.folder + "/answers", encoding="utf-8") as file:
                rows = [json.loads(line) for line in file if line.endswith("\n")]
            return {row["id"]: row["result"] for row in rows} if len(rows) == 2 else None
        both = until("both are answered", answers)
        self.assertFalse(both[0].get("isError"), both)
        self.assertTrue(both[1]["isError"])
        self.assertEqual(both[1]["structuredContent"]["error"]["exit_code"], 6)
        self.assertNotEqual(self.agents()["docs"]["state"], "exited")


class McpInstallTest(FleetCase):
    def setUp(self):
        super().setUp()
        self.environment.update(CLAUDE_CONFIG_DIR=self.folder, CODEX_HOME=self.folder + "/codex", GEMINI_CLI_HOME=self.folder)
        self.files = {"claude": "/.claude.json", "codex": "/codex/config.toml", "gemini": "/.gemini/settings.json"}

    def text(self, program):
        with open(self.folder + self.files[program], encoding="utf-8") as file:
            return file.read()

    def put(self, program, text):
        path = self.folder + self.files[program]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_it_is_written_shown_and_taken_back(self):
        before = {"claude": '{\n  "numStartups": 3,\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n',
                  "codex": '# mine\nmodel = "m"  # this one\n', "gemini": '{"theme": "dark", "mcpServers": {"other": {}}}\n'}
        for program, text in before.items():
            with self.subTest(program):
                self.put(program, text)
                refused = self.pawl("mcp", "install", program, code=2)
                self.assertIn("--yes", refused.stderr)
                self.assertEqual(self.text(program), text)
                shown = self.pawl("mcp", "install", program, "--yes").stdout
                self.assertIn("mcp", shown)
                self.assertIn(self.home, self.text(program))
                self.assertIn("already", self.pawl("mcp", "install", program, "--yes").stdout)
                with open(self.folder + self.files[program] + ".before-pawl", encoding="utf-8") as file:
                    self.assertEqual(file.read(), text)
                self.pawl("mcp", "install", program, "--undo", "--yes")
                self.assertEqual(self.text(program), text)
                self.assertIn("no entry", self.pawl("mcp", "install", program, "--undo").stdout)

    def test_it_is_made_where_there_is_none(self):
        for program in self.files:
            self.pawl("mcp", "install", program, "--yes")
        entry = json.loads(self.text("claude"))["mcpServers"]["pawl"]
        done = subprocess.run([entry["command"], *entry["args"]], env={**self.environment, **entry["env"]}, check=True, timeout=60,
                              input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', stdout=subprocess.PIPE)
        self.assertEqual(json.loads(done.stdout), {"jsonrpc": "2.0", "id": 1, "result": {}})

    def test_comments_and_mistakes_are_never_destroyed(self):
        for program, text in {"claude": '{"a": 1,}\n', "gemini": "// mine\n{}\n", "codex": "model = \n"}.items():
            with self.subTest(program):
                self.put(program, text)
                refused = self.pawl("mcp", "install", program, "--yes", code=1)
                self.assertIn("by hand", refused.stdout)
                self.assertEqual(self.text(program), text)
        self.assertIn("claude, codex or gemini", self.pawl("mcp", "install", "vim", code=2).stderr)
        self.pawl("mcp", "serve", code=2)

    def test_a_link_stays_a_link(self):
        with open(self.folder + "/dotfile", "w", encoding="utf-8") as file:
            file.write("{}\n")
        os.symlink(self.folder + "/dotfile", self.folder + "/.claude.json")
        self.pawl("mcp", "install", "claude", "--yes")
        self.assertTrue(os.path.islink(self.folder + "/.claude.json"))
        self.assertIn("pawl", self.text("claude"))


if __name__ == "__main__":
    unittest.main()
