// Pictures that wait for an answer: a moved robot and its collisions are seen in the same one. Where a processor draws them, those
// of a move are coarse: it has the answers to find, too.

/** Longest time that a picture waits, in ms. */
const PATIENCE = 8;
/** Fineness of coarse pictures, and the time from the last one of a move to a fine one, in ms. */
const [COARSE, REST] = [0.4, 200];

export class Frames {
  constructor(stage) {
    this.stage = stage;
    this.until = 0;
    this.timer = null;
    this.rest = null;
    this.coarse = stage.isSoftware ? COARSE : 1;
    // the first one, too: what coarse pictures need is made before the first move
    stage.fineness = this.coarse;
    // a fine picture follows the last coarse one, however long that takes
    stage.ondrawn = () => {
      clearTimeout(this.rest);
      if (stage.fineness < 1) this.rest = setTimeout(() => this.refine(), REST);
    };
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

  /** What is drawn moves. */
  move() {
    this.stage.fineness = this.coarse;
  }

  refine() {
    this.stage.fineness = 1;
    this.stage.draw();
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
