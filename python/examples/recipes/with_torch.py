"""Inverse dynamics and poses as functions of PyTorch, with exact derivatives.

``torch.autograd.Function`` calls kinworld on the host, rows of a batch on all cores; derivatives are kinworld's. Tensors are
float64 on the CPU; second derivatives are not defined. Needs ``pip install torch``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

import kinworld as kw


def _rows(x: torch.Tensor, n: int) -> np.ndarray:
    return x.detach().cpu().numpy().astype(np.float64, copy=False).reshape(-1, n)


class InverseDynamics(torch.autograd.Function):
    """Joint forces (… × n) of a robot at q, dq, ddq (… × n each): ``InverseDynamics.apply(robot, q, dq, ddq)``."""

    @staticmethod
    def forward(ctx: Any, robot: kw.Robot, q: torch.Tensor, dq: torch.Tensor, ddq: torch.Tensor) -> torch.Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, dq, ddq)
        tau = kw.batch.inverse_dynamics(robot, *(_rows(x, robot.n_dofs) for x in (q, dq, ddq)))
        return torch.from_numpy(tau).reshape(q.shape)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        n = ctx.robot.n_dofs
        by = kw.batch.inverse_dynamics_derivatives(ctx.robot, *(_rows(x, n) for x in ctx.saved_tensors))
        # N × 3 × n: the transposed derivatives times the gradient
        parts = np.einsum("bkij,bi->bkj", by, _rows(grad, n))
        return (None, *(torch.from_numpy(parts[:, k].copy()).reshape(grad.shape) for k in range(3)))


class Pose(torch.autograd.Function):
    """Poses (… × 4 × 4) of a link at q (… × n): ``Pose.apply(robot, link, q)``."""

    @staticmethod
    def forward(ctx: Any, robot: kw.Robot, link: str, q: torch.Tensor) -> torch.Tensor:
        poses = kw.batch.poses(robot, _rows(q, robot.n_dofs), [link])[:, 0]
        ctx.robot, ctx.link, ctx.poses = robot, link, poses
        ctx.save_for_backward(q)
        return torch.from_numpy(poses.copy()).reshape(*q.shape[:-1], 4, 4)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (q,) = ctx.saved_tensors
        jacobian = kw.batch.jacobians(ctx.robot, _rows(q, ctx.robot.n_dofs), ctx.link)
        given = grad.detach().cpu().numpy().reshape(-1, 4, 4)
        # power of the gradient: a moment of each column of the rotation, and a force at the position
        moment = np.cross(ctx.poses[:, :3, :3], given[:, :3, :3], axisa=1, axisb=1, axisc=1).sum(axis=2)
        wrench = np.concatenate([moment, given[:, :3, 3]], axis=1)
        return None, None, torch.from_numpy(np.einsum("bij,bi->bj", jacobian, wrench)).reshape(q.shape)


if __name__ == "__main__":
    arm = kw.Robot.load(Path(__file__).parents[3] / "data/robots/panda.urdf")
    q, dq, ddq = (torch.from_numpy(row).requires_grad_() for row in np.random.default_rng(0).normal(size=(3, arm.n_dofs)))
    tau = InverseDynamics.apply(arm, q, dq, ddq)
    print("forces, N·m:", tau.detach().numpy())
    (tau**2).sum().backward()
    print("gradient of the effort:", q.grad.numpy())
