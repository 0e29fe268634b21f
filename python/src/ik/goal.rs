//! Goals of inverse kinematics.

use kinworld::kinematics::ik::{self, Anchor, PositionGoal, RotationGoal};
use kinworld::{Point, Pose, Robot as Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;

use crate::convert::{Array2, LinkKey, PoseIn, RotationIn, Vec3, pose_array};
use crate::describe::{count, triple};
use crate::error::call;
use crate::robot::Robot;

/// A goal for the pose of a link: position, rotation, or both. Functions of `kinworld.ik` look up the link by name.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct Objective {
    link: LinkKey,
    relative_to: Option<LinkKey>,
    frame: Option<Pose>,
    position: PositionGoal,
    rotation: RotationGoal,
    weights: (f64, f64),
}

impl Objective {
    /// An objective of the library, of this robot.
    pub(crate) fn from_model(objective: ik::Objective, robot: &Model) -> Self {
        let (relative_to, frame) = match objective.anchor {
            Anchor::Link(link) => (Some(LinkKey::known(link, robot)), None),
            Anchor::Object(pose) => (None, Some(pose)),
            _ => (None, None),
        };
        Self {
            link: LinkKey::known(objective.link, robot),
            relative_to,
            frame,
            position: objective.position,
            rotation: objective.rotation,
            weights: (objective.position_weight, objective.rotation_weight),
        }
    }

    pub(crate) fn of(&self, robot: &Model) -> PyResult<ik::Objective> {
        let link = self.link.of(robot)?;
        let mut objective = ik::Objective::position(link, self.position.clone())
            .with_rotation(self.rotation)
            .with_weights(self.weights.0, self.weights.1);
        if let Some(base) = &self.relative_to {
            objective = objective.relative_to(Anchor::Link(base.of(robot)?));
        } else if let Some(frame) = self.frame {
            objective = objective.relative_to(Anchor::Object(frame));
        }
        Ok(objective)
    }
}

#[pymethods]
impl Objective {
    /// Number of equations.
    #[getter]
    fn rows(&self) -> usize {
        self.position.rows() + self.rotation.rows()
    }

    /// The pose (4 × 4) of the link that satisfies the goal and is nearest to ``near`` (4 × 4), as goals in the world.
    fn closest<'py>(
        &self,
        py: Python<'py>,
        robot: &Bound<'py, Robot>,
        near: PoseIn,
    ) -> PyResult<Array2<'py>> {
        let goal = self.of(&robot.get().model)?;
        call(|| goal.closest(&near.0)).map(|pose| pose_array(py, &pose))
    }

    /// A random pose (4 × 4) of the link that satisfies the goal, about ``radius`` m from ``near`` (4 × 4) where it is free.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        robot: &Bound<'py, Robot>,
        near: PoseIn,
        radius: f64,
        seed: u64,
    ) -> PyResult<Array2<'py>> {
        let goal = self.of(&robot.get().model)?;
        call(|| goal.sample(&near.0, radius, seed)).map(|pose| pose_array(py, &pose))
    }

    fn __repr__(&self) -> String {
        let mut parts = vec![format!("link {}", self.link)];
        match &self.position {
            PositionGoal::Free => {}
            PositionGoal::Point { target, .. } => {
                parts.push(format!("position {}", triple(target.coords)));
            }
            PositionGoal::Line {
                through, direction, ..
            } => parts.push(format!(
                "on the line through {} along {}",
                triple(through.coords),
                triple(*direction)
            )),
            PositionGoal::Plane {
                through, normal, ..
            } => parts.push(format!(
                "in the plane through {} across {}",
                triple(through.coords),
                triple(*normal)
            )),
            PositionGoal::Points(pairs) => parts.push(count(pairs.len(), "point")),
        }
        match &self.rotation {
            RotationGoal::Free => {}
            RotationGoal::Axis { d_link, target } => parts.push(format!(
                "axis {} along {}",
                triple(*d_link),
                triple(*target)
            )),
            RotationGoal::Fixed(_) => parts.push("rotation".to_owned()),
        }
        match (&self.relative_to, &self.frame) {
            (Some(base), _) => parts.push(format!("relative to link {base}")),
            (None, Some(_)) => parts.push("relative to a frame".to_owned()),
            (None, None) => {}
        }
        format!("Objective: {}", parts.join(", "))
    }
}

