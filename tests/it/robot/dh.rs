//! Robots from Denavit-Hartenberg tables, and back.

use kinworld::kinematics::RowOrder;
use kinworld::math::Inertia;
use kinworld::robot::dh::{self, DhParent, DhRow, DhTable, Modified, Standard};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{LinkId, Point, Pose, Robot, Rotation, State, Vector, dynamics, kinematics};
use nalgebra::{DVector, Matrix3, Matrix4};
use proptest::prelude::*;
use serde_json::Value;

use crate::common::files::{data, exudyn_refs};
use crate::common::numbers::{assert_close, index, list, number, numbers, rows};
use random_robots::{any_pose, cases};

/// The four parameters of a row, in the order of the references.
fn four(row: &Value) -> [f64; 4] {
    numbers(row).try_into().expect("four numbers")
}

fn standard(row: &Value) -> Standard {
    let [theta, d, a, alpha] = four(row);
    Standard { theta, d, a, alpha }
}

fn khalil(row: &Value) -> Modified {
    let [alpha, d, theta, r] = four(row);
    Modified { alpha, d, theta, r }
}

/// A robot of the references by its standard table.
fn table(model: &Value) -> DhTable {
    let rows = list(&model["std_dh"]).iter().enumerate().map(|(i, row)| {
        let com = numbers(&model["coms"][i]);
        let moment: Vec<f64> = list(&model["inertias"][i])
            .iter()
            .flat_map(numbers)
            .collect();
        DhRow::revolute(format!("link{i}"), standard(row)).with_inertia(Inertia {
            mass: number(&model["masses"][i]),
            com: Point::new(com[0], com[1], com[2]),
            moment: Matrix3::from_row_slice(&moment),
        })
    });
    DhTable::new("reference", rows.collect())
        .with_base(pose(&model["base_ht"]))
        .with_tool(pose(&model["tool_ht"]))
}

fn pose(rows: &Value) -> Pose {
    let m = Matrix4::from_row_slice(&flat(rows));
    let rotation = Rotation::from_matrix_unchecked(m.fixed_view::<3, 3>(0, 0).into_owned());
    Pose::from_parts(Vector::new(m.m14, m.m24, m.m34).into(), rotation)
}

fn four_by_four(pose: &Pose) -> Vec<f64> {
    rows(&pose.to_homogeneous())
}

fn flat(matrix: &Value) -> Vec<f64> {
    list(matrix).iter().flat_map(numbers).collect()
}

#[test]
fn rows_are_the_transforms_of_the_document() {
    let refs = exudyn_refs();
    let dh = &refs["robots"]["dh"];
    for case in list(&dh["std"]) {
        let ours = standard(&case["p"]).transform();
        assert_close("standard", &four_by_four(&ours), &flat(&case["ht"]), 1e-15);
    }
    for case in list(&dh["mod_kk"]) {
        let (before, after) = khalil(&case["p"]).transforms();
        assert_close("before", &four_by_four(&before), &flat(&case["pre"]), 1e-15);
        assert_close("after", &four_by_four(&after), &flat(&case["post"]), 1e-15);
    }
}

