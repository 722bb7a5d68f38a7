"""Scenes become the right triangles for other renderers: as many, as large, facing outwards, with lights as strong.
Argument: the repository."""

import json
import math
import struct
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.append(str(ROOT / "tools/peers"))
del sys.argv[1:]

import convert  # noqa: E402
import media_scenes  # noqa: E402
import mitsuba_metal  # noqa: E402
import triangles  # noqa: E402
import vdb  # noqa: E402


def volume(mesh):
    """What a closed mesh encloses; below 0 where it faces inwards."""
    p = mesh.positions
    return sum(sum(x * y for x, y in zip(p[a], triangles.cross(p[b], p[c]))) for a, b, c in mesh.triangles) / 6


def faces_agree(mesh):
    """Whether normals point to the side from which triangles are counter-clockwise."""
    p = mesh.positions
    return all(
        sum(
            x * y
            for x, y in zip(mesh.normals[a], triangles.cross(triangles.minus(p[b], p[a]), triangles.minus(p[c], p[a])))
        )
        > 0
        for a, b, c in mesh.triangles
    )


def scene_with(**keys):
    """A scene of little but what is told."""
    camera = {"position": [0, 0, 9], "target": [0, 0, 0]}
    return {
        "version": 1,
        "materials": {},
        "assets": {},
        "instances": {},
        "cameras": {"front": camera},
        "film": {},
        **keys,
    }


class ConversionTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def converted(self, scene, name="scene"):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(scene))
        return self.parts(convert.convert(path, self.folder / "out"))

    @staticmethod
    def parts(converted):
        return {part["name"]: part for part in converted["parts"]}, converted

    def demo(self, name):
        return self.parts(convert.convert(ROOT / f"scenes/{name}.json", self.folder / "out"))

    def test_shapes(self):
        box = triangles.joined(triangles.quad(*face) for face in triangles.box_faces((1, 2, 3), (2, 4, 6)))
        sphere = triangles.sphere((3, 0, 0), 2, 4)
        self.assertEqual((len(box.triangles), len(sphere.triangles)), (12, 20 * 4**4))
        self.assertAlmostEqual(triangles.area(box), 22)
        self.assertAlmostEqual(volume(box), 6)
        self.assertAlmostEqual(triangles.area(sphere) / (16 * math.pi), 1, delta=0.01)
        self.assertAlmostEqual(volume(sphere) / (32 / 3 * math.pi), 1, delta=0.01)
        for mesh in (box, sphere):
            self.assertTrue(faces_agree(mesh))
        self.assertFalse(faces_agree(triangles.Mesh(box.positions, box.normals, [t[::-1] for t in box.triangles])))

    def test_moved(self):
        box = triangles.joined(triangles.quad(*face) for face in triangles.box_faces((0, 0, 0), (1, 1, 1)))
        for instance in ({"scale": [2, 3, 4], "rotate": [20, 30, 40], "translate": [5, 6, 7]}, {"scale": [2, -3, 4]}):
            moved = triangles.transformed(box, convert.placement(instance))
            self.assertAlmostEqual(volume(moved), 24)
            self.assertTrue(faces_agree(moved))
        # First about X, which takes Y to Z, then about Y, which takes Z to X.
        turned = triangles.transformed(triangles.Mesh([(0, 1, 0)], [(0, 1, 0)], []), convert.rotation([90, 90, 0]))
        for found, expected in zip(turned.positions[0], (1, 0, 0)):
            self.assertAlmostEqual(found, expected)
        back = triangles.behind(triangles.quad((0, 0, 0), (0, 0, 1), (1, 0, 0)), 0.25)  # of what faces up
        self.assertTrue(faces_agree(back))
        self.assertEqual([p[1] for p in back.positions], [-0.25] * 4)

    def test_ply(self):
        mesh = triangles.sphere((1, 2, 3), 1, 1)
        path = self.folder / "sphere.ply"
        triangles.write_ply(path, mesh)
        positions, normals, indices = triangles.read_ply(path)
        self.assertEqual(list(indices), [i for t in mesh.triangles for i in t])
        for found, expected in ((positions, mesh.positions), (normals, mesh.normals)):
            for a, b in zip(found, (c for vector in expected for c in vector), strict=True):
                self.assertAlmostEqual(a, b, delta=1e-6)
        path.write_bytes(path.read_bytes()[:-1])
        with self.assertRaisesRegex(ValueError, r"sphere\.ply: found \d+ bytes, expected \d+"):
            triangles.read_ply(path)

    def test_checker(self):
        faces = triangles.box_faces((-1, -0.3, -1), (1, 0, 1))
        parts = triangles.checkered(faces, 0.5)
        areas = [sum(math.hypot(*triangles.cross(u, v)) for _, u, v in part) for part in parts]
        self.assertAlmostEqual(sum(areas), 8 + 4 * 0.6)
        self.assertAlmostEqual(areas[0], areas[1])
        # On the upper face the colour is that of the cube below, whose number along Y is -1.
        for colour, part in enumerate(parts):
            for corner, u, v in part:
                if corner[1] == 0 and u[1] == 0 and v[1] == 0:
                    x, z = (corner[i] + (u[i] + v[i]) / 2 for i in (0, 2))
                    self.assertEqual((math.floor(x / 0.5) + math.floor(z / 0.5) - 1) % 2, colour)

    def test_cornell(self):
        parts, converted = self.demo("cornell")
        self.assertEqual(converted["scale"], 10)
        self.assertEqual(sum(part["triangles"] for part in parts.values()), 11 * 12 + 2)
        light = parts["light"]
        power = [math.pi * light["area"] / 100 * e for e in light["emission"]]  # watts of one side
        for found, radiance in zip(power, (17, 12, 4)):
            self.assertAlmostEqual(found, math.pi * 0.13 * 0.105 * radiance)
        self.assertNotIn("back", light)
        self.assertAlmostEqual(parts["green"]["area"] / 100, 2 * (0.02 * 0.5488 + 0.5488 * 0.5592 + 0.5592 * 0.02))
        for found, expected in zip(converted["camera"]["position"], (2.78, 2.73, -8)):
            self.assertAlmostEqual(found, expected)

    def test_still_life(self):
        parts, _ = self.demo("still_life")
        data = (ROOT / "scenes/still_life/still_life.glb").read_bytes()
        document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
        primitives = [p for mesh in document["meshes"] for p in mesh["primitives"]]
        count = sum(document["accessors"][p["indices"]]["count"] for p in primitives) // 3
        self.assertEqual(sum(part["triangles"] for part in parts.values()), count)
        self.assertEqual(
            {name: part["kind"] for name, part in parts.items()},
            {
                "matte": "lambert",
                "table": "lambert",
                "plastic": "coated",
                "gold": "metal",
                "steel": "metal",
                "panel": "coated",
            },
        )
        # The panel shines to both sides: a sheet behind it faces the other way.
        front, back = (triangles.read_ply(self.folder / "out" / parts["panel"][key]) for key in ("ply", "back"))
        for a, b in zip(front[1], back[1], strict=True):
            self.assertEqual(a, -b)
        gaps = [(a - b) * n for a, b, n in zip(front[0], back[0], front[1])]
        self.assertGreater(sum(gaps), 0)
        self.assertLess(max(gaps), 1e-3)

    def test_glass(self):
        parts, _ = self.demo("glass")
        lamp = 2 * (0.07 * 0.008 + 0.008 * 0.06 + 0.06 * 0.07)
        self.assertAlmostEqual(parts["lamp"]["area"] / 100, lamp)
        self.assertEqual(parts["lamp"]["emission"], [150, 118, 82])
        self.assertEqual(parts["cobalt"]["absorption"], [42, 20, 1.8])  # of lengths that are ten times as large
        self.assertEqual(parts["crystal"]["albedo"], [1, 1, 1])
        table = [triangles.read_ply(self.folder / "out" / f"table_{i}.ply")[0] for i in (0, 1)]
        self.assertAlmostEqual(max(max(positions[1::3]) for positions in table), -1e-3, delta=1e-7)

    def test_balls(self):
        scene = json.loads((ROOT / "scenes/balls.json").read_text())
        scene["assets"]["ball"]["sphere"]["subdivisions"] = 2  # quicker than 5
        parts, converted = self.converted(scene, "balls")
        of = {}
        for instance in scene["instances"].values():
            of.setdefault(instance["material"], []).append(instance.get("scale", 1))
        one = triangles.area(triangles.sphere((0, 0, 0), 1, 2))
        for name in set(of) - {"table"}:
            self.assertEqual(parts[name]["triangles"], 320 * len(of[name]))
            self.assertAlmostEqual(parts[name]["area"], one * sum(s * s for s in of[name]))
        sky = converted["environment"]
        self.assertAlmostEqual(math.hypot(*sky["sun"]["direction"]), 1)
        self.assertEqual(sky["sun"]["irradiance"], [9, 6.2, 3.6])
        for row, colour in ((0, "zenith"), (255, "ground")):
            for found, expected in zip(sky["rows"][row], scene["environment"][colour]):
                self.assertAlmostEqual(found, expected, delta=1e-4)
        # Halfway up in angle: colours turn by the square root of the height.
        for found, low, high in zip(sky["rows"][64], *(scene["environment"][key] for key in ("horizon", "zenith"))):
            self.assertAlmostEqual(found, low + (high - low) * math.sqrt(math.sqrt(0.5)), delta=3e-3)

    def test_fog_room(self):
        converted = convert.convert(media_scenes.write("fog_room", self.folder), self.folder / "out")
        medium = converted["medium"]
        self.assertEqual((medium["coloured"], medium["anisotropy"], "grid" in medium), (False, 0.3, False))
        for extinction, albedo in zip(medium["extinction"], medium["albedo"]):
            self.assertAlmostEqual(extinction, 0.11)
            self.assertAlmostEqual(albedo, 0.1 / 0.11)
        lamp = next(part for part in converted["parts"] if part["name"] == "lamp")
        self.assertAlmostEqual(lamp["area"], 6 / 16)
        self.assertAlmostEqual(converted["reach"], math.hypot(3.125, 3.125, 5))

    def test_volumes(self):
        """Densities stand where aureole has them, which the matrix of an instance moves."""
        values = {(3, 4, 5): 0.5, (4, 4, 5): 1.0, (-2, 9, 5): 0.25}
        vdb.write(self.folder / "puff.vdb", {"heat": {(0, 0, 0): 1.0}, "density": values}, 0.5, [10, 20, 30])
        self.assertEqual(vdb.read(self.folder / "puff.vdb"), (values, 0.5, (10, 20, 30)))
        with self.assertRaisesRegex(ValueError, r"puff\.vdb: found the grids heat, density, expected 'fog' of halves"):
            vdb.read(self.folder / "puff.vdb", "fog")
        volume = {"file": "puff.vdb", "density": [2, 4, 6], "albedo": 0.5}
        scene = scene_with(
            assets={"puff": {"volume": volume}},
            instances={"one": {"asset": "puff", "translate": [1, 0, 0], "scale": 2}},
        )
        _, converted = self.converted(scene)
        medium = converted["medium"]
        self.assertEqual((medium["extinction"], medium["albedo"]), ([2, 4, 6], [0.5] * 3))
        data = (self.folder / "out" / medium["grid"]).read_bytes()
        head = struct.unpack_from("<3sB5i6f", data)
        self.assertEqual(head[:7], (b"VOL", 3, 1, 9, 8, 3, 3))
        dense = struct.unpack_from(f"<{9 * 8 * 3 * 3}f", data, 48)
        found = {i // 3: dense[i : i + 3] for i in range(0, len(dense), 3) if any(dense[i : i + 3])}
        self.assertEqual(len(found), 3)
        for (x, y, z), value in values.items():
            at = (x + 3, y - 3, z - 4)  # one layer of zeros about the lowest point, (-2, 4, 5)
            self.assertEqual(found[at[0] + 9 * (at[1] + 8 * at[2])], (2 * value, 4 * value, 6 * value))
            for row, size in zip(range(3), (9, 8, 3)):
                place = medium["matrix"][row][row] * (at[row] + 0.5) / size + medium["matrix"][row][3]
                point = (10 + 0.5 * x, 20 + 0.5 * y, 30 + 0.5 * z)[row]
                self.assertAlmostEqual(place, 2 * point + (1 if row == 0 else 0))
        for changes, message in (
            ({"instances": {i: {"asset": "puff"} for i in "ab"}}, "found several volumes, or one and fog"),
            (
                {"environment": {"type": "constant", "radiance": 0, "fog": {"height": 1}}, "instances": {}},
                "/environment/fog/height: found a key that is not compared, expected scattering",
            ),
            (
                {"assets": {"puff": {"volume": {**volume, "emission": 1}}}},
                "/assets/puff/volume/emission: found a key that is not compared",
            ),
        ):
            with self.assertRaisesRegex(ValueError, message):
                self.converted({**scene, **changes})

    def test_refused(self):
        box = {"assets": {"box": {"box": {}}}, "instances": {"one": {"asset": "box", "material": "m"}}}
        for changes, message in (
            (
                {"materials": {"m": {"metalness": 0.5}}},
                r"scene\.json: /materials/m/metalness: found 0.5, expected 0 or 1",
            ),
            ({"materials": {"m": {"model": "mirror"}}}, r"/materials/m/model: found 'mirror', expected lambert"),
            (
                {"materials": {"m": {"albedoTexture": "x"}}},
                r"/materials/m/albedoTexture: found a key that is not compared",
            ),
            (
                {"materials": {"m": {"albedo": [1, 2]}}},
                r"/materials/m/albedo: found \[1, 2\], expected a number or three",
            ),
            ({"materials": {"other": {}}}, r"/materials: found no 'm'"),
            ({"materials": {"m": {}}, "environment": {"type": "hosek"}}, r"/environment/type: found 'hosek'"),
            (
                {"materials": {"m": {}}, "assets": {"box": {"field": {}}}},
                r"/assets/box: found \['field'\], expected file",
            ),
            (
                {"materials": {"m": {}}, "instances": {"one": {"asset": "box", "material": "m", "matrix": []}}},
                r"/instances/one: found \['matrix'\]",
            ),
        ):
            with self.assertRaisesRegex(ValueError, message):
                self.converted(scene_with(**{**box, **changes}))
        parts, _ = self.converted(scene_with(**box, materials={"m": {}}))
        self.assertEqual(parts["m"]["triangles"], 12)

    def test_metals(self):
        for f0 in (0.34, 0.95):
            n, k = mitsuba_metal.index_of(f0)
            self.assertAlmostEqual(mitsuba_metal.fresnel(1, n, k), f0)
            self.assertAlmostEqual(mitsuba_metal.fresnel(0.3, n, k), mitsuba_metal.schlick(0.3, f0), delta=0.05)
        # A smooth metal loses nothing. A white rough one gives all light back in aureole, and in Mitsuba what is masked
        # is lost: about a third.
        self.assertAlmostEqual(mitsuba_metal.compensation(0, 0.9), 1, delta=0.01)
        self.assertGreater(mitsuba_metal.compensation(1, 1), 1.2)


unittest.main()
