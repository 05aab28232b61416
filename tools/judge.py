"""How a detector's answers are judged against a labelled recording. Pure: labels and answers in, numbers out.

A recording has labels, one after the other without gaps: what the agent really did. The detector's answers are marks in
time: from here on, this state. What is counted, and when the doubt is the recording's:

  right        seconds with a state that the label accepts (ACCEPTED); the GRACE after a true change is not judged, and
               neither are the last SETTLE seconds of a start, the least exact border there is
  false ready  seconds called ready while it started, worked, asked, held a draft or was gone: the dangerous ones
  false gone   seconds called shell, exited or crashed while it was there
               (of either, less than FORGIVEN within one label is a border that was missed, not an error)
  notice       seconds from the true start of ready, waiting or gone to the first answer that says so. An answer from
               before that time is a guess, and no notice, unless the last label accepted it as well.
"""
import math

GRACE = 0.6
EARLY = 0.35     # before a true change, that still count as noticing it: borders are exact to about 0.3 s
SETTLE = 1.0
FORGIVEN = 0.3
LONG_ENOUGH = 1.5  # what lasts shorter need not be noticed

GONE = frozenset(("shell", "exited", "crashed"))
PROGRAMS_THAT_ASK = frozenset(("repl", "read_prompt", "yn_prompt", "password", "nested_shell", "tmux"))

# state, sub (None: any other) -> what is accepted, and the class of the label
ACCEPTED = {
    ("ready", "exiting"): None,
    ("ready", "child_running"): ("ready", "ready"),
    ("ready", None): ("ready", "ready"),
    ("typing", "mode"): ("typing unknown waiting", "typing"),  # a shell mode, a picker, a view: a text sent there is no prompt
    ("typing", "mode_vim"): ("ready typing unknown", "mode_vim"),
    ("typing", None): ("typing", "typing"),
    ("unseen", None): None,
    ("starting", None): ("starting unknown busy", "starting"),
    ("dialog", None): ("waiting", "waiting"),
    ("busy", "stopped"): ("ready limited waiting", "error"),
    ("busy", None): ("busy", "busy"),
    ("rate_limited", "retrying"): ("busy limited", "busy"),
    ("rate_limited", None): ("limited ready waiting", "error"),
    ("auth_error", "retrying"): ("busy waiting", "busy"),
    ("auth_error", None): ("ready waiting limited typing", "error"),
    ("context_exhausted", None): ("ready waiting limited typing", "error"),
    ("shell", "typing"): ("shell typing", "shell_typing"),
    ("shell", None): ("shell", "gone"),
    ("exited", None): ("shell exited crashed", "gone"),
    ("crashed", None): ("shell exited crashed", "gone"),
    ("app", None): ("busy unknown waiting starting stuck", "app"),
}
ACCEPTED.update({("app", sub): ("ready typing waiting busy unknown shell starting", "app_prompt")
                 for sub in PROGRAMS_THAT_ASK})
NOT_READY = frozenset(("starting", "busy", "waiting", "typing", "app", "gone", "shell_typing"))
NOT_GONE = frozenset(row[1] for row in ACCEPTED.values() if row) - {"gone", "shell_typing", "app_prompt"}
NOTICED = ("ready", "waiting", "gone")


def accepted(label):
    """The states this label accepts and its class; two Nones where nothing is judged."""
    key = (label["state"], label.get("sub") or None)
    row = ACCEPTED.get(key, ACCEPTED.get((label["state"], None)))
    return (frozenset(row[0].split()), row[1]) if row else (None, None)


def spans_of(answers, end):
    """[(t, t2, state)] up to `end`, without two of the same state in a row."""
    marks = [(0.0, "starting"), *answers]
    spans = []
    for (begin, state), (finish, _) in zip(marks, [*marks[1:], (end, "")]):
        finish = min(end, finish)
        if finish <= begin:
            continue
        if spans and spans[-1][2] == state:
            begin = spans.pop()[0]
        spans.append((begin, finish, state))
    return spans


def notice_of(label, states, last_states, slack, spans):
    """How long until the label was noticed; infinite when it never was."""
    for begin, finish, state in spans:
        guessed = begin < label["t_start"] - slack and state not in last_states
        if state in states and finish > label["t_start"] and begin < label["t_end"] and not guessed:
            return max(0.0, begin - label["t_start"])
    return math.inf


class Tally:
    """What is added up, over one recording or over many."""

    def __init__(self):
        self.seconds = self.right = self.false_ready = self.false_gone = 0.0
        self.notices = {name: [] for name in NOTICED}
        self.wrong = []  # (recording, t, seconds, said, was)

    def add(self, other):
        for name in ("seconds", "right", "false_ready", "false_gone"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in NOTICED:
            self.notices[name] += other.notices[name]
        self.wrong += other.wrong

    def percent(self):
        return 100 * self.right / self.seconds if self.seconds else 100.0

    def quantile(self, name, part):
        """None: nothing of the kind; infinite: never noticed."""
        values = sorted(self.notices[name])
        return values[min(len(values) - 1, int(part * len(values)))] if values else None

    def never(self, name):
        return sum(map(math.isinf, self.notices[name]))


def judge(labels, answers, end, recording=""):
    """labels: of the recording; answers: [(t, state)] of the detector; end: the recording's length."""
    tally = Tally()
    spans = spans_of(answers, end)
    last, last_states = None, frozenset()
    for label in labels:
        states, kind = accepted(label)
        changed = kind != last
        if states is not None:
            if changed and kind in NOTICED and label["t_end"] - label["t_start"] >= LONG_ENOUGH:
                slack = SETTLE if last == "starting" else EARLY
                tally.notices[kind].append(notice_of(label, states, last_states, slack, spans))
            begin = label["t_start"] + (GRACE if changed and label["t_start"] > 0 else 0.0)
            finish = label["t_end"] - (SETTLE if kind == "starting" else 0.0)
            judge_label(tally, label, states, kind, (begin, finish), spans, recording)
        last, last_states = kind, states or frozenset()
    return tally


def judge_label(tally, label, states, kind, judged, spans, recording):
    false_ready = false_gone = 0.0
    for begin, finish, state in spans:
        begin, finish = max(begin, judged[0]), min(finish, judged[1])
        seconds = finish - begin
        if seconds <= 0:
            continue
        tally.seconds += seconds
        if state in states:
            tally.right += seconds
            continue
        false_ready += seconds if state == "ready" and kind in NOT_READY else 0
        false_gone += seconds if state in GONE and kind in NOT_GONE else 0
        was = "/".join(filter(None, (label["state"], label.get("sub"))))
        tally.wrong.append((recording, begin, seconds, state, was))
    tally.false_ready += false_ready if false_ready >= FORGIVEN else 0
    tally.false_gone += false_gone if false_gone >= FORGIVEN else 0
