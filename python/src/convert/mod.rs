//! Values that cross the border: arrays in, arrays out, keys.

mod array;
mod iterator;
mod key;
mod long_rows;
mod out;
mod pose;
mod raw;
mod recycled;
mod row;

pub(crate) use array::{Reals, Rows, Vec3, Vec6};
pub(crate) use iterator::{LinkIterator, RigidObjectIterator, RobotIterator, TerrainIterator};
pub(crate) use key::{DofKey, ElementKey, LinkKey, index};
pub(crate) use long_rows::LongRows;
pub(crate) use out::{
    Array1, Array2, ArrayN, Bools, Bytes, Indices, Out, Singles, Words, array_n, array1, array2,
    matrix, points, six_rows, write_six_rows,
};
pub(crate) use pose::{PoseIn, PosesIn, RotationIn, pose_array, rotation_array, write_pose};
pub(crate) use recycled::Recycled;
pub(crate) use row::Row;
