//! Margins of pairs, against the distances of the shapes.

use kinworld::geometry::query;
use kinworld::world::{EntityId, PairFilter, WorldCollider, WorldModel};
use kinworld::{Error, Point};

use super::brute_force::{Random, is_enabled, shaped};
use super::{ball, is_invalid, names, object, string_of_balls};

/// A margin as it was asked for: of a pair, or of an element to all else.
struct Rule(EntityId, Option<EntityId>, f64);

impl Rule {
    /// What this rule alone has a pair keep, as the documentation says.
    fn of(&self, a: EntityId, b: EntityId) -> f64 {
        let is = |e: EntityId, name: EntityId| {
            e == name || e.robot().is_some_and(|robot| name == robot.into())
        };
        let &Self(x, y, metres) = self;
        let counts = match y {
            Some(y) => (is(a, x) && is(b, y)) || (is(a, y) && is(b, x)),
            None => is(a, x) != is(b, x),
        };
        if counts { metres } else { 0.0 }
    }
}

/// Some rules for whatever there is, robots as a whole included.
fn rules(world: &WorldModel, random: &mut Random) -> Vec<Rule> {
    let robots: Vec<EntityId> = world.robots().map(|robot| robot.id().into()).collect();
    let all = [shaped(world), robots.clone()].concat();
    let mut rules = Vec::new();
    for &robot in &robots {
        rules.push(Rule(robot, Some(robot), random.between(0.0..0.1)));
    }
    for _ in 0..40 {
        let [a, b] = [(); 2].map(|()| all[random.below(all.len())]);
        rules.push(Rule(a, Some(b), random.between(0.0..0.5)));
    }
    for _ in 0..3 {
        let element = all[random.below(all.len())];
        rules.push(Rule(element, None, random.between(0.0..0.2)));
    }
    rules.extend(robots.last().map(|&robot| Rule(robot, None, 0.07)));
    rules
}

fn filter(rules: &[Rule]) -> PairFilter {
    let add = |filter: PairFilter, &Rule(a, b, metres): &Rule| match b {
        Some(b) => filter.with_margin(a, b, metres),
        None => filter.with_margin_of(a, metres),
    };
    rules.iter().fold(PairFilter::default(), add)
}

