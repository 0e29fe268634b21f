//! Writer of robots as `.rob`, URDF, MJCF and SDF.

use std::path::Path;

use super::save;
use crate::io::{SaveFormat, SaveOptions, mjcf, rob, sdf, urdf};
use crate::robot::Robot;
use crate::{Diagnostic, Result};

impl Robot {
    /// Writes a robot as `.rob`, `.urdf`, `.mjcf` or `.sdf`, its shapes in a folder beside it, and warns of what the format
    /// cannot hold.
    ///
    /// MJCF in a file named `.xml` is asked for with [`SaveOptions::format`].
    ///
    /// The values of a `.rob` read back to the last bit; the angles of a URDF do if they were read from one. A robot
    /// whose links all have a degree of freedom is written to a URDF with a `<klampt>` element, whose rules keep those of
    /// welds. A failed save leaves the old files unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for another suffix, a robot without links, or a file that cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Robot;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let arm = Robot::load(format!("{data}/robots/arm6.rob"))?.value;
    /// let path = std::env::temp_dir().join("kinworld_doc_robot.rob");
    /// assert_eq!(arm.save(&path)?, []);
    /// let again = Robot::load(&path)?.value;
    /// assert_eq!(again.limits(), arm.limits());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "saveFile")]
    #[doc(alias = "save_urdf")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Diagnostic>> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        let path = path.as_ref();
        save(path, options, |output| {
            let text = match options.format_of(path) {
                Some(SaveFormat::Rob) => {
                    let prefix = output.beside("");
                    rob::write(self, &crate::io::name(path), &prefix, output)
                }
                Some(SaveFormat::Urdf) => {
                    output.for_all_programs();
                    urdf::write(self, output)
                }
                Some(SaveFormat::Mjcf) => mjcf::write_robot(self, output),
                Some(SaveFormat::Sdf) => sdf::write_robot(self, output),
                _ => Err(not_a_robot(path)),
            };
            text.map_err(|error| error.in_file(path))
        })
    }
}

/// The error of a file that no robot is written to.
fn not_a_robot(path: &Path) -> Diagnostic {
    let suffix = crate::io::suffix(path);
    let error = Diagnostic::error(format!("robots are not written as .{suffix}"));
    match suffix.as_str() {
        "xml" => error.help("it would be a world of Klampt; for MJCF name a file that ends with .mjcf, or give the format"),
        _ => error.help("name a file that ends with .rob, .urdf, .mjcf or .sdf"),
    }
}
