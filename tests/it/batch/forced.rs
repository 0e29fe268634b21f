//! Results do not depend on `KINWORLD_SIMD` beyond rounding, nor on the number of threads.

use std::process::Command;

#[test]
fn every_instruction_set_and_number_of_threads_passes_the_tests() {
    // without the copies of kernels all sets are one, and without the feature there is one thread
    let sets: &[&str] = match cfg!(feature = "vectors") {
        true => &["baseline", "avx2", "avx512", "no such set"],
        false => &["avx512"],
    };
    let numbers: &[&str] = match cfg!(feature = "parallel") {
        true => &["1", "3"],
        false => &["3"],
    };
    for simd in sets {
        for threads in numbers {
            // the variable is read once in a process, so each takes one of its own
            let tests = std::env::current_exe().expect("the path of the tests");
            let run = Command::new(tests)
                .args([
                    "batch::answers::",
                    "batch::motions::",
                    "batch::single_precision::",
                    "batch::derivatives::",
                ])
                .env("KINWORLD_SIMD", simd)
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .expect("the tests can be started");
            let stdout = String::from_utf8_lossy(&run.stdout);
            assert!(
                run.status.success() && stdout.contains("19 passed"),
                "{simd}, {threads} threads: {stdout}"
            );
        }
    }
}
