// Pictures that wait for an answer: a moved robot and its collisions are seen in the same one.

/** Longest time that a picture waits, in ms. */
const PATIENCE = 8;

export class Frames {
  constructor(stage) {
    this.stage = stage;
    this.until = 0;
    this.timer = null;
    stage.draw = (moved = false) => {
      if (moved) stage.renderer.shadowMap.needsUpdate = true;
      if (stage.pending) return;
      stage.pending = true;
      requestAnimationFrame(() => this.show());
    };
  }

  /** Lets the next picture wait for the answer to a question that is asked now. */
  hold() {
    this.until = performance.now() + PATIENCE;
  }

  /** The answer is there. */
  release() {
    this.until = 0;
    if (this.timer !== null) this.show();
  }

  show() {
    clearTimeout(this.timer);
    this.timer = null;
    const left = this.until - performance.now();
    if (left > 0) {
      this.timer = setTimeout(() => this.show(), left);
      return;
    }
    this.stage.drawNext();
  }
}
