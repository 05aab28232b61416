"""Scenario files: what the model does, as TOML. One [[turn]] per step; a request takes the first that fits it and is left.

  [[turn]]
  on = "regular expression"      only for a prompt in which it is found        result = "…"  only after a tool that said this
  say = "the answer"             pieces = 4   every = 0.05   cut = 2           (cut: the connection breaks after two pieces)
  run = "touch x"                ask = true                                    or  tool = "Read"   arguments = { file_path = "x" }
  error = "usage-limit"          reset = 3600                                  (the names are in errors.py)
  status = 418                   kind = "teapot"   message = "…"   headers = { retry-after = "7" }
  hang = true
  begin = 0.1                    seconds before the first byte                 times = 1   so many requests get it

A turn has one of say, run, tool, error, status and hang; say may stand before run or tool. Errors last unless `times` says so."""
import re
import tomllib

from . import errors
from .steps import ALWAYS, Step

KEYS = {"on": str, "result": str, "say": str, "pieces": int, "every": (int, float), "cut": int, "run": str, "ask": bool,
        "tool": str, "arguments": dict, "error": str, "reset": int, "status": int, "kind": str, "message": str, "headers": dict, "hang": bool,
        "begin": (int, float), "times": int}
ACTS = ("say", "run", "tool", "error", "status", "hang")
FIELDS = {"say": "text", "run": "command"}  # where the two differ


class BadScenario(ValueError):
    """The message names the file, the line and the key."""


class Turn:
    """One [[turn]] on its way to a step: knows where it stands, for messages."""

    def __init__(self, path, lines, number, table):
        heads = [at for at, line in enumerate(lines) if re.match(r"\s*\[\[\s*turn\s*\]\]", line)]
        self.path, self.number, self.table = path, number, table
        self.first = heads[number] if number < len(heads) else 0
        self.lines = lines[self.first:heads[number + 1] if number + 1 < len(heads) else None]

    def fault(self, key, what):
        at = next((at for at, line in enumerate(self.lines) if re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=.]", line)), 0)
        return BadScenario(f"{self.path}:{self.first + at + 1}: turn {self.number + 1}: {key}: {what}")

    def step(self):
        self.check()
        values = {FIELDS.get(key, key): value for key, value in self.table.items()}
        if self.acts() & {"error", "status"}:
            values = {"times": ALWAYS, **values}
        return Step(**values)

    def acts(self):
        return {key for key in ACTS if self.table.get(key)}

    def check(self):
        for key, value in self.table.items():
            if key not in KEYS:
                raise self.fault(key, f"no such key; there are {', '.join(KEYS)}")
            if not isinstance(value, KEYS[key]) or (isinstance(value, bool) and KEYS[key] is not bool):
                raise self.fault(key, f"{value!r} is of the wrong type")
            if isinstance(value, (int, float)) and value < 0:
                raise self.fault(key, "is below zero")
        for key in ("on", "result"):
            try:
                re.compile(self.table.get(key, ""))
            except re.error as error:
                raise self.fault(key, f"not a regular expression: {error}") from None
        if self.table.get("error", "server") not in errors.NAMES:
            raise self.fault("error", f"no such error; there are {', '.join(errors.NAMES)}")
        acts = self.acts()
        if len(acts - {"say"} or acts) != 1 or ("say" in acts and acts & {"error", "status", "hang"}):
            raise self.fault(next(iter(self.table), "turn"), f"has to have one of {', '.join(ACTS)}"
                             f"{'; say goes only before run or tool' if acts else ''}")


def read(path):
    """The steps of a scenario file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        raise BadScenario(f"{path}:{at[1] if at else len(text.splitlines())}: {error}") from None
    turns = whole.pop("turn", [])
    if whole or not isinstance(turns, list) or not turns:
        raise BadScenario(f"{path}:1: {next(iter(whole), 'turn')}: a scenario is [[turn]] tables and nothing else")
    return [Turn(path, text.splitlines(), number, table).step() for number, table in enumerate(turns)]
