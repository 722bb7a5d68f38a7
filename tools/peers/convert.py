"""Turns a scene of aureole into triangles for the other renderers: a folder with scene.json and PLY files, a mesh for
each material, and a medium where it has one. Only what the compared scenes have is converted; all else is an error."""

import json
import math

import gltf
import materials
import media
import media_scenes
import triangles

DEMOS = ("cornell", "still_life", "chess", "glass", "balls")  # in scenes/
SCENES = (*DEMOS, *media_scenes.SCENES)
# Flat lights whose back lights nothing that the picture shows. Others shine from both sides, as in aureole.
ONE_SIDED = {("cornell", "light"), ("chess", "key")}
# What lies in one plane with glass that stands on it is put that much lower, in metres: light in aureole leaves the
# glass first, while with other renderers chance decides which of the two surfaces is met.
LOWERED = {("glass", "table"): 1e-4}
# Mitsuba moves rays off surfaces by (1 + largest coordinate) * 9e-5, too much for scenes that are smaller than this
# many metres: they become ten times as large.
SMALL = 2.0
ROWS = 256  # of the table of a sky's gradient, from the zenith to the nadir


def vector(values):
    return tuple(float(v) for v in values)


def rotation(angles):
    """About X, then Y, then Z, in degrees."""
    matrix = triangles.IDENTITY
    for axis, degrees in enumerate(angles):
        sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        i, j = ((1, 2), (2, 0), (0, 1))[axis]
        turn = [list(row) for row in triangles.IDENTITY]
        turn[i][i] = turn[j][j] = cosine
        turn[i][j], turn[j][i] = -sine, sine
        matrix = triangles.product(tuple(map(tuple, turn)), matrix)
    return matrix


def placement(instance):
    """The matrix of an instance: scaled, rotated, then moved."""
    scale, move = instance.get("scale", 1), instance.get("translate", [0, 0, 0])
    factors = scale if isinstance(scale, list) else [scale] * 3
    sizes = tuple(tuple(float(factors[i]) if i == j else 0.0 for j in range(4)) for i in range(3))
    turned = triangles.product(rotation(instance.get("rotate", [0, 0, 0])), sizes)
    return tuple(row[:3] + (float(m),) for row, m in zip(turned, move))


