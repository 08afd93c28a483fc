# Draws top.obj for smooth/garment: a tube around a torso, and two straps from its front over the shoulders to its back.
import math

RADIUS = 0.16  # of the tube
BOTTOM, EDGE, ARMHOLE = -0.15, 0.08, 0.13  # heights of its lower edge, and of the upper one in front; how much lower it is under the arms
AROUND, ROWS = 40, 8
FROM, WIDTH = 4, 2  # columns of the tube that a strap begins at, and its width in columns
LENGTHS = 14  # cells along a strap
CROWN = 0.23  # height of the straps above the shoulders

vertices, triangles = [], []


def quad(a, b, c, d, odd):
    """Two triangles, anticlockwise a, b, c, d seen from outside."""
    triangles.extend([(a, b, c), (a, c, d)] if odd else [(a, b, d), (b, c, d)])


def column(j):
    """x and z of a column of the tube: 0 is the front, AROUND/4 the side of +x."""
    angle = 2 * math.pi * j / AROUND
    return RADIUS * math.sin(angle), RADIUS * math.cos(angle)


def edge(j):
    """Height of the upper edge."""
    return EDGE - ARMHOLE * math.sin(2 * math.pi * j / AROUND) ** 2


for i in range(ROWS + 1):
    for j in range(AROUND):
        x, z = column(j)
        vertices.append((x, BOTTOM + (edge(j) - BOTTOM) * i / ROWS, z))
for i in range(ROWS):
    for j in range(AROUND):
        a, b = i * AROUND + j, i * AROUND + (j + 1) % AROUND
        quad(a, b, b + AROUND, a + AROUND, (i + j) % 2)

for side in (1, -1):
    # Columns of the strap in front and behind, from the middle outwards.
    front = [side * (FROM + k) % AROUND for k in range(WIDTH + 1)]
    back = [(AROUND // 2 - side * (FROM + k)) % AROUND for k in range(WIDTH + 1)]
    before = [ROWS * AROUND + j for j in front]
    for step in range(1, LENGTHS + 1):
        if step == LENGTHS:
            now = [ROWS * AROUND + j for j in back]
        else:
            turn = math.pi * step / LENGTHS
            now = []
            for j in front:
                x, z = column(j)
                now.append(len(vertices))
                vertices.append((x, edge(j) + (CROWN - edge(j)) * math.sin(turn), z * math.cos(turn)))
        for k in range(WIDTH):
            corners = (before[k], before[k + 1], now[k + 1], now[k])
            quad(*(corners if side > 0 else corners[::-1]), (step + k) % 2)
        before = now

with open("top.obj", "w") as out:
    for x, y, z in vertices:
        out.write(f"v {x:.6f} {y:.6f} {z:.6f}\n")
    for a, b, c in triangles:
        out.write(f"f {a + 1} {b + 1} {c + 1}\n")
