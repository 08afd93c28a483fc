"""Stopping distances of boxes_on_materials.toml: closed form, and how much it scatters with the random heights.

Heights are independent and normal with sigma = Ra sqrt(pi/2), a texel has the side a = 1 mm. Central differences have the deviation s = sigma/(sqrt 2 a), and
neighbours (one texel apart) are independent of each other, since they share no height. Bilinear interpolation at a fraction f between two of them leaves sqrt((1-f)^2 + f^2) of
the deviation along each axis, on average I = int_0^1 sqrt(1 - 2f + 2f^2) df = 1/2 + asinh(1)/(2 sqrt 2) = 0.811613. The mean of the positive part of a normal number is its deviation over sqrt(2 pi). So

    mu = mu0 + k (2/pi) s I^2/sqrt(2 pi) + k (2/pi) s_p/sqrt(2 pi).

Plaster, with bumps of 12 and 3 texels of 0.25 mm: noise blurred by a kernel of deviation b has the autocorrelation exp(-r^2/(4 b^2)), so slopes have 1/(sqrt 2 b) of its deviation. The coarse part is three times
as high as the fine one. Central differences and texels of a fraction of b change it by less than 4 %.

The scatter is found by brute force: random planes of 256 x 256 texels, the four corner patches of a box at the beginning of each step of 10 ms. Nothing is shared with the program.

    python3 predict_materials.py
"""
import numpy as np

G, V, MU0, K, A = 9.81, 2.0, 0.2, 2.0, 1e-3
WIDTH, N, HALF, DT = 0.02, 16, 0.1, 0.01
PLOUGH = 2 / np.pi
INTERPOLATED = 0.5 + np.arcsinh(1) / (2 * np.sqrt(2))


def gaussian(ra):
    return PLOUGH * ra * np.sqrt(np.pi / 2) / (np.sqrt(2) * A) * INTERPOLATED**2 / np.sqrt(2 * np.pi)


def plaster(ra=6e-5, texel=0.25e-3):
    coarse, fine = 3.0, 1.0
    deviation = ra * np.sqrt(np.pi / 2)
    part = deviation / np.hypot(coarse, fine)
    slope = np.hypot(coarse * part / 12, fine * part / 3) / np.sqrt(2) / texel
    return PLOUGH * slope / np.sqrt(2 * np.pi)


def sampled(ra, random, texels=256):
    """Stopping distance on one random plane."""
    h = random.normal(0, ra * np.sqrt(np.pi / 2), (texels, texels))
    slope = -(np.roll(h, -1, 1) - np.roll(h, 1, 1)) / (2 * A)
    start, half = random.uniform(0, texels * A, 2), N // 2
    inner = (np.arange(half) + 0.5) * WIDTH / N
    x, v = 0.0, V
    while v > 0:
        total = 0.0
        for sx in (-1, 1):
            for sy in (-1, 1):
                u = (start[0] + x + sx * (HALF - inner)) / A - 0.5
                w = (start[1] + sy * (HALF - inner)) / A - 0.5
                i, j = np.floor(u).astype(int), np.floor(w).astype(int)
                f, g = (u - i)[None, :], (w - j)[:, None]
                at = lambda dj, di: slope[np.ix_((j + dj) % texels, (i + di) % texels)]
                p = (1 - g) * ((1 - f) * at(0, 0) + f * at(0, 1)) + g * ((1 - f) * at(1, 0) + f * at(1, 1))
                # Sliding along +x is resisted by facets that lean back.
                total += np.maximum(0, -p).mean() / 4
        deceleration = (MU0 + K * PLOUGH * total + K * plaster()) * G
        step = min(DT, v / deceleration)
        x, v = x + step * (v - deceleration * step / 2), v - deceleration * step if step == DT else 0.0
    return x


def plaster_of_corners(random, ra=6e-5, texel=0.25e-3, texels=256):
    """What the underside of one box adds: its four corners see the same few bumps all the way."""
    steps = np.fft.fftfreq(texels) * 2 * np.pi
    blurred = lambda b: np.fft.ifft2(np.fft.fft2(random.normal(size=(texels, texels)))
                                     * np.exp(-0.5 * b**2 * (steps[:, None] ** 2 + steps[None, :] ** 2))).real
    h = 12 * blurred(12) + blurred(3)
    h *= ra / np.abs(h - h.mean()).mean()
    slope = (np.roll(h, -1, 1) - np.roll(h, 1, 1)) / (2 * texel)
    inner = ((np.arange(N // 2) + 0.5) * WIDTH / N / texel).astype(int)
    means = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            edge = (int(sx * HALF / texel), int(sy * HALF / texel))
            p = slope[np.ix_((edge[1] - sy * inner) % texels, (edge[0] - sx * inner) % texels)]
            means.append(np.maximum(0, p).mean())
    return K * PLOUGH * np.mean(means)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    corners = np.array([plaster_of_corners(random) for _ in range(300)])
    print(f"plaster adds {K * plaster():.6f}; corners of random boxes {corners.mean():.6f}, deviation {corners.std():.6f}")
    for name, ra in (("concrete", 1e-3), ("cast iron", 1.5e-4), ("steel", 1e-5), ("plastic", 0.0)):
        mu, smooth = MU0 + K * gaussian(ra) + K * plaster(), MU0 + K * gaussian(ra)
        found = np.array([sampled(ra, random) for _ in range(150)])
        print(f"{name:10} mu {mu:.6f}  stops after {V**2 / (2 * mu * G):.6f} m; on random planes {found.mean():.5f}, deviation {found.std() / found.mean():.2%}; "
              f"a smooth box {V**2 / (2 * smooth * G):.6f} m")
