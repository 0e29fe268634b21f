//! Functions that write into memory of the caller do not allocate.

use kinworld::batch::{self, Lanes};
use kinworld::{LinkId, Point, Pose, Robot, Vector, kinematics};
use nalgebra::IsometryMatrix3;

use crate::common::files::data;
use crate::without_allocation::settled;

#[test]
fn batches_do_not_allocate_once_the_workspace_is_large_enough() {
    for name in ["arm6.urdf", "mobile_arm.rob"] {
        let file = data("robots").join(name);
        let robot = Robot::load(file).expect("a robot of data/").value;
        let (n, gravity) = (robot.n_dofs(), Vector::new(0.0, 0.0, -9.81));
        let q: Vec<f64> = (0..20)
            .flat_map(|k| kinematics::sample(&robot, k, 1.0))
            .collect();
        let lanes = Lanes::from_rows(n, &q).unwrap();
        let (link, p) = (
            LinkId::new(robot.links().len() - 1),
            Point::new(0.1, 0.2, 0.3),
        );
        let links = [link, LinkId::new(0)];
        let ws = &mut batch::Workspace::new(&robot);
        let (mut poses, mut list) = (vec![Pose::identity(); 20 * 2], vec![0.0; 20 * n]);
        let single: Vec<f32> = q.iter().map(|&x| x as f32).collect();
        let mut single_poses = vec![IsometryMatrix3::<f32>::identity(); 20 * 2];
        let (mut jacobians, mut masses) = (vec![0.0; 20 * 6 * n], vec![0.0; 20 * n * n]);
        let mut partials = vec![0.0; 20 * 3 * n * n];
        let out = &mut Lanes::default();

        settled("poses_into", || {
            batch::poses_into(&robot, &q, &links, ws, &mut poses).unwrap()
        });
        settled("poses_f32_into", || {
            batch::poses_f32_into(&robot, &single, &links, ws, &mut single_poses).unwrap()
        });
        settled("poses_lanes", || {
            batch::poses_lanes(&robot, &lanes, &links, ws, out).unwrap()
        });
        settled("jacobians_into", || {
            batch::jacobians_into(&robot, &q, link, &p, ws, &mut jacobians).unwrap()
        });
        settled("jacobians_lanes", || {
            batch::jacobians_lanes(&robot, &lanes, link, &p, ws, out).unwrap()
        });
        settled("mass_matrices_into", || {
            batch::mass_matrices_into(&robot, &q, ws, &mut masses).unwrap()
        });
        settled("mass_matrices_lanes", || {
            batch::mass_matrices_lanes(&robot, &lanes, ws, out).unwrap()
        });
        settled("inverse_dynamics_into", || {
            batch::inverse_dynamics_into(&robot, &q, &q, &q, &gravity, ws, &mut list).unwrap();
        });
        settled("inverse_dynamics_lanes", || {
            batch::inverse_dynamics_lanes(&robot, &lanes, &lanes, &lanes, &gravity, ws, out)
                .unwrap();
        });
        settled("bias_forces_into", || {
            batch::bias_forces_into(&robot, &q, &q, &gravity, ws, &mut list).unwrap()
        });
        settled("inverse_dynamics_derivatives_into", || {
            batch::inverse_dynamics_derivatives_into(
                &robot,
                &q,
                &q,
                &q,
                &gravity,
                ws,
                &mut partials,
            )
            .unwrap();
        });
        settled("inverse_dynamics_derivatives_lanes", || {
            batch::inverse_dynamics_derivatives_lanes(
                &robot, &lanes, &lanes, &lanes, &gravity, ws, out,
            )
            .unwrap();
        });
        if batch::forward_dynamics(&robot, &q, &q, &q, &gravity).is_ok() {
            settled("forward_dynamics_into", || {
                batch::forward_dynamics_into(&robot, &q, &q, &q, &gravity, ws, &mut list).unwrap();
            });
            settled("forward_dynamics_lanes", || {
                batch::forward_dynamics_lanes(&robot, &lanes, &lanes, &lanes, &gravity, ws, out)
                    .unwrap();
            });
            settled("forward_dynamics_derivatives_into", || {
                batch::forward_dynamics_derivatives_into(
                    &robot,
                    &q,
                    &q,
                    &q,
                    &gravity,
                    ws,
                    &mut partials,
                )
                .unwrap();
            });
            settled("forward_dynamics_derivatives_lanes", || {
                batch::forward_dynamics_derivatives_lanes(
                    &robot, &lanes, &lanes, &lanes, &gravity, ws, out,
                )
                .unwrap();
            });
        }
    }
}