#[test]
fn reference_robots_have_the_expected_poses_and_masses() {
    let refs = exudyn_refs();
    for name in ["puma560", "r3"] {
        let model = &refs["robots"][name];
        let table = table(model);
        let robot = table.build().unwrap();
        let gravity = numbers(&model["gravity"]);
        let gravity = Vector::new(gravity[0], gravity[1], gravity[2]);
        for case in list(&model["states"]) {
            let mut state = State::new(&robot);
            state.set_config(&robot, &numbers(&case["q"])).unwrap();
            state.set_velocity(&robot, &numbers(&case["v"])).unwrap();
            let q = numbers(&case["q"]);
            let of_the_table = [
                ("joint_ht", table.joint_frames(&q).unwrap()),
                ("link_ht", table.link_frames(&q).unwrap()),
                ("com_ht", table.com_frames(&q).unwrap()),
            ];
            for (key, frames) in of_the_table {
                let ours: Vec<f64> = frames.iter().flat_map(four_by_four).collect();
                let theirs: Vec<f64> = list(&case[key]).iter().flat_map(flat).collect();
                assert_close(
                    format!("{key} of {name}, by the table"),
                    &ours,
                    &theirs,
                    1e-14,
                );
            }
            for i in 0..robot.n_dofs() {
                let joint = state.pose(&robot, LinkId::new(2 * i));
                let link = state.pose(&robot, LinkId::new(2 * i + 1));
                let com = robot.link(LinkId::new(2 * i + 1)).inertia().com;
                let com = link * Pose::translation(com.x, com.y, com.z);
                for (key, ours) in [("joint_ht", joint), ("link_ht", link), ("com_ht", com)] {
                    let what = format!("{key} {i} of {name}");
                    assert_close(what, &four_by_four(&ours), &flat(&case[key][i]), 1e-14);
                }
            }
            let tool = state.pose(&robot, robot.link_id("tool").unwrap());
            assert_close(
                "tool",
                &four_by_four(&tool),
                &flat(&case["tool_pose"]),
                1e-14,
            );
            let jacobian = |row: usize, order| {
                let link = LinkId::new(2 * row + 1);
                rows(&kinematics::jacobian_in_order(
                    &robot,
                    &state,
                    link,
                    &Point::origin(),
                    order,
                ))
            };
            let last = robot.n_dofs() - 1;
            let linear_first = jacobian(last, RowOrder::LinearFirst);
            assert_close(
                "jacobian",
                &linear_first,
                &flat(&case["jacobian_all"]),
                1e-14,
            );
            let angular_first = jacobian(last, RowOrder::AngularFirst);
            let halves = [&case["jacobian_rot"], &case["jacobian_trans"]];
            let theirs: Vec<f64> = halves.into_iter().flat_map(flat).collect();
            assert_close("jacobian, angular first", &angular_first, &theirs, 1e-14);
            let middle = &case["jacobian_link_mid"];
            let ours = jacobian(index(&middle["link"]), RowOrder::LinearFirst);
            assert_close(
                "jacobian of a middle link",
                &ours,
                &flat(&middle["J"]),
                1e-14,
            );

            let tau = dynamics::static_torques(&robot, &state, &gravity);
            assert_close(
                "static torques",
                &tau,
                &numbers(&case["static_torques"]),
                1e-12,
            );
            let tau = dynamics::holding_torque(&robot, &state, &gravity);
            assert_close(
                "holding torque",
                &tau,
                &numbers(&case["gravity_torque"]),
                1e-12,
            );
            let pull = |link| gravity_on(&robot, &state, &gravity, link);
            let ours = (0..robot.links().len())
                .map(LinkId::new)
                .map(pull)
                .sum::<DVector<f64>>();
            assert_close(
                "sum",
                ours.as_slice(),
                &numbers(&case["static_torques"]),
                1e-12,
            );

            let mass = rows(&dynamics::mass_matrix(&robot, &state));
            assert_close("mass matrix", &mass, &flat(&case["mass_matrix"]), 1e-12);
            let acceleration = numbers(&case["a"]);
            let tau = dynamics::inverse_dynamics(&robot, &state, &gravity, &acceleration);
            assert_close(
                "tau",
                &tau.unwrap(),
                &numbers(&case["inverse_dynamics"]),
                1e-11,
            );
        }
    }
}

#[test]
fn both_tables_of_the_puma_are_the_same_arm() {
    let refs = exudyn_refs();
    let table = list(&refs["robots"]["puma560"]["mod_dh_kk"]);
    let rows = table.iter().map(|row| DhRow::revolute("link", khalil(row)));
    let puma = DhTable::new("puma", rows.collect()).build().unwrap();
    let case = &refs["robots"]["puma_mod_dh_fk"];
    let mut state = State::new(&puma);
    state.set_config(&puma, &numbers(&case["q"])).unwrap();
    let end = state.pose(&puma, LinkId::new(puma.links().len() - 1));
    assert_close("last link", &four_by_four(&end), &flat(&case["ht"]), 1e-14);
}

/// `Jᵀ m g` of one link, J to its centre of mass.
fn gravity_on(robot: &Robot, state: &State, gravity: &Vector, link: LinkId) -> DVector<f64> {
    let inertia = robot.link(link).inertia();
    let jacobian = kinematics::position_jacobian(robot, state, link, &inertia.com);
    jacobian.transpose() * gravity * inertia.mass
}

#[test]
fn the_table_of_a_loaded_arm_is_the_same_arm() {
    for file in ["robots/arm6.rob", "robots/planar3R.rob"] {
        let arm = Robot::load(data(file)).unwrap().value;
        let modified = dh::modified(&arm, end(&arm)).unwrap();
        same_arm(&arm, &modified.build().unwrap()).unwrap();
        let standard = dh::standard(&arm, end(&arm)).unwrap();
        same_arm(&arm, &standard.build().unwrap()).unwrap();
    }
}

#[test]
fn the_branch_to_a_finger_has_a_table_of_its_own() {
    let gripper = Robot::load(data("robots/gripper.urdf")).unwrap().value;
    let moved = |&link: &LinkId| gripper.link(link).dof().is_some();
    for end in (0..gripper.links().len()).map(LinkId::new) {
        let chain = std::iter::once(end).chain(gripper.ancestors(end));
        let joints = chain.filter(moved).count();
        match dh::modified(&gripper, end) {
            Ok(table) => assert_eq!(table.rows.len(), joints),
            Err(error) => {
                assert_eq!(joints, 0);
                assert!(error.to_string().contains("no joint moves it"), "{error}");
            }
        }
    }
}

#[test]
fn an_axis_that_is_not_of_length_one_has_no_table() {
    let mut builder = kinworld::RobotBuilder::new("geared");
    let motion = LinkMotion::Revolute(Vector::z() * 2.0);
    let wheel = builder.add_link(LinkSpec::new("wheel", None, motion));
    let error = dh::modified(&builder.build().unwrap(), wheel).unwrap_err();
    assert!(error.to_string().contains("has length 2, not 1"), "{error}");
}

