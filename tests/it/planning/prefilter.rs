//! The sphere pre-filter decides where it can, and never otherwise than the shapes.

use kinworld::geometry::{Geometry, Mesh, Primitive};
use kinworld::planning::{Budget, CSpace, EdgeQuery, RobotCSpace, plan};
use kinworld::robot::{Element, LinkMotion, LinkSpec, Robot, RobotBuilder};
use kinworld::world::Terrain;
use kinworld::{Error, Point, Pose, Vector, WorldModel};

use super::{cell, random, random_free, space};

/// An arm among obstacles of every kind.
pub(super) fn yard(arm: &WorldModel) -> WorldModel {
    let mut yard = WorldModel::new();
    yard.add_robot(arm.robots().next().unwrap().model().as_ref().clone());
    let pose = Pose::new(Vector::new(0.5, 0.2, 0.6), Vector::new(0.3, 0.2, 0.9));
    let shapes = [
        Primitive::cuboid(pose, Vector::new(0.1, 0.2, 0.3)).unwrap(),
        Primitive::cylinder(
            Point::new(-0.5, 0.1, 0.4),
            Vector::new(0.0, 0.6, 0.8),
            0.1,
            0.5,
        )
        .unwrap(),
        Primitive::capsule(Point::new(0.0, 0.6, 0.2), Point::new(0.2, 0.6, 0.8), 0.05).unwrap(),
        Primitive::sphere(Point::new(0.1, -0.6, 0.5), 0.15).unwrap(),
        Primitive::aabb(Point::new(-2.0, -2.0, -0.2), Point::new(2.0, 2.0, -0.1)).unwrap(),
    ];
    for (i, shape) in shapes.into_iter().enumerate() {
        let shape = Geometry::from(shape);
        yard.add_terrain(Terrain::new(format!("obstacle {i}"), Some(shape)))
            .unwrap();
    }
    yard
}

/// Spaces of every kind, each with spheres of its own kind.
pub(super) fn spaces() -> Vec<(&'static str, RobotCSpace)> {
    let again = |world: &WorldModel| {
        let robots: Vec<_> = world.robots().map(|robot| robot.id()).collect();
        RobotCSpace::new(world, &robots).unwrap()
    };
    let arm = cell();
    let mobile = space(&[
        "robots/mobile_arm.rob",
        "terrains/table.env",
        "terrains/shelf.env",
    ]);
    let mut two = arm.world().clone();
    let other = two.robots().next().unwrap().model().as_ref().clone();
    let mut beside = RobotBuilder::from(&other);
    let root = beside
        .links
        .iter_mut()
        .find(|link| link.parent.is_none())
        .unwrap();
    root.placement = Pose::translation(0.7, 0.1, 0.0) * root.placement;
    two.add_robot(beside.build().unwrap());

    let yard = yard(arm.world());
    vec![
        ("meshes", arm.clone().with_sphere_prefilter(4).unwrap()),
        (
            "hulls",
            again(&arm.world().with_hulls().unwrap())
                .with_sphere_prefilter(4)
                .unwrap(),
        ),
        ("spheres", again(&arm.world().with_spheres(4).unwrap())),
        (
            "a mobile base",
            again(&mobile.world().with_spheres(4).unwrap()),
        ),
        ("two arms", again(&two.with_spheres(4).unwrap())),
        (
            "surfaces in a yard",
            again(&yard).with_sphere_prefilter(8).unwrap(),
        ),
        ("spheres in a yard", again(&yard.with_spheres(4).unwrap())),
        (
            "hulls in a yard",
            again(&yard.with_hulls().unwrap())
                .with_sphere_prefilter(4)
                .unwrap(),
        ),
        (
            "legs",
            space(&["robots/quadruped.rob", "terrains/floor.env"])
                .with_sphere_prefilter(4)
                .unwrap(),
        ),
    ]
}

/// Parts of edges that are asked for.
const SHARES: [f64; 4] = [0.8, 0.5, 0.3, 0.1];

