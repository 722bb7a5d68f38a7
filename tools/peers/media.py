"""Media in the form that Mitsuba gets: {"extinction", "albedo" (three numbers each), "anisotropy", "coloured"}, and for
a volume "grid", a file of Mitsuba's (.vol) with its extinction, and "matrix", which takes the unit cube to where that
is. What is not compared is refused by ValueError."""

import pathlib
import struct
import sys
from array import array

import materials
import triangles

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "scenes"))

import vdb  # noqa: E402


def only(description, known, place):
    unknown = sorted(set(description) - set(known))
    if unknown:
        raise ValueError(f"{place}/{unknown[0]}: found a key that is not compared, expected {', '.join(known)}")


def of_volume(volume, folder, place):
    """Of an asset's volume: its medium, and (values, cell, origin) of its grid."""
    only(volume, ("file", "grid", "density", "albedo", "anisotropy"), place)
    medium = {
        "extinction": materials.vector(volume.get("density", 1), f"{place}/density"),
        "albedo": materials.vector(volume.get("albedo", 1), f"{place}/albedo"),
        "anisotropy": volume.get("anisotropy", 0),
    }
    return medium, vdb.read(folder / volume["file"], volume.get("grid", "density"))


def of_fog(fog, place):
    """Of a fog without a height."""
    only(fog, ("scattering", "absorption", "anisotropy"), place)
    scattering, absorption = (
        materials.vector(fog.get(key, 0), f"{place}/{key}") for key in ("scattering", "absorption")
    )
    extinction = [s + a for s, a in zip(scattering, absorption)]
    albedo = [s / max(e, 1e-30) for s, e in zip(scattering, extinction)]
    return {"extinction": extinction, "albedo": albedo, "anisotropy": fog.get("anisotropy", 0)}


def write_grid(path, values, colours, cell, origin):
    """Writes `colours` times the densities by (x, y, z), which are 0 where there are none, with a layer of zeros about
    them, between which Mitsuba interpolates as aureole does. Returns the matrix of the unit cube, in the file's own
    space."""
    low = [min(axis) - 1 for axis in zip(*values)]
    size = [max(axis) + 2 - least for axis, least in zip(zip(*values), low)]
    dense = array("f", bytes(4 * len(colours) * size[0] * size[1] * size[2]))
    for (x, y, z), value in values.items():
        at = len(colours) * (x - low[0] + size[0] * (y - low[1] + size[1] * (z - low[2])))
        for channel, colour in enumerate(colours):
            dense[at + channel] = colour * value
    head = struct.pack("<3sB5i6f", b"VOL", 3, 1, *size, len(colours), 0, 0, 0, 1, 1, 1)  # floats
    path.write_bytes(head + triangles.little_endian(dense).tobytes())
    # The points are in the middle of Mitsuba's voxels.
    return tuple(
        tuple(cell * size[i] if i == j else 0.0 for j in range(3)) + (origin[i] + cell * (low[i] - 0.5),)
        for i in range(3)
    )


def placed(medium, scale, path=None, grid=None, place=None):
    """The medium in a space that is `scale` times as large, and where it has a grid of densities, that in the file
    `path`; `place` is the matrix that it is placed by."""
    extinction = [e / scale for e in medium["extinction"]]
    found = {**medium, "extinction": extinction, "coloured": len(set(extinction)) > 1}
    if grid:
        values, cell, origin = grid
        matrix = write_grid(path, values, extinction if found["coloured"] else extinction[:1], cell, origin)
        larger = tuple(tuple(scale * value for value in row) for row in triangles.IDENTITY)
        found.update(grid=path.name, matrix=triangles.product(larger, triangles.product(place, matrix)))
    return found