#[test]
fn parents_of_rows_are_earlier_rows() {
    let arm = |name: &str, parent| {
        let parameters = Standard {
            a: 1.0,
            ..Standard::default()
        };
        DhRow::revolute(name, parameters).with_parent(parent)
    };
    let late = DhTable::new("loop", vec![arm("late", DhParent::Row(0))]);
    let error = late.build().unwrap_err();
    assert!(error.to_string().contains("row 0 (`late`)"), "{error}");
    assert_eq!(late.joint_frames(&[0.0]).unwrap_err(), error);

    // a trunk with two arms, and a second robot beside it
    let rows = vec![
        arm("trunk", DhParent::Previous),
        arm("left", DhParent::Previous),
        arm("right", DhParent::Row(0)),
        arm("beside", DhParent::Base),
    ];
    let tree = DhTable::new("tree", rows);
    assert!(!tree.is_serial());
    let robot = tree.build().unwrap();
    let q = [0.1, 0.2, 0.3, 0.4];
    let mut state = State::new(&robot);
    state.set_config(&robot, &q).unwrap();
    for (row, frame) in tree.rows.iter().zip(tree.link_frames(&q).unwrap()) {
        let ours = state.pose(&robot, robot.link_id(&row.name).unwrap());
        assert_close(
            &row.name,
            &four_by_four(&ours),
            &four_by_four(&frame),
            1e-15,
        );
    }
    let elbow = state.pose(&robot, robot.link_id("right").unwrap());
    let x = 0.1_f64.cos() + 0.4_f64.cos();
    assert!((elbow.translation.x - x).abs() < 1e-15);
}

#[test]
fn prismatic_joints_move_along_the_axis_of_the_previous_link() {
    let right = std::f64::consts::FRAC_PI_2;
    let first = DhRow::revolute(
        "first",
        Standard {
            alpha: right,
            ..Standard::default()
        },
    );
    let second = DhRow::prismatic(
        "second",
        Standard {
            d: 0.5,
            ..Standard::default()
        },
    );
    let table = DhTable::new("polar", vec![first, second]);

    // the rotated z is −y of the base
    let end = table.link_frames(&[0.0, 0.25]).unwrap()[1]
        .translation
        .vector;
    assert!((end - Vector::new(0.0, -0.75, 0.0)).norm() < 1e-15, "{end}");
    let wrong = table.link_frames(&[0.0]).unwrap_err().to_string();
    assert_eq!(wrong, "configuration needs 2 values, got 1");
}

fn end(robot: &Robot) -> LinkId {
    LinkId::new(robot.links().len() - 1)
}

/// Checks that two arms have the same end pose at random configurations.
fn same_arm(a: &Robot, b: &Robot) -> Result<(), TestCaseError> {
    let n = a.n_dofs();
    prop_assert_eq!(n, b.n_dofs());
    for k in 0..8 {
        let q: Vec<_> = (0..n)
            .map(|i| ((7 * k + 3 * i + 1) as f64 * 0.83).sin() * 2.5)
            .collect();
        let end = |robot: &Robot| -> Matrix4<f64> {
            let mut state = State::new(robot);
            state.set_config(robot, &q).expect("a configuration");
            let end = LinkId::new(robot.links().len() - 1);
            state.pose(robot, end).to_homogeneous()
        };
        let (ours, theirs) = (end(b), end(a));
        let size = 1.0 + theirs.amax();
        prop_assert!(
            (ours - theirs).amax() <= 1e-11 * size,
            "{ours} is not {theirs}"
        );
    }
    Ok(())
}

/// Numbers of a row, right angles and zeros as often as others.
fn any_numbers() -> impl Strategy<Value = [f64; 4]> {
    let right = std::f64::consts::FRAC_PI_2;
    let angle = || prop_oneof![Just(0.0), Just(right), Just(-right), -3.0..3.0];
    let length = || prop_oneof![Just(0.0), -1.0..1.0];
    (angle(), length(), length(), angle()).prop_map(|(a, b, c, d)| [a, b, c, d])
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn tables_round_trip(
        table in prop::collection::vec((any_numbers(), any::<bool>()), 1..9),
        base in any_pose(),
        tool in any_pose(),
    ) {
        let rows = table.iter().enumerate().map(|(i, &([theta, d, a, alpha], prismatic))| {
            let mut row = DhRow::revolute(format!("link{i}"), Standard { theta, d, a, alpha });
            row.prismatic = prismatic;
            row
        });
        let rows: Vec<_> = rows.collect();
        let arm = DhTable::new("any", rows).with_base(base).with_tool(tool);
        let arm = arm.build().unwrap();
        let read = dh::modified(&arm, end(&arm)).unwrap().build().unwrap();
        same_arm(&arm, &read)?;
        let standard = dh::standard(&arm, end(&arm)).unwrap().build().unwrap();
        same_arm(&arm, &standard)?;

        // reading again changes nothing
        let again = dh::modified(&read, end(&read)).unwrap();
        same_arm(&arm, &again.build().unwrap())?;
    }
}
