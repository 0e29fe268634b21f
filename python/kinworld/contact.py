"""Contacts with friction: cones, equilibrium, force closure, support polygons."""

from ._core.contact import (
    ContactPoint,
    Equilibrium,
    FrictionCone,
    RobotEquilibrium,
    SupportPolygon,
    closure_margin,
    equilibrium,
    force_closure,
    grasp_matrix,
    joint_forces,
    level_support,
    net_wrench,
    robot_equilibrium,
    support_polygon,
)

__all__ = [
    "ContactPoint",
    "Equilibrium",
    "FrictionCone",
    "RobotEquilibrium",
    "SupportPolygon",
    "closure_margin",
    "equilibrium",
    "force_closure",
    "grasp_matrix",
    "joint_forces",
    "level_support",
    "net_wrench",
    "robot_equilibrium",
    "support_polygon",
]
