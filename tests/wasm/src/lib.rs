//! Exports of [`work`] for JavaScript. An error is NaN.

mod work;

/// See [`work::tip_height`].
#[unsafe(no_mangle)]
pub extern "C" fn tip_height() -> f64 {
    work::tip_height().unwrap_or(f64::NAN)
}

/// See [`work::colliding_pairs`].
#[unsafe(no_mangle)]
pub extern "C" fn colliding_pairs(shoulder: f64) -> f64 {
    work::colliding_pairs(shoulder).map_or(f64::NAN, |n| n as f64)
}

/// See [`work::waypoints`].
#[unsafe(no_mangle)]
pub extern "C" fn waypoints() -> f64 {
    work::waypoints().map_or(f64::NAN, |n| n as f64)
}

/// See [`work::path_length`].
#[unsafe(no_mangle)]
pub extern "C" fn path_length() -> f64 {
    work::path_length().unwrap_or(f64::NAN)
}

/// See [`work::refused_files`].
#[unsafe(no_mangle)]
pub extern "C" fn refused_files() -> f64 {
    work::refused_files() as f64
}

/// See [`work::many`].
#[unsafe(no_mangle)]
pub extern "C" fn many() -> f64 {
    work::many().unwrap_or(f64::NAN)
}
