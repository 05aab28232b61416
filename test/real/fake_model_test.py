#!/usr/bin/env python3
"""The fake model by itself, no agents needed: every interface whole and streamed, errors, scenario files, and what counts as a
prompt. Run by plain `make test`."""
import http.client
import json
import os
import tempfile
import time
import unittest
import urllib.parse

from fake_model import ERRORS, BadScenario, FakeModel, Step, fail, hang, read, refuse, run, say

SHELL = {"anthropic": "Bash", "responses": "exec_command", "chat": "bash", "gemini": "run_shell_command"}
PATHS = {"anthropic": "/v1/messages", "responses": "/v1/responses", "chat": "/v1/chat/completions",
         "gemini": "/v1beta/models/fake:"}


def question(talk, *prompts, stream=True):
    """A request of the conversation, as that interface has it; between the prompts are answers."""
    said = [("user" if at % 2 == 0 else "agent", text) for at, text in enumerate(prompts)]
    if talk == "gemini":
        return {"contents": [{"role": "user" if who == "user" else "model", "parts": [{"text": text}]} for who, text in said],
                "tools": [{"functionDeclarations": [{"name": SHELL[talk]}]}]}
    messages = [{"role": "user" if who == "user" else "assistant", "content": text} for who, text in said]
    tools = {"anthropic": [{"name": "Bash"}, {"name": "Read"}], "responses": [{"type": "function", "name": "exec_command"}],
             "chat": [{"type": "function", "function": {"name": "bash"}}]}[talk]
    return {"model": "m", "stream": stream, "tools": tools, "input" if talk == "responses" else "messages": messages}


def events_of(body):
    return [json.loads(line[6:]) for line in body.decode().splitlines() if line.startswith("data: {")]


def text_of(talk, body, stream):
    """The answer's text."""
    if not stream:
        whole = json.loads(body)
        return {"anthropic": lambda: whole["content"][0]["text"], "responses": lambda: whole["output"][0]["content"][0]["text"],
                "chat": lambda: whole["choices"][0]["message"]["content"],
                "gemini": lambda: whole["candidates"][0]["content"]["parts"][0]["text"]}[talk]()
    pieces = {"anthropic": lambda event: event.get("delta", {}).get("text", ""),
              "responses": lambda event: event.get("delta", ""),
              "chat": lambda event: "".join(choice["delta"].get("content") or "" for choice in event["choices"]),
              "gemini": lambda event: event["candidates"][0]["content"]["parts"][0].get("text", "")}[talk]
    return "".join(map(pieces, events_of(body)))


class FakeModelTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = self.folder + "/model.jsonl"
        self.model = FakeModel(self.file)
        self.addCleanup(self.model.close)

    def post(self, path, body):
        """Status, headers and body of the answer."""
        link = http.client.HTTPConnection(urllib.parse.urlsplit(self.model.url).netloc, timeout=10)
        try:
            link.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def ask(self, talk, *prompts, stream=True):
        path = PATHS[talk]
        if talk == "gemini":
            path += "streamGenerateContent?alt=sse" if stream else "generateContent"
        return self.post(path, question(talk, *prompts, stream=stream))

    def test_every_interface_answers_whole_and_streamed(self):
        for talk in PATHS:
            for stream in (True, False):
                if talk == "gemini" and not stream:
                    continue  # its conversation is always streamed
                with self.subTest(talk=talk, stream=stream):
                    self.model.script(say("Hello äöü, „you“.", begin=0, pieces=5, every=0))
                    status, _, body = self.ask(talk, f"hi {talk} {stream}", stream=stream)
                    self.assertEqual((status, text_of(talk, body, stream)), (200, "Hello äöü, „you“."))
                    self.assertEqual(self.model.prompts()[-1], f"hi {talk} {stream}")

    def test_a_stream_takes_its_time(self):
        self.model.script(say("abcd", begin=0.2, pieces=4, every=0.1))
        began = time.monotonic()
        self.ask("chat", "slow")
        self.assertGreaterEqual(time.monotonic() - began, 0.6)

    def test_the_shell_is_called_by_the_agents_own_name_for_it(self):
        for talk, name in SHELL.items():
            with self.subTest(talk=talk):
                self.model.script(run("touch x", ask=True))
                body = self.ask(talk, "call " + talk)[2].decode()
                self.assertIn(name, body)
                self.assertIn("touch x", body)
                self.assertEqual("require_escalated" in body, talk == "responses")

    def test_tokens_are_counted_and_models_listed(self):
        self.assertEqual(json.loads(self.post("/v1/messages/count_tokens", {})[2]), {"input_tokens": 1000})
        self.assertEqual(json.loads(self.post("/v1beta/models/x:countTokens", {})[2]), {"totalTokens": 1000})
        self.assertEqual(self.post("/v1/unheard-of", {})[0], 404)

    def test_a_side_request_gets_what_its_schema_wants(self):
        schema = {"type": "object", "properties": {"why": {"type": "string"}, "choice": {"type": "string", "enum": ["a", "b"]}}}
        status, _, body = self.post(PATHS["gemini"] + "generateContent", {
            "contents": [{"role": "user", "parts": [{"text": "which?"}]}], "generationConfig": {"responseJsonSchema": schema}})
        self.assertEqual(status, 200)
        self.assertEqual(json.loads(text_of("gemini", body, False)), {"why": "Sample task", "choice": "b"})
        self.assertEqual(self.model.prompts(), [])

    def test_errors_have_the_vendors_form(self):
        wanted = {"unauthorized": 401, "forbidden": 403, "rate-limit": 429, "usage-limit": 429, "server": 500, "context": 400}
        for talk in PATHS:
            for name in ERRORS:
                with self.subTest(talk=talk, name=name):
                    self.model.script(fail(name, reset=60, begin=0))
                    status, headers, body = self.ask(talk, "fail")
                    self.assertEqual(status, wanted.get(name, 529 if talk == "anthropic" else 503))
                    self.assertTrue(json.loads(body)["error"]["message"])
                    if name == "usage-limit":
                        reset = headers.get("anthropic-ratelimit-unified-reset") or json.loads(body)["error"].get("resets_at")
                        self.assertTrue(reset or "60s" in body.decode())
                    if name == "rate-limit" and talk != "gemini":
                        self.assertEqual(headers["retry-after"], "60")

    def test_a_broken_connection(self):
        self.model.script(say("abcdefgh", begin=0, pieces=4, every=0, cut=2))
        _, _, body = self.ask("anthropic", "break")
        self.assertEqual(text_of("anthropic", body, True), "abcd")
        self.assertNotIn(b"message_stop", body)

    def test_no_answer_until_the_agent_gives_up(self):
        self.model.script(hang())
        link = http.client.HTTPConnection(urllib.parse.urlsplit(self.model.url).netloc, timeout=0.3)
        link.request("POST", "/v1/chat/completions", json.dumps(question("chat", "hang")))
        self.assertRaises(TimeoutError, link.getresponse)
        link.close()
        deadline = time.monotonic() + 5
        while self.model.last("abort") is None and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertIsNotNone(self.model.last("abort"))
        self.ask("chat", "hang")
        self.assertEqual(self.model.prompts(), ["hang", "hang"], "given up and sent again is two")

    def test_prompts_are_counted_once_each(self):
        self.model.script(refuse(529, "overloaded_error", "Overloaded", begin=0, times=2))
        for prompts in (["a"], ["a"], ["a"], ["a", "x", "b\n"], ["a", "x", "b\n", "x", "b\n"], ["other"]):
            self.ask("anthropic", *prompts)
        self.assertEqual(self.model.prompts(), ["a", "b\n", "b\n", "other"])

    def test_what_agents_add_is_no_prompt(self):
        body = question("anthropic", "x")
        body["messages"] = [{"role": "user", "content": [
            {"type": "text", "text": "<system-reminder>\nmind\n</system-reminder>"}, {"type": "text", "text": "\tmine "}]},
            {"role": "assistant", "content": "…"},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "what it printed"}]}]
        self.post("/v1/messages", body)
        self.assertEqual(self.model.prompts(), ["\tmine "])
        self.assertEqual(self.model.requests[0]["result"], "what it printed")
        self.post("/v1/messages", {"stream": True, "messages": [{"role": "user", "content": "a title, please"}]})
        self.assertEqual(len(self.model.requests), 1, "beside the conversation")
        with open(self.file, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual([row["main"] for row in rows if row["what"] == "request"], [True, False])
        self.assertEqual(rows[0]["users"][1], "\tmine ")

    def test_prompts_are_found_in_what_agents_wrap_around_them(self):
        while_working = "The user sent a new message while you were working:\nb\n\nThis is how Claude Code surfaces messages " \
                        "the user sends mid-turn — within the running turn.\nMore of that."
        dated = "<current_datetime>2026-01-01T00:00:00.000+00:00</current_datetime>\n\nc\nd"
        body = question("gemini", "x")
        body["contents"][0]["parts"] = [{"text": text} for text in (
            "see @f", "\n--- Content from referenced files ---", "\nContent from @f:\n", "a file", "\n--- End of content ---",
            while_working, dated)]
        self.post(PATHS["gemini"] + "streamGenerateContent", body)
        self.assertEqual(self.model.prompts(), ["see @f", "b", "c\nd"])

    def test_a_prompt_that_failed_is_repeated_with_a_newline(self):
        self.ask("anthropic", "a")
        body = question("anthropic", "a")
        body["messages"] = [{"role": "user", "content": [{"type": "text", "text": "a\n"}, {"type": "text", "text": "b"}]}]
        self.post(PATHS["anthropic"], body)
        self.assertEqual(self.model.prompts(), ["a", "b"])

    def scenario(self, text):
        path = os.path.join(self.folder, "some.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_scenario_in_order_and_by_words(self):
        self.model.scenario(self.scenario(
            '[[turn]]\non = "weather"\nsay = "Rain."\n[[turn]]\nsay = "First."\n[[turn]]\nresult = "done$"\nsay = "After."\n'
            '[[turn]]\nrun = "ls"\n[[turn]]\nerror = "server"\n'))
        heard = [text_of("chat", self.ask("chat", prompt)[2], True) for prompt in ("one", "the weather?")]
        self.assertEqual(heard, ["First.", "Rain."])
        self.assertIn(b"tool_calls", self.ask("chat", "list")[2])
        body = question("chat", "list")
        body["messages"] += [{"role": "tool", "tool_call_id": "1", "content": "all done"}]
        self.assertEqual(text_of("chat", self.post(PATHS["chat"], body)[2], True), "After.")
        self.assertEqual([self.ask("chat", "more")[0] for _ in range(2)], [500, 500])

    def test_bad_scenarios_name_the_place(self):
        for text, message in (
                ('[[turn]]\nsay = "a"\n\n[[turn]]\nsya = "b"\n', r"some\.toml:5: turn 2: sya: no such key; there are on, "),
                ('[[turn]]\nsay = 5\n', r"some\.toml:2: turn 1: say: 5 is of the wrong type"),
                ('[[turn]]\nsay = "a"\ntimes = true\n', r":3: turn 1: times: True is of the wrong type"),
                ('[[turn]]\nsay = "a"\nevery = -1\n', r":3: turn 1: every: is below zero"),
                ('[[turn]]\nsay = "a"\non = "("\n', r":3: turn 1: on: not a regular expression"),
                ('[[turn]]\nerror = "teapot"\n', r":2: turn 1: error: no such error; there are unauthorized"),
                ('[[turn]]\nbegin = 1\n', r":2: turn 1: begin: has to have one of say"),
                ('[[turn]]\nsay = "a"\nhang = true\n', r":2: turn 1: say: has to have one of say.*only before run"),
                ('[[turn]]\nsay = "a\n', r"some\.toml:2: "),
                ('say = "a"\n', r":1: say: a scenario is \[\[turn\]\] tables"), ("", r":1: turn: a scenario is")):
            with self.subTest(text=text):
                self.assertRaisesRegex(BadScenario, message, read, self.scenario(text))

    def test_every_scenario_there_is_can_be_read(self):
        folder = os.path.join(os.path.dirname(os.path.realpath(__file__)), "scenarios")
        for name in os.listdir(folder):
            self.assertTrue(read(os.path.join(folder, name)), name)

    def test_a_scenario_says_what_a_script_says(self):
        steps = read(self.scenario('[[turn]]\nsay = "a"\ncut = 1\n[[turn]]\ntool = "Read"\narguments = { file_path = "x" }\n'))
        self.assertEqual(steps, [Step(text="a", cut=1), Step(tool="Read", arguments={"file_path": "x"})])


if __name__ == "__main__":
    unittest.main()
