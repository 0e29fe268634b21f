//! Writer of robots as `.rob` and as URDF.

use std::path::Path;

use super::save;
use crate::io::{SaveOptions, rob, urdf};
use crate::robot::Robot;
use crate::{Diagnostic, Result};

impl Robot {
    /// Writes a robot as `.rob` or `.urdf`, its shapes in a folder beside it, and warns of what the format cannot hold.
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
    /// let path = std::env::temp_dir().join("kinworld_doc_arm6.rob");
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
            let text = match crate::io::suffix(path).as_str() {
                "rob" => {
                    let prefix = output.beside("");
                    rob::write(self, &crate::io::name(path), &prefix, output)
                }
                "urdf" => {
                    output.for_all_programs();
                    urdf::write(self, output)
                }
                suffix => {
                    let error = Diagnostic::error(format!("robots are not written as .{suffix}"));
                    Err(error.help("name a file that ends with .rob or .urdf"))
                }
            };
            text.map_err(|error| error.in_file(path))
        })
    }
}
