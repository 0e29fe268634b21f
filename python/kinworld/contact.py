"""Contacts with friction: cones, equilibrium, force closure, support polygons."""

from ._core import contact as _contact

ContactPoint = _contact.ContactPoint
Equilibrium = _contact.Equilibrium
FrictionCone = _contact.FrictionCone
RobotEquilibrium = _contact.RobotEquilibrium
SupportPolygon = _contact.SupportPolygon
closure_margin = _contact.closure_margin
equilibrium = _contact.equilibrium
force_closure = _contact.force_closure
grasp_matrix = _contact.grasp_matrix
joint_forces = _contact.joint_forces
level_support = _contact.level_support
net_wrench = _contact.net_wrench
robot_equilibrium = _contact.robot_equilibrium
support_polygon = _contact.support_polygon

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
