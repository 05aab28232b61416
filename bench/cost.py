"""What processes cost, as /proc tells it."""
import os

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pids):
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def rollup_kib(pid, *names):
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return sum(int(line.split()[1]) for line in rollup if line.startswith(names))


def private_kib(pid):
    return rollup_kib(pid, "Private_Dirty:", "Swap:")


def resident_kib(pid):
    return rollup_kib(pid, "Rss:")


def machine_cpu_seconds():
    """Of everybody."""
    with open("/proc/stat") as stat:
        user, nice, system, _, _, irq, softirq, steal, *_ = map(int, stat.readline().split()[1:])
    return (user + nice + system + irq + softirq + steal) / TICK
