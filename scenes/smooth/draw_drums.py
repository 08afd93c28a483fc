# Draws drum_36.obj and drum_66.obj: open cylinders of nearly equilateral triangles, for smooth/sliding_consistency.
import math

RADIUS = 1.6 / math.pi
LENGTH = 0.6

for n in (36, 66):
    side = 2 * math.pi * RADIUS / n
    rings = max(2, round(LENGTH / (side * 0.75**0.5)))
    with open(f"drum_{n}.obj", "w") as out:
        for j in range(rings + 1):
            for i in range(n):
                angle = 2 * math.pi * (i + 0.5 * (j % 2)) / n
                x, y, z = RADIUS * math.sin(angle), LENGTH * (j / rings - 0.5), RADIUS * math.cos(angle)
                out.write(f"v {x:.9f} {y:.9f} {z:.9f}\n")
        for j in range(rings):
            for i in range(n):
                a, b = j * n + i + 1, j * n + (i + 1) % n + 1
                c, d = a + n, b + n
                for corners in ((a, b, c), (b, d, c)) if j % 2 == 0 else ((a, b, d), (a, d, c)):
                    out.write("f %d %d %d\n" % corners)
