//! The rules of `.rob`, one by one.

use std::f64::consts::{FRAC_PI_2, PI};

use kinworld::robot::{DriverKind, JointKind, LinkMotion};
use kinworld::{LinkId, Loaded, Point, Pose, Robot, Rotation, Vector};
use nalgebra::Translation3;

use super::scratch::{file, folder, loader_of_data, refusal, rob};
use crate::common::files::data;
use crate::common::numbers::assert_close;

const PLACE: &str = "1 0 0  0 1 0  0 0 1  0 0 0 ";

/// A chain of `n` links with default values.
fn links(n: usize) -> String {
    format!("TParent {}\n", PLACE.repeat(n))
}

fn close(what: &str, ours: &[f64], theirs: &[f64]) {
    assert_close(what, ours, theirs, 1e-12);
}

#[test]
fn a_minimal_file_has_klampts_defaults() {
    let (robot, said) = rob(&links(2));
    assert_eq!(said, [""; 0]);
    let names: Vec<&str> = robot
        .links()
        .iter()
        .map(kinworld::robot::Link::name)
        .collect();
    assert_eq!(names, ["Link_0", "Link_1"]);
    assert_eq!(robot.links()[1].parent(), Some(LinkId::new(0)));
    assert_eq!(
        *robot.links()[1].motion(),
        LinkMotion::Revolute(Vector::z())
    );
    let limits = robot.limits()[0];
    let all = [-limits.q_min, limits.q_max, -limits.v_min, limits.v_max];
    assert!(all.iter().all(|x| *x == f64::INFINITY));
    // not derived from torques
    let (robot, _) = rob(&format!("{}torqueMax 10 10\n", links(2)));
    assert!(robot.limits()[0].a_max == f64::INFINITY);
    let inertia = robot.links()[1].inertia();
    close("mass", &[inertia.mass, inertia.moment[(1, 1)]], &[1.0, 1.0]);
    assert_eq!(robot.drivers()[1].name, "Link_1");
}

#[test]
fn the_most_frequent_length_is_the_number_of_links_and_a_tie_goes_to_the_smaller() {
    // two lists for 2, three for 3
    let text = "parents -1 0\nmass 1 1\nqMin 0 0 0\nqMax 1 1 1\naxis 0 0 1 0 0 1 0 0 1\n";
    let error = refusal(Robot::load(file("x.rob", text)));
    assert_eq!(error.diagnostic.message, "`parents` needs 3 entries, got 2");
    let text = "parents -1 0\nmass 1 1\nqMin 0 0 0\nqMax 1 1 1\n";
    let error = refusal(Robot::load(file("x.rob", text)));
    assert_eq!(error.diagnostic.message, "`qMin` needs 2 entries, got 3");
}

#[test]
fn a_repeated_keyword_continues_its_list() {
    let text = format!(
        "{}qMin -1\nQMIN -2\ntranslation 1 0 0\ntranslation 2 0 0\n",
        links(2)
    );
    let (robot, _) = rob(&text);
    close(
        "q_min",
        &[robot.limits()[0].q_min, robot.limits()[1].q_min],
        &[-1.0, -2.0],
    );
    close(
        "base",
        robot.links()[0].placement().translation.vector.as_slice(),
        &[2.0, 0.0, 0.0],
    );
}

#[test]
fn degrees_are_converted_unless_the_link_is_declared_prismatic() {
    let limits = "qMinDeg -90 -90\nqMaxDeg 180 180\nvelMax 1 1\n";
    let before = format!("{}jointtype r p\n{limits}", links(2));
    let (robot, said) = rob(&before);
    assert_eq!(said, [""; 0]);
    close(
        "before",
        &[robot.limits()[0].q_min, robot.limits()[1].q_max],
        &[-FRAC_PI_2, 180.0],
    );

    // as in Klampt, the order of the lines matters; here there is a warning
    let after = format!("{}{limits}jointtype r p\nqDeg 90 90\n", links(2));
    let (robot, said) = rob(&after);
    close(
        "after",
        &[robot.limits()[1].q_min, robot.limits()[1].q_max],
        &[-FRAC_PI_2, PI],
    );
    close("q", robot.initial_config(), &[FRAC_PI_2, FRAC_PI_2]);
    assert_eq!(said.len(), 3);
    assert!(said[0].contains("link 1 is prismatic"), "{said:?}");
}

