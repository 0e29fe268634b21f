//! Building, editing and storing robots.

mod build;
mod dh;
mod dh_general;
mod dh_models;
mod edit;
mod loops;
mod names;
#[cfg(feature = "serde")]
mod serde;
mod virtual_chain;

use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{LinkId, Point, Pose, Robot, Vector};
use nalgebra::Matrix3;

/// A link of mass 1 whose frame is one metre along x from its parent's.
fn link(name: &str, parent: Option<usize>, motion: LinkMotion) -> LinkSpec {
    let mut link = LinkSpec::new(name, parent.map(LinkId::new), motion);
    link.placement = Pose::translation(1.0, 0.0, 0.0);
    link.inertia = Inertia {
        mass: 1.0,
        com: Point::new(0.5, 0.0, 0.0),
        moment: Matrix3::identity(),
    };
    link
}

/// A chain of links of one metre that rotate about y.
fn chain(names: &[&str]) -> RobotBuilder {
    let mut robot = RobotBuilder::new("chain");
    for (i, name) in names.iter().enumerate() {
        robot.add_link(link(
            name,
            i.checked_sub(1),
            LinkMotion::Revolute(Vector::y()),
        ));
    }
    robot
}

/// A cube of side 0.2 about the origin of its link.
fn cube() -> kinworld::robot::Element {
    let vertex = |i: u32| {
        let side = |bit: u32| if i >> bit & 1 == 1 { 0.1 } else { -0.1 };
        Point::new(side(0), side(1), side(2))
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    let mesh = kinworld::geometry::Mesh::new((0..8).map(vertex).collect(), triangles)
        .expect("a cube is a mesh");
    kinworld::robot::Element::new(mesh.into())
}

/// The pose of every link by the product of its ancestors' transforms, without the compiled tree.
fn poses(robot: &Robot, q: &[f64]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::new();
    for link in robot.links() {
        let parent = link
            .parent()
            .map_or(Pose::identity(), |parent| poses[parent.index()]);
        let q = link.dof().map_or(0.0, |dof| q[dof.index()]);
        poses.push(parent * link.placement() * link.motion().pose(q));
    }
    poses
}

/// The largest difference between two poses, entry by entry.
fn pose_error(a: &Pose, b: &Pose) -> f64 {
    (a.to_homogeneous() - b.to_homogeneous()).amax()
}

/// Returns whether a call failed because of a wrong length.
fn is_length<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Length { .. }))
}

/// Returns whether a call failed because of an invalid value.
fn is_invalid<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Invalid { .. }))
}
