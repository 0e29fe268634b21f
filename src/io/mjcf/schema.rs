//! Known elements and attributes of MJCF, as MuJoCo 4.0 lists them (`mj_printSchema`).

use super::document::{Node, Place};
use super::notes::Notes;
use crate::io::fields::shortened;

/// Counts elements and attributes that MJCF does not have.
pub(super) fn check(node: &Node, notes: &mut Notes<'_>) {
    let Some(known) = attributes(&node.name) else {
        let what = format!(
            "element <{}> is not known and ignored",
            shortened(&node.name)
        );
        notes.leave_out(what, node.place);
        return;
    };
    // what is left out as a whole is not looked into
    if LEFT_OUT.contains(&node.name.as_str()) {
        return;
    }
    for attribute in &node.attributes {
        let name = attribute.name.as_str();
        let is_known = known.split(' ').any(|known| known == name);
        // a prefix belongs to another program
        if !is_known && !name.contains(':') && name != "xmlns" {
            let name = shortened(name);
            let what = format!(
                "attribute `{name}` of <{}> is not known and ignored",
                node.name
            );
            let place = Place {
                position: attribute.position,
                ..node.place
            };
            notes.leave_out(what, place);
        }
    }
    for child in &node.children {
        check(child, notes);
    }
}

/// Sections that are not read.
const LEFT_OUT: [&str; 7] = [
    "custom",
    "deformable",
    "extension",
    "sensor",
    "size",
    "statistic",
    "visual",
];

/// The attributes of an element, `None` for one that MJCF does not have.
fn attributes(element: &str) -> Option<&'static str> {
    let found = KNOWN.binary_search_by(|(name, _)| (*name).cmp(element));
    KNOWN.get(found.ok()?).map(|(_, attributes)| *attributes)
}

