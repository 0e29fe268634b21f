//! Formats that are known by name and not read.

use crate::Diagnostic;

/// A format that is not read.
#[derive(Debug)]
pub(crate) struct Foreign {
    suffixes: &'static [&'static str],
    /// Root elements of its XML.
    roots: &'static [&'static str],
    /// The first bytes of its files.
    starts: &'static [&'static [u8]],
    /// Its name, with an article.
    name: &'static str,
    advice: &'static str,
}

impl Foreign {
    /// The format of a suffix (in lower case).
    pub(crate) fn of_suffix(suffix: &str) -> Option<&'static Self> {
        FORMATS
            .iter()
            .find(|format| format.suffixes.contains(&suffix))
    }

    /// The format of an XML file with this root element.
    pub(crate) fn of_root(root: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.roots.contains(&root))
    }

    /// The format of a file that begins with these bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<&'static Self> {
        let begins = |format: &&Self| format.starts.iter().any(|start| bytes.starts_with(start));
        FORMATS.iter().find(begins)
    }

    /// The error of a file in this format: what it is, what to do, and what is read.
    pub(crate) fn refusal(&self) -> Diagnostic {
        let error = Diagnostic::error(format!("is {}, which is not read", self.name));
        error.help(format!("{}; {READ}", self.advice))
    }

    /// What a file is that was taken for another format, as advice.
    pub(crate) fn explanation(&self) -> String {
        format!("it is {}, which is not read: {}", self.name, self.advice)
    }
}

/// The suffixes that are read, for messages.
pub(crate) const READ: &str = "read are .urdf, .xacro, .sdf, .rob, .obj, .env, .xml of Klampt and MuJoCo, and the shapes .off, .stl, .ply, \
     .dae, .gltf, .glb, .tri, .geom, .pcd, .bt of OctoMap, .msh of MuJoCo and .json";

const MESH_BLENDER: &str = "export the shape as .obj, .stl or .ply, for instance with Blender";
const MESH_CAD: &str = "export the shape as .stl or .obj, for instance with FreeCAD";
const MESH_KLAMPT: &str = "convert it to .ply or .obj with `Geometry3D.convert` of Klampt";
const MESH_LAB: &str = "convert it to .ply, .obj or .stl, for instance with MeshLab or Blender";

/// The formats.
const FORMATS: &[Foreign] = &[
    // robots and worlds
    Foreign {
        suffixes: &[],
        roots: &["mujocoinclude"],
        starts: &[],
        name: "a part of a model of MuJoCo (MJCF)",
        advice: "load the model that includes it, whose root element is <mujoco>",
    },
    Foreign {
        suffixes: &[],
        roots: &["gazebo"],
        starts: &[],
        name: "an SDF of a version before 1.3",
        advice: "`gz sdf` converts it to a newer version",
    },
    Foreign {
        suffixes: &["usd", "usda", "usdc", "usdz"],
        roots: &[],
        starts: &[b"#usda", b"PXR-USDC"],
        name: "a USD scene",
        advice: "export a robot as URDF with the USD to URDF exporter of Isaac Sim, a shape as .obj or .stl with Blender",
    },
    Foreign {
        suffixes: &["srdf"],
        roots: &[],
        starts: &[],
        name: "the planning data of a robot (SRDF)",
        advice: "load the robot with this file beside it: `--srdf FILE`, option `srdf` of the loader",
    },
    Foreign {
        suffixes: &["sldasm", "sldprt"],
        roots: &[],
        starts: &[],
        name: "a file of SolidWorks",
        advice: "export a robot as URDF with the SolidWorks to URDF exporter, a shape as .stl",
    },
    // shapes
    Foreign {
        suffixes: &["step", "stp"],
        roots: &[],
        starts: &[b"ISO-10303-21"],
        name: "a STEP file of a CAD program",
        advice: MESH_CAD,
    },
    Foreign {
        suffixes: &["iges", "igs"],
        roots: &[],
        starts: &[],
        name: "an IGES file of a CAD program",
        advice: MESH_CAD,
    },
    Foreign {
        suffixes: &["fbx"],
        roots: &[],
        starts: &[b"Kaydara FBX Binary"],
        name: "an FBX scene",
        advice: MESH_BLENDER,
    },
    Foreign {
        suffixes: &["blend"],
        roots: &[],
        starts: &[b"BLENDER"],
        name: "a file of Blender",
        advice: MESH_BLENDER,
    },
    Foreign {
        suffixes: &["3ds"],
        roots: &[],
        starts: &[],
        name: "a scene of 3D Studio",
        advice: MESH_BLENDER,
    },
    Foreign {
        suffixes: &["vrml", "wrl"],
        roots: &[],
        starts: &[b"#VRML"],
        name: "a VRML scene",
        advice: MESH_LAB,
    },
    Foreign {
        suffixes: &["x3d"],
        roots: &["X3D"],
        starts: &[],
        name: "an X3D scene",
        advice: MESH_LAB,
    },
    Foreign {
        suffixes: &[],
        roots: &[],
        starts: &[b"$MeshFormat"],
        name: "a mesh of gmsh",
        advice: "save it as .stl or .ply with gmsh",
    },
    Foreign {
        suffixes: &["group"],
        roots: &[],
        starts: &[],
        name: "a group of shapes of Klampt",
        advice: MESH_KLAMPT,
    },
    Foreign {
        suffixes: &["vol"],
        roots: &[],
        starts: &[],
        name: "a volume grid of Klampt",
        advice: MESH_KLAMPT,
    },
];
