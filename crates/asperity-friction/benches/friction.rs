//! Nanoseconds of every set and every law: `cargo bench -p asperity-friction`. A round is 1024 calls.

mod workload;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn friction(c: &mut Criterion) {
    for mut operation in workload::operations() {
        let mut group = c.benchmark_group(operation.group);
        group.throughput(Throughput::Elements(workload::CALLS as u64));
        group.bench_function(&operation.name, |b| b.iter(|| (operation.run)()));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(600));
    targets = friction
}
criterion_main!(benches);
