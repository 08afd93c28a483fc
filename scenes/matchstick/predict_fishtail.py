"""Independent prediction for fishtail.toml: a car with locked wheels as a plate that slides on eight points.

The plate moves in the plane (x along the road, z across it, yaw about y: a positive yaw takes x to -z). It carries a sprung body that pitches and
rolls by small angles on four springs with dampers; their forces shift the loads of the wheels. Each wheel touches at the two ends of its
width, with half of its load at each. Friction is that of the Matchstick cone by maximum dissipation (predict_fields.py has it). Explicit steps of
2e-5 s; nothing is shared with the program.

    python3 predict_fishtail.py
"""
import math

from predict_fields import G, cone

CHASSIS, UPRIGHT, WHEEL = 100.0, 2.0, 8.0
MASS = CHASSIS + 4 * (UPRIGHT + WHEEL)
HALF_BASE, HALF_TRACK, HALF_WIDTH = 0.7, 0.5, 0.06
# Centre of mass of all above the ground.
HEIGHT = (CHASSIS * 0.45 + 4 * (UPRIGHT + WHEEL) * 0.3) / MASS
STIFFNESS, DAMPING, STRUT_TRACK = 10000.0, 800.0, 0.42
# Moments of inertia: chassis 2 x 0.25 x 0.7 m; wheels of radius 0.3 m and width 0.12 m about a diameter.
YAW = (
    CHASSIS * (2**2 + 0.7**2) / 12
    + 4 * WHEEL * (HALF_BASE**2 + HALF_TRACK**2 + 0.3**2 / 4 + 0.12**2 / 12)
    + 4 * UPRIGHT * (HALF_BASE**2 + STRUT_TRACK**2)
)
PITCH = CHASSIS * (2**2 + 0.25**2) / 12
ROLL = CHASSIS * (0.7**2 + 0.25**2) / 12


def brake(speed, green_from, field, law, brake_at=0.2):
    """Where the car is when it stands, how it is turned, and when and how fast its front wheels reach the green road. It rolls until brake_at."""
    x, z, yaw = speed * brake_at, 0.0, 0.0
    vx, vz, w, t = speed, 0.0, 0.0, brake_at
    pitch = roll = dpitch = droll = 0.0
    h, eps = 2e-5, 2e-4
    enter = None
    corners = [(i, j) for i in (HALF_BASE, -HALF_BASE) for j in (HALF_TRACK, -HALF_TRACK)]
    while math.hypot(vx, vz) + abs(w) > 2e-3 and t < 6:
        if enter is None and x + HALF_BASE > green_from:
            enter = (round(t, 4), round(vx, 3))
        c, s = math.cos(yaw), math.sin(yaw)
        fx = fz = torque = lift_pitch = lift_roll = 0.0
        for i, j in corners:
            # Nose down is a positive pitch, the side of +z down a positive roll; both press the springs there.
            side = math.copysign(STRUT_TRACK, j)
            press = pitch * i + roll * side
            push = STIFFNESS * press + DAMPING * (dpitch * i + droll * side)
            load = max(MASS * G / 4 + push, 0.0)
            lift_pitch, lift_roll = lift_pitch - push * i, lift_roll - push * j
            for k in (-HALF_WIDTH, HALF_WIDTH):
                rx, rz = c * i + s * (j + k), -s * i + c * (j + k)
                px, pz = vx + w * rz, vz - w * rx
                (tx, tz), mt, mb = cone(field(x + rx, z + rz), None, *law)
                vt, vb = px * tx + pz * tz, -px * tz + pz * tx
                size = math.sqrt((mt * vt) ** 2 + (mb * vb) ** 2 + eps**2)
                ft, fb = -load / 2 * mt * mt * vt / size, -load / 2 * mb * mb * vb / size
                gx, gz = ft * tx - fb * tz, ft * tz + fb * tx
                fx, fz, torque = fx + gx, fz + gz, torque + rz * gx - rx * gz
        # Forces at the ground, along and across the car, turn the sprung body about the centre of mass.
        along, across = c * fx - s * fz, s * fx + c * fz
        dpitch += h * (lift_pitch - HEIGHT * along) / PITCH
        droll += h * (lift_roll - HEIGHT * across) / (ROLL + 4 * WHEEL * HALF_TRACK**2)
        pitch, roll = pitch + h * dpitch, roll + h * droll
        vx, vz, w = vx + h * fx / MASS, vz + h * fz / MASS, w + h * torque / YAW
        x, z, yaw, t = x + h * vx, z + h * vz, yaw + h * w, t + h
    return dict(enter=enter, t=round(t, 3), x=round(x, 3), z=round(z, 3), yaw=round(yaw, 4))


if __name__ == "__main__":
    law, seam = (0.65, 0.3, 1.0), 7.0
    for name, grain in (("fishtail", (1, 1)), ("other side", (1, -1)), ("grain straight", (1, 0))):
        print(name, brake(8.0, seam, lambda x, z: (1, 0) if x < seam else grain, law))
    print("isotropic", brake(8.0, seam, lambda x, z: (1, 0), (0.3, 0.3, 0.3)))
