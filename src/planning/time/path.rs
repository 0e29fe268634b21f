//! Paths: configurations along a parameter.

use super::{blend, spline};
use crate::{Error, Result, kinematics};

/// A path q(s) of piecewise polynomials, without time.
///
/// Each number of a configuration counts by itself: no spin joint takes the shorter rotation, and no three angles are one.
/// Where the direction of the path changes at once, at a corner, a motion has to stop.
///
/// # Examples
///
/// ```
/// use kinworld::planning::GeometricPath;
///
/// let corner = [vec![0.0, 0.0], vec![3.0, 0.0], vec![3.0, 4.0]];
/// let sharp = GeometricPath::polyline(&corner)?;
/// assert_eq!((sharp.length(), sharp.corners()), (7.0, vec![3.0]));
///
/// // rounds it, and leaves it by a hundredth at most
/// let round = GeometricPath::blended(&corner, 0.01)?;
/// assert!(round.corners().is_empty() && round.length() < 7.0001);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GeometricPath {
    n_dofs: usize,
    degree: usize,
    /// Parameters at which pieces begin, and the end.
    breaks: Vec<f64>,
    /// Of each piece, of each dof: coefficients of the powers of the distance from its beginning.
    coefficients: Vec<f64>,
}

/// Directions, of length 1, that differ by less are the same.
const SAME_DIRECTION: f64 = 1e-9;

impl GeometricPath {
    /// Straight lines through waypoints; the parameter is the length, in the Euclidean norm.
    ///
    /// Waypoints that are equal to the one before count once.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where waypoints differ in length; [`Error::Invalid`] for a number that is not finite, and for fewer than
    /// two different waypoints.
    pub fn polyline<Q: AsRef<[f64]>>(waypoints: &[Q]) -> Result<Self> {
        blend::blended(waypoints, |_| 0.0)
    }

    /// Straight lines through waypoints, with each corner rounded by a parabola that leaves the lines by `deviation` at most,
    /// rad or m in the Euclidean norm.
    ///
    /// A blend takes half of a line at most. Where the path turns back, it keeps its corner.
    ///
    /// # Errors
    ///
    /// As [`polyline`](Self::polyline), and [`Error::Invalid`] for a deviation that is negative or not finite.
    pub fn blended<Q: AsRef<[f64]>>(waypoints: &[Q], deviation: f64) -> Result<Self> {
        if !(deviation >= 0.0 && deviation.is_finite()) {
            let problem = format!("{deviation} is not a number from 0 on, of rad or m");
            return Err(Error::invalid("the deviation of blends", problem));
        }
        blend::blended(waypoints, |_| deviation)
    }

    /// The natural cubic spline through waypoints: two continuous derivatives, the second 0 at the ends.
    ///
    /// Parameters of the waypoints are the lengths of the straight lines up to them. Between waypoints a spline swings out, and
    /// what is free on the lines need not be free on the spline.
    ///
    /// # Errors
    ///
    /// As [`polyline`](Self::polyline).
    pub fn spline<Q: AsRef<[f64]>>(waypoints: &[Q]) -> Result<Self> {
        spline::natural(waypoints)
    }

    /// [`spline`](Self::spline) with parameters of the waypoints of your own.
    ///
    /// # Errors
    ///
    /// As [`hermite`](Self::hermite).
    pub fn spline_at<Q: AsRef<[f64]>>(parameters: &[f64], waypoints: &[Q]) -> Result<Self> {
        spline::natural_at(parameters, waypoints)
    }

    /// Cubic pieces with these values and derivatives at these parameters.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where lists or rows differ in length; [`Error::Invalid`] for a number that is not finite, fewer than
    /// two parameters, and parameters that do not increase.
    pub fn hermite<Q: AsRef<[f64]>>(
        parameters: &[f64],
        values: &[Q],
        derivatives: &[Q],
    ) -> Result<Self> {
        spline::hermite(parameters, values, derivatives)
    }

    /// Polynomial pieces. `coefficients` are those of each piece, of each dof in it, from the constant up: of powers of the
    /// distance from the beginning of the piece.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of coefficients than pieces times dofs times `degree + 1`; [`Error::Invalid`] for a
    /// number that is not finite, no dof, a degree of 0 or above 5, and breaks that do not increase.
    pub fn polynomials(
        n_dofs: usize,
        degree: usize,
        breaks: Vec<f64>,
        coefficients: Vec<f64>,
    ) -> Result<Self> {
        if n_dofs == 0 || !(1..=MAX_DEGREE).contains(&degree) {
            let problem = format!(
                "has {n_dofs} degrees of freedom and polynomials of degree {degree}: needs one, and a degree from 1 to {MAX_DEGREE}"
            );
            return Err(Error::invalid("a path", problem));
        }
        kinematics::check_values("the breaks of a path", breaks.len(), &breaks)?;
        if breaks.len() < 2 {
            return Err(Error::invalid("a path", "has no piece: needs two breaks"));
        }
        if let Some(i) = breaks.windows(2).position(|pair| pair[1] <= pair[0]) {
            let problem = format!("do not increase from {} to {}", breaks[i], breaks[i + 1]);
            return Err(Error::invalid("the breaks of a path", problem));
        }
        let needed = (breaks.len() - 1) * n_dofs * (degree + 1);
        kinematics::check_values("the coefficients of a path", needed, &coefficients)?;
        Ok(Self {
            n_dofs,
            degree,
            breaks,
            coefficients,
        })
    }

