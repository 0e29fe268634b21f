//! Threads that share one space.

use std::sync::atomic::{AtomicUsize, Ordering};

use kinworld::planning::{
    Budget, CSpace, EdgeCollision, EdgeQuery, Proof, RigidObjectCSpace, RobotCSpace, Workspace,
    plan,
};

use super::prefilter::spaces;
use super::{cell, random, random_free};
use crate::common::errors::is_invalid;

const N_THREADS: usize = 8;
const N_SEEDS: usize = 16;

/// All that a space says of two configurations, with numbers as their bits.
#[derive(Debug, Clone, PartialEq)]
struct Answer {
    free: [bool; 2],
    obstacle: Option<String>,
    is_edge_free: bool,
    collisions: [Option<EdgeCollision>; 2],
    proof: Option<Proof>,
    clearance: Option<(u64, Vec<u64>)>,
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// In a workspace of the caller, or in those of the pool.
fn answer(space: &RobotCSpace, seed: u64, ws: Option<&mut Workspace>) -> Answer {
    let (a, b) = (random(space, seed), random(space, seed + 500));
    let mut far = a.clone();
    space.interpolate_into(&a, &b, 0.3, &mut far);
    let block = [a.clone(), far.clone()].concat();
    let mut free = [false; 2];
    let proof = |proof: kinworld::Result<Proof>| proof.ok();
    let queries = [EdgeQuery::First, EdgeQuery::Any];
    let (obstacle, is_edge_free, collisions, proof, clearance) = match ws {
        None => {
            space.are_free(&block, &mut free).unwrap();
            (
                space.obstacle(&a).unwrap(),
                space.is_edge_free(&a, &far).unwrap(),
                queries.map(|query| space.edge_collision(&a, &far, query).unwrap()),
                proof(space.prove_edge(&a, &far, 1e-2)),
                space.clearance(&a).unwrap(),
            )
        }
        Some(ws) => {
            space.are_free_with(&block, &mut free, ws).unwrap();
            (
                space.obstacle_with(&a, ws).unwrap(),
                space.is_edge_free_with(&a, &far, ws).unwrap(),
                queries.map(|query| space.edge_collision_with(&a, &far, query, ws).unwrap()),
                proof(space.prove_edge_with(&a, &far, 1e-2, ws)),
                space.clearance_with(&a, ws).unwrap(),
            )
        }
    };
    Answer {
        free,
        obstacle: obstacle.map(|obstacle| obstacle.display(space.world()).to_string()),
        is_edge_free,
        collisions,
        proof,
        clearance: clearance.map(|found| {
            let distance = found.nearest.distance.to_bits();
            (distance, bits(&found.gradient))
        }),
    }
}

/// Runs a task for each seed on eight threads that take the next one when they are ready.
fn shared<T: Send>(task: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let (next, task) = (&next, &task);
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let work = move || {
            let mut done = Vec::new();
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= N_SEEDS {
                    return done;
                }
                done.push((seed, task(seed as u64)));
            }
        };
        let threads: Vec<_> = (0..N_THREADS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    all.sort_by_key(|(seed, _)| *seed);
    all.into_iter().map(|(_, answer)| answer).collect()
}

#[test]
fn eight_threads_on_one_space_answer_bitwise_as_one_thread() {
    let all = spaces().into_iter().chain([("shapes", cell())]);
    for (name, space) in all {
        let mut ws = space.workspace();
        let mut expected: Vec<Answer> = (0..N_SEEDS as u64)
            .map(|seed| answer(&space, seed, Some(&mut ws)))
            .collect();
        assert_eq!(
            shared(|seed| answer(&space, seed, None)),
            expected,
            "{name}"
        );

        // the order of the checks changes nothing either
        expected.reverse();
        let again: Vec<Answer> = (0..N_SEEDS as u64)
            .rev()
            .map(|seed| answer(&space, seed, None))
            .collect();
        assert_eq!(again, expected, "{name}");
    }
}

#[test]
fn eight_threads_on_one_space_find_the_paths_of_one_thread() {
    let space = cell();
    let search = |seed: u64| {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let budget = Budget::default().seed(seed).shortcuts(10);
        let found = plan(&space, &a, &b, &budget).unwrap();
        let path = found.path.unwrap();
        path.iter().map(|q| bits(q)).collect::<Vec<_>>()
    };
    let expected: Vec<_> = (0..N_SEEDS as u64).map(search).collect();
    assert!(expected.iter().any(|path| path.len() > 2));
    assert_eq!(shared(search), expected);
}

#[test]
fn a_workspace_serves_one_space_and_is_made_anew_where_that_changed() {
    fn assert_shared<T: Send + Sync + Clone>(_: &T) {}

    let mut space = cell();
    assert_shared(&space);
    let crate_id = space.world().rigid_object_id("crate").unwrap();
    let rigid = RigidObjectCSpace::new(space.world(), crate_id, [[-1.0, 1.0]; 3], &[]).unwrap();
    assert_shared(&rigid);

    let mut ws = space.workspace();
    for seed in 0..N_SEEDS as u64 {
        assert_eq!(
            answer(&space, seed, Some(&mut ws)),
            answer(&space, seed, None)
        );
    }
    let other = spaces().remove(4).1;
    assert!(is_invalid(&other.is_free_with(&other.current(), &mut ws)));

    // a clone that was made before keeps what moves where it was
    let before = space.clone();
    let q = space.current();
    let arm = space.world().robots().next().unwrap();
    let hand = arm.link("flange").unwrap().pose();
    assert!(space.is_free_with(&q, &mut ws).unwrap());
    space.set_pose(crate_id, &hand).unwrap();
    assert!(!space.is_free_with(&q, &mut ws).unwrap());
    assert!(!space.is_free(&q).unwrap());
    assert!(before.is_free_with(&q, &mut ws).unwrap());
    assert!(before.is_free(&q).unwrap());
}

#[test]
fn many_checks_at_once_are_those_one_by_one() {
    let mut counts = [0; 2];
    for (name, space) in spaces() {
        let n = space.n_dofs();
        let ends: Vec<Vec<f64>> = (0..1001).map(|seed| random(&space, seed)).collect();
        let mut free = vec![false; ends.len()];
        space.are_free(&ends.concat(), &mut free).unwrap();
        for (q, free) in ends.iter().zip(&free) {
            assert_eq!(space.is_free(q).unwrap(), *free, "{name}");
        }
        free.iter().for_each(|free| counts[usize::from(*free)] += 1);

        let edges: Vec<_> = ends
            .windows(2)
            .map(|w| (&*w[0], &*w[1]))
            .take(101)
            .collect();
        let many = space.are_edges_free(&edges).unwrap();
        for (&(a, b), free) in edges.iter().zip(many) {
            assert_eq!(space.is_edge_free(a, b).unwrap(), free, "{name}");
        }

        // the first error, whichever thread is faster
        let mut bad = ends;
        bad[300][0] = f64::NAN;
        bad[900][n - 1] = f64::INFINITY;
        let alone = space.is_free(&bad[300]).unwrap_err().to_string();
        let numbered = alone.replacen("configuration", "configuration 300", 1);
        let failed = space.are_free(&bad.concat(), &mut free).unwrap_err();
        assert_eq!(failed.to_string(), numbered);
        let edges: Vec<_> = bad.iter().map(|q| (&*bad[0], &**q)).skip(280).collect();
        let failed = space.are_edges_free(&edges).unwrap_err();
        assert_eq!(failed.to_string(), format!("edge 20, {alone}"));
        assert!(
            space
                .are_free(&bad[0][1..], &mut free)
                .is_err_and(|error| matches!(error, kinworld::Error::Length { .. }))
        );
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}
