"""The situations that tools/record-tasks plays: what the model does, how the agent is started, when it is ended. A situation is
a function; what it is called is the name on the command line, and each stage.run() in it is one folder of test/task."""
import json
import os
import signal
import time
import uuid

import settle
from fake_model import Step, fail, hang, refuse, run, say
from fake_model.responses import Responses

ALL = "claude codex gemini pi"
SITUATIONS = {}  # name: function, its runtimes
WRITES = {"claude": ("Write", "file_path"), "gemini": ("write_file", "file_path"), "pi": ("write", "path")}
SUBSCRIBED = {"extra": {"CLAUDE_CODE_OAUTH_TOKEN": "dummy"}, "unset": ["ANTHROPIC_API_KEY"]}


def situation(runtimes):
    def note(function):
        SITUATIONS[function.__name__.replace("_", "-")] = (function, runtimes.split())
        return function
    return note


def after(seconds, number=signal.SIGTERM):
    """Ended after so long."""
    return lambda task: number if task.seconds() >= seconds else 0


def asked(count, wait, number=signal.SIGKILL):
    """Ended a moment after the model got so many requests."""
    def look(task):
        requests = task.stage.model.requests
        return number if len(requests) >= count and time.time() > requests[count - 1]["at"] + wait else 0
    return look


def shell(stage, command):
    """A call of the shell tool, also of one that is not offered."""
    if stage.runtime == "gemini":
        return Step(tool="run_shell_command", arguments={"command": command, "description": "A step of the test"})
    return run(command)


@situation(ALL)
def success(stage):
    stage.model.script(say("It prints hello."), say("I said that it prints hello."))
    stage.run("success", "a plain answer")
    stage.run("resume", "a conversation that ended well is gone on with", "What did you say?", again=True)


@situation(ALL)
def stderr_terminal(stage):
    stage.model.script(say("It prints hello."))
    stage.run("stderr-terminal", "a plain answer while stderr is a terminal", terminal=True)


@situation(ALL)
def tool_use(stage):
    stage.model.script(run("echo made > made.txt; cat made.txt"), say("I made it."))
    stage.run("tool-use", "a shell command that runs, with every permission given", "Make a file.", mode="bypassPermissions")


@situation("claude codex gemini")
def permission_denied(stage):
    stage.model.script(shell(stage, "touch made.txt"), say("I was not allowed to."))
    stage.run("permission-denied", "a shell command without permission for it, in the default mode", "Make a file.")


@situation(ALL)
def modes(stage):
    """In each mode a file is written by the tool for it, by a command, and by a command outside the project."""
    for mode in stage.table.modes:
        steps = [shell(stage, f"touch {mode}-shell.txt"), shell(stage, f"touch ../{mode}-outside.txt")]
        if stage.runtime in WRITES:
            tool, key = WRITES[stage.runtime]
            steps.insert(0, Step(tool=tool, arguments={key: f"{stage.project}/{mode}-file.txt", "content": "x\n"}))
        stage.model.script(*steps, say("I tried."))
        stage.id = str(uuid.uuid4())
        stage.run("mode-" + mode, f"a file, a command and a command outside the project in the mode {mode}", "Make files.",
                  mode=mode, made=lambda mode=mode: made_in(stage, mode))


def made_in(stage, mode):
    paths = {"file": f"project/{mode}-file.txt", "shell": f"project/{mode}-shell.txt", "outside": f"{mode}-outside.txt"}
    return [kind for kind, path in paths.items() if os.path.exists(f"{stage.home}/{path}")]


@situation("codex")
def permission_asked(stage):
    stage.model.script(run("touch made.txt", ask=True), say("I was not allowed to."))
    stage.run("permission-asked", "the model asks to leave the sandbox, in the default mode", "Make a file.")
    stage.model.script(run("sleep 0.5; touch made.txt"), say("I was not allowed to."))
    stage.run("permission-denied-late", "a command that fails in the sandbox after half a second", "Make a file.")


@situation("codex")
def approve_for_me(stage):
    """The reviewer is the model as well: it allows, then it refuses."""
    for outcome in ("allow", "deny"):
        stage.model.script(say(json.dumps({"outcome": outcome, "rationale": "The test wants it."}), on="APPROVAL REQUEST END"),
                           run(f"touch ../{outcome}-outside.txt", ask=True), say("I tried."))
        stage.run("mode-auto-" + outcome, f"a command outside the project, reviewed: {outcome}", "Make a file.",
                  flags="--approve-for-me", made=lambda outcome=outcome: made_in(stage, outcome))


