"""Pages and pictures: against poses, distances and projections that are known."""

from __future__ import annotations

import json
import re
import struct
import sys
import types
import zlib
from pathlib import Path

import numpy as np
import pytest

import kinworld as kw
from kinworld import view


def test_a_page_is_one_text_that_loads_nothing(cell: kw.World, tmp_path: Path) -> None:
    robot = cell.robots[0]
    times = np.linspace(0, 1, 5)
    rows = np.array([robot.robot.interpolate(robot.config, robot.robot.sample(1), u) for u in times])
    html = cell.to_html(
        tmp_path / "cell.html",
        title="<b>cell</b>",
        motion={robot.name: (times, rows)},
        plots={"speed": ("m/s", {"tip": times})},
        collisions=True,
        text="two & two",
    )
    assert (tmp_path / "cell.html").read_text() == html
    assert html.startswith("<!doctype html>") and "<b>cell</b>" not in html
    assert not re.search(r"""(?:src|href)=["']?https?:""", html)
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.S)
    assert data is not None and json.loads(data[1])
    with pytest.raises(kw.Error, match="does not move"):
        cell.to_html(motion={cell.terrains[0].name: ([0], [[0]])})
    with pytest.raises(kw.Error):
        cell.to_html(motion={robot.name: ([0, 1], rows)})


def test_depth_and_elements_of_a_box() -> None:
    world = kw.World()
    world.add(kw.Terrain("box", kw.Geometry.box((1, 1, 1))))
    camera = kw.Camera.looking_at((3, 0, 0), (0, 0, 0), (81, 61), field_of_view=0.9)
    picture = world.render(camera=camera)
    assert picture.size == (81, 61) and picture.rgb.dtype == np.uint8
    depth, ids = picture.depth, picture.segmentation
    seen = ids > 0
    # the face at x = 0.5 is 2.5 m away, and so are all its points along the optical axis
    np.testing.assert_allclose(depth[seen], 2.5, atol=1e-5)
    assert np.isinf(depth[~seen]).all()
    # its width in pixels follows from the focal length
    assert seen[30].sum() == pytest.approx(camera.focal[0] * 1.0 / 2.5, abs=1.0)
    assert picture.entity(40, 30) == "box" and picture.entity(0, 0) is None and picture.entity(999, 0) is None
    assert picture.elements[int(ids[30, 40]) - 1] == "box"


def test_a_point_is_seen_where_the_camera_says() -> None:
    world = kw.World()
    centre = np.array([0.2, 0.4, -0.1])
    world.add(kw.Terrain("ball", kw.Geometry.sphere(0.02, centre)))
    camera = kw.Camera.looking_at((2, -1, 0.7), (0, 0, 0), (200, 150))
    x, y, z = (np.linalg.inv(camera.pose) @ [*centre, 1])[:3]
    u = camera.focal[0] * x / z + camera.center[0]
    v = camera.focal[1] * y / z + camera.center[1]
    rows, columns = np.nonzero(world.render(camera=camera).segmentation)
    assert columns.mean() + 0.5 == pytest.approx(u, abs=0.5)
    assert rows.mean() + 0.5 == pytest.approx(v, abs=0.5)
    same = kw.Camera(camera.pose, camera.size, focal=camera.focal, center=camera.center)
    np.testing.assert_array_equal(world.render(camera=same).rgb, world.render(camera=camera).rgb)


def test_collisions_are_red(cell: kw.World) -> None:
    camera = kw.Camera.looking_at((2, -2, 1.5), (0, 0, 0.3), (160, 120))
    name = cell.rigid_objects[0].name
    plain, marked = cell.render(camera=camera), cell.render(camera=camera, red=[name])
    where = [i for i, e in enumerate(plain.elements) if e == name][0] + 1
    assert (plain.segmentation == marked.segmentation).all()
    changed = (plain.rgb != marked.rgb).any(axis=2)
    assert changed[plain.segmentation == where].mean() > 0.9


def test_png(tmp_path: Path) -> None:
    world = kw.World()
    world.add(kw.Terrain("box", kw.Geometry.box((1, 1, 1))))
    picture = world.render(tmp_path / "box.png", size=(40, 30))
    data = (tmp_path / "box.png").read_bytes()
    assert data == picture.to_png() == picture._repr_png_() and data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (40, 30)
    # of 16 bits
    depth = picture.to_png("depth")
    assert depth[24] == 16 and zlib.crc32(depth[12:29]) == struct.unpack(">I", depth[29:33])[0]
    with pytest.raises(kw.Error, match="rgb"):
        picture.to_png("colour")
    film = kw.Picture.animation([picture, world.render(size=(40, 30), shadows=False)], 10)
    # the chunk that says how many frames there are, and how often they are played
    at = film.index(b"acTL")
    assert struct.unpack(">II", film[at + 4 : at + 12]) == (2, 0)
    with pytest.raises(kw.Error, match="0 frames"):
        kw.Picture.animation([])


def test_a_notebook_gets_a_frame_and_a_terminal_the_browser(cell: kw.World, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    page = view.show(cell, title="cell")
    assert len(opened) == 1 and opened[0].startswith("file:")
    frame = page._repr_html_()
    assert 'sandbox="allow-scripts"' in frame and "<script" not in frame
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    page = cell.show(title="cell")
    assert len(opened) == 1
    # the library is in it, and the frame lets it run nothing but scripts
    assert 'id="module"' in page.html and "'wasm-unsafe-eval'" in page.html and "connect-src" not in page.html
    assert 'sandbox="allow-scripts"' in page._repr_html_()
    q = cell.robots[0].config
    moving = view.show(cell, motion={cell.robots[0].name: ([0, 1], [q, q])})
    assert 'id="module"' not in moving.html
    assert 'id="module"' not in view.show(cell, live=False).html
    pushed = cell.to_html(forces=[[((0, 0, 1), np.array([0, 0, -9.81]))]])
    assert '"forces":{' in pushed and '"forces":null' in page.html
    with pytest.raises(kw.Error, match="2 lists for 0 times"):
        cell.to_html(forces=[[], [((0, 0, 1), (0, 0, 1))]])
    with pytest.raises(kw.Error, match="no motion"):
        view.show(cell, live=True, motion={cell.robots[0].name: ([0, 1], [q, q])})
