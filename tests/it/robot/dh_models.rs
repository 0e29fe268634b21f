//! The arms of Exudyn's robotics module: as tables, as files, and compared with other sources.

use kinworld::math::Inertia;
use kinworld::robot::dh::{self, DhParameters, DhRow, DhTable, Modified, Standard};
use kinworld::robot::{Limits, Servo};
use kinworld::{LinkId, Point, Pose, Robot, Rotation, State, Vector, dynamics};
use nalgebra::{Matrix3, Matrix4};
use serde_json::Value;

use crate::common::files::{data, json};
use crate::common::numbers::{assert_close, list, number, numbers, word};

const MODELS: [&str; 5] = ["arm3r", "arm4r", "panda", "puma560", "ur5"];

fn golden() -> Value {
    json(&data("golden/dh/robots.json"))
}

fn matrix(rows: &Value) -> Matrix4<f64> {
    Matrix4::from_row_iterator(list(rows).iter().flat_map(numbers))
}

fn pose(rows: &Value) -> Pose {
    let m = matrix(rows);
    let rotation = m.fixed_view::<3, 3>(0, 0).into_owned();
    let rotation = Rotation::from_matrix_unchecked(rotation);
    Pose::from_parts(Vector::new(m.m14, m.m24, m.m34).into(), rotation)
}

fn table(name: &str, model: &Value) -> DhTable {
    let row = |(i, row): (usize, &Value)| {
        let [a, b, c, d] = numbers(&row["dh"]).try_into().expect("four numbers");
        let parameters: DhParameters = match word(&model["convention"]) {
            "standard" => Standard {
                theta: a,
                d: b,
                a: c,
                alpha: d,
            }
            .into(),
            _ => Modified {
                alpha: a,
                d: b,
                theta: c,
                r: d,
            }
            .into(),
        };
        let com = numbers(&row["com"]);
        let limits = numbers(&row["limits"]);
        let inertia = Inertia {
            mass: number(&row["mass"]),
            com: Point::new(com[0], com[1], com[2]),
            moment: Matrix3::from_row_iterator(list(&row["inertia"]).iter().flat_map(numbers)),
        };
        let limits = Limits::position(limits[0], limits[1]).with_torque(number(&row["torque"]));
        let servo = Servo::default().with_gains(number(&row["p"]), 0.0, number(&row["d"]));
        DhRow::revolute(format!("link{}", i + 1), parameters)
            .with_inertia(inertia)
            .with_limits(limits)
            .with_servo(servo)
    };
    let rows = list(&model["rows"]).iter().enumerate().map(row).collect();
    DhTable::new(name, rows)
        .with_base(pose(&model["base"]))
        .with_tool(pose(&model["tool"]))
}

fn models() -> Vec<(&'static str, DhTable)> {
    let golden = golden();
    let table = |name| (name, table(name, &golden["robots"][name]));
    MODELS.map(table).to_vec()
}

