//! Motions of several robots along smooth curves beside their paths.

use kinworld::planning::{
    JointMotion, MotionLimits, PrioritizedOptions, RobotCSpace, Separation, Smoothing,
    plan_prioritized,
};
use kinworld::world::RobotId;

use super::{alone, assert_valid, discs, limits_of, solve};

/// Two discs of which each goes around an end of a wall.
const WALLS: [[f64; 4]; 2] = [[-1.6, -0.5, -1.4, 0.5], [1.4, -0.5, 1.6, 0.5]];
const START: [f64; 4] = [-2.4, 0.05, 0.6, 0.05];
const GOAL: [f64; 4] = [-0.6, 0.05, 2.4, 0.05];

fn smooth() -> PrioritizedOptions {
    // lines with sharp corners, at which motions stop
    alone()
        .with_deviation(0.0)
        .with_smoothing(Some(Smoothing::default()))
}

/// The times at which a robot rests before it arrives, away from its ends and waits.
fn rests(space: &RobotCSpace, motion: &JointMotion, member: usize) -> usize {
    let id = space.robots().nth(member).unwrap();
    let end = motion.arrival(id).unwrap();
    let waits = motion.waits(id);
    let speed = |time: &f64| {
        let v = motion.velocity_at(*time);
        v[2 * member].hypot(v[2 * member + 1])
    };
    let moves = |time: &f64| {
        (0.1..end - 0.1).contains(time)
            && !waits
                .iter()
                .any(|[a, b]| *time > a - 0.1 && *time < b + 0.1)
    };
    let times = motion.knots().into_iter().filter(moves);
    times.filter(|time| speed(time) < 1e-6).count()
}

#[test]
fn motions_follow_smooth_curves_where_such_are_free() {
    let space = discs(2, &WALLS);
    let sharp = solve(&space, &START, &GOAL, &smooth().with_smoothing(None));
    assert!(sharp.rounded.is_empty(), "none was asked for");
    let sharp = sharp.motion.expect("a path leads around");
    assert!((0..2).all(|member| rests(&space, &sharp, member) > 0));

    for separation in [
        Separation::Timed,
        Separation::SweptVolumes { spacing: 0.02 },
    ] {
        let options = smooth().with_separation(separation);
        let found = solve(&space, &START, &GOAL, &options);
        assert_eq!(found.rounded, []);
        let motion = found.motion.expect("a path leads around");
        assert_valid(&space, &motion, &START, &GOAL);
        assert!((0..2).all(|member| rests(&space, &motion, member) == 0));
        assert!(motion.duration() < sharp.duration());
    }
}

#[test]
fn waits_and_the_joint_space_have_smooth_curves_too() {
    let space = discs(2, &[]);
    let (start, goal) = ([-1.0, 0.0, 0.0, -1.0], [1.0, 0.0, 0.0, 1.0]);
    let found = solve(&space, &start, &goal, &smooth());
    assert_eq!((found.is_joint, &found.rounded[..]), (false, &[][..]));
    let motion = found.motion.expect("one waits");
    let second = space.robots().nth(1).unwrap();
    assert!(!motion.waits(second).is_empty());
    assert_valid(&space, &motion, &start, &goal);

    let (start, goal) = ([-1.0, 0.0, 1.0, 0.0], [1.0, 0.0, -1.0, 0.0]);
    let options = smooth().with_joint(PrioritizedOptions::default().joint);
    let found = solve(&space, &start, &goal, &options);
    assert_eq!((found.is_joint, &found.rounded[..]), (true, &[][..]));
    let motion = found.motion.expect("they pass each other");
    assert_valid(&space, &motion, &start, &goal);
    assert_eq!(rests(&space, &motion, 0), 0);
}

#[test]
fn robots_without_a_smooth_curve_are_listed() {
    let space = discs(2, &WALLS);
    let ids: Vec<RobotId> = space.robots().collect();
    // a motion of so little jerk leaves every curve
    let jerk = [0.02, 0.02, 100.0, 100.0];
    let limits: MotionLimits = limits_of(&space).with_jerk(&jerk).unwrap();
    let found = plan_prioritized(&space, &START, &GOAL, &limits, &smooth(), |_| true).unwrap();
    assert_eq!(found.rounded, ids[..1]);
    let motion = found.motion.expect("lines are free");
    assert_eq!(motion.check(&limits).unwrap(), None);
    assert_valid(&space, &motion, &START, &GOAL);

    let wrong = smooth().with_smoothing(Some(Smoothing::default().with_margin(-1.0)));
    let refused = plan_prioritized(&space, &START, &GOAL, &limits, &wrong, |_| true);
    let problem = refused.unwrap_err().to_string();
    assert!(problem.contains("the margin of smoothing"), "{problem}");
}
