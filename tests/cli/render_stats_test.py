"""tools/bench/render_stats.py: statistics of this version are read, those of others are refused."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCHEMA = Path(sys.argv.pop())
sys.path.insert(0, str(SOURCE / "tools/bench"))
import render_stats  # pylint: disable=wrong-import-position


class VersionTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, figures):
        file = Path(self.folder.name) / "render.json"
        file.write_text(json.dumps(figures), encoding="utf-8")
        return file

    def refusal(self, figures):
        file = self.write(figures)
        with self.assertRaises(ValueError) as caught:
            render_stats.read(file)
        message = str(caught.exception)
        self.assertTrue(message.startswith(f"{file}: "), message)
        return message.removeprefix(f"{file}: ")

    def test_what_the_schema_describes_is_the_newest_version(self):
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        self.assertEqual(schema["properties"]["schema"]["const"], render_stats.NEWEST)

    def test_this_version_is_read_with_keys_that_are_new(self):
        figures = {"schema": render_stats.NEWEST, "rays": 7, "what_comes": 1}
        self.assertEqual(render_stats.read(self.write(figures)), figures)

    def test_newer_and_older_versions_are_told(self):
        newer = render_stats.NEWEST + 1
        self.assertEqual(self.refusal({"schema": newer}), f"written by a newer aureole: version {newer} of statistics, "
                                                          f"this one reads {render_stats.READS}")
        before = render_stats.OLDEST, render_stats.NEWEST
        self.addCleanup(lambda: setattr(render_stats, "OLDEST", before[0]))
        self.addCleanup(lambda: setattr(render_stats, "NEWEST", before[1]))
        render_stats.OLDEST, render_stats.NEWEST = 3, 4
        self.assertIn("written by an older aureole: version 2 of statistics", self.refusal({"schema": 2}))

    def test_what_is_no_version_is_damage(self):
        for damaged in (0, -1, "1", 1.5, None, True):
            self.assertIn(f"the file is damaged: found version {damaged!r} of statistics",
                          self.refusal({"schema": damaged}))
        self.assertIn("found version None", self.refusal([]))


unittest.main()
