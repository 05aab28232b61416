"""A model that follows a script, on loopback: enough of the Anthropic Messages and the OpenAI Responses interface for an agent
to believe it. It logs when every request came and when its answer ended: the truth that Pawl's events are measured by.

A script is a list of steps; every request of the conversation takes the next one, the last stays when it says so:
  say("text", begin=0.2, pieces=5, every=0.1)   an answer in pieces
  run("touch x")                                 a call of the shell tool
  refuse(429, "rate_limit_error", "…", headers)  an error instead of an answer; the same to every request after it
Requests beside the conversation (titles, topics) get a word and take no step."""
import http.server
import itertools
import json
import threading
import time


def say(text, begin=0.1, pieces=4, every=0.05):
    return {"text": text, "begin": begin, "pieces": pieces, "every": every}


def run(command, begin=0.1, **more):
    return {"command": command, "begin": begin, "more": more}


def refuse(status, kind, message, headers=None, begin=0.1, times=10**6, **more):
    return {"status": status, "kind": kind, "message": message, "headers": headers or {}, "begin": begin, "times": times,
            "more": more}


def cut(text, pieces):
    size = max(1, -(-len(text) // max(1, pieces)))
    return [text[i:i + size] for i in range(0, len(text), size)]


class Anthropic:
    """One answer of the Messages interface, as server-sent events."""

    @staticmethod
    def tools(request):
        return [tool["name"] for tool in request.get("tools") or [] if "name" in tool]

    @staticmethod
    def main(names):
        return len(names) > 1

    @staticmethod
    def error(step):
        return {"type": "error", "error": {"type": step["kind"], "message": step["message"]}}

    @staticmethod
    def whole(number, text):
        return {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "fake",
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
                "usage": {"input_tokens": 1000, "output_tokens": 5}}

    @staticmethod
    def events(number, step, _names):
        usage = {"input_tokens": 1000, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        yield {"type": "message_start", "message": {
            "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "fake", "content": [], "stop_reason": None,
            "stop_sequence": None, "usage": usage}}
        if "text" in step:
            yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
            for piece in cut(step["text"], step["pieces"]):
                yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
                time.sleep(step["every"])
        else:
            given = json.dumps({"command": step["command"], "description": "A step of the test"})
            yield {"type": "content_block_start", "index": 0,
                   "content_block": {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {}}}
            yield {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": given}}
        yield {"type": "content_block_stop", "index": 0}
        why = "end_turn" if "text" in step else "tool_use"
        yield {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": {"output_tokens": 9}}
        yield {"type": "message_stop"}


class Responses:
    """One answer of the Responses interface, as server-sent events."""

    @staticmethod
    def tools(request):
        names = []
        for tool in request.get("tools") or []:
            names += [one.get("name") for one in tool.get("tools", [])] or [tool.get("name") or tool.get("type")]
        return names

    @staticmethod
    def main(names):
        return len(names) > 0

    @staticmethod
    def error(step):
        return {"error": {"message": step["message"], "type": step["kind"], "param": None, "code": step["kind"], **step["more"]}}

    @staticmethod
    def message(number, text):
        return {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}]}

    @staticmethod
    def call(number, step, names):
        command = step["command"]
        if "exec_command" in names:
            name, given = "exec_command", {"cmd": command}
        elif "shell_command" in names:
            name, given = "shell_command", {"command": command}
        else:
            name, given = "shell", {"command": ["bash", "-lc", command]}
        return {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name,
                "arguments": json.dumps({**given, **step["more"]}), "status": "completed"}

    @classmethod
    def whole(cls, number, text):
        return cls.response(number, "completed", [cls.message(number, text)])

    @staticmethod
    def response(number, status, output):
        usage = {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1005}
        return {"id": f"resp_{number}", "object": "response", "status": status, "model": "fake", "output": output,
                **({"usage": usage} if output else {})}

    @classmethod
    def events(cls, number, step, names):
        yield {"type": "response.created", "response": cls.response(number, "in_progress", [])}
        if "text" in step:
            item = cls.message(number, step["text"])
            yield {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}}
            for piece in cut(step["text"], step["pieces"]):
                yield {"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "content_index": 0,
                       "delta": piece}
                time.sleep(step["every"])
        else:
            item = cls.call(number, step, names)
            yield {"type": "response.output_item.added", "output_index": 0, "item": item}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed", "response": cls.response(number, "completed", [item])}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

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
        self.reply(200 if self.path.endswith("/models") else 404, {"object": "list", "data": [], "models": []})

    def do_POST(self):
        model = self.server.model
        request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"):
            return self.reply(200, {"input_tokens": 1000})
        talk = Anthropic if path.endswith("/messages") else Responses if path.endswith("/responses") else None
        if not talk:
            return self.reply(404, {"type": "error", "error": {"type": "not_found_error", "message": path}})
        number, names = next(model.numbers), talk.tools(request)
        main = talk.main(names)
        step = model.next_step() if main else say("Sample task", 0, 1, 0)
        model.note("request", number, main)
        time.sleep(step["begin"])
        try:
            if "status" in step:
                self.reply(step["status"], talk.error(step), step["headers"])
            elif not request.get("stream"):
                self.reply(200, talk.whole(number, step.get("text", "")))
            else:
                self.stream(talk.events(number, step, names))
        except OSError:
            self.close_connection = True
            return model.note("abort", number, main)
        return model.note("error" if "status" in step else "call" if "command" in step else "end", number, main)

    def stream(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for number, event in enumerate(events):
            event["sequence_number"] = number
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True


class FakeModel:
    """Serves until close(). `log` has (time, what, number) of the requests that belong to the conversation."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.model = self
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()
        self.steps, self.log = [], []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def script(self, *steps):
        with self.lock:
            self.steps = [dict(step) for step in steps]

    def next_step(self):
        with self.lock:
            if not self.steps:
                return say("Done.")
            step = self.steps[0]
            step["times"] = step.get("times", 1) - 1
            return self.steps.pop(0) if step["times"] <= 0 else step

    def note(self, what, number, main):
        if main:
            with self.lock:
                self.log.append((time.time(), what, number))

    def last(self, what):
        """When that last happened; None when it did not."""
        with self.lock:
            return max((at for at, it, _ in self.log if it == what), default=None)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
