#!/usr/bin/env python3
"""What ways_test.py has run inside an agent: tries the rows of a list one after the other and writes down how each of them ended.

ways_inside.py PLAN.json OUT. Of row N, OUT/N.code is its exit code and OUT/N.said what was printed; OUT/over is made last. A row is a
shell line with {try} before the command that counts, or a Python expression (of ways_raw.py and ways_self.py) that gives the daemon's reply."""
import json
import os
import subprocess
import sys

import ways_raw
import ways_self
from ways_raw import code_of, wait_for

# Puts down the code of a command, wherever and however late it runs.
TRY = """out=$1; shift
"$@" </dev/null >$out.said 2>&1
echo $? >$out.part
mv $out.part $out.code
"""


def put(path, code, said):
    with open(path + ".said", "w", encoding="utf-8") as file:
        file.write(said)
    with open(path + ".part", "w", encoding="ascii") as file:
        file.write(f"{code}\n")
    os.rename(path + ".part", path + ".code")


def try_line(line, path, out):
    words = {**ways_raw.FACTS, "out": path, "try": f"sh {out}/try {path}"}
    for name, value in words.items():
        line = line.replace("{" + name + "}", str(value))
    with open(path + ".log", "wb") as log:
        return subprocess.Popen(["sh", "-c", line], stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def try_snippet(text, path):
    pid = os.fork()
    if pid == 0:
        try:
            answer = eval(text, {**vars(ways_raw), **vars(ways_self)})  # pylint: disable=eval-used
            put(path, code_of(answer), json.dumps(answer))
        except BaseException as error:  # pylint: disable=broad-except
            put(path, 98, repr(error))
        os._exit(0)
    return pid


def main(plan_path, out):
    with open(plan_path, encoding="utf-8") as file:
        plan = json.load(file)
    ways_raw.FACTS.update(plan["facts"])
    with open(out + "/try", "w", encoding="ascii") as file:
        file.write(TRY)
    for number, (kind, text) in enumerate(plan["rows"]):
        path = f"{out}/{number}"
        running = try_line(text, path, out) if kind == "sh" else try_snippet(text, path)
        if not wait_for(lambda path=path: os.path.exists(path + ".code")):
            put(path, 97, "it did not end")
            continue
        if kind == "sh":
            running.wait(ways_raw.PATIENCE)
        else:
            os.waitpid(running, 0)
    put(out + "/over", 0, "")


if __name__ == "__main__":
    main(*sys.argv[1:])
