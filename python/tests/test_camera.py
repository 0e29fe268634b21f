"""Cameras: projection, points of depths, and sensors with carriers and noise."""

from pathlib import Path

import numpy as np
import pytest

import kinworld as kw


@pytest.fixture
def world(data: Path) -> kw.World:
    return kw.load(data / "robots/arm6.urdf", data / "terrains/table.env")


def test_points_of_a_picture_project_to_the_centres_of_its_pixels(world: kw.World) -> None:
    camera = kw.Camera.of_world(world, (60, 40))
    picture = world.render(camera=camera)
    points = camera.points(picture)
    assert points.shape == (40, 60, 3)
    assert np.array_equal(np.isnan(points).any(axis=2), ~np.isfinite(picture.depth))
    seen = np.argwhere(np.isfinite(picture.depth))
    assert len(seen) > 100
    local = (points[np.isfinite(picture.depth)] - camera.pose[:3, 3]) @ camera.pose[:3, :3]
    assert np.allclose(local[:, 2], picture.depth[np.isfinite(picture.depth)], rtol=1e-12)
    for row, column in seen[::50]:
        projected = camera.project(points[row, column])
        assert projected is not None
        pixel, depth = projected
        assert np.allclose(pixel, [column + 0.5, row + 0.5])
        assert np.allclose(camera.unproject(pixel, depth), points[row, column])
    assert camera.project(camera.pose[:3, 3] - camera.pose[:3, 2]) is None
    with pytest.raises(kw.Error, match="60 x 40"):
        camera.points(world.render(size=(30, 20)))


def test_a_sensor_goes_with_its_link(world: kw.World) -> None:
    mount = np.eye(4)
    mount[:3, 3] = [0.0, 0.0, 0.05]
    lens = kw.Camera(mount, (32, 24), field_of_view=1.0, range=(0.02, 5.0))
    assert lens.range == [0.02, 5.0]
    sensor = kw.CameraSensor(world, lens, on=("arm6", "flange"))
    world.robot("arm6").set_config([0.3, 1.0, 0.2, 0.0, 0.5, 0.0])
    pose = world.robot("arm6").pose("flange") @ mount
    fixed = kw.Camera(pose, (32, 24), field_of_view=1.0, range=(0.02, 5.0))
    assert np.allclose(sensor.camera(world).pose, pose, atol=1e-15)
    seen, expected = sensor.observe(world), world.render(camera=fixed)
    assert np.array_equal(seen.depth, expected.depth)
    assert np.array_equal(seen.rgb, expected.rgb)


def test_noise_is_repeatable_and_of_the_size_asked_for(world: kw.World) -> None:
    camera = kw.Camera.of_world(world, (120, 80))
    truth = world.render(camera=camera).depth
    first, second = (kw.CameraSensor(world, camera, noise=(0.01, 0.0), seed=3) for _ in range(2))
    noisy = first.observe(world).depth
    assert np.array_equal(noisy, second.observe(world).depth)
    assert not np.array_equal(noisy, first.observe(world).depth)
    seen = np.isfinite(truth)
    error = noisy[seen] - truth[seen]
    assert abs(error.std() / 0.01 - 1) < 5 / np.sqrt(2 * len(error))
    with pytest.raises(kw.Error, match="deviations of depths"):
        kw.CameraSensor(world, camera, noise=(-1.0, 0.0))
