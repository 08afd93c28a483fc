"""What the corners of cubes of oak and of cut PVC see (stacks.toml), from the recipes of the materials with other random numbers.

A corner's patch is 8 x 8 pixels of 1.25 mm, somewhere on the map. The coefficient of two faces is mu0 + (2/pi) times the mean positive slopes of both. Two patches carry the load (those on one edge,
when the cubes above lean back), and all cubes have the same map, so that it scatters. The speed after the blow is v - 7 mu g t. Nothing is shared with the program.

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


def seen(h, axis, random):
    """Mean positive slope along u (axis 1) or v (axis 0) of a patch somewhere, one face."""
    slope = (np.roll(h, -1, axis) - np.roll(h, 1, axis)) / (2 * TEXEL)
    inner = (np.arange(8) + 0.5) * PIXEL
    x, y = (random.uniform(0, SIDE) + inner) / TEXEL, (random.uniform(0, SIDE) + inner) / TEXEL
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    f, g = (x - i)[None, :], (y - j)[:, None]
    at = lambda dj, di: slope[np.ix_((j + dj) % N, (i + di) % N)]
    p = (1 - g) * ((1 - f) * at(0, 0) + f * at(0, 1)) + g * ((1 - f) * at(1, 0) + f * at(1, 1))
    return np.maximum(0, p).mean()


if __name__ == "__main__":
    random = np.random.default_rng(1)
    for name, make, across in (("oak", oak, 0), ("cut PVC", cut_pvc, 1)):
        for way, axis in (("across", across), ("along", 1 - across)):
            # All cubes have the same map, so that two faces show the same; loads may be on two of the four corners alone.
            maps = [make(random) for _ in range(20)]
            face = lambda: seen(maps[random.integers(20)], axis, random)
            mu = np.array([0.2 + 2 / np.pi * np.mean([2 * face() for _ in range(2)]) for _ in range(1000)])
            print(f"{name:8} {way:7} mu {mu.mean():.4f}, deviation {mu.std():.4f}; "
                  f"2.8 m/s - 7 mu g 0.03 s = {2.8 - 2.0601 * mu.mean():.4f} m/s, three deviations {3 * 2.0601 * mu.std():.4f}; "
                  f"4.5 m/s - 17 mu g 0.02 s = {4.5 - 3.3354 * mu.mean():.4f} m/s, three deviations {3 * 3.3354 * mu.std():.4f}")
