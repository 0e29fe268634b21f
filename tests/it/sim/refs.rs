//! Comparison with Exudyn and independent models: `data/golden/exudyn_refs.json`.

use kinworld::math::Wrench;
use kinworld::sim::{
    Evaluation, Integrator, IntegratorState, KinematicTree, Mechanism, Method, Ode, Pd, PlanarBody,
    PlanarForce, Quantity, Steps, Tolerance,
};
use kinworld::{LinkId, Point, State, dynamics};
use serde_json::Value;

use super::spec::{robot, run, tree, vector};
use crate::common::files::exudyn_refs;
use crate::common::numbers::{assert_close, index, list, number, numbers, word};

/// The quantities that Exudyn has: quaternions are compared with MuJoCo's.
fn quantities() -> impl Iterator<Item = Quantity> {
    let all = Quantity::ALL.into_iter();
    all.filter(|quantity| *quantity != Quantity::Quaternion)
}

#[test]
fn the_pendulum_of_the_documentation_follows_its_closed_form() {
    let refs = exudyn_refs();
    let case = &refs["kt_mini_pendulum"];
    let mut tree = tree(&case["spec"]);
    let [q, v] = run(
        &mut tree,
        [&[0.0], &[0.0]],
        1.0,
        Method::Rk67,
        Steps::Count(1000),
    );
    let exact = |k: &str| word(&case["exact25"][k]).parse::<f64>().expect("a number");
    assert_close("q", &q, &[exact("q")], 1e-13);
    assert_close("v", &v, &[exact("v")], 1e-12);
    assert_close(
        "q of Exudyn",
        &q,
        &numbers(&case["exudyn_rk67_1000"]["q"]),
        1e-13,
    );
    assert_close("q of the document", &q, &[-3.134_018_551_808_586], 1e-13);
}

#[test]
fn the_chain_of_five_equals_exudyn_step_by_step() {
    let refs = exudyn_refs();
    let case = &refs["kt_chain5"];
    let (q0, v0) = (numbers(&case["q0"]), numbers(&case["v0"]));
    let mut tree = tree(&case["spec"]);
    let adaptive = Steps::Adaptive(Tolerance::default());
    for (key, method, steps, tolerance) in [
        ("rk44_200", Method::Rk44, Steps::Count(200), 1e-12),
        ("rk44_1000", Method::Rk44, Steps::Count(1000), 1e-12),
        ("rk67_200", Method::Rk67, Steps::Count(200), 1e-12),
        ("rk33_200", Method::Rk33, Steps::Count(200), 1e-12),
        (
            "midpoint_200",
            Method::ExplicitMidpoint,
            Steps::Count(200),
            1e-12,
        ),
        // Exudyn's Newton iteration ends at 1e-8
        (
            "genalpha09_200",
            Method::GeneralizedAlpha { rho: 0.9 },
            Steps::Count(200),
            1e-7,
        ),
        // adaptive: other steps, the same tolerance
        ("dopri5_auto_1e-8", Method::Dopri5, adaptive, 1e-7),
        ("ode23_auto_1e-8", Method::Ode23, adaptive, 1e-6),
        ("dop853", Method::Dop853, Steps::Count(400), 1e-11),
    ] {
        let expected = &case[key];
        let [q, v] = run(&mut tree, [&q0, &v0], 1.0, method, steps);
        assert_close(format!("{key}, q"), &q, &numbers(&expected["q"]), tolerance);
        assert_close(
            format!("{key}, v"),
            &v,
            &numbers(&expected["v"]),
            10.0 * tolerance,
        );
        if key == "rk44_200" {
            let sum: f64 = q.iter().sum();
            assert_close(
                "sum of the document",
                &[sum],
                &[number(&case["document_rk44_200_sum"])],
                1e-12,
            );
        }
    }
}

#[test]
fn every_method_has_its_order_on_the_chain_of_five() {
    let refs = exudyn_refs();
    let case = &refs["kt_chain5"];
    let (q0, v0) = (numbers(&case["q0"]), numbers(&case["v0"]));
    let truth = numbers(&case["dop853"]["q"]);
    let mut tree = tree(&case["spec"]);
    for method in super::METHODS {
        let (n, allowed) = match method.order() {
            8 => (20, 1.5),
            6 => (40, 0.3),
            _ => (200, 0.3),
        };
        let mut error = |n| {
            let [q, _] = run(&mut tree, [&q0, &v0], 1.0, method, Steps::Count(n));
            q.iter()
                .zip(&truth)
                .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
        };
        let (rough, fine) = (error(n), error(2 * n));
        let measured = (rough / fine).log2();
        let expected = f64::from(method.order());
        assert!(
            (measured - expected).abs() < allowed,
            "{method:?}: order {measured}, {rough:e}, {fine:e}"
        );
    }
}

