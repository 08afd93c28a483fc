"""Stored frictional contact problems, and how well impulses solve them, with nothing but numpy (and h5py for FCLIB).

The problem: u = W r + q, three rows a contact (N, T1, T2); r in the cone K = { |r_T| <= mu r_N }, (u_N + mu |u_T|, u_T) in
the dual cone and perpendicular to r. A global problem M v = H r + f, u = H^T v + w is reduced to W = H^T M^-1 H and
q = H^T M^-1 f + w. This reader shares nothing with the one of asperity-solve: it is there to check it as well.
"""
import dataclasses, pathlib
import numpy as np


class FileProblem(Exception):
    """Why a file cannot be used."""


@dataclasses.dataclass
class Problem:
    path: pathlib.Path
    kind: str                       # "text", "fclib local" or "fclib global"
    entries: tuple                  # W as rows, columns, values
    q: np.ndarray
    mu: np.ndarray

    @property
    def contacts(self):
        return len(self.mu)

    def velocities(self, r):
        rows, cols, values = self.entries
        return self.q + np.bincount(rows, weights=values * r[cols], minlength=len(self.q))


def read(path):
    path = pathlib.Path(path)
    try:
        with open(path, "rb") as file:
            is_hdf5 = file.read(4) == b"\x89HDF"
        problem = read_fclib(path) if is_hdf5 else read_text(path)
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise FileProblem(f"{path}: {error}") from error
    rows, cols, _ = problem.entries
    n = 3 * problem.contacts
    if len(problem.q) != n or max(rows.max(initial=0), cols.max(initial=0)) >= n:
        raise FileProblem(f"{path}: the sizes of W, q and mu do not fit together")
    return problem


# Siconos text

def read_text(path):
    """`d nc storage n0 n1`, the matrix, q, mu; what follows is ignored."""
    tokens = path.read_text().split()
    at = 0

    def take(n, kind=float):
        nonlocal at
        if at + n > len(tokens):
            raise ValueError("the file ends too early")
        at += n
        return np.array(tokens[at - n:at], dtype=kind)

    dimension, contacts, storage, n0, n1 = take(5, int)
    if dimension != 3 or storage not in (0, 1) or n0 != n1:
        raise ValueError(f"expected three dimensions, dense or block storage, a square matrix: {tokens[:5]}")
    if storage == 0:
        n0, n1 = take(2, int)
        dense = take(n0 * n1).reshape(n1, n0).T
        rows, cols = np.nonzero(dense)
        entries = rows, cols, dense[rows, cols]
    else:
        entries = take_blocks(take)
    return Problem(path, "text", entries, take(n1), take(contacts))


def take_blocks(take):
    count, block_rows, block_cols = take(3, int)
    take(block_rows + block_cols, int)                              # cumulative ends: all blocks are 3 x 3
    filled1, filled2 = take(2, int)
    starts, columns = take(filled1, int), take(filled2, int)
    blocks = np.array([take(10)[1:] for _ in range(count)]).reshape(count, 3, 3).transpose(0, 2, 1)
    block_row = np.repeat(np.arange(filled1 - 1), np.diff(starts))
    rows = np.broadcast_to(3 * block_row[:, None, None] + np.arange(3)[:, None], blocks.shape)
    cols = np.broadcast_to(3 * columns[:count, None, None] + np.arange(3), blocks.shape)
    return rows.ravel(), cols.ravel(), blocks.ravel()


