//! Files that a file may name, and each way out of its folders.

use std::fs::{create_dir_all, read, write};
use std::path::{Path, PathBuf};

use kinworld::io::{LoadOptions, Loader, Source};
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Diagnostic, Error, Geometry, Robot, WorldModel};

use super::scratch::{folder, refusal};
use crate::common::files::data;

const LINK: &str = "TParent 1 0 0  0 1 0  0 0 1  0 0 0\n";
const OUTSIDE: &str = "is outside the folders whose files this file may name";
/// The text of every file that must not be read.
const SECRET: &str = "hunter2";

/// A folder with a secret, and a folder `model` beside it with a model.
struct Place {
    top: PathBuf,
}

impl Place {
    fn new() -> Self {
        let top = folder();
        create_dir_all(top.join("model")).unwrap();
        create_dir_all(top.join("private")).unwrap();
        let cube = read(data("meshes/cube.off")).unwrap();
        write(top.join("private/cube.off"), cube).unwrap();
        write(top.join("private/secret.xml"), format!("<s>{SECRET}</s>")).unwrap();
        write(top.join("private/secret.txt"), format!("{SECRET}\n")).unwrap();
        write(top.join("private/arm.rob"), LINK).unwrap();
        Self { top }
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.top.join(name);
        create_dir_all(path.parent().expect("a folder")).unwrap();
        write(&path, text).unwrap();
        path
    }

    fn outside(&self, name: &str) -> String {
        self.top.join("private").join(name).display().to_string()
    }
}

/// All that a call says, without names of files.
fn said<T>(result: kinworld::Result<kinworld::Loaded<T>>) -> Vec<Diagnostic> {
    match result {
        Ok(loaded) => loaded.diagnostics,
        Err(Error::Load(error)) => {
            let mut all = error.warnings;
            all.push(*error.diagnostic);
            all
        }
        Err(other) => panic!("{other}"),
    }
}

#[track_caller]
fn assert_outside<T>(result: kinworld::Result<kinworld::Loaded<T>>) {
    let said = said(result);
    assert!(
        said.iter().any(|said| said.message.contains(OUTSIDE)),
        "{said:?}"
    );
    let said = said
        .iter()
        .find(|said| said.message.contains(OUTSIDE))
        .expect("just found");
    let help = said.help.clone().unwrap_or_default();
    assert!(
        help.contains("--root DIR") && help.contains("LoadOptions::roots"),
        "{said:?}"
    );
    assert!(!format!("{said:?}").contains(SECRET));
}

fn urdf(mesh: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{mesh}\"/></geometry></collision></link></robot>"
    )
}

#[test]
fn a_name_that_leads_out_is_refused_whatever_its_form() {
    let place = Place::new();
    let absolute = place.outside("cube.off");
    for name in [
        "../private/cube.off",
        "../private/none.off",
        "nowhere/../../private/cube.off",
        "%2e%2e/private/cube.off",
        &absolute,
        &format!("file://{absolute}"),
        &format!("file://localhost{absolute}"),
        "package://model/../private/cube.off",
        "/etc/passwd",
        "/no/such/file",
    ] {
        assert_outside(Robot::load(place.put("model/x.urdf", urdf(name))));
        // the answer is the same whether there is such a file or not
        let text = format!("{LINK}geometry \"{name}\"\n");
        assert_outside(Robot::load(place.put("model/x.rob", text)));
    }
}

#[test]
fn package_addresses_name_packages_only() {
    let place = Place::new();
    for (name, problem) in [
        ("package://../private/cube.off", "names no package"),
        ("package:///etc/passwd", "names no package"),
        ("model://./cube.off", "names no package"),
        ("package://etc/passwd", "no folder is known for the package"),
        (
            "package://private/cube.off",
            "no folder is known for the package",
        ),
    ] {
        let said = said(Robot::load(place.put("model/x.urdf", urdf(name))));
        assert!(said[0].message.contains(problem), "{name}: {said:?}");
    }
}

