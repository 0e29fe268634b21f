//! Results do not depend on `KINWORLD_SIMD` beyond rounding, nor on the number of threads.

use std::process::Command;

#[test]
fn every_instruction_set_and_number_of_threads_passes_the_tests() {
    // each set and each number of threads once: threads share blocks, whatever computes them. Without the copies of kernels all
    // sets are one, and without the feature there is one thread
    let all: &[[&str; 2]] = match cfg!(feature = "vectors") {
        true => &[
            ["baseline", "3"],
            ["avx2", "3"],
            ["avx512", "3"],
            ["no such set", "1"],
        ],
        false => &[["avx512", "3"], ["avx512", "1"]],
    };
    let has_threads = cfg!(feature = "parallel");
    for [simd, threads] in all
        .iter()
        .filter(|[_, threads]| has_threads || *threads != "1")
    {
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
