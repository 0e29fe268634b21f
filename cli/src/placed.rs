//! Files with a pose: `crate.obj@0.4,0,0.2`, with `,roll,pitch,yaw` if it is turned.

use std::path::{Path, PathBuf};

use kinworld::math::so3;
use kinworld::{Pose, Vector};

use crate::request::Refusal;
use crate::table::count;

/// A file of the command line, and the pose that moves its content.
#[derive(Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) path: PathBuf,
    pub(crate) pose: Option<GivenPose>,
}

/// A pose of the command line: position in m, then roll, pitch and yaw, as in URDF.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GivenPose {
    position: [f64; 3],
    angles: [Angle; 3],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Angle {
    /// In rad, or in degrees with --degrees.
    Plain(f64),
    /// With a unit: `90deg`.
    Degrees(f64),
}

impl GivenPose {
    /// The pose; angles without a unit are in degrees if so asked, else in radians.
    pub(crate) fn resolve(self, degrees: bool) -> Pose {
        let angles = self.angles.map(|angle| match angle {
            Angle::Degrees(angle) => angle.to_radians(),
            Angle::Plain(angle) if degrees => angle.to_radians(),
            Angle::Plain(angle) => angle,
        });
        Pose::from_parts(Vector::from(self.position).into(), so3::from_rpy(angles))
    }
}

impl Placed {
    /// Splits the word of the command line at its last `@`; a file of the whole name takes precedence.
    pub(crate) fn of(word: &Path) -> Result<Self, Refusal> {
        let whole = || Self {
            path: word.to_path_buf(),
            pose: None,
        };
        if word.exists() {
            return Ok(whole());
        }
        let Some((path, at)) = word.to_str().and_then(|text| text.rsplit_once('@')) else {
            return Ok(whole());
        };
        match pose(at) {
            Ok(pose) => Ok(Self {
                path: path.into(),
                pose: Some(pose),
            }),
            // a pose that is wrong, or a name that is
            Err(problem) if Path::new(path).exists() => Err(Refusal(format!(
                "the pose of `{}`: {problem}",
                word.display()
            ))),
            Err(_) => Ok(whole()),
        }
    }
}

/// Reads `X,Y,Z` or `X,Y,Z,ROLL,PITCH,YAW`.
pub(crate) fn pose(text: &str) -> Result<GivenPose, String> {
    const EXPECTED: &str = "expected X,Y,Z in metres, or X,Y,Z,ROLL,PITCH,YAW with angles in radians, or such as 90deg";
    let number = |word: &str| match word.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err(format!("`{word}` is not a finite number; {EXPECTED}")),
    };
    let angle = |word: &str| match word.strip_suffix("deg").or(word.strip_suffix('°')) {
        Some(degrees) => number(degrees).map(Angle::Degrees),
        None => number(word).map(Angle::Plain),
    };
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let (position, rpy) = match *words.as_slice() {
        [x, y, z] => ([x, y, z], ["0"; 3]),
        [x, y, z, roll, pitch, yaw] => ([x, y, z], [roll, pitch, yaw]),
        _ => return Err(format!("{EXPECTED}, got {}", count(words.len(), "value"))),
    };
    let ([x, y, z], [roll, pitch, yaw]) = (position, rpy);
    Ok(GivenPose {
        position: [number(x)?, number(y)?, number(z)?],
        angles: [angle(roll)?, angle(pitch)?, angle(yaw)?],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_has_three_or_six_numbers() {
        for turned in [
            "1,-2,3e-1,0,0,1.5707963267948966",
            "1, -2, 0.3, 0, 0deg, 90deg",
        ] {
            let turned = pose(turned).expect("a pose").resolve(false);
            let x = turned * kinworld::Point::new(1.0, 0.0, 0.0);
            assert!((x - kinworld::Point::new(1.0, -1.0, 0.3)).norm() < 1e-15);
        }
        let wrong = [
            "",
            "1",
            "1,2",
            "1,2,3,4",
            "1,2,x",
            "1,2,inf",
            "1,2,3,4,5,6,7",
            "1,2,3deg",
        ];
        for wrong in wrong {
            let problem = pose(wrong).expect_err(wrong);
            assert!(problem.contains("expected X,Y,Z"), "{problem}");
        }
    }

    #[test]
    fn a_name_that_is_no_file_is_left_as_it_is() {
        let placed = |word: &str| Placed::of(Path::new(word)).expect("no problem");
        assert_eq!(
            placed("no/such@file.obj").path,
            Path::new("no/such@file.obj")
        );
        let with_pose = placed("no/such.obj@1,2,3");
        assert_eq!(with_pose.path, Path::new("no/such.obj"));
        let at = with_pose.pose.map(|pose| pose.resolve(false));
        assert_eq!(at, Some(Pose::translation(1.0, 2.0, 3.0)));
    }
}
