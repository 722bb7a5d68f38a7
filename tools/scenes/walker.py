#!/usr/bin/env python3
"""Writes scenes/walker.json and scenes/walker/walker.glb: a figure that a skeleton of 17 joints has walking.

The animation "walk" takes two seconds, which are four steps, and goes 2.7 m ahead. Feet that stand do not slide: the
angles of hips and knees follow from where the feet are.
"""

import math

import scenefile
from glb import Glb

# Where joints are when the figure stands with its arms hanging: x to its left, y up, z ahead.
JOINTS = {
    "hips": (None, (0, 0.96, 0)), "spine": ("hips", (0, 1.12, 0)), "chest": ("spine", (0, 1.30, 0)),
    "neck": ("chest", (0, 1.52, 0)), "head": ("neck", (0, 1.61, 0)),
    "left arm": ("chest", (0.19, 1.45, 0)), "left elbow": ("left arm", (0.22, 1.16, 0)),
    "left hand": ("left elbow", (0.24, 0.91, 0.02)),
    "right arm": ("chest", (-0.19, 1.45, 0)), "right elbow": ("right arm", (-0.22, 1.16, 0)),
    "right hand": ("right elbow", (-0.24, 0.91, 0.02)),
    "left leg": ("hips", (0.10, 0.92, 0)), "left knee": ("left leg", (0.10, 0.50, 0)),
    "left foot": ("left knee", (0.10, 0.09, 0)),
    "right leg": ("hips", (-0.10, 0.92, 0)), "right knee": ("right leg", (-0.10, 0.50, 0)),
    "right foot": ("right knee", (-0.10, 0.09, 0)),
}
NAMES = list(JOINTS)
STRIDE = 1.35  # metres of two steps, each second
STANCE = 0.60  # the share of the time in which a foot stands
SECONDS, RATE = 2, 24
SEGMENTS = 20


def place(joint):
    return JOINTS[joint][1]


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def smooth(t):
    t = max(0.0, min(1.0, t))
    return t * t * (3 - 2 * t)


