//! What can be asked of a loaded world, as plain data: the command line and `query` both end here.

/// One question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// What there is.
    Info,
    /// The poses of all links.
    Fk(Posture),
    /// The Jacobian of a point of a link.
    Jacobian {
        posture: Posture,
        link: Key,
        /// In the frame of the link.
        point: [f64; 3],
    },
    /// Mass, centre of mass and its Jacobian.
    Com(Posture),
    /// Where a robot has to be.
    Ik(Reach),
    /// Forces and masses.
    Dynamics(Moved),
    /// A configuration on the way from `a` to `b`.
    Interpolate {
        robot: Option<Key>,
        a: Vec<f64>,
        b: Vec<f64>,
        u: f64,
    },
    /// How far two configurations are apart.
    ConfigDistance {
        robot: Option<Key>,
        a: Vec<f64>,
        b: Vec<f64>,
    },
    /// Everything that collides.
    Collide(Posture),
    /// How far two elements are apart.
    Distance { posture: Posture, a: Key, b: Key },
    /// What acts on a link.
    Wrench(Explained),
    /// Whether a configuration is free.
    Free { place: Place, q: Vec<f64> },
    /// Whether the way between two is.
    Edge {
        place: Place,
        from: Vec<f64>,
        to: Vec<f64>,
        /// The largest step of a joint, rad or m.
        resolution: Option<f64>,
    },
    /// How near the nearest obstacle is.
    Clearance { place: Place, q: Vec<f64> },
    /// A path.
    Plan(Journey),
    /// What a ray meets first.
    Ray {
        origin: [f64; 3],
        direction: [f64; 3],
    },
}

/// A robot, and where it is: as loaded, unless values are given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posture {
    /// The first one where none is given.
    pub(crate) robot: Option<Key>,
    /// One value per coordinate, or else one per driver.
    pub(crate) config: Option<Vec<f64>>,
}

/// A link of a robot, and where it should be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reach {
    /// The robot, and where the search starts.
    pub(crate) start: Posture,
    pub(crate) link: Key,
    /// In the frame of the link.
    pub(crate) point: [f64; 3],
    /// Of the point, in the world.
    pub(crate) position: [f64; 3],
    /// Of the link, row by row; any where none is given.
    pub(crate) rotation: Option<[[f64; 3]; 3]>,
    /// What random starts are drawn from.
    pub(crate) seed: Option<u64>,
    /// In m and rad.
    pub(crate) tolerance: Option<f64>,
    /// Whether the answer may not collide.
    pub(crate) avoid_collisions: bool,
}

/// A robot, where it is, how it moves, and what makes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moved {
    pub(crate) posture: Posture,
    /// The velocity, as loaded where none is given: at rest.
    pub(crate) dq: Option<Vec<f64>>,
    /// The acceleration of which the forces are asked.
    pub(crate) ddq: Option<Vec<f64>>,
    /// The forces of which the acceleration is asked.
    pub(crate) tau: Option<Vec<f64>>,
    /// As on earth, along −z, where none is given.
    pub(crate) gravity: Option<[f64; 3]>,
}

/// A link of a robot that moves and is pushed, and who looks at it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Explained {
    pub(crate) moved: Moved,
    pub(crate) link: Key,
    /// The world where none is given.
    pub(crate) observer: Option<Key>,
    pub(crate) external: Vec<Push>,
}

/// A robot among the shapes by which it is judged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// The first one where none is given.
    pub(crate) robot: Option<Key>,
    pub(crate) shape: Shape,
}

/// Which shapes collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Shape {
    /// Those that were loaded.
    #[default]
    Mesh,
    /// The convex hulls of those of links and objects.
    Hull,
    /// Balls around the links.
    Spheres,
}

/// From where to where, and what the search may take.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Journey {
    pub(crate) place: Place,
    /// As loaded where none is given.
    pub(crate) from: Option<Vec<f64>>,
    pub(crate) to: Vec<f64>,
    pub(crate) seed: u64,
    pub(crate) max_iterations: Option<usize>,
    pub(crate) max_seconds: Option<f64>,
    pub(crate) planner: Planner,
}

/// Who looks for a path.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Planner {
    #[default]
    RrtConnect,
    #[cfg(feature = "oxmpl")]
    Oxmpl(kinworld::planning::OxmplPlanner),
}

/// A force and a moment on a link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Push {
    pub(crate) link: Key,
    /// In the frame of the link.
    pub(crate) point: [f64; 3],
    /// Moment first, in world axes.
    pub(crate) wrench: [f64; 6],
}

/// How a robot, a link or an element is pointed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// By name; the first match wins.
    Name(String),
    /// By position, or by Klampt's number where the whole world is meant.
    Index(usize),
    /// As a word of the command line: a name, or else an index.
    Word(String),
}

impl Key {
    /// What it points at, given how to look it up by name and by position.
    pub(crate) fn look_up<T, E>(
        &self,
        by_name: impl Fn(&str) -> Result<T, E>,
        by_index: impl Fn(usize) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Name(name) => by_name(name),
            Self::Index(index) => by_index(*index),
            Self::Word(word) => by_name(word).or_else(|error| match word.parse() {
                Ok(index) => by_index(index),
                Err(_) => Err(error),
            }),
        }
    }
}

/// Why there is no answer, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl From<kinworld::Error> for Refusal {
    fn from(error: kinworld::Error) -> Self {
        Self(error.to_string())
    }
}
