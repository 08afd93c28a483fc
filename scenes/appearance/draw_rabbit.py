"""Makes rabbit.obj, a body that stands for the bunny of Andrews et al. 2021: a smooth union of balls on a flat base, with normals and texture coordinates.

Seen from a point inside, each direction meets the surface once: vertices are those of a globe (poles up and down), pushed out along their directions to the last point of the union
    d(x) = -s log(sum exp(-(|x - c_i| - r_i)/s)) <= 0   and   y >= 0,
found by bisection. One row of each column is the rim of the base. Normals are the gradient of d, and down on the base: its edge is sharp, so that the base is flat up to it. Texture coordinates
are in metres: on the base x and z, elsewhere the lengths along and across a globe of 0.05 m. y is up, x forward.

    python3 draw_rabbit.py
"""
import math

COLUMNS, ROWS = 24, 24
CENTRE = (0.0, 0.062, 0.0)
SMOOTH = 0.006
BALLS = [
    ((0.000, 0.030, 0.0), 0.042),  # body
    ((-0.008, 0.055, 0.0), 0.043),  # back
    ((0.012, 0.100, 0.0), 0.030),  # head
    ((0.030, 0.095, 0.0), 0.016),  # nose
    ((0.004, 0.132, 0.014), 0.012),  # ears
    ((0.004, 0.132, -0.014), 0.012),
    ((-0.002, 0.152, 0.018), 0.010),
    ((-0.002, 0.152, -0.018), 0.010),
    ((-0.048, 0.030, 0.0), 0.012),  # tail
]


def weights(p):
    return [math.exp(-(math.dist(p, c) - r) / SMOOTH) for c, r in BALLS]


def in_union(p):
    return sum(weights(p)) >= 1.0


def normal(p):
    """The gradient of d: the directions from the balls' centres, by their weights."""
    sums = [0.0, 0.0, 0.0]
    for (c, _), w in zip(BALLS, weights(p)):
        for k in range(3):
            sums[k] += w * (p[k] - c[k]) / math.dist(p, c)
    size = math.hypot(*sums)
    return tuple(x / size for x in sums)


def bisect(low, high, holds):
    """Where `holds` ends between low, where it does, and high, where it does not."""
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def ray(polar, turn):
    direction = (math.sin(polar) * math.cos(turn), math.cos(polar), -math.sin(polar) * math.sin(turn))
    return lambda s: tuple(c + s * d for c, d in zip(CENTRE, direction))


def reach(polar, turn):
    """The last point of the union along a ray, whether above the base or not."""
    at = ray(polar, turn)
    low = max(k * 0.001 for k in range(200) if in_union(at(k * 0.001)))
    return at(bisect(low, low + 0.001, lambda s: in_union(at(s))))


def main():
    turns = [2 * math.pi * i / COLUMNS for i in range(COLUMNS)]
    # Where the union's surface comes down to y = 0, between the horizontal and straight down.
    rims = [bisect(0.5 * math.pi, math.pi, lambda polar: reach(polar, turn)[1] > 0.0) for turn in turns]
    points = [reach(0.0, 0.0)]
    for j in range(1, ROWS + 1):
        points += [reach(rim * j / ROWS, turn) for turn, rim in zip(turns, rims)]
    points[-COLUMNS:] = [(x, 0.0, z) for x, _, z in points[-COLUMNS:]]
    curved, around = len(points), 2 * math.pi * 0.05
    lines = ["# Made by draw_rabbit.py."]
    lines += ["v %.6f %.6f %.6f" % p for p in points + [(0.0, 0.0, 0.0)]]
    lines += ["vn %.6f %.6f %.6f" % normal(p) for p in points] + ["vn 0 -1 0"]
    # The curved part has a seam, and a pole that is as wide as the equator; the base comes after it.
    lines += ["vt %.6f %.6f" % (around * i / COLUMNS, around / 2 * (1 - j / ROWS)) for j in range(ROWS + 1) for i in range(COLUMNS + 1)]
    lines += ["vt %.6f %.6f" % (x, z) for x, _, z in points[-COLUMNS:] + [(0.0, 0.0, 0.0)]]
    base = (ROWS + 1) * (COLUMNS + 1) + 1

    def vertex(i, j):
        place = 1 if j == 0 else 2 + (j - 1) * COLUMNS + i % COLUMNS
        return f"{place}/{j * (COLUMNS + 1) + i + 1}/{place}"

    for j in range(ROWS):
        for i in range(COLUMNS):
            a, b, c, d = vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)
            lines.append(f"f {a} {b} {c}")
            if j > 0:
                lines.append(f"f {a} {c} {d}")
    for i in range(COLUMNS):
        rim = [f"{curved - COLUMNS + k + 1}/{base + k}/{curved + 1}" for k in (i, (i + 1) % COLUMNS)]
        lines.append(f"f {curved + 1}/{base + COLUMNS}/{curved + 1} {rim[1]} {rim[0]}")
    with open("rabbit.obj", "w") as file:
        file.write("\n".join(lines) + "\n")
    xs = [p[0] for p in points[-COLUMNS:]]
    print(f"{curved + 1} vertices, {points[0][1]:.3f} m high, base from x = {min(xs):.4f} to {max(xs):.4f}")


if __name__ == "__main__":
    main()
