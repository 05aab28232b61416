"""A network for bench/fleet_bus --spaces: every node and every server in a network namespace of its own, on one bridge; a cable can be
pulled, and then nothing says so, as with a firewall that drops. What is not loopback needs credentials: `pawl fleet enroll` makes them.
Needs root and iproute2."""
import contextlib
import os
import random
import subprocess
import threading
import time

from bus_server import SERVER

PORT, ROUTES = 4222, 6222


def ip(*words):
    subprocess.run(["ip", *words], check=True, stdout=subprocess.DEVNULL)


class Space:
    """A machine: its namespace and its cable."""

    def __init__(self, net, number):
        self.net, self.address = net, f"10.233.{number // 200}.{number % 200 + 2}"
        self.name, self.cable = f"{net.name}-{number}", f"{net.name}c{number}"
        self.prefix = ["nsenter", f"--net=/run/netns/{self.name}"]
        self.mends = []
        ip("netns", "add", self.name)
        ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("-n", self.name, "addr", "add", f"{self.address}/16", "dev", "eth0")
        for link in ("lo", "eth0"):
            ip("-n", self.name, "link", "set", link, "up")
        ip("link", "set", self.cable, "master", net.name, "up")

    def cut(self, seconds):
        """Nothing gets through for so long; later cuts make it longer."""
        with contextlib.suppress(subprocess.CalledProcessError):
            ip("link", "set", self.cable, "nomaster")
        timer = threading.Timer(seconds, self.mend)
        for other in self.mends:
            other.cancel()
        self.mends.append(timer)
        timer.start()

    def mend(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            ip("link", "set", self.cable, "master", self.net.name)

    def end(self):
        for timer in self.mends:
            timer.cancel()
        ip("netns", "del", self.name)


class Net:
    def __init__(self):
        self.name, self.spaces = f"pw{os.getpid() % 100000}", []
        ip("link", "add", self.name, "type", "bridge")
        ip("link", "set", self.name, "up")

    def add(self):
        self.spaces.append(Space(self, len(self.spaces)))
        return self.spaces[-1]

    def end(self):
        for space in self.spaces:
            space.end()
        ip("link", "del", self.name)


class Server:
    def __init__(self, space, folder, text):
        self.space, self.config, self.log, self.process = space, folder + "/nats.conf", folder + "/log", None
        os.makedirs(folder)
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(text)

    def start(self):
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([*self.space.prefix, SERVER, "-c", self.config, "-l", self.log], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Servers:
    """One server, or several as a cluster, with credentials for these nodes. Has what Bus of bus_server.py has."""

    def __init__(self, net, folder, count, pawl, nodes, seed):
        self.folder, self.chance = folder, random.Random(seed)
        os.makedirs(folder)
        for node in nodes:
            subprocess.run([pawl, "fleet", "enroll", node, "--dir", folder, "--out", self.credentials(node)], check=True,
                           env={**os.environ, "PAWL_HOME": folder + "/enroll"}, stdout=subprocess.DEVNULL)
        spaces = [net.add() for _ in range(count)]
        routes = ", ".join(f'"nats://{space.address}:{ROUTES}"' for space in spaces)
        self.all = []
        for number, space in enumerate(spaces):
            own = f"{folder}/s{number}"
            text = (f'server_name: s{number}\nlisten: "{space.address}:{PORT}"\njetstream {{ store_dir: "{own}/store" }}\n'
                    f'include "../pawl-home.conf"\n')
            if count > 1:
                text += f'cluster {{ name: c, listen: "{space.address}:{ROUTES}", routes: [{routes}] }}\n'
            self.all.append(Server(space, own, text))
        self.start()
        time.sleep(2 if count == 1 else 6)  # a cluster chooses who leads; a node that comes sooner tries again

    def credentials(self, node):
        return f"{self.folder}/{node}.creds"

    @property
    def url(self):
        return ",".join(f"nats://{server.space.address}:{PORT}" for server in self.all)

    @property
    def pids(self):
        return [server.process.pid for server in self.all]

    def start(self):
        for server in self.all:
            if server.process is None or server.process.poll() is not None:
                server.start()

    def kill(self):
        self.chance.choice(self.all).kill()

    def cut(self, seconds):
        self.chance.choice(self.all).space.cut(seconds)

    def signal_all(self, number):
        for server in self.all:
            server.process.send_signal(number)

    def end(self):
        for server in self.all:
            server.kill()
