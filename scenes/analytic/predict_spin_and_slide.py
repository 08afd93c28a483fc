"""How far a disk slides that spins on its end (spin_and_slide.toml): a rim of even pressure, or a whole disk of it, integrated apart from the program.

The disk has the radius R, its centre of mass is L/2 above the floor. A point at p (relative to the axis) moves with u = v + w x p and is braked with mu N u/|u|. The load is
linear in the place, N(p) = (m g / n) (1 + q.p/s), s the mean of x^2 over the points (R^2/2 on the rim, R^2/4 on the disk), so that it holds the torque of the friction force F about
the centre of mass: q = -L/2 F/(m g). Runge-Kutta of order 4 with n points on the rim, or on rings of equal area; twice as many points change the last printed digit at most.
Prints velocity and spin at two times, and where it stops.

Then, for a disk that slides and spins at any ratio of the two, how far the friction of the program's 24 points is from that of the disk: the ring of R/2 with 2/3 of the load on 16 points,
the rim with 1/3 on 8. For rings of even load these two have the right mean of 1, rho and rho^2 over the disk (Gauss and Radau's rule), so that friction is exact for a pure slide and a pure spin.

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
    spread = sum(x * x for x, _ in rim) / len(rim)
    for _ in range(20):
        qx, qz = -L / 2 * fx / G, -L / 2 * fz / G
        load = [G / len(rim) * (1 + (qx * x + qz * z) / spread) for x, z, _, _ in pull]
        fx, fz = (sum(n * p[k] for n, p in zip(load, pull)) for k in (2, 3))
    torque = sum(n * (z * px - x * pz) for n, (x, z, px, pz) in zip(load, pull))
    return (vx, vz, fx, fz, torque / (R**2 / 2))


def ring(radius, n, shift=0.5):
    return [(radius * cos(2 * pi * (k + shift) / n), radius * sin(2 * pi * (k + shift) / n)) for k in range(n)]


def disk(rings, n):
    """Points of equal weight over the disk."""
    return [p for k in range(rings) for p in ring(R * ((k + 0.5) / rings) ** 0.5, n, 0.5 + 0.25 * (k % 4))]


def power(points, slide, spin):
    """Mean of |u| over points."""
    return sum(hypot(slide + spin * z, spin * x) for x, z in points) / len(points)


def integrate(speed, spin, shown, rim, h=5e-4):
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
        print(f"rim of {n} points, 1 m/s and 20 rad/s:")
        integrate(1.0, 20.0, (0.2, 0.4), ring(R, n))
    for rings, n in ((12, 24), (24, 36)):
        print(f"disk of {rings} x {n} points, 1 m/s and 20 rad/s:")
        integrate(1.0, 20.0, (0.2, 0.4), disk(rings, n), 1e-3)
    print(f"without spin: stops at {1 / (2 * MU * G):.6f} m")
    few, many = ring(R, 8, 0) + ring(R / 2, 16), disk(100, 128)
    print("the program's 24 points for the disk:")
    integrate(1.0, 20.0, (0.2, 0.4), few)
    angles = [pi / 2 * k / 60 for k in range(61)]
    errors = [power(few, cos(a), sin(a) / R) / power(many, cos(a), sin(a) / R) - 1 for a in angles]
    print(f"power of friction with 24 points, relative to the disk: {min(errors):+.4f} to {max(errors):+.4f}")
