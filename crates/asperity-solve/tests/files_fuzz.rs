//! Damaged files: whatever the bytes, the readers answer, do not panic, and ask for no more memory than the file
//! justifies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use asperity_solve::problem::files::read_bytes;
use asperity_solve::problem::to_contact_problem;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, noting the largest request of each thread.
struct Watching;

fn note(size: usize) {
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: every call is passed on unchanged to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        unsafe { System.realloc(at, layout, size) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

const FILES: [&[u8]; 9] = [
    b"3 2 0 6 6 6 6 1 0 0 0 0 -2 0 2 0 0 0 0 0 0 3 0 0 0 0 0 0 4 0 0 0 0 0 0 5 0 0 0 0 0 0 6 -1 0.5 1e-3 4 5 6 0.3 0 ",
    b"3\n2\n1\n6\n6\n2\n2\n2\n3 6\n3 6\n3\n2\n0 1 2\n0 1\n0\n1 0 0 0 2 0 0 0 3\n1\n4 0 0 0 5 0 0 0 6\n1 2 3 4 5 6\n0.3 1\n",
    b"3 1 0 4 4 4 4 2 0 0 0 0 4 0 0 0 0 1 0 0 0 0 8 0 4 3 4 3 1 0 0 0 0 1 0 -2 2 0 1 0 2 4 6 8 -3 0 0 0.3 ",
    b"3\n1\n2\n2\n2\n1\nCSparse 3\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 3\n1 1 : 2\n2\n2\n3\n2\nCSparse 3\n2-by-3, nzmax: 2 nnz: 2, 1-norm: 3
col 0 : locations 0 to 0\n0 : 1\ncol 1 : locations 1 to 0\ncol 2 : locations 1 to 1\n1 : 1\n2 4 -3 0 0 0.3\n",
    br#"{"asperity_problem":1,"dynamics":{"delassus":{"starts":[0,3,4],"w":[[0,0,1.5],[1,1,1],[2,2,2],[3,3,4],[0,3,0.5]]}},
        "bias":[-1,2,0,0.5],"kinds":["contact",{"bounded":{"lower":[null],"upper":[2]}}],"laws":[{"Set":{"set":"disk","mu":0.5}}]}"#,
    include_bytes!("../../../examples/problems/spinning.json"),
    include_bytes!("fixtures/fclib_local.hdf5"),
    include_bytes!("fixtures/fclib_global.hdf5"),
    include_bytes!("fixtures/fclib_unwritten.hdf5"),
];

/// One damage done to a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    Overwrite(Index, Vec<u8>),
    /// Another number: what a wrong size or address looks like in binary and in text.
    Number(Index, u64, bool),
    Splice(Index, Index, u8),
    Truncate(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let number = prop_oneof![any::<u64>(), 0..300_u64, Just(u64::MAX), Just(1 << 31), (0..64_u32).prop_map(|k| 1 << k)];
    prop_oneof![
        4 => (any::<Index>(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        2 => (any::<Index>(), vec(any::<u8>(), 1..12)).prop_map(|(at, bytes)| Damage::Overwrite(at, bytes)),
        4 => (any::<Index>(), number, any::<bool>()).prop_map(|(at, n, text)| Damage::Number(at, n, text)),
        2 => (any::<Index>(), any::<Index>(), 1..64_u8).prop_map(|(from, to, n)| Damage::Splice(from, to, n)),
        1 => any::<Index>().prop_map(Damage::Truncate),
    ]
}

fn overwrite(bytes: &mut [u8], at: usize, by: &[u8]) {
    let room = (bytes.len() - at).min(by.len());
    bytes[at..at + room].copy_from_slice(&by[..room]);
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Flip(at, bit) => bytes[at.index(length)] ^= 1 << bit,
        Damage::Overwrite(at, by) => overwrite(bytes, at.index(length), by),
        Damage::Number(at, number, true) => overwrite(bytes, at.index(length), format!(" {number} ").as_bytes()),
        // Sizes and addresses lie at multiples of 4 or 8 from the start of their structures.
        Damage::Number(at, number, false) => overwrite(bytes, at.index(length) & !3, &number.to_le_bytes()),
        Damage::Splice(from, to, count) => {
            let from = from.index(length);
            let piece = bytes[from..length.min(from + *count as usize)].to_vec();
            let to = to.index(length);
            bytes.splice(to..to, piece);
        }
        Damage::Truncate(at) => bytes.truncate(at.index(length)),
    }
}

/// What reading may ask for at once: 24 bytes for each value of at least 2 bytes, or a dataset at the largest accepted
/// compression. The constant is the HDF5 crate's: it reserves 72 bytes for each of the at most 65535 entries that a
/// structure of the file declares in 16 bits.
fn allowed(length: usize) -> usize {
    64 * length + 72 * 65535
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_read_or_refused(file in 0..FILES.len(), damages in vec(damage(), 1..5)) {
        let mut bytes = FILES[file].to_vec();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        LARGEST.set(0);
        let answer = read_bytes("damaged", &bytes);
        let largest = LARGEST.get();
        prop_assert!(largest <= allowed(bytes.len()), "asked for {} bytes of memory", largest);
        match answer {
            Err(error) => prop_assert!(!error.to_string().contains("panicked"), "{}", error),
            // What can be read makes a problem or is refused, with no more memory than its blocks need.
            Ok(stored) => {
                LARGEST.set(0);
                let _ = to_contact_problem(&stored);
                let largest = LARGEST.get();
                prop_assert!(largest <= allowed(bytes.len()), "asked for {} bytes of memory", largest);
            }
        }
    }
}
