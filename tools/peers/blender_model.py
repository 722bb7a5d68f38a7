"""Has Blender's Cycles take a picture of a model file where `aureole render` takes it: for tools/models_page.py.

    blender_model.py MODEL PICTURE WIDTHxHEIGHT

Needs the package bpy. The model is framed from the same side, on a floor, under lights from the same sides; a camera and
lights of the file's own come first.
"""

import math
import sys

import bpy
from mathutils import Vector

AZIMUTH, ELEVATION = 29, 20  # ModelView of src/settings/model_show.h
FIELD_OF_VIEW, MARGIN = 30, 1.12
KEY, RIM = (-62, 45, 3.7, 28), (155, 35, 2.1, 24)  # as kStudio of src/scene/json/model_stage.cpp; angles to the camera


def read(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    extension = path.lower().rsplit(".", 1)[1]
    up = {"forward_axis": "NEGATIVE_Z", "up_axis": "Y"}  # as aureole takes what says nothing of it
    readers = {"fbx": (bpy.ops.wm.fbx_import, {}), "glb": (bpy.ops.import_scene.gltf, {}),
               "gltf": (bpy.ops.import_scene.gltf, {}), "obj": (bpy.ops.wm.obj_import, {}),
               "ply": (bpy.ops.wm.ply_import, up), "stl": (bpy.ops.wm.stl_import, up),
               "vdb": (bpy.ops.object.volume_import, {})}
    if extension not in readers:
        sys.exit(f"{path}: found a format that Blender does not read, expected one of {', '.join(readers)}")
    reader, options = readers[extension]
    reader(filepath=path, **options)


def towards(azimuth, elevation):
    """The direction to what stands there: from the front, -Y of Blender, to the right."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))


def place(data, location, direction):
    """Adds what looks along `direction`."""
    thing = bpy.data.objects.new("added", data)
    thing.location = location
    thing.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)
    return thing


def framed_camera(points, middle, aspect):
    """As near as all points stay in the picture, in the middle of what is seen of them."""
    forward = -towards(AZIMUTH, ELEVATION)
    right = forward.cross(Vector((0, 0, 1))).normalized()
    slope = math.tan(math.radians(FIELD_OF_VIEW / 2)) / MARGIN
    location, back = Vector(), []
    for axis, steep in ((right, slope * aspect), (right.cross(forward), slope)):
        far = max(point.dot(axis) - steep * point.dot(forward) for point in points)
        near = max(-point.dot(axis) - steep * point.dot(forward) for point in points)
        location += axis * (far - near) / 2
        back.append((far + near) / (2 * steep))
    location -= forward * max(back)
    distance = (location - middle).length
    camera = bpy.data.cameras.new("framed")
    camera.sensor_fit, camera.angle_y = "VERTICAL", math.radians(FIELD_OF_VIEW)
    camera.clip_start, camera.clip_end = distance / 1000, distance * 100
    return place(camera, location, forward)


def add_floor(middle, lowest, side):
    bpy.ops.mesh.primitive_plane_add(size=side, location=(middle.x, middle.y, lowest))
    material = bpy.data.materials.new("floor")
    material.use_nodes = True
    surface = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    surface.inputs["Base Color"].default_value = (0.2, 0.2, 0.2, 1)
    surface.inputs["Roughness"].default_value = 1
    bpy.context.object.data.materials.append(material)


def add_lights():
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.2, 0.2, 0.2, 1)
    if any(thing.type == "LIGHT" for thing in bpy.data.objects):
        return
    for azimuth, elevation, irradiance, diameter in (KEY, RIM):
        light = bpy.data.lights.new("light", "SUN")
        light.energy, light.angle = irradiance, math.radians(diameter)
        place(light, Vector(), -towards(AZIMUTH + azimuth, elevation))


def main():
    path, picture, size = sys.argv[1:4]
    width, height = (int(side) for side in size.split("x"))
    read(path)
    scene = bpy.context.scene
    cameras = [thing for thing in bpy.data.objects if thing.type == "CAMERA"]
    corners = [thing.matrix_world @ Vector(corner) for thing in bpy.data.objects if thing.type in ("MESH", "VOLUME")
               for corner in thing.bound_box]
    low, high = (Vector([limit(corner[axis] for corner in corners) for axis in range(3)]) for limit in (min, max))
    points = [thing.matrix_world @ vertex.co for thing in bpy.data.objects if thing.type == "MESH"
              for vertex in thing.data.vertices] or corners
    scene.camera = cameras[0] if cameras else framed_camera(points, (low + high) / 2, width / height)
    diagonal = (high - low).length
    add_floor((low + high) / 2, low.z - diagonal / 1000, 6 * diagonal)
    add_lights()
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 48, True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.image_settings.file_format, scene.render.filepath = "PNG", picture
    bpy.ops.render.render(write_still=True)


main()
