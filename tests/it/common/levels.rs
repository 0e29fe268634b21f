//! Levels of vector instructions.

/// The values of `KINWORLD_SIMD` that choose kernels which this build and this processor have, the best last.
pub(crate) fn simd_levels() -> Vec<&'static str> {
    let mut levels = vec!["baseline"];
    #[cfg(all(feature = "vectors", target_arch = "x86_64"))]
    {
        if std::arch::is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            levels.push("avx2");
        }
        if std::arch::is_x86_feature_detected!("avx512f") {
            levels.push("avx512");
        }
    }
    levels
}