/// Elements in order, each with its attributes wherever it occurs.
const KNOWN: &[(&str, &str)] = &[
    ("actuator", ""),
    (
        "adhesion",
        "body class ctrlrange delay forcelimited forcerange gain group interp name nsample \
         user",
    ),
    ("asset", ""),
    ("attach", "body frame model prefix"),
    (
        "body",
        "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user \
         xyaxes zaxis",
    ),
    ("bone", "bindpos bindquat body vertid vertweight"),
    (
        "camera",
        "axisangle class euler focal focalpixel fovy ipd mode name output pos principal \
         principalpixel projection quat resolution sensorsize target user xyaxes zaxis",
    ),
    (
        "compiler",
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict \
         coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom \
         inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial \
         settotalmass strippath texturedir usethread",
    ),
    ("config", "key value"),
    (
        "connect",
        "active anchor body1 body2 class name site1 site2 solimp solref",
    ),
    (
        "contact",
        "activelayers conaffinity condim contype friction gap margin passive priority \
         selfcollide solimp solmix solref",
    ),
    ("custom", ""),
    (
        "cylinder",
        "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay \
         diameter forcelimited forcerange gear group interp joint jointinparent lengthrange \
         name nsample refsite site slidersite tendon timeconst user",
    ),
    (
        "damper",
        "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange \
         gear group interp joint jointinparent kv lengthrange name nsample refsite site \
         slidersite tendon user",
    ),
    (
        "dcmotor",
        "armature class cogging controller cranklength cranksite ctrllimited ctrlrange \
         damping delay gear group inductance input interp joint jointinparent lengthrange \
         lugre motorconst name nominal nsample refsite resistance saturation site slidersite \
         tendon thermal user",
    ),
    ("default", "class"),
    ("deformable", ""),
    ("edge", "damping equality solimp solref stiffness"),
    (
        "elasticity",
        "damping elastic2d poisson section sectionsize shear thickness yield young",
    ),
    ("equality", "active solimp solref"),
    ("exclude", "body1 body2 name"),
    ("extension", ""),
    (
        "fixed",
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin name range solimpfriction solimplimit solreffriction solreflimit \
         springlength springyield stiffness user",
    ),
    (
        "flag",
        "actuation autoreset clampctrl constraint contact damper diagexact energy equality \
         eulerdamp filterparent frictionloss fwdinv gravity invdiscrete ipc island limit \
         midphase multiccd nativeccd override refsafe sensor sleep speculative spring \
         warmstart",
    ),
    ("flex", "active class flex name solimp solref"),
    (
        "flexcomp",
        "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass \
         material mesh name origin point pos quat radius rgba rigid scale spacing texcoord \
         type xyaxes zaxis",
    ),
    ("flexstrain", "active cell class flex name solimp solref"),
    (
        "frame",
        "axisangle childclass euler massscale name policy pos quat resize scale xyaxes zaxis",
    ),
    ("freejoint", "align group name"),
    (
        "general",
        "actdim actearly actlimited actrange armature biasprm biastype body class cranklength \
         cranksite ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited \
         forcerange gainprm gaintype gear group inheritrange input interp joint jointinparent \
         lengthrange name nsample refsite site slidersite tendon user velrange",
    ),
    (
        "geom",
        "adhesion axisangle castshadow class conaffinity condim contype density euler \
         fitscale fluidcoef fluidshape friction fromto gap geom group hfield margin mass \
         material mesh name pos priority quat rgba shellinertia sidesite size solimp solmix \
         solref surfacevel type user xyaxes zaxis",
    ),
    ("hfield", "content_type elevation file name ncol nrow size"),
    ("include", "file"),
    (
        "inertial",
        "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis",
    ),
    (
        "intvelocity",
        "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange \
         damping dampratio delay forcelimited forcerange gear group inheritrange interp joint \
         jointinparent kp kv lengthrange name nsample refsite site slidersite tendon user",
    ),
    (
        "joint",
        "active actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class coef \
         damping frictionloss group joint joint1 joint2 limited margin name polycoef pos \
         range ref solimp solimpfriction solimplimit solref solreffriction solreflimit \
         springdamper springref springyield stiffness type user",
    ),
    ("key", "act ctrl mpos mquat name plastic qpos qvel time"),
    ("keyframe", ""),
    ("layer", "role texture"),
    (
        "lengthrange",
        "mode timeconst timestep tolrange useexisting uselimit",
    ),
    (
        "light",
        "active ambient attenuation bulbradius castshadow class cutoff diffuse dir \
         directional exponent intensity mode name pos range softness specular target texture \
         type",
    ),
    (
        "material",
        "class emission metallic name reflectance rgba roughness shininess specular texrepeat \
         texture texuniform",
    ),
    (
        "mesh",
        "builtin class content_type face file inertia material maxhullvert name normal params \
         refpos refquat scale smoothnormal texcoord vertex",
    ),
    ("model", "content_type file name"),
    (
        "motor",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay \
         forcelimited forcerange gear group interp joint jointinparent lengthrange name \
         nsample refsite site slidersite tendon user",
    ),
    ("mujoco", "model"),
    ("mujocoinclude", "model"),
    (
        "muscle",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay force \
         forcelimited forcerange fpmax fvmax gear group interp joint jointinparent \
         lengthrange lmax lmin name nsample range scale slidersite tausmooth tendon timeconst \
         user vmax",
    ),
    (
        "option",
        "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio \
         integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations \
         noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations \
         sleep_tolerance solver timestep tolerance viscosity wind",
    ),
    (
        "orientation",
        "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp \
         kv name nsample refsite site user",
    ),
    (
        "pair",
        "adhesion class condim friction gap geom1 geom2 margin name solimp solref \
         solreffriction",
    ),
    (
        "pid",
        "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay \
         ffrange forcelimited forcerange gear group imax inheritrange input interp joint \
         jointinparent ki kp kv lengthrange name nsample posrange refsite site slewmax \
         slidersite tendon user velrange",
    ),
    ("pin", "grid gridrange id range"),
    (
        "plugin",
        "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited \
         ctrlrange damping delay dynprm dyntype forcelimited forcerange gear group instance \
         interp joint jointinparent lengthrange name nsample plugin site slidersite tendon \
         user",
    ),
    (
        "position",
        "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay \
         forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv \
         lengthrange name nsample refsite site slidersite tendon timeconst user",
    ),
    ("pulley", "divisor"),
    ("replicate", "count euler offset sep"),
    ("sensor", ""),
    (
        "site",
        "axisangle class euler fromto group material mesh name pos quat rgba site size type \
         user xyaxes zaxis",
    ),
    ("size", ""),
    (
        "skin",
        "face file group inflate material name rgba texcoord vertex",
    ),
    (
        "spatial",
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin material name range rgba solimpfriction solimplimit solreffriction \
         solreflimit springlength springyield stiffness user width",
    ),
    ("statistic", ""),
    (
        "tendon",
        "active actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin material name polycoef range rgba solimp solimpfriction solimplimit \
         solref solreffriction solreflimit springlength springyield stiffness tendon1 tendon2 \
         user width",
    ),
    (
        "texture",
        "builtin class colorspace content_type embed file fileback filedown filefront \
         fileleft fileright fileup gridlayout gridsize height hflip mark markrgb name \
         nchannel random rgb1 rgb2 type vflip width",
    ),
    (
        "velocity",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay \
         forcelimited forcerange gear group interp joint jointinparent kv lengthrange name \
         nsample refsite site slidersite tendon user",
    ),
    ("visual", ""),
    (
        "weld",
        "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
    ),
    (
        "worldbody",
        "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user \
         xyaxes zaxis",
    ),
];
