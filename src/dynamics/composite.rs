//! Composite rigid-body inertias: of the whole robot and of subtrees.

use crate::kinematics::State;
use crate::math::Inertia;
use crate::robot::{LinkId, Robot};

/// Inertia of the whole robot as one rigid body: mass, centre of mass and moment of inertia, in the world.
///
/// Links that are fixed to the world are included. Seen from any other frame: [`Inertia::transformed`]. The moment about the
/// centre of mass alone is [`total_inertia`](crate::kinematics::total_inertia).
#[must_use]
pub fn composite_inertia(robot: &Robot, state: &State) -> Inertia {
    let all = subtree_inertias(robot, state);
    let roots = robot.links().iter().zip(&all).enumerate();
    let roots = roots.filter(|(_, (link, _))| link.parent().is_none());
    roots.fold(Inertia::zero(), |sum, (i, (_, inertia))| {
        let x_wl = state.pose_in_parent(robot, LinkId::new(i));
        sum.merged(&inertia.transformed(&x_wl))
    })
}

/// Inertia of a link and its descendants as one rigid body, in the frame of the link.
///
/// # Panics
///
/// If the link or the state belongs to a larger robot.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector, dynamics};
///
/// let mass = |mass| Inertia { mass, ..Inertia::zero() };
/// let mut truck = RobotBuilder::new("truck");
/// let mut bed = LinkSpec::new("bed", None, LinkMotion::Prismatic(Vector::x()));
/// bed.inertia = mass(600.0);
/// let bed = truck.add_link(bed);
/// let mut load = LinkSpec::new("load", Some(bed), LinkMotion::Prismatic(Vector::x()));
/// (load.inertia, load.initial) = (mass(200.0), -4.0);
/// truck.add_link(load);
/// let truck = truck.build()?;
///
/// let loaded = dynamics::subtree_inertia(&truck, &State::new(&truck), bed);
/// assert_eq!((loaded.mass, loaded.com), (800.0, Point::new(-1.0, 0.0, 0.0)));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
pub fn subtree_inertia(robot: &Robot, state: &State, link: LinkId) -> Inertia {
    subtree_inertias(robot, state)[link.index()]
}

/// [`subtree_inertia`] of every link, without allocation.
///
/// # Panics
///
/// If `out` does not have one inertia per link, or the state belongs to a robot of another size.
pub fn subtree_inertias_into(robot: &Robot, state: &State, out: &mut [Inertia]) {
    let links = robot.links();
    assert_eq!(out.len(), links.len(), "one inertia per link");
    for (out, link) in out.iter_mut().zip(links) {
        *out = *link.inertia();
    }
    for (i, link) in links.iter().enumerate().rev() {
        if let Some(parent) = link.parent() {
            let x_pl = state.pose_in_parent(robot, LinkId::new(i));
            out[parent.index()] = out[parent.index()].merged(&out[i].transformed(&x_pl));
        }
    }
}

fn subtree_inertias(robot: &Robot, state: &State) -> Vec<Inertia> {
    let mut all = vec![Inertia::zero(); robot.links().len()];
    subtree_inertias_into(robot, state, &mut all);
    all
}