#[test]
fn only_lists_of_limits_accept_words_for_infinity() {
    let text = format!("{}qMin -inf -INFINITY\nqMax Inf 2\nmass 1 +2\n", links(2));
    let (robot, said) = rob(&text);
    assert_eq!(said, [""; 0]);
    assert!(robot.limits()[1].q_min == f64::NEG_INFINITY);
    close("mass", &[robot.links()[1].inertia().mass], &[2.0]);

    let error = refusal(Robot::load(file(
        "x.rob",
        format!("{}qMax 1 +2\n", links(2)),
    )));
    let said: Vec<_> = error.warnings.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        ["`+2` does not belong to `qMax`; it and what follows are ignored"]
    );
}

#[test]
fn denavit_hartenberg_numbers_follow_craig() {
    let text = "alphaDeg 30 -90\na 0.5 0.25\nd 1 2\ntheta 0.1 0.2\naxis 1 0 0  1 0 0\n";
    let (robot, _) = rob(text);
    for (i, [alpha, a, d, theta]) in [[PI / 6.0, 0.5, 1.0, 0.1], [-FRAC_PI_2, 0.25, 2.0, 0.2]]
        .iter()
        .enumerate()
    {
        // rotate about x, translate along x, rotate about z, translate along z
        let x = Rotation::from_axis_angle(&Vector::x_axis(), *alpha);
        let z = Rotation::from_axis_angle(&Vector::z_axis(), *theta);
        let first = Pose::from_parts(Translation3::new(*a, 0.0, 0.0), x);
        let second = Pose::from_parts(Translation3::new(0.0, 0.0, *d), z);
        let expected = (first * second).to_homogeneous();
        let ours = robot.links()[i].placement().to_homogeneous();
        close("placement", ours.as_slice(), expected.as_slice());
        assert_eq!(
            *robot.links()[i].motion(),
            LinkMotion::Revolute(Vector::z()),
            "axis is ignored"
        );
    }
}

#[test]
fn the_base_moves_every_root() {
    let text = format!(
        "TParent {}\nparents -1 0 -1\nrotation 0 -1 0  1 0 0  0 0 1\ntranslation 0 0 5\n",
        "1 0 0  0 1 0  0 0 1  1 0 0 ".repeat(3)
    );
    let (robot, _) = rob(&text);
    let at = |i: usize| robot.links()[i].placement().translation.vector;
    close("root", at(0).as_slice(), &[0.0, 1.0, 5.0]);
    close("child", at(1).as_slice(), &[1.0, 0.0, 0.0]);
    close("other root", at(2).as_slice(), &[0.0, 1.0, 5.0]);
}

#[test]
fn roots_that_cannot_move_are_welded_unless_joints_are_given() {
    let (robot, _) = rob(&format!("{}velMax 0 0\nvelMin 0 0\n", links(2)));
    let kinds: Vec<JointKind> = robot.joints().iter().map(|joint| joint.kind).collect();
    assert_eq!(kinds, [JointKind::Weld, JointKind::Normal]);
    assert_eq!(robot.drivers().len(), 1);
    let (robot, said) = rob(&format!("{}velMax 0 0\njoint Normal 0\n", links(2)));
    assert!(robot.joint_of(LinkId::new(1)).is_none());
    assert_eq!(
        said,
        ["2:7: link 1 belongs to no joint"].map(|s| s.replace("2:7", "3:7"))
    );
}

#[test]
fn default_drivers_move_their_own_links_behind_a_floating_base() {
    let text = format!(
        "{}jointtype p p p r r r r\naxis 1 0 0  0 1 0  0 0 1  0 0 1  0 1 0  1 0 0  0 0 1\n\
         joint floating 5 -1\njoint spin 6\nservoP 7\n",
        links(7)
    );
    let (robot, said) = rob(&text);
    assert_eq!(said, [""; 0]);
    let [driver] = robot.drivers() else {
        panic!("one driver");
    };
    assert_eq!(
        driver.kind,
        DriverKind::Normal {
            link: LinkId::new(6)
        }
    );
    assert_eq!(driver.name, "Link_6");
    close("gain", &[driver.servo.p], &[7.0]);
}

#[test]
fn a_planar_base_as_klampt_writes_it_is_read() {
    let text = format!(
        "{}jointtype p p r\naxis 1 0 0  0 1 0  0 0 1\njoint floating2d 2\n",
        links(3)
    );
    let (robot, said) = rob(&text);
    assert_eq!(said, [""; 0]);
    assert_eq!(robot.joints()[0].kind, JointKind::FloatingPlanar);
}

#[test]
fn a_word_among_the_limits_of_an_affine_driver_removes_that_limit() {
    let text = format!(
        "{}driver affine 2  0 1  1 -1  0 0.5  -1 1  x 2  -inf inf\n",
        links(2)
    );
    let (robot, said) = rob(&text);
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("2:42: `x` is not a number"), "{said:?}");
    let limits = robot.driver_limits(&robot.drivers()[0]);
    close("position", &limits.position, &[-1.0, 1.0]);
    close("velocity", &limits.velocity, &[f64::NEG_INFINITY, 2.0]);
}

