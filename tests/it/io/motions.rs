//! Recorded motions as tables: known columns, and warnings about the others.

use kinworld::kinematics::Recording;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{Error, Loaded, Robot, Vector};

use super::scratch;

/// A shoulder and an elbow, with a plate welded between them that has its own degree of freedom.
fn arm() -> Robot {
    let mut arm = RobotBuilder::new("arm");
    let hinge = || LinkMotion::Revolute(Vector::y());
    let shoulder = arm.add_link(LinkSpec::new("shoulder", None, hinge()));
    let plate = arm.add_link(LinkSpec::new("plate", Some(shoulder), hinge()));
    arm.add_link(LinkSpec::new("elbow", Some(plate), hinge()));
    arm.add_joint(JointKind::Weld, plate, None);
    arm.build().unwrap()
}

fn read(text: &str) -> Result<Loaded<Recording>, Error> {
    Recording::load(&arm(), scratch::file("motion.csv", text))
}

/// The recording, and the warnings without the path of the file.
fn good(text: &str) -> (Recording, Vec<String>) {
    let Loaded {
        value, diagnostics, ..
    } = read(text).unwrap();
    let said = diagnostics.iter().map(|said| after_path(&said.to_string()));
    (value, said.collect())
}

fn after_path(message: &str) -> String {
    let (_, said) = message.split_once("motion.csv").expect("it names the file");
    said.trim_start_matches(':').to_owned()
}

#[test]
fn columns_are_found_by_name_in_any_order_and_welds_may_be_missing() {
    let heads = [
        "time,shoulder,elbow,dshoulder,delbow",
        "t,q_shoulder,q_elbow,dq_shoulder,dq_elbow",
        "Time [s],q0,q2,dq0,dq2",
        "t(s),q[0],q[2],dq[0],dq[2]",
        "\"time\",\"shoulder [rad]\", elbow ,\tdq.shoulder,dq:elbow",
        "t,0,2,dq0,dq2",
    ];
    for head in heads {
        let text = format!("# by hand\n\n{head}\n0,1,2,3,4\r\n0.5,1,2,3,4,\n");
        let (motion, said) = good(&text);
        assert_eq!(said, [""; 0], "{head}");
        let last = motion.instants().nth(1).unwrap();
        assert_eq!(
            (last.time, last.q, last.dq),
            (0.5, &[1.0, 0.0, 2.0][..], &[3.0, 0.0, 4.0][..])
        );
    }

    let (motion, _) = good("elbow;ddelbow;shoulder;time;ddshoulder\n1;2;3;4;5\n1;2;3;4.5;5\n");
    let first = motion.instants().next().unwrap();
    assert_eq!(
        (first.time, first.q, first.ddq),
        (4.0, &[3.0, 0.0, 1.0][..], &[5.0, 0.0, 2.0][..])
    );

    // numbers that count from 1
    let (motion, _) = good("t\tq1\tq2\tq3\n0\t1\t2\t3\n1\t1\t2\t3\n");
    assert_eq!(motion.instants().next().unwrap().q, [1.0, 2.0, 3.0]);
}

#[test]
fn without_names_columns_are_taken_in_order() {
    let (motion, said) = good("0,1,2,3\n1,4,5,6\n");
    assert!(said.is_empty());
    assert_eq!(motion.instants().nth(1).unwrap().q, [4.0, 5.0, 6.0]);

    let (motion, said) = good("when,a,b,c,x,y,z\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n");
    let message =
        "1:1: warning: no column is named after a degree of freedom: they are taken in order";
    assert_eq!(said, [message]);
    assert_eq!(motion.instants().next().unwrap().dq, [4.0, 5.0, 6.0]);
}

#[test]
fn unknown_columns_are_left_out_with_a_warning() {
    let (_, said) = good("time,shoulder,elbow,note\n0,1,2,on\n1,1,2,off\n");
    assert_eq!(
        said,
        ["1:21: warning: `note` names no degree of freedom: the column is left out"]
    );
}

