"""How a disk rolls on its rim without slipping (rolling_disk.toml): the equations of motion, integrated apart from the program.

A cylinder of radius R, length L and unit mass, with the axis d (d.n > 0, n up), touches the floor at the lowest point of its rim. From the centre to it leads
    a = -L/2 d + R e,   e = -(n - (n.d) d) / |n - (n.d) d|.
It does not slip, v = a x w. With v' = F - g n and (I w)' = a x F the force F is eliminated:
    I w' - a x (a x w') = a x (a' x w + g n) - w x I w,   d' = w x d,   a' = -L/2 d' + R e',
three linear equations for w', solved at each stage of a Runge-Kutta method of order 4. The energy of the integrator is printed: it must not change.
Prints the start of each disk, the values that the scene expects, and the friction that is needed: the largest |F_t|/F_n.

    python3 predict_rolling_disk.py
"""
from math import cos, radians, sin, sqrt

G, N = 9.81, (0.0, 1.0, 0.0)


def add(*vectors):
    return tuple(sum(parts) for parts in zip(*vectors))


def scale(s, a):
    return tuple(s * x for x in a)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def solve(rows, right):
    """x of a 3 x 3 system, by Cramer's rule."""
    columns = list(zip(*rows))
    det = dot(columns[0], cross(columns[1], columns[2]))
    return tuple(dot(right, cross(columns[(i + 1) % 3], columns[(i + 2) % 3])) / det for i in range(3))


class Disk:
    def __init__(self, radius, length):
        self.r, self.l = radius, length
        self.axial, self.across = radius**2 / 2, radius**2 / 4 + length**2 / 12

    def arm(self, d):
        level = add(N, scale(-dot(N, d), d))
        return add(scale(-self.l / 2, d), scale(-self.r / sqrt(dot(level, level)), level))

    def inertia(self, d, w):
        return add(scale(self.across, w), scale((self.axial - self.across) * dot(d, w), d))

    def rates(self, state):
        """Rates of (centre, d, w), and the force of the floor."""
        _, d, w = state
        a, turn = self.arm(d), cross(w, d)
        level = add(N, scale(-dot(N, d), d))
        size = sqrt(dot(level, level))
        change = add(scale(-dot(N, turn), d), scale(-dot(N, d), turn))
        out = add(scale(1 / size, change), scale(-dot(level, change) / size**3, level))
        moving = add(scale(-self.l / 2, turn), scale(-self.r, out))
        unit = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
        columns = [add(self.inertia(d, e), scale(-1, cross(a, cross(a, e)))) for e in unit]
        right = add(cross(a, add(cross(moving, w), scale(G, N))), scale(-1, cross(w, self.inertia(d, w))))
        spin = solve(list(zip(*columns)), right)
        force = add(cross(moving, w), cross(a, spin), scale(G, N))
        return (cross(a, w), turn, spin), force

    def energy(self, state):
        c, d, w = state
        v = cross(self.arm(d), w)
        return dot(v, v) / 2 + dot(w, self.inertia(d, w)) / 2 + G * c[1]


def moved(state, h, rates):
    return tuple(add(x, scale(h, r)) for x, r in zip(state, rates))


def integrate(disk, state, end, h=2e-5):
    needed, start = 0.0, disk.energy(state)
    for _ in range(round(end / h)):
        k1, force = disk.rates(state)
        k2, _ = disk.rates(moved(state, h / 2, k1))
        k3, _ = disk.rates(moved(state, h / 2, k2))
        k4, _ = disk.rates(moved(state, h, k3))
        mean = tuple(scale(1 / 6, add(a, scale(2, b), scale(2, c), d)) for a, b, c, d in zip(k1, k2, k3, k4))
        state = moved(state, h, mean)
        needed = max(needed, sqrt(force[0]**2 + force[2]**2) / force[1])
    return state, needed, disk.energy(state) / start - 1


def started(disk, tilt, w):
    """A disk whose axis leans by `tilt` from the vertical towards x, with the angular velocity w, touching the floor at the origin."""
    d = (sin(tilt), cos(tilt), 0.0)
    return scale(-1, disk.arm(d)), d, w


def spinning(disk, tilt):
    """The start of a disk whose centre stays where it is: w = O n + s d along the arm, and O n x I w = a x g n."""
    r, l, c, s = disk.r, disk.l, cos(tilt), sin(tilt)
    turn = sqrt(G * (r * c - l / 2 * s) / (disk.across * s * c - disk.axial * s * s * l / (2 * r)))
    # Along d: O sin(tilt) L/(2R); along e, which points downhill: -O sin(tilt).
    d, e = (s, c, 0.0), (c, -s, 0.0)
    return started(disk, tilt, add(scale(turn * s * l / (2 * r), d), scale(-turn * s, e))), turn


def show(name, disk, state, ends):
    _, _, w = state
    print(f"{name}: centre {state[0]}\n  velocity {cross(disk.arm(state[1]), w)}\n  angular velocity {w}, E/m {disk.energy(state):.9f} J/kg")
    for end in ends:
        (c, d, w), needed, drift = integrate(disk, state, end)
        print(f"  t = {end}: centre {tuple(round(x, 9) for x in c)}, axis {tuple(round(x, 9) for x in d)}\n"
              f"    angular velocity {tuple(round(x, 7) for x in w)}, friction {needed:.4f}, energy of the integrator {drift:+.1e}")


if __name__ == "__main__":
    coin = Disk(0.1, 0.02)
    state, turn = spinning(coin, radians(15))
    print(f"The centre stays where it is for O = {turn!r} rad/s")
    show("spinning", coin, state, (1.0,))
    show("wobbling", coin, started(coin, radians(30), (-13.0, 9.0, 1.0)), (0.5, 1.0))
    show("rolling", coin, started(coin, radians(60), (-9.0, 0.0, 1.0)), (0.5, 1.0))
