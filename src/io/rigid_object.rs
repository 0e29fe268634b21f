//! Klampt's rigid object `.obj`.

/// The keys of the format.
pub(super) const KEYS: [&str; 15] = [
    "mesh",
    "geomscale",
    "geomtranslate",
    "T",
    "position",
    "velocity",
    "angularVelocity",
    "mass",
    "com",
    "inertia",
    "kFriction",
    "kRestitution",
    "kStiffness",
    "kDamping",
    "autoMass",
];