@situation("codex")
def resume_modes(stage):
    """`exec resume` has no -s and no --approve-for-me of its own."""
    for name, start in (("before", "codex exec -s workspace-write resume"), ("after", "codex exec resume -s workspace-write"),
                        ("config", "codex exec resume -c sandbox_mode=workspace-write"),
                        ("approve", "codex exec --approve-for-me resume")):
        stage.model.script(say("Hello."))
        stage.run("", "", "Hello.")
        stage.model.script(run(f"touch {name}-shell.txt"), say("I tried."))
        stage.run(f"resume-mode-{name}", f"a conversation of the default mode is gone on with by `{start}`", "Make a file.",
                  again=True, instead=f"{start} --json --skip-git-repo-check <id> -",
                  made=lambda name=name: made_in(stage, name))


@situation("gemini")
def untrusted(stage):
    settle.gemini(stage.place, trusted=False)
    stage.run("untrusted", "a folder that nobody trusted")
    stage.model.script(say("It prints hello."))
    stage.run("untrusted-skipped", "a folder that nobody trusted, with --skip-trust", flags="--skip-trust")


@situation(ALL)
def rate_limit(stage):
    stage.model.script(fail("rate-limit", reset=2, times=1), say("It prints hello."))
    stage.run("rate-limit", "one 429 with two seconds to wait, then an answer")


@situation(ALL)
def usage_limit(stage):
    stage.model.script(fail("usage-limit", reset=60))
    stage.run("usage-limit", "a usage limit that ends in 60 s", **(SUBSCRIBED if stage.runtime == "claude" else {}),
              end=after(40))


@situation(ALL)
def unauthorized(stage):
    stage.model.script(fail("unauthorized"))
    stage.run("unauthorized", "401 to every request; stopped after 40 s", end=after(40))


@situation("claude")
def unauthorized_end(stage):
    stage.model.script(fail("unauthorized"))
    stage.run("unauthorized-end", "401 to every request, tried again once only", extra=impatient(stage), end=after(40))


@situation("claude")
def unauthorized_plan(stage):
    stage.model.script(fail("unauthorized"))
    stage.run("unauthorized-plan", "401 to every request of a subscription", **SUBSCRIBED, end=after(40))


@situation(ALL)
def context(stage):
    stage.model.script(fail("context"))
    stage.run("context", "the prompt is too long for the model", end=after(40))


@situation("codex")
def context_stream(stage):
    """The same, told inside a stream that began well. The fake model has no word for that."""
    def failed(number, step, _names):
        error = {"code": step.kind, "message": step.message}
        yield {"type": "response.created", "response": Responses.response(number, "in_progress", [])}
        yield {"type": "response.failed", "response": {**Responses.response(number, "failed", []), "error": error}}
    before, Responses.unnumbered = Responses.unnumbered, failed
    stage.model.script(Step(kind="context_length_exceeded", times=9,
                            message="Your input exceeds the context window of this model."))
    try:
        stage.run("context-stream", "the prompt is too long, which the model says in its stream", end=after(40))
    finally:
        Responses.unnumbered = before


@situation(ALL)
def server_error(stage):
    stage.model.script(fail("server"))
    stage.run("server-error", "500 to every request; stopped after 30 s", end=after(30))


@situation("claude gemini")
def server_error_end(stage):
    fewer_tries(stage)
    stage.model.script(fail("server"))
    stage.run("server-error-end", "500 to every request, tried again once only", extra=impatient(stage), end=after(30))


@situation(ALL)
def overloaded(stage):
    stage.model.script(fail("overloaded"))
    stage.run("overloaded", "overloaded (529 or 503) to every request; stopped after 30 s", end=after(30))


@situation("gemini")
def overloaded_end(stage):
    fewer_tries(stage)
    stage.model.script(fail("overloaded"))
    stage.run("overloaded-end", "503 to every request, tried again once only", end=after(30))


def impatient(stage):
    return {"CLAUDE_CODE_MAX_RETRIES": "1"} if stage.runtime == "claude" else {}


def fewer_tries(stage):
    """Two instead of ten: only a setting says so."""
    if stage.runtime == "gemini":
        general = {**settle.QUIET["general"], "maxAttempts": 2}
        stage.place.write(".gemini/settings.json", {**settle.QUIET, "general": general, "security": {
            "folderTrust": {"enabled": True}, "auth": {"selectedType": "gemini-api-key"}}})


@situation(ALL)
def cut_answer(stage):
    stage.model.script(say("It prints hello, I think.", cut=2), say("It prints hello."))
    stage.run("cut-answer", "the connection breaks in the middle of the first answer", end=after(40))


@situation(ALL)
def no_answer(stage):
    stage.model.script(hang())
    stage.run("no-answer", "the model never answers; stopped with SIGTERM after 15 s", end=after(15))


