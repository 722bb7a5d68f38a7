"""The compared scenes that have media, which are made where they are needed: a ball of coloured fog (fog_ball), a cloud
in the sun (cumulus, of the density of scenes/cloud.json), and a lamp in a foggy room (fog_room). Surfaces are boxes
of whole voxels, so that all renderers have the same scene."""

import json
import math
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools/scenes"))

import vdb  # noqa: E402

SIZE = (640, 360)
VOXEL = 1 / 16  # of surfaces, in metres
POINTS = 26  # of the ball of fog, from its middle to where it ends
SOFT = 10  # points, in which it gets thinner


def box(low, high):
    """In an octree of its own, whose voxels fill it."""
    longest = max(b - a for a, b in zip(low, high))
    return {"box": {"min": low, "max": high}, "voxels": {"resolution": max(16, round(longest / VOXEL))}}


def scene(camera, materials, shapes, environment, **more):
    """`shapes`: (asset, name of a material, or nothing for a volume) by name."""
    return {
        "version": 1,
        "materials": materials,
        "assets": {name: asset for name, (asset, _) in shapes.items()},
        "instances": {
            name: {"asset": name, **({"material": used} if used else {})} for name, (_, used) in shapes.items()
        },
        "cameras": {"camera": camera},
        "environment": environment,
        "film": {"size": SIZE},
        "voxels": {"normals": "face"},
        **more,
    }


def ball_densities():
    """1 in the middle, 0 from the radius on."""
    around = range(1 - POINTS, POINTS)
    radii = {(x, y, z): math.hypot(x, y, z) for x in around for y in around for z in around}
    return {point: min(1.0, (POINTS - radius) / SOFT) for point, radius in radii.items() if radius < POINTS - 0.1}


def fog_ball(folder):
    vdb.write(folder / "fog_ball.vdb", {"density": ball_densities()}, 1 / POINTS, [0, 1.1, 0])
    volume = {"file": "fog_ball.vdb", "density": [4, 6, 9], "albedo": [0.95, 0.9, 0.8], "anisotropy": 0.5}
    return scene(
        {"position": [0, 1.6, 5], "target": [0, 0.9, 0], "verticalFov": 36},
        {"floor": {"albedo": 0.5}, "lamp": {"albedo": 0, "emission": [24, 22, 18]}},
        {
            "fog": ({"volume": volume}, None),
            "floor": (box([-4, -0.0625, -4], [4, 0, 4]), "floor"),
            "lamp": (box([-1.5, 3, -0.5], [-0.5, 3.0625, 0.5]), "lamp"),
        },
        {"type": "constant", "radiance": 0.2},
    )


def cumulus(folder):
    shutil.copy(ROOT / "scenes/cloud/cumulus.vdb", folder)
    volume = {"file": "cumulus.vdb", "density": 0.045, "albedo": 0.999, "anisotropy": 0.75}
    return scene(
        {"position": [300, 200, 3000], "target": [0, 400, 0], "verticalFov": 34},
        {},
        {"cloud": ({"volume": volume}, None)},
        {
            "type": "constant",
            "radiance": [0.25, 0.36, 0.6],
            "sun": {"direction": [0.8, 0.5, 0.35], "irradiance": [5, 4.4, 3.6]},
        },
    )


def fog_room(_):
    walls = {
        "floor": box([-3, -0.125, -4.875], [3, 0, 2.875]),
        "top": box([-3, 3, -4.875], [3, 3.125, 2.875]),
        "back": box([-3, -0.125, -5], [3, 3.125, -4.875]),
        "front": box([-3, -0.125, 2.875], [3, 3.125, 3]),
        "left": box([-3.125, -0.125, -5], [-3, 3.125, 3]),
        "right": box([3, -0.125, -5], [3.125, 3.125, 3]),
        "post": box([-0.25, 0, -2.5], [0.25, 1.125, -2]),
    }
    return scene(
        {"position": [0, 1.5, 2.625], "target": [0, 1.4, -4], "verticalFov": 50},
        {"wall": {"albedo": [0.6, 0.55, 0.5]}, "lamp": {"albedo": 0, "emission": [110, 88, 60]}},
        {
            **{name: (asset, "wall") for name, asset in walls.items()},
            "lamp": (box([0.375, 1.625, -2.375], [0.625, 1.875, -2.125]), "lamp"),
        },
        {"type": "constant", "radiance": 0, "fog": {"scattering": 0.1, "absorption": 0.01, "anisotropy": 0.3}},
    )


SCENES = {"fog_ball": fog_ball, "cumulus": cumulus, "fog_room": fog_room}


def write(name, folder):
    """Writes the scene and what it needs to FOLDER, and returns its file."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(SCENES[name](folder), indent=1), encoding="utf-8")
    return path
