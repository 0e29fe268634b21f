//! Robots made link by link, and edits of robots.

mod arguments;

use kinworld::robot::{Element, LinkImage, LinkMotion, LinkSpec, RobotBuilder as Model};
use kinworld::{LinkId, Robot as Built, Vector};
use pyo3::prelude::*;

pub(crate) use arguments::{joint_kind, limits_of, pose_or_identity};

use crate::convert::{Array2, PoseIn, Vec3, index, pose_array};
use crate::error::{Diagnostics, call, diagnostics, error};
use crate::geometry::Geometry;
use crate::inertia::Inertia;
use crate::robot::{Link, Robot};

/// A link of a builder: its name or its index.
#[derive(FromPyObject)]
pub(crate) enum PartKey {
    Name(String),
    Index(isize),
    Link(Link),
}

/// Where the links of a robot are after an edit: ``map[old]`` is the index of the new link, or ``None``.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct LinkMap(Vec<LinkImage>);

#[pymethods]
impl LinkMap {
    /// The new link that an old one is or is a part of, and its pose (4 × 4) in it; ``None`` for one that was removed.
    fn image<'py>(&self, py: Python<'py>, old: usize) -> PyResult<Option<(usize, Array2<'py>)>> {
        let identity = kinworld::Pose::identity();
        Ok(match self.at(old)? {
            LinkImage::Link(link) => Some((link.index(), pose_array(py, &identity))),
            LinkImage::Part(link, pose) => Some((link.index(), pose_array(py, pose))),
            _ => None,
        })
    }

    fn __getitem__(&self, old: usize) -> PyResult<Option<usize>> {
        Ok(match self.at(old)? {
            LinkImage::Link(link) => Some(link.index()),
            _ => None,
        })
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("LinkMap of {} links", self.0.len())
    }
}

impl LinkMap {
    fn of(map: &kinworld::robot::LinkMap) -> Self {
        Self(map.images().to_vec())
    }

    fn at(&self, old: usize) -> PyResult<&LinkImage> {
        let signed = isize::try_from(old).unwrap_or(isize::MAX);
        Ok(&self.0[index(signed, self.0.len(), "link")?])
    }
}

/// A robot in the making: links, joints, drivers. ``build`` makes the robot; ``robot.builder()`` starts from one.
///
/// >>> import kinworld as kw
/// >>> builder = kw.RobotBuilder("arm")
/// >>> upper = builder.add_link("upper", motion="revolute", axis=(0, 0, 1), inertia=kw.Inertia.sphere(1.0, 0.1))
/// >>> builder.add_link("lower", parent="upper", motion="revolute", placement=kw.se3.from_translation((1, 0, 0)))
/// 1
/// >>> builder.build()
/// Robot 'arm': 2 dofs, 2 links
#[pyclass(module = "kinworld")]
pub(crate) struct RobotBuilder(Model);

impl RobotBuilder {
    /// The builder of the library.
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        &mut self.0
    }

    /// The link of a key.
    pub(crate) fn find(&self, key: &PartKey) -> PyResult<LinkId> {
        let count = self.0.links.len();
        match key {
            PartKey::Index(i) => index(*i, count, "link").map(LinkId::new),
            PartKey::Link(link) => {
                let i = isize::try_from(link.id.index()).unwrap_or(isize::MAX);
                index(i, count, "link").map(LinkId::new)
            }
            PartKey::Name(name) => self.0.find_link(name).ok_or_else(|| {
                let names: Vec<&str> = self.0.links.iter().map(|link| &*link.name).collect();
                error(format!(
                    "no link named {name:?}; there are {}",
                    names.join(", ")
                ))
            }),
        }
    }

    pub(crate) fn find_some(&self, key: Option<PartKey>) -> PyResult<Option<LinkId>> {
        key.map(|key| self.find(&key)).transpose()
    }
}

type Shapes<'py> = Vec<(PoseIn, Bound<'py, Geometry>)>;

fn elements(shapes: Option<Shapes<'_>>) -> Vec<Element> {
    let place = |(pose, shape): (PoseIn, Bound<'_, Geometry>)| {
        Element::placed(shape.get().0.clone(), pose.0)
    };
    shapes.unwrap_or_default().into_iter().map(place).collect()
}

fn motion_of(motion: &str, axis: Vec3) -> PyResult<LinkMotion> {
    let axis: Vector = axis.vector();
    match motion {
        "fixed" => Ok(LinkMotion::Fixed),
        "revolute" => Ok(LinkMotion::Revolute(axis)),
        "prismatic" => Ok(LinkMotion::Prismatic(axis)),
        _ => Err(error(format!(
            "motion is \"fixed\", \"revolute\" or \"prismatic\", not {motion:?}"
        ))),
    }
}

#[pymethods]
impl RobotBuilder {
    #[new]
    fn new(name: String) -> Self {
        Self(Model::new(name))
    }

