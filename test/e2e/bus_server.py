"""A real nats-server for tests: on loopback, in a folder of the test's own, on a port that was free."""
import json
import os
import shutil
import signal
import socket
import subprocess
import time

SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Bus:
    def __init__(self, folder, config="", name="bus"):
        self.folder, self.port, self.process = folder, free_port(), None
        os.makedirs(folder, exist_ok=True)
        self.config = folder + "/nats.conf"
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(f'listen: "127.0.0.1:{self.port}"\nserver_name: {name}\njetstream {{ store_dir: "{folder}/store" }}\n{config}')
        self.start()

    @property
    def url(self):
        return f"nats://127.0.0.1:{self.port}"

    def start(self):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([SERVER, "-c", self.config, "-l", self.folder + "/log"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("nats-server does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def pids(self):
        return [self.process.pid]

    def signal_all(self, number):
        self.process.send_signal(number)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            self.process.wait()


class Cluster:
    """Three of them, that keep three copies."""

    def __init__(self, folder):
        ports = [free_port() for _ in range(3)]
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
        self.all = [Bus(f"{folder}/s{number}", f'cluster {{ name: c, listen: "127.0.0.1:{port}", routes: [{routes}] }}\n', f"s{number}")
                    for number, port in enumerate(ports)]

    @property
    def url(self):
        return ",".join(server.url for server in self.all)

    def end(self):
        for server in self.all:
            server.end()


class Nodes:
    """For cases whose `nodes` are the environments of machines, by name."""
    nodes = {}

    def at(self, name, *words, **more):
        return self.pawl(*words, env=self.nodes[name], **more)

    def seen(self, name, other):
        nodes = json.loads(self.at(name, "fleet", "ls", "--json").stdout)["nodes"]
        return next((node for node in nodes if node["name"] == other), None)
