//! The tree of joints in a page gives the poses of the library.

use kinworld::robot::LinkMotion;
use kinworld::viewer::Page;
use kinworld::{Pose, Rotation, Vector, WorldModel};
use nalgebra::{Matrix3, Translation3};
use serde_json::Value;

use super::data_of;
use crate::common::files::{data, files_below};
use crate::common::random::Random;

#[test]
fn poses_of_the_tree_are_those_of_the_library() {
    let mut random = Random::new(5);
    let mut n = 0;
    for file in files_below(&data("robots")) {
        let Ok(loaded) = WorldModel::load(&file) else {
            continue;
        };
        let mut world = loaded.value;
        let id = world.robots().next().unwrap().id();
        let mut robot = world.robot_mut(id).unwrap();
        let q: Vec<f64> = robot
            .view()
            .config()
            .iter()
            .map(|_| 2.0 * random.unit())
            .collect();
        robot.set_config(&q).unwrap();
        let page = data_of(&Page::new(&world));
        let tree = &page["robots"][0];
        assert_eq!(numbers(&tree["q"]), q);
        let mut poses: Vec<Pose> = Vec::new();
        for (link, shown) in world
            .robot(id)
            .unwrap()
            .links()
            .zip(tree["links"].as_array().unwrap())
        {
            let mut pose = placement(&shown["placement"]);
            if let Some(parent) = shown["parent"].as_u64() {
                pose = poses[parent as usize] * pose;
            }
            if let Some(dof) = shown["dof"].as_u64() {
                let axis = Vector::from_iterator(numbers(&shown["axis"]));
                let motion = match shown["slides"].as_bool().unwrap() {
                    true => LinkMotion::Prismatic(axis),
                    false => LinkMotion::Revolute(axis),
                };
                pose *= motion.pose(q[dof as usize]);
            }
            let off = pose.to_homogeneous() - link.pose().to_homogeneous();
            assert!(off.amax() < 1e-6, "{} of {}", link.name(), file.display());
            poses.push(pose);
            n += 1;
        }
    }
    assert!(n > 100, "{n}");
}

fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap().iter();
    list.map(|x| x.as_f64().unwrap()).collect()
}

/// A pose from three rows of four numbers; the identity where there are none.
fn placement(rows: &Value) -> Pose {
    if rows.is_null() {
        return Pose::identity();
    }
    let m = numbers(rows);
    let r = Matrix3::new(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
    Pose::from_parts(
        Translation3::new(m[3], m[7], m[11]),
        Rotation::from_matrix_unchecked(r),
    )
}