    /// Several robots side by side as one: pairs of a prefix of names, or ``None``, and a builder; and where their links are.
    #[staticmethod]
    fn merge(
        name: String,
        parts: Vec<(Option<String>, PyRef<'_, Self>)>,
    ) -> PyResult<(Self, Vec<LinkMap>)> {
        let parts: Vec<(Option<&str>, &Model)> = parts
            .iter()
            .map(|(prefix, part)| (prefix.as_deref(), &part.0))
            .collect();
        let (merged, maps) = call(|| Model::merge(name, &parts))?;
        Ok((Self(merged), maps.iter().map(LinkMap::of).collect()))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The names of the links.
    #[getter]
    fn link_names(&self) -> Vec<&str> {
        self.0.links.iter().map(|link| &*link.name).collect()
    }

    /// Adds a link and returns its index. ``placement`` (4 × 4) is its pose in the parent at zero; ``collision`` and
    /// ``visual`` are lists of a pose (4 × 4) in the link and a geometry.
    #[pyo3(signature = (name, *, parent=None, motion="fixed", axis=Vec3([0.0, 0.0, 1.0]), placement=None, inertia=None,
        joint=None, limits=None, velocity=None, acceleration=None, torque=None, initial=0.0, armature=0.0,
        collision=None, visual=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn add_link(
        &mut self,
        name: String,
        parent: Option<PartKey>,
        motion: &str,
        axis: Vec3,
        placement: Option<PoseIn>,
        inertia: Option<Inertia>,
        joint: Option<String>,
        limits: Option<[f64; 2]>,
        velocity: Option<f64>,
        acceleration: Option<f64>,
        torque: Option<f64>,
        initial: f64,
        armature: f64,
        collision: Option<Shapes<'_>>,
        visual: Option<Shapes<'_>>,
    ) -> PyResult<usize> {
        let parent = self.find_some(parent)?;
        let mut link = LinkSpec::new(name, parent, motion_of(motion, axis)?);
        link.placement = pose_or_identity(placement);
        if let Some(inertia) = inertia {
            link.inertia = inertia.0;
        }
        if let Some(joint) = joint {
            link.joint = joint;
        }
        link.limits = limits_of(limits, velocity, acceleration, torque);
        link.initial = initial;
        link.armature = armature;
        link.collision = elements(collision);
        link.visual = elements(visual);
        Ok(self.0.add_link(link).index())
    }

    /// Adds the joint of a link: ``"weld"``, ``"normal"``, ``"spin"``, ``"floating"``, ``"floatingplanar"``,
    /// ``"ballandsocket"`` or ``"closed"``. Without any, each link has the usual one.
    #[pyo3(signature = (kind, link, base=None))]
    fn add_joint(&mut self, kind: &str, link: PartKey, base: Option<PartKey>) -> PyResult<()> {
        let (link, base) = (self.find(&link)?, self.find_some(base)?);
        self.0.add_joint(joint_kind(kind)?, link, base);
        Ok(())
    }

    /// Adds the virtual links of a ``"floating"``, ``"floatingplanar"`` or ``"ballandsocket"`` joint; returns the last.
    #[pyo3(signature = (kind, name, *, parent=None, placement=None))]
    fn add_virtual_chain(
        &mut self,
        kind: &str,
        name: &str,
        parent: Option<PartKey>,
        placement: Option<PoseIn>,
    ) -> PyResult<usize> {
        let (kind, parent) = (joint_kind(kind)?, self.find_some(parent)?);
        let placement = pose_or_identity(placement);
        call(|| self.0.add_virtual_chain(kind, name, parent, &placement)).map(LinkId::index)
    }

    /// Excludes a pair of links from tests for self-collision.
    fn ignore_pair(&mut self, a: PartKey, b: PartKey) -> PyResult<()> {
        let pair = (self.find(&a)?, self.find(&b)?);
        self.0.self_collision.except.push(pair);
        Ok(())
    }

    /// Mounts another robot on a link, or on the world, at a pose (4 × 4); returns where its links are.
    #[pyo3(signature = (link, other, *, placement=None, prefix=None))]
    fn mount(
        &mut self,
        link: Option<PartKey>,
        other: PyRef<'_, Self>,
        placement: Option<PoseIn>,
        prefix: Option<&str>,
    ) -> PyResult<LinkMap> {
        let link = self.find_some(link)?;
        let placement = pose_or_identity(placement);
        call(|| self.0.mount(link, &other.0, &placement, prefix)).map(|map| LinkMap::of(&map))
    }

    /// Adds a mass that is fixed to a link, in the link's frame.
    fn add_payload(&mut self, link: PartKey, payload: Inertia) -> PyResult<()> {
        let link = self.find(&link)?;
        call(|| self.0.add_payload(link, &payload.0))
    }

    /// A robot without fixed links: each becomes a part of the link that carries it. Returns where the links are.
    fn reduce(&self) -> PyResult<(Self, LinkMap)> {
        let (reduced, map) = call(|| self.0.reduce())?;
        Ok((Self(reduced), LinkMap::of(&map)))
    }

    /// A robot of some links; the others are fixed at their initial values or removed. Returns where the links are.
    fn subset(&self, keep: Vec<PartKey>) -> PyResult<(Self, LinkMap)> {
        let keep: Vec<LinkId> = keep
            .iter()
            .map(|link| self.find(link))
            .collect::<PyResult<_>>()?;
        let (part, map) = call(|| self.0.subset(&keep))?;
        Ok((Self(part), LinkMap::of(&map)))
    }

    /// The robot on a base that moves: ``"floating"`` or ``"floatingplanar"``.
    fn with_base(&self, kind: &str) -> PyResult<Self> {
        let kind = joint_kind(kind)?;
        call(|| self.0.with_base(kind)).map(Self)
    }

    /// Puts parents before children; returns the new index of each link.
    fn sort_links(&mut self) -> PyResult<Vec<usize>> {
        call(|| self.0.sort_links()).map(|links| links.into_iter().map(LinkId::index).collect())
    }

    /// What ``build`` would refuse or warn about.
    fn check(&self) -> PyResult<Diagnostics> {
        call(|| Ok(diagnostics(&self.0.check())))
    }

    /// The robot.
    fn build(&self) -> PyResult<Robot> {
        call(|| self.0.clone().build()).map(Robot::new)
    }

    fn __len__(&self) -> usize {
        self.0.links.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "RobotBuilder '{}': {} links",
            self.0.name,
            self.0.links.len()
        )
    }
}

#[pymethods]
impl Robot {
    /// A builder with all that this robot has.
    fn builder(&self) -> RobotBuilder {
        RobotBuilder(Model::from(&*self.model))
    }

