//! Compiles the copies of the numerical kernels for AVX2 and AVX-512 without optimisation, too: their tests run where the
//! processor has these instructions.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_x86 = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|it| it == "x86_64");
    let is_interpreted = std::env::var_os("CARGO_CFG_MIRI").is_some();
    if is_x86 && !is_interpreted && std::env::var_os("CARGO_FEATURE_VECTORS").is_some() {
        println!("cargo::rustc-cfg=kinworld_vectors");
        println!("cargo::rustc-cfg=kinworld_avx512");
    }
}
