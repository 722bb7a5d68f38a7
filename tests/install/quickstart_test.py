"""tools/quickstart.sh renders the scene that it is given, or says why not before it installs and builds anything."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop())

# Stands for the script that installs and builds.
STUB = """
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
buildPackages=()
say() { printf '==> %s\\n' "$*"; }
fail() { printf 'error: %s\\n' "$*" >&2; exit 1; }
installPackages() { :; }
buildPreset() { :; }
"""
PROGRAM = """#!/bin/sh
echo "rendered $2"
"""


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name).resolve()
        self.tree = self.home / "tree"
        program = self.tree / "build/release/src/cli/aureole"
        for file in (program, self.tree / "tools/build.sh", self.tree / "scenes/balls.json"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        shutil.copy(SOURCE / "tools/quickstart.sh", self.tree / "tools")
        (self.tree / "tools/build.sh").write_text(STUB)
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def run_script(self, *arguments):
        return subprocess.run(["bash", self.tree / "tools/quickstart.sh", *arguments], cwd=self.home,
                              capture_output=True, text=True)

    def test_renders_a_demo_or_the_scene_named(self):
        self.assertIn("rendered scenes/balls.json\n", self.run_script().stdout)
        (self.home / "my model.obj").touch()
        self.assertIn(f"rendered {self.home}/my model.obj\n", self.run_script("my model.obj").stdout)

    def test_refuses_what_is_not_there(self):
        for name in ("model.obj", "nodir/model.obj"):
            result = self.run_script(name)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{self.home}/{name}: no such file", result.stderr)
            self.assertNotIn("rendered", result.stdout)
        result = self.run_script("")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("rendered", result.stdout)

    def test_takes_one_scene(self):
        result = self.run_script("a.obj", "b.obj")
        self.assertEqual(result.returncode, 1)
        self.assertIn("usage: tools/quickstart.sh [SCENE]", result.stderr)


if __name__ == "__main__":
    unittest.main()
