#!/usr/bin/env python3
"""Renders scenes/gallery/normal_green_*.png: a normal map whose green points up, read so, and as if it pointed down.

    normal_gallery.py AUREOLE [FOLDER]
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIDE, RIVETS = 192, 3


def rivets():
    """Round heads on a plate, in metres where a texel is one."""
    cell = SIDE / RIVETS
    def height(x, y):
        r = math.hypot(x % cell - cell / 2, y % cell - cell / 2) / (0.36 * cell)
        return 0.3 * cell * math.sqrt(max(1 - r * r, 0.0)) if r < 1 else 0.0
    return [[height(x + 0.5, y + 0.5) for x in range(SIDE)] for y in range(SIDE)]


def main():
    aureole = pathlib.Path(sys.argv[1]).resolve()
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "scenes/gallery").resolve()
    sys.argv = sys.argv[:1]  # the generators' modules read the command line
    sys.path.insert(0, str(ROOT / "tools/scenes"))
    from canvas import normalMap
    scene = {
        "version": 1,
        "materials": {"plate": {"albedo": 0.7, "normalTexture": {"file": "rivets.png"}}},
        "assets": {"plate": {"mesh": {"positions": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]],
                                      "normals": [[0, 0, 1]] * 4, "uvs": [[0, 1], [1, 1], [1, 0], [0, 0]],
                                      "triangles": [[0, 1, 2], [0, 2, 3]]}}},
        "instances": {"plate": {"asset": "plate", "material": "plate"}},
        "cameras": {"main": {"projection": "orthographic", "height": 2, "position": [0, 0, 3], "target": [0, 0, 0]}},
        "lights": {"key": {"type": "directional", "direction": [1, -1, -1], "intensity": 3}},
        "environment": {"type": "constant", "radiance": 0.15},
        "film": {"size": [SIDE, SIDE]},
        "integrator": {"samplesPerPixel": 64, "maxDepth": 2},
    }
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "rivets.png").write_bytes(normalMap(rivets(), lambda row: (1.0, 1.0)).png())
        (place / "scene.json").write_text(json.dumps(scene))
        for name, down in (("up", "false"), ("down", "true")):
            subprocess.run([aureole, "render", place / "scene.json", "-o", target / f"normal_green_{name}.png",
                            "--backend", "reference", "--set", f"/materials/plate/normalGreenDown={down}"], check=True)


if __name__ == "__main__":
    main()
