//! Forward kinematics, a collision query and a plan for a robot that is read from memory, and files that are refused.

use kinworld::batch;
use kinworld::geometry::Primitive;
use kinworld::io::{self, Loader, Source};
use kinworld::planning::{self, Budget, RobotCSpace};
use kinworld::world::{PairFilter, RobotId, Terrain, WorldCollider};
use kinworld::{Point, Result, Robot, WorldModel};

const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper"><collision><geometry><mesh filename="bar.off"/></geometry></collision></link>
  <link name="lower"><collision><geometry><mesh filename="bar.off"/></geometry></collision></link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="1" effort="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.9" upper="2.9" velocity="1" effort="1"/>
  </joint>
</robot>"#;

// a bar from 0 to 1 m along x
const BAR: &str = "OFF\n8 6 0
0 -0.05 -0.05\n1 -0.05 -0.05\n1 0.05 -0.05\n0 0.05 -0.05\n0 -0.05 0.05\n1 -0.05 0.05\n1 0.05 0.05\n0 0.05 0.05
4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";

fn arm() -> Result<Robot> {
    let source = Source::memory()
        .with_file("arm/arm.urdf", ARM.as_bytes())
        .with_file("arm/bar.off", BAR.as_bytes());
    Ok(Loader::new()
        .with_source(source)
        .robot("arm/arm.urdf")?
        .value)
}

/// The arm, and a post that it hits where it is stretched along x.
fn world() -> Result<(WorldModel, RobotId)> {
    let mut world = WorldModel::new();
    let robot = world.add_robot(arm()?);
    let post = Primitive::aabb(Point::new(1.4, -0.1, -1.0), Point::new(1.6, 0.1, 1.0))?;
    world.add_terrain(Terrain::new("post", Some(post.into())))?;
    Ok((world, robot))
}

/// The y of the tip with the shoulder at 30° and the elbow straight: 1 m.
pub(crate) fn tip_height() -> Result<f64> {
    let (mut world, robot) = world()?;
    let mut robot = world.robot_mut(robot)?;
    robot.set_config(&[std::f64::consts::FRAC_PI_6, 0.0])?;
    let lower = robot.view().link("lower")?;
    Ok(lower.world_position(&Point::new(1.0, 0.0, 0.0)).y)
}

/// The number of pairs that collide with the shoulder at an angle: 1 at 0, none at 1 rad.
pub(crate) fn colliding_pairs(shoulder: f64) -> Result<usize> {
    let (mut world, robot) = world()?;
    world.robot_mut(robot)?.set_config(&[shoulder, 0.0])?;
    let collider = WorldCollider::new(&world, &PairFilter::default())?;
    Ok(collider.colliding_pairs().len())
}

/// The number of waypoints of a path past the post: at least 3; 0 where none is found.
pub(crate) fn waypoints() -> Result<usize> {
    Ok(path()?.len())
}

/// The length of that path in the space of the two angles, at least that of the straight line: 2 rad.
pub(crate) fn path_length() -> Result<f64> {
    let steps = path()?;
    let step = |pair: &[Vec<f64>]| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
    Ok(steps.windows(2).map(step).sum())
}

fn path() -> Result<Vec<Vec<f64>>> {
    let (world, robot) = world()?;
    let space = RobotCSpace::new(&world, &[robot])?;
    let plan = planning::plan(&space, &[-1.0, 0.0], &[1.0, 0.0], &Budget::default())?;
    Ok(plan.path.unwrap_or_default())
}

/// The number of files in a missing folder that can be neither read nor written: 2, as where there are no files at all.
pub(crate) fn refused_files() -> usize {
    let read = Loader::new().robot("no_such_folder/arm.urdf").map(|_| ());
    let written = io::save_configurations("no_such_folder/arm.configs", &[vec![0.0, 0.0]]);
    [read, written].iter().filter(|r| r.is_err()).count()
}

/// The sum of the y of all tips of a thousand configurations at once, work that threads share where there are some.
pub(crate) fn many() -> Result<f64> {
    let arm = arm()?;
    let lower = arm.link_id("lower")?;
    let configs: Vec<f64> = (0..2000).map(|k| 1e-3 * f64::from(k)).collect();
    let poses = batch::poses(&arm, &configs, &[lower])?;
    let tip = Point::new(1.0, 0.0, 0.0);
    Ok(poses.iter().map(|pose| (pose * tip).y).sum())
}
