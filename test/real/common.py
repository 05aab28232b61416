"""What every agent with permissions has to be right about: the tests that claude_test.py and codex_test.py share."""
import json
import os
import signal
import time

from agents import START_S
from fake_model import say
from fleet import read_proc, until


class CommonTests:
    """Mixed into a RealCase."""
    busy_tiers = ("status",)   # who may be the first to say busy
    asked_tiers = ("status", "screen")
    asked = "touch made.txt"   # what `pawl why` says of the dialog
    listed = ""                # one of the commands that / lists

    def long_answer(self, every):
        self.model.script(say("A slow answer. " * 60, begin=1, pieces=60, every=every))
        self.up()
        return self.prompt("say something long")

    def test_a_turn_is_busy_then_ready(self):
        pressed = self.long_answer(0.05)
        until("its own report says busy", lambda: ("status", "busy") in self.opinions(), 5)
        late = self.turn_over()
        busy = self.when("busy")
        self.assertIn(busy[3], self.busy_tiers, busy)
        self.assertLessEqual(busy[0] - pressed, 0.6)
        self.assertIn(self.when("ready")[3], self.busy_tiers)
        self.assertEqual([row[1] for row in self.states()], ["busy", "ready"], self.states())
        print(f"\n{self.agent}: ready {late:.3f} s after the end of the turn")

    def ask(self):
        """Comes to a permission dialog; gives when it was seen."""
        self.model.scenario("permission")
        self.up()
        self.prompt("make a file")
        self.wait("waiting")
        return self.when("waiting")

    def test_a_permission_dialog_waits(self):
        asked = self.ask()
        self.assertEqual(asked[2], "permission", asked)
        self.assertIn(asked[3], self.asked_tiers)
        self.assertLessEqual(asked[0] - self.model.last("call"), 1.0, "noticed late")
        until("its own report says so too", lambda: ("status", "waiting") in self.opinions(), 5)
        until("the dialog is named", lambda: self.asked in json.dumps(self.why()), 5)
        why = self.why()
        self.assertEqual((why["state"], why["kind"]), ("waiting", "permission"))
        self.answer("Enter")
        self.turn_over()
        self.assertTrue(os.path.exists(self.project + "/made.txt"))

    def test_a_refused_permission_is_ready_again(self):
        self.ask()
        pressed = self.answer("Escape")
        self.wait("ready")
        self.assertLessEqual(self.when("ready", pressed)[0] - pressed, 1.5)
        self.assertFalse(os.path.exists(self.project + "/made.txt"))

    def test_an_interrupted_turn_is_ready_again(self):
        self.long_answer(0.25)
        self.wait("busy")
        until("the model answers", lambda: self.model.last("request"))
        pressed = time.time()
        self.pawl("keys", "one", "Escape")
        self.wait("ready", "typing")  # it may put the prompt back into the box
        self.assertLessEqual(time.time() - pressed, 2.5)

    def test_the_list_of_commands_is_a_draft(self):
        self.up()
        self.pawl("send", "one", "/", "--no-enter")
        self.wait("typing")
        until("the list is there", lambda: self.listed in self.screen("one"), 10)
        self.assertEqual(self.wait("typing"), "typing")
        self.assertEqual({row[1] for row in self.states()}, {"typing"}, self.states())

    def test_a_draft_is_typing(self):
        self.up()
        self.pawl("send", "one", "half a thou", "--no-enter")
        self.wait("typing")
        self.assertEqual(self.when("typing")[3], "screen")
        self.mark = time.time()
        self.pawl("keys", "one", "C-u")
        self.wait("ready")
        self.assertEqual([row[1] for row in self.states()], ["ready"], "nothing was sent")
        self.assertEqual(self.model.prompts(), [])

    def test_an_overloaded_model_keeps_it_busy(self):
        self.model.scenario("overload")
        self.up()
        self.prompt("hello")
        self.turn_over()
        self.assertEqual({row[1] for row in self.states()[:-1]}, {"busy"}, self.states())
        self.assertEqual(self.model.prompts(), ["hello"], "tried again is not sent again")

    def test_killed_inside_a_shell_is_the_shell(self):
        self.begin("bash", "-ic", f"{' '.join(self.command)}; exec bash -i")
        self.wait("ready", timeout=START_S)
        agent = [pid for pid in self.pid_in_front(self.agent) if read_proc(pid, "comm").strip() != b"bash"]
        self.assertTrue(agent)
        self.mark = time.time()
        for pid in agent:
            os.kill(pid, signal.SIGKILL)
        self.wait("shell")
        self.assertLessEqual(self.when("shell")[0] - self.mark, 1.5)