#[test]
fn malformed_tables_are_refused_with_the_position() {
    let cases = [
        ("", " error: is empty"),
        ("# nothing\n\n", " error: is empty"),
        ("\"\"\n0\n", " error: 0 columns, where `arm` needs 4"),
        ("time,shoulder,elbow\n", " error: has no instant"),
        (
            "0,1,2,3\n1,4,x,6\n",
            "2:5: error: `x` is not a finite number",
        ),
        (
            "0,1,2,3\n1,4, nan,6\n",
            "2:6: error: `nan` is not a finite number",
        ),
        ("0,1,2,3\n1,4,,6\n", "2:5: error: `` is not a finite number"),
        (
            "0,1,2,3\n1,4,1e999,6\n",
            "2:5: error: `1e999` is not a finite number",
        ),
        (
            "time,shoulder,elbow\n0,1,2\n0,1,2\n",
            "3:1: error: the time 0 is not after the one before",
        ),
        (
            "shoulder,elbow,t\n0,1,2\n0,1,1\n",
            "3:5: error: the time 1 is not after the one before",
        ),
        (
            "0,1,2,3\n1,4,5\n",
            "2:1: error: 3 values, where line 1 has 4",
        ),
        (
            "0,1,2\n1,4,5\n",
            "1:1: error: 3 columns, where `arm` needs 4: the time and 3 joint positions, or 7 with velocities, or 10 with accelerations",
        ),
        (
            "time,shoulder\n0,1\n",
            "1:1: error: no column has the position of `elbow`",
        ),
        (
            "time,shoulder,elbow,dqelbow\n0,1,2,3\n",
            "1:1: error: no column has the velocity of `shoulder`",
        ),
        (
            "time,shoulder,elbow,q0\n0,1,2,3\n",
            "1:21: error: `q0` is there already",
        ),
        (
            "time,shoulder,elbow,q7\n0,1,2,3\n",
            "1:21: error: there is no degree of freedom 7; there are 3",
        ),
        (
            "time,shoulder,elbow\n0,1,2\n",
            " error: a recording: a single sample needs a velocity",
        ),
    ];
    for (text, message) in cases {
        let error = read(text).unwrap_err().to_string();
        let said = after_path(&error);
        assert!(said.starts_with(message), "{text:?}: {said}");
    }
    let error = Recording::load(&arm(), "nowhere.csv")
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("nowhere.csv: error: cannot be read"),
        "{error}"
    );
}

#[test]
fn a_misspelt_name_gets_a_suggestion() {
    let text = "time,shoulder,elbow,elbwo\n0,1,2,3\n1,1,2,3\n";
    let (_, said) = good(text);
    assert_eq!(
        said,
        ["1:21: warning: `elbwo` names no degree of freedom, like `elbow`: the column is left out"]
    );
}

#[test]
fn a_unit_of_degrees_is_one_and_joints_name_columns() {
    use kinworld::io::{LoadOptions, Loader};

    let urdf = "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>\
        <joint name='turn' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>\
        <joint name='slide' type='prismatic'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/>\
        <limit lower='-200' upper='200' velocity='1' effort='1'/></joint></robot>";
    let robot = Robot::load(scratch::file("degrees.urdf", urdf))
        .unwrap()
        .value;
    let q = |head: &str, degrees: bool| {
        let path = scratch::file("degrees.csv", format!("{head}\n0,90,3\n1,180,4\n"));
        let options = LoadOptions::default().with_degrees(degrees);
        let motion = Loader::with_options(options)
            .recording(&robot, path)
            .unwrap();
        assert_eq!(motion.diagnostics.len(), 0, "{head}");
        motion.value.instants().next().unwrap().q.to_vec()
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    for (head, degrees, angle) in [
        ("t,turn,slide", false, 90.0),
        ("t,turn [rad],slide", true, 90.0),
        ("t,turn [deg],slide [m]", false, quarter),
        ("t,q_b (deg),q_c", false, quarter),
        ("t,turn [°],slide", false, quarter),
        ("t,turn,slide", true, quarter),
    ] {
        let found = q(head, degrees);
        assert!((found[0] - angle).abs() < 1e-12, "{head}: {found:?}");
        assert!((found[1] - 3.0).abs() < 1e-15, "{head}");
    }
}

#[test]
fn a_length_in_degrees_is_refused() {
    let mut robot = RobotBuilder::new("slider");
    let slide = LinkMotion::Prismatic(Vector::x());
    robot.add_link(LinkSpec::new("slide", None, slide));
    let robot = robot.build().unwrap();
    let of = |head: &str| {
        let path = scratch::file("length.csv", format!("{head}\n0,1\n1,2\n"));
        Recording::load(&robot, path)
    };
    let error = of("t,slide [deg]").unwrap_err().to_string();
    let said = "length.csv:1:3: error: `slide` is prismatic, its column cannot be in degrees: give metres, without a unit or as `[m]`";
    assert!(error.ends_with(said), "{error}");
    assert!(of("t,q_slide (m)").is_ok());
}