    /// The robot with a mass that is fixed to a link, in the link's frame.
    fn with_payload(&self, link: crate::convert::LinkKey, payload: Inertia) -> PyResult<Self> {
        let link = link.of(&self.model)?;
        call(|| self.model.with_payload(link, &payload.0)).map(Self::new)
    }

    /// The robot with at most ``spheres`` spheres per link as its collision geometry.
    #[pyo3(signature = (spheres=8, *, allow_missing_geometry=false))]
    fn spherized(
        &self,
        py: Python<'_>,
        spheres: usize,
        allow_missing_geometry: bool,
    ) -> PyResult<Self> {
        let options = kinworld::world::SpherizeOptions::from(spheres)
            .with_allow_missing_geometry(allow_missing_geometry);
        let model = self.model.clone();
        crate::interrupt::in_background(py, None, move |_| model.spherized(options))
            .map(|found| Self::new(found.robot))
    }

    /// The link from which two links branch off; ``None`` for two trees.
    fn lowest_common_ancestor(
        &self,
        a: crate::convert::LinkKey,
        b: crate::convert::LinkKey,
    ) -> PyResult<Option<Link>> {
        let (a, b) = (a.of(&self.model)?, b.of(&self.model)?);
        let found = self.model.lowest_common_ancestor(a, b);
        Ok(found.map(|id| self.link_at(id)))
    }

    /// The links that move with a link, itself first.
    fn subtree(&self, link: crate::convert::LinkKey) -> PyResult<Vec<Link>> {
        let links = self.model.subtree(link.of(&self.model)?);
        Ok(links.into_iter().map(|id| self.link_at(id)).collect())
    }
}

impl Robot {
    fn link_at(&self, id: LinkId) -> Link {
        Link {
            robot: self.model.clone(),
            id,
        }
    }
}

fn placed<'py>(py: Python<'py>, elements: &[Element]) -> Vec<(Array2<'py>, Geometry)> {
    elements
        .iter()
        .map(|element| {
            (
                pose_array(py, &element.placement),
                Geometry(element.geometry.clone()),
            )
        })
        .collect()
}

#[pymethods]
impl Link {
    /// Collision shapes: pairs of a pose (4 × 4) in the link's frame and a geometry.
    #[getter]
    fn collision<'py>(&self, py: Python<'py>) -> Vec<(Array2<'py>, Geometry)> {
        placed(py, self.robot.link(self.id).collision())
    }

    /// Visual shapes: pairs of a pose (4 × 4) in the link's frame and a geometry.
    #[getter]
    fn visual<'py>(&self, py: Python<'py>) -> Vec<(Array2<'py>, Geometry)> {
        placed(py, self.robot.link(self.id).visual())
    }

    /// The shape for collisions in the link's frame.
    #[getter]
    fn shape(&self) -> Option<Geometry> {
        let shape: Option<&kinworld::Geometry> = self.robot.link(self.id).shape();
        shape.cloned().map(Geometry)
    }

    /// Mass, centre of mass and moment of inertia.
    #[getter]
    fn inertia(&self) -> Inertia {
        Inertia(*Built::link(&self.robot, self.id).inertia())
    }
}