#[test]
fn configurations_and_edges_are_free_as_the_shapes_have_it() {
    let mut parts = 0;
    for (name, space) in spaces() {
        let n = space.n_dofs();
        let rows: Vec<f64> = (0..67).flat_map(|seed| random(&space, seed)).collect();
        let mut free = vec![false; 67];
        let mut ws = space.workspace();
        space.are_free_with(&rows, &mut free, &mut ws).unwrap();
        for (q, &free) in rows.chunks_exact(n).zip(&free) {
            assert_eq!(free, space.obstacle(q).unwrap().is_none(), "{name}: {q:?}");
        }
        let counts = ws.prefilter_counts();
        assert_eq!(counts.outer + counts.inner + counts.exact, 67, "{name}");
        // alone, where the first certain collision decides
        for (q, &free) in rows.chunks_exact(n).zip(&free) {
            assert_eq!(
                space.is_free_with(q, &mut ws).unwrap(),
                free,
                "{name}: {q:?}"
            );
        }

        // edges of every length: from a few samples to some hundred
        let mut ends = Vec::new();
        for seed in 0..16 {
            let (a, mut b) = (random(&space, seed), random(&space, seed + 1000));
            let u = [0.02, 0.1, 0.4, 1.0][seed as usize % 4];
            let far = b.clone();
            space.interpolate_into(&a, &far, u, &mut b);
            ends.push((a, b));
        }
        for (a, b) in &ends {
            let found = space.edge_collision(a, b, EdgeQuery::Any).unwrap();
            assert_eq!(space.is_edge_free(a, b).unwrap(), found.is_none(), "{name}");
            let first = space.edge_collision(a, b, EdgeQuery::First).unwrap();
            assert_eq!(first.is_none(), found.is_none(), "{name}");
            let share = space.free_share(a, b, &SHARES).unwrap();
            assert_eq!(share >= 1.0, found.is_none(), "{name}");
            if let (Some(first), Some(any)) = (first, found) {
                assert!(first.t <= any.t, "{name}");
                // what ends before the first that is not free, at the last step in it
                let whole = SHARES.into_iter().find(|share| *share < first.t);
                let whole = whole.unwrap_or(0.0);
                assert!(share <= whole && (share > 0.0 || whole < 1.0), "{name}");
                parts += usize::from(share > 0.0);
                assert_eq!(space.is_edge_free_in_steps(a, b, 1).unwrap(), {
                    let end = |q: &[f64]| space.obstacle(q).unwrap().is_none();
                    end(a) && end(b)
                });
            }
        }

        // any number of threads
        let edges: Vec<_> = ends
            .iter()
            .map(|(a, b)| (a.as_slice(), b.as_slice()))
            .collect();
        let one: Vec<bool> = edges
            .iter()
            .map(|(a, b)| space.is_edge_free(a, b).unwrap())
            .collect();
        assert_eq!(space.are_edges_free(&edges).unwrap(), one, "{name}");
    }
    assert!(parts > 3, "{parts}");
}