class Body:
    """Rings of vertices along limbs, each held by the one or two joints near it."""

    def __init__(self):
        self.positions, self.normals, self.joints, self.weights, self.triangles = [], [], [], [], []

    def limb(self, rings, along):
        """Closes rings of (centre, radius, radius ahead, [(joint, weight), ...]) that follow each other to a surface.

        `along` is the axis that lies in the rings with x: 2 where a limb goes up or down, 1 where it goes ahead.
        """
        first = len(self.positions)
        for i, (centre, rx, ra, held) in enumerate(rings):
            before, after = rings[max(i - 1, 0)], rings[min(i + 1, len(rings) - 1)]
            length = math.dist(before[0], after[0]) or 1e-6
            slope = (after[1] + after[2] - before[1] - before[2]) / 2 / length
            axis = tuple((q - p) / length for p, q in zip(before[0], after[0]))
            for j in range(SEGMENTS):
                c, s = math.cos(2 * math.pi * j / SEGMENTS), math.sin(2 * math.pi * j / SEGMENTS)
                out = [c / max(rx, 1e-4), 0, 0]
                out[along] = s / max(ra, 1e-4)
                scale = math.hypot(*out)
                normal = [o / scale - slope * a for o, a in zip(out, axis)]
                size = math.hypot(*normal)
                at = [centre[0] + rx * c, centre[1], centre[2]]
                at[along] += ra * s
                self.positions.append(tuple(at))
                self.normals.append(tuple(n / size for n in normal))
                names = (held + [(held[0][0], 0.0)] * 4)[:4]
                self.joints.append(tuple(NAMES.index(name) for name, _ in names))
                self.weights.append(tuple(weight for _, weight in names))
        # Seen from its end a ring runs one way where the limb goes one way, and the other way where it goes back.
        rises = sum(rings[-1][0][k] - rings[0][0][k] for k in range(3) if k not in (0, along))
        outwards = (rises > 0) == (along == 1)
        for i in range(len(rings) - 1):
            for j in range(SEGMENTS):
                a, b = first + i * SEGMENTS + j, first + i * SEGMENTS + (j + 1) % SEGMENTS
                corners = [(a, b, a + SEGMENTS), (b, b + SEGMENTS, a + SEGMENTS)]
                self.triangles += corners if outwards else [(p, r, q) for p, q, r in corners]
        for ring, turn in ((0, not outwards), (len(rings) - 1, outwards)):  # lids, which are small
            start = first + ring * SEGMENTS
            lid = [(start, start + j, start + j + 1) for j in range(1, SEGMENTS - 1)]
            self.triangles += lid if turn else [(p, r, q) for p, q, r in lid]

    def chain(self, joints, radii, along=2, steps=24, reach=0.07, ends=(0.6, 0.9)):
        """A limb through joints, with a radius or (radius, radius ahead) at each; held by those next to it.

        Around a joint, `reach` metres either way, what was held by the one before comes to be held by it. `ends` say
        how far the round ends reach, by their radii.
        """
        points = [place(joint) if isinstance(joint, str) else joint for joint in joints]
        holders = [joint for joint in joints if isinstance(joint, str)]
        lengths = [math.dist(p, q) for p, q in zip(points, points[1:])]
        at = [sum(lengths[:i]) for i in range(len(points))]
        pairs = [r if isinstance(r, tuple) else (r, r) for r in radii]

        def held(distance):
            weights = []
            for i, joint in enumerate(holders):
                into = smooth((distance - at[i] + reach) / (2 * reach)) if i > 0 else 1.0
                out = smooth((distance - at[i + 1] + reach) / (2 * reach)) if i + 1 < len(holders) else 0.0
                if into - out > 1e-3:
                    weights.append((joint, into - out))
            return weights or [(holders[0], 1.0)]

        def ring(distance, scale):
            i = max(k for k in range(len(lengths)) if k == 0 or at[k] <= distance)
            t = (distance - at[i]) / lengths[i]
            inner = smooth(min(max(t, 0.0), 1.0))
            rx, ra = (pairs[i][k] + (pairs[i + 1][k] - pairs[i][k]) * inner for k in (0, 1))
            return mix(points[i], points[i + 1], t), rx * scale, ra * scale, held(distance)

        rings, total = [], at[-1]
        for k in range(6):  # round ends, as quarters of an ellipse
            angle = math.pi / 2 * (1 - k / 6)
            rings.append(ring(-ends[0] * max(pairs[0]) * math.sin(angle), max(math.cos(angle), 0.02)))
        rings += [ring(total * k / steps, 1.0) for k in range(steps + 1)]
        for k in range(1, 7):
            angle = math.pi / 2 * k / 6
            rings.append(ring(total + ends[1] * max(pairs[-1]) * math.sin(angle), max(math.cos(angle), 0.02)))
        self.limb(rings, along)


def figure():
    """Shapes by material."""
    skin, suit, boots = Body(), Body(), Body()
    suit.chain(["hips", "spine", "chest", (0, 1.47, 0)], [(0.155, 0.115), (0.128, 0.095), (0.165, 0.12), (0.10, 0.08)],
               reach=0.10, ends=(0.8, 0.5))
    skin.chain(["neck", "head", (0, 1.74, 0.01)], [0.052, (0.082, 0.098), (0.072, 0.085)], reach=0.04, ends=(1.2, 0.9))
    skin.chain(["head", (0, 1.645, 0.108)], [0.02, 0.012], along=1, steps=4, ends=(0.1, 0.8))  # a nose
    for side, sign in (("left", 1), ("right", -1)):
        arm, elbow, hand = (f"{side} {part}" for part in ("arm", "elbow", "hand"))
        suit.chain([arm, elbow, (0.238 * sign, 0.935, 0.018)], [0.062, 0.045, 0.036], ends=(0.7, 0.3))
        wrist = place(hand)
        skin.chain([hand, (wrist[0], wrist[1] - 0.10, wrist[2] + 0.01)], [(0.024, 0.034), (0.02, 0.036)], ends=(2.2, 0.8))
        leg, knee, foot = (f"{side} {part}" for part in ("leg", "knee", "foot"))
        suit.chain([leg, knee, (place(foot)[0], 0.16, 0)], [(0.088, 0.098), (0.058, 0.064), (0.047, 0.052)],
                   reach=0.08, ends=(0.6, 0.3))
        x = place(foot)[0]
        boots.chain([foot, (x, 0.20, 0)], [(0.052, 0.058), (0.056, 0.060)], steps=6, ends=(0.9, 0.1))
        boots.chain([foot, (x, 0.045, 0.17)], [(0.050, 0.048), (0.048, 0.036)], along=1, steps=8, ends=(1.2, 1.0))
    return {"skin": skin, "suit": suit, "boots": boots}