/// Tree of all joint types at the state of the references, with joint forces that give the accelerations there.
fn tree_at_state(case: &Value) -> (KinematicTree, IntegratorState) {
    let state = &case["states"][0];
    let mut tree = tree(&case["spec"])
        .with_reference(&numbers(&case["q_ref"]))
        .unwrap();
    tree.forces.joint = numbers(&state["inverse_dynamics"]);
    let ode_state = tree
        .initial_state(0.0, &numbers(&state["q"]), &numbers(&state["v"]))
        .unwrap();
    (tree, ode_state)
}

#[test]
fn sensors_on_a_tree_of_all_joints_equal_exudyns() {
    let refs = exudyn_refs();
    let case = &refs["kt_tree3d"];
    let (mut tree, ode_state) = tree_at_state(case);
    let state = &case["states"][0];
    let tree = tree.at(0.0, &ode_state.y).unwrap();
    assert_close(
        "accelerations",
        tree.accelerations(),
        &numbers(&state["a"]),
        1e-10,
    );
    assert_close("coordinates", tree.positions(), &numbers(&state["q"]), 0.0);
    assert_close("velocities", tree.velocities(), &numbers(&state["v"]), 0.0);
    let mut compared = 0;
    for sensor in list(&state["sensors"]) {
        let link = LinkId::new(index(&sensor["link"]));
        let point = Point::from(vector(&sensor["local_position"]));
        let motion = tree.point_motion(link, &point).unwrap();
        for quantity in quantities() {
            let mut ours = Vec::new();
            quantity.measure(&motion, &mut ours);
            let what = format!("{} of link {}", quantity.name(), link.index());
            let theirs = &sensor[quantity.name()];
            assert!(!theirs.is_null(), "the references have {what}");
            assert_close(what, &ours, &numbers(theirs), 1e-10);
            compared += 1;
        }
    }
    assert!(compared >= 8 * 12);
}

#[test]
fn energies_and_residual_forces_equal_the_references() {
    let refs = exudyn_refs();
    let case = &refs["kt_tree3d"];
    let state = &case["states"][0];
    let (mut tree, ode_state) = tree_at_state(case);
    let energy = tree.at(0.0, &ode_state.y).unwrap().energy();
    assert_close(
        "kinetic",
        &[energy.kinetic],
        &[number(&state["energy_kinetic"])],
        1e-12,
    );
    assert_close(
        "potential",
        &[energy.potential],
        &[number(&state["energy_potential"])],
        1e-12,
    );

    // without forces it is the bias; with forces on links, as Exudyn documents it, not as its program computes it
    let ode_state = tree
        .initial_state(0.0, &numbers(&state["q"]), &numbers(&state["v"]))
        .unwrap();
    tree.forces.joint.clear();
    let now = tree.at(0.0, &ode_state.y).unwrap();
    assert_close(
        "bias",
        now.residual_forces(),
        &numbers(&state["bias"]),
        1e-12,
    );
    let pairs = list(&state["link_forces"])
        .iter()
        .zip(list(&state["link_torques"]))
        .enumerate();
    tree.forces.wrenches = pairs
        .map(|(i, (force, torque))| {
            (
                LinkId::new(i),
                Wrench {
                    moment: vector(torque),
                    force: vector(force),
                },
            )
        })
        .collect();
    let expected = numbers(&state["correct_lhs_with_link_forces"]);
    let now = tree.at(0.0, &ode_state.y).unwrap();
    assert_close(
        "with forces on links",
        now.residual_forces(),
        &expected,
        1e-12,
    );

    // accelerations under joint forces
    tree.forces.wrenches.clear();
    tree.forces.joint = numbers(&state["tau"]);
    let mut dy = vec![0.0; tree.size()];
    tree.rates(0.0, &ode_state.y, &mut dy).unwrap();
    assert_close(
        "accelerations",
        &dy[8..],
        &numbers(&state["forward_dynamics"]),
        1e-11,
    );
}

