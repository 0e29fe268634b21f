//! Pictures that `render` writes.

use crate::common::{folder, run};

const ARM: &str = "data/robots/arm6.urdf";

#[test]
fn a_world_is_drawn_with_depths_and_elements() {
    let folder = folder("render");
    let path = |name: &str| folder.join(name).display().to_string();
    let [colors, depth, ids] = ["a.png", "depth.png", "ids.png"].map(path);
    let told = run(&[
        "render",
        "data/worlds/cell.xml",
        &colors,
        "--size",
        "60x40",
        "--depth",
        &depth,
        "--segmentation",
        &ids,
        "--collisions",
    ]);
    assert_eq!(
        (told.code, told.stdout.as_str()),
        (0, ""),
        "{}",
        told.stderr
    );
    for (file, bits, color) in [(&colors, 8, 2), (&depth, 16, 0), (&ids, 16, 0)] {
        let bytes = std::fs::read(file).expect("it is written");
        assert!(bytes.starts_with(b"\x89PNG"));
        assert_eq!(bytes[16..26], [0, 0, 0, 60, 0, 0, 0, 40, bits, color]);
    }
    // another camera, another picture
    let before = std::fs::read(&colors).expect("it is written");
    let args = [
        "render",
        "data/worlds/cell.xml",
        &colors,
        "--size",
        "60x40",
        "--camera",
        "3,-1,2,0,0,0.3",
        "--fov",
        "60",
    ];
    assert_eq!(run(&args).code, 0);
    assert_ne!(std::fs::read(&colors).expect("it is written"), before);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let out = folder("render_refused").join("a.png").display().to_string();
    for (args, code, problem) in [
        (&["render", ARM, "a.jpg"][..], 1, "ends with .png"),
        (&["render", &out], 1, "name the files first"),
        (&["render", ARM, &out, "--size", "60"], 2, "is not a size"),
        (
            &["render", ARM, &out, "--size", "0x9"],
            1,
            "a side has 1 to",
        ),
        (
            &["render", ARM, &out, "--camera", "1,2,3"],
            2,
            "expected 6 values",
        ),
        (
            &["render", ARM, &out, "--depth", &out],
            1,
            "cannot hold two pictures",
        ),
        (&["render", "none.urdf", &out], 1, "none.urdf"),
    ] {
        let told = run(args);
        assert_eq!(told.code, code, "{args:?}: {}", told.stderr);
        assert!(told.stderr.contains(problem), "{args:?}: {}", told.stderr);
        assert!(!std::path::Path::new(&out).exists());
    }
}

#[test]
fn a_motion_is_an_animated_png() {
    let out = folder("render_motion").join("a.png").display().to_string();
    let robot = "data/robots/planar3R.rob";
    let motion = [
        "--motion",
        "data/motions/swing.csv",
        "--fps",
        "5",
        "--size",
        "40x30",
    ];
    let told = run(&[&["render", robot, &out], &motion[..]].concat());
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    let bytes = std::fs::read(&out).expect("it is written");
    let at = |name: &[u8]| bytes.windows(4).position(|word| word == name);
    let control = at(b"acTL").expect("it is animated") + 4;
    // two seconds, the start and the end included
    assert_eq!(bytes[control..control + 4], [0, 0, 0, 11]);
    assert_eq!(bytes.windows(4).filter(|word| word == b"fcTL").count(), 11);
    let many = run(&[
        "render",
        robot,
        &out,
        "--motion",
        "data/motions/swing.csv",
        "--fps",
        "1e5",
    ]);
    assert_eq!(many.code, 1);
    assert!(many.stderr.contains("there can be 3000"), "{}", many.stderr);
}
