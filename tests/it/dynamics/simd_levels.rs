//! Answers are correct at every level of `KINWORLD_SIMD`.

use std::process::Command;

#[test]
fn every_simd_level_passes_these_tests() {
    // without the copies of kernels all levels are one
    let levels: &[&str] = match cfg!(feature = "vectors") {
        true => &["baseline", "avx2", "avx512"],
        false => &["avx512"],
    };
    for simd in levels {
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