    /// Number of degrees of freedom.
    #[must_use]
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// Largest degree of its polynomials.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Parameters at which its pieces begin, and the end.
    #[must_use]
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// Difference of the last and the first parameter: of lines and their blends, the length.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.breaks[self.breaks.len() - 1] - self.breaks[0]
    }

    /// Parameters at which the direction changes at once, so that a motion has to stop there.
    #[must_use]
    pub fn corners(&self) -> Vec<f64> {
        let inner = 1..self.breaks.len() - 1;
        let corners = inner.filter(|&k| self.is_corner(k));
        corners.map(|k| self.breaks[k]).collect()
    }

    /// Configuration at a parameter; beyond the ends, that of the end.
    #[must_use]
    pub fn at(&self, s: f64) -> Vec<f64> {
        self.all(s, 0)
    }

    /// First derivative q′ at a parameter; at a corner, that after it.
    #[must_use]
    pub fn derivative_at(&self, s: f64) -> Vec<f64> {
        self.all(s, 1)
    }

    /// Second derivative q″ at a parameter; where it jumps, that after it.
    #[must_use]
    pub fn second_derivative_at(&self, s: f64) -> Vec<f64> {
        self.all(s, 2)
    }

    fn all(&self, s: f64, derivative: usize) -> Vec<f64> {
        let piece = self.piece(s);
        let mut out = vec![0.0; self.n_dofs];
        self.evaluate(piece, self.local(piece, s), derivative, &mut out);
        out
    }

    /// The piece that holds a parameter; of two, the later.
    pub(super) fn piece(&self, s: f64) -> usize {
        let after = self.breaks.partition_point(|b| *b <= s);
        after.clamp(1, self.breaks.len() - 1) - 1
    }

    /// The distance of a parameter from the beginning of a piece, within the piece.
    pub(super) fn local(&self, piece: usize, s: f64) -> f64 {
        let most = self.breaks[piece + 1] - self.breaks[piece];
        let local = s - self.breaks[piece];
        // false for what is not a number
        if local > 0.0 { local.min(most) } else { 0.0 }
    }

    /// Values of a piece or of a derivative, at a distance from its beginning.
    pub(super) fn evaluate(&self, piece: usize, local: f64, derivative: usize, out: &mut [f64]) {
        let Some(factors) = FACTORS.get(derivative) else {
            return out.fill(0.0);
        };
        for (dof, out) in out.iter_mut().enumerate() {
            let c = self.of(piece, dof).iter().zip(factors);
            let terms = c.skip(derivative).rev();
            *out = terms.fold(0.0, |sum, (c, factor)| sum * local + factor * c);
        }
    }

    /// All coefficients, in the order of [`polynomials`](Self::polynomials).
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Coefficients of a degree of freedom on a piece.
    pub(super) fn of(&self, piece: usize, dof: usize) -> &[f64] {
        let width = self.degree + 1;
        let first = (piece * self.n_dofs + dof) * width;
        &self.coefficients[first..first + width]
    }

    /// True if the direction changes at once at the beginning of a piece that has one before it.
    pub(super) fn is_corner(&self, piece: usize) -> bool {
        let [mut before, mut after] = [vec![0.0; self.n_dofs], vec![0.0; self.n_dofs]];
        let length = self.breaks[piece] - self.breaks[piece - 1];
        self.evaluate(piece - 1, length, 1, &mut before);
        self.evaluate(piece, 0.0, 1, &mut after);
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let jump: Vec<f64> = before.iter().zip(&after).map(|(a, b)| a - b).collect();
        norm(&jump) > SAME_DIRECTION * norm(&before).max(norm(&after))
    }
}

/// Largest degree of polynomials.
pub(super) const MAX_DEGREE: usize = 5;

/// Of each derivative, the factors that it gives to the coefficients.
const FACTORS: [[f64; MAX_DEGREE + 1]; MAX_DEGREE + 1] = [
    [1.0; MAX_DEGREE + 1],
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    [0.0, 0.0, 2.0, 6.0, 12.0, 20.0],
    [0.0, 0.0, 0.0, 6.0, 24.0, 60.0],
    [0.0, 0.0, 0.0, 0.0, 24.0, 120.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 120.0],
];
