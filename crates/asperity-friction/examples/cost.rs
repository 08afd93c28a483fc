//! Runs one benchmarked operation, for counting instructions: `cost` lists them, `cost GROUP NAME ROUNDS` runs one.
//!
//! Instructions a call are the difference between two numbers of rounds; see `bench/friction` in the repository.

#[path = "../benches/workload/mod.rs"]
mod workload;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut operations = workload::operations();
    if arguments.is_empty() {
        operations.iter().for_each(|o| println!("{}\t{}", o.group, o.name));
        return;
    }
    let [group, name, rounds] = &arguments[..] else { panic!("usage: cost GROUP NAME ROUNDS") };
    let rounds: usize = rounds.parse().expect("a number of rounds");
    let operation = operations.iter_mut().find(|o| o.group == group && o.name == *name).expect("a listed operation");
    (0..rounds).for_each(|_| (operation.run)());
}
