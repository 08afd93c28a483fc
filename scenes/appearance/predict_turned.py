"""How far a patch of pixels along the world's axes is from the closed form when ridges and body are turned by 45 degrees (sawtooth_turned.toml).

Each corner of the slab sees 16 x 16 pixels over 20 mm; those count whose centre is under the slab. The sawtooth is evaluated as a formula at each centre, at
the place that each step of 2 ms begins at, for many phases of the ridges; mu is the mean of the four corners. Prints the stopping distance of the closed form, its
mean and its deviation over the phases. Nothing is shared with the program.

    python3 predict_turned.py
"""
import numpy as np

G, V, DT, MU0, K = 9.81, 1.5, 0.002, 0.2, 4.0
PERIOD, WIDTH, N, HALF = 0.005, 0.02, 16, 0.1
STEEP, GENTLE, RISE, GENTLE_SALIENCE = 1.2, 0.4, 0.75, 0.4


def pixels(angle):
    """Places (along, across the ridges) of the pixels under the slab, a list a corner; in the turned frame of ridges and slab."""
    c, s = np.cos(angle), np.sin(angle)
    step = (np.arange(N) - (N - 1) / 2) * WIDTH / N
    grid = np.stack(np.meshgrid(step, step), -1).reshape(-1, 2)
    corners = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            # The grid in the frame of the slab, around a corner of it.
            local = np.stack([c * grid[:, 0] + s * grid[:, 1], -s * grid[:, 0] + c * grid[:, 1]], -1)
            inside = (sx * local[:, 0] <= 1e-12) & (sy * local[:, 1] <= 1e-12)
            corners.append(local[inside, 0] + sx * HALF)
    return corners


def coefficient(corners, at, side):
    """Mean coefficient of the corners with the slab's centre at each of `at`, against the steep (-1) or the gentle (+1) side."""
    total = 0.0
    for x in corners:
        phase = ((x[None, :] + at[:, None]) / PERIOD) % 1.0
        if side < 0:
            slope = np.where(phase < RISE, 0.0, STEEP)
        else:
            slope = np.where(phase < RISE, GENTLE * GENTLE_SALIENCE, 0.0)
        total = total + MU0 + K * 2 / np.pi * slope.mean(axis=1)
    return total / len(corners)


if __name__ == "__main__":
    random = np.random.default_rng(1)
    for side, mean in ((-1, MU0 + K * 2 / np.pi * STEEP * (1 - RISE)), (1, MU0 + K * 2 / np.pi * GENTLE * RISE * GENTLE_SALIENCE)):
        closed = V**2 / (2 * mean * G)
        for degrees in (0, 45):
            corners, found = pixels(np.radians(degrees)), []
            for start in random.uniform(0, PERIOD, 300):
                x, v = 0.0, V
                while v > 0:
                    step = min(DT, v / (coefficient(corners, np.array([start + side * x]), side)[0] * G))
                    slower = v - coefficient(corners, np.array([start + side * x]), side)[0] * G * step
                    x, v = x + step * (v + slower) / 2, slower if step == DT else 0.0
                found.append(x)
            found = np.array(found)
            print(f"side {side:+d}, {degrees:2d} degrees: mu {mean:.6f}, closed form {closed:.6f} m, "
                  f"sampled {found.mean():.5f}, deviation {found.std() / closed:.2%}, largest error {abs(found - closed).max() / closed:.2%}")
