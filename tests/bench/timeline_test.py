"""tools/bench/timeline.py: how much a device worked, and its picture. Argument: the repository."""

import gzip
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TIMELINE = Path(sys.argv[1], "tools/bench/timeline.py")


def span(name, process, begin, end):
    return {"name": name, "ph": "X", "pid": process, "tid": 0, "ts": begin * 1e6, "dur": (end - begin) * 1e6}


class TimelineTest(unittest.TestCase):
    def test_share_and_picture(self):
        # From 1 to 5 s the device works 1 + 0.5 + 1 s; what lies within another span or outside counts once, or not.
        events = [{"name": "thread_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "main"}},
                  {"name": "thread_name", "ph": "M", "pid": 2, "tid": 0, "args": {"name": "device 0: <A & B>"}},
                  span("load", 1, 0.0, 0.5), span("commands", 2, 0.0, 0.9), span("waves", 2, 1.0, 2.0),
                  span("inner", 2, 1.2, 1.4), span("bloom.first", 2, 2.5, 3.0), span("waves", 2, 4.0, 5.0),
                  span("commands", 2, 5.5, 6.0)]
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder, "trace.json.gz")
            trace.write_bytes(gzip.compress(json.dumps({"traceEvents": events}).encode()))
            picture = Path(folder, "out.svg")
            run = subprocess.run([sys.executable, "-B", TIMELINE, trace, "-o", picture], check=True,
                                 capture_output=True, text=True)
            self.assertEqual(run.stdout, "device 0: <A & B>: busy 62.5 % of 4.000 s, from 1.000 s on\n")
            root = ElementTree.parse(picture).getroot()
            svg = "{http://www.w3.org/2000/svg}"
            self.assertIn("device 0: <A & B>", [text.text for text in root.iter(f"{svg}text")])
            # The background, all spans but the inner one, and in the legend load and waves.
            self.assertEqual(len(list(root.iter(f"{svg}rect"))), 1 + 6 + 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
