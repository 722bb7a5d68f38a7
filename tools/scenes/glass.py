#!/usr/bin/env python3
"""Writes scenes/glass.json and scenes/glass/*.glb: glassware on a chequered table before a window of light.

Every vessel is a closed solid of glass; the coloured ones absorb what goes through them.
"""

import scenefile
from shapes import arc, revolve, spline, writeModel

SEGMENTS = 64
# (radius, height) in metres, from the axis under the foot over the lip and down to the axis inside the bowl.
GOBLET = [
    [(0.0, 0.002), (0.034, 0.0)],
    [(0.034, 0.0), (0.0355, 0.0018), (0.034, 0.0036)],
    spline([(0.034, 0.0036), (0.018, 0.0065), (0.0065, 0.016), (0.0042, 0.034), (0.0045, 0.062), (0.0085, 0.078),
            (0.026, 0.094), (0.0365, 0.118), (0.0385, 0.142), (0.0345, 0.172), (0.0305, 0.192)], 5),
    spline([(0.0305, 0.192), (0.0297, 0.1932), (0.0289, 0.192)], 3),
    spline([(0.0289, 0.192), (0.0328, 0.172), (0.0366, 0.142), (0.0345, 0.1190), (0.0235, 0.0965), (0.010, 0.0872),
            (0.0, 0.0855)], 5),
]
BOTTLE = [
    spline([(0.0, 0.008), (0.012, 0.0055), (0.024, 0.0005)], 4),
    spline([(0.024, 0.0005), (0.028, 0.0012), (0.032, 0.006), (0.0335, 0.016), (0.0335, 0.09), (0.031, 0.108),
            (0.021, 0.126), (0.0125, 0.140), (0.0105, 0.156), (0.0105, 0.178)], 5),
    spline([(0.0105, 0.178), (0.0135, 0.180), (0.0138, 0.187), (0.0118, 0.190), (0.0088, 0.1885)], 3),
    spline([(0.0088, 0.1885), (0.0080, 0.178), (0.0080, 0.156), (0.0100, 0.139), (0.0185, 0.1245), (0.0282, 0.106),
            (0.0305, 0.09), (0.0305, 0.018), (0.026, 0.0125), (0.012, 0.0145), (0.0, 0.0160)], 5),
]
TUMBLER = [
    [(0.0, 0.0), (0.026, 0.0)],
    spline([(0.026, 0.0), (0.0285, 0.002), (0.0300, 0.02), (0.0335, 0.082)], 4),
    spline([(0.0335, 0.082), (0.0324, 0.0836), (0.0313, 0.082)], 3),
    spline([(0.0313, 0.082), (0.0279, 0.022), (0.0262, 0.0150), (0.020, 0.0130), (0.0, 0.0125)], 4),
]
SHAPES = {"goblet": GOBLET, "bottle": BOTTLE, "tumbler": TUMBLER}


def ball(radius):
    return [arc((0.0, radius), radius, -90, 90, 48)]


def clear(**keys):
    return {"model": "dielectric", "ior": 1.52, "roughness": 0, **keys}


for name, curves in {**SHAPES, "ball": ball(0.03)}.items():
    writeModel(scenefile.SCENES / "glass" / f"{name}.glb", revolve(curves, SEGMENTS))

PLACES = {
    "goblet": ("goblet", "crystal", [-0.058, 0, -0.02], 1.0),
    "bottle": ("bottle", "cobalt", [0.055, 0, -0.075], 1.0),
    "amber bottle": ("bottle", "amber", [0.118, 0, -0.035], 0.74),
    "tumbler": ("tumbler", "crystal", [0.018, 0, 0.045], 0.86),
    "emerald tumbler": ("tumbler", "emerald", [-0.135, 0, 0.022], 0.8),
    "ball": ("ball", "crystal", [0.098, 0, 0.058], 0.8),
    "ruby ball": ("ball", "ruby", [-0.032, 0, 0.092], 0.52),
    "frosted ball": ("ball", "frosted", [-0.092, 0, 0.082], 0.62),
}

scenefile.write("glass.json", {
    "description": "Glassware in front of a bright window. Made by tools/scenes/glass.py.",
    "materials": {
        "crystal": clear(),
        "cobalt": clear(absorption=[420, 200, 18]),
        "amber": clear(absorption=[22, 110, 420]),
        "emerald": clear(absorption=[330, 40, 170]),
        "ruby": clear(absorption=[8, 190, 150]),
        "frosted": clear(roughness=0.45),
        "table": {"albedo": {"checker": {"size": 0.045, "colours": [[0.62, 0.58, 0.52], [0.09, 0.08, 0.085]]}}},
        "wall": {"albedo": [0.32, 0.30, 0.29]},
        "window": {"albedo": 0, "emission": [11, 10.4, 9.3]},
        "lamp": {"albedo": 0, "emission": [150, 118, 82]},
    },
    "assets": {
        **{name: {"file": f"glass/{name}.glb"} for name in [*SHAPES, "ball"]},
        "table": {"box": {"min": [-0.32, -0.01, -0.2], "max": [0.32, 0, 0.2]}},
        "wall": {"box": {"min": [-0.32, -0.01, -0.21], "max": [0.32, 0.3, -0.2]}},
        "window": {"box": {"min": [-0.27, 0.03, -0.201], "max": [-0.10, 0.27, -0.196]}},
        "lamp": {"box": {"min": [-0.035, -0.004, -0.03], "max": [0.035, 0.004, 0.03]}},
    },
    "instances": {
        **{name: {"asset": asset, "material": material, "translate": place, "scale": scale}
           for name, (asset, material, place, scale) in PLACES.items()},
        **{name: {"asset": name, "material": name} for name in ("table", "wall", "window")},
        "lamp": {"asset": "lamp", "material": "lamp", "translate": [0.26, 0.29, 0.05], "rotate": [0, 0, -45]},
    },
    "cameras": {"front": {"position": [0.03, 0.19, 0.5], "target": [-0.006, 0.08, 0], "verticalFov": 29,
                          "apertureRadius": 0.0015, "focusDistance": 0.5}},
    "environment": {"type": "constant", "radiance": [0.05, 0.06, 0.08]},
    "film": {"size": [1280, 720], "exposure": 0.2},
    "voxels": {"resolution": 2048, "surface": "field"},
    "integrator": {"samplesPerPixel": 1024},
    "bloom": {"enabled": True},
})
