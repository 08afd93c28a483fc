//! What pictures show beside the bodies themselves.

/// What the paint of bodies stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// Its own colour.
    Paint,
    /// A coefficient that varies over the surface of a body, on the bodies where it does.
    #[default]
    Varying,
    /// The coefficient of the surface.
    Mu,
    /// The salience: the strength of the facets, place by place.
    Salience,
}

/// What is drawn. By default what acts can be seen: fibres along the grain, facets, and coefficients that vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// Fibres along the structure directions.
    pub grain: bool,
    /// Facets of normal maps, height maps and reliefs.
    pub relief: bool,
    /// Structure directions as thin lines.
    pub lines: bool,
    /// What the colours of bodies stand for.
    pub tint: Tint,
    /// Contact forces as arrows, normal and friction in two colours.
    pub forces: bool,
    /// Contacts as dots: whether they stick, slide or are open.
    pub contacts: bool,
    /// Velocities of bodies as arrows.
    pub velocity: bool,
    /// The way that bodies have come.
    pub trails: bool,
    /// Lines of joints.
    pub joints: bool,
}

impl Default for Show {
    fn default() -> Self {
        Self { grain: true, relief: true, tint: Tint::Varying, ..Self::NOTHING }
    }
}

/// The words for a scene, in the order of the docs.
pub const SHOW_WORDS: &[&str] =
    &["grain", "relief", "varying", "lines", "mu", "salience", "forces", "contacts", "velocity", "trails", "joints"];

impl Show {
    /// Painted bodies alone.
    pub const NOTHING: Self = Self {
        grain: false,
        relief: false,
        lines: false,
        tint: Tint::Paint,
        forces: false,
        contacts: false,
        velocity: false,
        trails: false,
        joints: false,
    };

    /// Adds what one of [`SHOW_WORDS`] stands for; other words add nothing.
    pub fn add(&mut self, word: &str) {
        match word {
            "grain" => self.grain = true,
            "relief" => self.relief = true,
            "lines" => self.lines = true,
            "varying" => self.tint = Tint::Varying,
            "mu" => self.tint = Tint::Mu,
            "salience" => self.tint = Tint::Salience,
            "forces" => self.forces = true,
            "contacts" => self.contacts = true,
            "velocity" => self.velocity = true,
            "trails" => self.trails = true,
            "joints" => self.joints = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_shows_something_of_its_own() {
        let shown = |word: &str| {
            let mut show = Show::NOTHING;
            show.add(word);
            show
        };
        let all: Vec<Show> = SHOW_WORDS.iter().map(|word| shown(word)).collect();
        for (i, show) in all.iter().enumerate() {
            assert_ne!(*show, Show::NOTHING, "{}", SHOW_WORDS[i]);
            assert!(all[..i].iter().all(|other| other != show), "{}", SHOW_WORDS[i]);
        }
        assert_eq!(shown("nonsense"), Show::NOTHING);
    }
}