/// Whatever a workspace has checked before, and with spheres or without, the same part of an edge is free: of its samples, all.
#[test]
fn the_free_part_of_an_edge_is_that_of_its_steps() {
    let exact = cell();
    let with_spheres = exact.clone().with_sphere_prefilter(4).unwrap();
    let mut used = [&exact, &with_spheres].map(|space| space.workspace());
    let (mut parts, mut beyond) = (0, 0);
    for seed in 0..600 {
        let (a, mut b) = (random_free(&exact, seed), random_free(&exact, seed + 1000));
        if seed % 4 == 0 {
            // most of these end beyond limits
            b = a.iter().zip(&b).map(|(a, b)| a + 2.0 * (b - a)).collect();
        }
        beyond += usize::from(exact.obstacle(&b).unwrap().is_some());
        let steps = [7, 60, 333][seed as usize % 3];
        let is_free = |i: usize| {
            let mut q = b.clone();
            exact.interpolate_into(&a, &b, i as f64 / steps as f64, &mut q);
            exact.obstacle(&q).unwrap().is_none()
        };
        let free = (0..=steps).take_while(|&i| is_free(i)).count();
        let ends = SHARES.map(|share| (share * steps as f64) as usize);
        let part = ends.into_iter().find(|&end| 0 < end && end < free);
        let expected = if free > steps {
            steps
        } else {
            part.unwrap_or(0)
        } as f64;
        for (space, ws) in [&exact, &with_spheres].into_iter().zip(&mut used) {
            let share = space.free_share_in_steps_with(&a, &b, steps, &SHARES, ws);
            assert!(
                (share.unwrap() * steps as f64 - expected).abs() < 1e-9,
                "{seed}"
            );
            let fresh = &mut space.workspace();
            let again = space.free_share_in_steps_with(&a, &b, steps, &SHARES, fresh);
            let again = again.unwrap() * steps as f64;
            assert!((again - expected).abs() < 1e-9, "{seed}");
        }
        parts += usize::from(part.is_some() && free <= steps);
    }
    assert!(parts > 10 && beyond > 10, "{parts} {beyond}");
    for wrong in [-0.1, 1.1, f64::NAN] {
        for space in [&exact, &with_spheres] {
            let q = exact.current();
            let outcome = space.free_share(&q, &q, &[wrong]);
            assert!(matches!(outcome, Err(Error::Invalid { .. })), "{outcome:?}");
        }
    }
}

/// Equal seeds give equal paths, whatever else was planned in the space before.
#[test]
fn what_was_checked_before_changes_no_path() {
    for (name, space) in spaces().into_iter().take(3) {
        let ends: Vec<_> = (0..6).map(|seed| random_free(&space, seed)).collect();
        let plan_of = |pair: &[Vec<f64>], space: &RobotCSpace| {
            let budget = Budget::default().seed(3).shortcuts(0).max_iterations(2000);
            plan(space, &pair[0], &pair[1], &budget).unwrap().path
        };
        let first: Vec<_> = ends.windows(2).map(|pair| plan_of(pair, &space)).collect();
        let backwards = ends.windows(2).rev().map(|pair| plan_of(pair, &space));
        let mut again: Vec<_> = backwards.collect();
        again.reverse();
        assert_eq!(first, again, "{name}");
        assert!(first.iter().flatten().any(|path| path.len() > 2), "{name}");
    }
}

#[test]
fn every_tier_decides_something_and_spheres_decide_most_where_links_are_spheres() {
    let decided = |name: &str| {
        let (_, space) = spaces().into_iter().find(|(n, _)| *n == name).unwrap();
        let rows: Vec<f64> = (0..150).flat_map(|seed| random(&space, seed)).collect();
        let mut ws = space.workspace();
        space
            .are_free_with(&rows, &mut [false; 150], &mut ws)
            .unwrap();
        ws.prefilter_counts()
    };
    let hulls = decided("hulls in a yard");
    assert!(
        hulls.outer > 5 && hulls.inner > 2 && hulls.exact > 5,
        "{hulls:?}"
    );
    let surfaces = decided("surfaces in a yard");
    assert!(surfaces.inner > 2, "{surfaces:?}");
    let spheres = decided("spheres in a yard");
    assert!(
        spheres.outer > 5 && spheres.inner > 30 && spheres.exact < 4,
        "{spheres:?}"
    );
}