#[test]
fn autotorque_holds_the_outstretched_chain() {
    let text = "TParent 1 0 0 0 1 0 0 0 1 0 0 0  1 0 0 0 1 0 0 0 1 2 0 0\n\
        mass 3 5\ncom 1 0 0  0.5 0 0\nautotorque 1.5\n";
    let (robot, _) = rob(text);
    let g = 9.8 * 1.5;
    let ours: Vec<f64> = robot.limits().iter().map(|limits| limits.tau_max).collect();
    // as in Klampt, the lever arm beyond a link starts with the link's own offset, not with that of the next
    let (inner, outer) = (3.0 * 1.0 + 5.0 * 0.5, 5.0 * 0.5);
    close("torque", &ours, &[g * inner, g * outer]);
}

#[test]
fn automass_treats_links_as_shells_by_default() {
    let cube = data("meshes/cube.off");
    let text = |automass: &str| {
        format!(
            "{}geometry \"{}\"\nmass 6\n{automass}\n",
            links(1),
            cube.display()
        )
    };
    let moment = |automass: &str| {
        let (robot, _) = rob(&text(automass));
        robot.links()[0].inertia().moment[(0, 0)]
    };
    let side = {
        let (robot, _) = rob(&text("automass"));
        let triangles = robot.links()[0].shape().expect("a cube").n_triangles();
        assert_eq!(triangles, 12);
        let (robot, _) = rob(&format!("{}geomscale 2\n", text("automass 0")));
        // m s² / 6 of a solid cube, scaled
        (robot.links()[0].inertia().moment[(0, 0)]).sqrt() / 2.0
    };
    close("solid", &[moment("automass 0")], &[side * side]);
    close(
        "shell",
        &[moment("automass")],
        &[6.0 * side * side * 5.0 / 18.0],
    );
    // the moment is taken about the given centre, by the parallel axis theorem
    let (robot, _) = rob(&format!("{}com 10 0 0\n", text("automass 0")));
    let (centered, _) = rob(&text("automass 0"));
    let d = centered.links()[0].inertia().com - Point::new(10.0, 0.0, 0.0);
    let expected = side * side + 6.0 * (d.y * d.y + d.z * d.z);
    close(
        "about com",
        &[robot.links()[0].inertia().moment[(0, 0)]],
        &[expected],
    );
}

#[test]
fn geometry_may_be_inline() {
    // Klampt's results for the same words
    let sphere = r"{Primitive\nSphere 0 0 0 1\n}";
    let mesh = r"{TriangleMesh\nOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n}";
    let bare = r"{ TriangleMesh\n3\n0 0 0\n1 0 0\n0 1 0\n1\n0 1 2}";
    let cloud = r"{PointCloud\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0 0 0\n1 2 3\n}";
    let list = [sphere, mesh, bare, cloud].map(|text| format!("\"{text}\""));
    let text = format!("{}geometry {}\ngeomscale 2\n", links(4), list.join(" "));
    let (robot, said) = rob(&text);
    assert_eq!(said, [""; 0]);
    let boxes = robot.links().iter().map(|link| {
        let bounds = link
            .shape()
            .expect("a shape")
            .aabb(&Pose::identity())
            .expect("an extent");
        [bounds.min.coords, bounds.max.coords].map(|corner| corner.as_slice().to_vec())
    });
    let ours: Vec<f64> = boxes.flatten().flatten().collect();
    let flat = [0.0, 0.0, 0.0, 2.0, 2.0, 0.0];
    let expected = [
        [-2.0, -2.0, -2.0, 2.0, 2.0, 2.0],
        flat,
        flat,
        [0.0, 0.0, 0.0, 2.0, 4.0, 6.0],
    ];
    close("boxes", &ours, &expected.concat());
}

