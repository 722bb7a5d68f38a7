#!/usr/bin/env python3
"""Writes scenes/reaction.json: a dark ball on which a labyrinth glows that the Gray-Scott model has grown."""

import scenefile

LABYRINTH = {
    "type": "reaction_diffusion",
    "size": [256, 256],
    "steps": 5000,
    "feed": 0.037,
    "kill": 0.06,
    "seed": 8,
    "pixels": [512, 512],
    "range": [0.1, 0.36],
    "palette": [0, 0, [0.35, 0.03, 0.004], [1, 0.3, 0.03], [1, 0.72, 0.3]],
}

scenefile.write("reaction.json", {
    "description": "A ball with a glowing labyrinth, grown by reaction and diffusion. Made by tools/scenes/reaction.py.",
    "materials": {
        "labyrinth": {
            "albedo": 0.05, "roughness": 0.35,
            "emissionTexture": {"texture": LABYRINTH, "mapping": "triplanar", "tile": 2.2},
            "emissionStrength": 3.5,
        },
        "floor": {"albedo": 0.06, "roughness": 0.3, "metalness": 0.0},
        "stand": {"albedo": [0.55, 0.5, 0.45], "roughness": 0.3, "metalness": 1.0},
    },
    "assets": {
        "ball": {"sphere": {"centre": [0, 1.12, 0], "radius": 1, "subdivisions": 6}},
        "stand": {"box": {"min": [-0.4, 0, -0.4], "max": [0.4, 0.2, 0.4]}},
        "floor": {"box": {"min": [-4, -0.05, -3], "max": [4, 0, 3]}},
    },
    "instances": {
        "ball": {"asset": "ball", "material": "labyrinth"},
        "stand": {"asset": "stand", "material": "stand"},
        "floor": {"asset": "floor", "material": "floor"},
    },
    "cameras": {"front": {"position": [0.9, 1.55, 4.6], "target": [0, 0.98, 0], "verticalFov": 33}},
    "environment": {"type": "gradient", "zenith": [0.004, 0.007, 0.02], "horizon": [0.012, 0.012, 0.022],
                    "ground": [0.002, 0.002, 0.003]},
    "film": {"size": [1280, 720]},
    "voxels": {"resolution": 2048, "surface": "field"},
    "integrator": {"samplesPerPixel": 1024},
    "bloom": {"enabled": True},
})
