"""How fast the cube that was hit is in stacks.toml while it slides, from the recipes of the materials with other random numbers.

**Coefficient.** A face of 0.2 m has 3.125 images of 64 mm along u and v, from its corner u = v = 0. A corner's patch is 8 x 8 pixels of 1.25 mm. The coefficient of two faces is mu0 + (2/pi) times the mean
positive slopes of both. Two corners carry most of the load (those on one edge, when the cubes above lean): patches are at corners of the cube that was hit, and on its neighbours first at their corners, then
as much further in as the cube moves in a step. The direction on the map and the edge are left open. So it scatters; three deviations are allowed.

**Load.** With n cubes above, n and n + 1 weights press on the cube: it slows down by (2n + 1) mu g. The cubes above are drawn along at their foot. Those of the height 2H = 0.2 n, width 2a = 0.2 stay upright up to mu = a/H.
Beyond, as one rigid body that turns about its rear edge, they lift themselves, and press with N more than their weight m n g: the turn is alpha = N (mu H - a)/I, the centre rises with a alpha, and
N = m n (g + a alpha), so that N = m n g/(1 - a (mu H - a) m n/I), with I = m n (4 a^2 + 4 H^2)/12. They are not quite rigid: the truth is between both. (After 0.02 s the cube has moved so far that its
rear edge is nearer than a, and all lean.)

Nothing is shared with the program: heights are made anew from the recipes (`src/material`), slopes are their differences.

    python3 predict_stacks.py
"""
import numpy as np

N, SIDE, FACE, PIXEL = 256, 0.064, 0.2, 0.00125
TEXEL = SIDE / N
FREQUENCY = np.fft.fftfreq(N) * 2 * np.pi


def blurred(random, along_u, along_v):
    kernel = np.exp(-0.5 * ((along_u * FREQUENCY[None, :]) ** 2 + (along_v * FREQUENCY[:, None]) ** 2))
    return np.fft.ifft2(np.fft.fft2(random.normal(size=(N, N))) * kernel).real


def rough(h, ra):
    h = h - h.mean()
    return h * ra / np.abs(h).mean()


def cut_pvc(random):
    u, v = np.meshgrid(np.arange(N) / N, np.arange(N) / N)
    phase = 2 * np.pi * (24 * u + 0.6 * np.sin(2 * np.pi * v))
    return rough(np.sin(phase) + 0.3 * np.sin(2 * phase) + rough(blurred(random, 1.5, 6), 0.12), 2.5e-4)


def oak(random):
    h = rough(blurred(random, 24, 1.2), 1.0)
    for _ in range(160):
        x, y = random.uniform(0, N, 2)
        half, depth = 6 + 14 * random.uniform(), 1.5 + 1.5 * random.uniform()
        i, j = np.arange(int(x - half), int(x + half) + 1), np.arange(int(y) - 3, int(y) + 4)
        groove = np.exp(-0.5 * ((j - y) / 1.3) ** 2)[:, None] * (1 - np.clip((i - x) / half, -1, 1) ** 2)[None, :]
        h[np.ix_(j % N, i % N)] -= depth * groove
    return rough(h, 5e-5)


def acrylic(random):
    h = rough(blurred(random, 20, 20), 1.0)
    for _ in range(12):
        x, y = random.uniform(0, N, 2)
        angle, depth, steps = 2 * np.pi * random.uniform(), 1 + random.uniform(), 60 + int(100 * random.uniform())
        along = np.arange(steps)
        # A step that stays in its texel makes it deeper.
        np.subtract.at(h, ((y + along * np.sin(angle)).astype(int) % N, (x + along * np.cos(angle)).astype(int) % N), depth)
    return rough(h, 4e-6)


def seen(h, axis, sign, corner, inward):
    """Mean positive slope along +-u (axis 1) or +-v (axis 0) of the patch at a corner of a face, or so far inward along that axis."""
    slope = sign * (np.roll(h, -1, axis) - np.roll(h, 1, axis)) / (2 * TEXEL)
    inner = (np.arange(8) + 0.5) * PIXEL
    places = []
    for k, far in enumerate(corner):
        along = inner + (inward if 1 - k == axis else 0.0)
        places.append((FACE - along if far else along) / TEXEL - 0.5)
    (i, j), (x, y) = (np.floor(p).astype(int) for p in places), places
    f, g = (x - i)[None, :], (y - j)[:, None]
    at = lambda dj, di: slope[np.ix_((j + dj) % N, (i + di) % N)]
    p = (1 - g) * ((1 - f) * at(0, 0) + f * at(0, 1)) + g * ((1 - f) * at(1, 0) + f * at(1, 1))
    return np.maximum(0, p).mean()


def coefficient(h, axis, way, random):
    """Of one throw: an edge across the motion, two steps."""
    far, sign, own = random.integers(2), random.choice([-1, 1]), random.choice([-1, 1])
    corners = [(far, other) if axis == 1 else (other, far) for other in (0, 1)]
    first = np.mean([seen(h, axis, own, corner, 0.0) for corner in corners])
    others = np.mean([seen(h, axis, sign, corner, inward) for corner in corners for inward in (0.0, way)])
    return 0.2 + 2 / np.pi * (first + others)


def speed(mu, cubes, start, time, leaning):
    a, high = 0.1, 0.1 * cubes
    lift = a * max(0.0, mu * high - a) / ((4 * a * a + 4 * high * high) / 12) if leaning else 0.0
    load = cubes / (1 - lift)
    return start - mu * (2 * load + 1) * 9.81 * time


if __name__ == "__main__":
    # A sequence of its own for acrylic: how many numbers it takes does not change the others.
    randoms = {acrylic: np.random.default_rng(2)}
    shared = np.random.default_rng(1)
    cases = [("acrylic", acrylic, 0), ("oak", oak, 0), ("cut PVC", cut_pvc, 1)]
    for cubes, start, steps in ((3, 2.8, 2), (8, 4.5, 2)):
        for name, make, across in cases:
            for way, axis in (("across", across), ("along", 1 - across)):
                random = randoms.get(make, shared)
                mu = np.array([coefficient(make(random), axis, 0.01 * start, random) for _ in range(200)])
                least, most = mu.mean() - 3 * mu.std(), mu.mean() + 3 * mu.std()
                print(f"{cubes} above, {start} m/s: {name:8} {way:7} mu {mu.mean():.4f}, deviation {mu.std():.4f}; after {0.01 * steps:.2f} s "
                      f"{speed(most, cubes, start, 0.01 * steps, True):.4f} to {speed(least, cubes, start, 0.01 * steps, False):.4f} m/s")
