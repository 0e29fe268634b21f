//! Answers are correct at every level of `KINWORLD_SIMD`.

use std::process::Command;

#[test]
fn every_simd_level_passes_these_tests() {
    // this process runs at one of them: the highest, unless the variable chooses. Without the copies of kernels all are one
    let levels: &[&str] = match cfg!(feature = "vectors") {
        true if std::env::var_os("KINWORLD_SIMD").is_none() => &["baseline", "avx2"],
        true => &["baseline", "avx2", "avx512"],
        false => &["avx512"],
    };
    // there one file tells whether the variable does harm
    let tests_of = match cfg!(feature = "vectors") {
        true => "dynamics::",
        false => "dynamics::identities::",
    };
    for simd in levels {
        // the variable is read once per process, so each level needs its own
        let tests = std::env::current_exe().expect("the path of the test binary");
        let run = Command::new(tests)
            .args([tests_of, "--skip", "simd_levels"])
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
