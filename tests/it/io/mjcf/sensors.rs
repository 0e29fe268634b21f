//! Sensors beside `sensordata` of MuJoCo; in edits, in files that are written, in simulations, and what is left out.

use kinworld::math::Motion;
use kinworld::robot::{FrameSensor, Quantity, RobotBuilder};
use kinworld::sim::{Energy, Evaluation, PointMotion, Sensor};
use kinworld::{LinkId, Point, Pose, Result, Robot, State, WorldModel, kinematics};
use serde_json::Value;

use super::{refusal, robot, warnings};
use crate::common::files;
use crate::common::numbers::{list, numbers};
use crate::io::scratch::folder;

/// Motion at a state with accelerations.
struct Given<'r> {
    robot: &'r Robot,
    state: State,
    ddq: Vec<f64>,
}

impl Evaluation for Given<'_> {
    fn point_motion(&self, link: LinkId, p_link: &Point) -> Result<PointMotion> {
        let (robot, state) = (self.robot, &self.state);
        let pose = state.pose(robot, link);
        let angular = kinematics::angular_acceleration(robot, state, link, &self.ddq)?;
        let linear = kinematics::point_acceleration(robot, state, link, p_link, &self.ddq)?;
        let velocity = Motion {
            angular: kinematics::angular_velocity(robot, state, link),
            linear: kinematics::point_velocity(robot, state, link, p_link),
        };
        Ok(PointMotion::new(pose.rotation, pose * p_link)
            .with_velocity(velocity)
            .with_acceleration(Motion { angular, linear }))
    }

    fn positions(&self) -> &[f64] {
        self.state.config()
    }

    fn velocities(&self) -> &[f64] {
        self.state.velocity()
    }

    fn accelerations(&self) -> &[f64] {
        &self.ddq
    }

    fn residual_forces(&self) -> &[f64] {
        &[]
    }

    fn energy(&self) -> Energy {
        Energy::default()
    }
}

fn sensor<'r>(robot: &'r Robot, name: &str) -> &'r FrameSensor {
    let found = robot.sensors().iter().find(|sensor| sensor.name == name);
    found.unwrap_or_else(|| panic!("no sensor {name}"))
}

fn golden(name: &str) -> (Robot, Value) {
    let world = WorldModel::load(files::data("mjcf").join(name)).unwrap();
    let robot = Robot::clone(world.value.robots().next().unwrap().model());
    (
        robot,
        files::json(&files::data(&format!("golden/mjcf/{name}.json"))),
    )
}

#[test]
fn sensors_measure_what_mujoco_measures() {
    for (name, expected) in [("arm.xml", 7), ("walker.xml", 4)] {
        let (robot, golden) = golden(name);
        let mut counted = 0;
        for case in list(&golden["cases"]) {
            let q = robot.config_from_mujoco(&numbers(&case["qpos"])).unwrap();
            let velocity = numbers(&case["qvel"]);
            let dq = robot.velocity_from_mujoco(&q, &velocity).unwrap();
            let mut state = State::new(&robot);
            state.set_config(&robot, &q).unwrap();
            state.set_velocity(&robot, &dq).unwrap();
            // the accelerations of a robot without ball joints and free ones are MuJoCo's
            let ddq = match name {
                "arm.xml" => numbers(&case["qacc"]),
                _ => vec![0.0; dq.len()],
            };
            let now = Given {
                robot: &robot,
                state,
                ddq,
            };
            for (name, theirs) in case["sensors"].as_object().unwrap() {
                if ["elbow_acceleration", "post_position"].contains(&name.as_str()) {
                    continue;
                }
                let own = sensor(&robot, name);
                let mut ours = Vec::new();
                Sensor::from(own.clone()).measure(&now, &mut ours).unwrap();
                let mut theirs = numbers(theirs);
                if own.quantity == Quantity::Quaternion && theirs[0] < 0.0 {
                    theirs.iter_mut().for_each(|x| *x = -*x);
                }
                assert_eq!(ours.len(), theirs.len());
                for (a, b) in ours.iter().zip(&theirs) {
                    assert!((a - b).abs() < 1e-12, "{name}: {ours:?} is not {theirs:?}");
                }
                counted += 1;
            }
        }
        assert_eq!(counted, 3 * expected, "{name}");
    }
}

#[test]
fn what_is_left_out_is_listed() {
    let loaded = WorldModel::load(files::data("mjcf/arm.xml")).unwrap();
    let text: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    for what in [
        "<accelerometer> of <sensor> is left out",
        "<jointpos> of <sensor> is left out",
        "a <sensor> relative to another frame is left out",
        "a <sensor> of what is no robot is left out",
    ] {
        assert_eq!(
            text.iter().filter(|line| line.contains(what)).count(),
            1,
            "{what}: {text:#?}"
        );
    }
    let robot = loaded.value.robots().next().unwrap();
    assert_eq!(robot.model().sensors().len(), 8);
}

fn model(sensors: &str) -> String {
    format!(
        "<mujoco model='m'><worldbody><body name='a'><joint name='j' axis='0 1 0'/><geom name='g' size='0.1'/>
        <site name='s' pos='0 0 0.2' euler='90 0 0'/></body></worldbody><sensor>{sensors}</sensor></mujoco>"
    )
}

