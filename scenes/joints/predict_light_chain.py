"""Two loads on a string without mass that falls across a fixed rod (light_chain.toml), integrated apart from the program.

Each arm is straight from the load to where it leaves the rod, at the angle phi around it from the top. The string slips by s. With n outward, t along the arm and l its length the velocity of a load
is s' t - l phi' n, and l' = s' - R phi'. So m (s'' - l phi'^2) = -T + m g.t along the arm, and l phi'' + (2 s' - R phi') phi' = -g.n across it. What slips to one side comes from the other. The string
sticks while the tensions differ by less than exp(mu (phi_1 + phi_2)), and slips with that factor otherwise. R is the radius of the rod and of the links.

    python3 predict_light_chain.py
"""
import math

G, R = 9.81, 0.044


def fall(mu, masses, arms, end, h=1e-6):
    """Where the loads are at the end, let go from level arms on both sides of the top of the rod; and by how much the string has slipped to the second one."""
    phi, rate, slipped, slip = [0.0, 0.0], [0.0, 0.0], 0.0, 0.0
    for _ in range(round(end / h)):
        arm = [arms[0] - R * phi[0] - slipped, arms[1] - R * phi[1] + slipped]
        own = (-slip, slip)
        pull = [m * (G * math.sin(p) + l * w * w) for m, p, l, w in zip(masses, phi, arm, rate)]
        factor = math.exp(mu * sum(phi))
        if slip != 0 or pull[1] > factor * pull[0]:
            # The second load pulls with T_2 = factor T_1: (T_1 = pull_1 + m_1 s'', T_2 = pull_2 - m_2 s'').
            slip = max(0.0, slip + h * (pull[1] - factor * pull[0]) / (masses[1] + factor * masses[0]))
        slipped += h * slip
        for i in (0, 1):
            rate[i] += h * (G * math.cos(phi[i]) - (2 * own[i] - R * rate[i]) * rate[i]) / arm[i]
            phi[i] += h * rate[i]
    arm = [arms[0] - R * phi[0] - slipped, arms[1] - R * phi[1] + slipped]
    place = [(R * math.sin(p) + l * math.cos(p), R * math.cos(p) - l * math.sin(p)) for p, l in zip(phi, arm)]
    return place, slipped, phi


if __name__ == "__main__":
    for mu, end in ((0.3, 0.2), (0.3, 0.25), (0.0, 0.25)):
        (first, second), slipped, phi = fall(mu, (2.0, 8.0), (0.409, 0.281), end)
        print(f"mu = {mu}, t = {end}: light ({-first[0]:.4f}, {first[1]:.4f}), heavy ({second[0]:.4f}, {second[1]:.4f}) m, slipped {slipped:.4f} m, phi {phi[0]:.3f} {phi[1]:.3f}")
