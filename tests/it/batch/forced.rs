//! `KINWORLD_SIMD` and the number of threads change the time, not the answers.

use std::process::Command;

#[test]
fn every_set_of_instructions_and_number_of_threads_gives_these_answers() {
    for simd in ["baseline", "avx2", "avx512", "no such set"] {
        for threads in ["1", "3"] {
            // the variable is read once in a process, so each takes one of its own
            let tests = std::env::current_exe().expect("the tests know where they are");
            let run = Command::new(tests)
                .args([
                    "batch::answers::",
                    "batch::motions::",
                    "batch::single_precision::",
                    "batch::slopes::",
                ])
                .env("KINWORLD_SIMD", simd)
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .expect("the tests can be started");
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(
                run.status.success() && said.contains("19 passed"),
                "{simd}, {threads} threads: {said}"
            );
        }
    }
}
