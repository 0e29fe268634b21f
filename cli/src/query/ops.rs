//! Operations of the protocol with their fields, and the fields of other names.

use super::fields::Fields;
use crate::request::Refusal;

/// An operation: its name, its fields, and whether it changes the session.
#[derive(Debug)]
pub(super) struct Op {
    pub(super) name: &'static str,
    fields: &'static [&'static str],
    pub(super) changes: bool,
}

/// Operation of a request whose fields it has.
pub(super) fn of(fields: &Fields<'_>) -> Result<&'static Op, Refusal> {
    let name: String = fields.need("op", "the name of an operation, a string")?;
    let Some(op) = OPS.iter().find(|op| op.name == name) else {
        let known = OPS.iter().map(|op| op.name);
        return Err(kinworld::Error::not_found("op", name, known).into());
    };
    let always: &[&str] = if op.changes { &CHANGING } else { &ASKING };
    fields.allow(op.name, op.fields, always)?;
    Ok(op)
}

/// Name of a field that is known by another name, here or in other programs.
pub(super) fn renamed(field: &str, known: &[&str]) -> Option<&'static str> {
    let (_, now) = OTHER_NAMES.iter().find(|(other, _)| *other == field)?;
    now.iter().copied().find(|now| known.contains(now))
}

const fn asks(name: &'static str, fields: &'static [&'static str]) -> Op {
    Op {
        name,
        fields,
        changes: false,
    }
}

const fn changes(name: &'static str, fields: &'static [&'static str]) -> Op {
    Op {
        name,
        fields,
        changes: true,
    }
}

/// Fields of every operation.
const CHANGING: [&str; 2] = ["op", "id"];

/// Fields of every operation that does not change the session.
const ASKING: [&str; 4] = ["op", "id", "robots", "with"];

/// Fields of a change, in `set` and in `with`.
pub(super) const CHANGE: [&str; 5] = ["robots", "objects", "attach", "detach", "remove"];

/// Operations, and their fields beside those of every operation.
const OPS: [Op; 28] = [
    asks("info", &[]),
    asks("fk", &["robot", "q"]),
    asks("jacobian", &["robot", "q", "link", "point"]),
    asks("frame", &["robot", "q", "dq", "link", "point", "reference"]),
    asks("com", &["robot", "q", "dq", "link"]),
    asks(
        "ik",
        &[
            "robot",
            "link",
            "point",
            "position",
            "rotation",
            "quaternion",
            "rpy",
            "to_pose",
            "group",
            "q",
            "q0",
            "starts",
            "seed",
            "tolerance",
            "avoid_collisions",
        ],
    ),
    asks(
        "reachable",
        &[
            "robot",
            "link",
            "point",
            "position",
            "rotation",
            "quaternion",
            "rpy",
            "to_pose",
            "group",
            "q",
            "starts",
            "seed",
            "tolerance",
            "avoid_collisions",
        ],
    ),
    asks("dynamics", &["robot", "q", "dq", "ddq", "tau", "gravity"]),
    asks("interpolate", &["robot", "from", "to", "a", "b", "u"]),
    asks("config_distance", &["robot", "from", "to", "a", "b"]),
    asks("collide", &["robot", "q"]),
    asks("contacts", &["robot", "q", "max"]),
    asks("spheres", &["robot", "max"]),
    asks("distance", &["robot", "q", "a", "b", "nearest"]),
    asks("ray", &["robot", "q", "origin", "direction"]),
    asks("free", &["robot", "q", "shape"]),
    asks("edge", &["robot", "from", "to", "resolution", "shape"]),
    asks("clearance", &["robot", "q", "shape"]),
    asks(
        "plan",
        &[
            "robot",
            "from",
            "to",
            "to_pose",
            "group",
            "seed",
            "max_iterations",
            "max_seconds",
            "improve",
            "shape",
            "trajectory",
            "max_velocity",
            "max_acceleration",
            "max_jerk",
            "max_torque",
            "deviation",
            "smooth",
            "step",
        ],
    ),
    asks(
        "plan_prioritized",
        &[
            "goals",
            "swept",
            "seed",
            "max_iterations",
            "max_seconds",
            "shape",
            "max_velocity",
            "max_acceleration",
            "max_jerk",
            "deviation",
            "smooth",
            "step",
        ],
    ),
    asks(
        "cartesian",
        &[
            "robot",
            "link",
            "from",
            "pieces",
            "also",
            "blend",
            "group",
            "spacing",
            "speed",
            "shape",
            "trajectory",
            "max_velocity",
            "max_acceleration",
            "max_jerk",
            "max_torque",
            "step",
        ],
    ),
    asks(
        "wrench",
        &[
            "robot", "q", "dq", "ddq", "link", "observer", "gravity", "external",
        ],
    ),
    asks("state", &[]),
    changes("set", &CHANGE),
    changes("attach", &["object", "robot", "link", "touch"]),
    changes("detach", &["object"]),
    changes("load", &["file", "name"]),
    changes("remove", &["element"]),
];

/// Names of other clients, and the fields of the protocol in the order in which an operation may have them.
const OTHER_NAMES: [(&str, &[&str]); 32] = [
    ("a", &["from"]),
    ("accel", &["ddq"]),
    ("acceleration", &["ddq"]),
    ("b", &["to"]),
    ("config", &["q"]),
    ("configs", &["q"]),
    ("configuration", &["q"]),
    ("end", &["to"]),
    ("filename", &["file"]),
    ("force", &["wrench"]),
    ("frame", &["link"]),
    ("goals", &["to", "to_pose"]),
    ("goal", &["to", "position"]),
    ("joints", &["q"]),
    ("moment", &["wrench"]),
    ("object", &["objects", "element"]),
    ("orientation", &["rotation"]),
    ("path", &["file"]),
    ("pose", &["to_pose"]),
    ("quat", &["quaternion"]),
    ("position", &["translation"]),
    ("q0", &["q", "from"]),
    ("qd", &["dq"]),
    ("qdd", &["ddq"]),
    ("restarts", &["starts"]),
    ("start", &["from", "q"]),
    ("target", &["position", "to"]),
    ("torque", &["tau"]),
    ("translation", &["position"]),
    ("v", &["dq"]),
    ("velocity", &["dq"]),
    ("world", &["with"]),
];
