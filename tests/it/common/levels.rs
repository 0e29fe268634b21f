//! Levels of vector instructions.

/// The values of `KINWORLD_SIMD` that choose kernels which this build and this processor have, the best last.
#[cfg(all(feature = "vectors", target_arch = "x86_64"))]
pub(crate) fn simd_levels() -> Vec<&'static str> {
    let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let has_avx512 = is_x86_feature_detected!("avx512f");
    let levels = [
        ("baseline", true),
        ("avx2", has_avx2),
        ("avx512", has_avx512),
    ];
    let levels = levels.into_iter().filter(|(_, is_there)| *is_there);
    levels.map(|(level, _)| level).collect()
}

/// The values of `KINWORLD_SIMD` that choose kernels which this build has.
#[cfg(not(all(feature = "vectors", target_arch = "x86_64")))]
pub(crate) fn simd_levels() -> Vec<&'static str> {
    vec!["baseline"]
}
