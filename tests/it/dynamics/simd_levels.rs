//! Answers are correct at every level of `KINWORLD_SIMD`.

use std::process::Command;

use crate::common::levels::simd_levels;

#[test]
fn every_simd_level_passes_these_tests() {
    let levels = simd_levels();
    // this process has the last of them, unless the environment says otherwise; one that the build lacks is ignored
    let others = match &levels[..levels.len() - 1] {
        [] => &["avx512"],
        others => others,
    };
    for simd in others {
        // the variable is read once per process, so each level needs its own
        let tests = std::env::current_exe().expect("the path of the test binary");
        let run = Command::new(tests)
            .args(["dynamics::", "--skip", "simd_levels"])
            .env("KINWORLD_SIMD", simd)
            .output()
            .expect("the tests can be started");
        let output = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success() && !output.contains(" 0 passed"),
            "{simd}: {output}"
        );
    }
}
