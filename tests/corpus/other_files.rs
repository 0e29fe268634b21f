//! Every file of the corpus that is no `.rob` and no world: which load, with which remarks, and why others do not.

use std::ffi::OsStr;
use std::path::Path;

use kinworld::io::Loader;
use kinworld::{Result, WorldModel};

use crate::common::files::files_below;
use crate::folders::corpus;

/// The suffixes of formats that are read, in lower case, and of one that is refused.
const SUFFIXES: [&str; 16] = [
    "config", "configs", "dae", "env", "geom", "glb", "gltf", "json", "obj", "off", "pcd", "ply",
    "stl", "tri", "urdf", "wrl",
];

/// Files that are refused, by the end of their path, with the end of the message and the advice.
const REFUSED: [(&str, &str, &str); 4] = [
    (
        "genuine_joe_stir_sticks.obj",
        "/objects/apc/genuine_joe_stir_sticks.obj:1:6: error: `genuine_joe_stir_sticks.pcd` cannot be found; \
         tried /objects/apc/genuine_joe_stir_sticks.pcd",
        "paths are relative to the file that names them",
    ),
    (
        // an empty mesh, as its exporter wrote it
        "kinova_gen3_7dof/end_effector_link.STL",
        "error: is neither text nor binary STL: it is shorter than a header",
        "",
    ),
    (
        // it belongs to another program
        "kiva_pod/model.config",
        "model.config:1:1: error: `<?xml` is not a number of values",
        "a configuration is the number of its values, then the values: `3 0 0.5 -1`",
    ),
    (
        ".wrl",
        "error: is a VRML scene, which is not read",
        "convert it to .ply, .obj or .stl, for instance with MeshLab or Blender; read are .urdf, .xacro, .sdf, .rob, .obj, .env, .xml of \
         Klampt and MuJoCo, and the shapes .off, .stl, .ply, .dae, .gltf, .glb, .tri, .geom, .pcd, .bt of OctoMap, .msh of MuJoCo and .json",
    ),
];

/// The one remark of each file that loads with any, by the end of the file's path.
const REMARKS: [(&str, &str); 5] = [
    (
        "human_hand.urdf",
        ":346:3: warning: `<klampt>` is never closed; `<klampt/>` is taken as `</klampt>`",
    ),
    (
        "kinova_gen3_7dof.urdf",
        ":240:31: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`",
    ),
    (
        "kinova_with_robotiq_85.urdf",
        ":240:31: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`",
    ),
    // these may use xacro, and what that expands is found by its element
    (
        "mirobot.urdf",
        if cfg!(feature = "xacro") {
            ":436:3: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`"
        } else {
            ":436:31: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`"
        },
    ),
    (
        "mirobot_vacuum.urdf",
        if cfg!(feature = "xacro") {
            ":488:3: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`"
        } else {
            ":488:31: warning: klampt: `defaultAccMax` is ignored, as Klampt does; it is spelled `default_acc_max`"
        },
    ),
];

pub(crate) fn every_other_file_loads_or_is_refused_as_listed() {
    let root = corpus();
    let mut loader = Loader::new();
    let (mut loaded, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for path in files_below(&root).iter().filter(|path| is_read(path)) {
        let name = path.display().to_string();
        let as_listed = REFUSED.iter().find(|(end, ..)| name.ends_with(end));
        match (load(&mut loader, path), as_listed) {
            (Ok(said), None) => {
                let listed = REMARKS.iter().find(|(end, _)| name.ends_with(end));
                let is_as_listed = match (said.as_slice(), listed) {
                    ([], None) => true,
                    ([said], Some((_, listed))) => said.ends_with(listed),
                    _ => false,
                };
                if !is_as_listed {
                    wrong.push(format!("{name}: {said:#?}"));
                }
                loaded += 1;
            }
            (Err(kinworld::Error::Load(error)), Some((_, message, help))) => {
                let said = error.to_string().replace(&root.display().to_string(), "");
                assert!(said.ends_with(message), "{error}");
                let advice = error.diagnostic.help.unwrap_or_default();
                assert_eq!(advice, *help, "{name}");
                refused += 1;
            }
            (result, _) => wrong.push(format!("{name}: {result:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(loaded >= 160 && refused >= 10, "the corpus has lost files");
}

/// Loads a file, whatever it is; tells what was said.
fn load(loader: &mut Loader, path: &Path) -> Result<Vec<String>> {
    let is_list = path.extension().is_some_and(|suffix| suffix == "config");
    let said = if is_list {
        loader.configurations(path)?.diagnostics
    } else {
        loader.add_file(&mut WorldModel::new(), path)?.diagnostics
    };
    Ok(said.iter().map(ToString::to_string).collect())
}

fn is_read(path: &Path) -> bool {
    let suffix = path.extension().map(OsStr::to_ascii_lowercase);
    let is_map = suffix.as_deref().is_some_and(|suffix| suffix == "json");
    let is_known = SUFFIXES
        .iter()
        .any(|known| suffix.as_deref() == Some(OsStr::new(known)));
    is_known && (!is_map || cfg!(feature = "heightmap"))
}
