"""Inertias of bodies from their geoms, with principal axes to the last digit.

MuJoCo ends its search for the principal axes of a mesh, and of a body of several geoms, at a rotation by 1.4e-6 rad (`mjuu_eig3`).
What it puts together of such axes differs from the exact inertia by up to 1e-7 of its largest moment. `refine` computes
these inertias in extended precision from the files of the meshes, and puts them into a model.
"""

import pathlib
import struct

import mujoco
import numpy as np

REAL = np.longdouble
# a body whose mass, centre or trace differs by more from ours has its inertia by another rule
SAME = 1e-6
ROUNDING = 1e-12


def read_stl(path):
    data = path.read_bytes()
    count = struct.unpack("<I", data[80:84])[0]
    facet = np.dtype([("normal", "<3f4"), ("corners", "<(3,3)f4"), ("attribute", "<u2")])
    return np.frombuffer(data[84 : 84 + 50 * count], dtype=facet)["corners"]


def read_msh(path):
    data = path.read_bytes()
    vertices, normals, textures, faces = struct.unpack("<4i", data[:16])
    corners = np.frombuffer(data[16:], "<f4", 3 * vertices).reshape(-1, 3)
    indices = np.frombuffer(data[16 + 12 * vertices + 12 * normals + 8 * textures :], "<i4", 3 * faces)
    return corners[indices.reshape(-1, 3)]


def read_obj(path):
    corners, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            corners.append(np.float32(words[1:4]))
        elif words[:1] == ["f"]:
            at = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces += [(at[0], at[k], at[k + 1]) for k in range(1, len(at) - 1)]
    return np.array(corners)[np.array(faces)]


READERS = {".stl": read_stl, ".msh": read_msh, ".obj": read_obj}


def triangles(spec, mesh):
    """Corners of the triangles of a mesh, scaled; None where they do not stand in a file that is read here."""
    folder = pathlib.Path(spec.modelfiledir)
    paths = [folder / below / mesh.file for below in (".", spec.compiler.meshdir)] if mesh.file else []
    path = next((path for path in paths if path.is_file()), None)
    if path is None or path.suffix.lower() not in READERS:
        return None
    return READERS[path.suffix.lower()](path).astype(REAL) * np.asarray(mesh.scale, REAL)


def solid(corners, signed):
    """Volume, centre of mass and inertia about it, of unit density: of tetrahedra about the mean of the faces."""
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.sqrt((across**2).sum(1)) / 2

    def volumes(corners):
        six = np.einsum("ij,ij->i", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2])
        return (six if signed else abs(six)) / 6

    origin = (corners.mean(1) * areas[:, None]).sum(0) / areas.sum()
    corners = corners - origin
    parts = volumes(corners)
    center = (parts[:, None] * corners.sum(1) / 4).sum(0) / parts.sum()
    corners = corners - center
    parts, sums = volumes(corners), corners.sum(1)
    second = np.einsum("n,ni,nj->ij", parts, sums, sums) + np.einsum("n,nki,nkj->ij", parts, corners, corners)
    return parts.sum(), origin + center, about(second / 20)


def about(second):
    """Moments of inertia from second moments."""
    return np.trace(second) * np.eye(3, dtype=REAL) - second


def rotation(quaternion):
    w, x, y, z = np.asarray(quaternion, REAL) / np.sqrt((np.asarray(quaternion, REAL) ** 2).sum())
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def primitive(kind, size):
    """Volume and inertia of unit density of a primitive; None of another shape."""
    pi, kinds = REAL(np.pi), mujoco.mjtGeom
    a, b, c = np.asarray(size, REAL)
    if kind == kinds.mjGEOM_SPHERE:
        b = c = a
    if kind in (kinds.mjGEOM_SPHERE, kinds.mjGEOM_ELLIPSOID):
        volume, second = 4 * pi / 3 * a * b * c, np.array([a * a, b * b, c * c]) / 5
    elif kind == kinds.mjGEOM_BOX:
        volume, second = 8 * a * b * c, np.array([a * a, b * b, c * c]) / 3
    elif kind in (kinds.mjGEOM_CYLINDER, kinds.mjGEOM_CAPSULE):
        tube = 2 * pi * a * a * b
        volume, second = tube, np.array([a * a / 4, a * a / 4, b * b / 3])
        if kind == kinds.mjGEOM_CAPSULE:
            sphere = 4 * pi / 3 * a**3
            along = a * a / 5 + 3 * a * b / 4 + b * b
            volume, second = tube + sphere, tube * second + sphere * np.array([a * a / 5, a * a / 5, along])
            second = second / volume
    else:
        return None
    return volume, about(volume * np.diag(second))


