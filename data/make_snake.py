#!/usr/bin/env python3
"""Writes `data/robots/snake30.urdf`: thirty equal modules, each rolled by a quarter turn against the last.

    python3 data/make_snake.py

Thirty coordinates in one chain, without a fixed or a virtual link: the long robot of the benchmarks.
"""

from pathlib import Path

MODULES = 30
QUARTER = "1.5707963267948966"

LINK = """
  <link name="module{k:02}">
    <inertial>
      <origin xyz="0.055 0.002 -0.003"/>
      <mass value="0.4"/>
      <inertia ixx="0.0003" ixy="1e-05" ixz="0" iyy="0.0006" iyz="-2e-05" izz="0.0005"/>
    </inertial>
    <collision>
      <origin xyz="0.05 0 0"/>
      <geometry><box size="0.08 0.06 0.06"/></geometry>
    </collision>
  </link>
  <joint name="bend{k:02}" type="revolute">
    <parent link="{parent}"/>
    <child link="module{k:02}"/>
    <origin xyz="{x} 0 0" rpy="{roll} 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1.4" upper="1.4" velocity="3" effort="8"/>
  </joint>"""


def main():
    text = '<?xml version="1.0"?>\n<!-- Written by make_snake.py. -->\n<robot name="snake30">\n  <link name="world"/>'
    for k in range(MODULES):
        parent = f"module{k - 1:02}" if k else "world"
        text += LINK.format(k=k, parent=parent, x=0.1 if k else 0, roll=QUARTER if k else 0)
    out = Path(__file__).parent / "robots" / "snake30.urdf"
    out.write_text(text + "\n</robot>\n")


if __name__ == "__main__":
    main()