def quaternion(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * a for a in axis) + (math.cos(half),)


def times(p, q):
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (pw * qx + px * qw + py * qz - pz * qy, pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw, pw * qw - px * qx - py * qy - pz * qz)


X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def ankle(phase):
    """Where the ankle is by the hips' place on the ground, ahead and up, and by how many degrees its toes point down."""
    if phase < STANCE:
        t = phase / STANCE
        roll = 34 * smooth((t - 0.62) / 0.38) - 16 * (1 - smooth(t / 0.22))  # off the toes, onto the heel
        ahead = STRIDE * STANCE * (0.5 - t)
        lift = 0.115 * smooth((t - 0.62) / 0.38) ** 1.3
        return ahead + 0.06 * smooth((t - 0.62) / 0.38), 0.09 + lift, roll
    t = (phase - STANCE) / (1 - STANCE)
    roll = 34 * (1 - smooth(t / 0.55)) - 16 * smooth((t - 0.45) / 0.55)
    start, end = -STRIDE * STANCE * 0.5 + 0.06, STRIDE * STANCE * 0.5
    lift = 0.115 * (1 - smooth(t)) + 0.10 * math.sin(math.pi * min(t * 1.05, 1.0)) ** 2
    return start + (end - start) * smooth(t), 0.09 + lift, roll


def pose(seconds):
    """The rotations of all joints and the hips' place."""
    turn = 2 * math.pi * seconds
    hips = (0.022 * math.cos(turn), 0.945 + 0.018 * math.cos(2 * turn + 0.6), STRIDE * seconds)
    sway = 6 * math.cos(turn)
    rotations = {
        "hips": times(quaternion(Y, -sway), quaternion(Z, 2.5 * math.sin(turn))),
        "spine": times(quaternion(Y, sway), quaternion(X, 3)),
        "chest": times(quaternion(Y, 1.3 * sway), quaternion(Z, -2.5 * math.sin(turn))),
        "neck": quaternion(Y, -0.7 * sway), "head": times(quaternion(Y, -0.6 * sway), quaternion(X, -2)),
    }
    for side, sign in (("left", 1), ("right", -1)):
        phase = (seconds + (0.25 if sign > 0 else 0.75)) % 1.0
        ahead, up, roll = ankle(phase)
        thigh, shin = 0.42, 0.41
        down = hips[1] - (place("hips")[1] - place(f"{side} leg")[1]) - up
        reach = min(math.hypot(ahead, down), 0.9995 * (thigh + shin))
        bend = math.pi - math.acos((thigh**2 + shin**2 - reach**2) / (2 * thigh * shin))
        lean = math.atan2(ahead, down) + math.acos((thigh**2 + reach**2 - shin**2) / (2 * thigh * reach))
        hip, knee = -math.degrees(lean), math.degrees(bend)
        untwist = quaternion(Y, sway)
        rotations[f"{side} leg"] = times(untwist, quaternion(X, hip))
        rotations[f"{side} knee"] = quaternion(X, knee)
        rotations[f"{side} foot"] = quaternion(X, roll - hip - knee)
        swing = 27 * math.cos(2 * math.pi * (phase - STANCE / 2 + 0.32))
        rotations[f"{side} arm"] = times(quaternion(Z, 5 * sign), quaternion(X, swing - 3))
        rotations[f"{side} elbow"] = quaternion(X, -24 - 0.55 * max(-swing, 0))
        rotations[f"{side} hand"] = quaternion(Y, 10 * sign)
    return rotations, hips


def inverseBind(joint):
    x, y, z = place(joint)
    return (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1)


