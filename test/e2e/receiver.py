"""A server that keeps what is sent to it: for alerts on their way to a person."""
import http.server
import threading
import time


class Receiver(http.server.ThreadingHTTPServer):
    """Keeps every request. /broken answers 500 twice before it works, /hang does not answer, the rest is fine."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.got = []
        self.over = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.over.set()
        self.shutdown()
        self.server_close()

    def at(self, path):
        return [request for request in list(self.got) if request["path"].startswith(path)]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        self.server.got.append({"path": self.path, "body": body, "headers": self.headers, "at": time.monotonic()})
        if self.path.startswith("/hang"):
            self.server.over.wait(60)
        broken = self.path.startswith("/broken") and len(self.server.at("/broken")) <= 2
        try:
            self.send_response(500 if broken else 200)
            self.end_headers()
        except OSError:
            pass  # it did not wait for us

    def log_message(self, *_):
        pass
