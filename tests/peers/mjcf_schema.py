"""The elements and attributes of MJCF that `src/io/mjcf/schema/list.txt` lists, beside those of MuJoCo.

    python tests/peers/mjcf_schema.py --write    # writes the list anew from MuJoCo's
    python tests/peers/mjcf_schema.py            # compares them, and lets MuJoCo refuse what breaks each rule
    python tests/peers/mjcf_schema.py KINWORLD   # and the tool `kinworld` at this path

Needs `mujoco`. MuJoCo prints elements, how often each may occur, and attributes (`mj_printSchema`), but neither its rules
about attributes that exclude or need each other nor the attributes of <frame> and <replicate>: these are listed below.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import mujoco

LIST = pathlib.Path(__file__).parents[2] / "src/io/mjcf/schema/list.txt"

HEAD = """\
# Elements of MJCF as MuJoCo {version} has them (`mj_printSchema`), written by tests/peers/mjcf_schema.py.
# A line is an element in that above it with less indentation: its name, how often it may occur (! once, ? at most once,
# * any number, R also in itself), its attributes. A line with `=` is a rule of the element above: at most one of these may
# be given, at least one must be, or all or none. <worldbody>, <frame> and <replicate> hold what a body does.
"""

# attributes that MuJoCo reads of elements that its schema leaves alone
ALIASES = {
    "frame": "axisangle childclass euler massscale name policy pos quat resize scale xyaxes zaxis",
    "replicate": "childclass count euler offset sep",
}

RULES = {
    "mujoco/size": ["most memory | nstack", "most memory | njmax"],
    "default/camera": ["most fovy | sensorsize"],
    "default/light": ["most directional | type"],
    "asset/mesh": ["most builtin | file", "most builtin | vertex"],
    "body/inertial": ["most fullinertia | quat | axisangle | xyaxes | zaxis | euler"],
    "body/attach": ["most body | frame"],
    "body/camera": ["most fovy | sensorsize"],
    "body/light": ["most directional | type"],
    "equality/connect": [
        "most site1 site2 | body1 body2 anchor",
        "least site1 site2 | body1 anchor",
        "all site1 | site2",
    ],
    "equality/weld": [
        "most site1 site2 | body1 body2 anchor relpose",
        "least site1 site2 | body1",
        "all site1 | site2",
    ],
    "sensor/rangefinder": ["most site | camera", "least site | camera"],
    **{
        f"sensor/{kind}": ["all reftype | refname"]
        for kind in [
            "framepos",
            "framequat",
            "framexaxis",
            "frameyaxis",
            "framezaxis",
            "framelinvel",
            "frameangvel",
        ]
    },
    **{
        f"sensor/{kind}": [
            "most geom1 | body1",
            "least geom1 | body1",
            "most geom2 | body2",
            "least geom2 | body2",
        ]
        for kind in ["distance", "normal", "fromto"]
    },
    "sensor/contact": ["most geom1 | body1 | subtree1 | site", "most geom2 | body2 | subtree2"],
    "sensor/user": ["all objtype | objname"],
}


def elements():
    """(level, path, how often, attributes) of each element, as MuJoCo prints them."""
    found, path = [], []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        start = re.match(r"( *)(\S+) \((.)\) *(.*)", line)
        if not start:
            found[-1][3].extend(line.split())
            continue
        level = len(start[1]) // 3
        path = path[:level] + [start[2].replace("(world)", "")]
        found.append((level, list(path), start[3], start[4].split()))
    return found


def listed():
    lines = [HEAD.format(version=mujoco.__version__).rstrip()]
    rules = dict(RULES)
    for level, path, often, attributes in elements():
        lines.append(" " * level + " ".join([path[-1], often, *attributes]))
        for rule in rules.pop("/".join(path[-2:]), []):
            lines.append(" " * (level + 1) + "= " + rule)
        if path == ["mujoco", "body"]:
            lines[-1:-1] = [" worldbody *"]
            lines += [f"  {name} * {words}" for name, words in ALIASES.items()]
    assert not rules, rules
    return "\n".join(lines) + "\n"


def refusal(text):
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error)
    return ""


def refusal_here(tool, text):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([tool, "info", file.name], capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""


def broken():
    """Documents that break one rule each: a second element where one is allowed, an unknown attribute, each `=`."""
    for _, path, often, attributes in elements():
        if path[-1] in ("mujoco", "plugin", "instance", "config"):
            continue
        around = [("worldbody" if (i, name) == (1, "body") else name) for i, name in enumerate(path)]

        def document(inside):
            opened = "".join(f"<{name}>" for name in around[:-1])
            return opened + inside + "".join(f"</{name}>" for name in reversed(around[:-1]))

        name = around[-1]
        yield f"{name}@unknown", document(f'<{name} unknown="1"/>')
        if often == "?":
            yield f"two {name}", document(f"<{name}/>" * 2)
        for rule in RULES.get("/".join(path[-2:]), []):
            kind, bundles = rule.split(" ", 1)
            bundles = [bundle.split() for bundle in bundles.split("|")]
            given = {
                "most": [bundles[0][0], bundles[1][0]],
                "least": [],
                "all": [bundles[0][0]],
            }[kind]
            words = " ".join(f'{word}="1"' for word in given)
            yield f"{name}: {rule}", document(f"<{name} {words}/>")


def main():
    if sys.argv[1:] == ["--write"]:
        LIST.write_text(listed())
        return
    assert LIST.read_text() == listed(), f"{LIST} differs from what this MuJoCo has: --write"
    tried = 0
    for what, text in broken():
        answer = refusal(text)
        if "Schema violation" not in answer:
            print(f"MuJoCo does not refuse {what}: {answer.strip() or 'loads'}\n    {text}")
        for tool in sys.argv[1:]:
            answer = refusal_here(tool, text)
            if not re.search(r":1:\d+: error: .*(has no|has another|has both|needs)", answer):
                print(f"kinworld does not refuse {what}: {answer.strip() or 'loads'}\n    {text}")
        tried += 1
    print(f"{tried} documents that break a rule, tried in MuJoCo {mujoco.__version__}")


if __name__ == "__main__":
    main()
