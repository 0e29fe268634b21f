//! Decides which copies of the numerical kernels are compiled.
//!
//! `kinworld_vectors` is set where AVX2 and AVX-512 copies pay: for x86-64, with optimisation, and the feature `vectors`. A
//! build without optimisation calls a function for each instruction, so that the copies would be no faster there and take a
//! third of its time.
//!
//! `kinworld_avx512` is set where the copies for AVX-512 are among them: in releases, which may run anywhere. Tests run where
//! they are built, and need no copies that this processor cannot run.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    let is_wanted = std::env::var_os("CARGO_FEATURE_VECTORS").is_some();
    if is_wanted && is("CARGO_CFG_TARGET_ARCH", "x86_64") && !is("OPT_LEVEL", "0") {
        println!("cargo::rustc-cfg=kinworld_vectors");
        if is("PROFILE", "release") || has_avx512() {
            println!("cargo::rustc-cfg=kinworld_avx512");
        }
    }
}

/// Whether the processor that builds has AVX-512.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
}

/// Whether the processor that builds has AVX-512.
#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}