#[test]
fn mistakes_name_the_sensor_and_its_line() {
    for (sensors, problem) in [
        ("<gyro name='x' site='t'/>", "there is no site `t`"),
        ("<gyro name='x'/>", "sensor `x`: <gyro> needs `site`"),
        (
            "<framepos name='x' objtype='site'/>",
            "sensor `x`: <framepos> needs `objname`",
        ),
        (
            "<framepos name='x' objtype='joint' objname='j'/>",
            "`objtype` is \"joint\"",
        ),
        (
            "<framepos objtype='xbody' objname='s'/>",
            "there is no body `s`",
        ),
    ] {
        let refused = refusal(&model(sensors));
        assert!(refused.contains(problem), "{problem}: {refused}");
        assert!(refused.contains("model.xml:2:"), "{refused}");
    }
    let left_out = warnings(&model(
        "<gyro site='s' cutoff='3'/><framequat objtype='body' objname='a'/>",
    ));
    assert!(
        left_out
            .iter()
            .any(|line| line.contains("`cutoff` of <sensor>")),
        "{left_out:?}"
    );
    assert!(
        left_out
            .iter()
            .any(|line| line.ends_with("body's inertia is left out")),
        "{left_out:?}"
    );
}

#[test]
fn sensors_stay_at_their_frames_when_links_are_joined_and_robots_mounted() {
    let (arm, _) = golden("arm.xml");
    let mut builder = RobotBuilder::from(&arm);
    let mut host = RobotBuilder::from(&robot(&model("<gyro name='own' site='s'/>")));
    let placement = Pose::translation(1.0, 2.0, 3.0);
    let map = host
        .mount(Some(LinkId::new(0)), &builder, &placement, Some("tool"))
        .unwrap();
    let mounted = host.clone().build().unwrap();
    assert_eq!(mounted.sensors().len(), 1 + arm.sensors().len());
    let own = sensor(&arm, "eye_axes");
    let there = sensor(&mounted, "tool:eye_axes");
    assert_eq!(map.link(own.link), Some(there.link));
    // fixed links become parts of those above
    let (reduced, map) = builder.reduce().unwrap();
    let reduced = reduced.build().unwrap();
    assert!(
        map.link(own.link).is_none(),
        "the camera is no link any more"
    );
    let q = [0.3, 0.4, 0.5, 0.6, 0.01, 0.015];
    for before in arm.sensors() {
        let after = sensor(&reduced, &before.name);
        let at = |robot: &Robot, sensor: &FrameSensor| {
            let mut state = State::new(robot);
            state.set_config(robot, &q).unwrap();
            (state.pose(robot, sensor.link) * sensor.frame).to_homogeneous()
        };
        assert!(
            (at(&arm, before) - at(&reduced, after)).norm() < 1e-12,
            "{}",
            before.name
        );
    }
    builder.sensors[0].link = LinkId::new(99);
    assert!(builder.build().is_err());
}

#[test]
fn written_sensors_are_read_again() {
    let (arm, _) = golden("arm.xml");
    let out = folder();
    let path = out.join("again.mjcf");
    let mut builder = RobotBuilder::from(&arm);
    let hand = arm.link_id("hand").unwrap();
    let frame = Pose::translation(0.1, 0.0, 0.0);
    builder.sensors.push(FrameSensor::new(
        "own",
        hand,
        frame,
        Quantity::VelocityLocal,
    ));
    builder.sensors.push(FrameSensor::new(
        "lost",
        hand,
        frame,
        Quantity::Displacement,
    ));
    let written = builder.build().unwrap().save(&path).unwrap();
    let lost: Vec<String> = written.iter().map(ToString::to_string).collect();
    assert!(
        lost.iter()
            .any(|line| line.contains("sensors of displacement are not kept: `lost`")),
        "{lost:?}"
    );
    let again = Robot::load(&path).unwrap().value;
    assert_eq!(again.sensors().len(), arm.sensors().len() + 1);
    let at = |robot: &Robot, name: &str| {
        let sensor = sensor(robot, name);
        let mut state = State::new(robot);
        state
            .set_config(robot, &[0.3, 0.4, 0.5, 0.6, 0.01, 0.015])
            .unwrap();
        (
            state.pose(robot, sensor.link) * sensor.frame,
            sensor.quantity,
        )
    };
    for own in arm.sensors() {
        let (a, b) = (at(&arm, &own.name), at(&again, &own.name));
        assert_eq!(a.1, b.1);
        assert!(
            (a.0.to_homogeneous() - b.0.to_homogeneous()).norm() < 1e-12,
            "{}",
            own.name
        );
    }
    assert_eq!(at(&again, "own").1, Quantity::VelocityLocal);
    let pose = at(&arm, "hand_position").0 * frame;
    assert!((at(&again, "own").0.translation.vector - pose.translation.vector).norm() < 1e-12);
    for other in ["again.urdf", "again.sdf", "again.rob"] {
        let lost = arm.save(out.join(other)).unwrap();
        assert!(
            lost.iter()
                .any(|line| line.to_string().contains("sensors are not kept")),
            "{other}"
        );
    }
}