@situation(ALL)
def killed_mid_answer(stage):
    """The second request is being answered: the first brought a tool call whose result is known."""
    stage.model.script(run("echo number 4711"), say("Slowly I say something. " * 40, pieces=60, every=0.5))
    stage.run("killed-mid-answer", "SIGKILL while the model answers", "Remember 4711, then say much.", mode="bypassPermissions",
              end=asked(2, 3))
    stage.model.script(say("It was 4711."))
    stage.run("resumed-mid-answer", "gone on with after SIGKILL in an answer", "Go on.", again=True, mode="bypassPermissions")


@situation(ALL)
def killed_before_answer(stage):
    stage.model.script(hang())
    stage.run("killed-before-answer", "SIGKILL while the first request waits", "Remember 4711.", end=asked(1, 2))
    stage.model.script(say("It was 4711."))
    stage.run("resumed-before-answer", "gone on with after SIGKILL before the first answer", "Go on.", again=True)


@situation(ALL)
def killed_at_start(stage):
    stage.run("killed-at-start", "SIGKILL 0.2 s after its start", "Remember 4711.", end=after(0.2, signal.SIGKILL))
    stage.model.script(say("It was 4711."))
    stage.run("resumed-at-start", "gone on with after SIGKILL before the first request", "Go on.", again=True)


@situation(ALL)
def ended_in_tool(stage):
    """Whether a command outlives its agent."""
    for name, number in (("stopped", signal.SIGTERM), ("killed", signal.SIGKILL)):
        stage.id = str(uuid.uuid4())
        before = len(stage.model.requests)
        stage.model.script(run("tail -f main.py"), say("I looked."))
        stage.run(f"{name}-in-tool", f"{number.name} while a shell command runs", "Look.", mode="bypassPermissions",
                  end=asked(before + 1, 3, number))


@situation(ALL)
def resume_unknown(stage):
    stage.model.script(say("It prints hello."))
    stage.run("", "")
    stage.id = str(uuid.uuid4())
    stage.run("resume-unknown", "gone on with a conversation that never was, beside one that was", "Go on.", again=True)


@situation(ALL)
def unknown_model(stage):
    words = {"claude": (404, "not_found_error", "model: no-such-model"),
             "gemini": (404, "NOT_FOUND", "models/no-such-model is not found for API version v1beta")}
    stage.model.script(refuse(*words.get(stage.runtime, (404, "model_not_found", "The model `no-such-model` does not exist"))))
    stage.run("unknown-model", "a model that does not exist", flags=stage.table.unknown, end=after(40))


@situation("claude")
def background(stage):
    """A command in the background is still running when the model has said its last word."""
    stage.model.script(run("sleep 25; echo slept > slept.txt", arguments={"run_in_background": True}), say("It runs."),
                       say("It ended."))
    stage.run("background", "a shell command goes on in the background after the last word", "Sleep behind.",
              mode="bypassPermissions", end=after(60))


@situation("claude")
def background_for_ever(stage):
    stage.model.script(run("tail -f main.py", arguments={"run_in_background": True}), say("It runs."), say("It ended."))
    stage.run("background-for-ever", "a shell command in the background never ends; stopped after 40 s", "Look behind.",
              mode="bypassPermissions", extra={"CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS": "5000"}, end=after(40))


@situation("claude")
def partial(stage):
    stage.model.script(say("It prints hello."))
    stage.run("partial", "a plain answer that is told piece by piece", flags="--include-partial-messages")


@situation("pi")
def session_path(stage):
    """A file of our own instead of a name of its own."""
    command = stage.table.again.replace("<id>", "../session.jsonl").replace("<mode>", "")
    stage.model.script(say("It prints hello."), say("I said that it prints hello."))
    stage.run("session-path", "a conversation in a file that is not there yet", instead=command)
    stage.run("session-path-resume", "a conversation in a file is gone on with", "What did you say?", instead=command)


@situation("claude gemini")
def session_in_use(stage):
    stage.model.script(say("It prints hello."))
    stage.run("", "")
    stage.run("session-in-use", "a new conversation with the name of an old one")


@situation("claude")
def max_turns(stage):
    stage.model.script(run("true"), run("true"), say("Done."))
    stage.run("max-turns", "more turns than --max-turns allows", mode="bypassPermissions", flags="--max-turns 1")


@situation("claude")
def max_budget(stage):
    stage.model.script(run("true"), run("true"), run("true"), say("Done."))
    stage.run("max-budget", "more dollars than --max-budget-usd allows", mode="bypassPermissions",
              flags="--max-budget-usd 0.001")
