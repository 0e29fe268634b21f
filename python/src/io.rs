//! Files beside models: configurations, objectives, recordings; conversion; files in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kinworld::io::{self, FileKind, Loader, SaveFormat, SaveOptions, Source};
use pyo3::prelude::*;

use crate::convert::{Array1, ArrayN, Rows, array_n, array1};
use crate::error::{Diagnostics, call, call_detached, diagnostics, error, loaded};
use crate::ik::Objective;
use crate::load::LoadOptions;
use crate::robot::Robot;
use crate::world::World;

/// Configurations (k × n) of a file.
#[pyfunction]
pub(crate) fn load_configurations<'py>(py: Python<'py>, path: PathBuf) -> PyResult<ArrayN<'py>> {
    let found = call_detached(py, || Loader::new().configurations(path))?;
    let (rows, _) = loaded(py, found)?;
    table(py, &rows)
}

fn table<'py>(py: Python<'py>, rows: &[Vec<f64>]) -> PyResult<ArrayN<'py>> {
    let n = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != n) {
        return Err(error("the configurations of the file differ in length"));
    }
    array_n(py, &[rows.len(), n], rows.concat())
}

/// Saves configurations (k × n).
#[pyfunction]
#[pyo3(signature = (path, configs, *, force=false))]
pub(crate) fn save_configurations(
    py: Python<'_>,
    path: PathBuf,
    configs: Rows,
    force: bool,
) -> PyResult<()> {
    let options = SaveOptions::default().with_force(force);
    call_detached(py, || {
        io::save_configurations_with(path, &configs.to_vecs(), &options)
    })
}

/// Goals of inverse kinematics of a file, for a robot.
#[pyfunction]
pub(crate) fn load_objectives(
    py: Python<'_>,
    path: PathBuf,
    robot: &Bound<'_, Robot>,
) -> PyResult<Vec<Objective>> {
    let found = call_detached(py, || Loader::new().objectives(path))?;
    let (goals, _) = loaded(py, found)?;
    let model = &robot.get().model;
    Ok(goals
        .into_iter()
        .map(|goal| Objective::from_model(goal, model))
        .collect())
}

/// Saves goals of inverse kinematics of a robot; returns warnings about what is lost.
#[pyfunction]
pub(crate) fn save_objectives(
    py: Python<'_>,
    path: PathBuf,
    robot: &Bound<'_, Robot>,
    objectives: Vec<Bound<'_, Objective>>,
) -> PyResult<Diagnostics> {
    let model = &robot.get().model;
    let goals = objectives
        .iter()
        .map(|objective| objective.get().of(model))
        .collect::<PyResult<Vec<_>>>()?;
    call_detached(py, || io::save_objectives(path, &goals)).map(|lost| diagnostics(&lost))
}

type Motion<'py> = (Array1<'py>, ArrayN<'py>, ArrayN<'py>, ArrayN<'py>);

/// A recorded motion of a robot: times (k), configurations, velocities and accelerations (k × n each). What the file
/// lacks is differentiated.
#[pyfunction]
pub(crate) fn load_recording<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    path: PathBuf,
) -> PyResult<Motion<'py>> {
    let model = &*robot.get().model;
    let found = call_detached(py, || Loader::new().recording(model, path))?;
    let (recording, _) = loaded(py, found)?;
    let (mut times, mut parts) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    for instant in recording.instants() {
        times.push(instant.time);
        parts[0].extend_from_slice(instant.q);
        parts[1].extend_from_slice(instant.dq);
        parts[2].extend_from_slice(instant.ddq);
    }
    let shape = [times.len(), model.n_dofs()];
    let [q, dq, ddq] = parts;
    Ok((
        array1(py, &times),
        array_n(py, &shape, q)?,
        array_n(py, &shape, dq)?,
        array_n(py, &shape, ddq)?,
    ))
}