#[test]
fn the_tree_of_all_joints_moves_freely_and_under_pd_as_in_exudyn() {
    let refs = exudyn_refs();
    let case = &refs["kt_tree3d"];
    let state = &case["states"][0];
    let (q0, v0) = (numbers(&state["q"]), numbers(&state["v"]));
    let mut free = tree(&case["spec"]);
    let expected = &case["free_run"];
    let end = number(&expected["t_end"]);
    let [q, v] = run(&mut free, [&q0, &v0], end, Method::Rk67, Steps::Count(4000));
    assert_close("q", &q, &numbers(&expected["exudyn_rk67_4000"]["q"]), 1e-12);
    assert_close("v", &v, &numbers(&expected["exudyn_rk67_4000"]["v"]), 1e-11);
    let ode_state = free.initial_state(end, &q, &v).unwrap();
    let now = free.at(end, &ode_state.y).unwrap();
    assert_close(
        "energy",
        &[now.energy().total()],
        &[number(&expected["energy0"])],
        1e-10,
    );

    let expected = &case["pd_run"];
    let mut driven = tree(&case["spec"]);
    driven.forces.joint = numbers(&expected["joint_force"]);
    driven.forces.pd = Pd::default()
        .with_p(numbers(&expected["P"]))
        .with_d(numbers(&expected["D"]))
        .with_position(numbers(&expected["position_offset"]))
        .with_velocity(numbers(&expected["velocity_offset"]));
    let start = [
        &numbers(&expected["q0_total"])[..],
        &numbers(&expected["v0"]),
    ];
    let [q, v] = run(
        &mut driven,
        start,
        number(&expected["t_end"]),
        Method::Rk67,
        Steps::Count(4000),
    );
    assert_close("q", &q, &numbers(&expected["exudyn_rk67_4000"]["q"]), 1e-12);
    assert_close("v", &v, &numbers(&expected["exudyn_rk67_4000"]["v"]), 1e-11);
}

#[test]
fn a_chain_of_two_follows_its_exact_solution() {
    let refs = exudyn_refs();
    let case = &refs["planar_dae"];
    let rest = numbers(&case["exact"]["q"])
        .iter()
        .map(|_| 0.0)
        .collect::<Vec<_>>();
    let mut tree = tree(&case["spec"]);
    let [q, v] = run(
        &mut tree,
        [&rest, &rest],
        number(&case["t_end"]),
        Method::Dop853,
        Steps::Count(500),
    );
    assert_close("q", &q, &numbers(&case["exact"]["q"]), 1e-10);
    assert_close("v", &v, &numbers(&case["exact"]["v"]), 1e-10);
}

/// Array of three numbers.
fn three(value: &Value) -> [f64; 3] {
    numbers(value).try_into().expect("three numbers")
}

/// End of a run of a planar body of the references: displacements and velocities.
fn planar(
    case: &Value,
    body: &mut PlanarBody,
    method: Method,
    steps: usize,
    end: f64,
) -> [Vec<f64>; 2] {
    let (reference, u) = (three(&case["ref"]), three(&case["q0"]));
    let q = [0, 1, 2].map(|i| reference[i] + u[i]);
    let mut ode_state = body.initial_state(0.0, q, three(&case["v0"]));
    let mut integrator = Integrator::new(method, Steps::Count(steps)).unwrap();
    integrator.run(body, &mut ode_state, end, &mut ()).unwrap();
    let moved = (0..3).map(|i| ode_state.y[i] - reference[i]).collect();
    [moved, ode_state.y[3..].to_vec()]
}