/// A goal for the pose of a link.
///
/// - ``pose`` (4 × 4): the pose of the link, position and rotation.
/// - ``position`` (3): the position of the point ``local`` (3) of the link.
/// - ``line`` (point, direction) or ``plane`` (point, normal): that point is on a line or in a plane.
/// - ``points``: pairs of a point of the link (3) and its position (3).
/// - ``rotation`` (3 × 3): the rotation of the link.
/// - ``axis`` (direction of the link, direction of the world): two directions are parallel.
///
/// Targets are in the world, in the frame of the link ``relative_to``, or in ``frame`` (4 × 4).
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> goal = kw.ik.objective("link2", position=(1.5, 0, 1), local=(1, 0, 0))
/// >>> kw.ik.solve(arm, goal).solved
/// True
#[pyfunction]
#[pyo3(signature = (link, *, pose=None, position=None, local=Vec3([0.0; 3]), line=None, plane=None, points=None,
    rotation=None, axis=None, relative_to=None, frame=None, weights=(1.0, 1.0)))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn objective(
    link: LinkKey,
    pose: Option<PoseIn>,
    position: Option<Vec3>,
    local: Vec3,
    line: Option<(Vec3, Vec3)>,
    plane: Option<(Vec3, Vec3)>,
    points: Option<Vec<(Vec3, Vec3)>>,
    rotation: Option<RotationIn>,
    axis: Option<(Vec3, Vec3)>,
    relative_to: Option<LinkKey>,
    frame: Option<PoseIn>,
    weights: (f64, f64),
) -> PyResult<Objective> {
    let p_link = local.point();
    let given = [
        pose.is_some(),
        position.is_some(),
        line.is_some(),
        plane.is_some(),
        points.is_some(),
    ];
    if given.iter().filter(|&&is_given| is_given).count() > 1 {
        return Err(PyValueError::new_err(
            "give one of pose, position, line, plane and points",
        ));
    }
    if [pose.is_some(), rotation.is_some(), axis.is_some()]
        .iter()
        .filter(|&&is_given| is_given)
        .count()
        > 1
    {
        return Err(PyValueError::new_err("give one of pose, rotation and axis"));
    }
    if relative_to.is_some() && frame.is_some() {
        return Err(PyValueError::new_err("give relative_to or frame, not both"));
    }
    let position = if let Some(PoseIn(pose)) = pose {
        PositionGoal::Point {
            p_link,
            target: pose * p_link,
        }
    } else if let Some(target) = position {
        PositionGoal::Point {
            p_link,
            target: target.point(),
        }
    } else if let Some((through, direction)) = line {
        PositionGoal::Line {
            p_link,
            through: through.point(),
            direction: direction.vector(),
        }
    } else if let Some((through, normal)) = plane {
        PositionGoal::Plane {
            p_link,
            through: through.point(),
            normal: normal.vector(),
        }
    } else if let Some(points) = points {
        let pairs: Vec<(Point, Point)> = points
            .into_iter()
            .map(|(a, b)| (a.point(), b.point()))
            .collect();
        PositionGoal::Points(pairs)
    } else {
        PositionGoal::Free
    };
    let rotation = if let Some(PoseIn(pose)) = pose {
        RotationGoal::Fixed(pose.rotation)
    } else if let Some(RotationIn(rotation)) = rotation {
        RotationGoal::Fixed(rotation)
    } else if let Some((d_link, target)) = axis {
        RotationGoal::Axis {
            d_link: d_link.vector(),
            target: target.vector(),
        }
    } else {
        RotationGoal::Free
    };
    if position.rows() + rotation.rows() == 0 {
        return Err(PyValueError::new_err(
            "an objective needs a pose, a position or a rotation",
        ));
    }
    Ok(Objective {
        link,
        relative_to,
        frame: frame.map(|frame| frame.0),
        position,
        rotation,
        weights,
    })
}
