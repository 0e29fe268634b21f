//! Against Klampt, whose cones are pyramids of four edges: it holds less than our cones, and more than cones with the
//! friction of such a pyramid midway between its edges.

use kinworld::contact::{
    ContactPoint, Friction, GraspSpace, SupportPolygon, equilibrium, force_closure, support_polygon,
};
use kinworld::math::Wrench;
use kinworld::{Point, Vector};
use serde_json::Value;

use super::contact;
use crate::common::files::{data, json};
use crate::common::numbers::{list, number, numbers};

/// The contacts of a case with full friction, and with the least friction of the pyramid.
fn contacts(case: &Value) -> [Vec<ContactPoint>; 2] {
    [1.0, std::f64::consts::FRAC_1_SQRT_2].map(|share| {
        let read = |c: &Value| {
            let (p, n) = (numbers(&c["point"]), numbers(&c["normal"]));
            contact(
                Point::from_slice(&p),
                Vector::from_column_slice(&n),
                share * number(&c["friction"]),
            )
        };
        list(&case["contacts"]).iter().map(read).collect()
    })
}

fn flag(value: &Value) -> bool {
    value.as_bool().expect("yes or no")
}

#[test]
fn klampts_equilibria_are_between_those_of_least_and_full_friction() {
    let golden = json(&data("golden/contacts/klampt.json"));
    let (mut held, mut fallen) = (0, 0);
    for (k, case) in list(&golden["stances"]).iter().enumerate() {
        let [full, least] = contacts(case);
        for (com, theirs) in list(&case["coms"]).iter().zip(list(&case["holds"])) {
            let com = Point::from_slice(&numbers(com));
            let load = Wrench {
                moment: Vector::zeros(),
                force: Vector::new(0.0, 0.0, -1.0),
            };
            let ours = |contacts: &[ContactPoint]| {
                equilibrium(contacts, &load, &com, Friction::Exact)
                    .unwrap()
                    .holds()
            };
            assert!(!ours(&least) || flag(theirs), "stance {k}, {com}");
            assert!(!flag(theirs) || ours(&full), "stance {k}, {com}");
            held += usize::from(ours(&least));
            fallen += usize::from(!ours(&full));
        }
    }
    assert!(held > 20 && fallen > 20, "{held} held, {fallen} not");
}

#[test]
fn klampts_support_is_between_those_of_least_and_full_friction() {
    let golden = json(&data("golden/contacts/klampt.json"));
    for (k, case) in list(&golden["stances"]).iter().enumerate() {
        let [full, least] =
            contacts(case).map(|contacts| support_polygon(&contacts, Friction::Exact).unwrap());
        let rows: Vec<Vec<f64>> = list(&case["polygon"]).iter().map(numbers).collect();
        let theirs = |x: f64, y: f64| {
            let slack = rows.iter().map(|row| row[2] - row[0] * x - row[1] * y);
            slack.fold(f64::INFINITY, f64::min)
        };
        for v in &least.vertices {
            assert!(theirs(v.x, v.y) > -1e-4, "stance {k}: {v}");
        }
        let inside = |support: &SupportPolygon, x, y| support.margin(x, y);
        for i in -20..=20 {
            for j in -20..=20 {
                let (x, y) = (0.1 * f64::from(i), 0.1 * f64::from(j));
                if theirs(x, y) > 1e-3 {
                    assert!(inside(&full, x, y) > -1e-3, "stance {k}: {x} {y}");
                }
            }
        }
    }
}

#[test]
fn klampts_closures_are_between_those_of_least_and_full_friction() {
    let golden = json(&data("golden/contacts/klampt.json"));
    let (mut closed, mut open) = (0, 0);
    for (k, case) in list(&golden["grasps"]).iter().enumerate() {
        let ours =
            contacts(case).map(|contacts| force_closure(&contacts, &GraspSpace::Spatial).unwrap());
        if case.get("left_out").is_some() {
            continue;
        }
        let theirs = flag(&case["closure"]);
        assert!(!ours[1] || theirs, "grasp {k}");
        assert!(!theirs || ours[0], "grasp {k}");
        closed += usize::from(ours[1]);
        open += usize::from(!ours[0]);
    }
    assert!(closed > 3 && open > 3, "{closed} closed, {open} open");
}
