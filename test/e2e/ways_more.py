"""The rest of the table of ways_test.py (ways_table.py is its beginning), and all of it as ROWS."""
from ways_table import BROKEN, CLOSED, DONE, FORGED, LOOSE, NEEDS, NOTHING, PLACES, RAW, REFUSED, ROWS, VERBS, Row

# Who else uses a socket that somebody opened.
OTHERS = {
    "a child": "child(ask)",
    "a grandchild": "child(ask, 3)",
    "a detached child": "detached(ask)",
    "a child that our parent gets": "sibling_of(ask)",
    "a detached child that our parent gets": "sibling_of(lambda: detached(ask))",
    "a thread": "thread(ask)",
    "a thread of a detached child": "detached(lambda: thread(ask))",
    "a thread with folders of its own": "thread(lambda: (libc.unshare(CLONE_FS), ask())[1])",
    "opened by us, used by a child": "(lambda s: child(lambda: ask(sock=s)))(connect())",
    "opened by us, used by a grandchild": "(lambda s: child(lambda: ask(sock=s), 3))(connect())",
    "opened by us, used by a detached child": "(lambda s: detached(lambda: ask(sock=s)))(connect())",
    "opened in a thread, used in another": "(lambda s: thread(lambda: ask(sock=s)))(thread(connect))",
    "opened by us, looked through, used by a child": "(lambda s: (ask('ls', {}, sock=s), child(lambda: ask(sock=s)))[1])(connect())",
    "passed on to a child": "handed_on(child)",
    "passed on to a detached child": "handed_on(detached)",
    "passed on to a sibling": "handed_on(sibling_of)",
    "passed on in another terminal": "handed_on(own_terminal)",
    "passed on after a look": "handed_on(detached, early=True)",
    "opened by a child that ends, and asked": "handed_back(lambda work: work())",
    "opened by a child that ends": "handed_back(lambda work: work(), asks=False)",
    "opened by a child that stays a zombie": "handed_back(lambda work: work(), reap=False)",
    "opened by a detached child that ends": "handed_back(detached, asks=False)",
    "opened by a child that ends before the daemon looks": "handed_back(lambda work: work(), stopped=True)",
    "opened by a zombie before the daemon looks": "handed_back(lambda work: work(), reap=False, stopped=True)",
    "opened before the daemon looks, asked afterwards": "handed_back(lambda work: work(), asks=False, stopped=True)",
    "opened by a parent that ends, used by its orphan": "parent_ends()",
    "opened, and then another program": "becomes('env')",
    "opened, and then a program without an environment": "becomes('env', '-i')",
    "opened, and then a program with a session of its own": "becomes('setsid', '-w')",
    "two hundred whose parents end meanwhile": "short_lived()",
}

