"""What is to be there after the machine began again."""
import json

from said import give, pawl
from service import main_pid


def before_the_reboot():
    with open("pawl.toml", "w", encoding="ascii") as file:
        file.write('[agent.back]\nrestart = "fresh"\ncommand = ["sleep", "1000"]\n')
    pawl("up", "--trust")
    pawl("run", "-d", "away", "--", "sleep", "1000")
    give("across", "sleep", "1000", options=("--cpu", "50%", "--memory", "100M"))
    with open("before.json", "w", encoding="ascii") as file:
        json.dump({"daemon": main_pid(), "boot": open("/proc/sys/kernel/random/boot_id", encoding="ascii").read()}, file)


if __name__ == "__main__":
    before_the_reboot()
