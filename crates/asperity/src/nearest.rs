//! The nearest known name to a misspelt one.
//!
//! ```
//! use asperity::nearest::did_you_mean;
//!
//! assert_eq!(did_you_mean("matchstik", ["coulomb", "matchstick"]), "; did you mean `matchstick`?");
//! assert_eq!(did_you_mean("zebra", ["coulomb", "matchstick"]), "");
//! ```

/// The candidate that `name` most likely meant; none if all are too far from it.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let spelt = name.to_lowercase().replace('-', "_");
    // One slip in three letters, and two in any short name, is still a misspelling.
    let limit = (spelt.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&spelt, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "; did you mean `x`?", or nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |found| format!("; did you mean `{found}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognised_and_strangers_are_not() {
        let names = ["matchstick", "facets", "tensor", "ipc", "mu", "mu_t"];
        assert_eq!(nearest("matchstik", names), Some("matchstick"));
        assert_eq!(nearest("Facet", names), Some("facets"));
        assert_eq!(nearest("mu-t", names), Some("mu_t"));
        assert_eq!(nearest("icp", names), Some("ipc"));
        assert_eq!(nearest("zebra", names), None);
    }
}
