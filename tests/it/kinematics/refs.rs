//! Klampt's numbers for its example robots, which are built here from the numbers themselves.

use kinworld::kinematics;
use kinworld::math::Inertia;
use kinworld::robot::{DriverKind, JointKind, JointSpec, LinkSpec, Motion};
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, Rotation, State, Vector};
use nalgebra::{DMatrix, Matrix3};
use serde_json::Value;

use crate::common::files;
use crate::common::numbers::{assert_close, index, list, number, numbers, word};

#[test]
fn klampts_example_robots_move_as_in_klampt() {
    let Some(refs) = files::refs("robots.json") else {
        return;
    };
    let mut cases = 0;
    for entry in list(&refs["robots"]) {
        let robot = robot(entry);
        let mut previous: Option<Vec<f64>> = None;
        for case in list(&entry["cases"]) {
            compare(entry, case, &robot);
            let q = numbers(&case["q"]);
            if let (Some(before), Some(_)) = (&previous, case.get("vs_previous")) {
                compare_metric(
                    word(&entry["name"]),
                    &case["vs_previous"],
                    &robot,
                    before,
                    &q,
                );
            }
            previous = Some(q);
            cases += 1;
        }
    }
    files::report(&format!(
        "kinematics: {cases} configurations of Klampt's robots"
    ));
}

/// Poses, Jacobians, centre of mass, velocities and accelerations, drivers.
fn compare(entry: &Value, case: &Value, robot: &Robot) {
    let name = word(&entry["name"]);
    let mut state = State::new(robot);
    state.set_config(robot, &numbers(&case["q"])).unwrap();
    state.set_velocity(robot, &numbers(&case["dq"])).unwrap();
    let last = LinkId::new(robot.links().len() - 1);
    let mid = LinkId::new(index(&entry["mid_link"]));
    let p = point(&entry["plocal"]);

    for (i, theirs) in list(&case["T"]).iter().enumerate() {
        let ours = twelve(&state.pose(robot, LinkId::new(i)));
        assert_close(
            format!("{name}: pose {i}"),
            &ours,
            &numbers(theirs),
            TOLERANCE,
        );
    }
    let jacobian = kinematics::jacobian(robot, &state, last, &p);
    compare_sparse(name, jacobian.as_slice(), &case["J_last"]);
    let jacobian = kinematics::jacobian(robot, &state, mid, &p);
    compare_sparse(name, jacobian.as_slice(), &case["J_mid"]);

    assert_close(
        name,
        &[kinematics::total_mass(robot)],
        &[number(&case["total_mass"])],
        TOLERANCE,
    );
    let close = |what: &str, ours: &[f64]| {
        assert_close(
            format!("{name}: {what}"),
            ours,
            &numbers(&case[what]),
            TOLERANCE,
        );
    };
    close("com", kinematics::com(robot, &state).coords.as_slice());
    close(
        "com_velocity",
        kinematics::com_velocity(robot, &state).as_slice(),
    );
    let jacobian = kinematics::com_jacobian(robot, &state);
    compare_sparse(name, jacobian.as_slice(), &case["com_jacobian"]);
    let inertia = list(&case["total_inertia"]).iter().flat_map(numbers);
    let ours = kinematics::total_inertia(robot, &state);
    let scale = 1.0_f64.max(ours.amax());
    assert_close(
        name,
        ours.transpose().as_slice(),
        &inertia.collect::<Vec<_>>(),
        TOLERANCE * scale,
    );

    compare_motion(entry, case, robot, &state, last, &p);
    let (q, dq) = (state.config(), state.velocity());
    close(
        "driver_values",
        &kinematics::config_to_drivers(robot, q).unwrap(),
    );
    close(
        "driver_velocities",
        &kinematics::velocity_to_drivers(robot, dq).unwrap(),
    );
}

/// Velocities and accelerations of a point on the last link.
fn compare_motion(
    entry: &Value,
    case: &Value,
    robot: &Robot,
    state: &State,
    last: LinkId,
    p: &Point,
) {
    let ddq = numbers(&case["ddq"]);
    let close = |what: &str, ours: Vector| {
        let theirs = numbers(&case["last_link"][what]);
        let scale = theirs.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        assert_close(what, ours.as_slice(), &theirs, TOLERANCE * scale);
    };
    close(
        "point_velocity",
        kinematics::point_velocity(robot, state, last, p),
    );
    close(
        "angular_velocity",
        kinematics::angular_velocity(robot, state, last),
    );
    let linear = kinematics::point_acceleration(robot, state, last, p, &ddq).unwrap();
    close("point_acceleration", linear);

    // Klampt's own is wrong below some prismatic links, as the reference says
    let wrong = |quirk: &Value| word(quirk).starts_with("getAngularAcceleration wrong");
    if !list(&entry["quirks"]).iter().any(wrong) {
        let angular = kinematics::angular_acceleration(robot, state, last, &ddq).unwrap();
        close("angular_acceleration", angular);
    }
}

