"""After the machine began again: nobody logged in. Then one agent takes all the memory there is."""
import json
import signal

from said import HOG, SHORTAGE, agents, alive, become, group_of, holds, of_task, pawl, processes_called
from service import main_pid, shown


def back():
    with open("before.json", encoding="ascii") as file:
        before = json.load(file)
    holds("the machine began again", before["boot"] != open("/proc/sys/kernel/random/boot_id", encoding="ascii").read())
    become("the service runs, and nobody logged in", lambda: shown("ActiveState") == "active")
    become("the agent that is to come back is back", lambda: (agents()["back"]["pid"] or 0) > 0)
    become("the task with a CPU limit goes on", lambda: (of_task("across") or 0) > 0)
    with open(group_of(of_task("across")) + "/cpu.max", encoding="ascii") as file:
        holds("and the kernel keeps its limit, as before", file.read() == "50000 100000\n", group_of(of_task("across")))
    holds("the one that is not stays away", agents()["away"]["pid"] is None, agents()["away"]["state"])


def killed():
    return [json.loads(line)["agent"] for line in pawl("events", "--json", code=None).splitlines() if '"crashed"' in line]


def out_of_memory():
    pawl("run", "-d", "calm2", "--", "sleep", "1000")
    others = {name: agents()[name]["pid"] for name in ("back", "calm2")}
    daemon, holders = main_pid(), processes_called("pawl-holder")
    pawl("run", "-d", "hog", "--", "python3", "-c", HOG)
    become("an agent that takes all memory is killed", lambda: "hog" in killed(), SHORTAGE)
    holds("by the kernel", agents()["hog"]["signal"] == signal.SIGKILL)
    seen = (main_pid(), processes_called("pawl-holder"), shown("NRestarts"))
    holds("the daemon is not, nor its holder", holders and seen == (daemon, holders, "0"), seen)
    holds("nor other agents", {name: agents()[name]["pid"] for name in others} == others and all(map(alive, others.values())))
    for words in (("events",), ("show", "hog")):
        said = [line for line in pawl(*words).splitlines() if "memory" in line]
        holds(f"pawl {words[0]} says why", said, said)
    pawl("run", "-d", "next", "--", "sleep", "1000")
    holds("the fleet goes on", alive(agents()["next"]["pid"]))


if __name__ == "__main__":
    back()
    out_of_memory()