def write_text(problem, path):
    """As sparse blocks, whatever the file had; numbers read back to the same bits."""
    rows, cols, values = problem.entries
    n = problem.contacts
    # Every diagonal block is there, as the solvers expect, even if it is zero.
    keys, index = np.unique(np.concatenate([rows // 3 * n + cols // 3, np.arange(n) * (n + 1)]), return_inverse=True)
    blocks = np.zeros((len(keys), 3, 3))
    np.add.at(blocks, (index[:len(rows)], cols % 3, rows % 3), values)      # transposed: written column by column
    starts = np.searchsorted(keys // n, np.arange(n + 1))
    ends = 3 * np.arange(1, n + 1)
    with open(path, "w") as out:
        line = lambda values: print(*values, file=out)
        line([3]), line([n]), line([1]), line([3 * n, 3 * n]), line([len(keys), n, n]), line(ends), line(ends)
        line([n + 1, len(keys)]), line(starts), line(keys % n)
        for number, block in enumerate(blocks):
            line([number]), line(map(repr, block.ravel().tolist()))
        line(map(repr, problem.q.tolist())), line(map(repr, problem.mu.tolist()))


# FCLIB HDF5

def read_fclib(path):
    try:
        import h5py
    except ImportError as error:
        raise FileProblem(f"{path}: FCLIB files need h5py: apt-get install python3-h5py") from error
    with h5py.File(path, "r") as file:
        vector = lambda group, name: group["vectors"][name][()].astype(float).ravel()
        if "fclib_local" in file:
            group = file["fclib_local"]
            if "V" in group or "R" in group:
                raise FileProblem(f"{path}: bilateral rows are not read here")
            return Problem(path, "fclib local", matrix(group["W"]), vector(group, "q"), vector(group, "mu"))
        if "fclib_global" not in file:
            raise FileProblem(f"{path}: neither fclib_local nor fclib_global in it")
        group = file["fclib_global"]
        if "G" in group:
            raise FileProblem(f"{path}: bilateral rows are not read here")
        f, w, mu = (vector(group, name) for name in ("f", "w", "mu"))
        entries, q = reduce(matrix(group["M"]), matrix(group["H"]), f, w)
        return Problem(path, "fclib global", entries, q, mu)


def matrix(group):
    """nz = -1: by columns; nz = -2: by rows; otherwise triplets with i = row, p = column."""
    nz = int(group["nz"][()].ravel()[0])
    p, i, x = (group[name][()].ravel() for name in ("p", "i", "x"))
    if nz >= 0:
        return i[:nz].astype(int), p[:nz].astype(int), x[:nz]
    if nz not in (-1, -2):
        raise ValueError(f"{group.name}/nz is {nz}")
    major = np.repeat(np.arange(len(p) - 1), np.diff(p))
    minor, x = i[:p[-1]].astype(int), x[:p[-1]]
    return (minor, major, x) if nz == -1 else (major, minor, x)


def reduce(mass, h, f, w):
    """W as entries and q: sums over the parts of M that are not coupled, the bodies of a rigid system."""
    n, q = len(f), w.copy()
    rows, cols, values = ([], [], [])
    label = np.arange(n)
    while True:                                                     # the smallest number that a dof is coupled to
        smaller = label.copy()
        np.minimum.at(smaller, mass[0], label[mass[1]])
        np.minimum.at(smaller, mass[1], label[mass[0]])
        if (smaller == label).all():
            break
        label = smaller
    of_mass, of_h = by_label(label[mass[0]]), by_label(label[h[0]])
    for name, here in of_h.items():
        dofs = np.flatnonzero(label == name)
        columns = np.unique(h[1][here])
        m, part = np.zeros((len(dofs), len(dofs))), np.zeros((len(dofs), len(columns)))
        there = of_mass.get(name, [])
        np.add.at(m, (np.searchsorted(dofs, mass[0][there]), np.searchsorted(dofs, mass[1][there])), mass[2][there])
        np.add.at(part, (np.searchsorted(dofs, h[0][here]), np.searchsorted(columns, h[1][here])), h[2][here])
        solved = np.linalg.solve(m, np.column_stack([part, f[dofs]]))
        rows.append(np.repeat(columns, len(columns))), cols.append(np.tile(columns, len(columns)))
        values.append((part.T @ solved[:, :-1]).ravel())
        q[columns] += part.T @ solved[:, -1]
    return (np.concatenate(rows), np.concatenate(cols), np.concatenate(values)), q


def by_label(labels):
    order = np.argsort(labels, kind="stable")
    names, starts = np.unique(labels[order], return_index=True)
    return dict(zip(names.tolist(), np.split(order, starts[1:])))


# Errors

def errors(problem, r):
    """The error that Siconos reports, and the same with each contact in units of its own, r sqrt(l) and u / sqrt(l), l the
    largest eigenvalue of its block of W; there |r| counts up to 1e4 times max(|q|, |u|)."""
    if len(r) != len(problem.q) or not np.isfinite(r).all():
        return np.inf, np.inf
    rows, cols, values = problem.entries
    own = rows // 3 == cols // 3
    blocks = np.zeros((problem.contacts, 3, 3))
    np.add.at(blocks, (rows[own] // 3, rows[own] % 3, cols[own] % 3), values[own])
    largest = np.linalg.eigvalsh(0.5 * (blocks + blocks.transpose(0, 2, 1)))[:, -1]
    unit = np.sqrt(np.maximum(largest, 1e-12 * largest.max()))[:, None] if largest.max() > 0 else 1.0
    r, u, q = (a.reshape(-1, 3) for a in (r, problem.velocities(r), problem.q))
    return natural_map(r, u, q, problem.mu), natural_map(r * unit, u / unit, q / unit, problem.mu, 1e4)


def natural_map(r, u, q, mu, most=np.inf):
    """| r - P_K(r - (u_N + mu |u_T|, u_T)) | / max(|q|, |r|, |u|), |r| up to `most` times the others"""
    point = r - u
    point[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    speeds = max(np.linalg.norm(a) for a in (q, u))
    impulses = np.linalg.norm(r)
    size = max(speeds, impulses if most == np.inf else min(impulses, most * speeds))
    error = np.linalg.norm(r - onto_cone(point, mu))
    return error / size if size > np.finfo(float).eps else error


def onto_cone(point, mu):
    normal, tangent = point[:, 0], np.linalg.norm(point[:, 1:], axis=1)
    inside, polar = tangent <= mu * normal, mu * tangent <= -normal
    load = (normal + mu * tangent) / (1 + mu * mu)
    shrink = np.divide(mu * load, tangent, out=np.zeros_like(load), where=tangent > 0)
    surface = np.column_stack([load, shrink[:, None] * point[:, 1:]])
    return np.where(inside[:, None], point, np.where(polar[:, None], 0.0, surface))
