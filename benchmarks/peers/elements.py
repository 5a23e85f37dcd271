#!/usr/bin/env python3
"""Forces of neo-Hookean tetrahedra in Python, for a mesh that carom's bench wrote.

    pip install scikit-fem && cargo bench -p carom --no-default-features --bench elastic -- peer python3

Prints a line per peer: its name, seconds of one evaluation, and the largest difference from carom's forces
relative to the largest force.
"""
import sys
import time

import numpy as np
import skfem
from skfem.helpers import ddot, grad

LAMBDA, MU = 1e4, 5e3

with open(sys.argv[1], "rb") as file:
    nodes, count = np.fromfile(file, "<u8", 2)
    rest, now, forces = (np.fromfile(file, "<f8", 3 * nodes).reshape(-1, 3) for _ in range(3))
    tets = np.fromfile(file, "<u4", 4 * count).reshape(-1, 4).astype(np.int64)


def stress(f, j, inverse_transposed):
    return MU * (f - inverse_transposed) + LAMBDA * np.log(j) * inverse_transposed


# NumPy by hand: gradients of the shape functions are known, forces are added up by bincount.
edges = (rest[tets[:, 1:]] - rest[tets[:, :1]]).transpose(0, 2, 1)
shapes = np.linalg.inv(edges)
volumes = np.linalg.det(edges) / 6.0


def by_numpy():
    moved = (now[tets[:, 1:]] - now[tets[:, :1]]).transpose(0, 2, 1)
    f = moved @ shapes
    j = np.linalg.det(f)[:, None, None]
    p = stress(f, j, np.linalg.inv(f).transpose(0, 2, 1))
    pulls = -volumes[:, None, None] * (shapes @ p.transpose(0, 2, 1))
    each = np.concatenate([-pulls.sum(axis=1, keepdims=True), pulls], axis=1)
    flat = tets.ravel()
    return np.stack([np.bincount(flat, each[:, :, k].ravel(), nodes) for k in range(3)], axis=1)


# scikit-fem: one quadrature point an element.
mesh = skfem.MeshTet(rest.T.copy(), tets.T.copy(), sort_t=False)
basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementTetP1()), intorder=1)
places = basis.nodal_dofs
displacement = basis.zeros()
displacement[places] = (now - rest).T


@skfem.LinearForm
def pull(v, w):
    f = grad(w["u"]) + np.eye(3)[:, :, None, None]
    parts = np.moveaxis(f, (0, 1), (-2, -1))
    inverse = np.moveaxis(np.linalg.inv(parts), (-2, -1), (1, 0))
    return -ddot(stress(f, np.linalg.det(parts), inverse), grad(v))


def by_skfem():
    found = pull.assemble(basis, u=basis.interpolate(displacement))
    return found[places].T


for name, call in ((f"NumPy {np.__version__}", by_numpy), (f"scikit-fem {skfem.__version__}", by_skfem)):
    off = np.abs(call() - forces).max() / np.abs(forces).max()
    times = []
    while len(times) < 3 or (sum(times) < 2.0 and len(times) < 50):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    print(f"{name}\t{min(times)}\t{off:.0e}")