/// The pairs that are not farther apart than their margin.
fn too_near(world: &WorldModel, rules: &[Rule]) -> Vec<(EntityId, EntityId)> {
    let entities = shaped(world);
    let mut pairs = Vec::new();
    for (i, &a) in entities.iter().enumerate() {
        for &b in &entities[i + 1..] {
            let margin = rules.iter().map(|rule| rule.of(a, b)).fold(0.0, f64::max);
            let [x, y] = [a, b].map(|entity| world.geometry(entity).unwrap());
            let (x, y) = ((&x.geometry, &x.pose), (&y.geometry, &y.pose));
            if is_enabled(world, a, b) && query::distance(x, y).unwrap().distance <= margin {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

#[test]
fn pairs_collide_that_are_not_farther_apart_than_their_margin() {
    let (mut n_touching, mut n_near) = (0, 0);
    for seed in 600..612 {
        let mut random = Random::new(seed);
        let mut world = random.world(16);
        let rules = rules(&world, &mut random);
        let collider = WorldCollider::new(&world, &filter(&rules)).unwrap();
        let bare = WorldCollider::new(&world, &PairFilter::default()).unwrap();
        let (mut ws, mut without) = (collider.workspace(), bare.workspace());
        let mut pairs = Vec::new();
        for round in 0..4 {
            let ids: Vec<_> = world.robots().map(|robot| robot.id()).collect();
            for &id in &ids {
                let q = random.config(world.robot(id).unwrap().model());
                world.robot_mut(id).unwrap().set_config(&q).unwrap();
                ws.set_config(id, &q).unwrap();
                without.set_config(id, &q).unwrap();
            }
            let objects: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
            for &id in &objects[..round] {
                let pose = random.pose(1.0);
                let mut object = world.rigid_object_mut(id).unwrap();
                object.set_pose(&pose).unwrap();
                ws.set_pose(id, &pose).unwrap();
                without.set_pose(id, &pose).unwrap();
            }
            let expected = too_near(&world, &rules);
            collider.colliding_pairs_with(&mut ws, &mut pairs);
            assert_eq!(names(&world, &pairs), names(&world, &expected), "{seed}");

            let first = collider.first_collision_with(&mut ws);
            assert!(first.map_or(expected.is_empty(), |pair| expected.contains(&pair)));
            for &id in &ids {
                let of_robot = |pair: &(EntityId, EntityId)| {
                    [pair.0, pair.1].iter().any(|e| e.robot() == Some(id))
                };
                let any = expected.iter().any(of_robot);
                let hit = collider.robot_collision_with(id, &mut ws).unwrap();
                assert!(hit.map_or(!any, |pair| of_robot(&pair) && expected.contains(&pair)));

                // what is told in metres does not change
                let clearance = collider.clearance_with(&[id], &mut ws).unwrap();
                let of_shapes = bare.clearance_with(&[id], &mut without).unwrap();
                let bits = |found: Option<kinworld::world::WorldDistance>| {
                    found.map(|found| found.distance.to_bits())
                };
                assert_eq!(bits(clearance), bits(of_shapes));
                let other = objects[random.below(objects.len())];
                let apart = collider.distance_with(id, other, &mut ws).ok();
                let of_shapes = bare.distance_with(id, other, &mut without).ok();
                assert_eq!(bits(apart), bits(of_shapes));
            }
            let (origin, direction) = (Point::from(random.vector(2.0)), random.vector(5.0));
            assert_eq!(
                collider
                    .ray_cast_with(&origin, &direction, &mut ws)
                    .unwrap(),
                bare.ray_cast_with(&origin, &direction, &mut without)
                    .unwrap()
            );
            n_touching += too_near(&world, &[]).len();
            n_near += expected.len();
        }
    }
    assert!(
        n_touching > 200 && n_near > n_touching + 200,
        "{n_touching} touch, {n_near} are too near"
    );
}

#[test]
fn the_largest_of_all_margins_counts_and_touching_it_collides() {
    let mut world = WorldModel::new();
    let mut add = |name, x| {
        let body = object(name, ball(0.5), [x, 0.0, 0.0]);
        EntityId::from(world.add_rigid_object(body).unwrap())
    };
    let (a, b, c) = (add("a", 0.0), add("b", 1.25), add("c", 2.75));
    let pairs = |filter: &PairFilter| {
        let collider = WorldCollider::new(&world, filter).unwrap();
        collider.colliding_pairs()
    };
    let filter = PairFilter::default;
    assert_eq!(pairs(&filter().with_margin(a, b, 0.0)), []);
    assert_eq!(pairs(&filter().with_margin(b, a, 0.25)), [(a, b)]);
    let twice = filter().with_margin(a, b, 0.25).with_margin(b, a, 0.125);
    assert_eq!(pairs(&twice), [(a, b)]);
    assert_eq!(pairs(&filter().with_margin_of(b, 0.5)), [(a, b), (b, c)]);
    let both = filter().with_margin_of(b, 0.125).with_margin(c, b, 0.75);
    assert_eq!(pairs(&both), [(b, c)]);
    // what is left out stays out
    assert_eq!(pairs(&both.ignore(c)), []);
}

#[test]
fn a_margin_that_is_no_length_is_refused_by_name() {
    let mut world = WorldModel::new();
    let cup = world
        .add_rigid_object(object("cup", ball(0.1), [0.0; 3]))
        .unwrap();
    let arm = world.add_robot(string_of_balls("arm", 3));
    let tip = world.robot(arm).unwrap().link("ball2").unwrap().entity();
    let gone = world.add_robot(string_of_balls("gone", 1));
    world.remove(gone).unwrap();
    let freeze = |filter: &PairFilter| WorldCollider::new(&world, filter);
    for metres in [f64::NAN, f64::INFINITY, -1e-3] {
        let pair = PairFilter::default().with_margin(tip, cup, metres);
        // a good margin of the same pair does not hide it
        let pair = pair.with_margin(tip, cup, 0.1);
        let words = "between `cup` and `arm[ball2]`: must be finite";
        assert!(is_invalid(freeze(&pair), words), "{metres}");
        let element = PairFilter::default().with_margin_of(arm, metres);
        assert!(is_invalid(freeze(&element), "the margin of `arm`: must be"));
    }
    let unknown = PairFilter::default().with_margin(cup, gone, 0.1);
    assert!(matches!(freeze(&unknown), Err(Error::NotFound { .. })));
    let unknown = PairFilter::default().with_margin_of(gone, 0.1);
    assert!(matches!(freeze(&unknown), Err(Error::NotFound { .. })));
}

#[cfg(feature = "serde")]
#[test]
fn a_filter_reads_back_and_one_from_before_margins_has_none() {
    let mut world = WorldModel::new();
    let cup = world
        .add_rigid_object(object("cup", ball(0.1), [0.0; 3]))
        .unwrap();
    let arm = world.add_robot(string_of_balls("arm", 3));
    let old = PairFilter::default().ignore_pair(arm, arm).with_mounts();
    let filter = old.clone().with_margin(arm, cup, 0.25);
    let filter = filter.with_margin_of(cup, 0.125);

    let mut json = serde_json::to_value(&filter).unwrap();
    let back: PairFilter = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(back, filter);
    let fields = json.as_object_mut().unwrap();
    assert!(fields.remove("margins").is_some() && fields.remove("element_margins").is_some());
    assert_eq!(serde_json::from_value::<PairFilter>(json).unwrap(), old);
}
