//! Tables with joints about any axis, the links of rows, and tables of robots that were not built from one.

use kinworld::robot::dh::{self, DhParent, DhRow, DhTable, General, Modified, Standard};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{Pose, Robot, RobotBuilder, State, Vector};
use proptest::prelude::*;

use super::{is_invalid, is_length, pose_error};
use crate::common::files::data;
use random_robots::{any_pose, any_vector, cases};

fn any_general() -> impl Strategy<Value = General> {
    let axis = any_vector(1.0).prop_filter("a direction", |v| v.norm() > 1e-2);
    (any_pose(), axis, any_pose()).prop_map(|(before, axis, after)| General {
        before,
        axis,
        after,
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn general_rows_give_the_same_robot_as_links_of_their_own(
        rows in prop::collection::vec((any_general(), any::<bool>()), 1..6),
        q in prop::collection::vec(-3.0..3.0, 6),
        base in any_pose(),
        tool in any_pose(),
    ) {
        let table_rows: Vec<DhRow> = rows.iter().enumerate().map(|(i, (general, prismatic))| {
            let name = format!("link{i}");
            let row = if *prismatic { DhRow::prismatic(name, *general) } else { DhRow::revolute(name, *general) };
            row.with_parent(if i == 3 { DhParent::Row(0) } else { DhParent::Previous })
        }).collect();
        let q = &q[..rows.len()];
        let table = DhTable::new("general", table_rows).with_base(base).with_tool(tool);
        let robot = table.build().unwrap();
        let mut state = State::new(&robot);
        state.set_config(&robot, q).unwrap();

        // by hand, with the exponential of each axis
        let mut links: Vec<Pose> = Vec::new();
        for (i, (general, prismatic)) in rows.iter().enumerate() {
            let parent = match i {
                0 => base,
                3 => links[0],
                _ => links[i - 1],
            };
            let axis = general.axis.normalize();
            let moved = if *prismatic {
                Pose::from_parts((axis * q[i]).into(), nalgebra::Rotation3::identity())
            } else {
                Pose::rotation(axis * q[i])
            };
            let joint = parent * general.before * moved;
            links.push(joint * general.after);
            let ids = table.row_links(i).unwrap();
            prop_assert_eq!(robot.link(ids.link).name(), format!("link{i}"));
            prop_assert_eq!(robot.link(ids.joint).name(), format!("link{i}_joint"));
            prop_assert!(pose_error(&state.pose(&robot, ids.joint), &joint) < 1e-12);
            prop_assert!(pose_error(&state.pose(&robot, ids.link), &links[i]) < 1e-12);
            prop_assert!(pose_error(&table.joint_frames(q).unwrap()[i], &joint) < 1e-12);
            prop_assert!(pose_error(&table.link_frames(q).unwrap()[i], &links[i]) < 1e-12);
        }
        prop_assert!(table.row_links(rows.len()).is_none());
        let tool_link = table.tool_link().unwrap();
        prop_assert_eq!(robot.link(tool_link).name(), "tool");
        prop_assert!(pose_error(&state.pose(&robot, tool_link), &(links[rows.len() - 1] * tool)) < 1e-12);
    }

    #[test]
    fn both_conventions_are_general_rows(
        p in prop::array::uniform4(-2.0..2.0),
        q in -3.0..3.0,
        prismatic in any::<bool>(),
    ) {
        let standard = Standard { theta: p[0], d: p[1], a: p[2], alpha: p[3] };
        let modified = Modified { alpha: p[0], d: p[1], theta: p[2], r: p[3] };
        let (before, after) = modified.transforms();
        let pairs: [(DhRow, General); 2] = [
            (DhRow::revolute("a", standard), General { after: standard.transform(), ..General::default() }),
            (DhRow::revolute("a", modified), General { before, after, ..General::default() }),
        ];
        for (mut row, general) in pairs {
            row.prismatic = prismatic;
            let mut twin = DhRow::revolute("a", general);
            twin.prismatic = prismatic;
            let frames = |row| DhTable::new("one", vec![row]).link_frames(&[q]).unwrap()[0];
            prop_assert!(pose_error(&frames(row), &frames(twin)) < 1e-14);
        }
    }
}

#[test]
fn rows_without_an_axis_are_refused_by_name() {
    let axis = General {
        axis: Vector::zeros(),
        ..General::default()
    };
    let table = DhTable::new(
        "bad",
        vec![
            DhRow::revolute("ok", Standard::default()),
            DhRow::revolute("elbow", axis),
        ],
    );
    let problem = table.build().unwrap_err().to_string();
    assert_eq!(
        problem,
        "row 1 (`elbow`): axis of a joint: (0, 0, 0) is not a direction"
    );
    assert!(is_invalid(&table.link_frames(&[0.0, 0.0])));
    let before = Pose::translation(f64::NAN, 0.0, 0.0);
    let nan = General {
        before,
        ..General::default()
    };
    assert!(is_invalid(
        &DhTable::new("bad", vec![DhRow::revolute("a", nan)]).build()
    ));
}

#[test]
fn a_table_of_any_robot_has_its_frames() {
    // an arm with a finger beside the chain to its tip, so that rows and degrees of freedom differ
    let mut builder = RobotBuilder::new("gripper");
    let base = builder.add_link(LinkSpec::new(
        "base",
        None,
        LinkMotion::Prismatic(Vector::x()),
    ));
    builder.add_link(LinkSpec::new(
        "finger",
        Some(base),
        LinkMotion::Prismatic(Vector::y()),
    ));
    let mut arm = LinkSpec::new("arm", Some(base), LinkMotion::Revolute(Vector::y()));
    arm.placement = Pose::translation(0.1, 0.2, 0.3);
    let arm = builder.add_link(arm);
    let mut tip = LinkSpec::new("tip", Some(arm), LinkMotion::Fixed);
    tip.placement = Pose::translation(0.5, 0.0, 0.0);
    let tip = builder.add_link(tip);
    let puma = Robot::load(data("robots/puma560.urdf")).unwrap().value;
    let hand = puma.link_id("link6").unwrap();
    let robots = [
        (builder.build().unwrap(), tip, vec![0, 2]),
        (puma, hand, vec![0, 1, 2, 3, 4, 5]),
    ];
    for (robot, end, expected) in robots {
        let dofs = dh::row_dofs(&robot, end).unwrap();
        assert_eq!(
            dofs.iter().map(|dof| dof.index()).collect::<Vec<_>>(),
            expected
        );
        let q: Vec<f64> = (0..robot.n_dofs()).map(|i| 0.3 * i as f64 - 0.4).collect();
        let mut state = State::new(&robot);
        state.set_config(&robot, &q).unwrap();
        let values = dh::row_values(&robot, end, &q).unwrap();
        for table in [dh::standard(&robot, end), dh::modified(&robot, end)] {
            let table = table.unwrap();
            let last = *table.link_frames(&values).unwrap().last().unwrap();
            let off = pose_error(&(last * table.tool.unwrap()), &state.pose(&robot, end));
            assert!(off < 1e-12, "{off}");
        }
        assert!(is_length(&dh::row_values(&robot, end, &q[1..])));
    }
}
