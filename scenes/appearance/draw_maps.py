"""Draws the images of the scenes of this folder. Python alone; the same bytes on every machine.

    python3 draw_maps.py
"""
import math
import struct
import zlib


def write_png(path, rows, color):
    """8 bits a channel; color 0: grey, 2: red, green, blue. Rows are bytes, from the top."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    channels = {0: 1, 2: 3}[color]
    head = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), 8, color, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def steep_sides():
    """Salience of a sawtooth with rise = 0.75: 102/255 = 0.4 on the gentle side, 1 on the steep one."""
    write_png("steep_sides.png", [bytes([102] * 48 + [255] * 16)], 0)


def emblem():
    """Normals of a slope of 2 x 1.2 m, u down the slope, v across it: flat but for ridges, a peak inside a ring.

    A ridge is R = 30 mm wide on each side of its line; with the distance d from the line its height is (2 R/pi) S cos^2(pi d/(2 R)), so that the steepest slope is S = 1. Only slopes are drawn.
    """
    texel, half = 0.005, 0.030
    columns, rows = 400, 240
    centre, radius = (0.95, 0.6), 0.5
    peaks = [(0.95, 0.22), (1.18, 0.35), (0.75, 0.6), (1.18, 0.85), (0.95, 0.98)]

    def away(x, y):
        """Nearest ridge: distance and the unit vector away from its line."""
        dx, dy = x - centre[0], y - centre[1]
        r = max(math.hypot(dx, dy), 1e-9)
        best = (abs(r - radius), math.copysign(1, r - radius) * dx / r, math.copysign(1, r - radius) * dy / r)
        for (ax, ay), (bx, by) in zip(peaks, peaks[1:]):
            ux, uy = bx - ax, by - ay
            s = min(1.0, max(0.0, ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)))
            ex, ey = x - ax - s * ux, y - ay - s * uy
            e = max(math.hypot(ex, ey), 1e-9)
            best = min(best, (e, ex / e, ey / e))
        return best

    image = []
    for j in range(rows):
        row = bytearray()
        for i in range(columns):
            # Rows go down, v up.
            d, ex, ey = away((i + 0.5) * texel, (rows - j - 0.5) * texel)
            # The normal leans away from the line.
            slope = math.sin(math.pi * d / half) if d < half else 0.0
            m = (slope * ex, slope * ey, 1.0)
            size = math.hypot(*m)
            row += bytes(round(128 + 127 * c / size) for c in m)
        image.append(bytes(row))
    write_png("emblem.png", image, 2)


if __name__ == "__main__":
    steep_sides()
    emblem()
