//! A balance that can be read.

use std::fmt;

use super::{Balance, Wrench};

/// Force in N and moment in N·m, force first, in fixed columns.
impl fmt::Display for Wrench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.to_vector6();
        for (k, x) in numbers.iter().enumerate() {
            if k > 0 {
                f.write_str(if k == 3 { "   " } else { " " })?;
            }
            // no minus before a zero
            write!(f, "{:>11.4}", if x.abs() < 5e-5 { 0.0 } else { *x })?;
        }
        Ok(())
    }
}

/// A line for each wrench, the sum last.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = |f: &mut fmt::Formatter<'_>, columns: [&str; 6]| {
            write!(f, "{:<12}", "")?;
            for (k, column) in columns.iter().enumerate() {
                if k > 0 {
                    f.write_str(if k == 3 { "   " } else { " " })?;
                }
                write!(f, "{column:>11}")?;
            }
            writeln!(f)
        };
        title(
            f,
            [
                "Fx / N", "Fy / N", "Fz / N", "Mx / Nm", "My / Nm", "Mz / Nm",
            ],
        )?;
        let rows = self.rows();
        for (name, wrench) in &rows[1..] {
            writeln!(f, "{name:<12}{wrench}")?;
        }
        let (name, wrench) = rows[0];
        write!(f, "{:<12}{wrench}", format!("= {name}"))
    }
}
