#!/usr/bin/env python3
"""What bad input gets: a refusal before anything is started, that says what is wrong and what to do."""
import os
import socket
import subprocess
import unittest

from fleet import PAWL, FleetCase, alive


class Errors(FleetCase):
    def toml(self, text):
        path = self.folder + "/pawl.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return self.refused("up", code=None)

    def nothing_was_started(self):
        self.assertEqual(self.agents(), {})
        self.assertEqual(self.of_this_fleet(), [])

    def test_names(self):
        for name in ("", "a b", "a/b", "../a", "-a", "ä", "a" * 65, "a\nb"):
            done = self.pawl("run", "-d", name, "--", "sleep", "1000", code=2)
            self.assertTrue(done.stderr.startswith("pawl: "), done.stderr)
        self.assertIn("'a b'", self.refused("run", "-d", "a b", "--", "sleep", "1000", code=2))
        self.nothing_was_started()
        self.start("A.b_c-" + "9" * 58, "true")

    def test_a_name_in_use(self):
        self.start("one", "sleep", "1000")
        self.assertIn("running already", self.refused("run", "-d", "one", "--", "sleep", "1000"))
        self.assertEqual(len(self.of_this_fleet()), 1)

    def test_unknown_names_get_a_guess(self):
        self.start("builder", "sleep", "1000")
        for verb in (["show"], ["screen"], ["logs"], ["send"], ["wait", "--until", "ready"]):
            words = [verb[0], "bulider", *verb[1:], *(["text"] if verb == ["send"] else [])]
            self.assertIn("did you mean 'builder'?", self.refused(*words))

    def test_what_cannot_be_run(self):
        with open(self.folder + "/file", "w", encoding="utf-8"):
            pass
        for words, said in ((["--dir", "missing", "--", "true"], "missing"), (["--dir", "file", "--", "true"], "not a directory"),
                            (["--", "no-such-program"], "no-such-program"), (["--", "./file"], "file"), (["--", "/"], "/"),
                            (["--env-file", "no.env", "--", "true"], "no.env")):
            self.assertIn(said, self.refused("run", "-d", "one", *words))
        for words in ([], ["one"], ["one", "--"]):
            self.refused("run", "-d", *words, code=2)
        self.refused("run", "-d", "one", "--size", "0x0", "--", "true", code=2)
        self.refused("run", "-d", "one", "--permission", "none", "--", "true", code=2)
        self.nothing_was_started()

    def test_a_bad_env_file(self):
        with open(self.folder + "/bad.env", "w", encoding="utf-8") as file:
            file.write("GOOD=1\nnot good\n")
        self.assertIn("bad.env:2:", self.refused("run", "-d", "one", "--env-file", "bad.env", "--", "true"))
        self.nothing_was_started()

    def test_verbs_and_flags(self):
        self.start("one", "cat")
        self.assertIn("did you mean 'restart'?", self.refused("retsart", "one", code=2))
        for words in (["frobnicate"], ["ls", "--frobnicate"], ["ls", "more"], ["show"], ["logs", "one", "-n", "many"],
                      ["events", "--since", "yesterday"], ["keys", "one"], ["help", "frobnicate"], ["wait", "one"]):
            self.refused(*words, code=2)
        for words in (["attach", "one"], ["ls", "-w"]):
            self.assertIn("needs a terminal", self.refused(*words, code=2))

    def test_configuration(self):
        """What is no TOML is refused; a mistake in it is told and made safe, and stops nobody's agents."""
        path = self.folder + "/pawl.toml"
        good = '[agent.one]\ncommand = ["true"]\n'
        self.assertIn(f"{path}:3:", self.toml(good + "dir = \n"))
        self.assertIn("bad agent name", self.mistake('[agent."a b"]\ncommand = ["true"]\n'))
        self.assertIn("no [agent.NAME]", self.toml("[models]\n"))
        self.nothing_was_started()
        unknown = self.mistake(good + 'restrat = "never"\n')
        self.assertIn(f"{path}:3:1: unknown key 'restrat' in [agent.one]", unknown)
        self.assertIn("did you mean 'restart'?", unknown)
        self.assertIn("unknown key 'attemps'", self.mistake(good + "nudge = { attemps = 3 }\n"))
        section = self.mistake(good + "[agents.two]\n")
        self.assertIn(f"{path}:3:", section)
        self.assertIn("did you mean 'agent'?", section)
        self.assertIn("'stop_grace_s' must be a number", self.mistake(good + 'stop_grace_s = "soon"\n'))
        self.assertIn("'command' must be a list", self.mistake('[agent.one]\ncommand = "true"\n'))
        self.assertIn("'dir' must be a text", self.mistake(good + "dir = 3\n"))
        self.assertIn('until then it is "never"', self.mistake(good + 'restart = "always"\n'))
        self.pawl("up")
        self.assertIn("one", self.agents())
        os.remove(path)
        self.assertIn(path, self.refused("up"))

    def mistake(self, text):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write(text)
        return self.pawl("config", "check", code=1).stderr

    def test_one_bad_agent_does_not_spoil_the_others(self):
        with open(self.folder + "/pawl.toml", "w", encoding="utf-8") as file:
            file.write('[agent.bad]\ndir = "missing"\ncommand = ["true"]\n[agent.good]\ncommand = ["sleep", "1000"]\n')
        done = self.pawl("up", code=1)
        self.assertEqual(done.stdout, "good is up\n")
        self.assertRegex(done.stderr, r"\Apawl: bad: no such directory: .*missing.*\n\Z")

    def test_the_directory_is_gone_at_a_restart(self):
        os.mkdir(self.folder + "/place")
        self.start("one", "sleep", "1000", options=["--dir", "place"])
        self.pawl("stop", "one")
        os.rmdir(self.folder + "/place")
        done = self.pawl("restart", "one", code=1)
        self.assertIn("/place", done.stderr)
        self.assertEqual(self.agents()["one"]["state"], "crashed")
        os.mkdir(self.folder + "/place")
        self.pawl("restart", "one")
        self.assertEqual(self.agents()["one"]["state"], "unknown")
        self.assert_every_decision_has_one_outcome()

    def test_two_daemons(self):
        self.start("one", "sleep", "1000")
        first = self.daemon_pid()
        said = self.refused("daemon")
        self.assertIn(f"running already for {self.home} (pid {first})", said)
        self.assertEqual(self.daemon_pid(), first)
        self.assertTrue(alive(first))

    def test_many_at_once_start_one_daemon(self):
        many = [subprocess.Popen([PAWL, "ls"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for _ in range(12)]
        self.assertEqual([(process.communicate()[0], process.returncode) for process in many],
                         [(self.pawl("ls").stdout, 0)] * 12)

    def test_a_wrong_home(self):
        file = self.folder + "/file"
        with open(file, "w", encoding="utf-8"):
            pass
        os.mkdir(self.folder + "/open", 0o755)
        os.chmod(self.folder + "/open", 0o750)
        for home, said in ((file, file), (file + "/below", file), (self.folder + "/open", "chmod 700")):
            for words in (["ls"], ["run", "-d", "x", "--", "true"]):
                self.assertIn(said, self.refused(*words, env={**self.environment, "PAWL_HOME": home}))
        self.assertEqual(os.listdir(self.folder + "/open"), [])
        for home in (file, self.folder + "/open"):
            self.assertRegex(self.pawl("doctor", env={**self.environment, "PAWL_HOME": home}, code=1).stdout, r"(?m)^bad +home ")

    def test_doctor_sees_that_a_home_cannot_be_created(self):
        with open(self.folder + "/file", "w", encoding="utf-8"):
            pass
        self.pawl("doctor", env={**self.environment, "PAWL_HOME": self.folder + "/file/below"}, code=1)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_home_that_cannot_be_written(self):
        os.mkdir(self.home, 0o500)
        self.assertIn("not writable", self.refused("ls"))

    def test_a_long_home(self):
        self.use_home(self.folder + "/l" * 60 + "/" + "long" * 50)
        self.assertGreater(len(self.home), 300)
        self.start("one", "cat")
        self.pawl("send", "one", "hello")
        self.on_screen("one", "hello\nhello")
        self.kill_daemon()
        self.assertEqual(self.agents()["one"]["state"], "unknown")

    def test_what_a_kill_leaves_behind(self):
        self.start("one", "sleep", "1000")
        for _ in range(3):
            old = self.kill_daemon()
            self.assertTrue(os.path.exists(self.home + "/pawl.sock"))
            self.assertEqual(self.agents()["one"]["state"], "unknown")
            self.assertNotEqual(self.daemon_pid(), old)
        # A lock with the number of a process that lives but is no daemon, a socket nobody listens at.
        self.kill_daemon()
        with open(self.home + "/daemon.lock", "w", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")
        os.remove(self.home + "/pawl.sock")
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(self.home + "/pawl.sock")
        self.assertEqual(self.agents()["one"]["state"], "unknown")
        self.kill_daemon()
        os.remove(self.home + "/pawl.sock")
        os.remove(self.home + "/daemon.lock")
        self.assertEqual(self.agents()["one"]["state"], "unknown")


if __name__ == "__main__":
    unittest.main()
