#!/usr/bin/env python3
"""tools/image: the archive is what it says it is, and what is in it runs with nothing else around. Here with the pawl of this build
and a shell; `make image` puts in the static one alone."""
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest

IMAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "tools", "image")
# What a container runtime does: a /proc, terminals, /dev/null, and then only what is in the folder.
ENTER = r"""set -e; cd "$0"
mount -t proc proc proc
mkdir -p dev/pts; mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts; ln -sf pts/ptmx dev/ptmx
touch dev/null; mount --bind /dev/null dev/null
PATH=/usr/bin:/bin PAWL_HOME=/tmp/home exec "$(PATH=$PATH:/usr/sbin command -v chroot)" . "$@" """
NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--mount", "--fork", "--kill-child"]
ALLOWED = subprocess.run([*NAMESPACE, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="pawl-image-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.root, cls.archive = cls.folder + "/root", cls.folder + "/image.tar"
        cls.said = cls.make(cls.archive, "--root", cls.root).stdout

    @classmethod
    def make(cls, archive, *words, code=0, binary=shutil.which("pawl") or "pawl"):
        done = subprocess.run([IMAGE, "--binary", binary, "--add", "/bin/sh", "--output", archive, *words], encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode == code, done.stderr
        return done

    def read(self, name):
        with tarfile.open(self.archive) as tar:
            return tar.extractfile(name).read()

    def test_digests_and_configuration(self):
        (manifest,) = json.loads(self.read("manifest.json"))
        config = self.read(manifest["Config"])
        self.assertEqual(manifest["Config"], hashlib.sha256(config).hexdigest() + ".json")
        layer = hashlib.sha256(self.read(manifest["Layers"][0])).hexdigest()
        self.assertEqual(json.loads(config)["rootfs"]["diff_ids"], ["sha256:" + layer])
        self.assertEqual(json.loads(config)["config"]["Cmd"], ["daemon", "--init"])
        self.assertIn(str(os.path.getsize(self.archive)), self.said)

    def test_the_same_again(self):
        self.make(self.folder + "/again.tar")
        with open(self.archive, "rb") as one, open(self.folder + "/again.tar", "rb") as other:
            self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(other.read()).digest())

    def test_owners_and_modes(self):
        (manifest,) = json.loads(self.read("manifest.json"))
        with tarfile.open(self.archive) as tar, tarfile.open(fileobj=tar.extractfile(manifest["Layers"][0])) as layer:
            found = {info.name: (info.mode, info.uid) for info in layer}
        self.assertEqual(found["var/lib/pawl"], (0o700, 1000))
        self.assertEqual(found["tmp"], (0o1777, 0))
        self.assertEqual(found["usr/bin/pawl"], (0o755, 0))
        self.assertEqual(found["etc/passwd"], (0o644, 0))

    def test_mistakes(self):
        self.assertIn("is no program", self.make(self.folder + "/x.tar", code=1, binary="/etc/passwd").stderr)
        self.assertIn("exists already", self.make(self.folder + "/x.tar", "--root", self.root, code=1).stderr)

    @unittest.skipUnless(ALLOWED, "this machine allows no namespaces")
    def test_it_runs_with_nothing_else_around(self):
        script = """pawl version; pawl daemon --init & init=$!
            until [ -S /tmp/home/pawl.sock ]; do :; done
            pawl run -d one -- sh -c 'echo I am here; exec cat' && pawl wait one --until unknown --timeout 20
            until pawl screen one | { read line; [ "$line" = "I am here" ]; }; do :; done; echo seen
            kill $init; wait $init; echo ended with $?"""
        done = subprocess.run([*NAMESPACE, "sh", "-c", ENTER, self.root, "/bin/sh", "-c", script], stdin=subprocess.DEVNULL, encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        self.assertIn("seen", done.stdout)
        self.assertIn("ended with 0", done.stdout)


if __name__ == "__main__":
    unittest.main()
