//! Names of scenes, variants and bodies as names of files and folders.
//!
//! A name is any text; a file name must not leave its folder and must be valid on Linux, macOS and Windows. The map is injective, also where the
//! file system ignores case, so that two names never share a file:
//!
//! - ASCII letters, digits and `- _ + = ,` stay; so do dots and spaces that are neither first nor last.
//! - Every other byte becomes `%` and two hexadecimal digits; so does the first byte of a name that Windows reserves (`con`, `nul.txt`, …).
//! - The empty name becomes `%`.
//! - If there are capitals, `~` and a hexadecimal number follow, with one bit per letter that is set for a capital.
//! - What would be longer than 120 bytes is cut, and `~x` follows with 128 bits of a hash (FNV-1a) of the whole name. Here alone two names
//!   can share a file name, with a probability of 2⁻¹²⁸.

use std::fmt::Write as _;

/// Longest file name, in bytes. File systems allow 255; endings such as `-texture.png` are added by callers.
const LONGEST: usize = 120;
/// Where longer ones are cut: room for `~x` and 32 digits remains.
const CUT: usize = LONGEST - 34;

/// A file name for any text, different for different texts; see the module.
///
/// ```
/// use asperity::record::file_name;
/// assert_eq!(file_name("steep-0.5"), "steep-0.5");
/// assert_eq!(file_name(".."), "%2e%2e");
/// assert_eq!(file_name("a/b"), "a%2fb");
/// ```
pub fn file_name(name: &str) -> String {
    if name.is_empty() {
        return "%".to_owned();
    }
    let mut safe = String::with_capacity(name.len());
    let last = name.len() - 1;
    for (i, byte) in name.bytes().enumerate() {
        let kept = match byte {
            b'.' | b' ' => i != 0 && i != last,
            _ => byte.is_ascii_alphanumeric() || b"-_+=,".contains(&byte),
        };
        if kept && !(i == 0 && is_reserved(name)) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02x}");
        }
    }
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        safe.push('~');
        safe.push_str(&capitals(name));
    }
    if safe.len() > LONGEST {
        // All ASCII: any place is between two characters.
        safe.truncate(CUT);
        let _ = write!(safe, "~x{:032x}", hash(name));
    }
    safe
}

/// Whether Windows keeps the name for a device, with any ending.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

/// One bit per ASCII letter, set for capitals, four to a hexadecimal digit, the first letter in the lowest bit of the first digit.
fn capitals(name: &str) -> String {
    let letters: Vec<bool> =
        name.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.is_ascii_uppercase()).collect();
    let digit = |four: &[bool]| four.iter().enumerate().fold(0, |sum, (k, &capital)| sum | u32::from(capital) << k);
    letters.chunks(4).filter_map(|four| char::from_digit(digit(four), 16)).collect()
}

/// FNV-1a with 128 bits.
fn hash(name: &str) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    name.bytes().fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use std::collections::HashMap;
    use std::path::{Component, Path};

    /// Valid on all systems and inside its folder.
    fn check(name: &str) {
        let safe = file_name(name);
        assert!(!safe.is_empty() && safe.len() <= LONGEST, "{name:?}: {safe}");
        assert!(safe.bytes().all(|b| b.is_ascii_graphic() || b == b' '), "{name:?}: {safe}");
        assert!(!safe.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']), "{name:?}: {safe}");
        assert!(!safe.starts_with(['.', ' ']) && !safe.ends_with(['.', ' ']), "{name:?}: {safe}");
        let stem = safe.split('.').next().unwrap().trim_end().to_lowercase();
        for device in ["con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt9"] {
            assert_ne!(stem, device, "{name:?}");
        }
        let parts: Vec<_> = Path::new(&safe).components().collect();
        assert!(matches!(parts[..], [Component::Normal(part)] if part.to_str() == Some(&safe)), "{name:?}: {safe}");
    }

    #[test]
    fn names_of_all_kinds_are_safe() {
        let long = "x".repeat(10_000);
        let names = [
            "",
            ".",
            "..",
            "../..",
            "/etc/passwd",
            "a\\b",
            "c:",
            "nul",
            "CON",
            "con .txt",
            "com1",
            "lpt9.log",
            "a\0b",
            "a.",
            " a",
            "a ",
            "é",
            "日本",
            "%",
            "~",
            "%2e",
            "\n",
            &long,
        ];
        names.iter().for_each(|name| check(name));
        for plain in ["default", "101-101", "dt_0.001", "no peak", "console", "com10"] {
            assert_eq!(file_name(plain), plain);
        }
        assert_eq!(file_name("Box"), "Box~1");
        assert_ne!(file_name(&long), file_name(&(long.clone() + "x")));
    }

    /// Every name of up to four characters of a nasty alphabet.
    #[test]
    fn no_two_names_share_a_file_even_without_case() {
        let alphabet = ['a', 'A', '.', '/', '%', '~', '2', ' ', 'é', '1', 'x'];
        let mut seen: HashMap<String, String> = HashMap::new();
        let mut names = vec![String::new()];
        for _ in 0..4 {
            names = names.iter().flat_map(|name| alphabet.map(|c| format!("{name}{c}"))).collect();
            for name in &names {
                check(name);
                let other = seen.insert(file_name(name).to_lowercase(), name.clone());
                assert_eq!(other, None, "{name:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_safe_name(name in any::<String>()) {
            check(&name);
        }

        #[test]
        fn any_two_texts_differ(a in "[a-cA-C%~./ ]{0,12}", b in "[a-cA-C%~./ ]{0,12}") {
            prop_assert_eq!(a == b, file_name(&a).to_lowercase() == file_name(&b).to_lowercase());
        }
    }
}
