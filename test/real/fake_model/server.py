"""The server: which interface a request speaks, which step answers it, and the log of both."""
import http.server
import itertools
import json
import os
import select
import socket
import threading
import time
import urllib.parse

from . import scenario
from .anthropic import Anthropic
from .chat import Chat
from .gemini import Gemini
from .prompts import Prompts, own_words
from .responses import Responses
from .steps import Step, say
from .talk import Cut, side_text

SCENARIOS = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "scenarios")
ENDINGS = {"/messages": Anthropic, "/responses": Responses, "/chat/completions": Chat,
           ":generateContent": Gemini, ":streamGenerateContent": Gemini}
COUNTS = {"/count_tokens": {"input_tokens": 1000}, ":countTokens": {"totalTokens": 1000}}
MODELS = {"object": "list", "models": [], "data": [{"id": "fake-model", "object": "model", "created": 1, "owned_by": "fake"}]}


def ending(path, table):
    return next((value for end, value in table.items() if path.endswith(end)), None)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # pieces leave when they are written

    def log_message(self, *_):
        pass

    def reply(self, status, body, headers=None):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.model.write({"what": "get", "path": path})
        self.reply(200 if path.endswith("/models") else 404, MODELS)

    def do_POST(self):
        model = self.server.model
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urllib.parse.unquote(self.path.split("?")[0])
        try:
            request = json.loads(raw or b"{}")
        except ValueError:
            return self.reply(400, {"error": {"message": "not JSON"}})
        model.found += bool(model.looked_for) and model.looked_for.encode() in raw
        count, talk = ending(path, COUNTS), ending(path, ENDINGS)
        if count or not talk:
            model.write({"what": "count" if count else "unknown", "path": path})
            return self.reply(200 if count else 404, count or {"error": {"type": "not_found_error", "message": path}})
        number, main = next(model.numbers), talk.main(request, path)
        step = model.take(talk, number, path, request, main)
        outcome = step.outcome
        try:
            self.answer(talk, number, step, request, ":stream" in path or bool(request.get("stream")))
        except Cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            self.close_connection = True
            outcome = "abort"
        return model.note(outcome, number, main)

    def answer(self, talk, number, step, request, stream):
        if step.hang:
            self.pause(None)
        self.pause(step.begin)
        if step.error or step.status:
            status, headers, body = talk.refusal(step)
            self.reply(status, body, {**headers, **step.headers})
        elif not stream:
            self.reply(200, talk.whole(number, step, talk.tools(request)))
        else:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            for event in talk.events(number, step, talk.tools(request)):
                if isinstance(event, (int, float)):
                    self.pause(event)
                else:
                    self.wfile.write(talk.frame(event))
            self.close_connection = True

    def pause(self, seconds):
        """Waits, for ever with None, and notices at once when the agent hangs up or the server closes."""
        ends = None if seconds is None else time.monotonic() + seconds
        while not self.server.model.closing.is_set():
            left = 0.25 if ends is None else min(0.25, ends - time.monotonic())
            if left <= 0:
                return
            if select.select([self.connection], [], [], left)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError
        raise ConnectionAbortedError


class FakeModel:
    """Serves until close(). `log` has (time, what, number) of the requests that belong to the conversation; `requests` has
    what each of them said. With a file, every request and its end is a line of JSON in it, those beside the conversation too."""

    def __init__(self, file=None):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.model = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.steps, self.log, self.requests = [], [], []
        self.history, self.threads = Prompts(), {}
        self.looked_for, self.found = "", 0  # words, and how many requests had them anywhere
        self.file = open(file, "a", encoding="utf-8", buffering=1) if file else None  # pylint: disable=consider-using-with
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def script(self, *steps):
        with self.lock:
            self.steps = [Step(**vars(step)) for step in steps]

    def scenario(self, name):
        """One of ../scenarios by its name, or a file."""
        self.script(*scenario.read(name if "/" in name else f"{SCENARIOS}/{name}.toml"))

    def prompts(self):
        """Every prompt that arrived, in order, byte for byte, each once: not what an agent adds by itself, not titles and
        summaries, not the history that each request repeats, not a request that was tried again."""
        with self.lock:
            return list(self.history.found)

    def take(self, talk, number, path, request, main):
        """The step for this request, which is logged."""
        said = list(talk.said(request))
        users = [text for who, text in said if who == "user"]
        row = {"number": number, "path": path, "model": request.get("model") or path.rpartition("/")[2].partition(":")[0],
               "talk": talk.__name__, "main": main, "tools": len(talk.tools(request)), "users": users}
        if not main:
            self.write({"what": "request", **row})
            return say(side_text(talk.schema(request)), 0, 1, 0)
        with self.lock:
            words = own_words(users)
            answered = any(who == "agent" for who, _ in said)
            row["new"], self.threads[number] = self.history.see(words, talk.session(request), answered)
            row["prompt"] = words[-1] if words else ""
            row["result"] = said[-1][1] if said and said[-1][0] == "result" else None
            row["at"] = time.time()
            self.requests.append(row)
            step = self.next_step(row["prompt"], row["result"])
        self.write({"what": "request", **row})
        self.note("request", number, True, False)
        return step

    def next_step(self, prompt, result):
        for step in self.steps:
            if step.fits(prompt, result):
                step.times -= 1
                if step.times <= 0:
                    self.steps.remove(step)
                return step
        return say("Done.")

    def note(self, what, number, main, write=True):
        if main:
            with self.lock:
                self.log.append((time.time(), what, number))
                self.threads[number].aborted = what == "abort"
        if write:
            self.write({"what": what, "number": number})

    def write(self, row):
        if self.file:
            with self.lock:
                self.file.write(json.dumps({"at": time.time(), **row}, ensure_ascii=False) + "\n")

    def last(self, what):
        """When that last happened; None when it did not."""
        with self.lock:
            return max((at for at, it, _ in self.log if it == what), default=None)

    def close(self):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        if self.file:
            self.file.close()