# What a process makes of itself. The names are as the kernel has them (PR_SET_NAME).
SELF = {
    **{f"named {name}": f"first(lambda: named('{name}'))" for name in (
        "pawl", "pawl-keeper", "pawl-holder", "tmux: server", "codex", "claude", "bash", "sshd", "systemd", "init", "x) S 1 1 1 0 -1", "")},
    **{f"named {name}, in a session of its own": f"first(os.setsid, lambda: named('{name}'))" for name in ("codex", "pawl-keeper", "tmux: server")},
    **{f"named {name}, detached": f"detached(lambda: (named('{name}'), ask())[1])" for name in ("codex", "pawl-holder", "x) S 1 1 1 0 -1")},
    "named through /proc": "first(lambda: write('/proc/self/comm', 'pawl-holder'))",
    "below one named codex": "first(os.setsid, lambda: named('codex'), then=lambda: child(ask))",
    "below one named pawl-keeper": "first(lambda: named('pawl-keeper'), then=lambda: child(ask))",
    "keys, below one named codex": "first(os.setsid, lambda: named('codex'), then=lambda: child(lambda: ask('keys', {'name': 'other', 'keys': ['x']})))",
    "a reaper of its own": "first(lambda: prctl(PR_SET_CHILD_SUBREAPER, 1), then=lambda: detached(ask))",
    "a reaper of its own named pawl-keeper": "first(lambda: prctl(PR_SET_CHILD_SUBREAPER, 1), lambda: named('pawl-keeper'), then=lambda: detached(ask))",
    "one that ends with its parent": "first(lambda: prctl(PR_SET_PDEATHSIG, 9))",
    "one that cannot be looked into": "first(lambda: prctl(PR_SET_DUMPABLE, 0))",
    "one that cannot be looked into, detached": "detached(lambda: (prctl(PR_SET_DUMPABLE, 0), ask())[1])",
    "one without new privileges": "first(lambda: prctl(PR_SET_NO_NEW_PRIVS, 1))",
    "a process group of its own": "first(lambda: os.setpgid(0, 0))",
    "a session of its own": "first(os.setsid)",
    "a session in a session": "first(os.setsid, then=lambda: child(lambda: (os.setsid(), ask())[1]))",
    "without a terminal": "first(os.setsid, then=lambda: child(ask))",
    "that left its terminal": "first(leave_terminal)",
    "in another terminal": "own_terminal(ask)",
    "in another terminal's other terminal": "own_terminal(lambda: own_terminal(ask))",
    "a detached child in another terminal": "detached(lambda: own_terminal(ask))",
    "a detached child of another terminal": "own_terminal(lambda: detached(ask))",
    "two hundred and sixty deep": "child(ask, 260)",
    "two hundred and sixty deep, each apart": "child(ask, 260, True)",
    "two hundred and sixty deep and then detached": "child(lambda: detached(ask), 260)",
    "with another root that is the same": "first(lambda: os.chroot('/'))",
    "with few files": "first(lambda: os.closerange(20, 60))",
    "with its keeper stopped": "(lambda k: (os.kill(k, 19), detached(ask), os.kill(k, 18))[1])(keeper())",
    "with its parent stopped": "child(lambda: (os.kill(os.getppid(), 19), ask(), os.kill(os.getppid(), 18))[1])",
    "with its parent killed": "detached(lambda: orphaned(9, os.getppid))",
}

# Those who have a namespace for it.
NUMBERS = {"a number that comes again": "numbers_come_again()"}

HOOKS = {
    "another's, with its name alone": "hook(secret='', session='')",
    "another's session without a secret": "hook(secret='')",
    "another's session with a guess": "hook(secret='guessed')",
    "another's session with our own secret": "hook(secret=os.environ['PAWL_HOOK'])",
    "another's session with a third one's secret": "hook(secret=FACTS['other_secret'])",
    "another's session and its secret": "hook()",
    "another's, with our session": "hook(session=os.environ['PAWL_SESSION'], secret=os.environ['PAWL_HOOK'])",
    "another's number alone": "hook(session=FACTS['victim_cookie'].rpartition('-')[2], secret='')",
    "session 0": "hook(session='x-0', secret='')",
    "a secret that is no text": "hook(secret=[])",
    "the file is /etc/shadow": "hook(transcript_path='/etc/shadow', session_id='shadow')",
    "the file is /etc/shadow, with its secret": "hook(transcript_path='/etc/shadow', session_id='known-1')",
    "a detached child's": "detached(lambda: hook(secret=''))",
    "a detached child's with our own secret": "detached(lambda: hook(secret=os.environ['PAWL_HOOK']))",
    "a detached child's with its secret": "detached(hook)",
    "a grandchild's in another terminal": "own_terminal(lambda: child(hook))",
    "a socket's that was passed on": "handed_on(lambda take: detached(lambda: (take(), hook())[1]))",
    "an asked one": "hook(secret='', wait=True)",
    "one that says by whom it is": "hook(secret='', more={'by': {'kind': 'person'}, 'web': True})",
    # The server that several windows share is told apart by its name alone, and its hooks by their conversation.
    "a shared server's, by its name": "first(os.setsid, lambda: named('codex'), "
                                      "then=lambda: hook(session_id='known-1', transcript_path='/forged/known-1.jsonl'))",
    "a shared server's, without a secret": "first(os.setsid, lambda: named('codex'), "
                                           "then=lambda: hook(secret='', session='', session_id='known-1', transcript_path='/forged/known-1.jsonl'))",
    "below a shared server's name": "first(os.setsid, lambda: named('codex'), "
                                    "then=lambda: child(lambda: hook(secret='', session_id='known-1', transcript_path='/forged/known-1.jsonl')))",
}
HOOK_LINES = {
    "pawl hook with another's name": "echo '{said}' | PAWL_AGENT=victim {try} pawl hook claude '{said}'",
    "pawl hook with another's session": "PAWL_AGENT=victim PAWL_SESSION={victim_cookie} {try} pawl hook claude '{said}'",
    "pawl hook with our own secret": "PAWL_AGENT=victim PAWL_SESSION={victim_cookie} {try} pawl hook claude '{said}'",
    "pawl hook of another program": "PAWL_AGENT=victim PAWL_SESSION={victim_cookie} {try} pawl hook codex '{said}'",
}

