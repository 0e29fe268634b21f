//! What the golden tests compare, for robots of the corpus.

#[path = "../it/golden/checks.rs"]
pub(crate) mod checks;
#[path = "../it/golden/collisions.rs"]
pub(crate) mod collisions;
#[path = "../it/golden/expected.rs"]
pub(crate) mod expected;
#[expect(dead_code, unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/golden/worked_example.rs"]
mod worked_example;

use crate::common::numbers::assert_close;
use crate::folders::corpus;
use worked_example::{DIGIT, worked_example};

pub(crate) fn the_planar_arm_of_klampt_bends_downwards() {
    let corpus = corpus();
    let (tip, jacobian) = worked_example(&corpus.join("robots/planar3R.rob"));
    let lever = 0.707_106_781_186_547_7;
    assert_close(
        "tip",
        &tip,
        &[1.707_106_781_186_547_7, 0.0, -1.707_106_781_186_547_7],
        DIGIT,
    );
    assert_close(
        "row of z",
        &jacobian[6..8],
        &[-1.707_106_781_186_547_7, -lever],
        DIGIT,
    );
    assert_close("last of z", &jacobian[8..], &[0.0], 1e-15);
}
