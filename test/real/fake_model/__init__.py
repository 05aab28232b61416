"""A model that follows a script, on loopback: enough of the Anthropic Messages, the OpenAI Responses and Chat Completions, and
the Gemini interface for an agent to believe it. It logs when every request came, what was in it and when its answer ended: the
truth that Pawl's events and deliveries are measured by.

A script is a list of steps; every request of the conversation takes the first that fits it:
  say("text", begin=0.2, pieces=5, every=0.1)    an answer in pieces; cut=2 breaks the connection after two of them
  run("touch x")                                  a call of the shell tool
  fail("usage-limit", reset=3600)                 an error as the vendor words it, to every request from then on
  refuse(429, "rate_limit_error", "…", headers)   an error in words of the test's own
  hang()                                          no answer at all
Requests beside the conversation (titles, topics) get a word and take no step. Scenario files say the same: scenario.py."""
from .errors import NAMES as ERRORS
from .scenario import BadScenario, read
from .server import FakeModel
from .steps import ALWAYS, Step, fail, hang, refuse, run, say

__all__ = ["ALWAYS", "ERRORS", "BadScenario", "FakeModel", "Step", "fail", "hang", "read", "refuse", "run", "say"]