#[test]
fn every_kind_of_file_is_confined() {
    let place = Place::new();
    let secret = place.outside("secret.xml");
    let cube = place.outside("cube.off");
    let text = place.outside("secret.txt");
    let rob = |line: &str| format!("{LINK}{line}\n");
    let arm = place.outside("arm.rob");

    // robots
    for line in [
        format!("mount 0 \"{arm}\""),
        format!("mount 0 \"{cube}\""),
        format!("property sensors \"{secret}\""),
        format!("property controller \"{secret}\""),
    ] {
        assert_outside(Robot::load(place.put("model/x.rob", rob(&line))));
    }
    for klampt in [
        format!("<klampt><mount link=\"a\" file=\"{arm}\"/></klampt>"),
        format!("<klampt sensors=\"{secret}\"/>"),
        format!("<klampt><sensors file=\"{secret}\"/></klampt>"),
        format!(
            "<klampt package_root=\"{}\"/>",
            place.top.join("private").display()
        ),
    ] {
        let body = "<link name=\"a\"><collision><geometry><mesh filename=\"../private/cube.off\"/></geometry></collision></link>";
        let text = format!("<robot name=\"r\">{body}{klampt}</robot>");
        assert_outside(Robot::load(place.put("model/x.urdf", text)));
    }

    // objects, terrains and worlds
    let mesh = format!("mesh \"{cube}\"\n");
    assert_outside(RigidObject::load(place.put("model/x.obj", &mesh)));
    assert_outside(Terrain::load(place.put("model/x.env", &mesh)));
    for element in [
        format!("<robot file=\"{arm}\"/>"),
        format!("<robot file=\"own.rob\" configfile=\"{text}\"/>"),
        format!("<robot file=\"own.rob\"><sensors file=\"{secret}\"/></robot>"),
        format!("<terrain file=\"{cube}\"/>"),
        format!("<rigidObject><geometry mesh=\"{cube}\"/></rigidObject>"),
        "<rigidObject file=\"../private/x.obj\"/>".to_owned(),
    ] {
        place.put("model/own.rob", LINK);
        let world = format!("<world>{element}</world>");
        assert_outside(WorldModel::load(place.put("model/x.xml", world)));
    }

    // what a mesh names
    let wavefront = "mtllib ../private/secret.txt\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    assert_outside(Geometry::load(place.put("model/mesh.obj", wavefront)));
    let gltf = std::fs::read_to_string(data("formats/wedge.gltf")).unwrap();
    let gltf = gltf.replace("wedge%20buffer.bin", "../private/secret.txt");
    assert!(gltf.contains("../private/secret.txt"));
    assert_outside(Geometry::load(place.put("model/mesh.gltf", gltf)));
}

#[cfg(feature = "heightmap")]
#[test]
fn the_image_of_a_height_map_is_confined() {
    let place = Place::new();
    let map = std::fs::read_to_string(data("formats/hill.json")).unwrap();
    let map = map.replace("hill.png", "../private/hill.png");
    assert_outside(Geometry::load(place.put("model/hill.json", map)));
}

