// The stage: camera, lights, ground, and what the eye needs to judge size and direction.

import {
  Box3, Color, DirectionalLight, GridHelper, HemisphereLight, Mesh, NeutralToneMapping, PCFShadowMap, PerspectiveCamera,
  PlaneGeometry, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { quicken } from './quick.js';

const THEMES = {
  light: { back: 0xf3f4f6, grid: [0xb6bcc6, 0xd9dde3], shadow: 0.17, sky: 0xffffff, ground: 0xb9bcc4 },
  dark: { back: 0x1b1f26, grid: [0x434b57, 0x2b313a], shadow: 0.42, sky: 0xdfe8f5, ground: 0x50545c },
};

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.toneMapping = NeutralToneMapping;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.draw());
    this.hemisphere = new HemisphereLight(0xffffff, 0xb9bcc4, 1.9);
    this.hemisphere.position.set(0, 0, 1);
    this.sun = new DirectionalLight(0xfff6ea, 2.3);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.normalBias = 0.02;
    this.fill = new DirectionalLight(0xdfe9ff, 0.7);
    this.floor = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.17 }));
    this.floor.receiveShadow = true;
    this.scene.add(this.hemisphere, this.sun, this.sun.target, this.fill, this.floor);
    this.grid = null;
    this.pending = false;
    this.fence = null;
    /** Part of the pixels across that a picture has; below 1 it has coarse meshes, matte materials and no shadows. */
    this.fineness = 1;
    this.fitted = null;
    this.ondrawn = () => {};
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  /** Lights, grid and camera for things in some boxes. */
  frame(boxes) {
    let box = boxes.reduce((all, one) => all.union(one), new Box3());
    this.boxes = boxes.length ? boxes : [new Box3(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 0.5))];
    if (box.isEmpty()) box = new Box3(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 0.5));
    this.box = box;
    const [center, size] = [box.getCenter(new Vector3()), box.getSize(new Vector3())];
    const radius = Math.max(size.length() / 2, 1e-3);
    this.radius = radius;
    this.camera.near = radius / 100;
    this.camera.far = radius * 100;
    this.controls.minDistance = radius / 20;
    this.controls.maxDistance = radius * 30;
    const shadow = this.sun.shadow.camera;
    const reach = radius * 1.6;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius * 0.5, far: radius * 7 });
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.004;
    this.sun.position.copy(center).add(new Vector3(0.7, -1.1, 2.2).normalize().multiplyScalar(radius * 3.5));
    this.sun.target.position.copy(center);
    this.sun.target.updateMatrixWorld();
    this.fill.position.copy(center).add(new Vector3(-1.2, 0.8, 0.6));
    const level = box.min.z > -0.02 * radius && box.min.z < 0.5 * radius ? Math.min(0, box.min.z) : box.min.z;
    this.floor.position.set(center.x, center.y, level - radius * 1e-3);
    this.floor.scale.setScalar(radius * 12);
    if (this.grid) this.scene.remove(this.grid);
    // cells of 1, 2 or 5 of a power of ten
    const wish = radius / 4;
    const power = 10 ** Math.floor(Math.log10(wish));
    const cell = [1, 2, 5, 10].map((k) => k * power).find((c) => c >= wish * 0.999);
    const n = 2 * Math.ceil((radius * 2.4) / cell);
    this.cell = cell;
    this.grid = new GridHelper(n * cell, n);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(Math.round(center.x / cell) * cell, Math.round(center.y / cell) * cell, level - radius * 1.5e-3);
    this.scene.add(this.grid);
    this.theme(this.themeName ?? 'light');
    this.look();
  }

  /** Turns the camera to the whole scene. */
  look() {
    const center = this.box.getCenter(new Vector3());
    const back = new Vector3(1, -1.25, 0.72).normalize();
    const right = new Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const aspect = this.camera.aspect || 1;
    let distance = 4 * this.radius;
    // nearer, and to the middle of what is seen
    for (let round = 0; round < 8; round++) {
      const eye = center.clone().addScaledVector(back, distance);
      const low = [Infinity, Infinity];
      const high = [-Infinity, -Infinity];
      for (let i = 0; i < 8 * this.boxes.length; i++) {
        const { min, max } = this.boxes[i >> 3];
        const p = new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z).sub(eye);
        const ahead = Math.max(-p.dot(back), 1e-3 * distance);
        [right, up].forEach((axis, k) => {
          const at = p.dot(axis) / ahead;
          low[k] = Math.min(low[k], at);
          high[k] = Math.max(high[k], at);
        });
      }
      center.addScaledVector(right, ((low[0] + high[0]) / 2) * distance);
      center.addScaledVector(up, ((low[1] + high[1]) / 2) * distance);
      distance *= 1.12 * Math.max((high[1] - low[1]) / 2 / half, (high[0] - low[0]) / 2 / (half * aspect));
    }
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(back, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  theme(name) {
    this.themeName = name;
    const theme = THEMES[name];
    this.scene.background = new Color(theme.back);
    this.hemisphere.color.set(theme.sky);
    this.hemisphere.groundColor.set(theme.ground);
    this.floor.material.opacity = theme.shadow;
    if (this.grid) {
      const visible = this.grid.visible;
      const { position, rotation } = this.grid;
      const n = this.grid.geometry.attributes.position.count / 4 - 1;
      const grid = new GridHelper(n * this.cell, n, ...theme.grid);
      grid.position.copy(position);
      grid.rotation.copy(rotation);
      grid.visible = visible;
      this.scene.remove(this.grid);
      this.grid.geometry.dispose();
      this.grid = grid;
      this.scene.add(grid);
    }
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.fitted = null;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.drawNow();
  }

  /** Gives the picture the size of its place and its fineness. */
  fit() {
    if (this.fitted === this.fineness) return;
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.fitted = this.fineness;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.fineness);
    this.renderer.setSize(width, height, false);
    this.sun.castShadow = this.fineness === 1;
    this.floor.visible = this.fineness === 1;
    this.renderer.shadowMap.needsUpdate = true;
  }

  /** Draws before the browser shows the next picture. */
  draw(moved = false) {
    if (moved) this.renderer.shadowMap.needsUpdate = true;
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.drawNext());
  }

  /** Draws once the picture before is done: pictures that wait in a row would only be late. */
  drawNext() {
    if (!this.isDrawn()) {
      requestAnimationFrame(() => this.drawNext());
      return;
    }
    this.pending = false;
    this.drawNow();
  }

  drawNow() {
    this.fit();
    const restore = this.fineness < 1 ? quicken(this.scene) : () => {};
    this.renderer.render(this.scene, this.camera);
    restore();
    const gl = this.renderer.getContext();
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.ondrawn();
  }

  /** Whether a processor draws, not a graphics card. */
  get isSoftware() {
    const gl = this.renderer.getContext();
    const more = gl.getExtension('WEBGL_debug_renderer_info');
    const name = gl.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  /** Whether the last picture is done. */
  isDrawn() {
    if (!this.fence) return true;
    const gl = this.renderer.getContext();
    if (gl.clientWaitSync(this.fence, 0, 0) === gl.TIMEOUT_EXPIRED) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    return true;
  }

  /** A PNG of what is seen. */
  async png() {
    this.fineness = 1;
    this.renderer.shadowMap.needsUpdate = true;
    this.drawNow();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }

  /** Turns, moves or zooms the camera by a key; false for other keys. */
  key(event) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const turn = (angle) => offset.applyAxisAngle(this.camera.up, angle);
    const tilt = (angle) => {
      const side = offset.clone().cross(this.camera.up).normalize();
      const turned = offset.clone().applyAxisAngle(side, angle);
      const level = Math.abs(turned.clone().normalize().z);
      if (level < 0.995) offset.copy(turned);
    };
    const pan = (right, up) => {
      const side = new Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(right * offset.length() * 0.06);
      side.add(new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * offset.length() * 0.06));
      this.controls.target.add(side);
    };
    const moves = event.shiftKey
      ? { ArrowLeft: () => pan(-1, 0), ArrowRight: () => pan(1, 0), ArrowUp: () => pan(0, 1), ArrowDown: () => pan(0, -1) }
      : { ArrowLeft: () => turn(-0.12), ArrowRight: () => turn(0.12), ArrowUp: () => tilt(-0.1), ArrowDown: () => tilt(0.1) };
    Object.assign(moves, { '+': () => offset.multiplyScalar(0.87), '=': () => offset.multiplyScalar(0.87), '-': () => offset.multiplyScalar(1.15) });
    const move = moves[event.key];
    if (!move) return false;
    move();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
    return true;
  }
}
