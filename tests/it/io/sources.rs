//! Finding and opening files: refusals, resolution of names, and limits.

use std::path::Path;

use kinworld::geometry::Shape;
use kinworld::io::{Base, FixedJoints, LoadLimits, LoadOptions, Loader};
use kinworld::{Geometry, Robot};

use super::scratch::{file, folder, loader_of_data, refusal};
use crate::common::files::data;

const LINK: &str = "TParent 1 0 0  0 1 0  0 0 1  0 0 0\n";

#[test]
fn only_regular_files_are_opened() {
    let folder = folder();
    assert_eq!(
        refusal(Robot::load(&folder)).diagnostic.message,
        "is a folder, not a file"
    );
    let named = folder.join("named.rob");
    std::fs::create_dir(&named).unwrap();
    assert_eq!(
        refusal(Robot::load(&named)).diagnostic.message,
        "is a folder, not a file"
    );
    let missing = refusal(Robot::load(folder.join("none.rob")));
    assert_eq!(missing.diagnostic.message, "cannot be read: no such file");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_without_waiting_for_them() {
    let pipe = folder().join("pipe.rob");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let robot = pipe.with_file_name("x.rob");
    std::fs::write(&robot, format!("{LINK}geometry \"pipe.rob\"\n")).unwrap();
    for error in [
        refusal(Robot::load(&pipe)),
        refusal(Robot::load("/dev/zero")),
        refusal(Geometry::load("/dev/urandom")),
        refusal(Robot::load(&robot)),
    ] {
        let message = error.diagnostic.message;
        assert_eq!(
            message,
            "is not a regular file but a pipe, a socket or a device"
        );
    }
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let limits = LoadLimits::default().with_file_size(40);
    let options = LoadOptions::default().with_limits(limits);
    let path = file("x.rob", format!("{LINK}# {}\n", "x".repeat(100)));
    let error = refusal(Loader::with_options(options).robot(path));
    assert_eq!(
        error.diagnostic.message,
        "is larger than the limit of 40 bytes"
    );
}

#[test]
fn every_limit_is_an_option_and_its_message_names_it() {
    type Tighten = fn(&mut LoadLimits);
    let urdf = "<robot name=\"r\"><link name=\"a\"/><klampt><noselfcollision pairs=\"a a a a\"/></klampt></robot>";
    let cases: [(&str, &str, Tighten, &str); 4] = [
        (
            "x.urdf",
            urdf,
            |l| l.nesting = 1,
            "elements are nested more than 1 deep",
        ),
        ("x.urdf", urdf, |l| l.elements = 2, "more than 2 elements"),
        (
            "x.urdf",
            urdf,
            |l| l.pairs = 1,
            "klampt: the file names more than 1 pairs of links",
        ),
        (
            "x.off",
            "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n",
            |l| l.vertices = 3,
            "has 4 vertices or triangles, the limit is 3",
        ),
    ];
    for (name, text, tighten, message) in cases {
        let path = file(name, text);
        let mut options = LoadOptions::default();
        tighten(&mut options.limits);
        let mut loader = Loader::with_options(options);
        let error = match name {
            "x.off" => refusal(loader.geometry(path)),
            _ => refusal(loader.robot(path)),
        };
        assert_eq!(error.diagnostic.message, message);
        let help = error.diagnostic.help.unwrap();
        assert!(help.starts_with("raise `limits."), "{help}");
    }
}

#[test]
fn a_strict_loader_turns_a_warning_into_an_error() {
    let strict = LoadOptions::default().with_strict(true);
    let clean = file("x.rob", LINK);
    assert!(Loader::with_options(strict.clone()).robot(clean).is_ok());
    let warned = file("x.rob", format!("{LINK}q 0 x\n"));
    let loaded = Robot::load(&warned).unwrap();
    let error = refusal(Loader::with_options(strict).robot(&warned));
    assert_eq!(error.diagnostic.message, loaded.diagnostics[0].message);
    assert!(error.to_string().contains(": error: "), "{error}");
    assert_eq!(error.warnings, loaded.diagnostics[1..]);
}

#[test]
fn invalid_bytes_byte_order_marks_and_line_ends_are_read() {
    let text = format!("\u{feff}{}property n 1\r\n", LINK.replace('\n', "\r\n"));
    let loaded = Robot::load(file("x.rob", text)).unwrap();
    assert!(loaded.diagnostics.is_empty());
    assert_eq!(loaded.value.properties()["n"], "1");
    let mut bytes = format!("{LINK}property n ").into_bytes();
    bytes.extend([0xE9, b'\n']);
    let loaded = Robot::load(file("x.rob", bytes)).unwrap();
    let said = loaded.diagnostics[0].to_string();
    assert!(
        said.ends_with(
            "x.rob:2:12: warning: a byte that is not UTF-8; all such bytes are replaced"
        ),
        "{said}"
    );
}

/// A URDF of one link with a mesh.
fn urdf_with(mesh: &str) -> String {
    format!(
        "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{mesh}\"/></geometry></collision></link></robot>"
    )
}

fn put(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a folder")).unwrap();
    std::fs::write(path, content).unwrap();
}

#[test]
fn packages_are_found_by_the_map_and_around_the_file() {
    let cube = std::fs::read(data("meshes/cube.off")).unwrap();
    let triangle = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let mesh = "package://my_arm/meshes/a.off";

    // by the name of a folder above, by the name in its package.xml, and beside a folder above
    for (robot, manifest, meshes) in [
        ("my_arm/urdf/r.urdf", None, "my_arm/meshes/a.off"),
        (
            "other/urdf/r.urdf",
            Some("other/package.xml"),
            "other/meshes/a.off",
        ),
        (
            "bringup/urdf/r.urdf",
            Some("my_arm/package.xml"),
            "my_arm/meshes/a.off",
        ),
    ] {
        let root = folder();
        put(&root.join(robot), urdf_with(mesh));
        put(&root.join(meshes), &cube);
        if let Some(manifest) = manifest {
            put(
                &root.join(manifest),
                "<package><name> my_arm </name></package>",
            );
        }
        let loaded = Robot::load(root.join(robot)).unwrap().value;
        let shape = loaded.links()[0].shape().expect("the mesh was found");
        assert_eq!(shape.n_triangles(), 12, "{robot}");

        // the options of the caller come first
        let given = folder();
        put(&given.join("meshes/a.off"), triangle);
        let options = LoadOptions::default().with_packages(vec![("my_arm".to_owned(), given)]);
        let loaded = Loader::with_options(options)
            .robot(root.join(robot))
            .unwrap()
            .value;
        assert_eq!(
            loaded.links()[0].shape().expect("the mesh").n_triangles(),
            1
        );
    }
}

#[test]
fn a_missing_file_lists_every_path_that_was_tried() {
    let root = folder();
    let given = root.join("given");
    let text = format!("{LINK}geometry \"package://hand/a.off\"\n");
    put(&root.join("hand/x.rob"), text);
    let options = LoadOptions::default().with_packages(vec![("hand".to_owned(), given.clone())]);
    let error = refusal(Loader::with_options(options).robot(root.join("hand/x.rob")));
    let message = &error.diagnostic.message;
    for tried in [given.join("a.off"), root.join("hand/a.off")] {
        assert!(message.contains(&tried.display().to_string()), "{message}");
    }
    let help = error.diagnostic.help.clone().unwrap_or_default();
    assert!(help.contains("--package hand=DIR"), "{help}");
}

#[test]
fn a_file_found_in_the_current_folder_instead_gets_a_warning() {
    // tests run in the folder of their package
    let text = format!("{LINK}geometry \"../data/meshes/cube.off\"\n");
    let loaded = loader_of_data().robot(file("x.rob", text)).unwrap();
    assert_eq!(loaded.diagnostics.len(), 1);
    let message = &loaded.diagnostics[0].message;
    assert!(
        message.contains("found in the current folder instead"),
        "{message}"
    );
}

#[test]
fn a_mesh_is_read_once_and_shared() {
    let mut loader = loader_of_data();
    let mesh = data("meshes/cube.off");
    let text = format!("{LINK}geometry \"{}\"\n", mesh.display());
    let vertices = |robot: &Robot| {
        let element = &robot.links()[0].collision()[0];
        match element.geometry.shape() {
            Shape::Mesh(mesh) => mesh.vertices().as_ptr(),
            other => panic!("{other:?}"),
        }
    };
    let [a, b] = [0, 1].map(|_| loader.robot(file("x.rob", &text)).unwrap().value);
    assert_eq!(vertices(&a), vertices(&b));
}

#[test]
fn without_geometry_no_mesh_is_looked_for() {
    let options = LoadOptions::default().with_load_geometry(false);
    let text = format!(
        "{LINK}geometry \"none.off\"\nmass 2\nautomass\ngeomtransform 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"
    );
    let loaded = Loader::with_options(options.clone())
        .robot(file("x.rob", text))
        .unwrap();
    assert!(loaded.value.links()[0].shape().is_none());
    assert_eq!(loaded.diagnostics.len(), 1, "{:?}", loaded.diagnostics);
    assert!(
        loaded.diagnostics[0]
            .message
            .starts_with("`automass` has no geometry")
    );
    let mut loader = Loader::with_options(options);
    let object = loader
        .rigid_object(file("x.obj", "mesh none.off\n"))
        .unwrap()
        .value;
    assert!(object.geometry.is_none());
    assert!(
        loader
            .terrain(file("x.env", "mesh none.off\n"))
            .unwrap()
            .value
            .geometry
            .is_none()
    );
}

#[test]
fn options_for_urdf_are_refused_for_rob() {
    for (options, name) in [
        (LoadOptions::default().with_base(Base::Floating), "base"),
        (
            LoadOptions::default().with_fixed_joints(FixedJoints::Merge),
            "fixed-joints",
        ),
    ] {
        let error = refusal(Loader::with_options(options).robot(file("x.rob", LINK)));
        let expected = format!("the option `{name}` applies to URDF only, and this is a .rob");
        assert_eq!(error.diagnostic.message, expected);
    }
}

#[test]
fn robots_that_mount_too_many_robots_are_refused() {
    let root = folder();
    // each file mounts the next one twice: without a limit a million robots
    for i in 0..20 {
        let next = i + 1;
        let text = format!("{LINK}mount 0 {next}.rob as a\nmount 0 {next}.rob as b\n");
        put(&root.join(format!("{i}.rob")), text);
    }
    put(&root.join("20.rob"), LINK);
    let limits = LoadLimits::default().with_mount_depth(16);
    let options = LoadOptions::default().with_limits(limits);
    let deep = refusal(Loader::with_options(options).robot(root.join("0.rob")));
    assert_eq!(
        deep.diagnostic.message,
        "robots are mounted on robots more than 16 deep"
    );
    let many = refusal(Robot::load(root.join("8.rob")));
    assert_eq!(many.diagnostic.message, "more than 1000 files are mounted");
    let few = LoadLimits::default().with_links(20);
    let options = LoadOptions::default().with_limits(few);
    let links = refusal(Loader::with_options(options).robot(root.join("14.rob")));
    assert!(
        links.diagnostic.message.contains("more than 20 links"),
        "{links}"
    );
}

#[test]
fn a_million_names_are_refused() {
    let error = refusal(Robot::load(file(
        "x.rob",
        format!("links {}\n", "l ".repeat(1_000_000)),
    )));
    assert_eq!(
        error.diagnostic.message,
        "the robot has 1000000 links, the limit is 100000"
    );
    let many = format!("{LINK}{}", "q 0 ?\n".repeat(100_000));
    let error = refusal(Robot::load(file("x.rob", many)));
    assert_eq!(error.warnings.len(), 1001);
    let objects = format!(
        "mesh a.off\n{}",
        (0..100_000)
            .map(|i| format!("k{i} 1\n"))
            .collect::<String>()
    );
    refusal(kinworld::world::RigidObject::load(file("x.obj", objects)));
}

#[test]
fn a_file_of_many_links_is_read() {
    let n = 20_000;
    let mut urdf = "<robot name=\"r\"><link name=\"l0\"/>".to_owned();
    for i in 1..n {
        urdf += &format!("<link name=\"l{i}\"/><joint name=\"j{i}\" type=\"fixed\">");
        urdf += &format!(
            "<parent link=\"l{}\"/><child link=\"l{i}\"/></joint>",
            i - 1
        );
    }

    // many shapes on links that have to be found by name
    let folder = folder();
    put(
        &folder.join("a.off"),
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    );
    let mounts = format!("<mount link=\"l{}\" file=\"a.off\"/>", n - 1).repeat(n);
    put(
        &folder.join("x.urdf"),
        format!("{urdf}<klampt>{mounts}</klampt></robot>"),
    );
    let robot = Robot::load(folder.join("x.urdf")).unwrap().value;
    let last = robot.link_id(&format!("l{}", n - 1)).unwrap();
    assert_eq!(robot.link(last).collision().len(), n);

    // many pairs of links by name
    let mut rob = format!(
        "links{}\n",
        (0..n).map(|i| format!(" l{i}")).collect::<String>()
    );
    rob += &format!("parents{}\n", " -1".repeat(n));
    rob += &format!("tparent{}\n", " 1 0 0 0 1 0 0 0 1 0 0 0".repeat(n));
    rob.extend((1..n).map(|i| format!("noselfcollision l0 l{i}\n")));
    assert_eq!(Robot::load(file("x.rob", rob)).unwrap().value.n_dofs(), n);
}

#[test]
fn robots_mount_64_deep() {
    let root = folder();
    for i in 0..64 {
        let next = i + 1;
        let text = format!("{LINK}mount 0 {next}.rob as a{next}\n");
        put(&root.join(format!("{i}.rob")), text);
    }
    put(&root.join("64.rob"), LINK);
    let robot = Robot::load(root.join("0.rob")).unwrap().value;
    assert_eq!(robot.links().len(), 65);
}

#[test]
fn options_for_urdf_pass_over_a_rob_beside_others() {
    let root = folder();
    put(&root.join("a.rob"), LINK);
    put(
        &root.join("b.urdf"),
        "<robot name=\"b\"><link name=\"b\"/></robot>",
    );
    let world = root.join("w.xml");
    put(
        &world,
        "<world><robot file=\"a.rob\"/><robot file=\"b.urdf\"/></world>",
    );
    let options = LoadOptions::default().with_base(Base::Floating);
    let loaded = Loader::with_options(options).world(world).unwrap();
    let dofs: Vec<usize> = loaded.value.robots().map(|r| r.model().n_dofs()).collect();
    assert_eq!(dofs, [1, 6]);
    let message = &loaded.diagnostics[0].message;
    assert!(message.starts_with("the option `base` applies to URDF only"));
}

#[test]
fn a_misspelt_path_gets_the_name_that_is_there() {
    let folder = folder();
    let inner = folder.join("robots");
    std::fs::create_dir(&inner).unwrap();
    for name in ["arm6.rob", "arm6.urdf", "table.env"] {
        std::fs::write(inner.join(name), LINK).unwrap();
    }
    let help = |path: &str| {
        let path = path
            .split('/')
            .fold(folder.clone(), |path, part| path.join(part));
        refusal(Robot::load(path)).diagnostic.help
    };
    let meant = |name: &str| Some(format!("did you mean `{}`?", inner.join(name).display()));
    assert_eq!(help("robots/arm5.urdf"), meant("arm6.urdf"));
    assert_eq!(help("robots/arm5.rob"), meant("arm6.rob"));

    // the suffix may be misspelt too
    assert_eq!(help("robots/arm6.udf"), meant("arm6.urdf"));
    assert_eq!(help("robots/elephant.urdf"), None);
    let there_is_no = format!("there is no folder `{}`", folder.join("robot").display());
    let beside = Some(there_is_no + "; did you mean `robots`?");
    assert_eq!(help("robot/arm6.urdf"), beside);
}