class Converter:
    """Gathers the meshes of a scene by material."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.scene = json.loads(path.read_text(encoding="utf-8"))
        self.meshes, self.materials, self.flat = {}, {}, set()
        self.volumes = []  # (medium, grid, matrix of its place)
        self.shapes = {}  # of assets, since many instances may show one

    def material(self, name):
        if name not in self.scene["materials"]:
            raise ValueError(f"{self.path}: /materials: found no '{name}', which an instance names")
        return materials.of_scene(self.scene["materials"][name], f"{self.path}: /materials/{name}")

    def keep(self, key, material, mesh, is_flat=False):
        self.materials[key] = material
        self.meshes.setdefault(key, []).append(mesh)
        if is_flat and any(material["emission"]):
            self.flat.add(key)

    def gather(self):
        for label, instance in self.scene["instances"].items():
            place = f"{self.path}: /instances/{label}"
            unknown = set(instance) - {"asset", "material", "materials", "translate", "rotate", "scale"}
            if unknown or isinstance(instance.get("rotate", []), dict):
                raise ValueError(
                    f"{place}: found {sorted(unknown) or 'an axis'}, expected asset, material, materials, "
                    "translate, scale and angles alone"
                )
            self.gather_instance(instance, self.scene["assets"][instance["asset"]], place)

    def gather_instance(self, instance, asset, place):
        matrix, name = placement(instance), instance.get("material")
        if "volume" in asset:
            described = f"{self.path}: /assets/{instance['asset']}/volume"
            self.volumes.append((*media.of_volume(asset["volume"], self.path.parent, described), matrix))
            return
        if "file" in asset:
            self.gather_model(instance, self.path.parent / asset["file"], matrix)
            return
        if name is None:
            raise ValueError(f"{place}: found a shape without a material, expected one")
        material = self.material(name)
        if isinstance(material["albedo"], dict):
            self.gather_checker(asset, name, material, matrix, place)
        else:
            mesh = self.shape(instance["asset"], asset)
            self.keep(name, material, triangles.transformed(mesh, matrix), "quad" in asset)

    def gather_model(self, instance, file, matrix):
        if file not in self.shapes:
            self.shapes[file] = gltf.primitives(file)
        for mesh, own, description in self.shapes[file]:
            used = instance.get("materials", {}).get(own, instance.get("material"))
            material = self.material(used) if used else materials.of_gltf(description, f"{file}: material '{own}'")
            self.keep(used or own, material, triangles.transformed(mesh, matrix), len(mesh.triangles) <= 2)

    def gather_checker(self, asset, name, material, matrix, place):
        """A box in two colours, split where they meet."""
        checker = material["albedo"].get("checker")
        if checker is None or "box" not in asset or matrix != triangles.IDENTITY:
            raise ValueError(f"{place}: found a pattern, expected a checker on a box that is not moved")
        faces = triangles.box_faces(vector(asset["box"]["min"]), vector(asset["box"]["max"]))
        down = (0.0, -LOWERED.get((self.name, name), 0.0), 0.0)
        for index, part in enumerate(triangles.checkered(faces, checker.get("size", 1))):
            colour = materials.vector(checker["colours"][index], f"{place}: colour {index}")
            mesh = triangles.joined(triangles.quad(triangles.add(corner, down), u, v) for corner, u, v in part)
            self.keep(f"{name} {index}", {**material, "albedo": colour}, mesh)

    def medium(self, folder, scale):
        """The medium of the scene, of which Mitsuba has one at a time, or nothing."""
        fog = self.scene.get("environment", {}).get("fog")
        if len(self.volumes) + (fog is not None) > 1:
            raise ValueError(f"{self.path}: found several volumes, or one and fog, expected one medium at most")
        if any(material["kind"] == "glass" for material in self.materials.values()) and (fog or self.volumes):
            raise ValueError(f"{self.path}: found glass and a medium, expected one of them")
        if fog is not None:
            return media.placed(media.of_fog(fog, f"{self.path}: /environment/fog"), scale)
        for medium, grid, place in self.volumes:
            return media.placed(medium, scale, folder / "density.vol", grid, place)
        return None

    def shape(self, name, asset):
        if name not in self.shapes:
            self.shapes[name] = self.new_shape(name, asset)
        return self.shapes[name]

    def new_shape(self, name, asset):
        if "box" in asset:
            box = asset["box"]
            faces = triangles.box_faces(vector(box.get("min", [-0.5] * 3)), vector(box.get("max", [0.5] * 3)))
            return triangles.joined(triangles.quad(*face) for face in faces)
        if "quad" in asset:
            q = asset["quad"]
            return triangles.quad(
                vector(q.get("corner", [-0.5, 0, 0.5])), vector(q.get("u", [1, 0, 0])), vector(q.get("v", [0, 0, -1]))
            )
        if "sphere" in asset:
            s = asset["sphere"]
            return triangles.sphere(vector(s.get("centre", [0, 0, 0])), s.get("radius", 1), s.get("subdivisions", 5))
        if "mesh" in asset and "normals" not in asset["mesh"]:
            return triangles.faceted(asset["mesh"]["positions"], asset["mesh"]["triangles"])
        raise ValueError(
            f"{self.path}: /assets/{name}: found {sorted(asset)}, expected file, box, quad, sphere, or a mesh "
            "without normals"
        )


def gradient(sky, place):
    """The radiance of a gradient at the middles of its rows, as aureole tabulates it."""
    zenith, horizon, ground = (materials.vector(sky[key], f"{place}/{key}") for key in ("zenith", "horizon", "ground"))
    rows = []
    for i in range(ROWS):
        y = math.cos((i + 0.5) / ROWS * math.pi)
        s = min(max(-y / 0.05, 0), 1)
        other, share = (zenith, math.sqrt(y)) if y >= 0 else (ground, s * s * (3 - 2 * s))
        rows.append([(h + (o - h) * share) * sky.get("scale", 1) for h, o in zip(horizon, other)])
    return rows


def environment(sky, place):
    """{"radiance": three numbers} or {"rows": radiance by height}, and "sun" where there is one."""
    kind = sky["type"]
    if kind not in ("constant", "gradient"):
        raise ValueError(f"{place}/type: found {kind!r}, expected constant or gradient")
    if kind == "constant":
        found = {"radiance": [r * sky.get("scale", 1) for r in materials.vector(sky["radiance"], f"{place}/radiance")]}
    else:
        found = {"rows": gradient(sky, place)}
    if "sun" in sky:
        sun = sky["sun"]
        found["sun"] = {
            "direction": triangles.unit(sun["direction"]),
            "diameter": sun.get("angularDiameter", 0.53),
            "irradiance": materials.vector(sun.get("irradiance", 1), f"{place}/sun/irradiance"),
        }
    return found


def camera(scene, scale):
    chosen = scene["cameras"][scene.get("camera", next(iter(scene["cameras"])))]
    position, target = ([c * scale for c in chosen[key]] for key in ("position", "target"))
    return {
        "position": position,
        "target": target,
        "up": chosen.get("up", [0, 1, 0]),
        "vertical_fov": chosen.get("verticalFov", 40),
        "aperture": chosen.get("apertureRadius", 0) * scale,
        "focus": chosen.get("focusDistance", 0) * scale or math.dist(position, target),
    }


def reach(meshes, medium, scale):
    """How far from the origin anything is, at most."""
    found = max((math.hypot(*p) * scale for mesh in meshes for p in mesh.positions), default=0.0)
    if medium and "matrix" in medium:
        found = max(found, math.hypot(*(abs(row[3]) + sum(map(abs, row[:3])) for row in medium["matrix"])))
    return found


def convert(path, folder):
    """Writes the scene file `path` as FOLDER/scene.json and PLY files, and returns what is in scene.json. Lengths are
    metres times its "scale". Raises ValueError for what is not converted."""
    converter = Converter(path)
    converter.gather()
    joined = {key: triangles.joined(meshes) for key, meshes in converter.meshes.items()}
    corners = list(zip(*(p for mesh in joined.values() for p in mesh.positions)))
    scale = 10.0 if corners and max(max(axis) - min(axis) for axis in corners) < SMALL else 1.0
    enlarged = tuple(tuple(scale * value for value in row) for row in triangles.IDENTITY)
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for key, mesh in joined.items():
        mesh = triangles.transformed(mesh, enlarged)
        part = {
            "name": key,
            "ply": f"{key.replace(' ', '_')}.ply",
            "triangles": len(mesh.triangles),
            "area": triangles.area(mesh),
            **converter.materials[key],
        }
        triangles.write_ply(folder / part["ply"], mesh)
        if "absorption" in part:
            part["absorption"] = [a / scale for a in part["absorption"]]
        if key in converter.flat and (converter.name, key) not in ONE_SIDED:
            # Mitsuba's lights shine from the front: a second sheet just behind shines from the other side.
            part["back"] = part["ply"].replace(".ply", "_back.ply")
            triangles.write_ply(folder / part["back"], triangles.behind(mesh, 2e-5 * math.sqrt(part["area"])))
        parts.append(part)
    scene = converter.scene
    medium = converter.medium(folder, scale)
    converted = {
        "name": converter.name,
        "scale": scale,
        "parts": parts,
        "camera": camera(scene, scale),
        "size": scene["film"].get("size", [1280, 720]),
        "environment": environment(
            scene.get("environment", {"type": "constant", "radiance": 0}), f"{path}: /environment"
        ),
        "max_depth": scene.get("integrator", {}).get("maxDepth", 0),
        "medium": medium,
        "reach": reach(joined.values(), medium, scale),
    }
    (folder / "scene.json").write_text(json.dumps(converted, indent=1), encoding="utf-8")
    return converted