OWN = '[agent.worker]\ncommand = ["sh"]\nmay = ["stop"]\n[defaults]\nmay = ["stop"]\n'
FILES = {
    "up of a file of its own": "mkdir {out}.d && cd {out}.d && cp {own} pawl.toml && {try} pawl up",
    "up of a file of its own that it approves": "mkdir {out}.d && cd {out}.d && cp {own} pawl.toml && {try} pawl up --trust",
    "trust of a file of its own": "mkdir {out}.d && cd {out}.d && cp {own} pawl.toml && {try} pawl trust",
    "trust from outside": "{try} pawl trust {own}",
    "trust of a link": "ln -s {own} {out}.toml && {try} pawl trust {out}.toml",
    "up of a link to an approved file": "mkdir {out}.d && ln -s {approved} {out}.d/pawl.toml && {try} pawl up {out}.d/pawl.toml",
    "up of an approved file": "{try} pawl up {approved}",
    "up of an approved file by /proc": "{try} pawl up /proc/self/root{approved}",
    "up through a pipe": "cat {own} | {try} pawl up /dev/stdin",
    "stop with PAWL_CONFIG of its own": "PAWL_CONFIG={own} {stop}",
    "up with PAWL_CONFIG of its own": "PAWL_CONFIG={own} {try} pawl up {own}",
    "run with PAWL_CONFIG of its own": "PAWL_CONFIG={own} {try} pawl run -d fresh -- sleep 9",
    "stop with XDG_CONFIG_HOME of its own": "mkdir -p {out}.d/pawl && cp {own} {out}.d/pawl/pawl.toml && env -u PAWL_CONFIG XDG_CONFIG_HOME={out}.d {stop}",
    "stop with a HOME of its own": "mkdir -p {out}.d/.config/pawl && cp {own} {out}.d/.config/pawl/pawl.toml && "
                                   "env -u PAWL_CONFIG -u XDG_CONFIG_HOME HOME={out}.d {stop}",
    "a task with PAWL_CONFIG of its own": "PAWL_CONFIG={own} pawl task start config-task {as} {stop}",
    "a task with a HOME of its own": "mkdir -p {out}.d/.config/pawl && cp {own} {out}.d/.config/pawl/pawl.toml && "
                                     "env -u PAWL_CONFIG -u XDG_CONFIG_HOME HOME={out}.d pawl task start home-task {as} {stop}",
    "a task in a folder with a file of its own": "mkdir {out}.d && cp {own} {out}.d/pawl.toml && "
                                                 "pawl task start file-task --dir {out}.d --prompt-file {own} -- {stop}",
    "a task with an env file": "printf 'PAWL_SESSION=\\nPAWL_AGENT=\\n' >{out}.env && "
                               "pawl task start env-task --env-file {out}.env {as} {stop}",
    "reload with a profile of its own": "mkdir -p {out}.d/profiles && PAWL_CONFIG={out}.d/pawl.toml {try} pawl reload",
}

TASKS = {
    "a task that stops": "pawl task start stops {as} {stop}",
    "a task that answers": "pawl task start answers {as} {try} pawl answer other 1",
    "a task that starts a task that stops": "pawl task start outer {as} "
                                            "pawl task start inner {as} {stop}",
    "a task's detached child": "pawl task start loose {as} sh -c '({bare} setsid -f {stop} {away} &); sleep 1'",
    "a task in Pawl's tmux": "pawl task start pane-task --backend tmux {as} {stop}",
    "a task that cancels another's": "pawl task start cancels {as} {try} pawl task cancel ours",
    "a task that ends its starter": "pawl task start ends {as} {try} pawl stop worker",
    "a task of the name of an agent's": "pawl task start other {as} {stop}",
    "another's task by a task's own name": "pawl task start mine {as} sleep 9; PAWL_AGENT=task-ours {try} pawl task cancel ours",
}

