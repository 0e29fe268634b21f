//! Tests that need what a clone does not carry: real robots, reference numbers, a WebAssembly target.
//!
//! `KINWORLD_CORPUS` names the folder that holds `klampt/` (Klampt's example files) and `motion_bench/`, `KINWORLD_REFS`
//! the one that holds `klampt/*.json` (Klampt's answers about them). A test whose variable is not set is reported as
//! ignored, with the name of the variable; with a variable set, a missing file is an error.

#[expect(dead_code, reason = "these tests use a part of what all tests share")]
#[path = "../it/common/mod.rs"]
mod common;
mod dynamics;
mod folders;
mod golden;
mod ik;
mod io;
mod mass;
mod other_files;
mod parts;
mod read;
mod real_arms;
mod rob_files;
mod robots;
mod things;
mod wasm;
mod worlds;

use std::any::type_name;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use folders::{CORPUS, REFS};

fn main() -> ExitCode {
    let mut trials = vec![
        trial(&[CORPUS], golden::the_planar_arm_of_klampt_bends_downwards),
        trial(&[CORPUS], ik::arms_reach_the_poses_they_can_reach),
        trial(&[CORPUS, REFS], ik::residuals_are_those_of_klampt),
        trial(&[CORPUS], io::stl_files_read_as_by_another_reader),
        trial(&[CORPUS], io::every_robot_survives_being_saved),
        trial(&[CORPUS], io::every_world_survives_being_saved),
        trial(
            &[CORPUS, REFS],
            io::meshes_have_the_triangles_and_boxes_of_klampt,
        ),
        trial(&[CORPUS, REFS], io::rigid_objects_load_as_in_klampt),
        trial(&[CORPUS, REFS], mass::meshes_weigh_what_klampt_says),
        trial(
            &[CORPUS],
            other_files::every_other_file_loads_or_is_refused_as_listed,
        ),
        trial(&[CORPUS], parts::convex_parts_hold_their_meshes),
        trial(
            &[CORPUS],
            parts::convex_parts_leave_an_arm_more_space_than_hulls,
        ),
        trial(
            &[CORPUS],
            real_arms::the_panda_solves_the_problems_of_motion_bench_maker,
        ),
        trial(
            &[CORPUS],
            real_arms::the_panda_has_the_groups_and_states_of_its_srdf,
        ),
        trial(
            &[CORPUS],
            real_arms::masks_of_the_panda_hide_no_more_than_they_report,
        ),
        trial(
            &[CORPUS],
            real_arms::the_ur5_finds_paths_among_shelves_pillars_and_into_a_bin,
        ),
        trial(
            &[CORPUS],
            real_arms::the_elbow_of_the_ur5_cannot_make_a_full_rotation,
        ),
        trial(
            &[CORPUS],
            rob_files::every_rob_loads_with_exactly_the_warnings_listed,
        ),
        trial(
            &[CORPUS],
            rob_files::robots_that_klampt_refuses_say_what_is_wrong_and_what_to_do,
        ),
        trial(&[CORPUS, REFS], robots::robots_answer_as_klampt_does),
        trial(&[CORPUS], worlds::every_world_loads_or_says_why_not),
        trial(
            &[CORPUS, REFS],
            worlds::as_many_pairs_are_tested_as_in_klampt,
        ),
        trial(
            &[CORPUS, REFS],
            worlds::distances_in_worlds_are_those_of_klampt,
        ),
        trial(
            &[CORPUS, REFS],
            worlds::rays_through_worlds_hit_what_they_hit_in_klampt,
        ),
        trial(
            &[CORPUS, REFS],
            worlds::worlds_collide_where_they_do_in_klampt,
        ),
        trial(
            &[CORPUS, REFS],
            worlds::worlds_hold_what_they_hold_in_klampt,
        ),
    ];
    trials.push(trial(&[CORPUS], ik::arms_have_all_their_postures));
    #[cfg(feature = "urdf-rs")]
    trials.push(trial(&[CORPUS], io::both_readers_agree_on_every_urdf));
    let module = wasm::a_module_in_node_answers_like_this_machine;
    trials.push(unless(wasm::missing(), module));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test that is ignored where one of the environment variables is not set.
fn trial<F: Fn() + Send + 'static>(variables: &[&str], test: F) -> Trial {
    let mut variables = variables.iter();
    let missing = variables.find(|name| std::env::var_os(name).is_none());
    unless(missing.map(|name| format!("{name} is not set")), test)
}

/// A test named by its function, ignored for a reason.
fn unless<F: Fn() + Send + 'static>(reason: Option<String>, test: F) -> Trial {
    let name = type_name::<F>();
    let name = name.split_once("::").map_or(name, |(_, name)| name);
    let trial = Trial::test(name, move || {
        test();
        Ok(())
    });
    match reason {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}
