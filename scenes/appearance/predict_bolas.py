"""Independent prediction for bolas.toml and bolas_winds.toml: two balls on a string without mass that falls across a fixed rod.

In the plane of the motion each arm is straight from the ball to where it leaves the rod, at the angle phi around it from the top. The string touches the rod over theta = phi_1 + phi_2 and slips
by s. With n outward, t along the arm and l its length the velocity of a ball is s' t - l phi' n, since the arm that winds up gets shorter: l' = s' - R phi'. So

    along t:   m (s'' - l phi'^2) = -T + m g.t            across:   m (l phi'' + (2 s' - R phi') phi') = -m g.n.

What slips to one side comes from the other: s_1 = -s_2. The string sticks while the tensions differ by less than Euler's factor exp(mu theta), and slips with that
factor otherwise. When the arms meet below the rod the balls clap together and keep their momentum across, no more. Where the string is thrown askew (bolas_winds.toml) the arms pass each other instead, and wind on until the
light ball is at the rod. The masses are those of the balls and of the half of the chain that hangs beside them.

What hangs with both arms down is wound by pi, 3 pi, 5 pi ..., and rests if the weights differ by less than Euler's factor for that angle.

The coefficient. Heights of independent texels with Ra have the deviation sigma = Ra sqrt(pi/2); their central differences sigma/(sqrt 2 pixel). Slopes are interpolated
between texels, which makes their deviation less by sqrt((1 - x)^2 + x^2) along u and along v. Of a normal distribution the mean of max(0, p) is the deviation over sqrt(2 pi). The rod's own
curvature adds the slopes of those columns of pixels that are inside the window's depth, half of 0.01 w on each side.

    python3 predict_bolas.py
"""
import math

G, MU0, WINDOW, PIXELS = 9.81, 0.1, 0.02, 16
ROD, LINK, BALL = 0.04, 0.004, 0.025


def coefficient(ra, pixel=1e-3):
    """Around the rod: mu0, its facets, its curvature."""
    steps = 1000
    mixing = sum(math.hypot(1 - x, x) for x in ((i + 0.5) / steps for i in range(steps))) / steps
    deviation = ra * math.sqrt(math.pi / 2) / (math.sqrt(2) * pixel) * mixing**2
    columns = [(i + 0.5) * WINDOW / PIXELS for i in range(PIXELS // 2)]
    # A column at x lies x^2/2R below the top of the rod.
    slopes = [x / ROD for x in columns if x * x / (2 * ROD) <= 0.005 * WINDOW]
    # Mean of max(0, p) for p normal about +-c, c small: the larger of both limits is close to the root of the sum of their squares.
    facets, skin = deviation / math.sqrt(2 * math.pi), sum(slopes) / len(slopes) / 2
    return MU0 + 2 / math.pi * math.hypot(facets, skin)


def throw(mu, masses, arms, speed, end, h=1e-5, claps=True):
    """Balls that fall with that speed, from level arms. Answers with whether it is held, when it is off, and the slip and the arms then. If the arms pass each other: with the turns that they have made instead."""
    radius = ROD + LINK
    phi, rate, s, slip, t, clapped = [0.0, 0.0], [speed / arm for arm in arms], 0.0, 0.0, 0.0, not claps
    arm = list(arms)
    while t < end:
        arm = [arms[0] - radius * phi[0] + s, arms[1] - radius * phi[1] - s]
        if min(arm) <= (0 if claps else BALL):
            return ("off", t, s, arm) if claps else ("wound", t, s, sum(phi) / (2 * math.pi))
        pull, turn = [], []
        for i, own in ((0, slip), (1, -slip)):
            # At the angle phi from the top, t points down by sin phi and n up by cos phi.
            pull.append(masses[i] * (G * math.sin(phi[i]) + arm[i] * rate[i] ** 2))
            turn.append((G * math.cos(phi[i]) - (2 * own - radius * rate[i]) * rate[i]) / arm[i])
        if min(pull) <= 0:
            return "slack", t, s, sum(phi) / (2 * math.pi)
        factor = math.exp(mu * (phi[0] + phi[1]))
        if slip != 0 or max(pull) > factor * min(pull):
            # s < 0 gives to ball 2.
            to_second = slip < 0 if slip != 0 else pull[1] > pull[0]
            if to_second:
                change = (factor * pull[0] - pull[1]) / (masses[1] + factor * masses[0])
            else:
                change = (pull[0] - factor * pull[1]) / (masses[0] + factor * masses[1])
            after = slip + h * change
            slip = 0.0 if slip * after < 0 else after
        s += h * slip
        for i in (0, 1):
            rate[i] += h * turn[i]
            phi[i] += h * rate[i]
        if not clapped and phi[0] + phi[1] >= math.pi:
            clapped = True
            across = (masses[0] * arm[0] * rate[0] - masses[1] * arm[1] * rate[1]) / sum(masses)
            rate = [across / arm[0], -across / arm[1]]
        t += h
    return "held", t, s, arm


if __name__ == "__main__":
    # A chain of 40 links of 4 g and 16 mm.
    for name, ra in (("rough", 1e-3), ("smooth", 1e-5), ("bare", 0.0)):
        mu = coefficient(ra)
        fate, t, s, arm = throw(mu, (0.5 + 0.061, 0.92 + 0.070), (0.409, 0.281), 1.0, 2.0)
        print(name, "mu", round(mu, 4), "exp(pi mu)", round(math.exp(math.pi * mu), 3), fate, round(t, 3), "s, where the arms grow:", round(s, 4), [round(x, 3) for x in arm])
    # A chain of 60 links of 2 g and 16 mm, thrown askew with 4 m/s.
    masses = (0.4 + 0.07, 1.5 + 0.03)
    for name, ra in (("rough", 1e-3), ("smooth", 1e-5)):
        mu = coefficient(ra)
        fate, t, s, turns = throw(mu, masses, (0.725, 0.285), 4.0, 2.0, claps=False)
        print(name, "winds:", fate, round(t, 3), "s, turns", round(turns, 2), "weights", round(masses[1] / masses[0], 2), "held by", [round(math.exp(mu * k * math.pi), 2) for k in (1, 3, 5)])
