#!/usr/bin/env python3
"""Tests of the checks of this folder themselves: they must catch what they are there to catch."""

import unittest

import file_names
import layering


class Layering(unittest.TestCase):
    def assertCaught(self, module, line, words):
        found = layering.checkText(module, "#pragma once\n" + line + "\n")
        self.assertEqual([number for number, _, _ in found], [2], line)
        self.assertIn(words, found[0][2])

    def testForbiddenModules(self):
        self.assertCaught("voxel", '#include "gpu/device.h"', "voxel may not use gpu")
        self.assertCaught("gpu", '#include "scene/scene.h"', "gpu may not use scene")
        self.assertCaught("core", '#include "image/image.h"', "core may not use image")
        self.assertCaught("render", '#include "bloom/bloom.h"', "render may not use bloom")
        self.assertCaught("reference", '# include "cli/commands.h"', "reference may not use cli")
        self.assertCaught("session", '#include "cli/options/arguments.h"', "session may not use cli")
        self.assertCaught("cli", '#include "bench/bench_commands.h"', "cli may not use bench")
        self.assertCaught("render", '#include "stream/stream_tracer.h"', "render may not use stream")
        self.assertCaught("import", '#include "scene/scene.h"', "import may not use scene")
        self.assertCaught("shared", '#include "core/math.h"', "shared may not use core")

    def testVulkanStaysInTheDeviceModules(self):
        for module in ("core", "image", "scene", "voxel", "reference", "shared"):
            self.assertCaught(module, "#include <vulkan/vulkan.h>", "nothing of Vulkan")

    def testSpelling(self):
        self.assertCaught("voxel", '#include "octree.h"', '"module/octree.h"')
        self.assertCaught("voxel", "#include <core/error.h>", "quotes")
        self.assertCaught("voxel", '#include "octrees/octree.h"', "no module octrees")
        self.assertCaught("bloom", '#include "render_shaders.h"', '"module/render_shaders.h"')

    def testShaders(self):
        self.assertCaught("shader", '#include "core/math.h"', "shared")
        self.assertEqual(layering.checkText("shader", '#include "shared/sampling/rng.h"\n#include "fft/fft_lines.glsl"'), [])

    def testWhatIsAllowed(self):
        self.assertEqual(layering.checkText("voxel", '#include <vector>\n#include "voxel/tree/octree.h"\n'
                                                     '#include "core/error.h"\n#include "shared/octree/octree.h"'), [])
        self.assertEqual(layering.checkText("render", '#include "gpu/device.h"\n#include "render_shaders.h"'), [])

    def testTheTable(self):
        self.assertGreater(len(layering.MAY_USE), 25)
        table = layering.readTable("| module | may use |\n| --- | --- |\n| `a` | nothing |\n| `b`, `c` | a; one file of it "
                                   "MPI |\n| `d` | everything above but b and c |\n\n| `e` | a |\n")
        self.assertEqual(table, {"a": [], "b": ["a"], "c": ["a"], "d": ["a"]})

    def testTheTableHasNoCircle(self):
        self.assertEqual(layering.circles(layering.MAY_USE), set())

    def testCircles(self):
        self.assertEqual(layering.circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}), set())
        self.assertEqual(layering.circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": {"d", "elsewhere"}}),
                         {frozenset("bc"), frozenset("d")})


class FileNames(unittest.TestCase):
    def missing(self, text, isDocument=False):
        return file_names.missing(text, isDocument, lambda name: name in ("src/film", "film/film.h", "film.h"))

    def testDocuments(self):
        self.assertEqual(self.missing("See `src/film` and\n`film/tiles.h`, not `film/film.h`.", True), [(2, "film/tiles.h")])
        self.assertEqual(self.missing("`src/films/` and tests/fuzz/NAME_fuzz.cpp", True), [(1, "src/films")])

    def testComments(self):
        self.assertEqual(self.missing('#include "gone.h"\nint x; // as film.h has it, and gone.h\n'), [(2, "gone.h")])

    def testWhatIsSaidToBeInside(self):
        def inside(text):
            return file_names.notInside(text, lambda file: "int here;" if file == "a.h" else "")

        self.assertEqual(inside("`here` of `a.h`, `here` in\n`a.h` and `here` (`a.h`)"), [])
        self.assertEqual(inside("`gone` (`a.h`), and `her` of\n`a.h`"), [("gone", "a.h"), ("her", "a.h")])


if __name__ == "__main__":
    unittest.main()