#[test]
fn mounted_robots_get_a_prefix_and_parents_may_name_their_links() {
    let folder = folder();
    let cube = data("meshes/cube.off");
    let geometry = |n: usize| format!("geometry{}\n", format!(" \"{}\"", cube.display()).repeat(n));
    let finger = format!(
        "links palm tip\n{}{}TParent {PLACE}{PLACE}translation 0 0 1\n",
        geometry(2),
        "noselfcollision palm tip\n"
    );
    let finger = finger.replace("translation", "\ntranslation");
    std::fs::write(folder.join("finger.rob"), finger).unwrap();
    let arm = format!(
        "{}{}mount 1 finger.rob  1 0 0 0 1 0 0 0 1  0 0 2 as left\n\
         mount left:tip finger.rob as right\nmount -1 finger.rob\n\
         noselfcollision 0 left:tip\nnoselfcollision 0 1\n",
        links(2),
        geometry(2)
    );
    std::fs::write(folder.join("arm.rob"), arm).unwrap();

    let Loaded {
        value: robot,
        diagnostics,
        ..
    } = loader_of_data().robot(folder.join("arm.rob")).unwrap();
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let names: Vec<&str> = robot
        .links()
        .iter()
        .map(kinworld::robot::Link::name)
        .collect();
    let expected = [
        "Link_0",
        "Link_1",
        "left:palm",
        "left:tip",
        "right:palm",
        "right:tip",
        "palm",
        "tip",
    ];
    assert_eq!(names, expected);
    let parents: Vec<_> = robot
        .links()
        .iter()
        .map(|l| l.parent().map(LinkId::index))
        .collect();
    let expected = [
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(3),
        Some(4),
        None,
        Some(6),
    ];
    assert_eq!(parents, expected);
    let palm = robot.links()[2].placement().translation.vector;
    close("placement", palm.as_slice(), &[0.0, 0.0, 3.0]);
    let is_tested = |a: usize, b: usize| {
        let pair = (LinkId::new(a), LinkId::new(b));
        robot.self_collision_pairs().any(|other| other == pair)
    };
    assert!(!is_tested(0, 3) && is_tested(0, 2) && !is_tested(1, 2) && !is_tested(2, 3));
    assert!(is_tested(3, 6) && !is_tested(3, 4));
}

#[test]
fn selfcollision_lines_are_the_only_pairs() {
    let cube = data("meshes/cube.off").display().to_string();
    let text = format!(
        "{}geometry \"{cube}\" \"{cube}\" \"{cube}\" \"{cube}\"\n\
         selfcollision 0 2  Link_3 1\nselfcollision 0 3\nnoselfcollision 3 0\n",
        links(4)
    );
    let (robot, _) = rob(&text);
    let pairs: Vec<_> = robot
        .self_collision_pairs()
        .map(|(a, b)| (a.index(), b.index()))
        .collect();
    assert_eq!(pairs, [(0, 2), (1, 3)]);
}

#[test]
fn properties_are_kept_as_text_and_sensors_may_be_a_file() {
    let folder = folder();
    std::fs::write(folder.join("eyes.xml"), "<sensors/>\n").unwrap();
    let text = format!(
        "{}property sensors eyes.xml\nproperty controller none\n\
         property note \"a \\\"b\\\"\\n c\" \nproperty xml <a b=\"1 2\"/>\n",
        links(1)
    );
    std::fs::write(folder.join("x.rob"), text).unwrap();
    let Loaded {
        value: robot,
        diagnostics,
        ..
    } = loader_of_data().robot(folder.join("x.rob")).unwrap();
    let property = |key: &str| robot.properties().get(key).map(String::as_str);
    assert_eq!(property("sensors"), Some("<sensors/>"));
    assert_eq!(property("controller"), Some("none"));
    assert_eq!(property("note"), Some("a \"b\"\n c"));
    assert_eq!(property("xml"), Some("<a b=\"1 2\"/>"));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}

#[test]
fn odd_numbers_get_a_warning_at_their_position() {
    let text = "TParent 1 0 0  0 1 0  0 0 1  0 0 0 \\\n  1 0.01 0  0 1 0  0 0 1  0 0 0\n\
        inertia 1 0 0  0 1 0  0 0 1    1 0 0.1  0 1 0  0 0 1\nqMin 0 1\nqMax 1 0\naxis 0 0 1  0 0 0\n";
    let (_, said) = rob(text);
    let positions: Vec<&str> = said.iter().filter_map(|s| s.split(": ").next()).collect();
    assert_eq!(positions, ["2:3", "6:13", "5:8", "3:32"], "{said:#?}");
}

#[test]
fn a_decimal_comma_is_refused() {
    for line in ["mass 1,0", "qmin -1,5", "com 0,1 0 0", "geomscale 2,0"] {
        let text = format!("{}{line}\n", links(1));
        let error = refusal(Robot::load(file("x.rob", text)));
        let message = &error.diagnostic.message;
        assert!(message.contains("is not a number"), "{line}: {message}");
        let help = error.diagnostic.help.clone().unwrap_or_default();
        assert!(help.contains("decimals with a point"), "{help}");
    }
}

#[test]
fn long_numbers_are_printed_with_an_exponent() {
    let (_, said) = rob(&format!("{}qmin 1e300\nqmax -1e300\n", links(1)));
    let problem = "its lower limit 1e300 is above its upper limit -1e300";
    assert!(said[0].contains(problem), "{said:?}");
}
