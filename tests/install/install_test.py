"""'cmake --install', and the program that it installs. Arguments: the built program, the folder of the build, the
repository, cmake."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import commands

BUILD, SOURCE, CMAKE = sys.argv[2:5]


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.prefix = Path(cls.temporary.name) / "a prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix, "--strip"], check=True, capture_output=True,
                       timeout=120)
        cls.elsewhere = Path(cls.temporary.name) / "elsewhere"
        cls.elsewhere.mkdir()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def run_installed(self, *arguments):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.elsewhere),
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        return subprocess.run([self.prefix / "bin/aureole", *arguments], cwd=self.elsewhere, env=environment,
                              capture_output=True, text=True, check=False, timeout=200)

    def test_each_file_has_its_place(self):
        found = {str(file.relative_to(self.prefix)) for file in self.prefix.rglob("*") if not file.is_dir()}
        expected = {"bin/aureole", "libexec/aureole/aureole-import", "libexec/aureole/aureole-bench",
                    "share/bash-completion/completions/aureole", "share/zsh/site-functions/_aureole",
                    "share/fish/vendor_completions.d/aureole.fish", "share/aureole/aureole.schema.json",
                    "share/aureole/stats.schema.json",
                    "share/aureole/tools/sky_figures.sh", "share/aureole/tools/denoiser.sh", "share/doc/aureole/LICENSE", "share/doc/aureole/CHANGELOG.md",
                    "share/doc/aureole/README.md", "share/doc/aureole/bench/README.md",
                    "share/doc/aureole/bench/results.json", "share/doc/aureole/bench/suite_h200.json",
                    "share/doc/aureole/bench/suite_h100.json", "share/doc/aureole/bench/near_h200.json",
                    "share/doc/aureole/bench/scan_h200.json", "share/doc/aureole/bench/denoise_h200.json"}
        expected |= {f"share/doc/aureole/bench/record/{page.name}" for page in Path(SOURCE, "tests/bench/record").iterdir()}
        expected |= {"share/man/man1/" + "-".join(("aureole", *command)) + ".1" for command in commands()}
        expected |= {f"share/aureole/tools/bench/{name}"
                     for name in ("report.py", "suite.sh", "charts.py", "plot.py", "report.css", "report.js")}
        expected |= {f"share/aureole/tools/slurm/{name}"
                     for name in ("README.md", "common.sh", "finish.sh", "merge.sh", "submit.sh", "task.sh")}
        tracked = subprocess.run(["git", "ls-files", "scenes"], cwd=SOURCE, capture_output=True, text=True, check=False)
        # A tree without git has the files of a release.
        scenes = tracked.stdout.splitlines() if tracked.returncode == 0 else [
            str(file.relative_to(SOURCE)) for file in Path(SOURCE, "scenes").rglob("*") if file.is_file()]
        expected |= {f"share/aureole/{file}" for file in scenes if not file.startswith("scenes/hosek/")}
        expected |= {f"share/doc/aureole/{folder}/{file.name}"
                     for folder, pattern in (("bench", "tests/bench/*.svg"), ("bench", "tests/bench/*.jpg"),
                                             ("manual", "src/cli/manual/pages/*.md"))
                     for file in Path(SOURCE).glob(pattern)}
        self.assertEqual(found, expected)

    def test_the_program_that_renders_stays_small(self):
        most = 12e6 if Path(BUILD).name == "release" else 200e6  # sanitizers and debugging take theirs
        self.assertLess((self.prefix / "bin/aureole").stat().st_size, most, "bytes, stripped")

    def test_what_the_documents_link_to_is_there(self):
        links = 0
        for document in [*self.prefix.rglob("*.md")]:
            for link in re.findall(r"\]\(([^)#\s]+)", document.read_text()):
                if "://" not in link:
                    links += 1
                    self.assertTrue((document.parent / link).exists(), f"{document}: {link}")
        self.assertGreater(links, 30)

    def test_the_schema_beside_the_scenes_is_the_one_above(self):
        schema = self.prefix / "share/aureole/aureole.schema.json"
        self.assertEqual(schema.resolve(), (self.prefix / "share/aureole/scenes/aureole.schema.json").resolve())
        self.assertEqual(schema.read_bytes(), Path(SOURCE, "scenes/aureole.schema.json").read_bytes())

    def test_no_installed_file_names_the_build_or_the_repository(self):
        for file in self.prefix.rglob("*"):
            if file.is_file():
                data = file.read_bytes()
                for folder in (BUILD, SOURCE):
                    at = data.find(os.fsencode(folder) + b"/")
                    self.assertEqual(at, -1, f"{file}: {data[max(at - 40, 0):at + 120]}")

    def test_all_libraries_are_the_systems(self):
        programs = [self.prefix / "bin/aureole", *(self.prefix / "libexec/aureole" / name for name in ("aureole-import", "aureole-bench"))]
        listed = subprocess.run(["ldd", *programs], capture_output=True, text=True, check=True)
        self.assertNotIn("not found", listed.stdout)
        for line in listed.stdout.splitlines():
            if line.endswith(":"):
                continue  # which program the next lines are of
            path = line.split("=>")[-1].split()[0]
            if path.startswith("/"):
                self.assertRegex(path, r"^/(usr/)?lib")

    def test_it_renders_an_installed_scene_from_anywhere(self):
        self.assertEqual(self.run_installed("--version").returncode, 0)
        scene = self.prefix / "share/aureole/scenes/cornell.json"
        rendered = self.run_installed("render", scene, "-o", "picture.png", "--size", "24x24", "--spp", "1",
                                      "--resolution", "32", "--allow-cpu")
        self.assertEqual(rendered.returncode, 0, rendered.stderr)
        self.assertRegex(self.run_installed("info", "picture.png").stdout, r"(?m)^width +24$")

    def test_it_starts_the_benchmarks_whose_results_are_drawn(self):
        measured = self.run_installed("bench", "fft", "--lengths", "64", "--batch", "4", "--repeats", "1", "--allow-cpu",
                                      "--json", "fft.json")
        self.assertEqual(measured.returncode, 0, measured.stderr)
        drawn = subprocess.run([self.prefix / "share/aureole/tools/bench/report.py", "fft.json", "-o", "fft.html"],
                               cwd=self.elsewhere, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        self.assertIn("<h1>Fourier transforms</h1>", (self.elsewhere / "fft.html").read_text())
        self.assertFalse((self.prefix / "share/aureole/tools/bench/__pycache__").exists())

    def test_all_installed_scenes_are_valid(self):
        for scene in sorted((self.prefix / "share/aureole/scenes").glob("*.json")):
            if scene.name != "aureole.schema.json":
                result = self.run_installed("validate", scene)
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=["install_test"])
