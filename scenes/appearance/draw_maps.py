"""Draws the images of the scenes of this folder. Python alone; the same bytes on every machine.

    python3 draw_maps.py
"""
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


if __name__ == "__main__":
    steep_sides()