#[test]
fn planar_bodies_move_as_in_exudyn_and_the_exact_equations() {
    let refs = exudyn_refs();
    let mini = &refs["rigid_body_2d"]["mini"];
    let mut body =
        PlanarBody::new(number(&mini["mass"]), number(&mini["inertia"]), [0.0; 2]).unwrap();
    let [u, _] = planar(mini, &mut body, Method::Rk44, 100, 1.0);
    assert_close("mini", &u, &numbers(&mini["coordinates"]), 1e-13);
    let theta = u[2] + number(&mini["ref"][2]);
    assert_close(
        "θ",
        &[theta],
        &[number(&mini["document_expected"]["theta"])],
        1e-13,
    );

    let case = &refs["rigid_body_2d"]["eccentric"];
    let com: [f64; 2] = numbers(&case["com"]).try_into().unwrap();
    let mut body =
        PlanarBody::new(number(&case["mass"]), number(&case["inertia_ref"]), com).unwrap();
    body.gravity = numbers(&case["gravity"]).try_into().unwrap();
    body.torque = number(&case["torque"]);
    body.forces = vec![PlanarForce {
        point: numbers(&case["force"]["local"]).try_into().unwrap(),
        force: numbers(&case["force"]["f"]).try_into().unwrap(),
    }];
    let [u, v] = planar(case, &mut body, Method::Rk67, 4000, 1.0);
    assert_close(
        "eccentric, q",
        &u,
        &numbers(&case["exudyn_rk67_4000"]["q"]),
        1e-12,
    );
    assert_close(
        "eccentric, v",
        &v,
        &numbers(&case["exudyn_rk67_4000"]["v"]),
        1e-12,
    );

    // without forces the centre of mass moves uniformly
    let free = &refs["rigid_body_2d"]["eccentric_free"];
    let mut body =
        PlanarBody::new(number(&case["mass"]), number(&case["inertia_ref"]), com).unwrap();
    let [u, _] = planar(case, &mut body, Method::Rk67, 4000, number(&free["t_end"]));
    let reference = three(&case["ref"]);
    let position: Vec<f64> = (0..3).map(|i| u[i] + reference[i]).collect();
    assert_close(
        "free",
        &position[..2],
        &numbers(&free["exact"]["position"]),
        1e-12,
    );
    assert_close(
        "free, θ",
        &position[2..],
        &[number(&free["exact"]["theta"])],
        1e-12,
    );
}

#[test]
fn sensors_on_a_planar_body_equal_the_references() {
    let refs = exudyn_refs();
    let (case, outputs) = (
        &refs["rigid_body_2d"]["eccentric"],
        &refs["rigid_body_2d"]["outputs"],
    );
    let com: [f64; 2] = numbers(&case["com"]).try_into().unwrap();
    let mut body =
        PlanarBody::new(number(&case["mass"]), number(&case["inertia_ref"]), com).unwrap();
    body.reference = three(&outputs["ref"]);
    let u = three(&outputs["u"]);
    let (q, v) = (
        [0, 1, 2].map(|i| body.reference[i] + u[i]),
        three(&outputs["v"]),
    );

    // forces at the reference point that give the accelerations of the references
    let a = nalgebra::Vector3::from(three(&outputs["a"]));
    let f = body.mass_matrix(q[2]) * a + nalgebra::Vector3::from(body.coriolis_forces(q[2], v[2]));
    body.forces = vec![PlanarForce {
        point: [0.0; 2],
        force: [f.x, f.y],
    }];
    body.torque = f.z;
    let ode_state = body.initial_state(0.0, q, v);
    let motion = body
        .at(0.0, &ode_state.y)
        .unwrap()
        .point_motion(
            LinkId::new(0),
            &Point::from(vector(&outputs["local_position"])),
        )
        .unwrap();
    for quantity in quantities() {
        let mut ours = Vec::new();
        quantity.measure(&motion, &mut ours);
        let theirs = match quantity {
            // Exudyn's program leaves the reference angle out
            Quantity::Rotation => vec![0.0, 0.0, number(&outputs["correct_rotation"])],
            quantity => numbers(&outputs["values"][quantity.name()]),
        };
        assert_close(quantity.name(), &ours, &theirs, 1e-12);
    }
}

#[test]
fn the_mass_matrix_equals_that_of_the_references() {
    let refs = exudyn_refs();
    let case = &refs["kt_tree3d"];
    let robot = robot(&case["spec"]);
    let mut state = State::new(&robot);
    state
        .set_config(&robot, &numbers(&case["states"][0]["q"]))
        .unwrap();
    let ours: Vec<f64> = dynamics::mass_matrix(&robot, &state)
        .iter()
        .copied()
        .collect();
    let rows: Vec<f64> = list(&case["states"][0]["mass_matrix"])
        .iter()
        .flat_map(numbers)
        .collect();
    assert_close("mass matrix", &ours, &rows, 1e-12);
}