#[test]
fn what_is_no_configuration_is_an_error_and_what_is_beyond_limits_is_not_free() {
    let exact = cell();
    let start = exact.current();
    for space in [exact.clone().with_sphere_prefilter(4).unwrap(), exact] {
        let mut rows = start.repeat(3);
        rows[13] = 20.0;
        let mut free = [true; 3];
        space.are_free(&rows, &mut free).unwrap();
        assert_eq!(free, [true, true, false]);
        let beyond = &rows[12..18];
        assert!(!space.is_edge_free(beyond, &start).unwrap());
        assert!(space.free_share(beyond, &start, &[]).unwrap() < 1.0);
        assert!(space.free_share(beyond, &start, &SHARES).unwrap() <= 0.0);

        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            rows[6] = value;
            for outcome in [
                space.are_free(&rows, &mut free).map(drop),
                space.is_free(&rows[6..12]).map(drop),
                space.is_edge_free(&start, &rows[6..12]).map(drop),
                space.is_edge_free(&rows[6..12], &start).map(drop),
                space.is_edge_free_in_steps(&start, &start, 0).map(drop),
            ] {
                assert!(matches!(outcome, Err(Error::Invalid { .. })), "{outcome:?}");
            }
        }
        for outcome in [
            space.are_free(&start, &mut free).map(drop),
            space.is_free(&start[1..]).map(drop),
            space.is_edge_free(&start, &start[1..]).map(drop),
        ] {
            assert!(matches!(outcome, Err(Error::Length { .. })), "{outcome:?}");
        }
        let fine = space.with_resolution(1e-9).unwrap();
        let mut far = start.clone();
        far[0] += 1.0;
        let error = fine.is_edge_free(&start, &far).unwrap_err().to_string();
        assert!(error.contains("coarser"), "{error}");
    }
}

/// Rows are packed: one that is beyond a limit by the last bit spoils no neighbour.
#[test]
fn rows_beyond_limits_are_not_free_and_their_neighbours_are_as_the_shapes_have_it() {
    for (name, space) in spaces() {
        let n = space.n_dofs();
        let bounds = space.bounds();
        let mut rows: Vec<f64> = (0..67).flat_map(|seed| random(&space, seed)).collect();
        let mut spoilt = 0;
        for (k, q) in rows.chunks_exact_mut(n).enumerate().skip(1) {
            let i = k % n;
            let [low, high] = bounds[i];
            let numbers = [high, 1e100, low, high.next_up(), low.next_down(), -1e100];
            let number = numbers[k % 6];
            if k % 5 < 2 && number.is_finite() && low.is_finite() && high.is_finite() {
                q[i] = number;
                spoilt += usize::from(!(low..=high).contains(&q[i]));
            }
        }
        assert!(spoilt > 10, "{name}: {spoilt}");
        let mut free = vec![false; 67];
        space.are_free(&rows, &mut free).unwrap();
        for (q, &free) in rows.chunks_exact(n).zip(&free) {
            assert_eq!(free, matches!(space.obstacle(q), Ok(None)), "{name}: {q:?}");
        }
    }
}

/// A robot that carries a shape along three axes.
fn carriage(shape: Geometry) -> Robot {
    let mut builder = RobotBuilder::new("carriage");
    let mut parent = None;
    for (name, axis) in [("x", Vector::x()), ("y", Vector::y()), ("z", Vector::z())] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Prismatic(axis));
        (link.limits.q_min, link.limits.q_max) = (-2.0, 2.0);
        parent = Some(builder.add_link(link));
    }
    builder.links[2].collision = vec![Element::new(shape)];
    builder.build().unwrap()
}

