"""Independent predictions for the scenes with fields: a rigid plate on an inclined plane, in plane coordinates.

The plate has four corners that carry a quarter of the weight each (it is thin, so that loads hardly shift). Each corner feels the friction
of the Matchstick cone (Erleben et al. 2020, eq. 5-12) by maximum dissipation: with the slip v in the cone's axes (t, b),
f = -N (mu_t^2 v_t, mu_b^2 v_b) / sqrt(mu_t^2 v_t^2 + mu_b^2 v_b^2 + eps^2). Explicit steps of 5e-5 s; nothing is shared with the program.
x is up the slope, z across it; a turn by +angle about the plane's normal takes x to -z.

    python3 predict_fields.py
"""
import math

G = 9.81


def cone(a, b, mu, mu_t, mu_b):
    """Axis t and coefficients for grain a of the plane and b of the plate (None: it has none)."""
    norm = lambda s: (s[0] / math.hypot(*s), s[1] / math.hypot(*s))
    a = norm(a)
    if b is None:
        return a, mu_t, mu_b
    b = norm(b)
    dot = a[0] * b[0] + a[1] * b[1]
    if dot < 0:
        b, dot = (-b[0], -b[1]), -dot
    d = 1 - 2 / math.pi * math.acos(min(dot, 1))
    return norm((a[0] + b[0], a[1] + b[1])), d * mu_t + (1 - d) * mu, d * mu_b + (1 - d) * mu


def slide(tilt_deg, field, x, z, end, yaw=0.0, half=0.1, law=(0.3, 0.2, 1.5), grain=None, stop_x=None):
    """Place, velocity and yaw of a square plate after `end` seconds, or when it passes stop_x; all per unit of mass."""
    drive, load = -G * math.sin(math.radians(tilt_deg)), G * math.cos(math.radians(tilt_deg)) / 4
    inertia = (2 * half) ** 2 / 6
    vx = vz = w = t = 0.0
    h, eps = 5e-5, 2e-4
    first = yaw
    while t < end and (stop_x is None or x > stop_x):
        fx, fz, torque = drive, 0.0, 0.0
        c, s = math.cos(yaw), math.sin(yaw)
        own = None if grain is None else (c * grain[0] + s * grain[1], -s * grain[0] + c * grain[1])
        for i in (-half, half):
            for j in (-half, half):
                # A turn about the normal y: x to -z.
                rx, rz = c * i + s * j, -s * i + c * j
                px, pz = vx + w * rz, vz - w * rx
                (tx, tz), mt, mb = cone(field(x + rx, z + rz), own, *law)
                vt, vb = px * tx + pz * tz, -px * tz + pz * tx
                size = math.sqrt((mt * vt) ** 2 + (mb * vb) ** 2 + eps ** 2)
                ft, fb = -load * mt * mt * vt / size, -load * mb * mb * vb / size
                gx, gz = ft * tx - fb * tz, ft * tz + fb * tx
                fx, fz, torque = fx + gx, fz + gz, torque + rz * gx - rx * gz
        vx, vz, w = vx + h * fx, vz + h * fz, w + h * torque / inertia
        x, z, yaw, t = x + h * vx, z + h * vz, yaw + h * w, t + h
    return dict(t=round(t, 3), x=round(x, 4), z=round(z, 4), vx=round(vx, 3), yaw=round(yaw - first, 4))


if __name__ == "__main__":
    channel = lambda x, z: (1, 0.6 * z)
    spread = lambda x, z: (1, -0.6 * z)
    slalom = lambda x, z: (1, 0.8 * math.cos(1.6 * x))
    for name, field, starts in [
        ("channelling", channel, (1.5, 0.75)),
        ("spreading", spread, (0.1, 0.2)),
        ("slaloming", slalom, (0.0,)),
    ]:
        for z in starts:
            print(name, "from", z, slide(20, field, 3.0, z, 3.0))
    print("isotropic", slide(20, channel, 3.0, 1.5, 3.0, law=(0.2, 0.2, 0.2)))
    # Started one after the other, so that they do not meet.
    for x, z, yaw in ((3.2, -1.4, 0.0), (3.2, 0.0, 0.6), (2.2, 1.4, -0.9)):
        print("three boxes", x, z, yaw, slide(20, channel, x, z, 9, yaw=yaw, stop_x=-4.4))
    # Rings around the origin: a plate at rest at radius 2, at 45 degrees from straight uphill, goes around with its own grain along them.
    ring = lambda x, z: (z, -x)
    a = math.radians(45)
    start = (2 * math.cos(a), 2 * math.sin(a))
    for end in (0.8, 1.2):
        print("on rings", slide(30, ring, *start, end, yaw=a, grain=(1, 0), law=(0.4, 0.2, 3.0)))
    print("isotropic", slide(30, ring, *start, 0.8, yaw=a, law=(0.2, 0.2, 0.2)))
