//! The library in a WebAssembly module, without files, threads, clock or environment.

#[path = "../wasm/src/work.rs"]
mod work;

/// The answers of the module: tip height, colliding pairs at 0 and at 1 rad, waypoints and length of a plan, refused files, sum
/// of many tips.
pub(crate) fn answers() -> kinworld::Result<[f64; 7]> {
    Ok([
        work::tip_height()?,
        work::colliding_pairs(0.0)? as f64,
        work::colliding_pairs(1.0)? as f64,
        work::waypoints()? as f64,
        work::path_length()?,
        work::refused_files() as f64,
        work::many()?,
    ])
}

#[test]
fn the_work_of_the_module_is_right_on_this_machine() {
    let [height, at_0, at_1, waypoints, length, refused, many] = answers().unwrap();
    assert!((height - 1.0).abs() < 1e-12, "{height}");
    assert_eq!([at_0, at_1, refused].map(|n| n as usize), [1, 0, 2]);
    assert!(waypoints >= 3.0, "{waypoints}");
    // the straight line from -1 to 1 rad hits the post
    assert!(length > 2.0 && length < 10.0, "{length}");
    let tip = |k: i32| {
        let (a, b) = (2e-3 * f64::from(k), 2e-3 * f64::from(k) + 1e-3);
        a.sin() + (a + b).sin()
    };
    let expected: f64 = (0..1000).map(tip).sum();
    assert!((many - expected).abs() < 1e-9, "{many} {expected}");
}