#[cfg(feature = "xacro")]
#[test]
fn xacro_is_confined() {
    let place = Place::new();
    let secret = place.outside("secret.xml");
    for (inside, is_outside) in [
        (format!("<xacro:include filename=\"{secret}\"/>"), true),
        (
            format!("<xacro:include filename=\"{secret}\" optional=\"true\"/>"),
            true,
        ),
        (
            format!("<link name=\"${{xacro.load_yaml('{secret}')}}\"/>"),
            true,
        ),
        (
            "<xacro:include filename=\"$(find model)/../private/secret.xml\"/>".to_owned(),
            true,
        ),
        ("<link name=\"$(find private)\"/>".to_owned(), false),
        ("<link name=\"$(find ..)\"/>".to_owned(), false),
        (
            "<link name=\"$(find model/../private)\"/>".to_owned(),
            false,
        ),
    ] {
        let text =
            format!("<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" name=\"r\">{inside}</robot>");
        let error = refusal(Robot::load(place.put("model/x.xacro", text)));
        let message = &error.diagnostic.message;
        assert_eq!(message.contains(OUTSIDE), is_outside, "{inside}: {message}");
        assert!(!format!("{error:?}").contains(SECRET), "{error:?}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_out() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    let model = place.top.join("model");
    symlink("../private/cube.off", model.join("file.off")).unwrap();
    symlink("../private", model.join("folder")).unwrap();
    symlink("../private/none.off", model.join("dangling.off")).unwrap();
    symlink("/", model.join("meshes")).unwrap();
    for name in [
        "file.off",
        "folder/cube.off",
        "folder/none.off",
        "dangling.off",
        "meshes/etc/passwd",
    ] {
        assert_outside(Robot::load(place.put("model/x.urdf", urdf(name))));
    }
    // a neighbour that is a link is no neighbour
    symlink("private", place.top.join("meshes")).unwrap();
    assert_outside(Robot::load(
        place.put("model/x.urdf", urdf("../meshes/cube.off")),
    ));

    // links within, to the file that the caller names, and of a root itself are followed
    std::fs::copy(data("meshes/cube.off"), model.join("own.off")).unwrap();
    symlink("own.off", model.join("link.off")).unwrap();
    let robot = place.put("model/x.urdf", urdf("link.off"));
    assert_loads(&Loader::new(), &robot);
    let elsewhere = place.top.join("private/link.urdf");
    symlink(&robot, &elsewhere).unwrap();
    assert_loads(&Loader::new(), &robot);
    let named = place.put("model/x.urdf", urdf(&place.outside("cube.off")));
    symlink("private", place.top.join("alias")).unwrap();
    let options = LoadOptions::default().with_roots(vec![place.top.join("alias")]);
    assert_loads(&Loader::with_options(options), &named);
}

#[track_caller]
fn assert_loads(loader: &Loader, path: &Path) {
    let loaded = loader.clone().robot(path).unwrap();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert!(loaded.value.links()[0].shape().is_some());
}

#[test]
fn roots_and_packages_of_the_caller_widen_the_rule() {
    let place = Place::new();
    let private = place.top.join("private");
    let absolute = place.put("model/x.urdf", urdf(&place.outside("cube.off")));
    let roots = LoadOptions::default().with_roots(vec![private.clone()]);
    assert_loads(&Loader::with_options(roots), &absolute);
    let packages = LoadOptions::default().with_packages(vec![("p".into(), private)]);
    assert_loads(&Loader::with_options(packages.clone()), &absolute);
    let package = place.put("model/x.urdf", urdf("package://p/cube.off"));
    assert_loads(&Loader::with_options(packages), &package);
    // what the caller names is trusted
    assert!(Geometry::load(place.outside("cube.off")).is_ok());
}

#[test]
fn a_mesh_in_memory_of_the_loader_is_no_way_out() {
    let place = Place::new();
    let mut loader = Loader::new();
    let _ = loader.geometry(place.outside("cube.off")).unwrap();
    let name = place.outside("cube.off");
    assert_outside(loader.robot(place.put("model/x.urdf", urdf(&name))));
}

#[test]
fn packages_around_the_file_and_neighbours_are_inside() {
    let cube = read(data("meshes/cube.off")).unwrap();
    let package = "<package><name>p</name></package>";
    for (robot, mesh, file, mark) in [
        // the enclosing package
        (
            "ws/p/urdf/a/b/x.urdf",
            "../../../cad/c.off",
            "ws/p/cad/c.off",
            "ws/p",
        ),
        (
            "ws/p/urdf/x.urdf",
            "package://p/cad/c.off",
            "ws/p/cad/c.off",
            "ws/p",
        ),
        // a package beside a folder above
        (
            "ws/repo/p/x.urdf",
            "package://q/c.off",
            "ws/q/c.off",
            "ws/q",
        ),
        ("ws/repo/p/x.urdf", "../../q/c.off", "ws/q/c.off", "ws/q"),
        // neighbours
        (
            "w/p/urdf/x.urdf",
            "../meshes/c.off",
            "w/p/meshes/c.off",
            "none",
        ),
        (
            "w/p/robots/a/x.urdf",
            "../../meshes/a/c.off",
            "w/p/meshes/a/c.off",
            "none",
        ),
    ] {
        let place = Place::new();
        place.put(file, &cube);
        place.put(&format!("{mark}/package.xml"), package);
        let path = place.put(robot, urdf(mesh));
        assert_loads(&Loader::new(), &path);
    }
    // a folder that is no package, and three steps up
    for (mesh, file) in [
        ("../cad/c.off", "w/cad/c.off"),
        ("../../../meshes/c.off", "w/../meshes/c.off"),
    ] {
        let place = Place::new();
        create_dir_all(place.top.join("w")).unwrap();
        place.put(file, &cube);
        assert_outside(Robot::load(place.put("w/p/q/r/x.urdf", urdf(mesh))));
    }
}

#[test]
fn names_in_memory_stay_in_memory() {
    let place = Place::new();
    let name = place.outside("cube.off");
    let source = Source::memory().with_file("model/x.urdf", urdf(&name).into_bytes());
    let loaded = Loader::new()
        .with_source(source)
        .robot("model/x.urdf")
        .unwrap();
    assert!(loaded.value.links()[0].shape().is_none());
    assert!(loaded.diagnostics[0].message.contains("cannot be found"));

    // over a folder, a file in memory is confined like one on disk, and may name all that is in memory
    let source = Source::folder(place.top.join("model"))
        .with_file("a/x.urdf", urdf("../b/cube.off").into_bytes())
        .with_file("b/cube.off", read(data("meshes/cube.off")).unwrap())
        .with_file("a/y.urdf", urdf("../../private/cube.off").into_bytes());
    let loader = Loader::new().with_source(source);
    assert_loads(&loader, Path::new("a/x.urdf"));
    assert_outside(loader.clone().robot("a/y.urdf"));
}

#[test]
fn escapes_and_hosts_of_addresses_are_understood() {
    let place = Place::new();
    let cube = read(data("meshes/cube.off")).unwrap();
    let path = place.put("model/my cube.off", &cube);
    place.put("model/100%25.off", &cube);
    place.put("model/package.xml", "<package><name>model</name></package>");
    let local = path.display().to_string().replace(' ', "%20");
    for name in [
        "my%20cube.off",
        "package://model/my%20cube.off",
        &format!("file://{local}"),
        &format!("file://localhost{local}"),
        // a name is taken as it is first
        "100%25.off",
    ] {
        assert_loads(&Loader::new(), &place.put("model/x.urdf", urdf(name)));
    }
}

#[test]
fn no_message_shows_words_of_a_file_of_another_kind() {
    let place = Place::new();
    place.put("model/own.rob", LINK);
    place.put("model/notes", format!("{SECRET}:{SECRET} <{SECRET}\n"));
    place.put("model/web.config", format!("<{SECRET}/>\n"));
    place.put("model/list.txt", format!("3 {SECRET}\n"));
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    place.put("model/m.obj", format!("mtllib notes\n{mesh}"));
    let mut all = Vec::new();
    for element in [
        "<robot file=\"own.rob\" configfile=\"notes\"/>",
        "<robot file=\"own.rob\" configfile=\"web.config\"/>",
        "<robot file=\"own.rob\" configfile=\"list.txt\"/>",
        "<robot file=\"own.rob\"><sensors file=\"notes\"/></robot>",
        "<robot file=\"notes\"/>",
        "<terrain file=\"notes\"/>",
        "<terrain file=\"m.obj\"/>",
    ] {
        let path = place.put("model/x.xml", format!("<world>{element}</world>"));
        let found = said(WorldModel::load(path));
        assert!(!found.is_empty(), "{element}");
        all.extend(found);
    }
    for line in ["mount 0 notes", "geometry notes"] {
        let path = place.put("model/x.rob", format!("{LINK}{line}\n"));
        all.extend(said(Robot::load(path)));
    }
    #[cfg(feature = "xacro")]
    for inside in [
        "<xacro:include filename=\"notes\"/>",
        "<link name=\"${xacro.load_yaml('notes')}\"/>",
    ] {
        let text =
            format!("<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" name=\"r\">{inside}</robot>");
        all.extend(said(Robot::load(place.put("model/x.xacro", text))));
    }
    for said in &all {
        assert!(!format!("{said:?}").contains(SECRET), "{said:?}");
    }
    // the position is kept
    assert!(
        all.iter()
            .any(|said| said.is_hidden && said.line == Some(1)),
        "{all:?}"
    );

    // a file that the caller names is shown, and so is a part of a model
    let path = place.put("model/web.config", format!("<{SECRET}/>\n"));
    let error = refusal(Loader::new().configurations(path));
    assert!(error.diagnostic.message.contains(SECRET));
    place.put("model/part.rob", format!("{LINK}joint {SECRET} 0\n"));
    let path = place.put("model/x.rob", format!("{LINK}mount 0 part.rob\n"));
    assert!(
        refusal(Robot::load(path))
            .diagnostic
            .message
            .contains(SECRET)
    );
}

#[test]
fn files_of_sensors_must_exist_and_be_xml() {
    let place = Place::new();
    place.put("model/good.xml", "<?xml version=\"1.0\"?><sensors/>\n");
    place.put("model/bad.xml", "no XML\n");
    let robot = |name: &str| {
        let text = format!("{LINK}property sensors {name}\n");
        Robot::load(place.put("model/x.rob", text))
    };
    let good = robot("good.xml").unwrap().value;
    assert_eq!(good.properties()["sensors"], "<sensors/>");
    let missing = refusal(robot("none.xml"));
    assert!(missing.to_string().contains("x.rob:2:"), "{missing}");
    assert!(missing.diagnostic.message.contains("cannot be found"));
    assert!(
        refusal(robot("bad.xml"))
            .to_string()
            .contains("bad.xml:1:1")
    );
}