# may = ["pause:team-*", "keys:team-a"]
TEAM = {
    "the leader beyond the team": ("{try} pawl pause other", REFUSED),
    "the leader about one of the team and another": ("{try} pawl pause team-a other", REFUSED),
    "the leader about all": ("{try} pawl pause --all", REFUSED),
    "the leader about itself": ("{try} pawl pause lead", REFUSED),
    "the leader with another verb": ("{try} pawl stop team-a", REFUSED),
    "the leader with resume": ("{try} pawl resume team-a", REFUSED),
    "the leader with keys for another of the team": ("{try} pawl keys team-b x", REFUSED),
    "the leader with keys for nobody": ("{try} pawl keys other x", REFUSED),
    "the leader without Enter": ("{try} pawl send team-b --no-enter x", REFUSED),
    "the leader with another verb that begins so": ("{try} pawl permission team-a plan", REFUSED),
    "the leader about one that begins otherwise": ("{try} pawl pause xteam-a", REFUSED),
    "the leader's task": ("pawl task start lead-task {as} {try} pawl pause team-a", REFUSED),
    "the leader's detached child about another": ("({bare} setsid -f {try} pawl pause other {away} &)", REFUSED),
    "the leader about its team": ("{try} pawl pause team-c", DONE),
}
TEAM_RAW = {
    "the leader by hand, with two names": 'ask("pause", {"names": ["other"], "name": "team-a"})',
    "the leader by hand, with a list": 'ask("pause", {"names": ["team-a", "other"]})',
    "the leader by hand, all with names": 'ask("pause", {"names": ["team-a"], "all": True})',
    "the leader by hand, a name of two": 'ask("pause", {"names": ["other", "team-a\\nother"]})',
    "the leader by hand, keys with names": 'ask("keys", {"name": "other", "names": ["team-a"], "keys": ["x"]})',
    "the leader by hand, nobody": 'ask("pause", {"names": []})',
}

# Each in a fleet of its own: what it does to the others is looked at afterwards.
ALONE = {
    "keys at the holder's socket": ("py", "to_holder(4, b'x\\r')"),
    "a signal at the holder's socket": ("py", "to_holder(6, struct.pack('<I', 15))"),
    "a hello at the holder's socket": ("py", "to_holder(3, struct.pack('<Q', 0))"),
    "with its keeper killed": ("py", "(os.kill(keeper(), 9), detached(ask))[1]"),
    "with its keeper killed, and another's session": ("py", "(os.kill(keeper(), 9), detached(lambda: ask(session=FACTS['other_cookie'])))[1]"),
    "a command of Pawl's tmux server": ("sh", "tmux -S {home}/tmux/own.sock run-shell -b \"PATH=$PATH PAWL_HOME={home} {stop}\""),
    "a window of Pawl's tmux server": ("sh", "tmux -S {home}/tmux/own.sock new-window -d \"PATH=$PATH PAWL_HOME={home} {stop}\""),
    "a hook of Pawl's tmux server": ("sh", "tmux -S {home}/tmux/own.sock set-hook -g after-set-buffer 'run-shell -b \"PATH='$PATH' PAWL_HOME={home} {stop}\"'; "
                                           "tmux -S {home}/tmux/own.sock set-buffer x"),
    "a number that a person's process has now": ("py", "number_of_a_person()"),
    "a task after it wrote the person's configuration": (
        "sh", "cp {own} {folder}/no.toml; pawl task start config-task {as} {stop}"),
    "a daemon that it started with a file of its own": (
        "sh", "kill -9 {daemon}; while [ -e /proc/{daemon} ]; do sleep 0.01; done; PAWL_CONFIG={own} pawl ls; "
              "pawl task start config-task {as} {stop}"),
}