def writeFigure(path):
    glb = Glb()
    colours = {"skin": "#c98a64", "suit": "#2f6f8f", "boots": "#4a2f22"}
    primitives = []
    for name, body in figure().items():
        material = glb.add("materials", {"name": name, "pbrMetallicRoughness": {
            "baseColorFactor": scenefile.srgb(colours[name]) + [1], "metallicFactor": 0, "roughnessFactor": 0.6}})
        primitives.append({"attributes": {"POSITION": glb.vectors(body.positions), "NORMAL": glb.vectors(body.normals),
                                          "JOINTS_0": glb.bytes(body.joints), "WEIGHTS_0": glb.vectors(body.weights)},
                           "indices": glb.indices(body.triangles), "material": material})
    mesh = glb.add("meshes", {"name": "walker", "primitives": primitives})
    for name in NAMES:
        parent, at = JOINTS[name]
        offset = [a - b for a, b in zip(at, place(parent))] if parent else list(at)
        glb.add("nodes", {"name": name, "translation": offset})
    for number, name in enumerate(NAMES):
        children = [NAMES.index(other) for other in NAMES if JOINTS[other][0] == name]
        if children:
            glb.document["nodes"][number]["children"] = children
    skin = glb.add("skins", {"joints": list(range(len(NAMES))),
                             "inverseBindMatrices": glb.vectors([inverseBind(name) for name in NAMES], target=None)})
    node = glb.add("nodes", {"name": "walker", "mesh": mesh, "skin": skin})
    glb.document["scenes"] = [{"nodes": [0, node]}]
    glb.add("animations", walk(glb))
    glb.write(path)


def walk(glb):
    moments = [i / RATE for i in range(SECONDS * RATE + 1)]
    poses = [pose(moment) for moment in moments]
    keys = glb.vectors([(moment,) for moment in moments], target=None)
    samplers, channels = [], []

    def channel(node, path, values):
        samplers.append({"input": keys, "output": glb.vectors(values, target=None), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

    channel(0, "translation", [hips for _, hips in poses])
    for number, name in enumerate(NAMES):
        channel(number, "rotation", [rotations[name] for rotations, _ in poses])
    return {"name": "walk", "samplers": samplers, "channels": channels}


def cameraKeys():
    """Beside the figure, a little behind at the end."""
    return [{"frame": frame, "position": [3.1, 1.25, 1.3 + ahead], "target": [0, 0.93, 0.28 + ahead]}
            for frame, ahead in ((0, 0.0), (16, 0.85), (32, 1.7), (47, 2.45))]


def columns():
    """Pillars along the way, and their shadows."""
    for i in range(7):
        yield f"pillar {i + 1}", {"asset": "pillar", "material": "plaster", "translate": [-1.5, 0, -1.6 + 1.3 * i]}


def scene():
    return {
        "description": "A figure that walks along a row of pillars in the evening sun, posed by the joints of its skin "
                       "in each frame. Made by tools/scenes/walker.py.",
        "materials": {
            "floor": {"albedo": {"checker": {"size": 0.5, "colours": [[0.34, 0.27, 0.21], [0.52, 0.45, 0.36]]}},
                      "roughness": 0.35},
            "plaster": {"albedo": scenefile.srgb("#d8c7a8")}, "wall": {"albedo": scenefile.srgb("#b4694a")},
        },
        "assets": {
            "walker": {"file": "walker/walker.glb", "animation": {"clip": "walk", "framesPerSecond": RATE, "loop": False},
                       "voxels": {"resolution": 1024}},
            "floor": {"box": {"min": [-9, -0.2, -9], "max": [6, 0, 13]}},
            "wall": {"box": {"min": [-3.2, -0.1, -9], "max": [-3, 4, 13]}},
            "pillar": {"box": {"min": [-0.16, -0.05, -0.16], "max": [0.16, 3.2, 0.16]}},
        },
        "instances": {"floor": {"asset": "floor", "material": "floor"}, "wall": {"asset": "wall", "material": "wall"},
                      "walker": {"asset": "walker"}, **dict(columns())},
        "cameras": {"main": {"position": [3.1, 1.25, 1.3], "target": [0, 0.93, 0.28], "verticalFov": 40,
                             "apertureRadius": 0.015, "focusDistance": 3.3}},
        "animation": {"path": {"keys": cameraKeys()}},
        "environment": {
            "type": "gradient", "zenith": [0.20, 0.33, 0.62], "horizon": [0.75, 0.62, 0.50], "ground": [0.2, 0.17, 0.14],
            "sun": {"direction": [0.82, 0.52, 0.55], "angularDiameter": 1.2, "irradiance": [6.4, 4.9, 3.4]},
        },
        "film": {"size": [1280, 720], "exposure": 0.2},
        "voxels": {"resolution": 2048, "surface": "planes"},
        "integrator": {"samplesPerPixel": 256},
        "bloom": {"enabled": True},
    }


if __name__ == "__main__":
    (scenefile.SCENES / "walker").mkdir(exist_ok=True)
    writeFigure(scenefile.SCENES / "walker" / "walker.glb")
    scenefile.write("walker.json", scene())
