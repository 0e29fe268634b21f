//! What looks wrong with a world: one remark each, and none about what is right.

use kinworld::geometry::{Geometry, Mesh, Primitive};
use kinworld::math::{Inertia, Point, Vector};
use kinworld::robot::{Element, JointKind, Limits, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{RigidObject, Terrain};
use kinworld::{LinkId, WorldModel};
use nalgebra::Matrix3;

use crate::common::files::data;

fn ball(radius: f64) -> Geometry {
    Primitive::sphere(Point::origin(), radius).unwrap().into()
}

/// What is said of a robot.
#[track_caller]
fn said(builder: RobotBuilder) -> Vec<String> {
    let mut world = WorldModel::new();
    world.add_robot(builder.build().unwrap());
    messages(&world)
}

fn messages(world: &WorldModel) -> Vec<String> {
    world.lint().into_iter().map(|lint| lint.message).collect()
}

/// A chain of balls that are 1 m from one another and turn about z.
fn chain(n: usize, radius: f64) -> RobotBuilder {
    let mut robot = RobotBuilder::new("chain");
    for i in 0..n {
        let parent = i.checked_sub(1).map(LinkId::new);
        let mut link = LinkSpec::new(format!("l{i}"), parent, LinkMotion::Revolute(Vector::z()));
        link.placement.translation.vector = Vector::x() * (i.min(1) as f64);
        link.collision.push(Element::new(ball(radius)));
        robot.add_link(link);
    }
    robot
}

/// A body of 1 kg that goes with a ball of this radius.
fn solid(radius: f64) -> Inertia {
    Inertia {
        mass: 1.0,
        moment: Matrix3::identity() * (0.4 * radius * radius),
        ..Inertia::zero()
    }
}

#[test]
fn good_robots_get_no_remark() {
    for name in ["arm6.urdf", "scara.urdf", "planar3R.rob", "drone.urdf"] {
        let world = WorldModel::load(data("robots").join(name)).unwrap().value;
        assert_eq!(messages(&world), [""; 0], "{name}");
    }
}

#[test]
fn masses_and_inertias_that_no_material_has_are_named() {
    let weighed = |inertia: Inertia| {
        let mut robot = chain(1, 0.05);
        robot.links[0].inertia = inertia;
        said(robot)
    };
    assert_eq!(weighed(solid(0.05)), [""; 0]);
    let heavy = Inertia {
        mass: 1000.0,
        ..Inertia::zero()
    };
    assert_eq!(
        weighed(heavy),
        [
            "link `l0` of robot `chain`: 1000 kg in a box of 0.100 × 0.100 × 0.100 m: that is heavier than any material (1000000 kg/m³)"
        ]
    );
    let placeholder = Inertia {
        moment: Matrix3::identity(),
        ..solid(0.05)
    };
    assert_eq!(
        weighed(placeholder),
        [
            "link `l0` of robot `chain`: its inertia is that of a body 1.000 m around its centre of mass, but its shape is 0.100 × 0.100 × 0.100 m large"
        ]
    );
    let tiny = Inertia {
        moment: Matrix3::identity() * 1e-9,
        ..solid(0.05)
    };
    assert_eq!(weighed(tiny).len(), 1);
    let away = Inertia {
        com: Point::new(50.0, 0.0, 0.0),
        ..solid(0.05)
    };
    assert_eq!(
        weighed(away),
        [
            "link `l0` of robot `chain`: its centre of mass (50.000, 0.000, 0.000) lies far outside of its shape"
        ]
    );
}

#[test]
fn limits_that_leave_no_room_are_named() {
    type Change = fn(&mut LinkSpec);
    let limited = |change: Change| {
        let mut robot = chain(1, 0.05);
        change(&mut robot.links[0]);
        said(robot)
    };
    let cases: [(Change, &str); 4] = [
        (
            |l| l.limits = Limits::position(1.0, 1.0),
            "dofs that cannot move, since their lower limit is not below the upper: l0",
        ),
        (
            |l| l.limits = Limits::position(-180.0, 180.0),
            "angles with limits of more than ten revolutions: l0",
        ),
        (
            |l| l.limits.v_max = 0.0,
            "dofs that cannot move, since their velocity limit is 0: l0",
        ),
        (
            |l| l.limits = Limits::position(1.0, 2.0),
            "dofs that start outside of their limits: l0 (0 is not in 1 … 2)",
        ),
    ];
    for (change, message) in cases {
        let said = limited(change);
        assert!(
            said.contains(&format!("robot `chain`: {message}")),
            "{said:?}"
        );
    }
    // a weld is meant to stand still
    let mut robot = chain(1, 0.05);
    robot.links[0].limits = Limits::position(0.0, 0.0);
    robot.add_joint(JointKind::Weld, LinkId::new(0), None);
    assert_eq!(said(robot), [""; 0]);
}

#[test]
fn meshes_with_holes_or_in_millimetres_are_named() {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let open = |scale: f64| {
        let vertices = corners.map(|p| Point::from(p) * scale).to_vec();
        Geometry::from(Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2]]).unwrap())
    };
    let mut world = WorldModel::new();
    let mut object = RigidObject::new("a");
    object.geometry = Some(open(100.0));
    world.add_rigid_object(object).unwrap();
    // the ground may be large and a sheet
    world
        .add_terrain(Terrain::new("ground", Some(open(1000.0))))
        .unwrap();
    assert_eq!(
        messages(&world),
        [
            "rigid object `a`: its shape is 100.0 m long",
            "rigid object `a`: its mesh has holes"
        ]
    );
}

#[test]
fn pairs_that_always_or_never_touch_are_named() {
    // balls of 0.6 m, 1 m apart: neighbours are not tested, the next but one may fold onto each other
    assert_eq!(said(chain(3, 0.3)), [""; 0]);
    let touching = said(chain(3, 1.2));
    assert_eq!(
        touching,
        ["robot `chain`: links that collide where it stands: l0 – l2"]
    );

    // the last link hangs 10 m away
    let mut far = chain(3, 0.3);
    far.links[2].placement.translation.vector = Vector::x() * 10.0;
    assert_eq!(
        said(far),
        ["robot `chain`: 1 pairs that are tested can never touch: l0 – l2"]
    );

    // unless it can slide back
    let mut sliding = chain(3, 0.3);
    sliding.links[2].placement.translation.vector = Vector::x() * 10.0;
    sliding.links[2].motion = LinkMotion::Prismatic(Vector::x());
    assert_eq!(said(sliding), [""; 0]);

    let mut bare = chain(3, 0.3);
    bare.links[2].collision.clear();
    bare.self_collision.only = Some(vec![(LinkId::new(0), LinkId::new(2))]);
    assert_eq!(
        said(bare),
        ["robot `chain`: pairs that are to be tested, of links without a shape: l0 – l2"]
    );
}

#[test]
fn plugins_of_gazebo_are_named() {
    let text = r#"<robot name="r"><link name="l"/>
        <gazebo><plugin name="control" filename="libgazebo_ros_control.so"/></gazebo>
        <gazebo reference="l"><sensor name="eye" type="camera"><plugin filename="libcamera.so"/></sensor></gazebo></robot>"#;
    let mut world = WorldModel::new();
    let robot = kinworld::io::Loader::new().urdf(text, ".").unwrap().value;
    world.add_robot(robot);
    assert_eq!(
        messages(&world),
        [
            "robot `r`: 2 plugins of Gazebo, kept and not run: libgazebo_ros_control.so, libcamera.so"
        ]
    );
}