def of_geom(model, geom, meshes):
    """Mass, centre of mass and inertia of a geom in the frame of its body; None where its rule is not known here."""
    k = geom.id
    if geom.typeinertia != mujoco.mjtGeomInertia.mjINERTIA_VOLUME:
        return None
    turn, place = rotation(model.geom_quat[k]), model.geom_pos[k].astype(REAL)
    if model.geom_type[k] == mujoco.mjtGeom.mjGEOM_MESH:
        volume, center, inertia = meshes.get(model.geom_dataid[k]) or (None, None, None)
    else:
        volume, inertia = primitive(mujoco.mjtGeom(model.geom_type[k]), model.geom_size[k]) or (None, None)
        center = np.zeros(3, REAL)
    if volume is None:
        return None
    mass = REAL(geom.mass) if np.isfinite(geom.mass) else REAL(geom.density) * volume
    return mass, turn @ center + place, turn @ (inertia * (mass / volume)) @ turn.T


def of_meshes(spec, model):
    """Volume, centre of mass and inertia of each mesh in MuJoCo's frame of it, by its index."""
    found = {}
    for mesh in spec.meshes:
        k = mesh.id
        corners = triangles(spec, mesh) if 0 <= k < model.nmesh else None
        if corners is None:
            continue
        turn, place = rotation(model.mesh_quat[k]), model.mesh_pos[k]
        for signed in (False, True):
            volume, center, inertia = solid(corners, signed)
            if abs(center - place).max() < SAME * abs(corners).max():
                found[k] = volume, turn.T @ (center - place), turn.T @ inertia @ turn
                break
    return found


def refine(path):
    """The model of a file, with exact inertias of the bodies that have them from geoms, and the largest change of an inertia
    relative to its largest moment."""
    spec = mujoco.MjSpec.from_file(str(path))
    model = spec.compile()
    meshes = of_meshes(spec, model)
    low, high = spec.compiler.inertiagrouprange
    largest = 0.0
    for body in spec.bodies[1:]:
        k = body.id
        geoms = [of_geom(model, geom, meshes) for geom in body.geoms if low <= geom.group <= high and geom.mass != 0]
        if body.explicitinertial or not geoms or None in geoms or model.body_mass[k] == 0:
            continue
        mass = sum(geom[0] for geom in geoms)
        center = sum(geom[0] * geom[1] for geom in geoms) / mass
        inertia = np.zeros((3, 3), REAL)
        for own, place, moments in geoms:
            off = place - center
            inertia += moments + own * (off @ off * np.eye(3) - np.outer(off, off))
        # `settotalmass` and the like
        inertia *= model.body_mass[k] / mass
        trace = model.body_inertia[k].sum()
        if abs(np.trace(inertia) - trace) > SAME * trace or abs(center - model.body_ipos[k]).max() > SAME * max(abs(center).max(), 1e-3):
            continue
        old_axes = rotation(model.body_iquat[k])
        old = old_axes @ np.diag(model.body_inertia[k].astype(REAL)) @ old_axes.T
        change = float(abs(old - inertia).max() / abs(inertia).max())
        if change < ROUNDING:
            continue
        largest = max(largest, change)
        moments, axes = np.linalg.eigh(inertia.astype(float))
        axes[:, 0] *= np.linalg.det(axes)
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, axes.flatten())
        model.body_inertia[k], model.body_iquat[k] = moments, quaternion / np.linalg.norm(quaternion)
        model.body_ipos[k] = center
        # geoms and sites that MuJoCo places by these axes
        model.geom_sameframe[model.geom_bodyid == k] = 0
        model.site_sameframe[model.site_bodyid == k] = 0
        model.body_sameframe[k] = 0
    return model, largest