# claude_mode.json in the folder of an agent whose permission is plan: how it is left there, and what it says.
MODES = {
    "mode: everything": ("file", '{"mode": "bypassPermissions"}'), "mode: edits": ("file", '{"mode": "acceptEdits"}'),
    "mode: default": ("file", '{"mode": "default"}'), "mode: automatic": ("file", '{"mode": "auto"}'), "mode: never asks": ("file", '{"mode": "dontAsk"}'),
    "mode: by its other key": ("file", '{"permission_mode": "bypassPermissions"}'),
    "mode: said twice": ("file", '{"mode": "plan", "mode": "bypassPermissions"}'),
    "mode: both keys": ("file", '{"mode": "plan", "permission_mode": "bypassPermissions"}'), "mode: unknown": ("file", '{"mode": "root"}'),
    "mode: an argument": ("file", '{"mode": "plan --dangerously-skip-permissions"}'), "mode: a list": ("file", '{"mode": ["bypassPermissions"]}'),
    "mode: no JSON": ("file", "bypassPermissions"), "mode: a link": ("link", '{"mode": "bypassPermissions"}')}

DOCUMENTED = {  # in doc/trust.md, under "What this does not stop"
    "limit: its keeper and its holder killed": "ended its own holder",
    "limit: another agent's hook secret, by one that has ended": "secret of another agent's hooks",
    "ptrace": "`ptrace`", "signals": "signals (", "a tmux server's keys": "`tmux send-keys`",
    "at": "`at`", "cron": "`cron`", "systemd-run": "`systemd-run`", "docker": "`docker`",
    "a tmux server of its own": "a tmux server that it started or that is yours",
    "a pane's orphan": "in a tmux pane only", "the environment of others": "/proc/PID/environ", "the key of the CA": "tls/ca.key",
    "approvals as a file": "PAWL_HOME/trust", "programs that Pawl runs": "notify = [", "its own user": "a user of its own"}

PERSONS = """ls|pause other|resume other|mode team-b active|keys team-b x|send team-b hello|inbox add team-b work|reload|run -d fresh -- sleep 99
stop fresh|start fresh|restart fresh|rm -f fresh|trust {toml}|trust --forget {toml}|task cancel ours|task clean -f ours
stop team-b""".replace("\n", "|").split("|")


WORDS = {"{stop}": "{try} pawl stop other", "{bare}": 'env -i PATH="$PATH" PAWL_HOME="$PAWL_HOME"', "{away}": "</dev/null >/dev/null 2>&1",
         "{as}": "--dir {folder} --prompt-file {own} --"}


def needs(text):
    return tuple(tool for word, tool in NEEDS.items() if word in text.split() or (word == "{preload}" and word in text))


def add(kind, place, table, wants=REFUSED):
    for name, text in table.items():
        whole = f"{kind}: {name}"
        if whole in ROWS:
            raise ValueError(f"two rows are named {whole}")
        for word, meaning in WORDS.items():
            text = text.replace(word, meaning)
        ROWS[whole] = Row(place, "sh" if "{try}" in text else "py", text, wants, needs(text))


for where in PLACES:
    there = [line for line in VERBS if not (line.startswith("adopt --all") and where in ("pidns", "bwrap"))]  # it sees no agents there
    add(f"verb in {PLACES[where]}", where, {line: "{try} pawl " + line for line in there})
    add(f"look from {PLACES[where]}", where, {"ls": "{try} pawl ls"}, DONE)
add("loose", "pty", LOOSE)
add("forged", "pty", FORGED)
add("raw", "pty", RAW)
add("raw", "pty", BROKEN, CLOSED)
add("other process", "pty", OTHERS)
add("itself", "pty", SELF)
add("itself", "pidns", NUMBERS)
add("hook", "pty", HOOKS)
add("hook", "pty", HOOK_LINES, NOTHING)
add("file", "pty", FILES)
add("task", "pty", TASKS)
for name, (line, wants) in TEAM.items():
    add("team", "lead", {name: line}, wants)
add("team", "lead", TEAM_RAW)
for name, (_, line) in ALONE.items():
    add("alone", "alone", {name: line})
add("person", "person", {line: "{try} pawl " + line for line in PERSONS}, DONE)
