"""What the model does with one request: a step of a script. Scripts are written in a test or in a scenario file (scenario.py)."""
import dataclasses
import re

ALWAYS = 10**6


@dataclasses.dataclass
class Step:
    text: str = ""            # an answer
    command: str = ""         # a call of the agent's shell tool, whatever that is called
    tool: str = ""            # a call of this tool, with these arguments
    namespace: str = ""       # … of this server's tools, where the interface says that apart (Responses)
    arguments: dict = dataclasses.field(default_factory=dict)  # of a shell tool: more of them
    ask: bool = False         # the call is one that the agent has to ask about
    error: str = ""           # an error in the vendor's own form (errors.py)
    reset: int = 7200         # seconds until a limit ends, or until it may be tried again
    status: int = 0           # an error in words of the test
    kind: str = ""
    message: str = ""
    headers: dict = dataclasses.field(default_factory=dict)
    hang: bool = False        # never answers
    cut: int = -1             # the connection breaks after so many pieces of the text
    begin: float = 0.1        # seconds before the first byte
    pieces: int = 4
    every: float = 0.05       # seconds after each piece
    times: int = 1            # so many requests get it
    on: str = ""              # only for a prompt in which this is found
    result: str = ""          # only for a request that brings a tool's result in which this is found

    def fits(self, prompt, result):
        """Whether it is the answer to a request with that prompt and, else None, that tool's result."""
        if self.result and (result is None or not re.search(self.result, result)):
            return False
        return not self.on or bool(re.search(self.on, prompt or ""))

    @property
    def outcome(self):
        """What the log calls it."""
        if self.hang or self.cut >= 0:
            return "cut"
        return "error" if self.error or self.status else "call" if self.command or self.tool else "end"

    def cuttings(self):
        """The text in pieces."""
        size = max(1, -(-len(self.text) // max(1, self.pieces)))
        return [self.text[i:i + size] for i in range(0, len(self.text), size)]

    def call(self, names):
        """The call's name and arguments for an agent that offers these tools."""
        if self.tool:
            return self.tool, self.arguments
        asks = {"sandbox_permissions": "require_escalated", "justification": "the test wants it"} if self.ask else {}
        described = {"description": "A step of the test"}
        for name, given in (("Bash", {"command": self.command, **described}),
                            ("exec_command", {"cmd": self.command, **asks}),
                            ("shell_command", {"command": self.command, **asks}),
                            ("shell", {"command": ["bash", "-lc", self.command], **asks}),
                            ("run_shell_command", {"command": self.command, **described, "is_background": False}),
                            ("bash", {"command": self.command, **described})):
            if name in names:
                return name, {**given, **self.arguments}
        return "bash", {"command": self.command, **self.arguments}


def say(text, begin=0.1, pieces=4, every=0.05, **more):
    return Step(text=text, begin=begin, pieces=pieces, every=every, **more)


def run(command, begin=0.1, **more):
    return Step(command=command, begin=begin, **more)


def refuse(status, kind, message, headers=None, begin=0.1, times=ALWAYS, **more):
    """An error in the test's own words; `more` goes into the error object."""
    return Step(status=status, kind=kind, message=message, headers=headers or {}, begin=begin, times=times, arguments=more)


def fail(error, reset=7200, begin=0.1, times=ALWAYS, **more):
    """An error as the vendor words it: see errors.py for the names."""
    return Step(error=error, reset=reset, begin=begin, times=times, **more)


def hang(**more):
    return Step(hang=True, **more)
