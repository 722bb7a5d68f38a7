"""Scenes whose radiance is known in closed form, wherever the camera looks."""

import json

NAMES = "RGB"
EMISSION = (1.0, 0.3, 0.1)


def boxScene(albedo):
    """A sealed box that emits EMISSION everywhere, seen from inside."""
    near, far = 0.875, 1
    walls = {
        "front": ([-1, -1, near], [1, 1, far]),
        "back": ([-1, -1, -far], [1, 1, -near]),
        "left": ([-far, -1, -1], [-near, 1, 1]),
        "right": ([near, -1, -1], [far, 1, 1]),
        "floor": ([-1, -far, -1], [1, -near, 1]),
        "ceiling": ([-1, near, -1], [1, far, 1]),
    }
    return {
        "version": 1,
        "materials": {"wall": {"albedo": list(albedo), "emission": list(EMISSION)}},
        "assets": {name: {"box": {"min": low, "max": high}} for name, (low, high) in walls.items()},
        "instances": {name: {"asset": name, "material": "wall"} for name in walls},
        "cameras": {"inside": {"position": [0, 0, 0.5], "target": [0.1, 0.2, -0.5]}},
        "voxels": {"resolution": 16, "normals": "face"},
    }


def boxRadiance(albedo):
    """Each bounce gives the albedo's share of the one before: a geometric series."""
    return [emission / (1 - share) for emission, share in zip(EMISSION, albedo)]


def skyScene():
    """A sky of radiance EMISSION and nothing before it: every sample is the same."""
    return {
        "version": 1,
        "assets": {"block": {"box": {"min": [-1, -1, -1], "max": [1, 1, 1]}}},
        "instances": {"block": {"asset": "block"}},
        "cameras": {"away": {"position": [0, 0, 5], "target": [0, 0, 10]}},
        "environment": {"type": "constant", "radiance": list(EMISSION)},
        "voxels": {"resolution": 16},
    }


def write(path, scene):
    path.write_text(json.dumps(scene, indent=1))
    return path
