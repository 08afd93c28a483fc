"""How far a disk slides that spins on its end (spin_and_slide.toml): a rim of even pressure, integrated apart from the program.

The rim has the radius R, the centre of mass is L/2 above the floor. A point of the rim at p (relative to the axis) moves with u = v + w x p and is braked with mu N u/|u|. The load is
linear in the place, N(p) = (m g / n) (1 + 2 q.p/R^2), so that it holds the torque of the friction force F about the centre of mass: q = -L/2 F/(m g). Runge-Kutta of
order 4 with n points on the rim; twice as many points change nothing that is printed. Prints velocity and spin at two times, and where it stops.

    python3 predict_spin_and_slide.py
"""
from math import cos, hypot, pi, sin

G, MU, R, L = 9.81, 0.3, 0.1, 0.01


def rates(state, rim):
    """Rates of (x, z, v_x, v_z, spin about y) by unit mass."""
    _, _, vx, vz, w = state
    # w about y moves the point (x, z) with w (z, -x).
    pull = []
    for x, z in rim:
        ux, uz = vx + w * z, vz - w * x
        size = hypot(ux, uz) or 1.0
        pull.append((x, z, -MU * ux / size, -MU * uz / size))
    fx = fz = 0.0
    for _ in range(20):
        qx, qz = -L / 2 * fx / G, -L / 2 * fz / G
        load = [G / len(rim) * (1 + 2 * (qx * x + qz * z) / R**2) for x, z, _, _ in pull]
        fx, fz = (sum(n * p[k] for n, p in zip(load, pull)) for k in (2, 3))
    torque = sum(n * (z * px - x * pz) for n, (x, z, px, pz) in zip(load, pull))
    return (vx, vz, fx, fz, torque / (R**2 / 2))


def integrate(speed, spin, shown, n, h=5e-4):
    rim = [(R * cos(2 * pi * (k + 0.5) / n), R * sin(2 * pi * (k + 0.5) / n)) for k in range(n)]
    state, t = (0.0, 0.0, speed, 0.0, spin), 0.0
    while hypot(state[2], state[3]) > 4e-3:
        k1 = rates(state, rim)
        k2 = rates(tuple(s + h / 2 * r for s, r in zip(state, k1)), rim)
        k3 = rates(tuple(s + h / 2 * r for s, r in zip(state, k2)), rim)
        k4 = rates(tuple(s + h * r for s, r in zip(state, k3)), rim)
        state = tuple(s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4))
        t += h
        if any(abs(t - at) < h / 2 for at in shown):
            print(f"  t = {t:.3f}: x {state[0]:.6f}, z {state[1]:.6f}, v {state[2]:.6f}, {state[3]:.6f}, spin {state[4]:.5f}")
    print(f"  stops at x {state[0]:.6f}, z {state[1]:.6f}, t {t:.4f}")


if __name__ == "__main__":
    for n in (60, 120):
        print(f"{n} points, 1 m/s and 20 rad/s:")
        integrate(1.0, 20.0, (0.2, 0.4), n)
    print(f"without spin: stops at {1 / (2 * MU * G):.6f} m")
