//! Trees described by the references.

use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::sim::{Integrator, IntegratorState, KinematicTree, Method, Steps};
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, Rotation, Vector};
use nalgebra::{Matrix3, Translation3};
use serde_json::Value;

use crate::common::numbers::{index, list, numbers, word};

/// Robot of a `spec` of the references: lists with an entry per link.
pub(crate) fn robot(spec: &Value) -> Robot {
    let mut robot = RobotBuilder::new("spec");
    for (i, kind) in list(&spec["joint_types"]).iter().enumerate() {
        let (kind, axis) = word(kind).split_at(word(kind).len() - 1);
        let axis = match axis {
            "X" => Vector::x(),
            "Y" => Vector::y(),
            _ => Vector::z(),
        };
        let motion = match kind {
            "Revolute" => LinkMotion::Revolute(axis),
            kind => {
                assert_eq!(kind, "Prismatic");
                LinkMotion::Prismatic(axis)
            }
        };
        let parent = spec["parents"][i].as_i64().expect("a parent");
        let parent = (parent >= 0).then(|| LinkId::new(index(&spec["parents"][i])));
        let mut link = LinkSpec::new(format!("link{i}"), parent, motion);
        let rotation = matrix(&spec["joint_rotations"][i]);
        link.placement = Pose::from_parts(
            Translation3::from(vector(&spec["joint_offsets"][i])),
            Rotation::from_matrix_unchecked(rotation),
        );
        link.inertia = Inertia {
            mass: numbers(&spec["masses"])[i],
            com: Point::from(vector(&spec["coms"][i])),
            moment: matrix(&spec["inertia_com"][i]),
        };
        robot.add_link(link);
    }
    robot.build().expect("a tree")
}

/// Tree of a `spec`, with its base and gravity.
pub(crate) fn tree(spec: &Value) -> KinematicTree {
    let base = Pose::from_parts(
        Translation3::from(vector(&spec["base_offset"])),
        Rotation::from_matrix_unchecked(matrix(&spec["base_rotation"])),
    );
    let mut tree = KinematicTree::new(robot(spec)).with_base(base);
    tree.forces.gravity = vector(&spec["gravity"]);
    tree
}

/// Run from `q`, `v` at time 0: positions and velocities at its end.
pub(crate) fn run(
    tree: &mut KinematicTree,
    [q, v]: [&[f64]; 2],
    end: f64,
    method: Method,
    steps: Steps,
) -> [Vec<f64>; 2] {
    let mut ode_state = tree.initial_state(0.0, q, v).expect("an initial state");
    let mut integrator = Integrator::new(method, steps).expect("a method");
    integrator
        .run(tree, &mut ode_state, end, &mut ())
        .expect("a run");
    config_and_velocity(tree, &ode_state)
}

/// Positions and velocities of a state.
pub(crate) fn config_and_velocity(
    tree: &KinematicTree,
    ode_state: &IntegratorState,
) -> [Vec<f64>; 2] {
    [tree.config(&ode_state.y), tree.velocity(&ode_state.y)]
}

/// Vector of three numbers.
pub(crate) fn vector(value: &Value) -> Vector {
    Vector::from_column_slice(&numbers(value))
}

/// Matrix of rows of three numbers.
fn matrix(value: &Value) -> Matrix3<f64> {
    let rows: Vec<f64> = list(value).iter().flat_map(numbers).collect();
    Matrix3::from_row_slice(&rows)
}
