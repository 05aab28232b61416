"""A real nats-server for tests: on loopback, in a folder of the test's own, on a port that was free."""
import json
import os
import shutil
import signal
import socket
import subprocess
import time

from fleet import until

SERVER = shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Bus:
    def __init__(self, folder, config="", name="bus", jetstream=True):
        self.folder, self.port, self.process = folder, free_port(), None
        os.makedirs(folder, exist_ok=True)
        self.config = folder + "/nats.conf"
        with open(self.config, "w", encoding="utf-8") as file:
            store = f'jetstream {{ store_dir: "{folder}/store" }}\n' if jetstream else ""
            file.write(f'listen: "127.0.0.1:{self.port}"\nserver_name: {name}\n{store}{config}')
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


class OnABus(Nodes):
    """A server of the case's own, and machines that meet there. Before FleetCase in the list of bases."""
    def setUp(self):
        super().setUp()
        self.bus = Bus(self.folder + "/bus")
        self.addCleanup(self.bus.end)
        self.nodes = {}

    def node(self, name, *options, config=""):
        """A machine of that name, in the fleet."""
        home = f"{self.folder}/{name}"
        toml = f"{self.folder}/{name}.toml"
        with open(toml, "w", encoding="utf-8") as file:
            file.write(config)
        environment = {**self.environment, "PAWL_HOME": home, "PAWL_CONFIG": toml}
        self.addCleanup(self.clear_away, home, environment)
        self.nodes[name] = environment
        return self.at(name, "fleet", "join", self.bus.url, "--name", name, *options)

    def online(self, name, other, wanted=True, seconds=30):
        return until(lambda: f"{name} sees {other} online: {wanted}; {self.seen(name, other)}",
                     lambda: (self.seen(name, other) or {}).get("online") is wanted and self.seen(name, other), seconds)

    def rows(self, name):
        return {(agent["machine"], agent["name"]): agent["state"] for agent in json.loads(self.at(name, "ls", "--json").stdout)["agents"]}

    def status(self, name, task):
        return json.loads(self.at(name, "task", "status", task, "--json").stdout)

    def give(self, name, task, script, *options):
        return self.at(name, "task", "start", task, "--on", "any", *options, "--", "sh", "-c", script, input="the prompt\n")

    def ended(self, name, task, status="completed", seconds=60):  # pylint: disable=arguments-differ
        return until(lambda: f"{task} is {status}: {self.at(name, 'task', 'status', task, code=None).stdout}",
                     lambda: self.status(name, task)["status"] == status and self.status(name, task), seconds)