/// The files are written by [`Robot::save`], which cannot hold the gains; `KINWORLD_WRITE` writes them again.
#[test]
fn the_files_are_the_tables() {
    for (name, table) in models() {
        let of_table = table.build().unwrap();
        let path = data(&format!("robots/{name}.urdf"));
        if std::env::var_os("KINWORLD_WRITE").is_some() {
            let lost = of_table.save(&path).unwrap();
            let expected = |lost: &str| lost.contains("one root") || lost.contains("gains");
            assert!(
                lost.iter().all(|d| expected(&d.message)),
                "{name}: {lost:?}"
            );
        }
        let loaded = Robot::load(&path).unwrap();
        let of_file = loaded.value;
        assert_eq!(of_file.n_dofs(), table.rows.len(), "{name}");
        for (a, b) in of_file.limits().iter().zip(of_table.limits()) {
            assert_eq!(a, b, "{name}");
        }
        let q: Vec<f64> = (0..table.rows.len())
            .map(|i| (i as f64 * 1.3).sin())
            .collect();
        let frames = table.link_frames(&q).unwrap();
        let mut at_file = State::new(&of_file);
        at_file.set_config(&of_file, &q).unwrap();
        let mut at_table = State::new(&of_table);
        at_table.set_config(&of_table, &q).unwrap();
        for (row, frame) in table.rows.iter().zip(&frames) {
            for (robot, state) in [(&of_file, &at_file), (&of_table, &at_table)] {
                let ours = state.pose(robot, robot.link_id(&row.name).unwrap());
                let off = (ours.to_homogeneous() - frame.to_homogeneous()).amax();
                assert!(off < 1e-14, "{} of {name}: {off:e}", row.name);
            }
        }
        let tool = |robot: &Robot, state: &State| state.pose(robot, robot.link_id("tool").unwrap());
        let off =
            tool(&of_file, &at_file).to_homogeneous() - tool(&of_table, &at_table).to_homogeneous();
        assert!(off.amax() < 1e-14, "tool of {name}");

        let gravity = Vector::new(0.0, 0.0, -9.81);
        let ours = dynamics::gravity_forces(&of_file, &at_file, &gravity);
        let theirs = dynamics::gravity_forces(&of_table, &at_table, &gravity);
        assert_close(name, &ours, &theirs, 1e-12);
    }
}

#[test]
fn the_modified_table_of_the_panda_is_its_urdf() {
    let golden = golden();
    let panda = table("panda", &golden["robots"]["panda"]);
    for case in list(&golden["panda_urdf"]) {
        let q = numbers(&case["q"]);
        let links = panda.link_frames(&q).unwrap();
        let joints = panda.joint_frames(&q).unwrap();
        for i in 0..7 {
            // the URDF has the length of link 7 in link 8; r lies along the axis, so that joints agree
            let theirs = matrix(&case["links"][format!("panda_link{}", i + 1)]);
            let ours = if i == 6 { &joints[i] } else { &links[i] };
            let off = (ours.to_homogeneous() - theirs).amax();
            assert!(off < 1e-9, "link {}: {off:e}", i + 1);
        }
        let theirs = matrix(&case["links"]["panda_link8"]);
        let off = (links[6].to_homogeneous() - theirs).amax();
        assert!(off < 1e-9, "link 8: {off:e}");
    }
}

#[test]
fn tables_are_read_back_as_printed() {
    for (name, table) in models() {
        let robot = Robot::load(data(&format!("robots/{name}.urdf")))
            .unwrap()
            .value;
        let end = robot.link_id(&format!("link{}", table.rows.len())).unwrap();
        let is_modified = matches!(table.rows[0].parameters, DhParameters::Modified(_));
        let read = if is_modified {
            dh::modified(&robot, end)
        } else {
            dh::standard(&robot, end)
        };
        let read = read.unwrap();
        for (i, (ours, theirs)) in read.rows.iter().zip(&table.rows).enumerate() {
            let (ours, theirs) = (four(ours.parameters), four(theirs.parameters));
            assert_close(format!("row {i} of {name}"), &ours, &theirs, 1e-12);
        }
        let off = read.base.to_homogeneous() - table.base.to_homogeneous();
        assert!(off.amax() < 1e-12, "base of {name}: {}", read.base);
        let tool = read.tool.unwrap().to_homogeneous();
        assert!((tool - Matrix4::identity()).amax() < 1e-12, "end of {name}");
        assert_eq!(robot.link(LinkId::new(0)).parent(), None);
    }
}

fn four(parameters: DhParameters) -> [f64; 4] {
    match parameters {
        DhParameters::Standard(Standard { theta, d, a, alpha }) => [theta, d, a, alpha],
        DhParameters::Modified(Modified { alpha, d, theta, r }) => [alpha, d, theta, r],
        other => panic!("{other:?} is of no convention"),
    }
}
