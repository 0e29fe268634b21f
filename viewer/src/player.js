// The player: a scrubber with play, speed and loop.

import { element, number } from './text.js';

export class Player {
  constructor(motion, place, shown) {
    this.motion = motion;
    this.shown = shown;
    this.time = motion.start;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
    this.button = element('button', { type: 'button', id: 'play', 'aria-label': 'play', title: 'play or pause (space)', onclick: () => this.play(!this.playing) });
    this.slider = element('input', { type: 'range', id: 'scrubber', 'aria-label': 'time', min: String(motion.start), max: String(motion.end), step: 'any' });
    this.slider.addEventListener('input', () => this.show(Number(this.slider.value)));
    this.slider.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const [i, u] = motion.place(this.time);
      const next = step > 0 ? i + 1 : u > 0 ? i : i - 1;
      this.show(motion.times[Math.min(Math.max(next, 0), motion.n - 1)]);
    });
    this.clock = element('output', { id: 'clock', for: 'scrubber' });
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4].map((x) => element('option', { value: String(x), selected: x === 1 }, `${number(x)}×`));
    const speed = element('select', { id: 'speed', 'aria-label': 'speed', title: 'speed' }, ...speeds);
    speed.addEventListener('change', () => (this.speed = Number(speed.value)));
    const loop = element('input', { type: 'checkbox', id: 'loop', checked: true });
    loop.addEventListener('change', () => (this.loop = loop.checked));
    place.append(this.button, this.slider, this.clock, speed, element('label', { class: 'check', title: 'from the start again' }, loop, 'loop'));
    this.play(false);
  }

  play(on) {
    this.playing = on;
    this.button.classList.toggle('playing', on);
    this.button.setAttribute('aria-label', on ? 'pause' : 'play');
    if (!on) return;
    if (this.time >= this.motion.end) this.show(this.motion.start);
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      const { start, end } = this.motion;
      let time = this.time + (Math.max(0, now - last) / 1000) * this.speed;
      last = now;
      if (time >= end) {
        if (this.loop && end > start) time = start + ((time - start) % (end - start));
        else {
          time = end;
          this.play(false);
        }
      }
      this.show(time);
      if (this.playing) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  show(time) {
    this.time = Math.min(Math.max(time, this.motion.start), this.motion.end);
    this.slider.value = String(this.time);
    const length = this.motion.end - this.motion.start || 1;
    this.slider.style.setProperty('--part', `${(100 * (this.time - this.motion.start)) / length}%`);
    this.clock.textContent = `${this.time.toFixed(2)} / ${this.motion.end.toFixed(2)} s`;
    this.slider.setAttribute('aria-valuetext', `${this.time.toFixed(2)} seconds`);
    this.shown(this.time);
  }
}