fn compare_metric(name: &str, theirs: &Value, robot: &Robot, a: &[f64], b: &[f64]) {
    // twelve digits of a configuration lose some in angles of many turns
    let tolerance = 10.0 * TOLERANCE;
    // Klampt aborts on planar bases, and then there is no number
    if let Some(distance) = theirs.get("distance") {
        let ours = kinematics::distance(robot, a, b).unwrap();
        assert_close(
            format!("{name}: distance"),
            &[ours],
            &[number(distance)],
            tolerance,
        );
    }
    for (u, theirs) in theirs["interpolate"].as_object().into_iter().flatten() {
        let ours = kinematics::interpolate(robot, a, b, u.parse().unwrap()).unwrap();
        assert_close(
            format!("{name}: interpolate {u}"),
            &ours,
            &numbers(theirs),
            tolerance,
        );
    }
    if let Some(theirs) = theirs.get("interpolateDeriv") {
        let (mut ours, mut theirs) = (
            kinematics::interpolate_deriv(robot, a, b).unwrap(),
            numbers(theirs),
        );

        // Klampt takes the rotation vector of a floating joint in the wrong axes: its answer is not the tangent of its
        // own interpolation; a property of ours is tested beside
        for joint in robot.joints() {
            if joint.kind == JointKind::Floating {
                for link in &joint.links[3..] {
                    let i = robot.link(*link).dof().unwrap().index();
                    (ours[i], theirs[i]) = (0.0, 0.0);
                }
            }
        }
        assert_close(
            format!("{name}: interpolateDeriv"),
            &ours,
            &theirs,
            tolerance,
        );
    }
}

/// Columns by index, the others zero; not every case has every matrix.
fn compare_sparse(name: &str, ours: &[f64], theirs: &Value) {
    if theirs.is_null() {
        return;
    }
    let (rows, n) = (index(&theirs["rows"]), index(&theirs["n"]));
    let mut dense = DMatrix::zeros(rows, n);
    for (column, values) in list(&theirs["cols"]).iter().zip(list(&theirs["vals"])) {
        dense
            .column_mut(index(column))
            .copy_from_slice(&numbers(values));
    }
    assert_close(
        format!("{name}: Jacobian"),
        ours,
        dense.as_slice(),
        TOLERANCE,
    );
}

fn robot(entry: &Value) -> Robot {
    let mut robot = RobotBuilder::new(word(&entry["name"]));
    let links = list(&entry["links"]);
    for link in links {
        let axis = Vector::from_vec(numbers(&link["axis"]));
        let motion = if link["prismatic"] == true {
            Motion::Prismatic(axis)
        } else {
            Motion::Revolute(axis)
        };
        let parent = link["parent"]
            .as_u64()
            .map(|i| LinkId::new(usize::try_from(i).unwrap()));
        let mut spec = LinkSpec::new(word(&link["name"]), parent, motion);
        spec.placement = pose(&link["T0"]);
        spec.inertia = Inertia {
            mass: number(&link["mass"]),
            com: point(&link["com"]),
            moment: Matrix3::from_vec(numbers(&link["inertia"])),
        };
        robot.add_link(spec);
    }
    robot.joints = Some(joints(links));
    for driver in list(&entry["drivers"]) {
        let links: Vec<LinkId> = list(&driver["links"])
            .iter()
            .map(|i| LinkId::new(index(i)))
            .collect();
        let kind = match word(&driver["type"]) {
            "normal" => DriverKind::Normal { link: links[0] },
            "affine" => DriverKind::Affine {
                links,
                scale: numbers(&driver["scale"]),
                offset: numbers(&driver["offset"]),
            },
            _ => DriverKind::Translation {
                link: links[0],
                base: None,
            },
        };
        robot.add_driver(word(&driver["name"]), kind, None);
    }
    robot.build().unwrap()
}

/// One joint per coordinate, or per run of coordinates that one joint owns.
fn joints(links: &[Value]) -> Vec<JointSpec> {
    let mut joints = Vec::new();
    let mut i = 0;
    while i < links.len() {
        let kind = match word(&links[i]["jointType"]) {
            "weld" => JointKind::Weld,
            "normal" => JointKind::Normal,
            "spin" => JointKind::Spin,
            "floating" => JointKind::Floating,
            "floatingplanar" => JointKind::FloatingPlanar,
            other => panic!("joint type {other}"),
        };
        let base = links[i]["parent"]
            .as_u64()
            .map(|i| LinkId::new(usize::try_from(i).unwrap()));
        i += kind.dofs().unwrap();
        joints.push(JointSpec {
            kind,
            link: LinkId::new(i - 1),
            base,
        });
    }
    joints
}

fn point(value: &Value) -> Point {
    Point::from(Vector::from_vec(numbers(value)))
}

/// A rotation column by column, then the translation.
fn pose(value: &Value) -> Pose {
    let numbers = numbers(value);
    let rotation = Rotation::from_matrix_unchecked(Matrix3::from_column_slice(&numbers[..9]));
    Pose::from_parts(Vector::from_column_slice(&numbers[9..]).into(), rotation)
}

fn twelve(pose: &Pose) -> Vec<f64> {
    let rotation = pose.rotation.matrix().iter();
    rotation
        .chain(pose.translation.vector.iter())
        .copied()
        .collect()
}

/// The references carry twelve digits.
const TOLERANCE: f64 = 1e-9;
