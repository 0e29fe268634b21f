//! Margins of pairs in configurations, edges and proofs.

use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace};
use kinworld::world::{EntityId, PairFilter, WorldCollider, WorldModel};

use super::prefilter::{spaces, yard};
use super::proofs::check;
use super::{cell, random, space};

/// Margins of every kind: of elements, of robots to terrains and objects, of links of one robot.
fn filter(world: &WorldModel) -> PairFilter {
    let mut filter = PairFilter::default();
    let terrains = world.terrains().map(|(id, _)| EntityId::from(id));
    let objects = world.rigid_objects().map(|(id, _)| EntityId::from(id));
    let others: Vec<_> = terrains.chain(objects).collect();
    for robot in world.robots() {
        for (i, &other) in others.iter().enumerate() {
            filter = filter.with_margin(robot.id(), other, [0.06, 0.0, 0.02][i % 3]);
        }
        let last = robot.links().last().unwrap().entity();
        filter = filter.with_margin(last, robot.id(), 0.01);
        filter = filter.with_margin(robot.id(), robot.id(), 0.003);
        let middle = robot.links().nth(robot.links().count() / 2).unwrap();
        filter = filter.with_margin_of(middle.entity(), 0.015);
        filter = filter.with_margin_of(robot.id(), 0.01);
    }
    filter
}

/// The same space with margins.
fn with_margins(space: &RobotCSpace) -> RobotCSpace {
    let world = space.world();
    let robots: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    RobotCSpace::with_filter(world, &robots, &filter(world)).unwrap()
}

#[test]
fn spheres_keep_the_margins_of_the_shapes() {
    let mut n_changed = 0;
    for (name, bare) in spaces() {
        let exact = with_margins(&bare);
        let space = exact.clone().with_sphere_prefilter(4).unwrap();
        let n = space.n_dofs();
        let rows: Vec<f64> = (0..60).flat_map(|seed| random(&space, seed)).collect();
        let mut free = vec![false; 60];
        space.are_free(&rows, &mut free).unwrap();
        for (q, &free) in rows.chunks_exact(n).zip(&free) {
            let obstacle = exact.obstacle(q).unwrap();
            assert_eq!(free, obstacle.is_none(), "{name}: {q:?}, {obstacle:?}");
            n_changed += usize::from(!free && bare.obstacle(q).unwrap().is_none());
        }
        for seed in 0..8 {
            let (a, mut b) = (random(&space, seed), random(&space, seed + 1000));
            let far = b.clone();
            let u = [0.02, 0.1, 0.4, 1.0][seed as usize % 4];
            space.interpolate_into(&a, &far, u, &mut b);
            let found = exact.edge_collision(&a, &b, EdgeQuery::Any).unwrap();
            assert_eq!(
                space.is_edge_free(&a, &b).unwrap(),
                found.is_none(),
                "{name}"
            );
        }
    }
    assert!(n_changed > 10, "margins decide {n_changed} times only");
}

#[test]
fn inner_spheres_decide_within_margins_too() {
    let world = yard(cell().world()).with_spheres(4).unwrap();
    let robot = world.robots().next().unwrap().id();
    let [bare, space] = [0.0, 0.3].map(|metres| {
        let filter = PairFilter::default().with_margin_of(robot, metres);
        RobotCSpace::with_filter(&world, &[robot], &filter).unwrap()
    });
    let rows: Vec<f64> = (0..150).flat_map(|seed| random(&space, seed)).collect();
    let [before, after] = [&bare, &space].map(|space| {
        let mut ws = space.workspace();
        space
            .are_free_with(&rows, &mut [false; 150], &mut ws)
            .unwrap();
        ws.prefilter_counts()
    });
    assert!(
        after.inner > before.inner + 10 && after.exact < 8,
        "{before:?}, {after:?}"
    );
}

#[test]
fn a_free_configuration_keeps_its_margins() {
    let bare = cell();
    let world = bare.world().clone();
    let robot = world.robots().next().unwrap().id();
    let table = world.entity("table").unwrap();
    let space = RobotCSpace::with_filter(
        &world,
        &[robot],
        &PairFilter::default()
            .with_margin_of(robot, 0.05)
            .with_margin(table, robot, 0.1),
    )
    .unwrap();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let mut tally = [0; 2];
    for seed in 0..40 {
        let q = random(&space, seed);
        ws.set_config(robot, &q).unwrap();
        let is_near = |(a, b): (EntityId, EntityId)| {
            let margin = match a.robot() == b.robot() {
                true => 0.0,
                false if [a, b].contains(&table) => 0.1,
                false => 0.05,
            };
            let links = [a, b].iter().any(|e| e.robot().is_some());
            links && collider.distance_with(a, b, &mut ws).unwrap().distance <= margin
        };
        let expected = collider.pairs().any(is_near);
        assert_eq!(space.obstacle(&q).unwrap().is_some(), expected, "{q:?}");
        tally[usize::from(expected)] += 1;

        // clearance is that of the shapes
        let clearance = space.clearance(&q).unwrap().unwrap().nearest.distance;
        let of_shapes = bare.clearance(&q).unwrap().unwrap();
        assert_eq!(clearance, of_shapes.nearest.distance);
    }
    assert!(tally[0] > 3 && tally[1] > 3, "{tally:?}");
}

#[test]
fn a_proof_keeps_margins_wherever_one_looks() {
    let mut tally = [0; 3];
    let base = space(&["robots/mobile_arm.rob", "terrains/pedestal.env"]);
    for (bare, seeds) in [(cell(), 0..12), (base, 0..3)] {
        let world = bare.world();
        let robot = world.robots().next().unwrap().id();
        let filter = PairFilter::default().with_margin_of(robot, 0.05);
        let space = RobotCSpace::with_filter(world, &[robot], &filter).unwrap();
        for seed in seeds {
            check(&space, seed, 0.05, &mut tally);
        }
    }
    assert!(
        tally[0] > 0 && tally[1] + tally[2] > 0,
        "both outcomes occur: {tally:?}"
    );
}
