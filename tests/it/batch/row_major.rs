//! Matrices that are stored row after row against those column after column.

use kinworld::batch::Workspace;
use kinworld::{LinkId, Point, Robot, batch};

use super::load;
use super::motions::{GRAVITY, Motions, SIZES, floating};

#[test]
fn matrices_by_rows_are_those_by_columns_to_the_last_bit() {
    for robot in [load("arm6"), floating(&load("snake30"))] {
        for count in SIZES {
            compare(&robot, count);
        }
    }
}

fn compare(robot: &Robot, count: usize) {
    let Motions { q, dq, rest, .. } = Motions::new(robot.clone(), count, 5);
    let n = robot.n_dofs();
    let mut ws = Workspace::new(robot).with_row_major();
    let tip = LinkId::new(robot.links().len() - 1);
    let point = Point::new(0.1, -0.2, 0.3);

    let expected = batch::jacobians(robot, &q, tip, &point).expect("configurations");
    let mut rows = vec![f64::NAN; expected.len()];
    batch::jacobians_into(robot, &q, tip, &point, &mut ws, &mut rows).expect("configurations");
    assert_eq!(bits(&rows), bits(&transposed(&expected, 6, n)));

    type Derivatives =
        fn(&Robot, &[f64], &[f64], &[f64], &kinworld::Vector) -> kinworld::Result<Vec<f64>>;
    type Into = fn(
        &Robot,
        &[f64],
        &[f64],
        &[f64],
        &kinworld::Vector,
        &mut Workspace,
        &mut [f64],
    ) -> kinworld::Result<()>;
    let functions: [(Derivatives, Into); 2] = [
        (
            batch::inverse_dynamics_derivatives,
            batch::inverse_dynamics_derivatives_into,
        ),
        (
            batch::forward_dynamics_derivatives,
            batch::forward_dynamics_derivatives_into,
        ),
    ];
    for (by_columns, into) in functions {
        let expected = by_columns(robot, &q, &dq, &rest, &GRAVITY).expect("motions");
        let mut rows = vec![f64::NAN; expected.len()];
        into(robot, &q, &dq, &rest, &GRAVITY, &mut ws, &mut rows).expect("motions");
        assert_eq!(bits(&rows), bits(&transposed(&expected, n, n)));
    }

    let links: Vec<LinkId> = (0..robot.links().len()).rev().map(LinkId::new).collect();
    let poses = batch::poses(robot, &q, &links).expect("configurations");
    let mut matrices = vec![[f64::NAN; 16]; poses.len()];
    batch::pose_matrices_into(robot, &q, &links, &mut ws, &mut matrices).expect("configurations");
    for (matrix, pose) in matrices.iter().zip(&poses) {
        assert_eq!(
            bits(matrix),
            bits(pose.to_homogeneous().transpose().as_slice())
        );
    }
}

/// Matrices in column order, in row order.
fn transposed(numbers: &[f64], height: usize, width: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(numbers.len());
    for matrix in numbers.chunks_exact(height * width) {
        for i in 0..height {
            out.extend((0..width).map(|j| matrix[j * height + i]));
        }
    }
    out
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}
