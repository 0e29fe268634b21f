"""Inverse dynamics and poses as functions of JAX, with exact derivatives.

JAX calls kinworld on the host by ``jax.pure_callback``; derivatives are kinworld's, in both modes. ``jit``, ``vmap`` (one
batch on all cores), ``jvp``, ``grad``, ``jacfwd`` and ``jacrev`` work; second derivatives do not. Needs ``pip install jax``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import kinworld as kw

jax.config.update("jax_enable_x64", True)


def inverse_dynamics(robot: kw.Robot) -> Callable[[jax.Array, jax.Array, jax.Array], jax.Array]:
    """Joint forces (n) as a function of q, dq, ddq (n each)."""
    n = robot.n_dofs

    def forces(*at: np.ndarray) -> np.ndarray:
        rows = [np.asarray(x).reshape(-1, n) for x in at]
        return kw.batch.inverse_dynamics(robot, *rows).reshape(at[0].shape)

    def derivatives(*at: np.ndarray) -> np.ndarray:
        rows = [np.asarray(x).reshape(-1, n) for x in at]
        return kw.batch.inverse_dynamics_derivatives(robot, *rows).reshape(*at[0].shape[:-1], 3, n, n)

    @jax.custom_jvp
    def function(q: jax.Array, dq: jax.Array, ddq: jax.Array) -> jax.Array:
        return jax.pure_callback(forces, jax.ShapeDtypeStruct((n,), jnp.float64), q, dq, ddq, vmap_method="broadcast_all")

    @function.defjvp
    def forward(at: tuple[jax.Array, ...], tangents: tuple[jax.Array, ...]) -> tuple[jax.Array, jax.Array]:
        shape = jax.ShapeDtypeStruct((3, n, n), jnp.float64)
        by = jax.pure_callback(derivatives, shape, *at, vmap_method="broadcast_all")
        return function(*at), sum(by[i] @ tangent for i, tangent in enumerate(tangents))

    return function


def pose(robot: kw.Robot, link: str) -> Callable[[jax.Array], jax.Array]:
    """Pose (4 × 4) of a link as a function of q (n)."""
    n = robot.n_dofs

    def poses(q: np.ndarray) -> np.ndarray:
        return kw.batch.poses(robot, np.asarray(q).reshape(-1, n), [link]).reshape(*q.shape[:-1], 4, 4)

    def jacobians(q: np.ndarray) -> np.ndarray:
        return kw.batch.jacobians(robot, np.asarray(q).reshape(-1, n), link).reshape(*q.shape[:-1], 6, n)

    @jax.custom_jvp
    def function(q: jax.Array) -> jax.Array:
        return jax.pure_callback(poses, jax.ShapeDtypeStruct((4, 4), jnp.float64), q, vmap_method="broadcast_all")

    @function.defjvp
    def forward(at: tuple[jax.Array], tangents: tuple[jax.Array]) -> tuple[jax.Array, jax.Array]:
        shape = jax.ShapeDtypeStruct((6, n), jnp.float64)
        twist = jax.pure_callback(jacobians, shape, at[0], vmap_method="broadcast_all") @ tangents[0]
        here = function(at[0])
        # columns turn with the angular part, the position moves with the linear part
        rotation = jnp.cross(twist[:3], here[:3, :3], axisb=0, axisc=0)
        top = jnp.concatenate([rotation, twist[3:, None]], axis=1)
        return here, jnp.concatenate([top, jnp.zeros((1, 4))])

    return function


if __name__ == "__main__":
    arm = kw.Robot.load(Path(__file__).parents[3] / "data/robots/panda.urdf")
    tau = inverse_dynamics(arm)
    q, dq, ddq = (jnp.asarray(row) for row in np.random.default_rng(0).normal(size=(3, arm.n_dofs)))
    print("forces, N·m:", tau(q, dq, ddq))
    print("gradient of the effort:", jax.grad(lambda q: (tau(q, dq, ddq) ** 2).sum())(q))
    height = pose(arm, "tool")
    print("gradient of the tool's height:", jax.jit(jax.grad(lambda q: height(q)[2, 3]))(q))
