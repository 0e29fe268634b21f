//! `KINWORLD_SIMD` changes the time, not the answers.

use std::process::Command;

#[test]
fn every_set_of_instructions_gives_these_answers() {
    for simd in ["baseline", "avx2", "avx512"] {
        // the variable is read once in a process, so each takes one of its own
        let tests = std::env::current_exe().expect("the tests know where they are");
        let run = Command::new(tests)
            .args(["dynamics::", "--skip", "forced"])
            .env("KINWORLD_SIMD", simd)
            .output()
            .expect("the tests can be started");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success() && !said.contains(" 0 passed"),
            "{simd}: {said}"
        );
    }
}