#[test]
fn spheres_inside_a_closed_surface_tell_what_reaches_out_of_it_from_what_is_wholly_inside() {
    let box_of = |half: [f64; 3]| {
        let high = Point::from(Vector::from(half));
        Geometry::from(Primitive::aabb(-high, high).unwrap())
    };
    let surface = Geometry::from(box_of([0.2; 3]).to_mesh().unwrap());
    assert!(!surface.is_solid());
    let robot = carriage(surface.clone());
    // a configuration, and whether it is free where the obstacle is small and where it reaches out
    let places = [
        ([0.0, 0.0, 0.0], [true, false]),
        ([0.05, -0.03, 0.02], [true, false]),
        ([0.0, 0.19, 0.0], [false, false]),
        ([1.0, 0.6, -1.5], [true, true]),
    ];
    let obstacles = [
        // just fits
        (box_of([0.14; 3]), 0),
        (Primitive::sphere(Point::origin(), 0.1).unwrap().into(), 0),
        // through the surface, and a wall
        (box_of([0.01, 0.01, 0.5]), 1),
        (box_of([0.5, 0.5, 0.01]), 1),
    ];
    for (obstacle, kind) in obstacles {
        let mut world = WorldModel::new();
        let id = world.add_robot(robot.clone());
        let terrain = Terrain::new("obstacle", Some(obstacle));
        world.add_terrain(terrain).unwrap();
        let shapes = RobotCSpace::new(&world, &[id]).unwrap();
        let space = shapes.clone().with_sphere_prefilter(16).unwrap();
        for (q, is_free) in places {
            assert_eq!(shapes.is_free(&q).unwrap(), is_free[kind], "{kind} {q:?}");
            assert_eq!(space.is_free(&q).unwrap(), is_free[kind], "{kind} {q:?}");
        }
        for seed in 0..200 {
            let q: Vec<f64> = random(&space, seed).iter().map(|x| 0.25 * x).collect();
            assert_eq!(space.is_free(&q).unwrap(), shapes.is_free(&q).unwrap());
        }
        // without asking the shapes where it reaches out
        let mut ws = space.workspace();
        let free = space.is_free_with(&[0.0; 3], &mut ws).unwrap();
        let edge = space.is_edge_free_with(&[0.0; 3], &[0.01; 3], &mut ws);
        assert_eq!([free, edge.unwrap()], [kind == 0; 2]);
        assert_eq!(ws.prefilter_counts().inner, 2 * kind as u64, "{kind}");
    }

    // of an open one nothing is known
    let mesh = surface.to_mesh().unwrap();
    let some = &mesh.triangles()[1..];
    let open = Mesh::new(mesh.vertices().to_vec(), some.to_vec()).unwrap();
    let mut world = WorldModel::new();
    let id = world.add_robot(carriage(open.into()));
    let terrain = Terrain::new("wall", Some(box_of([0.5, 0.5, 0.01])));
    world.add_terrain(terrain).unwrap();
    let space = RobotCSpace::new(&world, &[id]).unwrap();
    let space = space.with_sphere_prefilter(16).unwrap();
    let mut ws = space.workspace();
    assert!(!space.is_free_with(&[0.0; 3], &mut ws).unwrap());
    assert_eq!(ws.prefilter_counts().exact, 1);
}

#[test]
fn edges_that_pass_within_the_rounding_of_spheres_are_what_the_shapes_say() {
    const RADIUS: f64 = 0.05;
    let shape = Primitive::sphere(Point::origin(), RADIUS).unwrap();
    let robot = carriage(shape.into());
    let (low, high) = (Point::new(-0.1, -0.1, -0.1), Point::new(0.1, 0.1, 0.1));
    // all of them end at z = 0.1; single precision does not know on which side of them an edge a micrometre away is
    let obstacles = [
        Primitive::aabb(low, high),
        Primitive::sphere(Point::origin(), 0.1),
        Primitive::capsule(low + Vector::z() * 0.15, high - Vector::z() * 0.05, 0.05),
        Primitive::cylinder(Point::origin(), Vector::z(), 0.07, 0.2),
    ];
    for (kind, obstacle) in obstacles.into_iter().enumerate() {
        let mut world = WorldModel::new();
        let id = world.add_robot(robot.clone());
        let terrain = Terrain::new("obstacle", Some(obstacle.unwrap().into()));
        world.add_terrain(terrain).unwrap();
        let space = RobotCSpace::new(&world, &[id]).unwrap();
        for (beside, is_free) in [(1e-6, true), (-1e-6, false)] {
            let z = 0.1 + RADIUS + beside;
            let (a, b) = ([-1.0, -1.0, z], [1.0, 1.0, z]);
            let found = space.is_edge_free_in_steps(&a, &b, 200).unwrap();
            assert_eq!(found, is_free, "{kind} {beside}");
        }
    }
}