/// Options of a save; ``format`` by its name.
pub(crate) fn saving(force: bool, format: Option<&str>) -> PyResult<SaveOptions> {
    let format = match format {
        None => None,
        Some("rob") => Some(SaveFormat::Rob),
        Some("urdf") => Some(SaveFormat::Urdf),
        Some("mjcf") => Some(SaveFormat::Mjcf),
        Some("sdf") => Some(SaveFormat::Sdf),
        Some("world") => Some(SaveFormat::World),
        Some("glb") => Some(SaveFormat::Glb),
        Some(other) => {
            let problem =
                format!("no format named `{other}`; there are: rob, urdf, mjcf, sdf, world, glb");
            return Err(pyo3::exceptions::PyValueError::new_err(problem));
        }
    };
    Ok(SaveOptions::default().with_force(force).with_format(format))
}

/// Converts a file to the format of another's suffix, or to ``format``; returns warnings about what is lost.
#[pyfunction]
#[pyo3(signature = (source, target, *, force=false, format=None, options=None))]
pub(crate) fn convert(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    force: bool,
    format: Option<&str>,
    options: Option<&LoadOptions>,
) -> PyResult<Diagnostics> {
    let mut loader = LoadOptions::loader(options);
    let saving = saving(force, format)?;
    call_detached(py, || loader.convert_with(source, target, &saving))
        .map(|lost| diagnostics(&lost))
}

/// What a file holds: ``"robot"``, ``"rigid_object"``, ``"terrain"``, ``"world"``, ``"mjcf"``, ``"sdf"``, ``"configurations"`` or ``"geometry"``.
#[pyfunction]
pub(crate) fn kind(py: Python<'_>, path: PathBuf) -> PyResult<&'static str> {
    Ok(match call_detached(py, || Loader::new().kind(path))? {
        FileKind::Robot => "robot",
        FileKind::RigidObject => "rigid_object",
        FileKind::Terrain => "terrain",
        FileKind::World => "world",
        FileKind::Mjcf => "mjcf",
        FileKind::Sdf => "sdf",
        FileKind::Configurations => "configurations",
        _ => "geometry",
    })
}

/// The URDF that a xacro file expands to.
#[pyfunction]
#[pyo3(signature = (path, *, options=None))]
pub(crate) fn xacro(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&LoadOptions>,
) -> PyResult<String> {
    let mut loader = LoadOptions::loader(options);
    let text = call_detached(py, || loader.xacro(path))?;
    loaded(py, text).map(|(text, _)| text)
}

/// What is odd in a world: links without mass, shapes that overlap, names that clash.
#[pyfunction]
pub(crate) fn lint(world: &World) -> PyResult<Diagnostics> {
    call(|| Ok(diagnostics(&world.model.lint())))
}

/// Loads a robot from files in memory: a dictionary from names to bytes, of which ``path`` is the robot's.
#[pyfunction]
#[pyo3(signature = (path, files, *, options=None))]
pub(crate) fn robot_from_files(
    py: Python<'_>,
    path: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
    options: Option<&LoadOptions>,
) -> PyResult<Robot> {
    let mut loader = from_memory(files, options);
    let found = call_detached(py, || loader.robot(path))?;
    loaded(py, found).map(|(model, _)| Robot::new(model))
}

/// Loads a world from files in memory: a dictionary from names to bytes, of which ``path`` is the world's.
#[pyfunction]
#[pyo3(signature = (path, files, *, options=None))]
pub(crate) fn world_from_files(
    py: Python<'_>,
    path: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
    options: Option<&LoadOptions>,
) -> PyResult<World> {
    let mut loader = from_memory(files, options);
    let mut world = World::default();
    let found = call_detached(py, || loader.add_file(&mut world.model, path))?;
    loaded(py, found)?;
    Ok(world)
}

fn from_memory(files: BTreeMap<String, Vec<u8>>, options: Option<&LoadOptions>) -> Loader {
    LoadOptions::loader(options).with_source(Source::memory().with_files(files))
}
