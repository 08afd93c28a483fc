# Draws belt.obj for smooth/belt_drive: a closed strip of triangles along the shortest loop around two wheels,
# drawn together to the length that it has at rest.
import math

SMALL = (-0.45, 0.1)  # place of the axis, radius
LARGE = (0.25, 0.2515)
WIDTH = 0.08
AT_REST = 0.98  # of the length around the wheels


def loop(n):
    """n places along the loop, evenly, anticlockwise seen against z."""
    (x1, r1), (x2, r2) = SMALL, LARGE
    tilt = math.asin((r2 - r1) / (x2 - x1))
    straight = math.sqrt((x2 - x1) ** 2 - (r2 - r1) ** 2)
    arcs = [r2 * (math.pi + 2 * tilt), straight, r1 * (math.pi - 2 * tilt), straight]
    top = math.pi / 2 + tilt  # where the loop leaves the wheels, above
    for i in range(n):
        s = sum(arcs) * i / n
        if s < arcs[0]:
            a = -top + s / r2
            yield x2 + r2 * math.cos(a), r2 * math.sin(a)
        elif s < arcs[0] + arcs[1]:
            f = (s - arcs[0]) / straight
            yield (x2 + (x1 - x2) * f + (r2 + (r1 - r2) * f) * math.cos(top), (r2 + (r1 - r2) * f) * math.sin(top))
        elif s < arcs[0] + arcs[1] + arcs[2]:
            a = top + (s - arcs[0] - arcs[1]) / r1
            yield x1 + r1 * math.cos(a), r1 * math.sin(a)
        else:
            f = (s - arcs[0] - arcs[1] - arcs[2]) / straight
            yield (x1 + (x2 - x1) * f + (r1 + (r2 - r1) * f) * math.cos(top), -(r1 + (r2 - r1) * f) * math.sin(top))


N, ROWS = 90, 1
with open("belt.obj", "w") as out:
    for j in range(ROWS + 1):
        for x, y in loop(N):
            out.write(f"v {AT_REST * x:.9f} {AT_REST * y:.9f} {WIDTH * (j / ROWS - 0.5):.9f}\n")
    for j in range(ROWS):
        for i in range(N):
            a, b = j * N + i + 1, j * N + (i + 1) % N + 1
            c, d = a + N, b + N
            for corners in ((a, b, c), (b, d, c)) if (i + j) % 2 == 0 else ((a, b, d), (a, d, c)):
                out.write("f %d %d %d\n" % corners)
