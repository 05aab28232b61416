"""Which words of a request the person wrote: the judge of every test of delivery."""
import re

# What agents put into the conversation by themselves, as a text of its own.
TAGS = ("system-reminder", "environment_context", "user_instructions", "session_context", "turn_aborted", "user_shell_command",
        "command-name", "command-message", "local-command-stdout", "local-command-caveat", "bash-input", "bash-stdout")
OPENINGS = ("# AGENTS.md instructions", "[Request interrupted by user", "This is the Qwen Code. We are setting up",
            "Managed memory directory:", "The conversation history before this point was compacted",
            "What did we do so far?", "The previous request exceeded the provider's size limit")
OWN = re.compile(rf"\A\s*(?:<(?:{'|'.join(TAGS)})\b|{'|'.join(map(re.escape, OPENINGS))}|Ran `[^\n]*`\n```)")
# What they put around a prompt: Copilot around each, Claude around one that comes while it works.
AROUND = re.compile(r"\A<current_datetime>[^<]*</current_datetime>\n\n|\n\n<reminder>.*</reminder>\Z|"
                    r"\s*<tagged_files>.*</tagged_files>\Z|"
                    r"\A(?:<system-reminder>\n)?The user sent a new message while you were working:\n|"
                    r"\n\nThis is how Claude Code surfaces messages the user sends mid-turn\b.*\Z", re.S)
# Gemini's copies of the files that a prompt names with @.
FILES = ("--- Content from referenced files ---", "--- End of content ---")


def own_words(users):
    found, inside = [], False
    for text in users:
        words = AROUND.sub("", text)
        inside = inside or words.strip() == FILES[0]
        if not inside and not OWN.match(words):
            found.append(words)
        inside = inside and words.strip() != FILES[1]
    return found


class Conversation(list):
    """The prompts of one, as far as they were seen."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.aborted = False  # the agent hung up on the last answer: the same again is a prompt, not another try

    def shared(self, prompts):
        """How many are the same. Claude ends one that failed with a newline when it repeats it."""
        same = [other in (mine, mine + "\n") for mine, other in zip(self, prompts)]
        return (same + [False]).index(False)


class Prompts:
    """Requests repeat the conversation so far, so what is new in one is what it has more than an earlier one. Two that are
    alike are a second try, unless the agent itself gave up the first. Without a session's name, a program that is started
    again and told the same first prompt looks like a second try as well."""

    def __init__(self):
        self.found = []
        self.conversations = []

    def see(self, prompts, session=None, answered=False):
        """The new ones of a request with these prompts, and their conversation. `answered`: it has answers in it, so when its
        session is unknown it goes on with one of another name."""
        known = [one for one in self.conversations if one.session == session]
        if not known and answered:
            known = self.conversations
        best = max(known, key=lambda one: one.shared(prompts), default=None)
        shared = best.shared(prompts) if best is not None else 0
        if shared == len(prompts) and prompts and best is not None and best.aborted:
            shared -= 1
        if best is None or (shared == 0 and best):
            best = Conversation(session)
            self.conversations.append(best)
        new = prompts[shared:]
        best[shared:] = new or best[shared:]
        best.aborted = False
        self.found.extend(new)
        return new, best
