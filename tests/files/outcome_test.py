"""What tests/files/run.py makes of a program's end: programs that crash, hang, lie and leave things behind."""

import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path

import made_gltf
import made_packed
import made_pictures
import made_text
from case import Case, refused
from run import check_made, spread, trials_of
from trial import ERROR, FAULT, PICTURE, Runner, Trial

PROGRAM = Path(sys.argv.pop(1)).resolve()
ERROR_LINE = 'echo "aureole: error: $2: damaged" >&2; exit 3'
GOOD = 'cp ../../picture.png "$4"; echo \'{"voxels": 1, "triangles": null, "cells": null}\' >"$6"'


class OutcomeTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        (self.folder / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        (self.folder / "picture.png").write_bytes(made_pictures.png())

    def outcome(self, script, name="a.obj", role="model", seconds=20.0):
        """What becomes of a file where the program is this script. Its second argument is the file, its fourth the
        picture and its sixth the statistics."""
        program = self.folder / "program"
        program.write_text(f"#!/bin/bash\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return Runner(program, self.folder, seconds).run(Trial("here", self.folder / name, role))

    def expect_fault(self, why, script, **more):
        outcome = self.outcome(script, **more)
        self.assertEqual(outcome.kind, FAULT)
        self.assertIn(why, outcome.why)

    def test_a_picture_and_an_error(self):
        self.assertEqual(self.outcome(GOOD).kind, PICTURE)
        self.assertFalse(self.outcome(GOOD).dark)
        (self.folder / "picture.png").write_bytes(made_pictures.png(rows=bytes(14)))
        self.assertTrue(self.outcome(GOOD).dark)
        self.assertEqual(self.outcome(ERROR_LINE).kind, ERROR)
        self.assertFalse(self.outcome(ERROR_LINE).contained)
        died = self.outcome('echo "aureole: error: $2: its reader died of signal 11" >&2; exit 3')
        self.assertTrue(died.contained)

    def test_faults(self):
        self.expect_fault("signal 11", "kill -SEGV $$")
        self.expect_fault("hung", "sleep 60", seconds=0.5)
        self.expect_fault("hung", "trap '' TERM; sleep 60 & wait", seconds=0.5)
        self.expect_fault("exit code 1", "exit 1")
        self.expect_fault("exit code 6", "exit 6")
        self.expect_fault("no error", "exit 3")
        self.expect_fault("does not name", 'echo "aureole: error: b.obj: damaged" >&2; exit 3')
        self.expect_fault("left out.png", 'touch "$4"; ' + ERROR_LINE)
        self.expect_fault("left core", "touch core; " + ERROR_LINE)
        self.expect_fault("expected out.png", "exit 0")
        self.expect_fault("of nothing", GOOD.replace(": 1", ": 0"))
        self.expect_fault("sanitizer", 'echo "a.cpp:1: runtime error: overflow" >&2; ' + GOOD)
        self.expect_fault("control characters", "printf '\\x1b[31m' >&2; " + ERROR_LINE)

    def test_names_are_those_that_messages_have(self):
        name = "\x1b größe.obj"
        os.rename(self.folder / "a.obj", self.folder / name)
        self.expect_fault("control characters", ERROR_LINE, name=name)
        shown = self.outcome('echo "aureole: error: \\\\x1b größe.obj: bad" >&2; exit 3', name=name)
        self.assertEqual(shown.kind, ERROR)

    def test_made_files_are_held_to_what_they_were_made_for(self):
        for case, script, kind in ((Case("a.obj", ""), GOOD, PICTURE), (Case("a.obj", ""), ERROR_LINE, FAULT),
                                   (refused("a.obj", ""), GOOD, FAULT),
                                   (refused("a.obj", "", "damaged"), ERROR_LINE, ERROR),
                                   (refused("a.obj", "", "other"), ERROR_LINE, FAULT)):
            outcome = self.outcome(script)
            check_made(case, outcome)
            self.assertEqual(outcome.kind, kind, case)

    def test_which_files_are_tried(self):
        (self.folder / "picture.png").unlink()
        for name in ("b.PNG", "c.jpeg", "d.exr", "e.txt", "f.glb", "sub"):
            (self.folder / name).touch()
        found = {(trial.path.name, trial.role) for trial in trials_of(self.folder, 0)}
        self.assertEqual(found, {("a.obj", "model"), ("b.PNG", "texture"), ("b.PNG", "environment"),
                                 ("b.PNG", "kernel"), ("c.jpeg", "texture"), ("d.exr", "environment"),
                                 ("d.exr", "kernel"),
                                 ("f.glb", "model")})
        self.assertEqual(spread(list(range(10)), 3), [0, 3, 6])
        self.assertEqual(spread([1, 2], 3), [1, 2])

    def test_the_program_itself(self):
        runner = Runner(PROGRAM, self.folder, 60.0, "reference")
        cases = {"a.dae": (made_text.collada(), PICTURE), "b.dae": (made_text.collada(indices="0 1 9"), ERROR),
                 "a.3ds": (made_packed.file_3ds(), PICTURE), "a.vox": (made_packed.file_vox(), PICTURE),
                 "a.lwo": (made_packed.file_lwo(), PICTURE), "a.gltf": (made_gltf.gltf(), PICTURE),
                 "a.3mf": (made_packed.file_3mf(made_packed.model_3mf()), PICTURE),
                 "b.3mf": (made_packed.file_3mf(""), ERROR)}
        for name, (content, kind) in cases.items():
            path = self.folder / name
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            self.assertEqual(runner.run(Trial("here", path, "model")).kind, kind, name)
        picture = Trial("here", self.folder / "picture.png", "environment")
        self.assertEqual(runner.run(picture).kind, PICTURE)


if __name__ == "__main__":
    unittest.main()
