//! What the clouds of the bench show.

use kinworld::Point;

/// Points of a cloud.
const POINTS: usize = 100_000;

/// Draws the points of a scene.
type Scene = fn(&mut Random) -> Vec<Point>;

pub(crate) const SCENES: [(&str, Scene); 4] = [
    ("shelves", shelves),
    ("depth_image", depth_image),
    ("room", room),
    ("volume", volume),
];

/// Shelves in front of a robot at the origin, a table below and a wall behind it.
pub(crate) fn shelves(random: &mut Random) -> Vec<Point> {
    // centre, half-lengths
    let boards = [
        ([0.6, 0.0, 0.1], [0.2, 0.6, 0.0]),
        ([0.6, 0.0, 0.5], [0.2, 0.6, 0.0]),
        ([0.6, 0.0, 0.9], [0.2, 0.6, 0.0]),
        ([0.8, 0.0, 0.5], [0.0, 0.6, 0.4]),
        ([0.6, 0.6, 0.5], [0.2, 0.0, 0.4]),
        ([0.6, -0.6, 0.5], [0.2, 0.0, 0.4]),
        ([-0.7, 0.0, 0.5], [0.0, 1.0, 0.5]),
        ([0.3, 0.0, -0.15], [1.0, 1.0, 0.0]),
    ];
    let point = |random: &mut Random, (center, half): ([f64; 3], [f64; 3])| {
        Point::from([0, 1, 2].map(|k| {
            let x = center[k] + half[k] * random.signed() + 0.002 * random.signed();
            f64::from(x as f32)
        }))
    };
    let area = |half: [f64; 3]| half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
    let total: f64 = boards.iter().map(|board| area(board.1)).sum();
    let mut points = Vec::new();
    for board in boards {
        let count = (POINTS as f64 * area(board.1) / total).ceil() as usize;
        points.extend((0..count).map(|_| point(random, board)));
    }
    points.truncate(POINTS);
    points
}

/// A depth image of 400 × 250 pixels, from above the robot: a floor, a wall and boxes on the floor, with noise that grows with the
/// square of the depth.
fn depth_image(random: &mut Random) -> Vec<Point> {
    let boxes: Vec<([f64; 3], [f64; 3])> = (0..12)
        .map(|_| {
            let size = [0, 1, 2].map(|_| 0.25 + 0.15 * random.signed());
            let at = [1.6 + 0.8 * random.signed(), random.signed(), 0.0];
            (at, [at[0] + size[0], at[1] + size[1], size[2]])
        })
        .collect();
    let mut points = Vec::new();
    for row in 0..250 {
        for column in 0..400 {
            // the camera looks along x and 25 degrees down
            let (y, z) = ((200 - column) as f64 / 380.0, (125 - row) as f64 / 380.0);
            let (sin, cos) = 25_f64.to_radians().sin_cos();
            let ray = [cos + z * sin, y, z * cos - sin];
            let eye = [0.0, 0.0, 1.2];
            let mut depth = (3.0 - eye[0]) / ray[0];
            if ray[2] < 0.0 {
                depth = depth.min(-eye[2] / ray[2]);
            }
            for (low, high) in &boxes {
                let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
                for k in 0..3 {
                    let [a, b] = [low[k], high[k]].map(|x| (x - eye[k]) / ray[k]);
                    enter = enter.max(a.min(b));
                    leave = leave.min(a.max(b));
                }
                if enter < leave {
                    depth = depth.min(enter);
                }
            }
            depth += 0.001 * depth * depth * random.signed();
            points.push(Point::from(
                [0, 1, 2].map(|k| f64::from((eye[k] + depth * ray[k]) as f32)),
            ));
        }
    }
    points
}

/// Walls, floor and ceiling of a room of 8 × 6 × 2.5 m.
fn room(random: &mut Random) -> Vec<Point> {
    let half = [4.0, 3.0, 1.25];
    let areas = [half[1] * half[2], half[0] * half[2], half[0] * half[1]];
    let total: f64 = areas.iter().sum();
    (0..POINTS)
        .map(|_| {
            let mut left = (0.5 + 0.5 * random.signed()) * total;
            let mut axis = 0;
            while axis < 2 && left > areas[axis] {
                left -= areas[axis];
                axis += 1;
            }
            let mut at = half.map(|h| h * random.signed());
            at[axis] = half[axis].copysign(at[axis]) + 0.002 * random.signed();
            Point::from(at.map(|x| f64::from(x as f32)))
        })
        .collect()
}

/// Points anywhere in 2 × 2 × 1 m.
fn volume(random: &mut Random) -> Vec<Point> {
    (0..POINTS)
        .map(|_| {
            let at = [1.0, 1.0, 0.5].map(|h| h * random.signed());
            Point::from(at.map(|x| f64::from(x as f32)))
        })
        .collect()
}

/// Random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number between -1 and 1.
    pub(crate) fn signed(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }

    /// A position that the arm can reach.
    pub(crate) fn position(&mut self) -> [f64; 3] {
        [(0.2, 0.8), (0.0, 0.8), (0.5, 0.7)].map(|(c, h)| f64::from((c + h * self.signed()) as f32))
    }
}
