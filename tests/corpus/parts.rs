//! Convex parts of meshes of the corpus.

#[expect(unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/world/convex_parts.rs"]
mod convex_parts;
#[expect(dead_code, unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/geometry/parts.rs"]
mod meshes;

use kinworld::geometry::PartOptions;
use kinworld::{Geometry, WorldModel};

use crate::folders::corpus;

pub(crate) fn convex_parts_hold_their_meshes() {
    let corpus = corpus();
    for file in [
        "robots/tx90l/part5.off",
        "robots/human_hand/thumb_proximal.stl",
        "robots/athlete/hex.off",
    ] {
        let shape = Geometry::load(corpus.join(file)).unwrap().value;
        let (_, [inside, parts, hull]) = meshes::check(file, &shape, &PartOptions::default());
        assert!(
            0.0 < inside && parts <= hull,
            "{file}: {inside} {parts} {hull}"
        );
    }
}

pub(crate) fn convex_parts_leave_an_arm_more_space_than_hulls() {
    let corpus = corpus();
    let world = WorldModel::load(corpus.join("robots/ur5.rob"))
        .unwrap()
        .value;
    let [meshes, parts, hulls] = convex_parts::check(&world, 150);
    assert!(parts > hulls, "{meshes} {parts} {hulls}");
}
