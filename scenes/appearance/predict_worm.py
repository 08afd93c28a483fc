"""Independent prediction for worm.toml, and its normal map.

A row of n equal blocks; the distances between neighbours are all L(t) = middle - a cos(2 pi t/T). So the place of one block is the only unknown:
x_i = X(t) + i L(t), i = 0 at the tail, and

    n X'' + sum_i i L'' = sum_i f_i,   f_i = -mu_f g if block i moves forward, mu_b g if backward, anything between if it stands.

A step of time h takes the velocity V of the tail at its end from this equation with f of the velocities at the end: the left side minus the right one
grows with V, and a bisection finds where it changes its sign.

Closed form, where inertia is small: one block stands, j blocks behind it (in front of it, while the worm contracts) go backward and n - 1 - j forward, with j
such that the standing one has a force to balance the others with. Each period then takes the worm (n - 1 - 2 j) 2 a forward.

Coefficients: the map has one column that leans forward with the slope g and one that leans backward with the slope s, as wide as each other:
mu_f = mu0 + (2/pi) g/2, mu_b = mu0 + (2/pi) s/2, with the slopes that the bytes of the image have.

    python3 predict_worm.py [scales.png]        writes the image, if it is named
"""
import math
import struct
import sys
import zlib

G, MU0 = 9.81, 0.1
# A column that leans forward by 0.25, and one that leans backward by 1.5.
SLOPES = (0.25, -1.5)


def colour(slope):
    """The normal (slope, 0, 1), of unit length, as bytes."""
    size = math.hypot(slope, 1)
    return 128 + round(127 * slope / size), 128, 128 + round(127 / size)


def coefficients():
    """Forward and backward."""
    slopes = [(r - 128) / (b - 128) for r, _, b in map(colour, SLOPES)]
    mean = [sum(max(0.0, sign * p) for p in slopes) / len(slopes) for sign in (1, -1)]
    return [MU0 + 2 / math.pi * m for m in mean]


def write(path):
    """The two columns as an image."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = bytes([0]) + b"".join(bytes(colour(p)) for p in SLOPES)
    header = struct.pack(">IIBBBBB", len(SLOPES), 1, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b""))


def standing(n, forward, backward):
    """How many blocks go backward, where one stands; none if no block can."""
    for j in range(n):
        rest = (n - 1 - j) * forward - j * backward
        if -forward <= rest <= backward:
            return j
    return None


def crawl(n, a, period, end, forward, backward, h=1e-4):
    """Where the tail is at the end, without any other assumption."""
    w = 2 * math.pi / period
    x, v = 0.0, 0.0
    for step in range(round(end / h)):
        t = (step + 1) * h
        rate, before = a * w * math.sin(w * t), a * w * math.sin(w * (t - h))

        def excess(tail):
            force = sum(-forward if tail + i * rate > 0 else backward for i in range(n))
            change = n * (tail - v) + sum(range(n)) * (rate - before)
            return change - h * G * force

        low, high = -(n * abs(rate) + 1), n * abs(rate) + 1
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if excess(middle) > 0 else (middle, high)
        v = (low + high) / 2
        x += h * v
    return x


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(sys.argv[1])
    forward, backward = coefficients()
    print("colours", [colour(p) for p in SLOPES], "coefficients", round(forward, 5), round(backward, 5))
    for name, n, a, period, end in (("worm", 6, 0.02, 2.0, 6.0), ("long", 24, 0.002, 3.0, 3.0), ("hasty", 6, 0.02, 0.5, 3.0)):
        j = standing(n, forward, backward)
        closed = (n - 1 - 2 * j) * 2 * a * end / period
        print(name, "closed form", round(closed, 5), "steps", round(crawl(n, a, period, end, forward, backward), 5))
    print("as hard forward", round(crawl(6, 0.02, 2.0, 6.0, 0.29, 0.29) , 6), "(the tail; the middle by symmetry: 0)")
