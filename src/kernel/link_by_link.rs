//! Tests that a floating base taken as one joint moves as its six links do.

use super::*;

/// Bodies of everyday sizes, different each.
fn body(k: usize, parent: Option<usize>, kind: Kind, axis: [f64; 3]) -> Body {
    let x = |i: usize| ((7 * k + i) as f64 * 0.618).fract() - 0.5;
    Body {
        parent,
        rotation: [0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6],
        translation: [x(0), x(1), x(2)],
        kind,
        axis,
        mass: 2.0 + x(3),
        com: [x(4), x(5), x(6)],
        moment: [1.0, 0.1, 0.0, 0.1, 1.2, 0.2, 0.0, 0.2, 1.5],
        armature: 0.2 * (x(7) + 0.5),
    }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// The six links of a base at any pose.
fn add_base(bodies: &mut Vec<Body>) {
    let first = bodies.len();
    let chain = [
        (Kind::Prismatic, X),
        (Kind::Prismatic, Y),
        (Kind::Prismatic, Z),
        (Kind::Revolute, Z),
        (Kind::Revolute, Y),
        (Kind::Revolute, X),
    ];
    for (i, (kind, axis)) in chain.into_iter().enumerate() {
        let mut link = body(first + i, (i > 0).then(|| first + i - 1), kind, axis);
        if i > 0 {
            link.rotation = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
            link.translation = [0.0; 3];
        }
        if i < 5 {
            (link.mass, link.moment) = (0.0, [0.0; 9]);
        }
        bodies.push(link);
    }
}

/// Two legs and a prismatic joint, on the last body.
fn add_legs(bodies: &mut Vec<Body>) {
    let base = bodies.len() - 1;
    for (parent, kind, axis) in [
        (base, Kind::Revolute, [0.0, -2.0, 0.0]),
        (base + 1, Kind::Prismatic, [0.3, 0.4, -0.5]),
        (base, Kind::Revolute, X),
        (base + 3, Kind::Revolute, [0.6, 0.0, 0.8]),
    ] {
        bodies.push(body(bodies.len(), Some(parent), kind, axis));
    }
}

/// A base alone, one with legs, one after a crane, and two.
fn trees() -> [Vec<Body>; 4] {
    let mut alone = vec![];
    add_base(&mut alone);
    let mut walking = alone.clone();
    add_legs(&mut walking);
    let mut second = vec![
        body(0, None, Kind::Revolute, Z),
        body(1, Some(0), Kind::Prismatic, Y),
    ];
    add_base(&mut second);
    add_legs(&mut second);
    second.push(body(90, Some(1), Kind::Revolute, X));
    let mut two = walking.clone();
    add_base(&mut two);
    add_legs(&mut two);
    [alone, walking, second, two]
}

/// Results of all kernels for a tree in some state.
fn results(tree: &Tree) -> Vec<f64> {
    let n = tree.len();
    let numbers = |seed: f64| -> Vec<f64> {
        (0..n)
            .map(|i| 2.0 * (seed * (i + 1) as f64).sin())
            .collect()
    };
    let (q, dq, ddq) = (numbers(1.3), numbers(2.1), numbers(0.7));
    let mut frames = Frames::new(tree);
    forward(tree, &q, &mut frames);
    let bodies = frames.bodies();
    let mut numbers = vec![];
    for frame in bodies {
        numbers.extend(frame.rotation());
        numbers.extend(frame.origin());
    }

    // also an external wrench on each body, on virtual links too
    let mut rnea = Rnea::new(tree);
    let gravity = [0.3, -0.2, -9.81];
    let apply_external = |rnea: &mut Rnea<f64>| {
        for (i, force) in rnea.forces_mut().iter_mut().enumerate() {
            force.moment[i % 3] -= 3.0 + i as f64;
            force.force[(i + 1) % 3] += 5.0 - i as f64;
        }
    };
    let mut tau = vec![0.0; n];
    forward_pass(tree, bodies, &dq, &ddq, gravity, &mut rnea);
    apply_external(&mut rnea);
    backward_pass(tree, bodies, &ddq, &mut rnea, &mut tau);
    numbers.extend(&tau);
    for force in rnea.forces() {
        numbers.extend(<[f64; 6]>::from(*force));
    }

    let (mut aba_memory, mut accelerations) = (Aba::new(tree), vec![0.0; n]);
    forward_pass(tree, bodies, &dq, &vec![0.0; n], gravity, &mut rnea);
    apply_external(&mut rnea);
    aba(
        tree,
        bodies,
        rnea.forces_mut(),
        &tau,
        &mut aba_memory,
        &mut accelerations,
    );
    for (a, b) in accelerations.iter().zip(&ddq) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
    for effective_inertias in aba_memory.effective_inertias() {
        numbers.extend([effective_inertias.d, effective_inertias.locked]);
    }

    let (mut crba_memory, mut matrix) = (Crba::new(tree), vec![f64::NAN; n * n]);
    crba(tree, bodies, &mut crba_memory, &mut matrix);
    numbers.extend(matrix);
    let mut columns = vec![[0.0; 6]; n];
    momentum_columns(
        tree,
        bodies,
        [0.1, 2.0, -0.3],
        &mut crba_memory,
        &mut columns,
    );
    numbers.extend(columns.as_flattened());
    numbers
}

#[test]
fn a_floating_base_answers_as_its_six_links() {
    for (k, bodies) in trees().into_iter().enumerate() {
        let tree = Tree::new(bodies);
        assert!(tree.floating().is_some(), "tree {k}");
        let (one, six) = (results(&tree), results(&tree.link_by_link()));
        for (i, (one, six)) in one.iter().zip(&six).enumerate() {
            assert!(
                (one - six).abs() < 1e-12 * six.abs().max(10.0),
                "tree {k}, number {i}: {one} {six}"
            );
        }
    }
}

#[test]
fn chains_that_only_look_like_a_floating_base_are_taken_link_by_link() {
    let [base, ..] = trees();
    let changed = |change: fn(&mut Vec<Body>)| {
        let mut bodies = base.clone();
        change(&mut bodies);
        Tree::new(bodies)
    };
    for tree in [
        changed(|bodies| bodies[2].mass = 1.0),
        changed(|bodies| bodies[1].moment[0] = 0.1),
        changed(|bodies| bodies[4].axis = X),
        changed(|bodies| bodies[3].axis[2] = 2.0),
        changed(|bodies| bodies[5].translation[0] = 0.1),
        changed(|bodies| bodies[5].kind = Kind::Prismatic),
        changed(|bodies| bodies.push(body(6, Some(4), Kind::Revolute, X))),
        changed(|bodies| bodies.truncate(5)),
        changed(|bodies| {
            let mut crane = vec![body(9, None, Kind::Revolute, X)];
            for mut link in bodies.drain(..) {
                link.parent = Some(link.parent.map_or(0, |parent| parent + 1));
                crane.push(link);
            }
            *bodies = crane;
        }),
    ] {
        assert!(tree.floating().is_none());
    }
}
