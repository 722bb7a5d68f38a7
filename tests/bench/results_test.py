"""The speeds in README.md and the pages of tests/bench are those of tests/bench/results.json. Argument: the repository."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv[1])
SUITES = json.loads((ROOT / "tests/bench/results.json").read_text())["suites"].values()
PAGES = ("README.md", "tests/bench/README.md", "tests/bench/record/denoising.md", "tests/bench/record/peers.md")
FILES = (*PAGES, "tests/bench/results.json", "tools/results.py",
         *(f"tests/bench/{suite['file']}" for suite in SUITES))


def check(root):
    return subprocess.run([sys.executable, "-B", root / "tools/results.py", "--check"], capture_output=True, text=True,
                          check=False)


class ResultsTest(unittest.TestCase):
    def copy(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        for name in FILES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        return root

    def test_pages_and_json_agree(self):
        result = check(ROOT)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_figure_changed_in_a_page_alone_is_found(self):
        for name in PAGES:
            root = self.copy()
            page = root / name
            text = page.read_text()
            table = text.index("<!-- results ")
            digit = re.search(r"\| (\d)", text[table:])
            at = table + digit.start(1)
            page.write_text(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:])
            result = check(root)
            self.assertNotEqual(result.returncode, 0, name)
            self.assertIn(name, result.stderr)

    def test_a_figure_changed_in_the_json_alone_is_found(self):
        root = self.copy()
        file = root / "tests/bench/results.json"
        results = json.loads(file.read_text())
        results["headline"]["rows"][-1]["aureole"][0] *= 2
        file.write_text(json.dumps(results))
        result = check(root)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("README.md is not what results.json says", result.stderr)

    def changed_suite(self, change):
        root = self.copy()
        for name in ("tests/bench/suite_h200.json", "tests/bench/scan_h200.json"): # of which the README has figures
            suite = json.loads((root / name).read_text())
            for report in suite["reports"]:
                for table in report["tables"]:
                    for row in table["rows"]:
                        change(row)
            (root / name).write_text(json.dumps(suite))
        return check(root)

    def test_a_figure_of_the_suite_changed_alone_is_found(self):
        for figure in ("whole us", "Mray/s", "Gkeys/s"):
            def change(row, figure=figure):
                if figure in row:
                    row[figure] *= 2
            result = self.changed_suite(change)
            self.assertNotEqual(result.returncode, 0, figure)
            self.assertIn("README.md is not what results.json says", result.stderr)

    def test_a_figure_that_the_suite_lacks_is_named(self):
        def change(row):
            row["by"] = "another"
        result = self.changed_suite(change)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("found nothing of", result.stderr)
        self.assertIn("1920x1080, 256 general", result.stderr)

    def test_a_table_without_its_place_is_found(self):
        root = self.copy()
        page = root / "README.md"
        page.write_text(page.read_text().replace("<!-- results headline -->\n", ""))
        self.assertIn("found no line '<!-- results headline -->'", check(root).stderr)

    def test_every_run_names_program_device_driver_and_date(self):
        runs = json.loads((ROOT / "tests/bench/results.json").read_text())["runs"]
        for name, run in runs.items():
            with self.subTest(name):
                self.assertTrue(run["program"] and run["device"])
                self.assertRegex(run["driver"], r"^\d+\.\d+")
                self.assertRegex(run["date"], r"^\d{4}-\d\d-\d\d$")
                if run["program"].startswith("aureole "):
                    self.assertRegex(run["commit"], r"^[0-9a-f]{7,40}( or before)?$")


if __name__ == "__main__":
    unittest.main(argv=["results_test"])
