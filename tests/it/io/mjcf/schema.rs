//! What MuJoCo refuses before it looks at any value: unknown elements and attributes, and bodies without mass.

use super::{refusal, warnings, world};

#[test]
fn elements_and_attributes_belong_to_their_section() {
    let cases = [
        (
            "<worldbody><geom size='1' siz='2'/></worldbody>",
            "1:35: error: geom: <geom> has no attribute `siz` in MJCF",
        ),
        (
            "<worldbody><bodi/></worldbody>",
            "1:20: error: worldbody: <worldbody> has no element <bodi> in MJCF",
        ),
        ("<world/>", "<mujoco> has no element <world>"),
        (
            "<worldbody><worldbody/></worldbody>",
            "<worldbody> has no element <worldbody>",
        ),
        (
            "<worldbody><a:geom/></worldbody>",
            "<worldbody> has no element <a:geom>",
        ),
        (
            "<worldbody><geom size='1' a:b='1'/></worldbody>",
            "<geom> has no attribute `a:b`",
        ),
        (
            "<worldbody pos='0 0 1'/>",
            "<worldbody> has no attribute `pos`",
        ),
        // of a joint, but not of its defaults, nor of a coupling
        (
            "<default><joint name='j'/></default>",
            "<joint> has no attribute `name`",
        ),
        (
            "<equality><joint joint1='j' axis='1 0 0'/></equality>",
            "<joint> has no attribute `axis`",
        ),
        (
            "<actuator><motor joint='j' kp='3'/></actuator>",
            "<motor> has no attribute `kp`",
        ),
        ("<sensor><palm/></sensor>", "<sensor> has no element <palm>"),
        (
            "<keyframe><key qpas='1'/></keyframe>",
            "<key> has no attribute `qpas`",
        ),
        (
            "<default><joint/><joint/></default>",
            "1:26: error: joint: <default> has another one already",
        ),
        (
            "<visual><map/><map/></visual>",
            "map: <visual> has another one already",
        ),
        (
            "<asset><mesh name='m' builtin='sphere' file='a.stl'/></asset>",
            "mesh: it has both `builtin` and `file`",
        ),
        (
            "<equality><weld body1='b' site2='s'/></equality>",
            "weld: it has both `site2` and `body1`",
        ),
        (
            "<equality><connect site1='a'/></equality>",
            "connect: it needs `site1` and `site2`, or `body1` and `anchor`",
        ),
        (
            "<equality><connect body1='a' anchor='0 0 0' site2='a'/></equality>",
            "connect: it has both `site2` and `body1`",
        ),
        (
            "<sensor><framepos objtype='site' objname='s' refname='r'/></sensor>",
            "framepos: `refname` needs `reftype`",
        ),
    ];
    for (inside, problem) in cases {
        let said = refusal(&format!("<mujoco>{inside}</mujoco>"));
        assert!(said.contains(problem), "{inside}: {said}");
    }
}

#[test]
fn what_mujoco_lets_pass_is_loaded() {
    let prefixed = "<mujoco xmlns='http://mujoco' xmlns:a='http://a' a:b='1'><worldbody/></mujoco>";
    assert_eq!(warnings(prefixed), [""; 0]);
    let nested = "<mujoco><default><default class='a'><joint/><default class='b'><joint/></default></default></default>
<worldbody><body><joint class='b'/><geom size='1'/></body></worldbody></mujoco>";
    assert_eq!(warnings(nested), [""; 0]);
    // it does not look into frames
    let framed =
        "<mujoco><worldbody><frame part='1'><geom size='1' part='1'/></frame></worldbody></mujoco>";
    let expected = [
        "model.xml:1:27: warning: model: attribute `part` of <frame> is left out",
        "model.xml:1:51: warning: model: attribute `part` of <geom> is left out",
    ];
    assert_eq!(warnings(framed), expected);
    let unknown = "<mujoco><worldbody><frame><part/></frame></worldbody></mujoco>";
    assert!(refusal(unknown).contains("<frame> has no element <part>"));
    // of MuJoCo 3
    let composite = "<mujoco><worldbody><composite type='cable'/></worldbody></mujoco>";
    let expected = ["model.xml:1:20: warning: model: <composite> in bodies is left out"];
    assert_eq!(warnings(composite), expected);
}

#[test]
fn a_body_that_moves_has_mass_or_carries_it() {
    let text = |compiler: &str, inside: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody><body name='b'>{inside}</body></worldbody></mujoco>"
        )
    };
    let problem = "1:32: error: body `b`: it moves, but has no mass or no moments of inertia";
    for light in [
        "<joint/>",
        "<joint/><geom size='1' mass='0'/>",
        "<joint/><inertial pos='0 0 0' mass='1'/>",
        "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0'/>",
        "<joint/><body><joint/><geom size='1'/></body>",
        // mass and moments, but of two bodies
        "<joint/><inertial pos='0 0 0' mass='1'/><body><inertial pos='0 0 0' mass='0' diaginertia='1 1 1'/></body>",
    ] {
        let said = refusal(&text("", light));
        assert!(said.contains(problem), "{light}: {said}");
    }
    for (compiler, heavy) in [
        ("", "<geom size='1' mass='0'/>"),
        ("", "<joint/><geom size='1'/>"),
        ("", "<joint/><body><body><geom size='1'/></body></body>"),
        ("boundmass='1' boundinertia='1'", "<joint/>"),
        ("fusestatic='true'", "<joint/><body><geom size='1'/></body>"),
    ] {
        let loaded = world(&text(compiler, heavy));
        assert!(loaded.is_ok(), "{heavy}: {}", loaded.unwrap_err());
    }
}
